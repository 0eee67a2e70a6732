/* SPDX-License-Identifier: Apache-2.0
 * matrix/make.c: constructors of matrices, copies and views.
 *
 * Arrays of numbers start on 64 bytes, a cache line and the widest vector register. Extents
 * stay within int, since BLAS and the column indices are narrow; entries are counted in
 * size_t. */
#include <config.h>

#include <limits.h>

#include "base/base.h"
#include "matrix/storages.h"

enum { operator_alignment = 64 };

void *perp_operator_array(size_t a, size_t b, size_t size)
{
    size_t bytes = 0;

    if (!perp_mul(a, b, &bytes) || !perp_mul(bytes, size, &bytes) ||
        bytes > SIZE_MAX - operator_alignment) {
        return NULL;
    }
    bytes = (bytes / operator_alignment + 1) * operator_alignment;
    return aligned_alloc(operator_alignment, bytes);
}

perp_status perp_operator_check_extents(size_t rows, size_t cols, perp_error *err)
{
    if (rows > INT_MAX || cols > INT_MAX) {
        return perp_fail(err, PERP_ERR_DATA,
                         "matrix of %zu x %zu: extents beyond %d are not supported", rows,
                         cols, INT_MAX);
    }
    return PERP_OK;
}

perp_status perp_operator_bad_blocks(size_t rows, size_t cols, size_t block_size,
                                     perp_error *err)
{
    return perp_fail(err, PERP_ERR_DATA,
                     "matrix of %zu x %zu cannot be divided into blocks of size %zu",
                     rows, cols, block_size);
}

perp_status perp_operator_bad_leading(size_t rows, size_t cols, size_t ld,
                                      perp_error *err)
{
    return perp_fail(err, PERP_ERR_ARGUMENT,
                     "matrix of %zu x %zu: leading dimension is %zu, expected at least "
                     "the rows",
                     rows, cols, ld);
}

perp_status perp_operator_blank(perp_operator **A, const perp_operator_type *type,
                                size_t rows, size_t cols, perp_error *err)
{
    perp_status status = perp_operator_check_extents(rows, cols, err);

    *A = NULL;
    if (status != PERP_OK) {
        return status;
    }
    *A = calloc(1, sizeof **A);
    if (!*A) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a matrix");
    }
    (*A)->type = type;
    (*A)->rows = rows;
    (*A)->cols = cols;
    (*A)->block_size = 1;
    return PERP_OK;
}

perp_status perp_operator_new_dense_raw(perp_operator **A, size_t rows, size_t cols,
                                        perp_error *err)
{
    perp_status status = perp_operator_blank(A, &perp_operator_dense, rows, cols, err);
    size_t ld = (rows / 8 + (rows % 8 != 0 || rows == 0)) * 8;

    if (status != PERP_OK) {
        return status;
    }
    (*A)->ld = ld;
    (*A)->count = rows * cols; /* both fit in int, so the product fits in size_t */
    (*A)->x = perp_operator_array(ld, cols, sizeof(double));
    if (!(*A)->x) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a dense %zu x %zu matrix",
                         rows, cols);
    }
    return PERP_OK;
}

perp_status perp_operator_new_dense(perp_operator **A, size_t rows, size_t cols,
                                    perp_error *err)
{
    if (perp_check_arguments(A, "perp_operator_new_dense", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = perp_operator_new_dense_raw(A, rows, cols, err);

    if (status == PERP_OK) {
        memset((*A)->x, 0, (*A)->ld * cols * sizeof(double));
    }
    return status;
}

perp_status perp_operator_new_sparse(perp_operator **A, size_t rows, size_t cols,
                                     size_t block_size, size_t count, perp_error *err)
{
    if (perp_check_arguments(A, "perp_operator_new_sparse", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    size_t block = 0;

    *A = NULL;
    if (block_size == 0 || rows % block_size != 0 || cols % block_size != 0) {
        return perp_operator_bad_blocks(rows, cols, block_size, err);
    }
    TRY(perp_operator_blank(A, block_size > 1 ? &perp_operator_bsr : &perp_operator_csr,
                            rows, cols, err));
    (*A)->block_size = block_size;
    (*A)->count = count;
    (*A)->ptr = calloc(rows / block_size + 1, sizeof(size_t));
    (*A)->col = perp_operator_array(count, 1, sizeof(int32_t));
    (*A)->x = perp_mul(block_size, block_size, &block)
                  ? perp_operator_array(count, block, sizeof(double))
                  : NULL;
    if (!(*A)->ptr || !(*A)->col || !(*A)->x) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for a sparse %zu x %zu matrix of %zu entries", rows,
                         cols, count);
    }
    return PERP_OK;
}

/* order[from..] sorted stably by key: one pass of a counting sort. start has keys + 1 entries. */
static void operator_sort_pass(size_t count, const size_t *order, size_t *sorted,
                               const int32_t *key, size_t keys, size_t *start)
{
    memset(start, 0, (keys + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++) {
        start[(size_t)key[k] + 1]++;
    }
    for (size_t i = 0; i < keys; i++) {
        start[i + 1] += start[i];
    }
    for (size_t k = 0; k < count; k++) {
        size_t item = order ? order[k] : k;

        sorted[start[key[item]]++] = item;
    }
}

/* Triplets in the order of rows, then columns, then appearance. */
static size_t *operator_sorted(size_t rows, size_t cols, size_t count, const int32_t *i,
                               const int32_t *j)
{
    size_t *by_col = perp_operator_array(count, 1, sizeof(size_t));
    size_t *order = perp_operator_array(count, 1, sizeof(size_t));
    size_t *start =
        perp_operator_array((rows > cols ? rows : cols) + 1, 1, sizeof(size_t));

    if (by_col && order && start) {
        operator_sort_pass(count, NULL, by_col, j, cols, start);
        operator_sort_pass(count, by_col, order, i, rows, start);
    } else {
        free(order);
        order = NULL;
    }
    free(by_col);
    free(start);
    return order;
}

perp_status perp_operator_new_from_triplets(perp_operator **A, size_t rows, size_t cols,
                                            size_t count, const int32_t *i,
                                            const int32_t *j, const double *x,
                                            perp_error *err)
{
    if (perp_check_arguments(A && (count == 0 || (i && j && x)),
                             "perp_operator_new_from_triplets", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    size_t *order = NULL;
    size_t stored = 0;
    bool ascending = true; /* then there is nothing to sort */

    *A = NULL;
    for (size_t k = 0; k < count; k++) {
        ascending = ascending &&
                    (k == 0 || i[k - 1] < i[k] || (i[k - 1] == i[k] && j[k - 1] < j[k]));
        if (i[k] < 0 || (size_t)i[k] >= rows || j[k] < 0 || (size_t)j[k] >= cols) {
            return perp_fail(err, PERP_ERR_DATA,
                             "entry %zu at row %d, column %d (from 0) lies outside the "
                             "%zu x %zu matrix",
                             k, (int)i[k], (int)j[k], rows, cols);
        }
    }
    TRY(perp_operator_new_sparse(A, rows, cols, 1, count, err));
    order = ascending ? NULL : operator_sorted(rows, cols, count, i, j);
    if (!order && !ascending) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to sort %zu entries", count);
    }
    for (size_t k = 0; k < count; k++) {
        size_t item = order ? order[k] : k;

        if (order && k > 0 && i[order[k - 1]] == i[item] && j[order[k - 1]] == j[item]) {
            (*A)->x[stored - 1] += x[item];
            continue;
        }
        (*A)->col[stored] = j[item];
        (*A)->x[stored++] = x[item];
        (*A)->ptr[i[item] + 1]++;
    }
    for (size_t row = 0; row < rows; row++) {
        (*A)->ptr[row + 1] += (*A)->ptr[row];
    }
    (*A)->count = stored;
    free(order);
    return PERP_OK;
}

perp_status perp_operator_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err)
{
    if (perp_check_arguments(out && A, "perp_operator_copy", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = PERP_OK;
    size_t block_rows = A->rows / A->block_size;
    size_t count = 0;

    if (A->factored) {
        return perp_factored_copy(out, A, err);
    }
    if (A->pairs) {
        return perp_pairs_copy(out, A, false, err);
    }
    if (!A->ptr) {
        return perp_operator_new_from_dense(out, A->rows, A->cols, A->x, A->ld, PERP_COPY,
                                            err);
    }
    count = A->ptr[block_rows];
    status = perp_operator_new_sparse(out, A->rows, A->cols, A->block_size, count, err);
    if (status == PERP_OK) {
        (*out)->type = A->type;
        memcpy((*out)->ptr, A->ptr, (block_rows + 1) * sizeof(size_t));
        memcpy((*out)->col, A->col, count * sizeof(int32_t));
        memcpy((*out)->x, A->x, count * A->block_size * A->block_size * sizeof(double));
    }
    return status;
}

perp_status perp_operator_new_view(perp_operator **out, const perp_operator *A,
                                   perp_error *err)
{
    if (perp_check_arguments(out && A, "perp_operator_new_view", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }
    perp_status status = PERP_OK;

    TRY(perp_operator_blank(out, A->type, A->rows, A->cols, err));
    **out = *A;
    (*out)->borrows = true;
    (*out)->factored = NULL;
    (*out)->pairs = NULL;
    if (A->factored) {
        status = perp_factored_view(*out, A, err);
    } else if (A->pairs) {
        status = perp_pairs_view(*out, A, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(*out);
        *out = NULL;
    }
    return status;
}

void perp_operator_free(perp_operator *A)
{
    if (A) {
        if (!A->borrows) {
            free(A->ptr);
            free(A->col);
            free(A->x);
        }
        perp_factored_free(A->factored);
        perp_pairs_free(A->pairs);
        free(A);
    }
}
