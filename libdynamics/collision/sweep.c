/* SPDX-License-Identifier: Apache-2.0
 * collision/sweep.c: whether two shapes touch while their bodies move over a step.
 *
 * Conservative advancement: with displacements d and rotations th of the step, points at
 * most l from the centres of mass approach each other by no more than
 *
 *     v = |d_b - d_a| + |th_a| l_a + |th_b| l_b
 *
 * in the whole step, so that a gap g at the share t of it is not closed before t + g/v.
 * Convex shapes are separated by a slab across their normal n, so that n.(d_a - d_b)
 * replaces the length: a shape that slides along a surface needs few queries. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "collision/collider.h"

enum { SWEEP_MOST = 64 /* queries; a pair that needs more is taken to touch */ };

/* A shape, its body's centre, and how the body moves within the step. */
typedef struct swept {
    perp_placed start;
    double centre[3];
    double d[3], th[3];
    double lever; /* INFINITY: unbounded */
} swept;

static void sweep_take(const perp_world *w, const perp_state *state, size_t shape,
                       size_t part, const double *move, swept *out)
{
    const size_t body = (size_t)w->shapes[shape].body;
    double arm[3];

    collide_place_part(w, state, shape, part, &out->start);
    vec3_copy(out->centre, perp_body_pose(state, body));
    vec3_copy(out->d, move);
    vec3_copy(out->th, move + 3);
    vec3_subtract(out->start.x, out->centre, arm);
    out->lever = out->start.shape->type->reach(out->start.shape) + vec3_length(arm);
}

/* Where it is at the share t of the step. */
static void sweep_place(const swept *s, double t, perp_placed *out)
{
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    double turn[9];
    double arm[3];

    perp_quat_turn(q, s->th, t, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    perp_rotation_matrix(q, turn);
    out->shape = s->start.shape;
    mat3_multiply(turn, s->start.R, out->R);
    vec3_subtract(s->start.x, s->centre, arm);
    mat3_apply(turn, arm, out->x);
    vec3_add(out->x, 1.0, s->centre, out->x);
    vec3_add(out->x, t, s->d, out->x);
}

/* The approach of d along n where shapes are convex, else in any direction. */
static double sweep_along(const swept *a, const swept *b, const double d[3],
                          const double n[3])
{
    const bool convex = a->start.shape->type->support && b->start.shape->type->support;

    return convex ? -vec3_dot(n, d) : vec3_length(d);
}

/* v of a and b with the normal n from a to b; b has a finite lever. */
static double sweep_approach(const swept *a, const swept *b, const double n[3])
{
    double d[3];
    double spin[3];
    double arm[3];

    vec3_subtract(b->d, a->d, d);
    if (isfinite(a->lever)) {
        return sweep_along(a, b, d, n) + vec3_length(a->th) * a->lever +
               vec3_length(b->th) * b->lever;
    }
    vec3_subtract(b->centre, a->centre, arm);
    vec3_cross(a->th, arm, arm);
    vec3_subtract(d, arm, d);
    vec3_subtract(b->th, a->th, spin);
    return vec3_length(d) + vec3_length(spin) * b->lever;
}

bool collide_sweep(const perp_world *w, const perp_state *state, const perp_contact *c,
                   const double *move_i, const double *move_j, double near)
{
    const perp_narrow_settings settings = {.dimension = w->dimension};
    perp_placed i;
    perp_placed j;
    swept a;
    swept b;
    double back[3];
    double v = 0.0;
    double t = 0.0;

    sweep_take(w, state, c->shape_i, c->part_i, move_i, &a);
    sweep_take(w, state, c->shape_j, c->part_j, move_j, &b);
    for (int k = 0; k < SWEEP_MOST && t <= 1.0; k++) {
        perp_proximity p;

        sweep_place(&a, t, &i);
        sweep_place(&b, t, &j);
        if (perp_proximity_find(NULL, &i, &j, &settings, &p, NULL) != PERP_OK ||
            !(p.gap > near)) {
            return true;
        }
        if (isfinite(b.lever)) {
            v = sweep_approach(&a, &b, p.normal);
        } else {
            vec3_scale(-1.0, p.normal, back);
            v = sweep_approach(&b, &a, back);
        }
        if (!(v > 0.0)) {
            return false;
        }
        t += p.gap / v;
    }
    return t <= 1.0;
}
