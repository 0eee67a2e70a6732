/* SPDX-License-Identifier: Apache-2.0
 * world/motion.c: quantities computed from poses and velocities: inertias in world axes,
 * forces, momentum, potential energy.
 *
 *     I = R I_body R^T,   L = sum of r x m v + I w */
#include <config.h>

#include <perp/dynamics/force.h>
#include <perp/dynamics/rotation.h>

#include "world/world.h"

/* The inverse of a symmetric positive definite matrix by its adjugate. */
static void motion_inverse_spd(const double A[9], double out[9])
{
    double c[9];
    double f = 1.0 / mat3_determinant(A);

    vec3_cross(A + 3, A + 6, c);
    vec3_cross(A + 6, A, c + 3);
    vec3_cross(A, A + 3, c + 6);
    for (int k = 0; k < 9; k++) {
        out[k] = f * c[k];
    }
}

void world_refresh_body(const perp_world *w, perp_state *state, size_t k)
{
    double *out = state->inverse_inertia + 9 * k;
    const double *I = w->inertia + 9 * k;

    memset(out, 0, 9 * sizeof *out);
    if (w->motion[k] != PERP_MOTION_DYNAMIC) {
        return;
    }
    if (w->dimension == 2) {
        out[8] = 1.0 / I[8];
    } else {
        double R[9];
        double inverse[9];

        perp_rotation_matrix(perp_body_pose(state, k) + 3, R);
        motion_inverse_spd(I, inverse);
        mat3_congruence(R, inverse, out);
    }
}

void perp_world_refresh(const perp_world *w, perp_state *state)
{
    for (size_t k = 0; k < w->body_count; k++) {
        world_refresh_body(w, state, k);
    }
}

void perp_world_inertia(const perp_world *w, const perp_state *state, size_t k,
                        double I[9])
{
    double R[9];

    perp_rotation_matrix(perp_body_pose(state, k) + 3, R);
    mat3_congruence(R, w->inertia + 9 * k, I);
}

void perp_body_point(const perp_state *state, size_t k, const double a[3], double p[3])
{
    const double *s = perp_body_pose(state, k);

    perp_quat_rotate(s + 3, a, p);
    vec3_add(p, 1.0, s, p);
}

/* Computed in body axes. */
void world_spin(const perp_world *w, const perp_state *state, size_t k, double L[3])
{
    double R[9];

    perp_rotation_matrix(perp_body_pose(state, k) + 3, R);
    mat3_apply_transposed(R, perp_body_velocity(state, k) + 3, L);
    mat3_apply(w->inertia + 9 * k, L, L);
    mat3_apply(R, L, L);
}

void perp_world_forces(const perp_world *w, const perp_state *state, bool gyroscopic,
                       double *f)
{
    memcpy(f, state->load, 6 * w->body_count * sizeof *f);
    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] != PERP_MOTION_DYNAMIC) {
            continue;
        }
        vec3_add(f + 6 * k, w->mass[k] * w->gravity_scale[k], w->gravity, f + 6 * k);
        if (gyroscopic && w->dimension == 3) {
            double L[3];
            double torque[3];

            world_spin(w, state, k, L);
            vec3_cross(perp_body_velocity(state, k) + 3, L, torque);
            vec3_add(f + 6 * k + 3, -1.0, torque, f + 6 * k + 3);
        }
    }
    for (size_t k = 0; k < w->force_count; k++) {
        w->forces[k].type->apply(&w->forces[k], w, state, f);
    }
}

void perp_world_accelerations(const perp_world *w, const perp_state *state,
                              const double *f, double *du)
{
    for (size_t k = 0; k < w->body_count; k++) {
        vec3_scale(w->inverse_mass[k], f + 6 * k, du + 6 * k);
        mat3_apply(state->inverse_inertia + 9 * k, f + 6 * k + 3, du + 6 * k + 3);
        if (w->dimension == 2) {
            du[6 * k + 2] = 0.0; /* a load may have a part out of the plane */
        }
    }
}

double perp_world_potential(const perp_world *w, const perp_state *state)
{
    double sum = 0.0;

    for (size_t k = 0; k < w->body_count; k++) {
        sum -= w->mass[k] * w->gravity_scale[k] *
               vec3_dot(w->gravity, perp_body_pose(state, k));
    }
    return sum;
}

void perp_world_momentum(const perp_world *w, const perp_state *state, double p[3])
{
    vec3_set(p, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < w->body_count; k++) {
        vec3_add(p, w->mass[k], perp_body_velocity(state, k), p);
    }
}

void perp_world_angular_momentum(const perp_world *w, const perp_state *state,
                                 double L[3])
{
    vec3_set(L, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            double spin[3];
            double orbit[3];

            world_spin(w, state, k, spin);
            vec3_cross(perp_body_pose(state, k), perp_body_velocity(state, k), orbit);
            vec3_add(L, 1.0, spin, L);
            vec3_add(L, w->mass[k], orbit, L);
        }
    }
}
