/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_rolling.h: the problem of one contact with rolling friction.
 *
 *     r = (n, t, m) in K: |t| <= mu n, |m| <= mu_r n,   u = W r + q
 *     K* contains u + (mu |u_t| + mu_r |u_m|, 0, 0) _|_ r   Coulomb
 *     K* contains u _|_ r                                    associated
 *
 * W is 5x5 with a positive definite symmetric part and is not taken for symmetric. Private. */
#ifndef PERP_SPLITTING_LOCAL_ROLLING_H
#define PERP_SPLITTING_LOCAL_ROLLING_H

#include <perp/problem.h>

#include "local_disk.h"

typedef struct local_rolling {
    perp_law law;
    double mu[2];  /* of the tangents, of the moments */
    double W[25];  /* column-major, the shift included */
    double inv_nn; /* 1/W_nn, or 0 where W_nn <= 0 and a normal impulse has no bound */
    double step;   /* 1/|W|, |W| from above */
    local_disk disk[2]; /* tangents, moments */
    double guess[2];    /* |u|/|t| of each when last sliding */
} local_rolling;

/** Prepare a contact with block D (5x5, column-major); `shift` is added to its diagonal. */
void perp_local_rolling_init(local_rolling *k, double mu, double mu_rolling, perp_law law,
                             const double *D, double shift);

/** Solve the contact's own problem from r, which has the velocity u.
 *  @return false where W_nn <= 0 and a normal impulse is needed: r is left alone */
bool perp_local_rolling_solve(local_rolling *k, const double *u, double *r);

/** One projected step r <- P_K(r - uhat/|W|) at velocity u; W_nn > 0. */
void perp_local_rolling_project(const local_rolling *k, const double *u, double *r);

/** Normal impulse first, then a projected step of each disk; W_nn > 0. */
void perp_local_rolling_two_step(const local_rolling *k, const double *u, double *r);

#endif
