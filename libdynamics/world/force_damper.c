/* SPDX-License-Identifier: Apache-2.0
 * world/force_damper.c: a damper against all relative motion of two bodies at a point.
 *
 *     F = -c (v_j(p) - v_i(p)),   torque = -c_w (w_j - w_i)   on j, the opposite on i
 *
 * at p, the midpoint of the two anchors: with one common point the pair of forces
 * conserves angular momentum for any anchors. The dissipated power is c |dv|^2 + c_w
 * |dw|^2 [W]. For a damper along a line use a spring without stiffness. */
#include <config.h>

#include "world/forces.h"

enum { DAMPING, ANGULAR };

static void damper_apply(const perp_force *d, const perp_world *w,
                         const perp_state *state, double *f)
{
    double *f_i = f + 6 * (size_t)d->i;
    double *f_j = f + 6 * (size_t)d->j;
    double p[3];
    double v[3];
    double F[3];

    (void)w;
    perp_body_point(state, (size_t)d->i, d->anchor_i, p);
    perp_body_point(state, (size_t)d->j, d->anchor_j, v);
    vec3_add(p, 1.0, v, p);
    vec3_scale(0.5, p, p);
    force_point_velocity(state, d->i, p, F);
    force_point_velocity(state, d->j, p, v);
    vec3_subtract(v, F, v);
    vec3_scale(d->value[DAMPING], v, F);
    force_add_at(state, d->i, F, p, f);
    vec3_scale(-d->value[DAMPING], v, F);
    force_add_at(state, d->j, F, p, f);
    vec3_subtract(perp_body_velocity(state, (size_t)d->j) + 3,
                  perp_body_velocity(state, (size_t)d->i) + 3, v);
    vec3_add(f_i + 3, d->value[ANGULAR], v, f_i + 3);
    vec3_add(f_j + 3, -d->value[ANGULAR], v, f_j + 3);
}

/* D; K omits the rotation of the arms with the bodies. */
static void damper_derivative(const perp_force *d, const perp_world *w,
                              const perp_state *state, double *K, double *D)
{
    double a_i[3];
    double a_j[3];
    double p[3];

    (void)w;
    (void)K;
    perp_body_point(state, (size_t)d->i, d->anchor_i, p);
    perp_body_point(state, (size_t)d->j, d->anchor_j, a_j);
    vec3_add(p, 1.0, a_j, p);
    vec3_scale(0.5, p, p);
    vec3_subtract(p, perp_body_pose(state, (size_t)d->i), a_i);
    vec3_subtract(p, perp_body_pose(state, (size_t)d->j), a_j);
    for (size_t c = 0; c < 3; c++) {
        double row[12];
        double turn[12] = {0};

        force_relative(c, a_i, a_j, row);
        force_add_square(D, 12, -d->value[DAMPING], row);
        turn[3 + c] = -1.0;
        turn[9 + c] = 1.0;
        force_add_square(D, 12, -d->value[ANGULAR], turn);
    }
}

static perp_status damper_check(const perp_force *d, perp_error *err)
{
    return force_check_signs(d, 2, err);
}

static const char *const damper_parameters[] = {"damping [N s/m]",
                                                "angular damping [N m s/rad]", NULL};

const perp_force_type force_damper = {
    .name = "damper",
    .summary = "damper against the relative motion of two bodies at a point",
    .bodies = 2,
    .apply = damper_apply,
    .derivative = damper_derivative,
    .check = damper_check,
    .parameters = damper_parameters,
};
