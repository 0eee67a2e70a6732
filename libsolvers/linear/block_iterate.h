/* SPDX-License-Identifier: Apache-2.0
 * linear/block_iterate.h: conjugate gradients for symmetric positive definite matrices of square
 * blocks, preconditioned by an incomplete Cholesky factorisation. Private.
 *
 * For matrices whose factors are too large (perp_block_factor_flops tells) and whose numbers
 * span few decades. All memory is charged to the workspace of the run but is not on its stack. */
#ifndef PERP_LINEAR_BLOCK_ITERATE_H
#define PERP_LINEAR_BLOCK_ITERATE_H

#include "block_factor.h"

typedef struct perp_block_iterate perp_block_iterate;

/** Take all memory for matrices with the pattern of S. *c is NULL after a failure. The
 *  workspace must outlive it. */
perp_status perp_block_iterate_new(perp_block_iterate **c, const perp_block_matrix *S,
                                   perp_workspace *ws, perp_error *err);
void perp_block_iterate_close(perp_block_iterate *c); /* NULL is allowed (no-op) */

/** Copy and precondition S, of which `lower` is read. False where a diagonal block is not
 *  positive definite or a number not finite. */
bool perp_block_iterate_matrix(perp_block_iterate *c, const perp_block_matrix *S);
/** The part of the diagonal blocks that was added to them so that no pivot failed. */
double perp_block_iterate_shift(const perp_block_iterate *c);

typedef struct perp_block_iterate_end {
    size_t iterations;
    double residual; /* |b - S x| / |b|, 2-norms, computed from x */
} perp_block_iterate_end;

/** x := S^-1 x from the start 0, until the residual is at most `tolerance` or `most` iterations
 *  are done. */
perp_block_iterate_end perp_block_iterate_solve(perp_block_iterate *c, double *x,
                                                double tolerance, size_t most);

#endif
