/* SPDX-License-Identifier: Apache-2.0
 * step/gyro.c: the gyroscopic stage of a step, I dw/dt = -w x I w over dt.
 *
 *     midpoint         I (w2 - w1) + dt wm x I wm = 0, wm = (w1 + w2)/2  T2 = T1
 *     explicit         w2 = w1 - dt I^-1 (w1 x I w1)           T2 - T1 = +dw.I dw/2
 *     implicit         F(w2) = I (w2 - w1) + dt w2 x I w2 = 0  T2 - T1 = -dw.I dw/2
 *
 * by Newton's method with F'(w) = I + dt ([w]x I - [I w]x): one step from w1, where
 * F(w1) = dt w1 x I w1, or to rounding. In body axes or in world axes it is the same
 * step, since R F_body(R^T w) = F_world(w). All these are of order 1. [catto-2015]
 *
 * The midpoint rule, in body axes and to rounding, is F(wm) = 0 over dt/2 and
 * w2 = 2 wm - w1, of order 2. Both invariants of the free body are quadratic, so it keeps
 * T = w.I w/2 and |I w|: I w turns by Cayley's map of -dt wm.
 * [hairer-lubich-wanner-2006, section IV.2] */
#include <config.h>

#include <float.h>

#include <perp/dynamics/rotation.h>

#include "step/integrate.h"

enum { middle_limit = 10, halving_limit = 20 };
enum { newton_limit = 60 }; /* quadratic: four or five unless dt |w| is far above 1 */

bool gyro_solve_3x3(const double A[9], const double b[3], double x[3])
{
    const double c1[3] = {A[0], A[3], A[6]};
    const double c2[3] = {A[1], A[4], A[7]};
    const double c3[3] = {A[2], A[5], A[8]};
    double n1[3];
    double n2[3];
    double n3[3];
    double det = 0.0;

    vec3_cross(c2, c3, n1);
    vec3_cross(c3, c1, n2);
    vec3_cross(c1, c2, n3);
    det = vec3_dot(c1, n1);
    /* relative: an inertia of 1e-9 kg m^2 is as good as one of 1 */
    if (!(fabs(det) >
          16.0 * DBL_EPSILON * vec3_length(c1) * vec3_length(c2) * vec3_length(c3))) {
        return false;
    }
    vec3_set(x, vec3_dot(b, n1) / det, vec3_dot(b, n2) / det, vec3_dot(b, n3) / det);
    return true;
}

void gyro_residual(const double I[9], const double w1[3], const double w2[3], double dt,
                   double F[3])
{
    double L[3];
    double dw[3];

    mat3_apply(I, w2, L);
    vec3_cross(w2, L, L);
    vec3_subtract(w2, w1, dw);
    mat3_apply(I, dw, F);
    vec3_add(F, dt, L, F);
}

void gyro_derivative(const double I[9], const double w[3], double dt, double D[9])
{
    double W[9];
    double X[9];
    double L[3];

    perp_cross_matrix(w, X);
    mat3_multiply(X, I, W);
    mat3_apply(I, w, L);
    perp_cross_matrix(L, X);
    for (int k = 0; k < 9; k++) {
        D[k] = I[k] + dt * (W[k] - X[k]);
    }
}

static perp_status gyro_singular(perp_error *err)
{
    return perp_fail(err, PERP_ERR_DATA,
                     "gyroscopic stage: the matrix is singular, expected a positive "
                     "definite inertia and a finite velocity");
}

static perp_status gyro_explicit(const double I[9], double dt, double w[3],
                                 perp_error *err)
{
    double torque[3];

    gyro_residual(I, w, w, dt, torque);
    if (!gyro_solve_3x3(I, torque, torque)) {
        return gyro_singular(err);
    }
    vec3_add(w, -1.0, torque, w);
    return PERP_OK;
}

static perp_status gyro_newton(const double I[9], double dt, double w[3], perp_error *err)
{
    double D[9];
    double F[3];

    gyro_residual(I, w, w, dt, F);
    gyro_derivative(I, w, dt, D);
    if (!gyro_solve_3x3(D, F, F)) {
        return gyro_singular(err);
    }
    vec3_add(w, -1.0, F, w);
    return PERP_OK;
}

/* Newton's method, halving steps that do not lessen |F|, until nothing lessens it. */
static perp_status gyro_converge(const double I[9], double dt, double w[3],
                                 perp_error *err)
{
    double at[3];
    double F[3];
    double D[9];
    double size = 0.0;

    vec3_copy(at, w);
    gyro_residual(I, w, at, dt, F);
    size = vec3_length(F);
    for (int k = 0; k < newton_limit && size > 0.0; k++) {
        double before = size;

        gyro_derivative(I, at, dt, D);
        if (!gyro_solve_3x3(D, F, F)) {
            return gyro_singular(err);
        }
        for (double share = 1.0; size >= before && share > 1e-6; share *= 0.5) {
            double next[3];
            double G[3];

            vec3_add(at, -share, F, next);
            gyro_residual(I, w, next, dt, G);
            if (vec3_length(G) < before) {
                size = vec3_length(G);
                vec3_copy(at, next);
            }
        }
        if (size >= before) {
            break;
        }
        gyro_residual(I, w, at, dt, F);
    }
    mat3_apply(I, w, F);
    if (!(size <= 1e-10 * vec3_length(F))) { /* rounding: 1e-16 times (1 + dt |w|) */
        return perp_fail(err, PERP_ERR_DATA,
                         "gyroscopic stage: Newton's method left a residual of %g of %g "
                         "[kg m^2/s], expected a smaller step than %g s",
                         size, vec3_length(F), dt);
    }
    vec3_copy(w, at);
    return PERP_OK;
}

/* wm from F(wm) = 0 over dt/2: false where Newton's method does not come to rounding. */
static bool gyro_middle(const double I[9], double dt, const double w[3], double wm[3])
{
    double L[3];
    double F[3];
    double D[9];
    double small = 0.0;

    mat3_apply(I, w, L);
    small = 8.0 * DBL_EPSILON * vec3_length(L);
    vec3_copy(wm, w);
    gyro_residual(I, w, wm, 0.5 * dt, F);
    for (int k = 0; k < middle_limit && vec3_length(F) > small; k++) {
        gyro_derivative(I, wm, 0.5 * dt, D);
        if (!gyro_solve_3x3(D, F, F)) {
            return false;
        }
        vec3_add(wm, -1.0, F, wm);
        gyro_residual(I, w, wm, 0.5 * dt, F);
    }
    /* what is left is rounding of terms of the size |L| (1 + dt |wm|) */
    return vec3_length(F) <= small * (1.0 + 0.5 * fabs(dt) * vec3_length(wm));
}

/* w, and unless NULL q as well, turned by Cayley's map of dt wm. Where the method does not
 * converge, dt |w| being far above 1, in halves. */
static bool gyro_midpoint(const double I[9], double dt, int halvings, double q[4],
                          double w[3])
{
    double wm[3];

    if (gyro_middle(I, dt, w, wm)) {
        if (q) {
            const double turn[4] = {1.0, 0.5 * dt * wm[0], 0.5 * dt * wm[1],
                                    0.5 * dt * wm[2]};

            perp_quat_multiply(q, turn, q);
            perp_quat_normalize(q);
        }
        vec3_scale(2.0, wm, wm);
        vec3_subtract(wm, w, w);
        return true;
    }
    return halvings > 0 && gyro_midpoint(I, 0.5 * dt, halvings - 1, q, w) &&
           gyro_midpoint(I, 0.5 * dt, halvings - 1, q, w);
}

bool integrate_spin(const double I[9], double dt, double q[4], double omega[3])
{
    double w[3];
    double turned[4];

    memcpy(turned, q, sizeof turned);
    perp_quat_rotate_back(q, omega, w);
    if (!gyro_midpoint(I, dt, halving_limit, turned, w)) {
        return false;
    }
    memcpy(q, turned, sizeof turned);
    perp_quat_rotate(q, w, omega);
    return true;
}

/* A velocity that is not finite, or too large for its torque, is left unchanged; the caller
 * detects it and names the body. */
static perp_status gyro_keep(const double I[9], double dt, double w[3], perp_error *err)
{
    double next[3];
    double F[3];

    gyro_residual(I, w, w, dt, F);
    if (!isfinite(vec3_dot(F, F))) {
        return gyro_explicit(I, dt, w, err);
    }
    vec3_copy(next, w);
    if (!gyro_midpoint(I, dt, halving_limit, NULL, next)) {
        return gyro_singular(err);
    }
    vec3_copy(w, next);
    return PERP_OK;
}

/* In one set of axes, in which I is given. */
static perp_status gyro_variant(perp_gyro gyro, const double I[9], double dt, double w[3],
                                perp_error *err)
{
    switch (gyro) {
    case PERP_GYRO_MIDPOINT:
        return gyro_keep(I, dt, w, err);
    case PERP_GYRO_EXPLICIT:
        return gyro_explicit(I, dt, w, err);
    case PERP_GYRO_IMPLICIT_BODY:
    case PERP_GYRO_IMPLICIT_WORLD:
        return gyro_newton(I, dt, w, err);
    case PERP_GYRO_CONVERGED:
        return gyro_converge(I, dt, w, err);
    case PERP_GYRO_NONE:
    default:
        return PERP_OK;
    }
}

perp_status perp_gyro_stage(perp_gyro gyro, const double q[4], const double inertia[9],
                            double dt, double omega[3], perp_error *err)
{
    perp_status status = PERP_OK;
    double w[3];

    if (gyro == PERP_GYRO_NONE) {
        return PERP_OK;
    }
    if (gyro == PERP_GYRO_IMPLICIT_WORLD) {
        double R[9];
        double I[9];

        perp_rotation_matrix(q, R);
        mat3_congruence(R, inertia, I);
        return gyro_variant(gyro, I, dt, omega, err);
    }
    perp_quat_rotate_back(q, omega, w);
    status = gyro_variant(gyro, inertia, dt, w, err);
    if (status == PERP_OK) {
        perp_quat_rotate(q, w, omega);
    }
    return status;
}

perp_status perp_gyro_torque_stage(perp_gyro gyro, perp_gyro_split split,
                                   const double q[4], const double inertia[9],
                                   const double torque[3], double dt, double omega[3],
                                   perp_error *err)
{
    double push[3];
    double w[3];
    double after[3];
    perp_status status = PERP_OK;

    vec3_copy(push, torque);
    if (torque[0] != 0.0 || torque[1] != 0.0 || torque[2] != 0.0) {
        perp_quat_rotate_back(q, torque, push);
        if (!gyro_solve_3x3(inertia, push, push)) {
            return gyro_singular(err);
        }
        perp_quat_rotate(q, push, push);
    }
    vec3_copy(w, omega);
    if (split == PERP_GYRO_SEQUENTIAL) {
        vec3_add(w, dt, push, w);
    }
    vec3_copy(after, w);
    status = perp_gyro_stage(gyro, q, inertia, dt, after, err);
    if (status == PERP_OK && split == PERP_GYRO_ADDED) {
        vec3_add(after, dt, push, after);
    }
    if (status == PERP_OK) {
        vec3_copy(omega, after);
    }
    return status;
}
