/* SPDX-License-Identifier: Apache-2.0
 * linear/factor_sparse.h: the two sparse engines behind core/factor.h. Private.
 *
 * Both are made once for a pattern (CSR, square, n > 0). A block F is factored as the matrix
 * of n rows in which those outside of F are rows of the identity: `in` says which are inside.
 * Vectors have n entries; those outside of F are 0 before and after a solve. */
#ifndef PERP_CORE_FACTOR_SPARSE_H
#define PERP_CORE_FACTOR_SPARSE_H

#include "core/solvers.h"

/** A pivot is none when it is so small, relative to what it was before elimination: it is
 *  then mostly rounding, for a sum of n numbers of size 1 errs by some eps = 2e-16 each. */
#define PERP_PIVOT_TOLERANCE 1e-14

/** No pivot failed. */
#define PERP_PIVOT_NONE SIZE_MAX

typedef struct perp_ldl perp_ldl;

perp_status perp_ldl_new(perp_ldl **f, const perp_operator *A, perp_error *err);
void perp_ldl_free(perp_ldl *f); /* takes NULL */
/** The row whose pivot is not positive, or PERP_PIVOT_NONE. */
size_t perp_ldl_factor(perp_ldl *f, const perp_operator *A, const bool *in);
void perp_ldl_solve(perp_ldl *f, double *x);
/** x.A x = the pivot that failed. */
void perp_ldl_null(perp_ldl *f, double *x);
double perp_ldl_flops(const perp_ldl *f);

typedef struct perp_lu perp_lu;

perp_status perp_lu_new(perp_lu **f, const perp_operator *A, perp_error *err);
void perp_lu_free(perp_lu *f); /* takes NULL */
/** *failed: the row whose pivot is singular, or PERP_PIVOT_NONE. */
perp_status perp_lu_factor(perp_lu *f, const perp_operator *A, const bool *in,
                           size_t *failed, perp_error *err);
void perp_lu_solve(perp_lu *f, double *x);
/** x with A x small, by inverse iteration; false if it could not be done. */
bool perp_lu_null(perp_lu *f, const perp_operator *A, const bool *in, double *x);
double perp_lu_flops(const perp_lu *f);

#endif
