/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_spherical_euler.c: all rotations, in Euler angles: about x, then
 * about the rotated y and z. With c, s the cosines and sines of the three angles:
 *
 *     Q = rot(x q0) rot(y q1) rot(z q2)
 *                                          [  c2 c1  s2  0 ]
 *     S = [B; 0],   omega = B dq/dt,   B = [ -s2 c1  c2  0 ]              [diebel-2006]
 *                                          [  s1     0   1 ]
 *
 * det B = c1: at q1 = +-pi/2 the first and the third axis coincide and one direction of
 * velocity is lost; there is no second chart of this kind. */
#include <config.h>

#include "articulation/mobilizers.h"

static const double pi = 3.14159265358979323846;

static void spherical_euler_place(const double *axes, const double *q, perp_frame *Q)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double turn[3][9];
    double first[9];

    (void)axes;
    for (int k = 0; k < 3; k++) {
        mobilizer_turn(unit[k], q[k], turn[k]);
    }
    perp_frame_identity(Q);
    mat3_multiply(turn[0], turn[1], first);
    mat3_multiply(first, turn[2], Q->R);
}

static void spherical_euler_motion(const double *axes, const double *q, const double *qd,
                                   double *S, double *Sdot)
{
    double c1 = cos(q[1]);
    double s1 = sin(q[1]);
    double c2 = cos(q[2]);
    double s2 = sin(q[2]);

    (void)axes;
    memset(S, 0, 18 * sizeof *S);
    vec3_set(S, c2 * c1, -s2 * c1, s1);
    vec3_set(S + 6, s2, c2, 0.0);
    vec3_set(S + 12, 0.0, 0.0, 1.0);
    if (Sdot) {
        memset(Sdot, 0, 18 * sizeof *Sdot);
        vec3_set(Sdot, -s2 * c1 * qd[2] - c2 * s1 * qd[1],
                 -c2 * c1 * qd[2] + s2 * s1 * qd[1], c1 * qd[1]);
        vec3_set(Sdot + 6, c2 * qd[2], -s2 * qd[2], 0.0);
    }
}

/* The other two for a first angle: of rot(x q0)^T R = rot(y q1) rot(z q2), the first row
 * is (c1 c2, -c1 s2, s1), the second (s2, c2, 0), the last entry c1. Returns the squared
 * distance from `near`. */
static double spherical_euler_angles(const double R[9], double q0, const double near[3],
                                     double q[3])
{
    double c0 = cos(q0);
    double s0 = sin(q0);
    double way[3];

    q[0] = mobilizer_unwrap(q0, near[0]);
    q[1] = mobilizer_unwrap(atan2(R[2], c0 * R[8] - s0 * R[5]), near[1]);
    q[2] = mobilizer_unwrap(atan2(c0 * R[3] + s0 * R[6], c0 * R[4] + s0 * R[7]), near[2]);
    vec3_subtract(q, near, way);
    return vec3_dot(way, way);
}

/* R12 = -s0 c1, R22 = c0 c1 give q0 or, where c1 < 0, q0 + pi: the one nearer to the
 * former angles is chosen. Where c1 is only rounding q0 is unchanged. */
static void spherical_euler_coordinates(const double *axes, const perp_frame *Q,
                                        double *q)
{
    const double lost = 1e-14; /* c1 that is rounding of R only */
    const double near[3] = {q[0], q[1], q[2]};
    double other[3];
    double q0 = near[0];

    (void)axes;
    if (hypot(Q->R[5], Q->R[8]) <= lost) {
        spherical_euler_angles(Q->R, q0, near, q);
        return;
    }
    q0 = atan2(-Q->R[5], Q->R[8]);
    if (spherical_euler_angles(Q->R, q0 + pi, near, other) <
        spherical_euler_angles(Q->R, q0, near, q)) {
        vec3_copy(q, other);
    }
}

static double spherical_euler_regular(const double *axes, const double *q)
{
    (void)axes;
    return fabs(cos(q[1]));
}

const perp_mobilizer mobilizer_spherical_euler = {
    .name = "spherical-euler",
    .summary = "all rotations, in Euler angles about x, y, z in this order",
    .reference = "diebel-2006",
    .dof = 3,
    .unit = {"rad", "rad", "rad"},
    .place = spherical_euler_place,
    .motion = spherical_euler_motion,
    .coordinates = spherical_euler_coordinates,
    .regular = spherical_euler_regular,
};
