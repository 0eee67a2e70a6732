/* SPDX-License-Identifier: Apache-2.0
 * linear/ldlt.h: a symmetric positive definite matrix factored as L D L^T, one row in or out
 * at a time. Private; used by the principal pivoting methods.
 *
 * Rows stand in the order in which they entered. L is unit lower, row-major and packed: rows
 * are padded to the end of their group of 16, so that a group is one small rectangle with a
 * constant stride, and a triangular solve is a product of BLAS per group. Half of n^2 reals. */
#ifndef PERP_LINEAR_LDLT_H
#define PERP_LINEAR_LDLT_H

#include <perp/workspace.h>

typedef struct perp_ldlt {
    size_t k;      /* rows there are */
    double *L;     /* packed rows */
    double *d;     /* a row each: the diagonal D */
    double *p, *b; /* a row each: scratch of ldlt_remove */
} perp_ldlt;

/* Memory for `capacity` rows; the caller asks the workspace whether it was given. */
void perp_ldlt_new(perp_ldlt *f, size_t capacity, perp_workspace *ws);

/* Replace the factor by that of the k x k matrix X, of which rows hold the lower triangle,
 * X[j + i*ld] = X_ij for j <= i; X is overwritten. A pivot of at most `smallest` times the
 * diagonal entry is refused: then the factor is empty and the row is returned, else k. */
size_t perp_ldlt_factor(perp_ldlt *f, size_t k, double *X, size_t ld, double smallest);

/* x := L^-1 x for rows `from` and on; those before it are solved already. */
void perp_ldlt_forward(const perp_ldlt *f, size_t from, double *x);
/* x := L^-T x. */
void perp_ldlt_backward(const perp_ldlt *f, double *x);
/* x := (L D L^T)^-1 x. */
void perp_ldlt_solve(const perp_ldlt *f, double *x);

/* diagonal - y.D^-1 y: the pivot of a row to come, y = L^-1 of its column. */
double perp_ldlt_pivot(const perp_ldlt *f, const double *y, double diagonal);
/* Append a row, given y as above and its pivot, which is positive. */
void perp_ldlt_add(perp_ldlt *f, const double *y, double pivot);
/* Row `row` of L times x, diagonal excluded. */
double perp_ldlt_row_dot(const perp_ldlt *f, size_t row, const double *x);
/* Take row and column q out: a positive rank-one update of what follows, stable. */
void perp_ldlt_remove(perp_ldlt *f, size_t q);

#endif
