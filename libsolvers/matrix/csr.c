/* SPDX-License-Identifier: Apache-2.0
 * matrix/csr.c: compressed sparse rows.
 *
 *     row i:  A_ij = x[k] with j = col[k],  k = ptr[i] .. ptr[i+1]-1,  j ascending
 *
 * A product costs 2 nonzeros flops; one entry costs a binary search in its row. */
#include <config.h>

#include "matrix/storages.h"

/* Four sums, so that one addition need not wait for the one before. */
static inline double csr_row(const perp_operator *A, size_t i, const double *x)
{
    const int32_t *col = A->col;
    const double *a = A->x;
    size_t k = A->ptr[i];
    size_t end = A->ptr[i + 1];
    double s0 = 0.0;
    double s1 = 0.0;
    double s2 = 0.0;
    double s3 = 0.0;

    for (; end - k >= 4; k += 4) {
        s0 += a[k] * x[col[k]];
        s1 += a[k + 1] * x[col[k + 1]];
        s2 += a[k + 2] * x[col[k + 2]];
        s3 += a[k + 3] * x[col[k + 3]];
    }
    for (; k < end; k++) {
        s0 += a[k] * x[col[k]];
    }
    return (s0 + s1) + (s2 + s3);
}

void perp_csr_rows_dot(const perp_operator *A, size_t first, size_t dim, const double *z,
                       double *y)
{
    for (size_t i = 0; i < dim; i++) {
        y[i] = csr_row(A, first + i, z);
    }
}

static void csr_apply(const perp_operator *A, const double *x, double *y)
{
    perp_csr_rows_dot(A, 0, A->rows, x, y);
}

void perp_csr_row_add(const perp_operator *A, size_t i, double scale, double *out)
{
    for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
        out[A->col[k]] += scale * A->x[k];
    }
}

static void csr_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    memset(y, 0, A->cols * sizeof(double));
    for (size_t i = 0; i < A->rows; i++) {
        perp_csr_row_add(A, i, x[i], y);
    }
}

static double csr_entry(const perp_operator *A, size_t i, size_t j)
{
    size_t from = A->ptr[i];
    size_t to = A->ptr[i + 1];

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if ((size_t)A->col[middle] < j) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < A->ptr[i + 1] && (size_t)A->col[from] == j ? A->x[from] : 0.0;
}

static void csr_row_visit(const perp_operator *A, size_t i,
                          void (*visit)(void *context, size_t j, double a), void *context)
{
    for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
        visit(context, (size_t)A->col[k], A->x[k]);
    }
}

static void csr_scale(perp_operator *A, const double *left, const double *right)
{
    for (size_t i = 0; i < A->rows; i++) {
        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            A->x[k] = left[i] * A->x[k] * right[A->col[k]];
        }
    }
}

static const perp_operator_methods csr_methods = {
    .apply = csr_apply,
    .apply_transposed = csr_apply_transposed,
    .rows_dot = perp_csr_rows_dot,
    .entry = csr_entry,
    .row_add = perp_csr_row_add,
    .row_visit = csr_row_visit,
    .scale = csr_scale,
};

const perp_operator_type perp_operator_csr = {
    .storage = PERP_STORAGE_CSR,
    .name = "csr",
    .methods = &csr_methods,
};
