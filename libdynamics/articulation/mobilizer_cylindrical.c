/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_cylindrical.c: a rotation about an axis a and a translation along it.
 *
 *     Q = rot(a q0) trans(a q1),   S = [a 0; 0 a],   dS/dt = 0        [featherstone-2008]
 *
 * The order does not matter, because the rotation does not change a. */
#include <config.h>

#include "articulation/mobilizers.h"

static void cylindrical_place(const double *axes, const double *q, perp_frame *Q)
{
    mobilizer_turn(axes, q[0], Q->R);
    vec3_scale(q[1], axes, Q->p);
}

static void cylindrical_motion(const double *axes, const double *q, const double *qd,
                               double *S, double *Sdot)
{
    (void)q;
    (void)qd;
    memset(S, 0, 12 * sizeof *S);
    vec3_copy(S, axes);
    vec3_copy(S + 9, axes);
    if (Sdot) {
        memset(Sdot, 0, 12 * sizeof *Sdot);
    }
}

static void cylindrical_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    q[0] = mobilizer_angle(axes, Q->R, q[0]);
    q[1] = vec3_dot(axes, Q->p);
}

const perp_mobilizer mobilizer_cylindrical = {
    .name = "cylindrical",
    .summary = "a rotation about an axis and a translation along it",
    .reference = "featherstone-2008",
    .dof = 2,
    .axes = 1,
    .unit = {"rad", "m"},
    .place = cylindrical_place,
    .motion = cylindrical_motion,
    .coordinates = cylindrical_coordinates,
};
