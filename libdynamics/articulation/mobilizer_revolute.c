/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_revolute.c: a turn about a fixed axis a.
 *
 *     Q = rot(a q),   S = (a; 0),   dS/dt = 0                         [featherstone-2008]
 */
#include <config.h>

#include "articulation/mobilizers.h"

static void revolute_place(const double *axes, const double *q, perp_frame *Q)
{
    perp_frame_identity(Q);
    mobilizer_turn(axes, q[0], Q->R);
}

static void revolute_motion(const double *axes, const double *q, const double *qd,
                            double *S, double *Sdot)
{
    (void)q;
    (void)qd;
    vec3_copy(S, axes);
    vec3_set(S + 3, 0.0, 0.0, 0.0);
    if (Sdot) {
        memset(Sdot, 0, 6 * sizeof *Sdot);
    }
}

static void revolute_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    q[0] = mobilizer_angle(axes, Q->R, q[0]);
}

const perp_mobilizer mobilizer_revolute = {
    .name = "revolute",
    .summary = "a rotation about an axis",
    .reference = "featherstone-2008",
    .dof = 1,
    .axes = 1,
    .unit = {"rad"},
    .place = revolute_place,
    .motion = revolute_motion,
    .coordinates = revolute_coordinates,
};
