/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/twist.c: matrices of rotations, twists and wrenches.
 *
 *     Ad(E) = [R 0; [p]x R  R],   d/dt Ad(E) = Ad(E) ad(phi)     [murray-li-sastry-1994] */
#include <config.h>

#include <string.h>

#include <perp/dynamics/rotation.h>
#include <perp/dynamics/twist.h>

#include "math/vec3.h"
#include "reference.h"

void perp_quat_rate_matrix(const double q[4], double Q[12])
{
    const double out[12] = {-q[1], -q[2], -q[3], q[0], q[3],  -q[2],
                            -q[3], q[0],  q[1],  q[2], -q[1], q[0]};

    for (int k = 0; k < 12; k++) {
        Q[k] = 0.5 * out[k];
    }
}

void perp_quat_body_matrix(const double q[4], double G[12])
{
    const double out[12] = {-q[1], q[0], q[3],  -q[2], -q[2], -q[3],
                            q[0],  q[1], -q[3], q[2],  -q[1], q[0]};

    memcpy(G, out, sizeof out);
}

/* The 3x3 block of a 6x6 matrix at row i, column j. */
static void twist_block(double *M, int i, int j, const double A[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            M[6 * (j + c) + i + r] = A[3 * r + c];
        }
    }
}

void perp_adjoint(const perp_frame *E, double Ad[36])
{
    double X[9];
    double XR[9];

    perp_cross_matrix(E->p, X);
    mat3_multiply(X, E->R, XR);
    memset(Ad, 0, 36 * sizeof *Ad);
    twist_block(Ad, 0, 0, E->R);
    twist_block(Ad, 3, 0, XR);
    twist_block(Ad, 3, 3, E->R);
}

void perp_twist_cross(const double phi[6], double ad[36])
{
    double W[9];
    double V[9];

    perp_cross_matrix(phi, W);
    perp_cross_matrix(phi + 3, V);
    memset(ad, 0, 36 * sizeof *ad);
    twist_block(ad, 0, 0, W);
    twist_block(ad, 3, 0, V);
    twist_block(ad, 3, 3, W);
}

void perp_twist_transform(const perp_frame *E, const double phi[6], double out[6])
{
    double shift[3];

    mat3_apply(E->R, phi + 3, out + 3);
    mat3_apply(E->R, phi, out);
    vec3_cross(E->p, out, shift);
    vec3_add(out + 3, 1.0, shift, out + 3);
}

void perp_wrench_transform(const perp_frame *E, const double W[6], double out[6])
{
    double moment[3];

    vec3_cross(E->p, W + 3, moment);
    vec3_subtract(W, moment, moment);
    mat3_apply_transposed(E->R, moment, out);
    mat3_apply_transposed(E->R, W + 3, out + 3);
}
