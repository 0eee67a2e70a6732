/* SPDX-License-Identifier: Apache-2.0
 * matrix/borrow.c: matrices of arrays that the caller owns, borrowed or copied.
 *
 * Only the pattern of a sparse matrix is checked, which costs O(rows + entries). */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"

/* The row starts ascend from 0, the columns of each row ascend within the matrix. */
static perp_status borrow_check(const perp_operator *A, perp_error *err)
{
    const size_t rows = A->rows / A->block_size;
    const size_t cols = A->cols / A->block_size;

    if (A->ptr[0] != 0) {
        return perp_fail(err, PERP_ERR_DATA, "sparse matrix: ptr[0] is %zu, expected 0",
                         A->ptr[0]);
    }
    for (size_t i = 0; i < rows; i++) {
        if (A->ptr[i + 1] < A->ptr[i]) {
            return perp_fail(err, PERP_ERR_DATA,
                             "sparse matrix: ptr[%zu] is %zu, expected at least %zu",
                             i + 1, A->ptr[i + 1], A->ptr[i]);
        }
        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            const int32_t least = k > A->ptr[i] ? A->col[k - 1] + 1 : 0;

            if (A->col[k] < least || (size_t)A->col[k] >= cols) {
                return perp_fail(err, PERP_ERR_DATA,
                                 "sparse matrix: col[%zu] is %d, expected columns of row "
                                 "%zu that ascend below %zu",
                                 k, (int)A->col[k], i, cols);
            }
        }
    }
    return PERP_OK;
}

perp_status perp_operator_new_from_dense(perp_operator **A, size_t rows, size_t cols,
                                         const double *x, size_t ld,
                                         perp_ownership ownership, perp_error *err)
{
    TRY(perp_check_arguments(A && (x || rows == 0 || cols == 0),
                             "perp_operator_new_from_dense", err));
    *A = NULL;
    if (ld < rows) {
        return perp_operator_bad_leading(rows, cols, ld, err);
    }
    if (ownership == PERP_BORROW) {
        TRY(perp_operator_blank(A, &perp_operator_dense, rows, cols, err));
        (*A)->ld = ld;
        (*A)->count = rows * cols;
        /* written only by perp_operator_scale and _add_diagonal */
        (*A)->x = perp_borrowed(x);
        (*A)->borrows = true;
        return PERP_OK;
    }
    TRY(perp_operator_new_dense(A, rows, cols, err));
    for (size_t j = 0; rows > 0 && j < cols; j++) {
        memcpy((*A)->x + j * (*A)->ld, x + j * ld, rows * sizeof(double));
    }
    return PERP_OK;
}

static perp_status borrow_sparse(perp_operator **A, const perp_operator_type *type,
                                 const perp_operator *arrays, perp_error *err)
{
    const size_t e = arrays->block_size;
    perp_status status = PERP_OK;

    if (e == 0 || arrays->rows % e != 0 || arrays->cols % e != 0) {
        return perp_operator_bad_blocks(arrays->rows, arrays->cols, e, err);
    }
    TRY(perp_operator_blank(A, type, arrays->rows, arrays->cols, err));
    **A = *arrays;
    (*A)->type = type;
    (*A)->count = arrays->ptr[arrays->rows / e];
    (*A)->borrows = true;
    status = borrow_check(*A, err);
    if (status != PERP_OK) {
        perp_operator_free(*A);
        *A = NULL;
    }
    return status;
}

/* Borrowed, or a copy of what is borrowed. */
static perp_status borrow_from(perp_operator **A, const perp_operator_type *type,
                               const perp_operator *arrays, perp_ownership ownership,
                               perp_error *err)
{
    perp_operator *borrowed = NULL;
    perp_status status = PERP_OK;

    *A = NULL;
    TRY(borrow_sparse(&borrowed, type, arrays, err));
    if (ownership == PERP_BORROW) {
        *A = borrowed;
        return PERP_OK;
    }
    status = perp_operator_copy(A, borrowed, err);
    perp_operator_free(borrowed);
    return status;
}

perp_status perp_operator_new_from_csr(perp_operator **A, size_t rows, size_t cols,
                                       const size_t *ptr, const int32_t *col,
                                       const double *x, perp_ownership ownership,
                                       perp_error *err)
{
    const perp_operator arrays = {.rows = rows,
                                  .cols = cols,
                                  .block_size = 1,
                                  .ptr = perp_borrowed(ptr),
                                  .col = perp_borrowed(col),
                                  .x = perp_borrowed(x)};

    TRY(perp_check_arguments(A, "perp_operator_new_from_csr", err));
    return borrow_from(A, &perp_operator_csr, &arrays, ownership, err);
}

perp_status perp_operator_new_from_bsr(perp_operator **A, size_t rows, size_t cols,
                                       size_t block_size, const size_t *ptr,
                                       const int32_t *col, const double *x,
                                       perp_ownership ownership, perp_error *err)
{
    const perp_operator arrays = {.rows = rows,
                                  .cols = cols,
                                  .block_size = block_size,
                                  .ptr = perp_borrowed(ptr),
                                  .col = perp_borrowed(col),
                                  .x = perp_borrowed(x)};

    TRY(perp_check_arguments(A, "perp_operator_new_from_bsr", err));
    return borrow_from(A, &perp_operator_bsr, &arrays, ownership, err);
}
