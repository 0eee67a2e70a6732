/* SPDX-License-Identifier: Apache-2.0
 * formats/npz_write.c: the writer of npz archives. */
#include <config.h>

#include <string.h>

#include "archive.h"
#include "npy.h"
#include "npz.h"

static perp_status npz_add(const perp_arrays_out *out, const char *name, const char *part,
                           perp_npy_type type, const void *x, size_t rows, size_t cols,
                           bool by_columns, perp_error *err)
{
    char member[48];
    size_t size = 0;
    unsigned char *bytes = perp_npy_bytes(type, x, rows, cols, by_columns, &size);

    perp_npz_member(name, part, member);
    return perp_archive_add(out->context, member, bytes, size, err);
}

static perp_status npz_write_vector(const perp_arrays_out *out, const char *name,
                                    const double *x, size_t n, const char *what,
                                    perp_error *err)
{
    (void)what;
    return npz_add(out, name, "", PERP_NPY_REAL, x, n, 0, false, err);
}

/* The entries of A by rows. */
typedef struct npz_rows {
    int32_t *indices, *indptr;
    double *data;
    size_t next;
} npz_rows;

static void rows_add(void *context, size_t j, double a)
{
    npz_rows *r = context;

    r->indices[r->next] = (int32_t)j;
    r->data[r->next++] = a;
}

static perp_status npz_write_sparse(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, perp_error *err)
{
    const size_t count = A->count * A->block_size * A->block_size;
    const int64_t shape[2] = {(int64_t)A->rows, (int64_t)A->cols};
    npz_rows r = {.indices = malloc((count + 1) * sizeof *r.indices),
                  .indptr = malloc((A->rows + 1) * sizeof *r.indptr),
                  .data = malloc((count + 1) * sizeof *r.data)};
    perp_status status = PERP_OK;

    if (!r.indices || !r.indptr || !r.data) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %s", out->file, name);
    } else if (count > INT32_MAX) {
        status = perp_fail(err, PERP_ERR_UNSUITABLE,
                           "%s: %s has %zu entries, expected at "
                           "most %d",
                           out->file, name, count, INT32_MAX);
    }
    for (size_t i = 0; status == PERP_OK && i < A->rows; i++) {
        r.indptr[i] = (int32_t)r.next;
        perp_operator_row_visit(A, i, rows_add, &r);
    }
    if (status == PERP_OK) {
        r.indptr[A->rows] = (int32_t)r.next;
        status =
            npz_add(out, name, "_data", PERP_NPY_REAL, r.data, r.next, 0, false, err);
    }
    if (status == PERP_OK) {
        status = npz_add(out, name, "_indices", PERP_NPY_INT, r.indices, r.next, 0, false,
                         err);
    }
    if (status == PERP_OK) {
        status = npz_add(out, name, "_indptr", PERP_NPY_INT, r.indptr, A->rows + 1, 0,
                         false, err);
    }
    if (status == PERP_OK) {
        status = npz_add(out, name, "_shape", PERP_NPY_LONG, shape, 2, 0, false, err);
    }
    free(r.indices);
    free(r.indptr);
    free(r.data);
    return status;
}

static perp_status npz_write_matrix(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, const char *what,
                                    perp_error *err)
{
    size_t count = 0;
    double *x = NULL;
    perp_status status = PERP_OK;

    (void)what;
    if (A->type->storage != PERP_STORAGE_DENSE) {
        return npz_write_sparse(out, name, A, err);
    }
    x = perp_mul(A->rows, A->cols, &count) ? perp_reals_new(count) : NULL;
    if (!x) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %s", out->file, name);
    }
    for (size_t i = 0; i < A->rows; i++) {
        for (size_t j = 0; j < A->cols; j++) {
            x[i * A->cols + j] = A->x[i + j * A->ld];
        }
    }
    status = npz_add(out, name, "", PERP_NPY_REAL, x, A->rows, A->cols, false, err);
    free(x);
    return status;
}

static perp_status npz_write_description(const perp_arrays_out *out, const char *text,
                                         size_t length, perp_error *err)
{
    unsigned char *bytes = malloc(length + 1);

    if (bytes) {
        memcpy(bytes, text, length + 1);
    }
    return perp_archive_add(out->context, "problem.json", bytes, length, err);
}

perp_status perp_npz_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err)
{
    perp_arrays_out out = {.file = file->path,
                           .format = "perp-npz",
                           .first_row = 0,
                           .plain_names = true,
                           .matrix = npz_write_matrix,
                           .vector = npz_write_vector,
                           .describe = npz_write_description};
    perp_archive *archive = NULL;
    perp_status status = perp_archive_new(&archive, file->path, err);

    out.context = archive;
    if (status == PERP_OK) {
        status = perp_arrays_write(&out, p, kind, err);
    }
    if (status == PERP_OK) {
        status = perp_archive_write(archive, file->f, err);
    }
    perp_archive_free(archive);
    return status;
}
