/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_pack.c: what containers of arrays share: sizes compared with those asked for,
 * the entries of A in the order of a file. */
#include <config.h>

#include <string.h>

#include "arrays.h"
#include "base/base.h"

perp_status perp_arrays_expect_matrix(const char *place, const size_t size[2],
                                      size_t rows, size_t cols, size_t most,
                                      perp_error *err)
{
    const bool any = cols == PERP_ARRAY_ANY;

    if (size[0] == rows && (any ? size[1] <= most : size[1] == cols)) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA, "%s is %zu x %zu, expected %zu x %s%zu", place,
                     size[0], size[1], rows, any ? "at most " : "", any ? most : cols);
}

perp_status perp_arrays_expect_vector(const char *place, size_t length, size_t *n,
                                      perp_error *err)
{
    if (*n != PERP_ARRAY_ANY && *n != length) {
        return perp_fail(err, PERP_ERR_DATA, "%s has %zu number%s, expected %zu", place,
                         length, perp_plural(length), *n);
    }
    *n = length;
    return PERP_OK;
}

perp_status perp_arrays_pack(double **x, const perp_operator *A, bool by_columns,
                             const char *place, perp_error *err)
{
    enum { TILE = 32 }; /* rows that a turned line of the cache serves */
    size_t count = 0;

    *x = perp_mul(A->rows, A->cols, &count) ? perp_reals_new(count) : NULL;
    if (!*x) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its numbers", place);
    }
    if (by_columns) {
        for (size_t j = 0; j < A->cols && A->rows > 0; j++) {
            memcpy(*x + j * A->rows, A->x + j * A->ld, A->rows * sizeof **x);
        }
        return PERP_OK;
    }
    for (size_t first = 0; first < A->rows; first += TILE) {
        const size_t end = first + TILE < A->rows ? first + TILE : A->rows;

        for (size_t j = 0; j < A->cols; j++) {
            for (size_t i = first; i < end; i++) {
                (*x)[i * A->cols + j] = A->x[i + j * A->ld];
            }
        }
    }
    return PERP_OK;
}

static void rows_add(void *context, size_t j, double a)
{
    perp_arrays_rows *r = context;

    r->indices[r->count] = (int32_t)j;
    r->data[r->count++] = a;
}

perp_status perp_arrays_rows_new(perp_arrays_rows *r, const perp_operator *A,
                                 const char *place, perp_error *err)
{
    const size_t count = A->count * A->block_size * A->block_size;

    *r = (perp_arrays_rows){.count = 0};
    if (count > INT32_MAX) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s has %zu entries, expected at most %d", place, count,
                         INT32_MAX);
    }
    r->indptr = malloc((A->rows + 1) * sizeof *r->indptr);
    r->indices = malloc((count + 1) * sizeof *r->indices);
    r->data = malloc((count + 1) * sizeof *r->data);
    if (!r->indptr || !r->indices || !r->data) {
        perp_arrays_rows_free(r);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its numbers", place);
    }
    for (size_t i = 0; i < A->rows; i++) {
        r->indptr[i] = (int32_t)r->count;
        perp_operator_row_visit(A, i, rows_add, r);
    }
    r->indptr[A->rows] = (int32_t)r->count;
    return PERP_OK;
}

void perp_arrays_rows_free(perp_arrays_rows *r)
{
    free(r->indptr);
    free(r->indices);
    free(r->data);
    *r = (perp_arrays_rows){.count = 0};
}
