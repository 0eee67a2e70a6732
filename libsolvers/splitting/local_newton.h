/* SPDX-License-Identifier: Apache-2.0
 * splitting/local_newton.h: the problem of one contact by Newton's method. Private. */
#ifndef PERP_SPLITTING_LOCAL_NEWTON_H
#define PERP_SPLITTING_LOCAL_NEWTON_H

#include <stdbool.h>

enum { LOCAL_DIM_MAX = 5 };

/** x := M^-1 x by elimination with row pivots; M (n x n, column-major, n <= 5) is used up.
 *  False where it is singular. */
bool perp_local_eliminate(unsigned n, double *M, double *x);

/** A contact under Coulomb's law by damped semismooth Newton steps.
 *
 *  @param dim  2, 3 (normal, tangents) or 5 (normal, tangents, rolling moments)
 *  @param W    dim x dim, column-major, with a positive diagonal
 *  @param mu   of the tangents, and of the moments
 *  @param q    velocity without its own impulse, dim
 *  @param r    in: where to start, in the cone; out: the impulse, left alone on failure
 *  @return false when the steps did not reach rounding */
bool perp_local_newton(unsigned dim, const double *W, const double mu[2], const double *q,
                       double *r);

#endif
