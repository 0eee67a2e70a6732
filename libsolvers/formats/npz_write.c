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

/* The arrays of SciPy's CSR matrix. */
static perp_status npz_write_sparse(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, const char *place,
                                    perp_error *err)
{
    const int64_t shape[2] = {(int64_t)A->rows, (int64_t)A->cols};
    perp_arrays_rows r;
    perp_status status = perp_arrays_rows_new(&r, A, place, err);

    if (status == PERP_OK) {
        status =
            npz_add(out, name, "_data", PERP_NPY_REAL, r.data, r.count, 0, false, err);
    }
    if (status == PERP_OK) {
        status = npz_add(out, name, "_indices", PERP_NPY_INT, r.indices, r.count, 0,
                         false, err);
    }
    if (status == PERP_OK) {
        status = npz_add(out, name, "_indptr", PERP_NPY_INT, r.indptr, A->rows + 1, 0,
                         false, err);
    }
    if (status == PERP_OK) {
        status = npz_add(out, name, "_shape", PERP_NPY_LONG, shape, 2, 0, false, err);
    }
    perp_arrays_rows_free(&r);
    return status;
}

static perp_status npz_write_matrix(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, const char *what,
                                    perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    double *x = NULL;
    perp_status status = PERP_OK;

    (void)what;
    snprintf(place, sizeof place, "%.*s: %s", PERP_FILE_PATH_LENGTH, out->file, name);
    if (A->type->storage != PERP_STORAGE_DENSE) {
        return npz_write_sparse(out, name, A, place, err);
    }
    status = perp_arrays_pack(&x, A, false, place, err);
    if (status == PERP_OK) {
        status = npz_add(out, name, "", PERP_NPY_REAL, x, A->rows, A->cols, false, err);
    }
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
