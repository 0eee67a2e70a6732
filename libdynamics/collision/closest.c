/* SPDX-License-Identifier: Apache-2.0
 * collision/closest.c: the closest points of two boxes or hulls that do not overlap, by
 * enumeration of their features.
 *
 * The closest points are a corner of one and a point of a face of the other, or points
 * within an edge of each. Along a separating unit axis n a feature of a reaches up to a
 * height n.p and one of b down to another; a pair whose difference is above the least
 * distance so far is rejected. Few pairs remain, since n is nearly the direction of the
 * distance; where it is that direction, it is the normal. */
#include <config.h>

#include "collision/sat.h"

/* Edges at a smaller sine are taken as parallel: the distance of their ends is then
 * theirs, to this share of their length. */
static const double parallel_sine = 1e-11;
/* In shares of the size: distances that rounding may exchange. */
static const double rounding = 1e-14;

typedef struct search {
    const sat_pair *pair;
    const double *n;
    double *up, *down;  /* of the corners of a, of b */
    double top, bottom; /* the highest of up, the lowest of down */
    double best;
    double x[3], y[3], way[3]; /* the last from x to y */
} search;

static void closest_keep(search *s, double distance, const double x[3], const double y[3],
                         double sign, const double way[3])
{
    s->best = distance;
    vec3_copy(s->x, x);
    vec3_copy(s->y, y);
    vec3_scale(sign, way, s->way);
}

/* A corner of one against the faces of the other, p, that face it. */
static void closest_try_corner(search *s, const solid *p, const double *corner,
                               bool p_is_a)
{
    for (size_t f = 0; f < p->faces; f++) {
        double d[3];
        double y[3];
        double way[3];
        double above = 0.0;
        double distance = 0.0;

        vec3_subtract(corner, solid_corner(p, solid_face_corner(p, f, 0)), d);
        above = vec3_dot(p->normal + 3 * f, d);
        if (above < -s->pair->place || above >= s->best) {
            continue;
        }
        distance = solid_nearest(p, f, corner, y, way);
        if (distance < s->best) {
            closest_keep(s, distance, p_is_a ? y : corner, p_is_a ? corner : y,
                         p_is_a ? 1.0 : -1.0, way);
        }
    }
}

static double closest_clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* The closest points x = p + s u and y of two edges from p along u and from q along v,
 * s = ((q - p) x v).c/|c|^2, c = u x v; false: they are parallel. */
static bool closest_cross_edges(const double p[3], const double u[3], const double q[3],
                                const double v[3], double x[3], double y[3])
{
    double c[3];
    double w[3];
    double one[3];
    double square = 0.0;

    vec3_cross(u, v, c);
    square = vec3_dot(c, c);
    if (square <= parallel_sine * parallel_sine * vec3_dot(u, u) * vec3_dot(v, v)) {
        return false;
    }
    vec3_subtract(q, p, w);
    vec3_cross(w, v, one);
    vec3_add(p, closest_clamp(vec3_dot(one, c) / square), u, x);
    /* the nearest to it, so that what rounding does to s does not part them */
    vec3_subtract(x, q, w);
    vec3_add(q, closest_clamp(vec3_dot(w, v) / vec3_dot(v, v)), v, y);
    return true;
}

static void closest_try_edges(search *s, size_t e, size_t f)
{
    const solid *a = &s->pair->a;
    const solid *b = &s->pair->b;
    const double *p = solid_corner(a, a->edge[2 * e]);
    const double *q = solid_corner(b, b->edge[2 * f]);
    double u[3];
    double v[3];
    double x[3];
    double y[3];

    vec3_subtract(solid_corner(a, a->edge[2 * e + 1]), p, u);
    vec3_subtract(solid_corner(b, b->edge[2 * f + 1]), q, v);
    if (closest_cross_edges(p, u, q, v, x, y)) {
        double d[3];

        vec3_subtract(y, x, d);
        if (vec3_length(d) < s->best - rounding * s->pair->size) {
            closest_keep(s, vec3_length(d), x, y, 1.0, d);
        }
    }
}

static void closest_search_corners(search *s)
{
    const sat_pair *p = s->pair;

    for (int pass = 0; pass < 2; pass++) {
        /* first the foremost ones, so that others may be passed over */
        double slack = pass == 0 ? p->place : INFINITY;

        for (size_t c = 0; c < p->b.corners; c++) {
            double behind = s->down[c] - s->bottom;

            if ((behind <= p->place) == (pass == 0) && behind <= slack &&
                s->down[c] - s->top < s->best) {
                closest_try_corner(s, &p->a, p->b.corner + 3 * c, true);
            }
        }
        for (size_t c = 0; c < p->a.corners; c++) {
            double behind = s->top - s->up[c];

            if ((behind <= p->place) == (pass == 0) && behind <= slack &&
                s->bottom - s->up[c] < s->best) {
                closest_try_corner(s, &p->b, p->a.corner + 3 * c, false);
            }
        }
    }
}

static void closest_search_edges(search *s)
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
                closest_try_edges(s, e, f);
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
    closest_search_corners(&s);
    closest_search_edges(&s);
    vec3_copy(x, s.x);
    vec3_copy(y, s.y);
    vec3_copy(normal, s.way);
    if (s.bottom - s.top >= s.best - rounding * p->size ||
        vec3_normalize(normal) == 0.0) {
        vec3_copy(normal, n); /* free of what rounding does to a short offset */
    }
    return s.best;
}
