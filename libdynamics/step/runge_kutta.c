/* SPDX-License-Identifier: Apache-2.0
 * step/runge_kutta.c: the explicit midpoint rule (order 2) and the classical method
 * of order 4.
 *
 * RK4 works on (r, q, v, w_b) with omega in body axes:
 *
 *     dq/dt = q (0, w_b)/2,   dw_b/dt = R^T (I^-1 (tau - w x I w))
 *
 * for then the energy of a free spin does not feel errors of q. Stages are evaluated at
 * normalized q: the rate depends on q only through its direction, so that the order
 * stays.
 *
 * Trees have (q, nu) with dq/dt = N^-1 nu in RK4: coordinates of one chart over the whole
 * step, in which sums of rates are of order 4 as they stand. Rotations composed of four
 * exponentials of nu would need commutators of the stages for it [munthe-kaas-1998]. The
 * midpoint rule has order 2 by exponentials, since the commutator of nu and nu at the
 * middle is of order h. [hairer-lubich-wanner-2006, section VII.5] */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "step/integrate.h"

static perp_status midpoint_motion(perp_free_motion *motion, const perp_world *w,
                                   perp_state *state, const perp_scheme *scheme,
                                   perp_error *err)
{
    size_t n = integrate_velocities(w);
    double *a = motion->work;
    double *u = a + n;
    double *s = u + n;
    double h = scheme->dt;
    perp_status status = PERP_OK;

    TRY(integrate_accelerations(motion, w, state, scheme, a, err));
    integrate_kick(w, motion->u, 0.5 * h, a, u);
    integrate_drift(w, state, scheme, motion->s, motion->u, 0.5 * h, s);
    status = integrate_place(w, state, s, u, state->t + 0.5 * h, err);
    if (status == PERP_OK) {
        status = integrate_accelerations(motion, w, state, scheme, a, err);
    }
    integrate_drift(w, state, scheme, motion->s, u, h, motion->s);
    integrate_kick(w, motion->u, h, a, motion->u);
    return status;
}

const integrator_type integrator_midpoint = {
    .positions = true,
    .end_share = 0.5,
    .work = 19,
    .coordinates = 3,
    .motion = midpoint_motion,
};

enum { RK_STATE = 13 }; /* r, q, v, w_b of a body */

/* Length of y: bodies, then q and nu of trees. */
static size_t rk4_length(const perp_world *w)
{
    return RK_STATE * w->body_count + 2 * integrate_coordinates(w);
}

/* y := the state of the motion, with omega in body axes. */
static void rk4_gather(const perp_world *w, const perp_state *state,
                       const perp_free_motion *motion, double *y)
{
    size_t n = w->body_count;
    size_t m = integrate_coordinates(w);

    for (size_t k = 0; k < w->body_count; k++) {
        double *yk = y + RK_STATE * k;
        const double *u = perp_body_velocity(state, k);

        memcpy(yk, perp_body_pose(state, k), 7 * sizeof *yk);
        vec3_copy(yk + 7, u);
        perp_quat_rotate_back(yk + 3, u + 3, yk + 10);
    }
    memcpy(y + RK_STATE * n, motion->s + 7 * n, m * sizeof *y);
    memcpy(y + RK_STATE * n + m, motion->u + 6 * n, m * sizeof *y);
}

/* The state y + f d into s and u (world axes, q normalized). */
static void rk4_scatter(const perp_world *w, const double *y, double f, const double *d,
                        double *s, double *u)
{
    size_t n = w->body_count;
    size_t m = integrate_coordinates(w);

    for (size_t k = 0; k < n; k++) {
        double x[RK_STATE];

        for (size_t c = 0; c < RK_STATE; c++) {
            x[c] = y[RK_STATE * k + c] + f * d[RK_STATE * k + c];
        }
        if (world_stays(w, k) || integrate_linked(w, k)) {
            continue;
        }
        perp_quat_normalize(x + 3);
        memcpy(s + 7 * k, x, 7 * sizeof *s);
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            vec3_copy(u + 6 * k, x + 7);
            perp_quat_rotate(x + 3, x + 10, u + 6 * k + 3);
        }
    }
    for (size_t c = 0; c < m; c++) {
        s[7 * n + c] = y[RK_STATE * n + c] + f * d[RK_STATE * n + c];
        u[6 * n + c] = y[RK_STATE * n + m + c] + f * d[RK_STATE * n + m + c];
    }
}

/* d := the rate of y at the state of the world; `a` is scratch. */
static perp_status rk4_rate(const perp_free_motion *motion, const perp_world *w,
                            const perp_state *state, const perp_scheme *scheme, double *a,
                            double *d, perp_error *err)
{
    size_t n = w->body_count;
    size_t m = integrate_coordinates(w);
    perp_status status = integrate_accelerations(motion, w, state, scheme, a, err);

    for (size_t k = 0; k < n; k++) {
        const double *u = perp_body_velocity(state, k);
        const double *q = perp_body_pose(state, k) + 3;
        double *dk = d + RK_STATE * k;

        memset(dk, 0, RK_STATE * sizeof *dk);
        if (world_stays(w, k) || integrate_linked(w, k)) {
            continue;
        }
        vec3_copy(dk, u);
        perp_quat_rate(q, u + 3, dk + 3);
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            vec3_copy(dk + 7, a + 6 * k);
            perp_quat_rotate_back(q, a + 6 * k + 3, dk + 10);
        }
    }
    if (m > 0) {
        memcpy(d + RK_STATE * n, state->trees->qd, m * sizeof *d);
        memcpy(d + RK_STATE * n + m, a + 6 * n, m * sizeof *d);
    }
    return status;
}

static perp_status rk4_motion(perp_free_motion *motion, const perp_world *w,
                              perp_state *state, const perp_scheme *scheme,
                              perp_error *err)
{
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    size_t n = rk4_length(w);
    double *y = motion->work;
    double *d = y + n;
    double *sum = d + n;
    double *a = sum + n;
    double h = scheme->dt;
    double t = state->t;
    perp_status status = PERP_OK;

    rk4_gather(w, state, motion, y);
    memset(sum, 0, n * sizeof *sum);
    for (int k = 0; status == PERP_OK && k < 4; k++) {
        if (k > 0) {
            rk4_scatter(w, y, share[k] * h, d, motion->s, motion->u);
            status =
                integrate_place(w, state, motion->s, motion->u, t + share[k] * h, err);
        }
        if (status == PERP_OK) {
            status = rk4_rate(motion, w, state, scheme, a, d, err);
        }
        for (size_t c = 0; c < n; c++) {
            sum[c] += weight[k] * d[c];
        }
    }
    rk4_scatter(w, y, h, sum, motion->s, motion->u);
    return status;
}

const integrator_type integrator_rk4 = {
    .positions = true,
    .end_share = 0.5,
    .work = 3 * RK_STATE + 6,
    .coordinates = 3 * 2 + 1,
    .motion = rk4_motion,
};
