/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_universal.c: a turn about a1, carried by the parent, then one about a2,
 * carried by the child. The axes may make any angle but 0: perpendicular they are
 * Cardan's joint, else a wheel's with its steering axis (hinge-2).
 *
 *     Q = rot(a1 q0) rot(a2 q1),   R2 = rot(a2 q1)
 *     S = [R2^T a1  a2; 0 0],      dS/dt = [-q1' a2 x R2^T a1  0; 0 0]        [wang-2019]
 *
 * The angle between the columns is that between the axes, so no q is singular. Back:
 * Q a2 = rot(a1 q0) a2 has q0, Q^T a1 = rot(a2 q1)^T a1 has q1. */
#include <config.h>

#include "articulation/mobilizers.h"

static void universal_place(const double *axes, const double *q, perp_frame *Q)
{
    double R1[9];
    double R2[9];

    mobilizer_turn(axes, q[0], R1);
    mobilizer_turn(axes + 3, q[1], R2);
    perp_frame_identity(Q);
    mat3_multiply(R1, R2, Q->R);
}

static void universal_motion(const double *axes, const double *q, const double *qd,
                             double *S, double *Sdot)
{
    double R2[9];

    mobilizer_turn(axes + 3, q[1], R2);
    memset(S, 0, 12 * sizeof *S);
    mat3_apply_transposed(R2, axes, S);
    vec3_copy(S + 6, axes + 3);
    if (Sdot) {
        memset(Sdot, 0, 12 * sizeof *Sdot);
        vec3_cross(axes + 3, S, Sdot);
        vec3_scale(-qd[1], Sdot, Sdot);
    }
}

/* The angle about a unit axis from `from` to `to`. */
static double universal_angle(const double axis[3], const double from[3],
                              const double to[3])
{
    double a[3];
    double b[3];
    double c[3];

    vec3_add(from, -vec3_dot(axis, from), axis, a);
    vec3_add(to, -vec3_dot(axis, to), axis, b);
    vec3_cross(a, b, c);
    return atan2(vec3_dot(axis, c), vec3_dot(a, b));
}

static void universal_coordinates(const double *axes, const perp_frame *Q, double *q)
{
    double turned[3];

    mat3_apply(Q->R, axes + 3, turned);
    q[0] = mobilizer_unwrap(universal_angle(axes, axes + 3, turned), q[0]);
    mat3_apply_transposed(Q->R, axes, turned);
    q[1] = mobilizer_unwrap(universal_angle(axes + 3, turned, axes), q[1]);
}

const perp_mobilizer mobilizer_universal = {
    .name = "universal",
    .summary = "a rotation about the first axis, then about the second: Cardan, hinge-2",
    .reference = "wang-2019",
    .dof = 2,
    .axes = 2,
    .unit = {"rad", "rad"},
    .place = universal_place,
    .motion = universal_motion,
    .coordinates = universal_coordinates,
};
