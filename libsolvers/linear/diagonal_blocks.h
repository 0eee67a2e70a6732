/* SPDX-License-Identifier: Apache-2.0
 * linear/diagonal_blocks.h: matrices of small dense blocks on the diagonal, one for each block of
 * K. Private. */
#ifndef PERP_LINEAR_DIAGONAL_BLOCKS_H
#define PERP_LINEAR_DIAGONAL_BLOCKS_H

#include "core/solvers.h"

/** y := M x, or M^T x; block k is dim x dim column-major from M[start[k]] on. y may not be x. */
void perp_diagonal_blocks_apply(const perp_set *set, const size_t *start, const double *M,
                                bool transposed, const double *x, double *y);

/** X := B^-1 X, B dim x dim and X dim x cols column-major, by Gauss with row exchanges; B is
 *  overwritten. A singular B gives numbers that are not finite. */
void perp_block_divide(unsigned dim, double *B, double *X, unsigned cols);

#endif
