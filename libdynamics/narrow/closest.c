/* SPDX-License-Identifier: Apache-2.0
 * narrow/closest.c: the closest points of two boxes or hulls that do not overlap, by
 * looking at their features.
 *
 * They are a corner of one and a point of a face of the other, or a point within an edge
 * of each. By a unit axis n along which they are apart, a feature of a reaches up to some
 * height n.p and one of b down to another; where the difference is more than the least
 * distance so far the two are passed over. What is left is few, since n is nearly where
 * the distance points. */
#include <config.h>

#include "narrow/sat.h"

/* Edges at a smaller sine are taken as parallel: the distance of their ends is then
 * theirs, to this share of their length. */
static const double parallel_sine = 1e-11;
/* Shares of the size: by how much edges must be closer than corners, which rounding may
 * exchange, and what is too near for its direction to be known. */
static const double rounding = 1e-13;
static const double too_near = 1e-11;
/* The direction across two edges is known to 1e-16 over their sine. */
static const double known_sine = 1e-4;
/* Cosine of directions that differ by less than 1e-6. */
static const double same_direction = 1e-12;

typedef struct search {
    const sat_pair *pair;
    const double *n;
    double *up, *down;  /* of the corners of a, of b */
    double top, bottom; /* the highest of up, the lowest of down */
    double best;
    double x[3], y[3], normal[3];
} search;

static void keep(search *s, double distance, const double x[3], const double y[3],
                 const double *normal)
{
    s->best = distance;
    vec3_copy(s->x, x);
    vec3_copy(s->y, y);
    if (normal) {
        vec3_copy(s->normal, normal);
    } else {
        vec3_subtract(y, x, s->normal);
        if (vec3_normalize(s->normal) <= too_near * s->pair->size) {
            vec3_copy(s->normal, s->n);
        }
    }
}

/* A corner of q against the faces of p that look at it; `sign` is 1 when p is a. */
static void try_corner(search *s, const solid *p, const double *corner, double sign)
{
    for (size_t f = 0; f < p->faces; f++) {
        const double *n = p->normal + 3 * f;
        double d[3];
        double y[3];
        double out[3];
        double above = 0.0;
        double distance = 0.0;
        bool inside = false;

        vec3_subtract(corner, solid_corner(p, solid_face_corner(p, f, 0)), d);
        above = vec3_dot(n, d);
        if (above < -s->pair->place || above >= s->best) {
            continue;
        }
        distance = solid_nearest(p, f, corner, y, &inside);
        if (distance >= s->best) {
            continue;
        }
        vec3_scale(sign, n, out);
        if (sign > 0.0) {
            keep(s, distance, y, corner, inside ? out : NULL);
        } else {
            keep(s, distance, corner, y, inside ? out : NULL);
        }
    }
}

static double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* The closest points x = p + s u and y of two edges from p along u and from q along v,
 * s = ((q - p) x v).c/|c|^2, c = u x v; false: they are parallel. */
static bool cross_edges(const double p[3], const double u[3], const double q[3],
                        const double v[3], double c[3], double x[3], double y[3])
{
    double w[3];
    double one[3];
    double square = 0.0;
    double s = 0.0;

    vec3_cross(u, v, c);
    square = vec3_dot(c, c);
    if (square <= parallel_sine * parallel_sine * vec3_dot(u, u) * vec3_dot(v, v)) {
        return false;
    }
    vec3_subtract(q, p, w);
    vec3_cross(w, v, one);
    s = vec3_dot(one, c) / square;
    vec3_add(p, clamp(s), u, x);
    /* the nearest to it, so that what rounding does to s does not part them */
    vec3_subtract(x, q, w);
    vec3_add(q, clamp(vec3_dot(w, v) / vec3_dot(v, v)), v, y);
    return true;
}

static void try_edges(search *s, size_t e, size_t f)
{
    const solid *a = &s->pair->a;
    const solid *b = &s->pair->b;
    const double *p = solid_corner(a, a->edge[2 * e]);
    const double *q = solid_corner(b, b->edge[2 * f]);
    double u[3];
    double v[3];
    double c[3];
    double x[3];
    double y[3];
    double d[3];
    double distance = 0.0;
    double sine = 0.0;

    vec3_subtract(solid_corner(a, a->edge[2 * e + 1]), p, u);
    vec3_subtract(solid_corner(b, b->edge[2 * f + 1]), q, v);
    if (!cross_edges(p, u, q, v, c, x, y)) {
        return;
    }
    vec3_subtract(y, x, d);
    distance = vec3_length(d);
    if (distance >= s->best - rounding * s->pair->size) {
        return;
    }
    sine = vec3_normalize(c) / sqrt(vec3_dot(u, u) * vec3_dot(v, v));
    vec3_scale(vec3_dot(c, s->n) < 0.0 ? -1.0 : 1.0, c, c);
    /* across both: then that is known better than the offset, where it is small */
    keep(s, distance, x, y,
         sine >= known_sine && vec3_dot(c, d) >= (1.0 - same_direction) * distance
             ? c
             : NULL);
}

static void search_corners(search *s)
{
    const sat_pair *p = s->pair;

    for (int pass = 0; pass < 2; pass++) {
        /* first the foremost ones, so that others may be passed over */
        double slack = pass == 0 ? p->place : INFINITY;

        for (size_t c = 0; c < p->b.corners; c++) {
            double behind = s->down[c] - s->bottom;

            if ((behind <= p->place) == (pass == 0) && behind <= slack &&
                s->down[c] - s->top < s->best) {
                try_corner(s, &p->a, p->b.corner + 3 * c, 1.0);
            }
        }
        for (size_t c = 0; c < p->a.corners; c++) {
            double behind = s->top - s->up[c];

            if ((behind <= p->place) == (pass == 0) && behind <= slack &&
                s->bottom - s->up[c] < s->best) {
                try_corner(s, &p->b, p->a.corner + 3 * c, -1.0);
            }
        }
    }
}

static void search_edges(search *s)
{
    const solid *a = &s->pair->a;
    const solid *b = &s->pair->b;

    for (size_t e = 0; e < a->edges; e++) {
        double top = fmax(s->up[a->edge[2 * e]], s->up[a->edge[2 * e + 1]]);

        if (s->bottom - top >= s->best) {
            continue;
        }
        for (size_t f = 0; f < b->edges; f++) {
            double bottom = fmin(s->down[b->edge[2 * f]], s->down[b->edge[2 * f + 1]]);

            if (bottom - top < s->best) {
                try_edges(s, e, f);
            }
        }
    }
}

double sat_closest(const sat_pair *p, const double n[3], double x[3], double y[3],
                   double normal[3])
{
    search s = {.pair = p,
                .n = n,
                .up = p->height,
                .down = p->height + p->a.corners,
                .top = -INFINITY,
                .bottom = INFINITY,
                .best = INFINITY};

    for (size_t c = 0; c < p->a.corners; c++) {
        s.up[c] = vec3_dot(n, p->a.corner + 3 * c);
        s.top = fmax(s.top, s.up[c]);
    }
    for (size_t c = 0; c < p->b.corners; c++) {
        s.down[c] = vec3_dot(n, p->b.corner + 3 * c);
        s.bottom = fmin(s.bottom, s.down[c]);
    }
    search_corners(&s);
    search_edges(&s);
    vec3_copy(x, s.x);
    vec3_copy(y, s.y);
    vec3_copy(normal, s.normal);
    return s.best;
}
