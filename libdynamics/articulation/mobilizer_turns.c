/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizer_turns.c: angles about an axis and exponential coordinates, over
 * many turns.
 *
 *     rot(a t) = E + sin t [a]x + (1 - cos t) [a]x^2
 *     the t for which rot(a t) is nearest to R: tan t = a.vee(R - R^T)/(tr R - a.R a)
 *
 * since tr(rot(a t)^T R) = a.R a + cos t (tr R - a.R a) + sin t a.vee(R - R^T). Among the
 * coordinates q (1 + 2 pi k/|q|) of one rotation those nearest to the earlier ones are
 * chosen, so that they are continuous in time beyond |q| = pi. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "articulation/mobilizers.h"

static const double pi = 3.14159265358979323846;

void mobilizer_turn(const double axis[3], double angle, double R[9])
{
    double s = sin(angle);
    double half = sin(0.5 * angle);
    double c = 2.0 * half * half;
    double X[9];

    perp_cross_matrix(axis, X);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = s * X[3 * i + j] + c * axis[i] * axis[j];
        }
        R[4 * i] += 1.0 - c;
    }
}

double mobilizer_unwrap(double x, double near)
{
    return near + remainder(x - near, 2.0 * pi);
}

double mobilizer_angle(const double axis[3], const double R[9], double near)
{
    const double vee[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    double turned[3];

    mat3_apply(R, axis, turned);
    return mobilizer_unwrap(
        atan2(vec3_dot(axis, vee), R[0] + R[4] + R[8] - vec3_dot(axis, turned)), near);
}

/* The q + 2 pi k q/|q| nearest to `near`, for |q| <= pi. Within rounding of a whole turn
 * q has no direction; then it has that of `near`. */
static void turns_next(double q[3], const double near[3])
{
    const double lost = 1e-12; /* rounding of a rotation matrix, many times */
    double th = vec3_length(q);
    double before = vec3_length(near);
    double k = 0.0;

    if (th > lost) {
        k = rint((vec3_dot(q, near) / th - th) / (2.0 * pi));
        vec3_scale(1.0 + 2.0 * pi * k / th, q, q);
    } else if (before > pi) {
        vec3_scale(2.0 * pi * rint(before / (2.0 * pi)) / before, near, q);
    }
}

void mobilizer_exponential_near(const double R[9], double q[3])
{
    double near[3];

    vec3_copy(near, q);
    math_exponential_of(R, q);
    turns_next(q, near);
}

void mobilizer_jacobian(const double q[3], const double qd[3], size_t rows, double *B,
                        double *Bdot)
{
    double b[9];
    double bdot[9];

    perp_exponential_jacobian(q, qd, b, Bdot ? bdot : NULL);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            B[rows * j + i] = b[3 * i + j];
            if (Bdot) {
                Bdot[rows * j + i] = bdot[3 * i + j];
            }
        }
    }
}

void mobilizer_exponential_drift(double q[3], const double omega[3], double dt)
{
    double near[3];
    double turn[3];
    double now[4];
    double by[4];

    vec3_copy(near, q);
    vec3_scale(dt, omega, turn);
    perp_quat_exp(q, now);
    perp_quat_exp(turn, by);
    perp_quat_multiply(now, by, now);
    perp_quat_log(now, q);
    turns_next(q, near);
}

double mobilizer_exponential_regular(const double q[3])
{
    double th = vec3_length(q);
    double s = th > 0.0 ? sin(0.5 * th) / (0.5 * th) : 1.0;

    return s * s;
}
