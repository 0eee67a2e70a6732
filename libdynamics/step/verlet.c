/* SPDX-License-Identifier: Apache-2.0
 * step/verlet.c: Stoermer and Verlet's method in its three forms, and with
 * the angular momentum; order 2,
 * symplectic for forces that depend on positions only.
 *
 *     position   x+ = 2 x - x- + h^2 a(x),  v = (x+ - x-)/(2 h)
 *     velocity   x+ = x + h v + h^2/2 a(x),  v+ = v + h/2 (a(x) + a(x+))
 *     leapfrog   half kick, drift, half kick
 *
 * The first three go through the same positions. Position Verlet starts from Taylor's series
 * x- = x - h v + h^2/2 a, one order better than necessary, and computes its velocity one
 * position later. Impulses change the velocities of bodies in every step, so that it
 * starts again in each step. Orientations move by the rotation vector h w + h^2/2 dw/dt;
 * the momentum form is leapfrog in (r, R, p, L): kicks change p and L = R I R^T w by
 * force and torque, and between them R is updated by Cayley's map of h wm, see gyro.c,
 * which keeps L in space and the energy up to rounding. A velocity-dependent force at the
 * end of a step is evaluated at u + h a, which keeps order 2. Coordinates of trees do the
 * same with nu. [hairer-lubich-wanner-2006, section I.1] */
#include <config.h>

#include "base/base.h"
#include "step/integrate.h"

/* Accelerations at the end of the step, with velocities u. */
static perp_status verlet_at_end(perp_free_motion *motion, const perp_world *w,
                                 perp_state *state, const perp_scheme *scheme,
                                 const double *u, double *a_end, perp_error *err)
{
    perp_status status =
        integrate_place(w, state, motion->s, u, state->t + scheme->dt, err);

    return status == PERP_OK
               ? integrate_accelerations(motion, w, state, scheme, a_end, err)
               : status;
}

/* The same with predicted velocities. */
static perp_status verlet_end(perp_free_motion *motion, const perp_world *w,
                              perp_state *state, const perp_scheme *scheme,
                              const double *a, double *u_guess, double *a_end,
                              perp_error *err)
{
    integrate_kick(w, motion->u, scheme->dt, a, u_guess);
    return verlet_at_end(motion, w, state, scheme, u_guess, a_end, err);
}

/* Half a kick by the accelerations a at the start, and the drift by u, the velocities then. */
static perp_status verlet_start(perp_free_motion *motion, const perp_world *w,
                                perp_state *state, const perp_scheme *scheme, double *a,
                                double *u, perp_error *err)
{
    perp_status status = integrate_accelerations(motion, w, state, scheme, a, err);

    if (status == PERP_OK) {
        integrate_kick(w, motion->u, 0.5 * scheme->dt, a, u);
        integrate_drift(w, state, scheme, motion->s, u, scheme->dt, motion->s);
    }
    return status;
}

static perp_status velocity_motion(perp_free_motion *motion, const perp_world *w,
                                   perp_state *state, const perp_scheme *scheme,
                                   perp_error *err)
{
    size_t n = integrate_velocities(w);
    double *a = motion->work;
    double *a_end = a + n;
    double *u = a_end + n;
    double h = scheme->dt;
    perp_status status = PERP_OK;

    TRY(verlet_start(motion, w, state, scheme, a, u, err));
    status = verlet_end(motion, w, state, scheme, a, u, a_end, err);
    for (size_t k = 0; k < n; k++) {
        a[k] += a_end[k];
    }
    integrate_kick(w, motion->u, 0.5 * h, a, motion->u);
    return status;
}

const integrator_type integrator_velocity_verlet = {
    .positions = true,
    .end_share = 0.5,
    .work = 18,
    .coordinates = 3,
    .motion = velocity_motion,
};

static perp_status leapfrog_motion(perp_free_motion *motion, const perp_world *w,
                                   perp_state *state, const perp_scheme *scheme,
                                   perp_error *err)
{
    size_t n = integrate_velocities(w);
    double *a = motion->work;
    double *u_half = a + n;
    double *u = u_half + n;
    double h = scheme->dt;
    perp_status status = PERP_OK;

    TRY(verlet_start(motion, w, state, scheme, a, u_half, err));
    status = verlet_end(motion, w, state, scheme, a, u, a, err);
    integrate_kick(w, u_half, 0.5 * h, a, motion->u);
    return status;
}

const integrator_type integrator_leapfrog = {
    .positions = true,
    .end_share = 0.5,
    .work = 18,
    .coordinates = 3,
    .motion = leapfrog_motion,
};

/* s and u moved by h without forces; the world is still where the step began. */
static perp_status momentum_drift(perp_free_motion *motion, const perp_world *w,
                                  const perp_state *state, const perp_scheme *scheme,
                                  double *u, perp_error *err)
{
    integrate_drift(w, state, scheme, motion->s, u, scheme->dt, motion->s);
    for (size_t k = 0; k < w->body_count; k++) {
        double *omega = u + 6 * k + 3;
        double q[4];

        if (!integrate_alone(w, k) || integrate_gyro(w, scheme, k) == PERP_GYRO_NONE) {
            continue;
        }
        memcpy(q, perp_body_pose(state, k) + 3, sizeof q);
        if (integrate_spin(w->inertia + 9 * k, scheme->dt, q, omega)) {
            memcpy(motion->s + 7 * k + 3, q, sizeof q);
        } else if (math_finite(omega, 3)) {
            perp_fail(
                err, PERP_ERR_DATA,
                "momentum: no rotation found for a step of %g s, expected a smaller step",
                scheme->dt);
            return perp_fail_in(err, PERP_ERR_DATA, w->name[k]);
        }
    }
    return PERP_OK;
}

static perp_status momentum_motion(perp_free_motion *motion, const perp_world *w,
                                   perp_state *state, const perp_scheme *scheme,
                                   perp_error *err)
{
    size_t n = integrate_velocities(w);
    double *a = motion->work;
    double *u_half = a + n;
    double *u = u_half + n;
    double h = scheme->dt;
    perp_scheme kick = *scheme; /* torque without the gyroscopic one */
    perp_status status = PERP_OK;

    kick.override_gyro = true;
    kick.gyro = PERP_GYRO_NONE;
    TRY(integrate_accelerations(motion, w, state, &kick, a, err));
    integrate_kick(w, motion->u, 0.5 * h, a, u_half);
    status = momentum_drift(motion, w, state, scheme, u_half, err);
    integrate_kick(w, u_half, 0.5 * h, a, u);
    if (status == PERP_OK) {
        status = verlet_at_end(motion, w, state, &kick, u, a, err);
    }
    integrate_kick(w, u_half, 0.5 * h, a, motion->u);
    return status;
}

const integrator_type integrator_momentum = {
    .positions = true,
    .end_share = 0.5,
    .work = 18,
    .coordinates = 3,
    .motion = momentum_motion,
};

/* The way of each body, and coordinate, in a step, as x - x- in units of length and
 * turn: back = h u - h^2/2 a was the last one, on = back + h^2 a is this one, and on +
 * h^2 a_end would be the next, so that u+ = (on + next)/(2 h). */
static perp_status position_motion(perp_free_motion *motion, const perp_world *w,
                                   perp_state *state, const perp_scheme *scheme,
                                   perp_error *err)
{
    size_t n = integrate_velocities(w);
    size_t bodies = 6 * w->body_count;
    double *a = motion->work;
    double *a_end = a + n;
    double *on = a_end + n;
    double *u = on + n;
    double h = scheme->dt;
    perp_status status = PERP_OK;

    TRY(integrate_accelerations(motion, w, state, scheme, a, err));
    for (size_t k = 0; k < n; k++) {
        on[k] = h * motion->u[k];
    }
    integrate_kick(w, on, -0.5 * h * h, a, on);
    integrate_kick(w, on, h * h, a, on);
    integrate_drift(w, state, scheme, motion->s, on, 1.0, motion->s);
    status = verlet_end(motion, w, state, scheme, a, u, a_end, err);
    integrate_kick(w, on, 0.5 * h * h, a_end, on);
    for (size_t k = 0; k < n; k++) {
        if (k >= bodies || world_moves(w, (int32_t)(k / 6))) {
            motion->u[k] = on[k] / h;
        }
    }
    return status;
}

const integrator_type integrator_position_verlet = {
    .positions = true,
    .end_share = 0.5,
    .work = 24,
    .coordinates = 4,
    .motion = position_motion,
};
