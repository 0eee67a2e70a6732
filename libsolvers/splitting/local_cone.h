/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_cone.h: the problem of one contact, solved to rounding.
 *
 *     find r in K with u = W r + q,   K* contains u + (mu |u_t|, 0, 0) _|_ r   Coulomb
 *                                     K* contains u _|_ r                      associated
 *
 * W is 2x2 or 3x3 with a positive definite symmetric part and is not taken for symmetric.
 * Private to the solvers that sweep over contacts. */
#ifndef PERP_SPLITTING_LOCAL_CONE_H
#define PERP_SPLITTING_LOCAL_CONE_H

#include <perp/problem.h>

#include "local_curve.h"

/** One contact: its own block of A, and all that no sweep changes. */
typedef struct local_cone {
    unsigned dim; /* 2 or 3 */
    perp_law law;
    double W[9];    /* dim x dim, column-major, the shift included */
    double inv_nn;  /* 1/W_nn, or 0 where W_nn <= 0 and a normal impulse has no bound */
    double step;    /* 1/|W|, |W| from above: for a projected step */
    double step_tt; /* 1/|W_tt| */
    local_curve curve;
} local_cone;

/** Prepare a contact with block D (dim x dim, column-major). `shift` >= 0 is added to the
 *  diagonal; what D itself leaves undefined (D_nn <= 0) stays so. */
void perp_local_cone_init(local_cone *k, unsigned dim, double mu, perp_law law,
                          const double *D, double shift);

/** q := u - W r: the velocity of this contact were its own impulse zero. */
void perp_local_cone_offset(const local_cone *k, const double *u, const double *r,
                            double *q);

/** Solve the contact's own problem exactly.
 *
 *  @param q      velocity without its own impulse, dim
 *  @param guess  in: s of a slipping neighbour solution, or 0; out: the s found
 *  @param r      out: impulse, dim
 *  @return false where W_nn <= 0 and a normal impulse is needed: r is left alone */
bool perp_local_cone_solve(const local_cone *k, const double *q, double *guess,
                           double *r);

/** The sliding impulse under the associated law, where neither r = 0 nor u = 0 solves the
 *  contact; `s` as the guess above. */
void perp_local_associated_slip(const local_cone *k, const double *q, double *s,
                                double *r);

/** One projected step r <- P_K(r - uhat/|W|) at velocity u; W_nn > 0. */
void perp_local_cone_project(const local_cone *k, const double *u, double *r);

/** Normal impulse first, then a projected step of the tangents on its disk; W_nn > 0. */
void perp_local_cone_two_step(const local_cone *k, const double *u, double *r);

#endif
