/* SPDX-License-Identifier: Apache-2.0
 * linear/factor.h: factorisations behind the solvers that need them. Private.
 *
 * Dense matrices by LAPACK (Cholesky, LU with partial pivoting); CSR by SuiteSparse: LDL of
 * an AMD ordering, or KLU. One symbolic analysis serves all numbers on a pattern, and all
 * principal blocks of it (the other rows are masked by those of the identity). */
#ifndef PERP_CORE_FACTOR_H
#define PERP_CORE_FACTOR_H

#include "core/solvers.h"

typedef struct perp_factor perp_factor;

typedef enum perp_factor_kind {
    PERP_FACTOR_LU,
    PERP_FACTOR_CHOLESKY, /* reads the lower triangle only: the caller knows A symmetric */
} perp_factor_kind;

/** Prepare for matrices with the pattern of the square A (dense or CSR). Takes memory for
 *  the largest block, from malloc: free it in `close`. */
perp_status perp_factor_new(perp_factor **f, const perp_operator *A,
                            perp_factor_kind kind, perp_error *err);
void perp_factor_free(perp_factor *f); /* takes NULL */

/** Factor A (other numbers, same pattern as at perp_factor_new). PERP_OK also when it failed
 *  on a singular or, for Cholesky, not positive pivot: then *done is false. Errors: memory. */
perp_status perp_factor_matrix(perp_factor *f, const perp_operator *A, bool *done,
                               perp_error *err);
/** The same with the principal block A_FF, F = rows[0..k-1], ascending. */
perp_status perp_factor_block(perp_factor *f, const perp_operator *A, const size_t *rows,
                              size_t k, bool *done, perp_error *err);
/** x := A^-1 x (n entries) or A_FF^-1 x (k entries, in the order of rows). */
void perp_factor_solve(perp_factor *f, double *x);
/** After a failure: the row of A whose pivot failed, */
size_t perp_factor_place(const perp_factor *f);
/** and x (n entries, 0 outside the block) with A_FF x = 0 to rounding, or x.A x <= 0 for
 *  Cholesky: what perp_result_certify_singular takes. False if none could be formed. */
bool perp_factor_null(perp_factor *f, const perp_operator *A, double *x);
/** Flops of the last factorisation, for work.flops_factor. */
double perp_factor_flops(const perp_factor *f);

/* Systems K = A + blocks on the diagonal, and block rows scaled: what Newton, interior point
 * and ADMM factor. */

/** A matrix that can hold A and every diagonal block of the set: dense where A is dense or
 *  too full to gain from sparsity, else CSR with the united pattern. Zeroed. Freed with
 *  perp_operator_free. `set` may be NULL: the diagonal only. */
perp_status perp_system_new(perp_operator **K, const perp_operator *A,
                            const perp_set *set, perp_error *err);
/** K := A. */
void perp_system_load(perp_operator *K, const perp_operator *A);
/** The same of a K that has A in all entries but those of the diagonal blocks of the set. */
void perp_system_load_blocks(perp_operator *K, const perp_operator *A,
                             const perp_set *set);
/** K[first.., first..] += H, dim x dim column-major. */
void perp_system_add_block(perp_operator *K, size_t first, size_t dim, const double *H);
/** K[i, j] += a, where (i, j) is an entry of A, or i is a friction row and j its normal. */
void perp_system_add_entry(perp_operator *K, size_t i, size_t j, double a);
/** Block row first.. of K := L times it, L dim x dim column-major. */
void perp_system_scale_rows(perp_operator *K, size_t first, size_t dim, const double *L);

#endif
