/* SPDX-License-Identifier: Apache-2.0
 * linear/factor_sparse.h: the two sparse factorisations behind linear/factor.h. Private.
 *
 * Both are prepared once per pattern (CSR, square, n > 0). A block F is factored as the matrix
 * of n rows in which those outside of F are rows of the identity: `in` marks the rows of F.
 * Vectors have n entries; those outside of F are 0 before and after a solve. */
#ifndef PERP_LINEAR_FACTOR_SPARSE_H
#define PERP_LINEAR_FACTOR_SPARSE_H

#include "factor.h"

/** A pivot fails when it is below this part of its value before elimination: it is then mostly
 *  rounding, since a sum of n numbers of size 1 errs by some eps = 2e-16 each. */
#define PERP_PIVOT_TOLERANCE 1e-14

typedef struct perp_ldl perp_ldl;

perp_status perp_ldl_new(perp_ldl **f, const perp_operator *A, perp_workspace *ws,
                         perp_error *err);
/** The row whose pivot is not positive, or PERP_PIVOT_NONE. */
size_t perp_ldl_factor(perp_ldl *f, const perp_operator *A, const bool *in);
void perp_ldl_solve(perp_ldl *f, double *x);
/** x with x.A x = the pivot that failed. */
void perp_ldl_null_vector(perp_ldl *f, double *x);
double perp_ldl_flops(const perp_ldl *f);

typedef struct perp_lu perp_lu;

/** Arrays come from ws; what KLU holds is charged to `run`. perp_lu_close must be called even
 *  after a failure. */
perp_status perp_lu_new(perp_lu **f, const perp_operator *A, perp_workspace *ws,
                        perp_workspace *run, perp_error *err);
void perp_lu_close(perp_lu *f); /* NULL is allowed */
/** *failed: the row whose pivot is singular, or PERP_PIVOT_NONE. */
perp_status perp_lu_factor(perp_lu *f, const perp_operator *A, const bool *in,
                           size_t *failed, perp_error *err);
/** Whether det A_FF is negative. */
bool perp_lu_negative(perp_lu *f);
void perp_lu_solve(perp_lu *f, double *x);
/** x with a small A x, by inverse iteration; false where the iteration fails. */
bool perp_lu_null_vector(perp_lu *f, const perp_operator *A, const bool *in, double *x);
double perp_lu_flops(const perp_lu *f);

#endif
