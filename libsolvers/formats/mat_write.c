/* SPDX-License-Identifier: Apache-2.0
 * formats/mat_write.c: the writer of MATLAB files. The header holds no date, so that the same
 * problem gives the same bytes. A variable holds less than 2 GiB.
 *
 * The file is written here and not by matio, which opens a file of its own and does not report
 * a write that fails. It is a header of 128 bytes, then one element per variable: its type, its
 * size, and inside it the elements of its class, extents, name and numbers. An element begins with
 * two words, type and size, and is padded to eight bytes; one of at most four bytes takes eight. */
#include <config.h>

#include <matio.h>
#include <string.h>

#include "mat.h"

enum { MAT_TEXT = 116, MAT_VERSION = 0x0100, MAT_ORDER = 'M' << 8 | 'I' };

static const double mat_most_bytes = 2147483647.0;

/* An element that has no others inside. */
typedef struct mat_part {
    enum matio_types type;
    const void *bytes;
    size_t size;
} mat_part;

enum { MAT_PARTS = 3 }; /* rows, columns and numbers of a sparse matrix */

/* A variable of two dimensions. */
typedef struct mat_variable {
    enum matio_classes class;
    size_t rows, cols;
    size_t most; /* entries of a sparse matrix */
    mat_part part[MAT_PARTS];
} mat_variable;

/* Bytes of a part in the file, the two words and the padding included. */
static size_t part_room(const mat_part *p)
{
    return p->size > 0 && p->size <= 4 ? 8 : 8 + (p->size + 7) / 8 * 8;
}

static void part_write(FILE *f, const mat_part *p)
{
    static const char zeros[8] = {0};
    const bool small = p->size > 0 && p->size <= 4;
    const uint32_t words[2] = {small ? (uint32_t)p->type | (uint32_t)p->size << 16
                                     : (uint32_t)p->type,
                               (uint32_t)p->size};

    fwrite(words, 4, small ? 1 : 2, f); /* the commit of the file checks for errors */
    if (p->size > 0) {
        fwrite(p->bytes, 1, p->size, f);
    }
    fwrite(zeros, 1, part_room(p) - p->size - (small ? 4 : 8), f);
}

static perp_status mat_put(const perp_arrays_out *out, const char *name,
                           const mat_variable *v, perp_error *err)
{
    const perp_file_out *file = out->context;
    const uint32_t flags[2] = {(uint32_t)v->class, (uint32_t)v->most};
    const uint32_t extents[2] = {(uint32_t)v->rows, (uint32_t)v->cols};
    const mat_part parts[3 + MAT_PARTS] = {{MAT_T_UINT32, flags, sizeof flags},
                                           {MAT_T_INT32, extents, sizeof extents},
                                           {MAT_T_INT8, name, strlen(name)},
                                           v->part[0],
                                           v->part[1],
                                           v->part[2]};
    size_t count = 0, size = 0;
    double bytes = 0.0;

    for (; count < 3 + MAT_PARTS && parts[count].type; count++) {
        bytes += (double)parts[count].size + 16.0;
        size += part_room(&parts[count]);
    }
    if (bytes > mat_most_bytes || (double)v->rows > mat_most_bytes ||
        (double)v->cols > mat_most_bytes) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: %s takes %.3g bytes, but a variable of a MATLAB file of "
                         "version 5 holds less than 2 GiB; npz, npy and fclib hold more",
                         out->file, name, bytes);
    }
    const uint32_t words[2] = {MAT_T_MATRIX, (uint32_t)size};

    fwrite(words, sizeof words, 1, file->f);
    for (size_t k = 0; k < count; k++) {
        part_write(file->f, &parts[k]);
    }
    return PERP_OK;
}

/* A full matrix, by columns. */
static perp_status mat_put_full(const perp_arrays_out *out, const char *name, size_t rows,
                                size_t cols, const double *x, perp_error *err)
{
    const mat_variable v = {.class = MAT_C_DOUBLE,
                            .rows = rows,
                            .cols = cols,
                            .part = {{MAT_T_DOUBLE, x, rows * cols * sizeof *x}}};

    return mat_put(out, name, &v, err);
}

static perp_status mat_write_vector(const perp_arrays_out *out, const char *name,
                                    const double *x, size_t n, const char *what,
                                    perp_error *err)
{
    (void)what;
    return mat_put_full(out, name, n, 1, x, err);
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
        const mat_variable v = {
            .class = MAT_C_SPARSE,
            .rows = A->rows,
            .cols = A->cols,
            .most = c.count,
            .part = {{MAT_T_UINT32, c.indices, c.count * sizeof *c.indices},
                     {MAT_T_UINT32, c.indptr, (A->cols + 1) * sizeof *c.indptr},
                     {MAT_T_DOUBLE, c.data, c.count * sizeof *c.data}}};

        status = mat_put(out, name, &v, err);
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
        status = mat_put_full(out, name, A->rows, A->cols, x, err);
    }
    free(x);
    return status;
}

/* The extent of a text is its number of characters, of which some take several bytes. */
static perp_status mat_write_description(const perp_arrays_out *out, const char *text,
                                         size_t length, perp_error *err)
{
    mat_variable v = {
        .class = MAT_C_CHAR, .rows = 1, .part = {{MAT_T_UTF8, text, length}}};

    for (size_t i = 0; i < length; i++) {
        v.cols += (text[i] & 0xC0) != 0x80;
    }
    return mat_put(out, "perp", &v, err);
}

static void mat_write_header(FILE *f)
{
    const uint16_t end[2] = {MAT_VERSION, MAT_ORDER};
    char text[MAT_TEXT + 8]; /* the last eight are blank: no data of subsystems */

    memset(text, ' ', sizeof text);
    memcpy(text, perp_mat_magic, PERP_MAT_MAGIC + 1);
    fwrite(text, sizeof text, 1, f);
    fwrite(end, sizeof end, 1, f);
}

perp_status perp_mat_write(perp_file_out *file, const perp_problem *p, const char *kind,
                           perp_error *err)
{
    const perp_arrays_out out = {.file = file->path,
                                 .format = "perp-mat",
                                 .first_row = 1,
                                 .matrix = mat_write_matrix,
                                 .vector = mat_write_vector,
                                 .describe = mat_write_description,
                                 .context = file};

    mat_write_header(file->f);
    return perp_arrays_write(&out, p, kind, err);
}
