/* SPDX-License-Identifier: Apache-2.0
 * collision/manifold.c: all contacts of two convex shapes whose nearest or deepest points,
 * and with them the normal n from a to b, are known.
 *
 * The part of each core that looks at the other along n, a point, a segment or a polygon,
 * is seen along n: positions x across, heights h along n. What both parts have in common
 * there is a polygon, an interval or a point; each corner x of it is a contact of
 *
 *     gap = (h_b(x) - r_b) - (h_a(x) + r_a),   r the radii of the balls about the cores,
 *
 * halfway between both surfaces. Since n belongs to the nearest points, no gap is less
 * than theirs. They are a contact of their own where none of these lies as deep, as where
 * one part is a point or segments cross.
 *
 * Parts that lean by more than 8 degrees from where they would face n count as their edge
 * or corner. Features are corners, pairs of edges, or the parts themselves, by the names
 * the shapes give. In the plane all parts are points and segments. */
#include <config.h>

#include "collision/query.h"
#include "collision/shapes.h"

/* Positions that rounding may exchange, in shares of the smaller and of the larger
 * reach. */
static const double same_place = 1e-9;
static const double rounding = 1e-13;
/* The sine and the cosine of 8 degrees: gaps along one normal are then right to the
 * square of the angle, whichever features touch. */
static const double leaning = 0.14;
static const double facing = 0.99;
/* Segments of a smaller sine lie side by side: the ends of their overlap are then 1e-4 of
 * their length off the line between both, and the gaps right to the square of that. */
const double query_side_by_side = 1e-4;
/* Corners stand for the rim of a round face: where it leans by up to 1e-4 they may lie
 * 3e-5 radii above the lowest point. */
static const double rim = 3e-5;

enum feature_kind { CORNER_OF_A = 1, CORNER_OF_B, EDGES, NEAREST };
/* Corners of both and as many crossings: a convex outline crosses a side twice. */
enum { POINTS = 4 * PERP_FACE_CORNERS };

/* What of a core looks at the other. */
typedef struct patch {
    size_t count;
    double at[2 * PERP_FACE_CORNERS]; /* counter-clockwise */
    double height[PERP_FACE_CORNERS];
    uint32_t id[PERP_FACE_CORNERS];
    double slope[2]; /* of a polygon: of its height */
    double radius;
    bool is_polytope;
} patch;

typedef struct manifold {
    contact_query *query;
    const perp_proximity *nearest;
    double n[3], t[3], s[3]; /* a right-handed frame, (s, t, n) */
    double origin[3];
    double place;
    patch a, b;
    size_t told;
    double told_at[2 * POINTS];
    double least; /* gap of those told */
} manifold;

static double cross2(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static void subtract2(const double a[2], const double b[2], double out[2])
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
}

/* Keep corners i and j of a patch: a segment, or a point when they are the same. */
static void keep_corners(patch *f, size_t i, size_t j)
{
    const size_t kept[2] = {i, j};
    double at[4];
    double height[2];
    uint32_t id[2];

    for (size_t k = 0; k < 2; k++) {
        memcpy(at + 2 * k, f->at + 2 * kept[k], 2 * sizeof *at);
        height[k] = f->height[kept[k]];
        id[k] = f->id[kept[k]];
    }
    f->count = i == j ? 1 : 2;
    memcpy(f->at, at, sizeof at);
    memcpy(f->height, height, sizeof height);
    memcpy(f->id, id, sizeof id);
}

/* The rise of a patch from corner i to corner j, as a share of their distance; INFINITY
 * when they coincide. */
static double rise(const patch *f, size_t i, size_t j)
{
    double across[2];
    double up = fabs(f->height[j] - f->height[i]);
    double length = 0.0;

    subtract2(f->at + 2 * j, f->at + 2 * i, across);
    length = hypot(hypot(across[0], across[1]), up);
    return length > 0.0 ? up / length : INFINITY;
}

/* The edge, else the corner, of a leaning patch that is nearest to the other shape, if
 * the deepest point, at height `top`, is there: the face of a hull that looks most along
 * n need not have it. `sign` is 1 of a, which b is above of, and -1 of b. */
static void keep_nearest(patch *f, double sign, double top, double place)
{
    size_t best = 0;
    size_t next = 0;
    size_t last = 0;

    for (size_t k = 1; k < f->count; k++) {
        if (sign * f->height[k] > sign * f->height[best]) {
            best = k;
        }
    }
    next = (best + 1) % f->count;
    last = (best + f->count - 1) % f->count;
    if (rise(f, best, last) < rise(f, best, next)) {
        next = last;
    }
    if (f->is_polytope && f->count > 2 && rise(f, best, next) <= leaning &&
        sign * f->height[best] >= sign * top - place) {
        keep_corners(f, best, next);
    } else {
        keep_corners(f, best, best);
    }
}

/* In the plane: the ends of what is seen there. */
static void keep_ends(patch *f)
{
    size_t low = 0;
    size_t high = 0;

    for (size_t k = 1; k < f->count; k++) {
        low = f->at[2 * k] < f->at[2 * low] ? k : low;
        high = f->at[2 * k] > f->at[2 * high] ? k : high;
    }
    keep_corners(f, low, high);
}

/* The patch of a shape; b's, which looks the other way, is turned round. */
static void look(const manifold *m, const placed *s, double sign, patch *f)
{
    const perp_shape *shape = s->at.shape;
    bool flat = m->query->dimension == 2;
    double normal[3];
    double d[3];
    double along = 0.0;
    perp_face face;

    vec3_scale(sign, m->n, d);
    mat3_apply_transposed(s->at.R, d, d);
    shape_face(shape, d, &face);
    f->count = face.count;
    f->radius = shape->type->radius ? shape->type->radius(shape) : 0.0;
    f->is_polytope = shape->type->is_polytope;
    for (size_t k = 0; k < face.count; k++) {
        double *p = face.corner + 3 * (sign > 0.0 ? k : face.count - 1 - k);

        p[2] = flat ? 0.0 : p[2];
        mat3_apply(s->at.R, p, p);
        vec3_add(p, 1.0, s->at.x, p);
        vec3_subtract(p, m->origin, p);
        f->at[2 * k] = vec3_dot(m->s, p);
        f->at[2 * k + 1] = vec3_dot(m->t, p);
        f->height[k] = vec3_dot(m->n, p);
        f->id[k] = face.id[sign > 0.0 ? k : face.count - 1 - k];
    }
    if (flat) {
        keep_ends(f);
    }
    if (f->count > 2) {
        mat3_apply(s->at.R, face.normal, normal);
        along = vec3_dot(m->n, normal);
        f->slope[0] = -vec3_dot(m->s, normal) / along;
        f->slope[1] = -vec3_dot(m->t, normal) / along;
    }
    if (f->count > 2 ? sign * along < facing : f->count == 2 && rise(f, 0, 1) > leaning) {
        keep_nearest(f, sign, sign > 0.0 ? -f->radius : m->nearest->gap + f->radius,
                     m->place + m->nearest->tolerance);
    }
}

static double height_at(const patch *f, const double x[2])
{
    double from[2];
    double side[2];
    double share = 0.0;

    subtract2(x, f->at, from);
    if (f->count > 2) {
        return f->height[0] + dot2(f->slope, from);
    }
    if (f->count == 2) {
        subtract2(f->at + 2, f->at, side);
        share = fmax(0.0, fmin(1.0, dot2(from, side) / dot2(side, side)));
        return f->height[0] + share * (f->height[1] - f->height[0]);
    }
    return f->height[0];
}

/* A contact at x, unless there is one. */
static void tell(manifold *m, const double x[2], uint64_t feature)
{
    double low = height_at(&m->a, x) + m->a.radius;
    double high = height_at(&m->b, x) - m->b.radius;
    double point[3];

    for (size_t k = 0; k < m->told; k++) {
        double d[2];

        subtract2(m->told_at + 2 * k, x, d);
        if (dot2(d, d) <= m->place * m->place) {
            return;
        }
    }
    if (m->told == POINTS) {
        return;
    }
    memcpy(m->told_at + 2 * m->told++, x, 2 * sizeof *x);
    m->least = fmin(m->least, high - low);
    vec3_add(m->origin, x[0], m->s, point);
    vec3_add(point, x[1], m->t, point);
    vec3_add(point, 0.5 * (low + high), m->n, point);
    query_add(m->query, point, m->n, high - low, feature);
}

static uint64_t edge_of(const patch *f, size_t k)
{
    uint32_t c = f->id[k];
    uint32_t d = f->id[(k + 1) % f->count];

    return (uint64_t)(c < d ? c : d) << 32 | (c < d ? d : c);
}

static uint64_t feature_corner(const manifold *m, const patch *f, size_t k)
{
    return query_feature(f == &m->a ? CORNER_OF_A : CORNER_OF_B, f->id[k], 0);
}

/* Side k of f, one of a and b, and side l of g, the other. */
static uint64_t feature_edges(const manifold *m, const patch *f, size_t k, const patch *g,
                              size_t l)
{
    bool in_order = f == &m->a;

    return query_feature(EDGES, in_order ? edge_of(f, k) : edge_of(g, l),
                         in_order ? edge_of(g, l) : edge_of(f, k));
}

/* How far x is to the left of side k, inside a polygon: negative outside. */
static double inside(const patch *f, size_t k, const double x[2])
{
    const double *from = f->at + 2 * k;
    double side[2];
    double d[2];
    double length = 0.0;

    subtract2(f->at + 2 * ((k + 1) % f->count), from, side);
    subtract2(x, from, d);
    length = hypot(side[0], side[1]);
    return length > 0.0 ? cross2(side, d) / length : 0.0;
}

static void tell_corners(manifold *m, const patch *f, const patch *g)
{
    for (size_t k = 0; k < f->count; k++) {
        bool within = true;

        for (size_t l = 0; l < g->count && within; l++) {
            within = inside(g, l, f->at + 2 * k) >= -m->place;
        }
        if (within) {
            tell(m, f->at + 2 * k, feature_corner(m, f, k));
        }
    }
}

/* Where side k of a and side l of b cross, ends excepted: those are corners. */
static void tell_crossing(manifold *m, size_t k, size_t l)
{
    const double *from = m->b.at + 2 * l;
    const double *to = m->b.at + 2 * ((l + 1) % m->b.count);
    double before = inside(&m->a, k, from);
    double after = inside(&m->a, k, to);
    double left = inside(&m->b, l, m->a.at + 2 * k);
    double right = inside(&m->b, l, m->a.at + 2 * ((k + 1) % m->a.count));
    double share = before / (before - after);
    double x[2];

    if (fmin(fabs(before), fabs(after)) <= m->place ||
        fmin(fabs(left), fabs(right)) <= m->place || before * after > 0.0 ||
        left * right > 0.0) {
        return;
    }
    x[0] = from[0] + share * (to[0] - from[0]);
    x[1] = from[1] + share * (to[1] - from[1]);
    tell(m, x, feature_edges(m, &m->a, k, &m->b, l));
}

static void polygon_polygon(manifold *m)
{
    tell_corners(m, &m->a, &m->b);
    tell_corners(m, &m->b, &m->a);
    for (size_t k = 0; k < m->a.count; k++) {
        for (size_t l = 0; l < m->b.count; l++) {
            tell_crossing(m, k, l);
        }
    }
}

/* The two ends of what of a segment f is inside the polygon g. */
static void segment_polygon(manifold *m, const patch *f, const patch *g)
{
    double share[2] = {0.0, 1.0};
    size_t side[2] = {g->count, g->count};

    for (size_t k = 0; k < g->count; k++) {
        double from = inside(g, k, f->at);
        double to = inside(g, k, f->at + 2);
        double cut = from / (from - to);

        if (from < -m->place && to < -m->place) {
            return;
        }
        if (from < -m->place && cut > share[0]) {
            share[0] = cut;
            side[0] = k;
        }
        if (to < -m->place && cut < share[1]) {
            share[1] = cut;
            side[1] = k;
        }
    }
    for (size_t end = 0; end < 2 && share[0] <= share[1]; end++) {
        const double x[2] = {f->at[0] + share[end] * (f->at[2] - f->at[0]),
                             f->at[1] + share[end] * (f->at[3] - f->at[1])};

        tell(m, x,
             side[end] < g->count ? feature_edges(m, f, 0, g, side[end])
                                  : feature_corner(m, f, end));
    }
}

/* The ends of f that lie beside g, halfway between both. */
static void tell_ends(manifold *m, const patch *f, const patch *g)
{
    double along[2];
    double length = 0.0;

    subtract2(g->at + 2, g->at, along);
    length = hypot(along[0], along[1]);
    for (size_t end = 0; end < 2; end++) {
        double d[2];
        double s = 0.0;

        subtract2(f->at + 2 * end, g->at, d);
        s = dot2(d, along) / length;
        if (s >= -m->place && s <= length + m->place) {
            const double off = 0.5 * cross2(along, d) / length;
            const double x[2] = {f->at[2 * end] + off * along[1] / length,
                                 f->at[2 * end + 1] - off * along[0] / length};

            tell(m, x, feature_corner(m, f, end));
        }
    }
}

static void segment_segment(manifold *m)
{
    double d[2];
    double e[2];

    subtract2(m->a.at + 2, m->a.at, d);
    subtract2(m->b.at + 2, m->b.at, e);
    if (fabs(cross2(d, e)) <= query_side_by_side * sqrt(dot2(d, d) * dot2(e, e))) {
        tell_ends(m, &m->a, &m->b);
        tell_ends(m, &m->b, &m->a);
    }
}

/* One number for all corners; of round shapes, which roll over them, none. */
static uint64_t name_of(const patch *f)
{
    uint64_t name = 0;

    for (size_t k = 0; k < f->count && f->is_polytope; k++) {
        name = query_feature(NEAREST, name, f->id[k]);
    }
    return name;
}

static void tell_nearest(manifold *m)
{
    const perp_proximity *p = m->nearest;
    double point[3];

    vec3_add(p->p_a, 1.0, p->p_b, point);
    vec3_scale(0.5, point, point);
    query_add(m->query, point, m->n, p->gap,
              query_feature(NEAREST, name_of(&m->a), name_of(&m->b)));
}

/* s and t across n; in the plane t is the axis out of it. */
static void draw_frame(manifold *m)
{
    if (m->query->dimension == 2) {
        vec3_set(m->s, m->n[1], -m->n[0], 0.0);
        vec3_set(m->t, 0.0, 0.0, 0.0);
    } else {
        vec3_tangents(m->n, m->s, m->t);
    }
}

static void tell_common(manifold *m)
{
    if (m->a.count > 2 && m->b.count > 2) {
        polygon_polygon(m);
    } else if (m->a.count > 2) {
        segment_polygon(m, &m->b, &m->a);
    } else if (m->b.count > 2) {
        segment_polygon(m, &m->a, &m->b);
    } else {
        segment_segment(m);
    }
}

/* How much the deepest contact may lie above the deepest points and stand for them. */
static double slack_of(const manifold *m)
{
    double slack = m->place + m->nearest->tolerance;

    if ((m->a.count > 2 && !m->a.is_polytope) || (m->b.count > 2 && !m->b.is_polytope)) {
        slack += rim * fmin(m->query->a->reach, m->query->b->reach);
    }
    return slack;
}

void query_manifold(contact_query *m, const perp_proximity *p)
{
    double small = fmin(m->a->reach, m->b->reach);
    double large = fmax(m->a->reach, m->b->reach);
    manifold here;

    if (!(p->gap <= m->margin)) {
        return;
    }
    here.query = m;
    here.nearest = p;
    here.told = 0;
    here.least = INFINITY;
    here.place = fmax(same_place * small, rounding * large);
    vec3_copy(here.n, p->normal);
    vec3_copy(here.origin, p->p_a);
    draw_frame(&here);
    look(&here, m->a, 1.0, &here.a);
    look(&here, m->b, -1.0, &here.b);
    if (!p->converged || here.a.count == 1 || here.b.count == 1) {
        tell_nearest(&here);
        return;
    }
    tell_common(&here);
    if (here.least > p->gap + slack_of(&here)) {
        tell_nearest(&here);
    }
}
