/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_sparse.c: sparse matrices as SciPy and others store them: by coordinates, by
 * rows or by columns. Nothing of them is believed. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "arrays.h"
#include "base/base.h"

perp_status perp_arrays_sparse_size(perp_arrays_sparse *s, const double *shape,
                                    size_t count, const char *place, perp_error *err)
{
    if (count != 2) {
        return perp_fail(err, PERP_ERR_DATA, "%s has %zu size%s, expected 2", place,
                         count, perp_plural(count));
    }
    for (int k = 0; k < 2; k++) {
        if (!(shape[k] >= 0.0 && shape[k] <= INT32_MAX && shape[k] == floor(shape[k]))) {
            return perp_fail(err, PERP_ERR_DATA, "%s is %g, expected a size below 2^31",
                             place, shape[k]);
        }
    }
    s->rows = (size_t)shape[0];
    s->cols = (size_t)shape[1];
    return PERP_OK;
}

/* As many indices as values; of a compressed side one start more than it has rows. */
static perp_status sparse_lengths(const perp_arrays_sparse *s, const char *place,
                                  perp_error *err)
{
    const bool csr = s->layout == PERP_ARRAYS_CSR;
    const bool csc = s->layout == PERP_ARRAYS_CSC;
    const size_t row_count = csr ? s->rows + 1 : s->data_count;
    const size_t col_count = csc ? s->cols + 1 : s->data_count;

    if (s->row_count == row_count && s->col_count == col_count) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s: a %zu x %zu matrix of %zu values has %zu numbers for its rows, "
                     "%zu for its columns, expected %zu and %zu",
                     place, s->rows, s->cols, s->data_count, s->row_count, s->col_count,
                     row_count, col_count);
}

static perp_status sparse_add(perp_triplets *t, double i, double j, double x, size_t k,
                              const char *place, perp_error *err)
{
    if (!(i >= 0.0 && i < (double)t->rows && j >= 0.0 && j < (double)t->cols) ||
        i != floor(i) || j != floor(j) || !isfinite(x)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: entry %zu is %g at row %g, column %g, expected a finite "
                         "number inside %zu x %zu, counted from 0",
                         place, k, x, i, j, t->rows, t->cols);
    }
    perp_triplets_add(t, (size_t)i, (size_t)j, x);
    return PERP_OK;
}

/* `starts` are those of the rows, or of the columns. */
static perp_status sparse_compressed(const perp_arrays_sparse *s, perp_triplets *t,
                                     const char *place, perp_error *err)
{
    const bool by_rows = s->layout == PERP_ARRAYS_CSR;
    const double *starts = by_rows ? s->row : s->col;
    const double *indices = by_rows ? s->col : s->row;
    const size_t lines = by_rows ? s->rows : s->cols;
    const double count = (double)s->data_count;
    perp_status status = PERP_OK;

    if (starts[0] != 0.0 || starts[lines] != count) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: indptr goes from %g to %g, expected 0 to %zu, the entries",
                         place, starts[0], starts[lines], s->data_count);
    }
    for (size_t i = 0; status == PERP_OK && i < lines; i++) {
        if (!(starts[i] >= 0.0 && starts[i] <= starts[i + 1] && starts[i + 1] <= count) ||
            starts[i] != floor(starts[i])) {
            return perp_fail(err, PERP_ERR_FORMAT,
                             "%s: indptr does not ascend in whole numbers", place);
        }
        for (size_t k = (size_t)starts[i]; status == PERP_OK && k < (size_t)starts[i + 1];
             k++) {
            status =
                sparse_add(t, by_rows ? (double)i : indices[k],
                           by_rows ? indices[k] : (double)i, s->data[k], k, place, err);
        }
    }
    return status;
}

/* Rows whose columns ascend are copied as they are. */
static bool sparse_ascends(const perp_arrays_sparse *s)
{
    for (size_t i = 0; i < s->rows; i++) {
        if (!(s->row[i] >= 0.0 && s->row[i] <= s->row[i + 1]) ||
            s->row[i] != floor(s->row[i])) {
            return false;
        }
    }
    if (s->row[0] != 0.0 || s->row[s->rows] != (double)s->data_count) {
        return false;
    }
    for (size_t i = 0; i < s->rows; i++) {
        double before = -1.0;

        for (size_t k = (size_t)s->row[i]; k < (size_t)s->row[i + 1]; k++) {
            const double j = s->col[k];

            if (!(j > before && j < (double)s->cols) || j != floor(j) ||
                !isfinite(s->data[k])) {
                return false;
            }
            before = j;
        }
    }
    return true;
}

static perp_status sparse_copy(perp_operator **A, const perp_arrays_sparse *s,
                               perp_error *err)
{
    TRY(perp_operator_new_sparse(A, s->rows, s->cols, 1, s->data_count, err));
    for (size_t i = 0; i <= s->rows; i++) {
        (*A)->ptr[i] = (size_t)s->row[i];
    }
    for (size_t k = 0; k < s->data_count; k++) {
        (*A)->col[k] = (int32_t)s->col[k];
        (*A)->x[k] = s->data[k];
    }
    (*A)->count = s->data_count;
    return PERP_OK;
}

perp_status perp_arrays_sparse_finish(perp_operator **A, const perp_arrays_sparse *s,
                                      const char *place, perp_error *err)
{
    perp_triplets t;
    perp_status status = sparse_lengths(s, place, err);

    *A = NULL;
    if (status != PERP_OK) {
        return status;
    }
    if (s->layout == PERP_ARRAYS_CSR && sparse_ascends(s)) {
        return sparse_copy(A, s, err);
    }
    perp_triplets_init(&t, s->rows, s->cols, s->data_count);
    if (s->layout == PERP_ARRAYS_COO) {
        for (size_t k = 0; status == PERP_OK && k < s->data_count; k++) {
            status = sparse_add(&t, s->row[k], s->col[k], s->data[k], k, place, err);
        }
    } else {
        status = sparse_compressed(s, &t, place, err);
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &t, err);
    }
    perp_triplets_free(&t);
    return status;
}

void perp_arrays_sparse_free(perp_arrays_sparse *s)
{
    free(s->row);
    free(s->col);
    free(s->data);
    *s = (perp_arrays_sparse){.layout = PERP_ARRAYS_COO};
}
