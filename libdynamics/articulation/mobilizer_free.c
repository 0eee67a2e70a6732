/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_free.c: all rotations, in exponential coordinates r = (q0, q1, q2),
 * and all translations t = (q3, q4, q5), along axes of the parent: a floating base.
 *
 *     Q = trans(t) rot(r),   R = rot(r),   omega = B(r) dr/dt                 [wang-2019]
 *     S = [B 0; 0 R^T],   dS/dt = [dB/dt 0; 0 -[omega]x R^T]
 *
 * nu = (omega, dt/dt): omega in axes of the child, dt/dt in those of the parent, which is
 * constant without forces. The chart is switched as for a spherical joint. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"

static void free_place(const double *axes, const double *q, perp_frame *Q)
{
    (void)axes;
    perp_exponential(q, Q->R);
    vec3_copy(Q->p, q + 3);
}

static void free_motion(const double *axes, const double *q, const double *qd, double *S,
                        double *Sdot)
{
    double R[9];

    (void)axes;
    memset(S, 0, 36 * sizeof *S);
    if (Sdot) {
        memset(Sdot, 0, 36 * sizeof *Sdot);
    }
    mobilizer_jacobian(q, qd, 6, S, Sdot);
    perp_exponential(q, R);
    for (int k = 0; k < 3; k++) {
        /* column k of R^T is row k of R */
        vec3_copy(S + 18 + 6 * k + 3, R + 3 * k);
    }
    if (Sdot) {
        double omega[3] = {0.0, 0.0, 0.0};

        for (int k = 0; k < 3; k++) {
            vec3_add(omega, qd[k], S + 6 * k, omega);
        }
        for (int k = 0; k < 3; k++) {
            vec3_cross(R + 3 * k, omega, Sdot + 18 + 6 * k + 3);
        }
    }
}

static void free_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    (void)axes;
    mobilizer_exponential_near(Q->R, q);
    vec3_copy(q + 3, Q->p);
}

static void free_quasi(const double *axes, const double *q, const double *qd, double *N,
                       double *Ndot)
{
    (void)axes;
    memset(N, 0, 36 * sizeof *N);
    if (Ndot) {
        memset(Ndot, 0, 36 * sizeof *Ndot);
    }
    mobilizer_jacobian(q, qd, 6, N, Ndot);
    for (int k = 3; k < 6; k++) {
        N[7 * k] = 1.0;
    }
}

static void free_drift(const double *axes, double *q, const double *nu, double dt)
{
    (void)axes;
    mobilizer_exponential_drift(q, nu, dt);
    vec3_add(q + 3, dt, nu + 3, q + 3);
}

static double free_regular(const double *axes, const double *q)
{
    (void)axes;
    return mobilizer_exponential_regular(q);
}

static bool free_switch_chart(const double *axes, double *q, double *qd)
{
    (void)axes;
    return perp_exponential_switch(q, qd);
}

const perp_mobilizer mobilizer_free = {
    .name = "free",
    .summary = "all rotations and translations: a floating base",
    .reference = "wang-2019",
    .dof = 6,
    .unit = {"rad", "rad", "rad", "m", "m", "m"},
    .place = free_place,
    .motion = free_motion,
    .coordinates = free_coordinates,
    .quasi = free_quasi,
    .drift = free_drift,
    .regular = free_regular,
    .switch_chart = free_switch_chart,
};
