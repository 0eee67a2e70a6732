/* SPDX-License-Identifier: Apache-2.0
 * formats/mat_write.c: the writer of MATLAB files. The header holds no date, so that the same
 * problem gives the same bytes. A variable holds less than 2 GiB. */
#include <config.h>

#include <matio.h>
#include <string.h>

#include "mat.h"

static const double mat_most_bytes = 2147483647.0;

/* A variable that matio borrows the numbers of. */
static perp_status mat_put(const perp_arrays_out *out, const char *name,
                           enum matio_classes class, enum matio_types type, size_t rows,
                           size_t cols, const void *data, double bytes, perp_error *err)
{
    mat_t *mat = out->context;
    size_t dims[2] = {rows, cols};
    union {
        const void *given;
        void *lent; /* matio does not write there */
    } numbers = {data};
    matvar_t *v = NULL;
    int failed = 0;

    if (bytes > mat_most_bytes) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: %s takes %.3g bytes, but a variable of a MATLAB file of "
                         "version 5 holds less than 2 GiB; npz, npy and fclib hold more",
                         out->file, name, bytes);
    }
    v = Mat_VarCreate(name, class, type, 2, dims, numbers.lent, MAT_F_DONT_COPY_DATA);
    failed = v ? Mat_VarWrite(mat, v, MAT_COMPRESSION_NONE) : 1;
    Mat_VarFree(v);
    return failed ? perp_fail(err, v ? PERP_ERR_WRITE : PERP_ERR_MEMORY,
                              "%s: %s cannot be written", out->file, name)
                  : PERP_OK;
}

static perp_status mat_write_vector(const perp_arrays_out *out, const char *name,
                                    const double *x, size_t n, const char *what,
                                    perp_error *err)
{
    (void)what;
    return mat_put(out, name, MAT_C_DOUBLE, MAT_T_DOUBLE, n, 1, x, 8.0 * (double)n, err);
}

/* The entries of A by columns: A^T by rows. */
static perp_status mat_write_sparse(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, const char *place,
                                    perp_error *err)
{
    perp_operator *T = NULL;
    perp_arrays_rows c = {.count = 0};
    perp_status status = perp_operator_transpose(&T, A, err);

    if (status == PERP_OK) {
        status = perp_arrays_rows_new(&c, T, place, err);
    }
    if (status == PERP_OK) {
        const mat_uint32_t count = (mat_uint32_t)c.count;
        const mat_sparse_t s = {.nzmax = count,
                                .ir = (mat_uint32_t *)c.indices, /* none is negative */
                                .nir = count,
                                .jc = (mat_uint32_t *)c.indptr,
                                .njc = (mat_uint32_t)(A->cols + 1),
                                .ndata = count,
                                .data = c.data};

        status = mat_put(out, name, MAT_C_SPARSE, MAT_T_DOUBLE, A->rows, A->cols, &s,
                         12.0 * (double)c.count, err);
    }
    perp_arrays_rows_free(&c);
    perp_operator_free(T);
    return status;
}

static perp_status mat_write_matrix(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, const char *what,
                                    perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    double *x = NULL;
    perp_status status = PERP_OK;

    (void)what;
    snprintf(place, sizeof place, "%.*s: %s", PERP_FILE_PATH_LENGTH, out->file, name);
    if (A->type->storage != PERP_STORAGE_DENSE) {
        return mat_write_sparse(out, name, A, place, err);
    }
    status = perp_arrays_pack(&x, A, true, place, err);
    if (status == PERP_OK) {
        status = mat_put(out, name, MAT_C_DOUBLE, MAT_T_DOUBLE, A->rows, A->cols, x,
                         8.0 * (double)A->rows * (double)A->cols, err);
    }
    free(x);
    return status;
}

/* The extent of a text is its number of characters; matio counts their bytes itself. */
static perp_status mat_write_description(const perp_arrays_out *out, const char *text,
                                         size_t length, perp_error *err)
{
    size_t characters = 0;

    for (size_t i = 0; i < length; i++) {
        characters += (text[i] & 0xC0) != 0x80;
    }
    return mat_put(out, "perp", MAT_C_CHAR, MAT_T_UTF8, 1, characters, text,
                   (double)length, err);
}

/* Whether all that was written is in the file: matio does not report a full disk. */
static bool mat_is_whole(const char *path)
{
    perp_source from = {.name = path};
    bool whole = perp_source_load(&from, NULL) == PERP_OK &&
                 perp_mat_is_sound((const unsigned char *)from.bytes, from.size);

    perp_source_release(&from);
    return whole;
}

perp_status perp_mat_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err)
{
    mat_t *mat = Mat_CreateVer(file->temporary, perp_mat_magic, MAT_FT_MAT5);
    const perp_arrays_out out = {.file = file->path,
                                 .format = "perp-mat",
                                 .first_row = 1,
                                 .plain_names = true,
                                 .matrix = mat_write_matrix,
                                 .vector = mat_write_vector,
                                 .describe = mat_write_description,
                                 .context = mat};
    perp_status status = PERP_OK;

    if (!mat) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot be created", file->path);
    }
    status = perp_arrays_write(&out, p, kind, err);
    if ((Mat_Close(mat) != 0 || !mat_is_whole(file->temporary)) && status == PERP_OK) {
        status =
            perp_fail(err, PERP_ERR_WRITE, "%s: cannot be written in full", file->path);
    }
    return status;
}
