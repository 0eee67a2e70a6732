/* SPDX-License-Identifier: Apache-2.0
 * world/force_torsion_spring.c: a spring and damper on the rotation of j about an axis of
 * i.
 *
 * With the relative orientation d = q_i* q_j = (w, v) and the unit axis a in axes of i,
 *
 *     theta = 2 atan2(v.a, w),   dtheta/dt = g.Omega,
 *     g = (w^2 a + w v x a + (v.a) v)/(w^2 + (v.a)^2),   Omega = R_i^T (w_j - w_i)
 *
 * so that the torque -(k (theta - theta_0) + c dtheta/dt) R_i g on j, and its opposite on
 * i, is minus the gradient of the stored k (theta - theta_0)^2/2 for any other rotation
 * of j; without one, g = a. The difference of angles is taken in [-pi, pi]. If w and v.a
 * are both 0 (half a turn about an axis perpendicular to a), theta is undefined and the
 * torque is 0. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "world/forces.h"

enum { STIFFNESS, DAMPING, REST };

/* theta - theta_0 in [-pi, pi] and g; false if they are undefined. */
static bool torsion_angle(const perp_force *s, const perp_state *state, double *turn,
                          double g[3])
{
    const double *q_i = perp_body_pose(state, (size_t)s->i) + 3;
    const double *q_j = perp_body_pose(state, (size_t)s->j) + 3;
    double back[4];
    double d[4];
    double along = 0.0;
    double size = 0.0;

    perp_quat_conjugate(q_i, back);
    perp_quat_multiply(back, q_j, d);
    along = vec3_dot(d + 1, s->axis);
    size = d[0] * d[0] + along * along;
    if (size == 0.0) {
        return false;
    }
    *turn = remainder(2.0 * atan2(along, d[0]) - s->value[REST], 2.0 * VEC3_PI);
    vec3_cross(d + 1, s->axis, g);
    vec3_scale(d[0], g, g);
    vec3_add(g, d[0] * d[0], s->axis, g);
    vec3_add(g, along, d + 1, g);
    vec3_scale(1.0 / size, g, g);
    return true;
}

static void torsion_apply(const perp_force *s, const perp_world *w,
                          const perp_state *state, double *f)
{
    double *f_i = f + 6 * (size_t)s->i;
    double *f_j = f + 6 * (size_t)s->j;
    double g[3];
    double omega[3];
    double turn = 0.0;
    double torque = 0.0;

    (void)w;
    if (!torsion_angle(s, state, &turn, g)) {
        return;
    }
    perp_quat_rotate(perp_body_pose(state, (size_t)s->i) + 3, g, g);
    vec3_subtract(perp_body_velocity(state, (size_t)s->j) + 3,
                  perp_body_velocity(state, (size_t)s->i) + 3, omega);
    torque = s->value[STIFFNESS] * turn + s->value[DAMPING] * vec3_dot(g, omega);
    vec3_add(f_i + 3, torque, g, f_i + 3);
    vec3_add(f_j + 3, -torque, g, f_j + 3);
}

/* K = -k g g^T, D = -c g g^T along the relative rotation; K omits the rotation of g. */
static void torsion_derivative(const perp_force *s, const perp_world *w,
                               const perp_state *state, double *K, double *D)
{
    double row[12] = {0};
    double g[3];
    double turn = 0.0;

    (void)w;
    if (!torsion_angle(s, state, &turn, g)) {
        return;
    }
    perp_quat_rotate(perp_body_pose(state, (size_t)s->i) + 3, g, row + 9);
    vec3_scale(-1.0, row + 9, row + 3);
    force_add_square(K, 12, -s->value[STIFFNESS], row);
    force_add_square(D, 12, -s->value[DAMPING], row);
}

static double torsion_energy(const perp_force *s, const perp_world *w,
                             const perp_state *state)
{
    double g[3];
    double turn = 0.0;

    (void)w;
    return torsion_angle(s, state, &turn, g) ? 0.5 * s->value[STIFFNESS] * turn * turn
                                             : 0.0;
}

static perp_status torsion_check(const perp_force *s, perp_error *err)
{
    perp_status status = force_check_signs(s, 2, err);

    return status == PERP_OK ? force_check_axis(s, err) : status;
}

static const char *const torsion_parameters[] = {
    "stiffness [N m/rad]", "damping [N m s/rad]", "rest angle [rad]", NULL};

const perp_force_type force_torsion_spring = {
    .name = "torsion-spring",
    .dissipative = 1u << 1, /* damping */
    .summary = "spring and damper on the rotation of j about an axis fixed in i",
    .bodies = 2,
    .apply = torsion_apply,
    .derivative = torsion_derivative,
    .energy = torsion_energy,
    .check = torsion_check,
    .parameters = torsion_parameters,
};
