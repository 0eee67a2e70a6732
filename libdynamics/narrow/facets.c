/* SPDX-License-Identifier: Apache-2.0
 * shapes/facets.c: contacts of boxes and hulls with each other: corners against faces,
 * where outlines of faces cross, and one edge against one edge.
 *
 * Along a unit axis n the two are apart by s(n) = min_b n.p - max_a n.p. The normals of
 * all faces, and where these leave it open the crossed directions of edges, are searched
 * for the largest s [gottschalk-1996]; if that is beyond the margin there is no contact.
 * The face of the largest s is the reference face, the face of the other shape that looks
 * most against it the incident one. Seen along n, contacts are the corners of either face
 * within the other and the proper crossings of their outlines; the gap of each is
 * measured along n between the two faces' planes there, and the contact lies halfway.
 * They are what the corners of the polygon common to both faces are, so a convex face
 * keeps at most 8 with boxes.
 *
 * A feature is a corner, or two edges: it does not change with the choice of the faces.
 * In the plane faces are sides of two corners, seen along n as intervals,
 * and nothing crosses. */
#include <config.h>

#include "narrow/outline.h"

/* In shares of the sum of the reaches: positions that rounding may exchange, of corners
 * within a face, of axes equally good, of contacts that are one. */
static const double same_place = 1e-9;
/* In shares of the smaller reach: an edge against an edge must be better than faces by
 * more, or noise would choose between four contacts and one. */
static const double edge_advantage = 1e-6;
/* Faces within 8 degrees of each other are taken as face to face: then the gaps along one
 * normal are right to the square of the angle, whichever features touch. */
static const double face_to_face = 0.99;
/* A crossed direction of edges shorter than this sine says nothing about an axis. */
static const double crossed_sine = 1e-6;

enum feature_kind { FEATURE_CORNER_A = 1, FEATURE_CORNER_B, FEATURE_EDGES };

typedef struct clash {
    meeting *meeting;
    const outline *a, *b;
} clash;

typedef struct axis {
    double apart;
    size_t face;
} axis;

/* The reference face on `r`, the incident one on `i`; n outward of the reference face, m
 * of the incident one. */
typedef struct faces {
    const outline *r, *i;
    size_t r_face, i_face;
    const double *n, *m;
    double place;     /* positions closer than this are one */
    bool r_is_second; /* r is meeting->b */
} faces;

static size_t face_size(const outline *p, size_t face)
{
    return (size_t)(p->face_start[face + 1] - p->face_start[face]);
}

/* Corner k of a face, counted around it. */
static size_t face_corner(const outline *p, size_t face, size_t k)
{
    size_t count = face_size(p, face);

    return (size_t)p->face_corner[(size_t)p->face_start[face] + k % count];
}

static const double *corner_at(const outline *p, size_t c)
{
    return p->corner + 3 * c;
}

static double lowest(const outline *p, const double n[3])
{
    double least = INFINITY;

    for (size_t c = 0; c < p->corners; c++) {
        least = fmin(least, vec3_dot(n, corner_at(p, c)));
    }
    return least;
}

/* The face of p from which q is farthest apart; the first of equal ones. */
static axis best_face(const outline *p, const outline *q, double place)
{
    axis best = {-INFINITY, 0};

    for (size_t f = 0; f < p->faces; f++) {
        const double *n = p->normal + 3 * f;
        double apart = lowest(q, n) - vec3_dot(n, corner_at(p, face_corner(p, f, 0)));

        if (apart > best.apart + place || f == 0) {
            best = (axis){apart, f};
        }
    }
    return best;
}

/* The face of p that looks most against n; the first of equal ones. */
static size_t opposite_face(const outline *p, const double n[3])
{
    size_t best = 0;
    double least = INFINITY;

    for (size_t f = 0; f < p->faces; f++) {
        double along = vec3_dot(n, p->normal + 3 * f);

        if (along < least - same_place) {
            least = along;
            best = f;
        }
    }
    return best;
}

/* The pair of faces. Of two reference faces as good as each other the larger one, then
 * that of the lower shape. */
static faces choose_faces(const clash *m, axis a, axis b, double place)
{
    const outline *p = m->a;
    const outline *q = m->b;
    double area_a = p->area[a.face];
    double area_b = q->area[b.face];
    bool lower_is_b = q->number < p->number;
    faces f = {.place = place};

    if (fabs(a.apart - b.apart) > place) {
        f.r_is_second = b.apart > a.apart;
    } else if (fabs(area_a - area_b) > same_place * (area_a + area_b)) {
        f.r_is_second = area_b > area_a;
    } else {
        f.r_is_second = lower_is_b;
    }
    f.r = f.r_is_second ? q : p;
    f.i = f.r_is_second ? p : q;
    f.r_face = f.r_is_second ? b.face : a.face;
    f.n = f.r->normal + 3 * f.r_face;
    f.i_face = opposite_face(f.i, f.n);
    f.m = f.i->normal + 3 * f.i_face;
    return f;
}

/* How far x is inside side k of a face, seen along n: the distance to the line of the
 * side, negative outside. */
static double inside_side(const outline *p, size_t face, size_t k, const double n[3],
                          const double x[3])
{
    const double *from = corner_at(p, face_corner(p, face, k));
    const double *to = corner_at(p, face_corner(p, face, k + 1));
    double side[3];
    double inward[3];
    double d[3];

    vec3_subtract(to, from, side);
    if (face_size(p, face) == 2) {
        vec3_copy(inward, side);
    } else {
        /* counter-clockwise seen from outside, so left of the side,
         * along n or against it */
        vec3_cross(n, side, inward);
        if (vec3_dot(n, p->normal + 3 * face) < 0.0) {
            vec3_scale(-1.0, inward, inward);
        }
    }
    vec3_normalize(inward);
    vec3_subtract(x, from, d);
    return vec3_dot(inward, d);
}

static bool inside_face(const faces *f, const outline *p, size_t face, const double x[3])
{
    for (size_t k = 0; k < face_size(p, face); k++) {
        if (inside_side(p, face, k, f->n, x) < -f->place) {
            return false;
        }
    }
    return true;
}

/* The contact on the line through x along n: from the reference plane to the incident
 * one. */
static void tell_along(clash *m, const faces *f, const double x[3], uint64_t feature)
{
    double slope = vec3_dot(f->n, f->m);
    double d[3];
    double to_r = 0.0;
    double to_i = 0.0;
    double point[3];
    double normal[3];

    if (slope > -same_place) {
        return; /* a face seen from its edge has no height there */
    }
    vec3_subtract(corner_at(f->r, face_corner(f->r, f->r_face, 0)), x, d);
    to_r = vec3_dot(f->n, d);
    vec3_subtract(corner_at(f->i, face_corner(f->i, f->i_face, 0)), x, d);
    to_i = vec3_dot(f->m, d) / slope;
    vec3_add(x, 0.5 * (to_r + to_i), f->n, point);
    /* the same place seen along n tells the same contact */
    for (size_t k = m->meeting->first; k < m->meeting->contacts->count; k++) {
        vec3_subtract(m->meeting->contacts->at[k].point, point, d);
        if (vec3_dot(d, d) <= f->place * f->place) {
            return;
        }
    }
    vec3_scale(f->r_is_second ? -1.0 : 1.0, f->n, normal);
    meet_tell(m->meeting, point, normal, to_i - to_r, feature);
}

/* The corners of face `face` of p that lie within the face of the other, q. */
static void tell_corners(clash *m, const faces *f, const outline *p, size_t face,
                         const outline *q, size_t q_face)
{
    enum feature_kind kind = p == m->a ? FEATURE_CORNER_A : FEATURE_CORNER_B;

    for (size_t k = 0; k < face_size(p, face); k++) {
        size_t c = face_corner(p, face, k);

        if (inside_face(f, q, q_face, corner_at(p, c))) {
            tell_along(m, f, corner_at(p, c), meet_feature(kind, c, 0));
        }
    }
}

static uint64_t edge_of(size_t c, size_t d)
{
    return ((uint64_t)(c < d ? c : d) << 32) | (uint64_t)(c < d ? d : c);
}

static uint64_t feature_edges(const size_t a[2], const size_t b[2])
{
    return meet_feature(FEATURE_EDGES, edge_of(a[0], a[1]), edge_of(b[0], b[1]));
}

/* Side k of the face of a against side l of that of b. */
static void tell_crossing(clash *m, const faces *f, size_t k, size_t l)
{
    size_t a_face = f->r_is_second ? f->i_face : f->r_face;
    size_t b_face = f->r_is_second ? f->r_face : f->i_face;
    size_t a[2] = {face_corner(m->a, a_face, k), face_corner(m->a, a_face, k + 1)};
    size_t b[2] = {face_corner(m->b, b_face, l), face_corner(m->b, b_face, l + 1)};
    const double *from = corner_at(m->b, b[0]);
    const double *to = corner_at(m->b, b[1]);
    double before = inside_side(m->a, a_face, k, f->n, from);
    double after = inside_side(m->a, a_face, k, f->n, to);
    double left = inside_side(m->b, b_face, l, f->n, corner_at(m->a, a[0]));
    double right = inside_side(m->b, b_face, l, f->n, corner_at(m->a, a[1]));
    double x[3];

    if (fmin(fabs(before), fabs(after)) <= f->place ||
        fmin(fabs(left), fabs(right)) <= f->place || before * after > 0.0 ||
        left * right > 0.0) {
        return;
    }
    vec3_subtract(to, from, x);
    vec3_add(from, before / (before - after), x, x);
    tell_along(m, f, x, feature_edges(a, b));
}

/* In the order of a and b, not of the faces' parts, which noise may exchange. */
static void tell_faces(clash *m, const faces *f)
{
    size_t a_face = f->r_is_second ? f->i_face : f->r_face;
    size_t b_face = f->r_is_second ? f->r_face : f->i_face;

    tell_corners(m, f, m->a, a_face, m->b, b_face);
    tell_corners(m, f, m->b, b_face, m->a, a_face);
    for (size_t k = 0; m->meeting->dimension == 3 && k < face_size(m->a, a_face); k++) {
        for (size_t l = 0; l < face_size(m->b, b_face); l++) {
            tell_crossing(m, f, k, l);
        }
    }
}

/* The two corners of p farthest along n, which is across an edge of it; false when its
 * edge there cannot be told. */
static bool edge_along(const outline *p, const double n[3], double place, size_t edge[2])
{
    size_t found = 0;
    double most = -INFINITY;

    for (size_t c = 0; c < p->corners; c++) {
        most = fmax(most, vec3_dot(n, corner_at(p, c)));
    }
    for (size_t c = 0; c < p->corners; c++) {
        if (vec3_dot(n, corner_at(p, c)) >= most - place) {
            if (found == 2) {
                return false;
            }
            edge[found++] = c;
        }
    }
    return found == 2;
}

/* The axis across an edge of each along which they are farthest apart, from a to b. */
static double best_edges(const clash *m, double n[3])
{
    double best = -INFINITY;

    for (size_t k = 0; k < m->a->directions * m->b->directions; k++) {
        double c[3];
        double back[3];

        vec3_cross(m->a->direction + 3 * (k / m->b->directions),
                   m->b->direction + 3 * (k % m->b->directions), c);
        if (vec3_normalize(c) < crossed_sine) {
            continue;
        }
        vec3_scale(-1.0, c, back);
        for (int way = 0; way < 2; way++) {
            const double *one = way ? back : c;
            const double *two = way ? c : back;
            double apart = lowest(m->b, one) + lowest(m->a, two);

            if (apart > best) {
                best = apart;
                vec3_copy(n, one);
            }
        }
    }
    return best;
}

/* One contact where an edge of a and one of b cross. */
static bool tell_edges(clash *m, const double n[3], double place)
{
    double back[3];
    double p[3];
    double q[3];
    double d[3];
    size_t e[2];
    size_t f[2];

    vec3_scale(-1.0, n, back);
    if (!edge_along(m->a, n, place, e) || !edge_along(m->b, back, place, f)) {
        return false;
    }
    meet_segments(corner_at(m->a, e[0]), corner_at(m->a, e[1]), corner_at(m->b, f[0]),
                  corner_at(m->b, f[1]), p, q);
    vec3_subtract(q, p, d);
    vec3_add(p, 0.5, d, p);
    meet_tell(m->meeting, p, n, vec3_dot(n, d), feature_edges(e, f));
    return true;
}

static bool any_touches(const clash *m)
{
    for (size_t k = m->meeting->first; k < m->meeting->contacts->count; k++) {
        if (m->meeting->contacts->at[k].gap <= 0.0) {
            return true;
        }
    }
    return false;
}

/* They overlap, and no corner or crossing says so: the corner that is deepest. */
static void tell_deepest(clash *m, const faces *f)
{
    double least = lowest(f->i, f->n);
    size_t deepest = 0;
    double x[3];
    double normal[3];
    double gap = least - vec3_dot(f->n, corner_at(f->r, face_corner(f->r, f->r_face, 0)));

    while (vec3_dot(f->n, corner_at(f->i, deepest)) > least + f->place) {
        deepest++;
    }
    vec3_add(corner_at(f->i, deepest), -0.5 * gap, f->n, x);
    vec3_scale(f->r_is_second ? -1.0 : 1.0, f->n, normal);
    meet_tell(
        m->meeting, x, normal, gap,
        meet_feature(f->i == m->a ? FEATURE_CORNER_A : FEATURE_CORNER_B, deepest, 0));
}

static void meet_outlines(clash *m)
{
    double size = m->a->reach + m->b->reach;
    double place = same_place * size;
    axis a = best_face(m->a, m->b, place);
    axis b = best_face(m->b, m->a, place);
    double apart = fmax(a.apart, b.apart);
    double n[3];
    double edges = -INFINITY;
    faces f;

    if (apart > m->meeting->margin) {
        return;
    }
    edges = best_edges(m, n);
    if (edges > m->meeting->margin) {
        return;
    }
    f = choose_faces(m, a, b, place);
    if (vec3_dot(f.n, f.m) > -face_to_face &&
        edges > apart + edge_advantage * fmin(m->a->reach, m->b->reach) &&
        tell_edges(m, n, place)) {
        return;
    }
    tell_faces(m, &f);
    if (fmax(apart, edges) < -place && !any_touches(m)) {
        tell_deepest(m, &f);
    }
}

void facets_facets(meeting *m)
{
    size_t first = outline_numbers(m->a, m->dimension);
    size_t second = outline_numbers(m->b, m->dimension);
    double *numbers = meet_scratch(m, (first + second) * sizeof *numbers);
    outline a;
    outline b;

    if (numbers) {
        outline_draw(&a, m->a, m->dimension, numbers);
        outline_draw(&b, m->b, m->dimension, numbers + first);
        meet_outlines(&(clash){m, &a, &b});
    }
}
