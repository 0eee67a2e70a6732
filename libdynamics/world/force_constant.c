/* SPDX-License-Identifier: Apache-2.0
 * world/force_constant.c: a force along a direction fixed in the world and a torque about
 * it.
 *
 * The force acts at a point of the body (anchor_i, body axes; default the centre of
 * mass); either number may be zero or negative. */
#include <config.h>

#include "world/forces.h"

enum { FORCE, TORQUE };

static void constant_apply(const perp_force *c, const perp_world *w,
                           const perp_state *state, double *f)
{
    double *torque = f + 6 * (size_t)c->i + 3;
    double p[3];
    double F[3];

    (void)w;
    perp_body_point(state, (size_t)c->i, c->anchor_i, p);
    vec3_scale(c->value[FORCE], c->axis, F);
    force_add_at(state, c->i, F, p, f);
    vec3_add(torque, c->value[TORQUE], c->axis, torque);
}

/* K of the lever arm, which turns with the body. */
static void constant_derivative(const perp_force *c, const perp_world *w,
                                const perp_state *state, double *K, double *D)
{
    double p[3];

    (void)w;
    (void)D;
    perp_body_point(state, (size_t)c->i, c->anchor_i, p);
    vec3_subtract(p, perp_body_pose(state, (size_t)c->i), p);
    force_add_turn(K, 6, 3, c->value[FORCE], c->axis, p);
}

static const char *const constant_parameters[] = {"force [N]", "torque [N m]", NULL};

const perp_force_type force_constant = {
    .name = "constant",
    .summary = "constant force at a point and torque, in world axes",
    .bodies = 1,
    .apply = constant_apply,
    .derivative = constant_derivative,
    .check = force_check_axis,
    .parameters = constant_parameters,
};
