/* SPDX-License-Identifier: Apache-2.0
 * collision/epa_plane.c: the depth of two convex shapes in the plane by expanding a polygon:
 * as in epa.c, with sides for faces. A new corner lies between the ends of the side that
 * it was sought from, since all are corners of M. */
#include <config.h>

#include "collision/difference.h"

enum { POINTS = 256 };

typedef struct polygon {
    const difference *m;
    unsigned count;
    difference_point p[POINTS]; /* in the order they came */
    uint16_t at[POINTS];        /* counter-clockwise */
    double height[POINTS];      /* of the side that begins there [m] */
    double n[POINTS][3];        /* unit, outward */
} polygon;

static unsigned epa_plane_after(const polygon *t, unsigned k)
{
    return k + 1 < t->count ? k + 1 : 0;
}

static void shape_side(polygon *t, unsigned k)
{
    const double *p = t->p[t->at[k]].w;
    const double *q = t->p[t->at[epa_plane_after(t, k)]].w;

    vec3_set(t->n[k], q[1] - p[1], p[0] - q[0], 0.0);
    t->height[k] = vec3_normalize(t->n[k]) > 0.0 ? vec3_dot(t->n[k], p) : INFINITY;
}

/* Put the newest point behind place k. */
static void epa_plane_insert(polygon *t, unsigned k)
{
    unsigned behind = t->count - (k + 1);

    memmove(t->at + k + 2, t->at + k + 1, behind * sizeof *t->at);
    memmove(t->height + k + 2, t->height + k + 1, behind * sizeof *t->height);
    memmove(t->n + k + 2, t->n + k + 1, behind * sizeof *t->n);
    t->at[k + 1] = (uint16_t)t->count;
    t->count++;
    shape_side(t, k);
    shape_side(t, k + 1);
}

static void epa_plane_triangle(polygon *t)
{
    double e[3];
    double f[3];
    bool turn;

    vec3_subtract(t->p[1].w, t->p[0].w, e);
    vec3_subtract(t->p[2].w, t->p[0].w, f);
    turn = e[0] * f[1] - e[1] * f[0] < 0.0;
    t->at[0] = 0;
    t->at[1] = turn ? 2 : 1;
    t->at[2] = turn ? 1 : 2;
    for (unsigned k = 0; k < 3; k++) {
        shape_side(t, k);
    }
}

static unsigned epa_plane_lowest(const polygon *t)
{
    unsigned best = 0;

    for (unsigned k = 1; k < t->count; k++) {
        if (t->height[k] < t->height[best]) {
            best = k;
        }
    }
    return best;
}

/* A side of M whose normal is n: its ends are the farthest points to both sides of n. */
static const double beside = 1e-7;

/* Where on side k, or on that of M which it is a part of, its points nearest to the
 * origin come from. */
static void epa_plane_witnesses(const polygon *t, unsigned k, double a[3], double b[3])
{
    const difference_point *p = &t->p[t->at[k]];
    const difference_point *q = &t->p[t->at[epa_plane_after(t, k)]];
    const double *n = t->n[k];
    const double back[3] = {n[0] + beside * n[1], n[1] - beside * n[0], 0.0};
    const double ahead[3] = {n[0] - beside * n[1], n[1] + beside * n[0], 0.0};
    double low = t->height[k] - 4.0 * t->m->noise;
    difference_point ends[2];
    double e[3];
    double share;

    difference_support(t->m, back, &ends[0]);
    difference_support(t->m, ahead, &ends[1]);
    p = vec3_dot(n, ends[0].w) >= low ? &ends[0] : p;
    q = vec3_dot(n, ends[1].w) >= low ? &ends[1] : q;
    vec3_subtract(q->w, p->w, e);
    share = -vec3_dot(p->w, e) / vec3_dot(e, e);
    share = share > 0.0 ? fmin(share, 1.0) : 0.0;
    for (int i = 0; i < 3; i++) {
        a[i] = p->a[i] + share * (q->a[i] - p->a[i]);
        b[i] = p->b[i] + share * (q->b[i] - p->b[i]);
    }
}

void difference_expand_plane(const difference *m, const nearest_point *at,
                             unsigned iterations, perp_proximity *out)
{
    double above = INFINITY; /* the least h(n) met, at side `least` of its time */
    double n[3];
    double a[3];
    double b[3];
    double depth = 0.0;
    polygon t;

    *out = (perp_proximity){.converged = true, .tolerance = m->noise, .ran = "epa"};
    t.m = m;
    t.count = at->s.count;
    memcpy(t.p, at->s.p, t.count * sizeof *t.p);
    vec3_copy(n, at->n);
    out->iterations = at->iterations;
    if (!difference_span(m, t.p, &t.count, n)) {
        difference_report_flat(m, at, n, out);
        return;
    }
    epa_plane_triangle(&t);
    out->converged = false;
    for (unsigned step = 0; step < iterations && t.count < POINTS; step++) {
        unsigned k = epa_plane_lowest(&t);
        difference_point *w = &t.p[t.count];
        double height;

        difference_support(m, t.n[k], w);
        out->iterations++;
        height = vec3_dot(t.n[k], w->w);
        if (height < above) {
            above = height;
            vec3_copy(n, t.n[k]);
            vec3_copy(a, w->a);
            vec3_copy(b, w->b);
        }
        if (height - t.height[k] <= 4.0 * m->noise) {
            out->converged = true;
            break;
        }
        epa_plane_insert(&t, k);
    }
    depth = t.height[epa_plane_lowest(&t)];
    out->tolerance = fmax(above - depth, 0.0) + m->noise;
    if (out->converged) {
        unsigned k = epa_plane_lowest(&t);

        vec3_copy(n, t.n[k]);
        epa_plane_witnesses(&t, k, a, b);
    } else {
        depth = above;
    }
    difference_report(m, n, a, b, at->overlap ? -fmax(depth, 0.0) : -depth, out);
}
