/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_spherical.c: all rotations, in exponential coordinates.
 *
 *     Q = rot(q) = exp([q]x),   S = [B(q); 0],   dS/dt = [dB/dt; 0]           [wang-2019]
 *
 * B is the right Jacobian: nu = B dq/dt, the angular velocity in axes of the child, moves
 * Q by exp(dt nu). det B = 2 (1 - cos th)/th^2 is 0 at th = |q| = 2 pi; beyond pi the
 * chart is switched to the complementary rotation [grassia-1998]. */
#include <config.h>

#include "articulation/mobilizers.h"

static void spherical_place(const double *axes, const double *q, perp_frame *Q)
{
    (void)axes;
    perp_frame_identity(Q);
    perp_exponential(q, Q->R);
}

static void spherical_motion(const double *axes, const double *q, const double *qd,
                             double *S, double *Sdot)
{
    (void)axes;
    memset(S, 0, 18 * sizeof *S);
    if (Sdot) {
        memset(Sdot, 0, 18 * sizeof *Sdot);
    }
    mobilizer_jacobian(q, qd, 6, S, Sdot);
}

static void spherical_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    (void)axes;
    mobilizer_exponential_near(Q->R, q);
}

static void spherical_quasi(const double *axes, const double *q, const double *qd,
                            double *N, double *Ndot)
{
    (void)axes;
    mobilizer_jacobian(q, qd, 3, N, Ndot);
}

static void spherical_drift(const double *axes, double *q, const double *nu, double dt)
{
    (void)axes;
    mobilizer_exponential_drift(q, nu, dt);
}

static double spherical_regular(const double *axes, const double *q)
{
    (void)axes;
    return mobilizer_exponential_regular(q);
}

static bool spherical_switch_chart(const double *axes, double *q, double *qd)
{
    (void)axes;
    return perp_exponential_switch(q, qd);
}

const perp_mobilizer mobilizer_spherical = {
    .name = "spherical",
    .summary = "all rotations, in exponential coordinates",
    .reference = "wang-2019",
    .dof = 3,
    .unit = {"rad", "rad", "rad"},
    .place = spherical_place,
    .motion = spherical_motion,
    .coordinates = spherical_coordinates,
    .quasi = spherical_quasi,
    .drift = spherical_drift,
    .regular = spherical_regular,
    .switch_chart = spherical_switch_chart,
};
