/* SPDX-License-Identifier: Apache-2.0
 * collision/flush.c: contacts at internal edges, where shapes that move as one lie side
 * by side: shapes of a body, parts of a compound, shapes of static bodies.
 *
 * Their union has the normal n at its point p just when each of them that has p has this
 * normal there,
 *
 *     h(n) <= n.p,   h(n) = max over its points x of n.x,
 *
 * or, for a face or edge with the normal n and the point p, when this holds at a point
 * beside p: the side of a wall on a floor has its normal down to the floor. Other
 * contacts are at an edge or a face that a neighbour covers. Without overlap they are
 * dropped, since the other shape is nearer to the neighbour, which has the contact. With
 * overlap the contacts of the pair are computed again along the normal of a face of the
 * shape that the union has, the least deep first.
 *
 * A neighbour that has the point of a contact is near the other shape of this contact, so
 * that the pairs of the broad phase contain all of them. */
#include <config.h>

#include "collision/collider.h"
#include "collision/solid.h"
#include "shapes/shapes.h"

/* In shares of their reach: shapes closer than this are side by side, and no higher than
 * others. */
static const double same_place = 1e-6;
/* In shares of the shape's reach: what is beside a point. */
static const double beside = 0.01;
/* In shares of the shape's reach: as far along a normal as any point, beyond what the
 * corners of a round end miss. */
static const double leaning = 1e-4;
/* Sine by which two shapes side by side may lean over a face that they rest on. */
static const double face_lean = 2e-3;

/* A part, and those beside it that move as one with it and come near what it meets. */
typedef struct flush_side {
    const collide_search *s;
    const placed *own;
    size_t part, met;
    double sign; /* 1: normals of contacts point out of the part, or -1 */
} flush_side;

/* The neighbour at place k of the list, or NULL. */
static const placed *flush_neighbour(const flush_side *side, size_t k)
{
    const perp_collider *c = side->s->c;
    const perp_world *w = side->s->world;
    const size_t n = c->peers.peer[k];
    const placed *at = &c->parts.at[n];
    const perp_shape_type *type = at->at.shape->type;
    bool as_one =
        at->body == side->own->body ||
        (world_stays(w, (size_t)at->body) && world_stays(w, (size_t)side->own->body));

    return n != side->part && as_one && (type->support || type->unbounded) &&
                   collide_may_meet(&c->joints, w, at->number,
                                    c->parts.at[side->met].number)
               ? at
               : NULL;
}

static bool flush_has_neighbours(const flush_side *side)
{
    const collide_peers *p = &side->s->c->peers;

    for (size_t k = p->start[side->met]; k < p->start[side->met + 1]; k++) {
        if (flush_neighbour(side, k)) {
            return true;
        }
    }
    return false;
}

/* p := the point of a convex shape that is farthest against n. */
static void flush_lowest(const placed *s, const double n[3], double p[3])
{
    const perp_shape_type *type = s->at.shape->type;
    double d[3];

    vec3_scale(-1.0, n, d);
    mat3_apply_transposed(s->at.R, d, d);
    type->support(s->at.shape, d, p);
    mat3_apply(s->at.R, p, p);
    vec3_add(p, 1.0, s->at.x, p);
    vec3_add(p, type->radius ? -type->radius(s->at.shape) : 0.0, n, p);
}

/* How far the shape reaches along n beyond x; a plane reaches up to it, or without end.
 * */
static double flush_beyond(const placed *s, unsigned dimension, const double n[3],
                           const double x[3])
{
    const perp_shape_type *type = s->at.shape->type;
    const unsigned up = dimension == 2 ? 1 : 2;
    double d[3];
    double p[3];

    if (type->unbounded) {
        vec3_set(d, s->at.R[up], s->at.R[3 + up], s->at.R[6 + up]);
        vec3_subtract(s->at.x, x, p);
        return vec3_dot(d, n) >= 1.0 - same_place * same_place ? vec3_dot(d, p)
                                                               : INFINITY;
    }
    vec3_scale(-1.0, n, d);
    flush_lowest(s, d, p);
    vec3_subtract(p, x, p);
    return vec3_dot(n, p);
}

/* Whether x is in the shape, or closer to it than `place`. */
static bool flush_has(const placed *s, unsigned dimension, const double x[3],
                      double place)
{
    const perp_shape point = {.type = &shape_sphere, .size = {place}};
    const perp_narrow_settings settings = {.dimension = dimension, .beyond = place};
    const unsigned up = dimension == 2 ? 1 : 2;
    perp_placed at = {.shape = &point,
                      .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    perp_proximity p;

    vec3_copy(at.x, x);
    if (s->at.shape->type->unbounded) {
        vec3_subtract(x, s->at.x, at.x);
        return at.x[0] * s->at.R[up] + at.x[1] * s->at.R[3 + up] +
                   at.x[2] * s->at.R[6 + up] <=
               place;
    }
    perp_gjk(&s->at, &at, NULL, &settings, &p);
    return p.gap <= 0.0;
}

/* Whether each neighbour that has x has the normal n there, but for a sine of `slack`;
 * *shared: one has x. */
static bool flush_allows(const flush_side *side, const double x[3], const double n[3],
                         double slack, bool *shared)
{
    const collide_peers *p = &side->s->c->peers;
    const unsigned dimension = side->s->world->dimension;

    for (size_t k = p->start[side->met]; k < p->start[side->met + 1]; k++) {
        const placed *peer = flush_neighbour(side, k);
        double place = 0.0;
        double beyond = 0.0;
        double reach = 0.0;

        if (!peer) {
            continue;
        }
        reach = isfinite(peer->reach) ? peer->reach : 0.0;
        place = same_place * (side->own->reach + reach);
        beyond = flush_beyond(peer, dimension, n, x) - slack * reach;
        if ((beyond > place || (shared && !*shared)) &&
            flush_has(peer, dimension, x, place)) {
            if (beyond > place) {
                return false;
            }
            *shared = true;
        }
    }
    return true;
}

/* The corners of the shape that are farthest along n: of a face, an edge, or one alone.
 * */
static void flush_feature(const placed *s, const double n[3], perp_face *face)
{
    double d[3];
    double most = -INFINITY;
    size_t kept = 0;

    mat3_apply_transposed(s->at.R, n, d);
    shape_face(s->at.shape, d, face);
    for (size_t k = 0; k < face->count; k++) {
        most = fmax(most, vec3_dot(d, face->corner + 3 * k));
    }
    for (size_t k = 0; k < face->count; k++) {
        if (vec3_dot(d, face->corner + 3 * k) >= most - same_place * s->reach) {
            mat3_apply(s->at.R, face->corner + 3 * k, face->corner + 3 * kept);
            vec3_add(face->corner + 3 * kept, 1.0, s->at.x, face->corner + 3 * kept);
            kept++;
        }
    }
    face->count = kept;
}

/* y := the point nearest to x of side k of a face, or end k of an edge. */
static void flush_towards(const perp_face *f, size_t k, const double x[3], double y[3])
{
    const double *from = f->corner + 3 * k;
    const double *to = f->corner + 3 * ((k + 1) % f->count);
    double way[3];
    double along[3];

    vec3_copy(y, from);
    if (f->count > 2) {
        vec3_subtract(to, from, along);
        vec3_normalize(along);
        vec3_subtract(x, from, way);
        vec3_add(from, vec3_dot(way, along), along, y);
    }
}

/* y := beside x, towards side k of a face or end k of an edge: in the shape, since x is.
 * */
static void flush_beside(const flush_side *side, const perp_face *f, size_t k,
                         const double x[3], double y[3])
{
    double way[3];
    double length = 0.0;

    flush_towards(f, k, x, y);
    vec3_subtract(y, x, way);
    length = vec3_normalize(way);
    vec3_add(x, fmin(length, beside * side->own->reach), way, y);
}

/* Whether the union has the normal n, out of the shape, at its point x or beside it. */
static bool flush_is_normal(const flush_side *side, const double x[3], const double n[3],
                            double slack)
{
    double y[3];
    perp_face f;

    if (flush_allows(side, x, n, slack, NULL)) {
        return true;
    }
    flush_feature(side->own, n, &f);
    for (size_t k = 0; k < f.count && f.count > 1; k++) {
        flush_beside(side, &f, k, x, y);
        if (flush_allows(side, y, n, slack, NULL)) {
            return true;
        }
    }
    return false;
}

/* n, x := the normal of a contact out of the shape, and its point there. */
static void flush_point(const flush_side *side, const perp_contact *c, double n[3],
                        double x[3])
{
    vec3_scale(side->sign, c->normal, n);
    vec3_add(c->point, -0.5 * c->gap, n, x);
}

static bool flush_same_normal(const perp_contact *a, const perp_contact *b)
{
    return memcmp(a->normal, b->normal, sizeof a->normal) == 0;
}

/* Whether n is the normal of a face of the shape. */
static bool flush_has_face(const placed *s, unsigned dimension, const double n[3])
{
    perp_face f;

    if (!s->at.shape->type->support) {
        return s->at.shape->type->unbounded;
    }
    flush_feature(s, n, &f);
    return f.count >= dimension;
}

/* x := the nearest point where the shape has the normal n, if that is an edge or a
 * corner: rounding, a round end, or a face that leans may put contacts beside it. */
static void flush_move(const flush_side *side, const double n[3], double x[3])
{
    double along[3];
    double from[3];
    double share = 0.0;
    perp_face f;

    flush_feature(side->own, n, &f);
    if (f.count == 2) {
        vec3_subtract(f.corner + 3, f.corner, along);
        vec3_subtract(x, f.corner, from);
        share = fmin(fmax(vec3_dot(from, along) / vec3_dot(along, along), 0.0), 1.0);
        vec3_add(f.corner, share, along, x);
    } else if (f.count == 1) {
        vec3_copy(x, f.corner);
    }
}

/* Mark, by a gap of NAN, which of the contacts from `first` to `last`, of one normal, are
 * none of the union. Those where the shape reaches farthest along the normal tell whether
 * it is one, and the others follow. */
static void flush_mark(const flush_side *side, const placed *other, perp_contact *at,
                       size_t first, size_t last)
{
    const unsigned dimension = side->s->world->dimension;
    const double noise = leaning * side->own->reach;
    double least = INFINITY;
    double slack = same_place;
    bool kept = false;
    double n[3];
    double x[3];
    double back[3];

    vec3_scale(-side->sign, at[first].normal, back);
    slack = flush_has_face(other, dimension, back) ? face_lean : same_place;
    for (size_t k = first; k < last; k++) {
        flush_point(side, &at[k], n, x);
        least = fmin(least, flush_beyond(side->own, dimension, n, x));
    }
    for (size_t k = first; k < last; k++) {
        flush_point(side, &at[k], n, x);
        if (flush_beyond(side->own, dimension, n, x) > least + noise) {
            continue;
        }
        flush_move(side, n, x);
        if (flush_is_normal(side, x, n, slack)) {
            kept = true;
        } else {
            at[k].gap = NAN;
        }
    }
    for (size_t k = first; k < last && !kept; k++) {
        at[k].gap = NAN;
    }
}

/* Of the contacts of the pair those of the union stay; whether there were others only. */
static bool flush_sift(const flush_side *side, const placed *other, contact_query *m)
{
    perp_contacts *list = m->contacts;
    const size_t found = list->count;
    size_t kept = m->first;

    for (size_t k = m->first, end = k; k < found; k = end) {
        while (end < found && flush_same_normal(&list->at[k], &list->at[end])) {
            end++;
        }
        flush_mark(side, other, list->at, k, end);
    }
    for (size_t k = m->first; k < found; k++) {
        if (!isnan(list->at[k].gap)) {
            list->at[kept++] = list->at[k];
        }
    }
    list->count = kept;
    return kept == m->first && found > kept;
}

/* The face from which `met` is farthest, of those nearer to it than *gap, or as near with
 * a higher number; in front of it is the origin of `met`. False: there is none. */
static bool flush_next_face(const solid *own, const placed *met, unsigned dimension,
                            size_t *face, double *gap)
{
    static const double origin[3] = {0};
    double best = -INFINITY;
    size_t found = own->faces;

    for (size_t f = 0; f < own->faces; f++) {
        const double *n = own->normal + 3 * f;
        const double down[3] = {-n[0], -n[1], -n[2]};
        double apart = -flush_beyond(met, dimension, down, origin) - own->height[f];

        if ((apart < *gap || (apart == *gap && f > *face)) && apart > best &&
            vec3_dot(n, met->at.x) > own->height[f]) {
            best = apart;
            found = f;
        }
    }
    *face = found;
    *gap = best;
    return found < own->faces;
}

/* Of contacts made again along a normal of a face those over the shape stay; false: the
 * union has not this normal where they are as deep as `gap`. If it is a neighbour that
 * has it there, no more stay than are nearly as deep. */
static bool flush_settle(const flush_side *side, const placed *met, double gap,
                         contact_query *m)
{
    const double reach = side->own->reach;
    perp_contacts *list = m->contacts;
    size_t kept = m->first;
    bool over = false;
    bool beside_it = false;

    (void)flush_sift(side, met, m);
    for (size_t k = m->first; k < list->count; k++) {
        const perp_contact c = list->at[k];
        const bool deep = c.gap <= gap + leaning * reach;
        double n[3];
        double x[3];

        flush_point(side, &c, n, x);
        if (flush_has(side->own, m->dimension, x, same_place * reach)) {
            over = over || deep;
            list->at[kept++] = c;
        } else if (deep) {
            (void)flush_allows(side, x, n, same_place, &beside_it);
        }
    }
    list->count = kept;
    for (size_t k = kept = m->first; k < list->count && !over; k++) {
        if (list->at[k].gap <= gap + face_lean * reach) {
            list->at[kept++] = list->at[k];
        }
    }
    list->count = over ? list->count : kept;
    return over || beside_it;
}

/* Make the contacts of the pair again along a normal of the shape's faces; false: none
 * will do. */
static bool flush_turn(const flush_side *side, const flush_side *other, contact_query *m)
{
    const placed *met = other->own;
    double *numbers =
        query_scratch(m, solid_numbers(side->own->at.shape) * sizeof *numbers);
    double gap = INFINITY;
    size_t face = 0;
    solid own;

    if (!numbers) {
        return false;
    }
    solid_place(&own, side->own->at.shape, m->dimension, side->own->at.R, side->own->at.x,
                numbers);
    while (flush_next_face(&own, met, m->dimension, &face, &gap)) {
        const double *n = own.normal + 3 * face;
        perp_proximity p = {.gap = gap, .converged = true};
        double *own_point = side->sign > 0.0 ? p.p_a : p.p_b;
        double *met_point = side->sign > 0.0 ? p.p_b : p.p_a;

        vec3_scale(side->sign, n, p.normal);
        flush_lowest(met, n, met_point);
        vec3_add(met_point, -gap, n, own_point);
        query_manifold(m, &p);
        if (flush_settle(side, met, gap, m)) {
            (void)flush_sift(other, side->own, m);
            return true;
        }
        m->contacts->count = m->first;
    }
    return false;
}

static bool flush_overlaps(const contact_query *m)
{
    for (size_t k = m->first; k < m->contacts->count; k++) {
        if (m->contacts->at[k].gap <= 0.0) {
            return true;
        }
    }
    return false;
}

void collide_flush(const collide_search *s, contact_query *m, size_t i, size_t j,
                   pair_call *meet)
{
    const placed *a = &s->c->parts.at[i];
    const placed *b = &s->c->parts.at[j];
    const flush_side sides[2] = {{s, a, i, j, 1.0}, {s, b, j, i, -1.0}};
    const bool overlap = flush_overlaps(m);

    for (int k = 0; k < 2 && s->c->peers.any && !m->unresolved; k++) {
        const flush_side *side = &sides[k];
        const flush_side *other = &sides[1 - k];

        if (m->contacts->count == m->first || !side->own->at.shape->type->support ||
            !flush_has_neighbours(side) || !flush_sift(side, other->own, m)) {
            continue;
        }
        query_begin(m, a, b);
        if (solid_is(side->own->at.shape->type) && other->own->at.shape->type->support &&
            flush_turn(side, other, m)) {
            return;
        }
        m->contacts->count = m->first;
        query_begin(m, a, b);
        if (overlap) {
            meet(m);
        }
        return;
    }
}
