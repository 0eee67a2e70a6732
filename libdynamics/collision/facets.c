/* SPDX-License-Identifier: Apache-2.0
 * collision/facets.c: contacts of boxes and hulls with each other, in space and in the
 * plane: corners against faces, where outlines of faces cross, and one edge against one
 * edge. Two boxes in space have boxes.c, which tells the same.
 *
 * Along a unit axis n the two are apart by s(n) = min_b n.p - max_a n.p. The normals of
 * all faces and the crossed edges are searched for the largest s (axes.c); if that is
 * beyond the margin there is no contact. The face of the largest s is the reference face;
 * of the faces at the corner of the other shape that is deepest below it, the one that
 * looks most against it is the incident one. Seen along n, contacts are the corners of
 * either face within the other and the proper crossings of their outlines; the gap of
 * each is measured along n between the two faces' planes there, and the contact lies
 * halfway. They are what the corners of the polygon common to both faces are.
 *
 * A feature is a corner, or two edges: it does not change with the choice of the faces.
 * In the plane faces are sides of two corners, seen along n as intervals, and nothing
 * crosses. What these say of shapes apart holds when it is the bound that the axis gives;
 * otherwise their closest features are searched (closest.c). */
#include <config.h>

#include "collision/sat.h"

/* A crossed direction of edges shorter than this sine says nothing about an axis. */
static const double crossed_sine = 1e-6;

typedef struct clash {
    contact_query *query;
    sat_pair pair;
    double least; /* gap told */
} clash;

/* The reference face on `r`, the incident one on `i`; n outward of the reference face, m
 * of the incident one. All in the axes of a. */
typedef struct faces {
    const solid *r, *i;
    size_t r_face, i_face;
    const double *n, *m;
    bool r_is_second; /* r is b */
} faces;

static double spread(const clash *m)
{
    return fmin(m->query->a->reach, m->query->b->reach);
}

/* The face of p that looks most against n, of those at its deepest corners along n; the
 * first of equal ones. */
static size_t opposite_face(const solid *p, const double n[3], double place)
{
    double low = solid_low(p, n) + place;
    double least = INFINITY;
    size_t best = 0;

    for (size_t f = 0; f < p->faces; f++) {
        double along = vec3_dot(n, p->normal + 3 * f);
        bool deep = false;

        for (int32_t k = 0;
             along < least - SAT_SAME_PLACE && !deep && k < solid_face_size(p, f); k++) {
            deep = vec3_dot(n, solid_corner(p, solid_face_corner(p, f, k))) <= low;
        }
        if (deep) {
            least = along;
            best = f;
        }
    }
    return best;
}

/* The pair of faces. Of two reference faces as good as each other the larger one, then
 * that of the lower shape. */
static faces choose_faces(const clash *m, const sat_axis *a, const sat_axis *b)
{
    const solid *p = &m->pair.a;
    const solid *q = &m->pair.b;
    double area_a = p->area[a->face];
    double area_b = q->area[b->face];
    faces f;

    if (fabs(a->apart - b->apart) > m->pair.place) {
        f.r_is_second = b->apart > a->apart;
    } else if (fabs(area_a - area_b) > SAT_SAME_PLACE * (area_a + area_b)) {
        f.r_is_second = area_b > area_a;
    } else {
        f.r_is_second = m->query->b->number < m->query->a->number;
    }
    f.r = f.r_is_second ? q : p;
    f.i = f.r_is_second ? p : q;
    f.r_face = f.r_is_second ? b->face : a->face;
    f.n = f.r->normal + 3 * f.r_face;
    f.i_face = opposite_face(f.i, f.n, m->pair.place);
    f.m = f.i->normal + 3 * f.i_face;
    return f;
}

/* Side k of a face, seen along n: a vector across it, inward, and how far x is inside,
 * times the length of that. */
static double side_over(const solid *p, size_t face, int32_t k, const double n[3],
                        const double x[3], double inward[3])
{
    const double *from = solid_corner(p, solid_face_corner(p, face, k));
    const double *to = solid_corner(p, solid_face_corner(p, face, k + 1));
    double side[3];
    double d[3];

    vec3_subtract(to, from, side);
    if (solid_face_size(p, face) == 2) {
        vec3_add(side, -vec3_dot(n, side), n, inward);
    } else {
        /* counter-clockwise seen from outside, so left of the side,
         * along n or against it */
        vec3_cross(n, side, inward);
        if (vec3_dot(n, p->normal + 3 * face) < 0.0) {
            vec3_scale(-1.0, inward, inward);
        }
    }
    vec3_subtract(x, from, d);
    return vec3_dot(inward, d);
}

/* How far x is inside side k of a face, seen along n: the distance to the line of the
 * side, negative outside. */
static double inside_side(const solid *p, size_t face, int32_t k, const double n[3],
                          const double x[3])
{
    double inward[3];
    double over = side_over(p, face, k, n, x, inward);

    return over / vec3_length(inward);
}

static bool inside_face(const clash *m, const faces *f, const solid *p, size_t face,
                        const double x[3])
{
    for (int32_t k = 0; k < solid_face_size(p, face); k++) {
        double inward[3];
        double over = side_over(p, face, k, f->n, x, inward);

        if (over < 0.0 && over < -m->pair.place * vec3_length(inward)) {
            return false;
        }
    }
    return true;
}

/* From the frame of the pair into the world, n from a to b. */
static void tell(clash *m, const double x[3], const double n[3], bool back, double gap,
                 uint64_t feature)
{
    const perp_placed *at = &m->query->a->at;
    double point[3];
    double normal[3];

    mat3_apply(at->R, x, point);
    vec3_add(point, 1.0, at->x, point);
    mat3_apply(at->R, n, normal);
    vec3_scale(back ? -1.0 : 1.0, normal, normal);
    query_add(m->query, point, normal, gap, feature);
    m->least = fmin(m->least, gap);
}

/* The contact on the line through x along n: from the reference plane to the incident
 * one. */
static void tell_along(clash *m, const faces *f, const double x[3], uint64_t feature)
{
    double slope = vec3_dot(f->n, f->m);
    double d[3];
    double to_r = 0.0;
    double to_i = 0.0;

    if (slope > -SAT_SAME_PLACE) {
        return; /* a face seen from its edge has no height there */
    }
    vec3_subtract(solid_corner(f->r, solid_face_corner(f->r, f->r_face, 0)), x, d);
    to_r = vec3_dot(f->n, d);
    vec3_subtract(solid_corner(f->i, solid_face_corner(f->i, f->i_face, 0)), x, d);
    to_i = vec3_dot(f->m, d) / slope;
    if (to_i - to_r > m->query->margin) {
        return;
    }
    vec3_add(x, 0.5 * (to_r + to_i), f->n, d);
    tell(m, d, f->n, f->r_is_second, to_i - to_r, feature);
}

static size_t a_face(const faces *f)
{
    return f->r_is_second ? f->i_face : f->r_face;
}

static size_t b_face(const faces *f)
{
    return f->r_is_second ? f->r_face : f->i_face;
}

/* Whether x, seen along n, is a corner of the face of a, which was told. */
static bool on_corner(const clash *m, const faces *f, const double x[3])
{
    const solid *a = &m->pair.a;

    for (int32_t k = 0; k < solid_face_size(a, a_face(f)); k++) {
        double d[3];

        vec3_subtract(x, solid_corner(a, solid_face_corner(a, a_face(f), k)), d);
        vec3_add(d, -vec3_dot(d, f->n), f->n, d);
        if (vec3_dot(d, d) <= m->pair.place * m->pair.place) {
            return true;
        }
    }
    return false;
}

/* The corners of either face that lie within that of the other. */
static void tell_corners(clash *m, const faces *f, bool of_b)
{
    const solid *p = of_b ? &m->pair.b : &m->pair.a;
    const solid *q = of_b ? &m->pair.a : &m->pair.b;
    size_t p_face = of_b ? b_face(f) : a_face(f);
    size_t q_face = of_b ? a_face(f) : b_face(f);

    for (int32_t k = 0; k < solid_face_size(p, p_face); k++) {
        int32_t c = solid_face_corner(p, p_face, k);
        const double *x = solid_corner(p, c);

        if (inside_face(m, f, q, q_face, x) && !(of_b && on_corner(m, f, x))) {
            tell_along(m, f, x, sat_corner(of_b, (size_t)c));
        }
    }
}

/* Side k of the face of a against side l of that of b. */
static void tell_crossing(clash *m, const faces *f, int32_t k, int32_t l)
{
    const solid *p = &m->pair.a;
    const solid *q = &m->pair.b;
    double place = m->pair.place;
    size_t a[2] = {(size_t)solid_face_corner(p, a_face(f), k),
                   (size_t)solid_face_corner(p, a_face(f), k + 1)};
    size_t b[2] = {(size_t)solid_face_corner(q, b_face(f), l),
                   (size_t)solid_face_corner(q, b_face(f), l + 1)};
    const double *from = q->corner + 3 * b[0];
    const double *to = q->corner + 3 * b[1];
    double before = inside_side(p, a_face(f), k, f->n, from);
    double after = inside_side(p, a_face(f), k, f->n, to);
    double left = 0.0;
    double right = 0.0;
    double x[3];

    if (fmin(fabs(before), fabs(after)) <= place || before * after > 0.0) {
        return;
    }
    left = inside_side(q, b_face(f), l, f->n, p->corner + 3 * a[0]);
    right = inside_side(q, b_face(f), l, f->n, p->corner + 3 * a[1]);
    if (fmin(fabs(left), fabs(right)) <= place || left * right > 0.0) {
        return;
    }
    vec3_subtract(to, from, x);
    vec3_add(from, before / (before - after), x, x);
    tell_along(m, f, x, sat_edges(a[0], a[1], b[0], b[1]));
}

/* In the order of a and b, not of the faces' parts, which noise may exchange. */
static void tell_faces(clash *m, const faces *f)
{
    tell_corners(m, f, false);
    tell_corners(m, f, true);
    for (int32_t k = 0;
         m->query->dimension == 3 && k < solid_face_size(&m->pair.a, a_face(f)); k++) {
        for (int32_t l = 0; l < solid_face_size(&m->pair.b, b_face(f)); l++) {
            tell_crossing(m, f, k, l);
        }
    }
}

/* The two corners of p farthest along n, which is across an edge of it; false when its
 * edge there cannot be told. */
static bool edge_along(const solid *p, const double n[3], double place, size_t edge[2])
{
    double most = solid_high(p, n);
    size_t found = 0;

    for (size_t c = 0; c < p->corners; c++) {
        if (vec3_dot(n, p->corner + 3 * c) >= most - place) {
            if (found == 2) {
                return false;
            }
            edge[found++] = c;
        }
    }
    return found == 2;
}

/* One contact where an edge of a and one of b cross; *gap is theirs, INFINITY where they
 * do not. */
static bool tell_edges(clash *m, const double n[3], double *gap)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    const solid *a = &m->pair.a;
    const solid *b = &m->pair.b;
    double p[3];
    double q[3];
    double d[3];
    size_t e[2];
    size_t f[2];

    if (!edge_along(a, n, m->pair.place, e) || !edge_along(b, back, m->pair.place, f)) {
        return false;
    }
    query_segments(a->corner + 3 * e[0], a->corner + 3 * e[1], b->corner + 3 * f[0],
                   b->corner + 3 * f[1], p, q);
    vec3_subtract(q, p, d);
    vec3_add(p, 0.5, d, p);
    tell(m, p, n, false, vec3_dot(n, d), sat_edges(e[0], e[1], f[0], f[1]));
    *gap = sat_gap_across(n, d, m->pair.place);
    return true;
}

static void query_pair(clash *m)
{
    double place = m->pair.place;
    sat_axis a = sat_best_face(&m->pair.a, &m->pair.b, place, &m->pair.low_b);
    sat_axis b = sat_best_face(&m->pair.b, &m->pair.a, place, &m->pair.low_a);
    double apart = fmax(a.apart, b.apart);
    double gap = INFINITY;
    bool flush = false;
    sat_axis edges;
    faces f;

    if (apart > m->query->margin) {
        return;
    }
    edges = sat_best_edges(&m->pair, apart, crossed_sine);
    if (edges.apart > m->query->margin) {
        return;
    }
    f = choose_faces(m, &a, &b);
    flush = vec3_dot(f.n, f.m) <= -SAT_FACE_TO_FACE &&
            edges.apart <= apart + SAT_FLUSH_LOSS * spread(m);
    if (flush || !(edges.apart > apart + SAT_EDGE_ADVANTAGE * spread(m)) ||
        !tell_edges(m, edges.n, &gap)) {
        tell_faces(m, &f);
        if (edges.apart < -place && !(m->least <= 0.0)) {
            gap = INFINITY; /* they overlap, and no corner or crossing says so */
        } else {
            gap = m->least;
        }
    }
    if (edges.apart > 0.0 || (edges.apart < -place && gap == INFINITY)) {
        sat_check_apart(m->query, edges.apart, gap, flush);
    }
}

void facets_facets(contact_query *m)
{
    const perp_shape *a = m->a->at.shape;
    const perp_shape *b = m->b->at.shape;
    double *numbers = query_scratch(m, sat_numbers(a, b) * sizeof *numbers);
    clash here;

    if (numbers) {
        here.query = m;
        here.least = INFINITY;
        sat_stand(&here.pair, &m->a->at, &m->b->at, m->dimension, numbers);
        query_pair(&here);
    }
}
