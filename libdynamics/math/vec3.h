/* SPDX-License-Identifier: Apache-2.0
 * math/vec3.h: vectors of three and matrices of nine numbers, row by row. Private. */
#ifndef PERP_MATH_VEC3_H
#define PERP_MATH_VEC3_H

#include <float.h>
#include <math.h>
#include <string.h>

#define VEC3_PI 3.14159265358979323846

static inline double vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec3_length(const double a[3])
{
    return sqrt(vec3_dot(a, a));
}

static inline void vec3_set(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void vec3_copy(double out[3], const double a[3])
{
    vec3_set(out, a[0], a[1], a[2]);
}

/* out := a + f b; out may be a or b. */
static inline void vec3_add(const double a[3], double f, const double b[3], double out[3])
{
    vec3_set(out, a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]);
}

static inline void vec3_subtract(const double a[3], const double b[3], double out[3])
{
    vec3_set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void vec3_scale(double f, const double a[3], double out[3])
{
    vec3_set(out, f * a[0], f * a[1], f * a[2]);
}

/* out := a x b; out may be a or b. */
static inline void vec3_cross(const double a[3], const double b[3], double out[3])
{
    vec3_set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
             a[0] * b[1] - a[1] * b[0]);
}

/* Scale to unit length; returns the length it had. Zero stays. */
static inline double vec3_normalize(double a[3])
{
    double length = vec3_length(a);

    if (length > 0.0) {
        vec3_scale(1.0 / length, a, a);
    }
    return length;
}

/* The same unless a has length 1 to rounding: what was normalized once and written with
 * all digits is then read as it was. */
static inline double vec3_settle(double a[3])
{
    /* what a normalized vector is off by at most */
    const double rounding = 1.0 * DBL_EPSILON;
    double length = vec3_length(a);

    return fabs(length - 1.0) <= rounding ? length : vec3_normalize(a);
}

/* The frame of a unit normal n: t1 = n x e_k normalized for the first k of least |n_k|,
 * and t2 = n x t1. Components that differ by less than 1e-6 count as equal: the frame of an
 * upright normal must not turn from step to step by rounding, which would spoil warm starts. */
static inline void vec3_tangents(const double n[3], double t1[3], double t2[3])
{
    const double a[3] = {fabs(n[0]), fabs(n[1]) + 1e-6, fabs(n[2]) + 2e-6};

    if (a[0] <= a[1] && a[0] <= a[2]) {
        vec3_set(t1, 0.0, n[2], -n[1]);
    } else if (a[1] <= a[2]) {
        vec3_set(t1, -n[2], 0.0, n[0]);
    } else {
        vec3_set(t1, n[1], -n[0], 0.0);
    }
    vec3_normalize(t1);
    vec3_cross(n, t1, t2);
}

/* out := A x; out may be x. */
static inline void mat3_apply(const double A[9], const double x[3], double out[3])
{
    vec3_set(out, vec3_dot(A, x), vec3_dot(A + 3, x), vec3_dot(A + 6, x));
}

/* out := A^T x; out may be x. */
static inline void mat3_apply_transposed(const double A[9], const double x[3],
                                         double out[3])
{
    vec3_set(out, A[0] * x[0] + A[3] * x[1] + A[6] * x[2],
             A[1] * x[0] + A[4] * x[1] + A[7] * x[2],
             A[2] * x[0] + A[5] * x[1] + A[8] * x[2]);
}

/* out := A B; no overlap. */
static inline void mat3_multiply(const double A[9], const double B[9], double out[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] =
                A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
}

/* out := R S R^T, symmetric to the bit for a symmetric S. */
static inline void mat3_congruence(const double R[9], const double S[9], double out[9])
{
    double T[9];

    mat3_multiply(R, S, T);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            out[3 * i + j] = out[3 * j + i] = vec3_dot(T + 3 * i, R + 3 * j);
        }
    }
}

static inline double mat3_determinant(const double A[9])
{
    double c[3];

    vec3_cross(A + 3, A + 6, c);
    return vec3_dot(A, c);
}

/* J u of one row, velocities 6 a body: four sums that are added at the end. */
static inline double vec3_rate(const double *J, const double *u_i, const double *u_j)
{
    double a = J[0] * u_i[0] + J[1] * u_i[1] + J[2] * u_i[2];
    double b = J[3] * u_i[3] + J[4] * u_i[4] + J[5] * u_i[5];
    double c = J[6] * u_j[0] + J[7] * u_j[1] + J[8] * u_j[2];
    double d = J[9] * u_j[3] + J[10] * u_j[4] + J[11] * u_j[5];

    return (a + b) + (c + d);
}

#endif
