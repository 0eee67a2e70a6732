/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/pairs_contacts.c: contacts of two solids, as a collider finds them,
 * against what is measured. */
#include <config.h>

#include "pairs_laws.h"

/* Corners stand for a round rim that leans by up to 1e-4: 3e-5 radii. */
static const double rim = 3e-5;
/* Faces within 8 degrees of each other are taken though edges are less deep, by a part of
 * the sizes times the sine of that, 0.14; mostly a tenth of it. */
static const double face_advantage = 0.05;
/* Noise may choose between features as good as each other to 1e-6 of the smaller. */
static const double noise = 1.01e-6;

static void contacts_of(const convex *a, const convex *b, double margin,
                        perp_contacts *contacts)
{
    perp_world *world = test_world(a->dimension, 0.0);

    convex_add(world, "a", 0.0, a);
    convex_add(world, "b", 1.0, b);
    collide(world, margin, contacts);
}

static void check_contact(const convex *a, const convex *b, const perp_contact *c,
                          double margin, double tolerance)
{
    double p[3];

    CU_ASSERT(c->i == 0 && c->j == 1);
    pairs_at_most(c->gap, margin, "the gap of a contact");
    pairs_at_most(fabs(vec3_length(c->normal) - 1.0), 1e-14, "a normal's length off 1");
    witness(c, -0.5, p);
    pairs_at_most(convex_outside(a, p), tolerance, "a contact's p_a out of a");
    witness(c, 0.5, p);
    pairs_at_most(convex_outside(b, p), tolerance, "a contact's p_b out of b");
}

/* How far the deepest contact may be from the gap measured: below, and above. Faces of
 * boxes and hulls that look at each other are preferred to edges, and those apart touch
 * along an axis that bounds their distance from below. */
static void contact_slack(const convex *a, const convex *b, const perp_proximity *p,
                          double slack[2])
{
    double small = fmin(convex_reach(a), convex_reach(b));

    slack[0] = slack[1] = pairs_tolerance(a, b, p) +
                          rim * (a->shape.type->unbounded ? pairs_size(a, b) : small);
    if (a->shape.type->is_polytope && b->shape.type->is_polytope) {
        slack[1] += pairs_flush() * small;
        slack[0] += p->gap > 0.0 ? p->gap : face_advantage * pairs_size(a, b);
    }
}

/* The deepest contact c of boxes and hulls. Apart it is at their distance, but for noise
 * that chooses between a face and an edge; where they overlap, along the same normal. */
static void check_sides(const convex *a, const convex *b, const perp_proximity *p,
                        const perp_contact *c)
{
    const double least = fmin(convex_reach(a), convex_reach(b));
    const double turn = vec3_dot(c->normal, p->normal);

    if (p->gap > 1e-5 * least) {
        pairs_at_most(fabs(c->gap - p->gap), noise * least, "a contact off the distance");
        pairs_at_most(0.99, turn, "a contact's normal off that of the distance: 0.99");
    } else if (p->gap < 0.0 && turn >= 1.0 - 1e-9) {
        pairs_at_most(fabs(c->gap - p->gap), noise * least, "a contact off the depth");
    }
}

void pairs_check_contacts(const convex *a, const convex *b, const perp_proximity *p)
{
    double margin = 0.1 * pairs_size(a, b);
    double out = pairs_across(a, b, p);
    double slack[2];
    perp_contacts contacts = {0};

    contact_slack(a, b, p, slack);
    if (a->shape.type->is_polytope && b->shape.type->is_polytope) {
        out += fmax(p->gap, 0.0); /* points of the axis, not of the shapes */
    }
    contacts_of(a, b, margin, &contacts);
    CU_ASSERT(contacts.count > 0 || p->gap > margin - slack[1]);
    CU_ASSERT(contacts.count == 0 || p->gap < margin + slack[0]);
    if (contacts.count > 0 && deepest(&contacts)->gap < p->gap - out) {
        out += face_advantage * pairs_size(a, b); /* of faces that were preferred */
    }
    for (size_t k = 0; k < contacts.count; k++) {
        check_contact(a, b, &contacts.at[k], margin, out);
    }
    if (contacts.count > 0) {
        pairs_at_most(deepest(&contacts)->gap - p->gap, slack[1],
                      "the deepest contact above the gap");
        pairs_at_most(p->gap - deepest(&contacts)->gap, slack[0],
                      "the deepest contact below the gap");
        if (a->shape.type->is_polytope && b->shape.type->is_polytope) {
            check_sides(a, b, p, deepest(&contacts));
        }
    }
    keys_are_distinct(&contacts);
}

/* The hull of a box's corners; `room` keeps them. */
static convex twin_of(const convex *s, double room[24])
{
    const double *e = s->shape.size;
    convex twin = *s;

    if (s->shape.type->core == PERP_CORE_BOX) {
        twin.shape = hull_of_box(e[0], e[1], s->dimension == 2 ? 0.0 : e[2], room);
        twin.shape.corner_count = s->dimension == 2 ? 4 : 8;
    }
    return twin;
}

/* Whether contact k of the one is one of the other, of the same number and key where it
 * is `named`. */
static bool has_twin(const perp_contacts *one, size_t k, const perp_contacts *other,
                     double size, bool named)
{
    const perp_contact *c = &one->at[k];

    for (size_t l = named ? k : 0; l < (named ? k + 1 : other->count); l++) {
        const perp_contact *d = &other->at[l];
        double shift[3], turn[3];

        vec3_subtract(c->point, d->point, shift);
        vec3_subtract(c->normal, d->normal, turn);
        /* both round differently; crossings at small angles lose digits before they count
         * as parallel */
        if ((!named || c->key == d->key) && fabs(c->gap - d->gap) <= 1e-12 * size &&
            vec3_length(turn) <= (named ? 1e-9 : 1e-11) &&
            vec3_length(shift) <= (named ? 1e-8 : 1e-11) * size) {
            return true;
        }
    }
    return false;
}

bool pairs_have_twins(const convex *a, const convex *b, const perp_proximity *p)
{
    const double size = pairs_size(a, b);
    const double far =
        1e-2 * (vec3_length(a->at.x) + vec3_length(b->at.x)); /* rounding */
    const bool boxes[2] = {a->shape.type->core == PERP_CORE_BOX,
                           b->shape.type->core == PERP_CORE_BOX};
    const bool balls =
        a->shape.type->core == PERP_CORE_POINT || b->shape.type->core == PERP_CORE_POINT;
    const bool both = boxes[0] && boxes[1];
    perp_contacts contacts[2] = {{0}, {0}};
    double room[2][24];
    convex twin[2] = {twin_of(a, room[0]), twin_of(b, room[1])};
    bool same = true;

    /* the direction to a centre as near as 1e-3 loses three digits */
    if (!both && !(balls && (boxes[0] || boxes[1]) && fabs(p->gap) >= 1e-3 * size)) {
        return true;
    }
    contacts_of(a, b, 0.1 * size, &contacts[0]);
    contacts_of(&twin[0], &twin[1], 0.1 * size, &contacts[1]);
    same = contacts[0].count == contacts[1].count;
    for (size_t k = 0; same && k < contacts[0].count; k++) {
        same = has_twin(&contacts[0], k, &contacts[1], size + far,
                        both && a->dimension == 3);
    }
    return same;
}

bool pairs_keep_keys(convex *a, convex *b, perp_random *g)
{
    double size = pairs_size(a, b);
    perp_contacts before = {0};
    perp_contacts after = {0};
    convex moved = *b;
    bool same = false;

    for (unsigned c = 0; c < b->dimension; c++) {
        moved.at.x[c] +=
            1e-9 * fmin(size, convex_reach(b)) * perp_random_uniform(g, -1.0, 1.0);
    }
    contacts_of(a, b, 0.1 * size, &before);
    contacts_of(a, &moved, 0.1 * size, &after);
    same = before.count == after.count;
    for (size_t k = 0; same && k < before.count; k++) {
        same = before.at[k].key == after.at[k].key;
    }
    return same;
}
