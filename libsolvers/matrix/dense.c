/* SPDX-License-Identifier: Apache-2.0
 * matrix/dense.c: dense matrices, column-major, through BLAS.
 *
 *     A_ij = x[i + j*ld]
 *
 * A product costs 2 rows*cols flops. Rows of a column-major matrix are far apart: a panel of
 * two or three of them is read in one pass over the columns. */
#include <config.h>

#include <cblas.h>

#include "matrix/storages.h"

/* Entries of a matrix that BLAS multiplies on one thread in any case; its own limit is 9216. */
enum { DENSE_ALONE = 1024 };

static void dense_product(const perp_operator *A, CBLAS_TRANSPOSE transpose,
                          const double *x, double *y)
{
    size_t length = transpose == CblasNoTrans ? A->rows : A->cols;

    /* y starts as zeros, since BLAS does not write y when one extent is 0, and some versions
     * keep a NaN of y when beta = 0 */
    memset(y, 0, length * sizeof(double));
    if (A->rows > 0 && A->cols > 0) {
        bool large = A->cols > DENSE_ALONE / A->rows;

        if (large) {
            perp_blas_hold();
        }
        cblas_dgemv(CblasColMajor, transpose, (int)A->rows, (int)A->cols, 1.0, A->x,
                    (int)A->ld, x, 1, 1.0, y, 1);
        if (large) {
            perp_blas_release();
        }
    }
}

static void dense_apply(const perp_operator *A, const double *x, double *y)
{
    dense_product(A, CblasNoTrans, x, y);
}

static void dense_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    dense_product(A, CblasTrans, x, y);
}

/* Three rows at once, even and odd columns separately so that additions overlap. */
static void dense_three_rows(const perp_operator *A, size_t first, const double *z,
                             double *y)
{
    const double *a = A->x + first;
    double even[3] = {0.0, 0.0, 0.0};
    double odd[3] = {0.0, 0.0, 0.0};
    size_t j = 0;

    for (; j + 2 <= A->cols; j += 2, a += 2 * A->ld) {
        const double *next = a + A->ld;

        for (size_t i = 0; i < 3; i++) {
            even[i] += a[i] * z[j];
            odd[i] += next[i] * z[j + 1];
        }
    }
    for (size_t i = 0; i < 3; i++) {
        y[i] = even[i] + odd[i] + (j < A->cols ? a[i] * z[j] : 0.0);
    }
}

static void dense_rows_dot(const perp_operator *A, size_t first, size_t dim,
                           const double *z, double *y)
{
    if (dim == 3) {
        dense_three_rows(A, first, z, y);
    } else if (dim <= 2) {
        for (size_t i = 0; i < dim; i++) {
            y[i] = cblas_ddot((int)A->cols, A->x + first + i, (int)A->ld, z, 1);
        }
    } else {
        const perp_operator panel = {
            .rows = dim, .cols = A->cols, .ld = A->ld, .x = A->x + first};

        dense_apply(&panel, z, y);
    }
}

static double dense_entry(const perp_operator *A, size_t i, size_t j)
{
    return A->x[i + j * A->ld];
}

static void dense_row_add(const perp_operator *A, size_t i, double scale, double *out)
{
    for (size_t j = 0; j < A->cols; j++) {
        out[j] += scale * A->x[i + j * A->ld];
    }
}

static void dense_row_visit(const perp_operator *A, size_t i,
                            void (*visit)(void *context, size_t j, double a),
                            void *context)
{
    for (size_t j = 0; j < A->cols; j++) {
        visit(context, j, A->x[i + j * A->ld]);
    }
}

static void dense_scale(perp_operator *A, const double *left, const double *right)
{
    for (size_t j = 0; j < A->cols; j++) {
        for (size_t i = 0; i < A->rows; i++) {
            A->x[i + j * A->ld] = left[i] * A->x[i + j * A->ld] * right[j];
        }
    }
}

static const perp_operator_methods dense_methods = {
    .apply = dense_apply,
    .apply_transposed = dense_apply_transposed,
    .rows_dot = dense_rows_dot,
    .entry = dense_entry,
    .row_add = dense_row_add,
    .row_visit = dense_row_visit,
    .scale = dense_scale,
};

const perp_operator_type perp_operator_dense = {
    .storage = PERP_STORAGE_DENSE,
    .name = "dense",
    .methods = &dense_methods,
};
