/* SPDX-License-Identifier: Apache-2.0
 * formats/npz_write.c: the writer of npz archives, and of those of one sparse matrix. */
#include <config.h>

#include <string.h>

#include "npy.h"
#include "npz.h"

/* An array of numbers. */
typedef struct numbers {
    perp_npy_type type;
    const void *x;
    size_t dims;
    size_t shape[2];
} numbers;

static perp_status archive_add(perp_archive *archive, const char *name, const char *part,
                               const numbers *a, perp_error *err)
{
    char member[48];
    size_t size = 0;
    unsigned char *bytes = perp_npy_bytes(a->type, a->x, a->dims, a->shape, &size);

    perp_npz_member(name, part, member);
    return perp_archive_add(archive, member, bytes, size, err);
}

static perp_status npz_write_vector(const perp_arrays_out *out, const char *name,
                                    const double *x, size_t n, const char *what,
                                    perp_error *err)
{
    const numbers a = {PERP_NPY_REAL, x, 1, {n}};

    (void)what;
    return archive_add(out->context, name, "", &a, err);
}

perp_status perp_npz_write_sparse(perp_archive *archive, const char *name,
                                  const perp_operator *A, const char *place,
                                  perp_error *err)
{
    const size_t bare = name[0] == '\0';
    const int64_t shape[2] = {(int64_t)A->rows, (int64_t)A->cols};
    perp_arrays_rows r;
    perp_status status = perp_arrays_rows_new(&r, A, place, err);

    if (status == PERP_OK) {
        const struct {
            const char *part;
            numbers a;
        } arrays[] = {{"_data", {PERP_NPY_REAL, r.data, 1, {r.count}}},
                      {"_indices", {PERP_NPY_INT, r.indices, 1, {r.count}}},
                      {"_indptr", {PERP_NPY_INT, r.indptr, 1, {A->rows + 1}}},
                      {"_shape", {PERP_NPY_LONG, shape, 1, {2}}},
                      {"_format", {PERP_NPY_TEXT, "csr", 0, {0}}}};

        for (size_t k = 0; status == PERP_OK && k < 4 + bare; k++) {
            status = archive_add(archive, name, arrays[k].part + bare, &arrays[k].a, err);
        }
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
        return perp_npz_write_sparse(out->context, name, A, place, err);
    }
    status = perp_arrays_pack(&x, A, false, place, err);
    if (status == PERP_OK) {
        const numbers a = {PERP_NPY_REAL, x, 2, {A->rows, A->cols}};

        status = archive_add(out->context, name, "", &a, err);
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
