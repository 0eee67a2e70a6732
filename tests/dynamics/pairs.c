/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs.c: whatever must hold of two solids. That a gap is right is proved
 * from both sides: the normal found has it as the distance between supporting planes, and
 * the witnesses, which lie on both surfaces, are so far apart; of overlapping solids no
 * direction of the search is better. */
#include <config.h>

#include <stdlib.h>

#include "pairs.h"

/* Of positions and sizes of one scale, through two rotations and a few sums. */
static const double rounding = 1e-13;
/* Directions between points as near as a thousandth of the sizes, and what they point at,
 * lose three digits, and roots of an ellipsoid's equation some more. */
static const double turned = 1e-9;
/* Iterations of GJK and EPA end where bounds agree to this share of the size, of smooth
 * solids rarely not before the second one, which they say. */
static const double iterated = 1e-9;
static const double rough = 1e-6;
/* What is symmetrical about an axis and deep has a ring of answers; searches that give up
 * there are off by this share. */
static const double unresolved = 1e-3;
/* Those of libccd's portal refinement. */
static const double portal = 1e-3;
/* The search over directions comes as near as this share of the size, and where it does
 * not, which is one pose in a hundred, it is no evidence against the answer. */
static const double searched = 1e-6;
/* Corners stand for a round rim that leans by up to 1e-4: 3e-5 radii. */
static const double rim = 3e-5;
/* Faces within 8 degrees of each other are taken though edges are less deep, by a part of
 * the sizes times the sine of that, 0.14; mostly a tenth of it. */
static const double face_advantage = 0.05;

static int searches;
static int misses;
static int given_up;
static const char *at_work = "";
static const convex *first;
static const convex *second;

static void tell_pose(const convex *s)
{
    test_note("  %s %.17g %.17g %.17g at %.17g %.17g %.17g turn %.17g %.17g %.17g %.17g",
              s->shape.type->name, s->shape.size[0], s->shape.size[1], s->shape.size[2],
              s->at.x[0], s->at.x[1], s->at.x[2], s->turn[0], s->turn[1], s->turn[2],
              s->turn[3]);
}

/* x <= y, or the pair at work is told. */
static void at_most(double x, double y, const char *what)
{
    if (!(x <= y)) {
        test_note("%s: %s is %.6g, expected at most %.3g", at_work, what, x, y);
        tell_pose(first);
        tell_pose(second);
    }
    CU_ASSERT(x <= y);
}

int pairs_draws(int usual)
{
    if (getenv("PERP_TEST_LONG")) {
        return 10000;
    }
    return getenv("PERP_TEST_BRIEF") ? usual / 10 + 1 : usual;
}

static double size_of(const convex *a, const convex *b)
{
    double d[3];

    /* a plane is as large as what is at its origin needs */
    if (a->shape.type->unbounded || b->shape.type->unbounded) {
        vec3_subtract(a->at.x, b->at.x, d);
        return convex_reaches(a, b) + vec3_length(d);
    }
    return convex_reaches(a, b);
}

static bool is_exact(const perp_proximity *p)
{
    return strcmp(p->ran, "analytic") == 0 || strcmp(p->ran, "sat") == 0;
}

double pairs_tolerance(const convex *a, const convex *b, const perp_proximity *p)
{
    double size = size_of(a, b);
    double share = fmax(iterated * size, 2.0 * p->tolerance);

    if (is_exact(p)) {
        share = rounding * size;
    } else if (strcmp(p->ran, "mpr") == 0) {
        share = portal * size;
    }
    return share + 1e-15 * (vec3_length(a->at.x) + vec3_length(b->at.x)); /* of places */
}

/* How far apart witnesses may be across the normal. A direction that is off by e costs
 * e^2 of the gap, and moves the points it finds on round surfaces by e. */
static double across_tolerance(const convex *a, const convex *b, const perp_proximity *p)
{
    double tolerance = pairs_tolerance(a, b, p);

    return is_exact(p) ? tolerance : 4.0 * sqrt(tolerance * size_of(a, b));
}

/* And how far their distance along it may be off: each is a sum of three points. */
static double witness_tolerance(const convex *a, const convex *b, const perp_proximity *p)
{
    return (is_exact(p) ? 1.0 : 20.0) * pairs_tolerance(a, b, p);
}

perp_proximity pairs_measure(convex *a, convex *b, const perp_narrow_type *type)
{
    const perp_narrow_settings settings = {.dimension = a->dimension};
    perp_proximity p;
    perp_error err = {0};

    memset(&p, 0, sizeof p);
    if (perp_proximity_find(type, convex_at(a), convex_at(b), &settings, &p, &err) !=
        PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a pair is not taken");
    }
    return p;
}

/* Normal, witnesses and gap agree; the witnesses are on both surfaces, and planes across
 * the normal that support both are as far apart. */
static void check_proximity(const convex *a, const convex *b, const perp_proximity *p)
{
    double tolerance = pairs_tolerance(a, b, p);
    double d[3];

    at_most(p->tolerance, rough * size_of(a, b), "its own tolerance");
    CU_ASSERT_EQUAL(p->overlap, p->gap <= 0.0);
    at_most(fabs(vec3_length(p->normal) - 1.0), 1e-14, "the normal's length off 1");
    vec3_subtract(p->p_b, p->p_a, d);
    at_most(fabs(vec3_dot(d, p->normal) - p->gap), witness_tolerance(a, b, p),
            "n.(p_b - p_a) off the gap");
    vec3_add(d, -p->gap, p->normal, d);
    at_most(vec3_length(d), across_tolerance(a, b, p), "p_b - p_a across the normal");
    at_most(fabs(convex_outside(a, p->p_a)), across_tolerance(a, b, p),
            "p_a off the surface");
    at_most(fabs(convex_outside(b, p->p_b)), across_tolerance(a, b, p),
            "p_b off the surface");
    if (a->shape.type->unbounded || !b->shape.type->unbounded) {
        at_most(fabs(convex_apart(a, b, p->normal) - p->gap), tolerance,
                "the distance of supporting planes off the gap");
    }
}

/* Depths that are no least ones, of loose tolerance. */
static void check_portal(const convex *a, const convex *b, const perp_proximity *p,
                         const perp_proximity *usual)
{
    double tolerance = portal * size_of(a, b);
    convex fixed = *a;
    convex moved = *b;
    double x[3];

    at_most(fabs(vec3_length(p->normal) - 1.0), 1e-12, "the normal's length off 1");
    if (fabs(usual->gap) > tolerance) {
        CU_ASSERT_EQUAL(p->overlap, usual->overlap);
    }
    if (usual->gap < -tolerance) {
        at_most(p->gap, usual->gap + tolerance, "the gap of mpr");
        vec3_add(b->at.x, -p->gap, p->normal, x);
        convex_put(&moved, x, b->turn);
        at_most(fabs(pairs_measure(&fixed, &moved, NULL).gap), tolerance,
                "the gap after the move that mpr tells");
    }
}

/* A search that gave up tells a bound from below, not far off; what is apart by that
 * along any direction proves it. */
static void check_bound(const convex *a, const convex *b, const perp_proximity *p,
                        double gap)
{
    at_most(p->gap, fmax(gap, convex_apart(a, b, p->normal)) + iterated * size_of(a, b),
            "a bound of the gap");
    at_most(gap - p->gap, fmax(unresolved * size_of(a, b), p->tolerance),
            "how far a bound is off");
    CU_ASSERT(isfinite(p->normal[0] + p->p_a[0] + p->p_b[0]));
}

/* Each way to measure the pair finds the same gap, with a normal that supports it. */
static void check_types(convex *a, convex *b, const perp_proximity *usual)
{
    const perp_narrow_type *const *types = perp_narrow_types(NULL);

    for (size_t k = 0; types[k]; k++) {
        perp_proximity p;

        if (!types[k]->takes(a->shape.type, b->shape.type, a->dimension)) {
            continue;
        }
        p = pairs_measure(a, b, types[k]);
        if (p.converged && strcmp(types[k]->name, "mpr") == 0) {
            check_portal(a, b, &p, usual);
        } else if (!p.converged || p.tolerance > rough * size_of(a, b)) {
            check_bound(a, b, &p, usual->gap);
        } else {
            check_proximity(a, b, &p);
            at_most(fabs(p.gap - usual->gap),
                    pairs_tolerance(a, b, &p) + pairs_tolerance(a, b, usual),
                    types[k]->name);
        }
    }
}

static void check_contact(const convex *a, const convex *b, const perp_contact *c,
                          double margin, double tolerance)
{
    double p[3];

    CU_ASSERT(c->i == 0 && c->j == 1);
    at_most(c->gap, margin, "the gap of a contact");
    at_most(fabs(vec3_length(c->normal) - 1.0), 1e-14, "a normal's length off 1");
    witness(c, -0.5, p);
    at_most(convex_outside(a, p), tolerance, "a contact's p_a out of a");
    witness(c, 0.5, p);
    at_most(convex_outside(b, p), tolerance, "a contact's p_b out of b");
}

/* How far the deepest contact may be from the gap measured: below, and above. Faces of
 * boxes and hulls that look at each other are preferred to edges, and those apart touch
 * along an axis that bounds their distance from below. */
static void contact_slack(const convex *a, const convex *b, const perp_proximity *p,
                          double slack[2])
{
    double small = fmin(convex_reach(a), convex_reach(b));

    slack[0] = slack[1] = pairs_tolerance(a, b, p) +
                          rim * (a->shape.type->unbounded ? size_of(a, b) : small);
    if (a->shape.type->is_polytope && b->shape.type->is_polytope) {
        slack[0] += p->gap > 0.0 ? p->gap : face_advantage * size_of(a, b);
    }
}

void pairs_check_contacts(const convex *a, const convex *b, const perp_proximity *p,
                          const char *where)
{
    double margin = 0.1 * size_of(a, b);
    double out = across_tolerance(a, b, p);
    double slack[2];
    perp_world *world = test_world(a->dimension, 0.0);
    perp_contacts contacts = {0};

    at_work = where;
    first = a;
    second = b;
    contact_slack(a, b, p, slack);
    if (a->shape.type->is_polytope && b->shape.type->is_polytope) {
        out += fmax(p->gap, 0.0); /* points of the axis, not of the shapes */
    }
    convex_add(world, "a", 0.0, a);
    convex_add(world, "b", 1.0, b);
    collide(world, margin, &contacts);
    CU_ASSERT(contacts.count > 0 || p->gap > margin - slack[1]);
    CU_ASSERT(contacts.count == 0 || p->gap < margin + slack[0]);
    if (contacts.count > 0 && deepest(&contacts)->gap < p->gap - out) {
        out += face_advantage * size_of(a, b); /* of faces that were preferred */
    }
    for (size_t k = 0; k < contacts.count; k++) {
        check_contact(a, b, &contacts.at[k], margin, out);
    }
    if (contacts.count > 0) {
        at_most(deepest(&contacts)->gap - p->gap, slack[1],
                "the deepest contact above the gap");
        at_most(p->gap - deepest(&contacts)->gap, slack[0],
                "the deepest contact below the gap");
    }
    keys_are_distinct(&contacts);
    perp_contacts_clear(&contacts);
    perp_world_free(world);
}

static bool check_usual(convex *a, convex *b, const char *where, perp_proximity *p)
{
    double best = 0.0;
    double n[3];

    *p = pairs_measure(a, b, NULL);
    at_work = where;
    first = a;
    second = b;
    best = convex_gap(a, b, n);
    if (!p->converged) {
        check_bound(a, b, p, best);
        return false;
    }
    check_proximity(a, b, p);
    at_most(best - p->gap, pairs_tolerance(a, b, p), "how much better a direction is");
    searches++;
    misses += p->gap - best > searched * size_of(a, b);
    return true;
}

void pairs_check_usual(convex *a, convex *b, const char *where)
{
    perp_proximity p;

    if (check_usual(a, b, where, &p)) {
        pairs_check_contacts(a, b, &p, where);
    }
}

bool pairs_check_gap(convex *a, convex *b, const char *where)
{
    perp_proximity p;

    if (!check_usual(a, b, where, &p)) {
        return false;
    }
    check_types(a, b, &p);
    pairs_check_contacts(a, b, &p, where);
    return true;
}

/* Of (b, a) what (a, b) has, the other way round; at random poses there is one answer. */
static void check_swapped(convex *a, convex *b, const perp_proximity *p)
{
    perp_proximity q = pairs_measure(b, a, NULL);
    double tolerance = pairs_tolerance(a, b, p);
    double back[3];

    at_most(fabs(p->gap - q.gap), tolerance, "the gap of the other order off");
    vec3_scale(-1.0, q.normal, back);
    at_most(fabs(convex_apart(a, b, back) - p->gap), tolerance,
            "the other order's normal: supporting planes off the gap");
    if (is_exact(p)) {
        vec3_subtract(back, p->normal, back);
        at_most(vec3_length(back), turned, "the other order's normal off");
        vec3_subtract(q.p_a, p->p_b, back);
        at_most(vec3_length(back), turned * size_of(a, b), "its p_a off p_b");
        vec3_subtract(q.p_b, p->p_a, back);
        at_most(vec3_length(back), turned * size_of(a, b), "its p_b off p_a");
    }
}

/* Both carried by one motion. */
static void check_moved(const convex *a, const convex *b, const perp_proximity *p,
                        perp_random *g)
{
    convex moved[2] = {*a, *b};
    perp_proximity q;
    double turn[4];
    double n[3];

    convex_carry(&moved[0], &moved[1], size_of(a, b), g, turn);
    q = pairs_measure(&moved[0], &moved[1], NULL);
    at_most(fabs(q.gap - p->gap), 2.0 * pairs_tolerance(a, b, p),
            "the gap of moved solids off");
    perp_quat_rotate(turn, p->normal, n);
    at_most(fabs(convex_apart(&moved[0], &moved[1], n) - q.gap),
            2.0 * pairs_tolerance(a, b, p), "the moved normal: planes off the gap");
}

/* d gap/d x_b = n, by differences of step h: n turns by at most 1/gap a metre, and jumps
 * in that where other features come nearest, so that h/gap and tolerance/h remain. */
static void check_differences(const convex *a, const convex *b, const perp_proximity *p)
{
    double size = size_of(a, b);
    double h = 1e-5 * size;
    double error = p->tolerance + rounding * size;

    if (p->gap < 0.05 * size) {
        return;
    }
    for (unsigned k = 0; k < a->dimension; k++) {
        convex one = *a;
        convex two = *b;
        double ahead = 0.0;
        double rate = 0.0;

        two.at.x[k] = b->at.x[k] + h;
        ahead = pairs_measure(&one, &two, NULL).gap;
        two.at.x[k] = b->at.x[k] - h;
        rate = (ahead - pairs_measure(&one, &two, NULL).gap) / (2.0 * h);
        at_most(fabs(rate - p->normal[k]), h / p->gap + 2.0 * error / h,
                "differences of the gap off the normal");
    }
}

void pairs_check(convex *a, convex *b, const char *where, perp_random *g)
{
    perp_proximity p;

    if (!pairs_check_gap(a, b, where)) {
        given_up++;
        return;
    }
    p = pairs_measure(a, b, NULL);
    check_swapped(a, b, &p);
    check_moved(a, b, &p, g);
    check_differences(a, b, &p);
}

void pairs_kind(const char *one, const char *two, unsigned dimension, int draws,
                uint64_t seed)
{
    pairs_sized(one, 1.0, two, 1.0, dimension, draws, seed);
}

void pairs_each(unsigned dimension, void (*visit)(const char *one, const char *two))
{
    const char *const *kinds = dimension == 2 ? convex_flat_kinds : convex_kinds;

    for (int k = 0; kinds[k]; k++) {
        visit("plane", kinds[k]);
        for (int l = k; kinds[l]; l++) {
            visit(kinds[k], kinds[l]);
        }
    }
}

void pairs_sized(const char *one, double size_one, const char *two, double size_two,
                 unsigned dimension, int draws, uint64_t seed)
{
    enum { SAME_SOLIDS = 16 };
    perp_random g = {seed};
    char where[64];

    searches = misses = given_up = 0;
    for (int draw = 0; draw < draws; draw += SAME_SOLIDS) {
        convex a;
        convex b;

        convex_draw(&a, one, dimension, size_one, &g);
        convex_draw(&b, two, dimension, size_two, &g);
        for (int k = 0; k < SAME_SOLIDS && draw + k < draws; k++) {
            snprintf(where, sizeof where, "%s and %s, draw %d of seed %d", one, two,
                     draw + k, (int)seed);
            convex_scatter(&a, 0.2 * fmin(size_one, size_two), &g);
            convex_scatter(&b, 0.7 * (convex_reach(&a) + convex_reach(&b)), &g);
            pairs_check(&a, &b, where, &g);
        }
        convex_free(&a);
        convex_free(&b);
    }
    CU_ASSERT(misses <= 1 + searches / 25); /* the search is one to be asked */
    if (given_up > 1 + draws / 1000) {
        test_note("%s and %s: %d of %d draws were given up", one, two, (int)given_up,
                  draws);
    }
    CU_ASSERT(given_up <= 1 + draws / 1000);
}
