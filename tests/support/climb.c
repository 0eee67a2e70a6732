/* SPDX-License-Identifier: Apache-2.0
 * tests/support/climb.c: the search over directions. The best of a net are climbed by
 * steps to the sides, shortened where none helps. Then support points around the
 * direction reached are gathered, and the normals of planes through three of them, the
 * perpendiculars to lines through two, and the points themselves are tried: that is exact
 * for polytopes. */
#include <config.h>

#include "convex.h"

enum { NET = 300, STARTS = 3, AROUND = 8 };
/* Steps of directions [rad]: errors of the gap are their squares on smooth solids. */
static const double first_step = 0.1;
static const double last_step = 1e-7;
/* Starts are more than 0.4 rad apart: the net has a point in each 0.2. */
static const double start_apart = 0.92;

typedef struct climb {
    const convex *a, *b;
    double gap, n[3];
} climb;

static bool climb_try(climb *c, const double n[3])
{
    double gap = convex_apart(c->a, c->b, n);

    if (gap > c->gap) {
        c->gap = gap;
        vec3_copy(c->n, n);
        return true;
    }
    return false;
}

/* Beside c->n by `step` [rad], at an angle about it; in the plane to either side. */
static void beside(const climb *c, double step, double angle, double n[3])
{
    double s[3];
    double t[3];

    if (c->a->dimension == 2) {
        vec3_set(s, -c->n[1], c->n[0], 0.0);
        vec3_add(c->n, cos(angle) < 0.0 ? -step : step, s, n);
    } else {
        vec3_tangents(c->n, s, t);
        vec3_add(c->n, step * cos(angle), s, n);
        vec3_add(n, step * sin(angle), t, n);
    }
    vec3_normalize(n);
}

static void climb_up(climb *c)
{
    double angle = 0.0;

    for (double step = first_step; step > last_step;) {
        bool better = false;

        for (int k = 0; k < 5 && !better; k++) {
            double n[3];

            angle += 2.39996323; /* the golden angle: never the same way */
            beside(c, step, angle, n);
            better = climb_try(c, n);
        }
        step *= better ? 1.5 : 0.5;
    }
}

/* The directions that i, j, k of the points w stand for. */
static void climb_to(climb *c, const double *w, size_t i, size_t j, size_t k)
{
    double d[3];
    double e[3];
    double n[3];
    double back[3];

    vec3_subtract(w + 3 * j, w + 3 * i, d);
    vec3_subtract(w + 3 * k, w + 3 * i, e);
    vec3_copy(n, w + 3 * i);
    if (j != i && k != j) {
        vec3_cross(d, e, n);
    } else if (j != i && vec3_dot(d, d) > 0.0) {
        vec3_add(n, -vec3_dot(n, d) / vec3_dot(d, d), d, n);
    }
    if (vec3_normalize(n) > 0.0) {
        vec3_scale(-1.0, n, back);
        climb_try(c, n);
        climb_try(c, back);
    }
}

static void climb_polish(climb *c)
{
    for (double step = 0.4; step > last_step; step *= 0.25) {
        double w[3 * AROUND];
        size_t count = 0;

        for (int k = 0; k < AROUND; k++) {
            double n[3];
            size_t l = 0;

            beside(c, step, 2.0 * M_PI * k / AROUND, n);
            convex_lowest(c->a, c->b, n, w + 3 * count);
            while (memcmp(w + 3 * l, w + 3 * count, 3 * sizeof *w) != 0) {
                l++;
            }
            count += l == count;
        }
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count; j++) {
                for (size_t k = j; k < (i == j ? i + 1 : count); k++) {
                    climb_to(c, w, i, j, k);
                }
            }
        }
    }
}

/* Direction k of a net: points of a spiral on the sphere, or of the circle. */
static void net(unsigned dimension, int k, double n[3])
{
    double z = 1.0 - (2.0 * k + 1.0) / NET;
    double angle = dimension == 2 ? 2.0 * M_PI * k / NET : 2.39996323 * k;
    double across = dimension == 2 ? 1.0 : sqrt(1.0 - z * z);

    vec3_set(n, across * cos(angle), across * sin(angle), dimension == 2 ? 0.0 : z);
}

/* The best of the net, and the best of those that are not near one taken. */
static void choose_starts(const climb *none, climb start[STARTS])
{
    climb all[NET];

    for (int k = 0; k < NET; k++) {
        double n[3];

        all[k] = *none;
        net(none->a->dimension, k, n);
        climb_try(&all[k], n);
    }
    for (int l = 0; l < STARTS; l++) {
        start[l] = *none;
        for (int k = 0; k < NET; k++) {
            bool near = false;

            for (int taken = 0; taken < l; taken++) {
                near = near || vec3_dot(start[taken].n, all[k].n) > start_apart;
            }
            if (!near && all[k].gap > start[l].gap) {
                start[l] = all[k];
            }
        }
    }
}

double convex_gap(const convex *a, const convex *b, double n[3])
{
    climb best = {.a = a, .b = b, .gap = -INFINITY};
    climb start[STARTS];

    if (a->shape.type->unbounded) {
        unsigned up = a->dimension == 2 ? 1 : 2;

        vec3_set(n, a->at.R[up], a->at.R[3 + up], a->at.R[6 + up]);
        return convex_apart(a, b, n);
    }
    choose_starts(&best, start);
    for (int k = 0; k < STARTS; k++) {
        climb_up(&start[k]);
        climb_polish(&start[k]);
        best = start[k].gap > best.gap ? start[k] : best;
    }
    vec3_copy(n, best.n);
    return best.gap;
}
