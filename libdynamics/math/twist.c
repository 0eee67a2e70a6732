/* SPDX-License-Identifier: Apache-2.0
 * math/twist.c: frames; rotations by exponential coordinates.
 *
 *     R = exp([q]x),   [omega]x = R^T dR/dt,   omega = B dq/dt   [grassia-1998]
 *     B    = E - a [q]x + b [q]x^2
 *     Bdot = -a1 (q.qd) [q]x - a [qd]x + b1 (q.qd) [q]x^2 + b ([qd]x [q]x + [q]x [qd]x)
 *
 * with th = |q|, a = (1 - cos th)/th^2, b = (th - sin th)/th^3, a1 = (da/dth)/th and
 * b1 = (db/dth)/th. With -a for a it were the left Jacobian, for omega in the axes that
 * do not turn. 2 sin^2(th/2) stands for 1 - cos th, which loses digits. */
#include <config.h>

#include <perp/dynamics/rotation.h>
#include <perp/dynamics/twist.h>

#include "math/math.h"

static const double pi = 3.14159265358979323846;

/* Below this angle the closed forms of a1 and b1 have lost their digits and three terms
 * of their series are exact: the fourth is below th^6/1e5 = 1e-17. */
static const double small_angle = 1e-2;

void perp_frame_identity(perp_frame *E)
{
    static const perp_frame identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

    *E = identity;
}

void perp_frame_multiply(const perp_frame *A, const perp_frame *B, perp_frame *AB)
{
    perp_frame out = *A;

    mat3_multiply(A->R, B->R, out.R);
    mat3_apply(A->R, B->p, out.p);
    vec3_add(out.p, 1.0, A->p, out.p);
    *AB = out;
}

void perp_frame_invert(const perp_frame *E, perp_frame *out)
{
    const double *R = E->R;
    const perp_frame turned = {{R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]},
                               {-E->p[0], -E->p[1], -E->p[2]}};

    *out = turned;
    mat3_apply(out->R, out->p, out->p);
}

/* (sin(th/2)/(th/2))^2, which is 2 a. */
static double twist_half_sine(double th)
{
    double s = th > 0.0 ? sin(0.5 * th) / (0.5 * th) : 1.0;

    return s * s;
}

void perp_exponential(const double q[3], double R[9])
{
    double th = vec3_length(q);
    double s = th > 0.0 ? sin(th) / th : 1.0;
    double a = 0.5 * twist_half_sine(th);
    double c = cos(th);

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = a * q[i] * q[j];
        }
        R[4 * i] += c;
    }
    R[1] -= s * q[2];
    R[2] += s * q[1];
    R[3] += s * q[2];
    R[5] -= s * q[0];
    R[6] -= s * q[1];
    R[7] += s * q[0];
}

/* a, b, a1, b1 of the opening comment. */
static void twist_factors(double th, double f[4])
{
    double t2 = th * th;

    f[0] = 0.5 * twist_half_sine(th);
    if (th < small_angle) {
        f[1] = 1.0 / 6.0 - t2 / 120.0 + t2 * t2 / 5040.0;
        f[2] = -1.0 / 12.0 + t2 / 180.0 - t2 * t2 / 6720.0;
        f[3] = -1.0 / 60.0 + t2 / 1260.0 - t2 * t2 / 60480.0;
    } else {
        double s = sin(th);

        f[1] = (th - s) / (t2 * th);
        f[2] = (s / th - 2.0 * f[0]) / t2;
        f[3] = ((s - th * cos(th)) / (t2 * th) - 2.0 * f[1]) / t2;
    }
}

void perp_exponential_jacobian(const double q[3], const double qd[3], double B[9],
                               double Bdot[9])
{
    double f[4];
    double Q[9];
    double Q2[9];

    twist_factors(vec3_length(q), f);
    perp_cross_matrix(q, Q);
    mat3_multiply(Q, Q, Q2);
    for (int k = 0; k < 9; k++) {
        B[k] = (k % 4 == 0 ? 1.0 : 0.0) - f[0] * Q[k] + f[1] * Q2[k];
    }
    if (Bdot) {
        double D[9];
        double DQ[9];
        double along = vec3_dot(q, qd);

        perp_cross_matrix(qd, D);
        mat3_multiply(D, Q, DQ);
        for (int k = 0; k < 9; k++) {
            /* [q]x [qd]x is the transpose of [qd]x [q]x */
            double both = DQ[k] + DQ[3 * (k % 3) + k / 3];

            Bdot[k] = along * (f[3] * Q2[k] - f[2] * Q[k]) - f[0] * D[k] + f[1] * both;
        }
    }
}

/* By the largest of its components [diebel-2006]. */
void math_quat_of(const double R[9], double q[4])
{
    double trace = R[0] + R[4] + R[8];
    int i = R[4] > R[0] ? 1 : 0;

    i = R[8] > R[4 * i] ? 2 : i;
    if (trace >= R[4 * i]) {
        q[0] = 1.0 + trace;
        vec3_set(q + 1, R[7] - R[5], R[2] - R[6], R[3] - R[1]);
    } else {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;

        q[0] = R[3 * k + j] - R[3 * j + k];
        q[1 + i] = 1.0 + R[4 * i] - R[4 * j] - R[4 * k];
        q[1 + j] = R[3 * i + j] + R[3 * j + i];
        q[1 + k] = R[3 * i + k] + R[3 * k + i];
    }
    perp_quat_normalize(q);
}

void math_exponential_of(const double R[9], double q[3])
{
    double quat[4];

    math_quat_of(R, quat);
    perp_quat_log(quat, q);
}

/* B^-1 = E + [q]x/2 + c [q]x^2, c = (1 - (th/2) cot(th/2))/th^2, for th <= pi. */
static void twist_rates(const double q[3], const double omega[3], double qd[3])
{
    double th = vec3_length(q);
    /* two terms of its series: the third is below th^4/30000 */
    double c = th < small_angle ? 1.0 / 12.0 + th * th / 720.0
                                : (1.0 - 0.5 * th / tan(0.5 * th)) / (th * th);
    double once[3];
    double twice[3];

    vec3_cross(q, omega, once);
    vec3_cross(q, once, twice);
    vec3_add(omega, 0.5, once, qd);
    vec3_add(qd, c, twice, qd);
}

bool perp_exponential_switch(double q[3], double qd[3])
{
    double th = vec3_length(q);
    double B[9];
    double omega[3];

    if (!(th > pi)) {
        return false;
    }
    perp_exponential_jacobian(q, NULL, B, NULL);
    mat3_apply(B, qd, omega);
    vec3_scale(remainder(th, 2.0 * pi) / th, q, q);
    twist_rates(q, omega, qd);
    return true;
}
