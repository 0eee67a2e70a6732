/* SPDX-License-Identifier: Apache-2.0
 * linear/block_factor.h: Cholesky and LDU factorisations of sparse matrices of square blocks.
 * Private.
 *
 *     P S P^T = L L^T    or    P S P^T = L D U,    P a permutation of the blocks
 *
 * The blocks are bodies of six velocities (or three in the plane), and a block off the diagonal
 * stands where two bodies touch. S has a symmetric pattern, which is given apart from the
 * numbers: one ordering and one symbolic analysis serve all numbers on it. Numbers that cancel
 * to zero stay in the pattern.
 *
 * All memory is charged to the workspace of the run but is not on its stack, as that of
 * linear/factor.h. */
#ifndef PERP_LINEAR_BLOCK_FACTOR_H
#define PERP_LINEAR_BLOCK_FACTOR_H

#include "core/solvers.h"

enum { PERP_BLOCK_MOST = 6 }; /* velocities of the largest block */

/** The lower triangle of a matrix of square blocks, by block rows. */
typedef struct perp_block_matrix {
    size_t blocks; /* block rows */
    unsigned size; /* of a block: 3 or 6 */
    size_t *ptr;   /* blocks + 1: the first entry of each block row */
    int32_t *col;  /* block columns <= row, ascending: a row ends with its diagonal */
    double *lower; /* size^2 numbers per entry: block (i, j), column-major */
    double *upper; /* block (j, i) of entry (i, j), column-major; NULL: S is symmetric. Of
                    * diagonal entries it is not read */
} perp_block_matrix;

typedef struct perp_block_factor perp_block_factor;

/* Cholesky reads `lower`, of diagonal blocks its lower triangle; LDU reads the same of a
 * symmetric S. */
typedef enum perp_block_factor_kind {
    PERP_BLOCK_CHOLESKY,
    PERP_BLOCK_LDU, /* pivots within diagonal blocks only */
} perp_block_factor_kind;

typedef enum perp_block_factor_way {
    PERP_BLOCK_BY_COLUMNS,
    PERP_BLOCK_BY_SUPERNODES,
} perp_block_factor_way;

/** Order the blocks and analyse the pattern of S, whose numbers are not read. *f is NULL after a
 *  failure. The workspace must outlive it. Memory for a kind is taken at its first use. */
perp_status perp_block_factor_new(perp_block_factor **f, const perp_block_matrix *S,
                                  perp_workspace *ws, perp_error *err);
/** The same by columns of blocks or by dense panels of supernodes, whichever is asked for;
 *  perp_block_factor_new chooses by the flops. */
perp_status perp_block_factor_new_by(perp_block_factor **f, const perp_block_matrix *S,
                                     perp_block_factor_way way, perp_workspace *ws,
                                     perp_error *err);
/** Factor and solve by up to n threads, of which the caller is one, from now on; at most once.
 *  The bits do not depend on n. Small matrices are left to one thread. Errors: memory, after
 *  which f is only to be closed. */
perp_status perp_block_factor_threads(perp_block_factor *f, size_t n, perp_error *err);
void perp_block_factor_close(perp_block_factor *f); /* NULL is allowed (no-op) */

/** Factor S (other numbers, the same pattern). *done is false where a pivot block is singular,
 *  not positive definite (Cholesky) or not finite; the status is PERP_OK even then. Errors:
 *  memory. */
perp_status perp_block_factor_matrix(perp_block_factor *f, const perp_block_matrix *S,
                                     perp_block_factor_kind kind, bool *done,
                                     perp_error *err);
/** The same, to the bit, where S differs from the matrix of the last factorisation in blocks (i, j)
 *  of changed i and j alone (one flag per block row, i = j among them): only the columns on the
 *  paths of the elimination tree from these block rows to its roots are computed. After a failure
 *  and for another kind than the last one all are. */
perp_status perp_block_factor_update(perp_block_factor *f, const perp_block_matrix *S,
                                     perp_block_factor_kind kind, const bool *changed,
                                     bool *done, perp_error *err);
/** x := S^-1 x, blocks * size numbers, by the last factorisation, which was done. */
void perp_block_factor_solve(perp_block_factor *f, double *x);

/** Whether det S is negative, by the last factorisation, which was done. */
bool perp_block_factor_negative(const perp_block_factor *f);

/** The block row whose pivot failed, or SIZE_MAX. */
size_t perp_block_factor_failed(const perp_block_factor *f);
/** Floating-point operations of a factorisation of this kind, and numbers in its factors. */
double perp_block_factor_flops(const perp_block_factor *f, perp_block_factor_kind kind);
/** Those that the last one needed. */
double perp_block_factor_spent(const perp_block_factor *f);
double perp_block_factor_fill(const perp_block_factor *f, perp_block_factor_kind kind);

#endif
