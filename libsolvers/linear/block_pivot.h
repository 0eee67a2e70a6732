/* SPDX-License-Identifier: Apache-2.0
 * linear/block_pivot.h: factorisations of one diagonal block of s x s numbers, s = 3 or 6,
 * column-major. Private.
 *
 * Diagonals of triangular factors are stored as reciprocals. */
#ifndef PERP_LINEAR_BLOCK_PIVOT_H
#define PERP_LINEAR_BLOCK_PIVOT_H

#include "block_factor.h"

/** D := L of D = L L^T, in its lower triangle. `before` is the block before elimination, of
 *  which the diagonal is read. False where a pivot is not positive. */
bool perp_block_cholesky(unsigned size, double *D, const double *before);
/** x := L^-1 x and x := L^-T x. */
void perp_block_cholesky_forward(unsigned size, const double *L, double *x);
void perp_block_cholesky_backward(unsigned size, const double *L, double *x);

/** D := the factors L U of the rows pivot[0], pivot[1], ... of D, L with a diagonal of ones.
 *  False where a pivot is singular. */
bool perp_block_lu(unsigned size, double *D, const double *before, int32_t *pivot);
/** x := D^-1 x. */
void perp_block_lu_solve(unsigned size, const double *LU, const int32_t *pivot,
                         double *x);
/** Whether det D is negative. */
bool perp_block_lu_negative(unsigned size, const double *LU, const int32_t *pivot);

#endif
