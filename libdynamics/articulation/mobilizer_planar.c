/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_planar.c: moves in a plane and a turn about its normal n. e1 is the second
 * axis, e2 = n x e1, both in axes of the parent.
 *
 *     Q = trans(e1 q0 + e2 q1) rot(n q2),   R = rot(n q2)
 *     S = [0 0 n; R^T e1  R^T e2  0],   dS/dt = [0 0 0; -w x R^T e1  -w x R^T e2  0]
 *
 * with w = q2' n [featherstone-2008]. */
#include <config.h>

#include "articulation/mobilizers.h"

static void planar_place(const double *axes, const double *q, perp_frame *Q)
{
    double e2[3];

    mobilizer_turn(axes, q[2], Q->R);
    vec3_cross(axes, axes + 3, e2);
    vec3_scale(q[0], axes + 3, Q->p);
    vec3_add(Q->p, q[1], e2, Q->p);
}

static void planar_motion(const double *axes, const double *q, const double *qd,
                          double *S, double *Sdot)
{
    double R[9];

    mobilizer_turn(axes, q[2], R);
    memset(S, 0, 18 * sizeof *S);
    mat3_apply_transposed(R, axes + 3, S + 3);
    vec3_cross(axes, S + 3, S + 9);
    vec3_copy(S + 12, axes);
    if (Sdot) {
        /* n x e1 = e2 and n x e2 = -e1, also as the child sees them */
        memset(Sdot, 0, 18 * sizeof *Sdot);
        vec3_scale(-qd[2], S + 9, Sdot + 3);
        vec3_scale(qd[2], S + 3, Sdot + 9);
    }
}

static void planar_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    double e2[3];

    vec3_cross(axes, axes + 3, e2);
    q[0] = vec3_dot(axes + 3, Q->p);
    q[1] = vec3_dot(e2, Q->p);
    q[2] = mobilizer_angle(axes, Q->R, q[2]);
}

const perp_mobilizer mobilizer_planar = {
    .name = "planar",
    .summary = "translations in a plane and a rotation about its normal, the first axis",
    .reference = "featherstone-2008",
    .dof = 3,
    .axes = 2,
    .square = true,
    .unit = {"m", "m", "rad"},
    .place = planar_place,
    .motion = planar_motion,
    .coordinates = planar_coordinates,
};
