/* SPDX-License-Identifier: Apache-2.0
 * linear/factor.h: factorisations of a matrix and of its principal blocks. Private.
 *
 *     A_FF = L L^T,    or    P R A_FF = L U,    F = rows[0..k-1]
 *
 * Dense matrices are factored by LAPACK (Cholesky, LU with partial pivoting), CSR matrices by
 * SuiteSparse: LDL of an AMD ordering, or KLU. The symbolic analysis is made once per pattern
 * and serves all numbers on it and all principal blocks (the other rows are masked by rows of
 * the identity).
 *
 * All memory is charged to the workspace of the run, so that the bytes of a result and the
 * memory limit count factors. It is not on the stack of that workspace: a factor may be made or
 * grow at any time of a run, and is freed by perp_factor_close in any order. */
#ifndef PERP_LINEAR_FACTOR_H
#define PERP_LINEAR_FACTOR_H

#include "core/solvers.h"

/** Above this share of stored entries a dense factorisation is faster than a sparse one: fill
 *  makes sparse factors nearly full, and their scalar loops run at a tenth of the speed of
 *  LAPACK's blocked ones. */
#define PERP_FACTOR_FULL 0.2

/** No row: no pivot failed. */
#define PERP_PIVOT_NONE SIZE_MAX

typedef struct perp_factor perp_factor;

typedef enum perp_factor_kind {
    PERP_FACTOR_LU,
    PERP_FACTOR_CHOLESKY, /* reads the lower triangle only: the caller knows A symmetric */
} perp_factor_kind;

/** Take the memory for the largest block of matrices with the pattern of the square A (dense
 *  or CSR) and analyse that pattern. *f is NULL after a failure. The workspace must outlive
 *  it. */
perp_status perp_factor_new(perp_factor **f, const perp_operator *A,
                            perp_factor_kind kind, perp_workspace *ws, perp_error *err);
void perp_factor_close(perp_factor *f); /* NULL is allowed (no-op) */
/** Factor by this kind from now on, A having the pattern given to perp_factor_new. Memory for
 *  a kind is taken at its first use. */
perp_status perp_factor_set_kind(perp_factor *f, const perp_operator *A,
                                 perp_factor_kind kind, perp_error *err);

/** Factor A (other numbers, the same pattern). *done is false where a pivot is singular or,
 *  for Cholesky, not positive; the status is PERP_OK even then. Errors: memory. */
perp_status perp_factor_matrix(perp_factor *f, const perp_operator *A, bool *done,
                               perp_error *err);
/** The same with the principal block A_FF, F = rows[0..k-1], ascending. */
perp_status perp_factor_block(perp_factor *f, const perp_operator *A, const size_t *rows,
                              size_t k, bool *done, perp_error *err);
/** x := A^-1 x (n entries) or A_FF^-1 x (k entries, in the order of rows). */
void perp_factor_solve(perp_factor *f, double *x);

/** Whether det A or det A_FF is negative, by the last factorisation, which was done. */
bool perp_factor_negative(perp_factor *f);

/** The row of A whose pivot failed, or PERP_PIVOT_NONE. */
size_t perp_factor_failed_row(const perp_factor *f);
/** After a failure: x (n entries, 0 outside the block) with A_FF x = 0 to rounding or, for
 *  Cholesky, x.A x <= 0, as perp_result_certify_singular expects it. False where no such
 *  vector was found. */
bool perp_factor_null_vector(perp_factor *f, const perp_operator *A, double *x);
/** Floating-point operations of the last factorisation. */
double perp_factor_flops(const perp_factor *f);
/** Add the last factorisation to the work of a run. */
void perp_factor_count(const perp_factor *f, perp_work *work);

#endif
