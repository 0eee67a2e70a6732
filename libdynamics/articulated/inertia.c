/* SPDX-License-Identifier: Apache-2.0
 * articulated/inertia.c: inertias of links in world axes.
 *
 *     rigid, about o:   M = m E,  H = -m [rho]x,  J = R J0 R^T
 *     X^T I X:          M' = M,   H' = H - M [d]x,   J' = J - H^T [d]x + [d]x H' */
#include <config.h>

#include "articulated.h"

void articulated_rigid(const articulated_link *link, const double R[9],
                       articulated_inertia *I)
{
    const double m = link->m;
    const double x = m * link->rho[0];
    const double y = m * link->rho[1];
    const double z = m * link->rho[2];

    *I = (articulated_inertia){
        .M = {m, 0.0, 0.0, m, 0.0, m},
        .H = {0.0, z, -y, -z, 0.0, x, y, -x, 0.0},
    };
    sym3_turn(R, link->J0, I->J);
}

void articulated_shift_add(const articulated_inertia *I, const double d[3],
                           articulated_inertia *out)
{
    const double *M = I->M;
    const double *H = I->H;
    const double *J = I->J;
    const double x = d[0];
    const double y = d[1];
    const double z = d[2];
    /* A [d]x of a row a of A is a x d */
    const double K[9] = {
        H[0] - (M[1] * z - M[2] * y), H[1] - (M[2] * x - M[0] * z),
        H[2] - (M[0] * y - M[1] * x), H[3] - (M[3] * z - M[4] * y),
        H[4] - (M[4] * x - M[1] * z), H[5] - (M[1] * y - M[3] * x),
        H[6] - (M[4] * z - M[5] * y), H[7] - (M[5] * x - M[2] * z),
        H[8] - (M[2] * y - M[4] * x),
    };

    for (int i = 0; i < 6; i++) {
        out->M[i] += M[i];
    }
    for (int i = 0; i < 9; i++) {
        out->H[i] += K[i];
    }
    out->J[0] += J[0] - (H[3] * z - H[6] * y) + (y * K[6] - z * K[3]);
    out->J[1] += J[1] - (H[6] * x - H[0] * z) + (y * K[7] - z * K[4]);
    out->J[2] += J[2] - (H[0] * y - H[3] * x) + (y * K[8] - z * K[5]);
    out->J[3] += J[3] - (H[7] * x - H[1] * z) + (z * K[1] - x * K[7]);
    out->J[4] += J[4] - (H[1] * y - H[4] * x) + (z * K[2] - x * K[8]);
    out->J[5] += J[5] - (H[2] * y - H[5] * x) + (x * K[5] - y * K[2]);
}
