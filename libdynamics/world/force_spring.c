/* SPDX-License-Identifier: Apache-2.0
 * world/force_spring.c: a spring with a damper along it, between points of two bodies.
 *
 *     d = p_j - p_i,  L = |d|,  n = d/L,   F = k (L - L_0) + c dL/dt
 *
 * F n acts on i at p_i and -F n on j at p_j, so that a stretched spring pulls. Stored:
 * k (L - L_0)^2/2. Both forces lie on one line, so linear and angular momentum are
 * conserved. At L = 0 the direction is undefined and the force is 0. A spring to the
 * world ends on a static body. */
#include <config.h>

#include "world/forces.h"

enum { STIFFNESS, DAMPING, REST };

static void spring_ends(const perp_force *s, const perp_state *state, double p_i[3],
                        double p_j[3])
{
    perp_body_point(state, (size_t)s->i, s->anchor_i, p_i);
    perp_body_point(state, (size_t)s->j, s->anchor_j, p_j);
}

static void spring_apply(const perp_force *s, const perp_world *w,
                         const perp_state *state, double *f)
{
    double p_i[3];
    double p_j[3];
    double v_i[3];
    double v_j[3];
    double n[3];
    double F[3];
    double length = 0.0;
    double tension = 0.0;

    (void)w;
    spring_ends(s, state, p_i, p_j);
    vec3_subtract(p_j, p_i, n);
    length = vec3_normalize(n);
    if (length == 0.0) {
        return;
    }
    force_point_velocity(state, s->i, p_i, v_i);
    force_point_velocity(state, s->j, p_j, v_j);
    vec3_subtract(v_j, v_i, v_j);
    tension = s->value[STIFFNESS] * (length - s->value[REST]) +
              s->value[DAMPING] * vec3_dot(n, v_j);
    vec3_scale(tension, n, F);
    force_add_at(state, s->i, F, p_i, f);
    vec3_scale(-tension, n, F);
    force_add_at(state, s->j, F, p_j, f);
}

/* With a the arms of the ends and B the relative velocity of these, dL = n B u:
 *
 *     d2L = B^T (E - n n^T) B/L + n.p_j'' - n.p_i''
 *     K = -k (dL dL^T + (L - L_0) d2L),   D = -c dL dL^T
 *
 * K omits the rotation of n under the force c dL/dt. */
static void spring_derivative(const perp_force *s, const perp_world *w,
                              const perp_state *state, double *K, double *D)
{
    double a_i[3];
    double a_j[3];
    double n[3];
    double along[12] = {0};
    double length = 0.0;
    double pull = 0.0;

    (void)w;
    spring_ends(s, state, a_i, a_j);
    vec3_subtract(a_j, a_i, n);
    length = vec3_normalize(n);
    if (length == 0.0) {
        return;
    }
    vec3_subtract(a_i, perp_body_pose(state, (size_t)s->i), a_i);
    vec3_subtract(a_j, perp_body_pose(state, (size_t)s->j), a_j);
    pull = s->value[STIFFNESS] * (length - s->value[REST]);
    for (size_t c = 0; c < 3; c++) {
        double row[12];

        force_relative(c, a_i, a_j, row);
        force_add_square(K, 12, -pull / length, row);
        for (size_t k = 0; k < 12; k++) {
            along[k] += n[c] * row[k];
        }
    }
    force_add_square(K, 12, pull / length - s->value[STIFFNESS], along);
    force_add_square(D, 12, -s->value[DAMPING], along);
    force_add_turn(K, 12, 3, pull, n, a_i);
    force_add_turn(K, 12, 9, -pull, n, a_j);
}

static double spring_energy(const perp_force *s, const perp_world *w,
                            const perp_state *state)
{
    double p_i[3];
    double p_j[3];
    double stretch = 0.0;

    (void)w;
    spring_ends(s, state, p_i, p_j);
    vec3_subtract(p_j, p_i, p_j);
    stretch = vec3_length(p_j) - s->value[REST];
    return 0.5 * s->value[STIFFNESS] * stretch * stretch;
}

static perp_status spring_check(const perp_force *s, perp_error *err)
{
    return force_check_signs(s, 3, err);
}

static const char *const spring_parameters[] = {"stiffness [N/m]", "damping [N s/m]",
                                                "rest length [m]", NULL};

const perp_force_type force_spring = {
    .name = "spring",
    .dissipative = 1u << 1, /* damping */
    .summary = "spring and damper between two points",
    .bodies = 2,
    .apply = spring_apply,
    .derivative = spring_derivative,
    .energy = spring_energy,
    .check = spring_check,
    .parameters = spring_parameters,
};
