/* SPDX-License-Identifier: Apache-2.0
 * world/force_drag.c: drag of a medium at rest on one body.
 *
 *     F = -(c_1 + c_2 |v|) v,   torque = -(a_1 + a_2 |w|) w
 *
 * at the centre of mass: linear for slow (viscous) motion, quadratic for fast motion. */
#include <config.h>

#include "world/forces.h"

enum { LINEAR, QUADRATIC, ANGULAR, ANGULAR_QUADRATIC };

static void drag_apply(const perp_force *d, const perp_world *w, const perp_state *state,
                       double *f)
{
    const double *u = perp_body_velocity(state, (size_t)d->i);
    double *fk = f + 6 * (size_t)d->i;

    (void)w;
    vec3_add(fk, -(d->value[LINEAR] + d->value[QUADRATIC] * vec3_length(u)), u, fk);
    vec3_add(fk + 3,
             -(d->value[ANGULAR] + d->value[ANGULAR_QUADRATIC] * vec3_length(u + 3)),
             u + 3, fk + 3);
}

/* -(c_1 + c_2 |v|) E - c_2 v v^T/|v|, at (at, at) of D. */
static void drag_slope(double linear, double quadratic, const double v[3], size_t at,
                       double *D)
{
    const double speed = vec3_length(v);

    for (size_t i = 0; i < 3; i++) {
        D[7 * (at + i)] -= linear + quadratic * speed;
        for (size_t j = 0; j < 3 && speed > 0.0; j++) {
            D[6 * (at + i) + at + j] -= quadratic * (v[i] * v[j]) / speed;
        }
    }
}

static void drag_derivative(const perp_force *d, const perp_world *w,
                            const perp_state *state, double *K, double *D)
{
    const double *u = perp_body_velocity(state, (size_t)d->i);

    (void)w;
    (void)K;
    drag_slope(d->value[LINEAR], d->value[QUADRATIC], u, 0, D);
    drag_slope(d->value[ANGULAR], d->value[ANGULAR_QUADRATIC], u + 3, 3, D);
}

static perp_status drag_check(const perp_force *d, perp_error *err)
{
    return force_check_signs(d, 4, err);
}

static const char *const drag_parameters[] = {
    "linear drag [N s/m]", "quadratic drag [N s^2/m^2]", "angular drag [N m s/rad]",
    "quadratic angular drag [N m s^2/rad^2]", NULL};

const perp_force_type force_drag = {
    .name = "drag",
    .summary = "linear and quadratic drag on one body",
    .bodies = 1,
    .apply = drag_apply,
    .derivative = drag_derivative,
    .check = drag_check,
    .parameters = drag_parameters,
};
