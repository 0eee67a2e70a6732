/* SPDX-License-Identifier: Apache-2.0
 * formats/mat.c: MATLAB files of version 5, read and written by matio (those of version 7.3 are read by
 * formats/mat73.c): one variable per array
 * (formats/arrays.h), so that `load x.mat` in MATLAB, Octave or scipy.io.loadmat gives
 *
 *     A b (or M q), lo, hi, mu, ...     M H f b of a global problem
 *     perp                 the description, a text in JSON; may be missing
 *
 * Names are found in upper or lower case. findex counts rows from 1, 0 for none. Full matrices
 * become dense, sparse ones CSR. */
#include <config.h>

#include <math.h>
#include <matio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/number.h"
#include "mat.h"

const char perp_mat_magic[PERP_MAT_MAGIC + 1] = "MATLAB 5.0 MAT-file";
static const char mat_magic_hdf5[PERP_MAT_MAGIC + 1] = "MATLAB 7.3 MAT-file";

/* Variables of an open file: names and sizes; numbers are read when they are asked for. */
typedef struct mat_file {
    mat_t *mat;
    size_t bytes; /* of the file */
} mat_file;

/* The variable of this name, else one with it in another case; *count: how many there are. */
static matvar_t *mat_info(const perp_arrays_in *in, const char *name, size_t *count)
{
    const mat_file *file = in->context;
    const char *wanted = strcmp(name, "description") == 0 ? "perp" : name;
    matvar_t *found = NULL;
    matvar_t *v = NULL;
    bool exact = false;

    *count = 0;
    Mat_Rewind(file->mat);
    while ((v = Mat_VarReadNextInfo(file->mat)) != NULL) {
        const bool same = v->name && strcmp(v->name, wanted) == 0;
        const bool near = v->name && strcasecmp(v->name, wanted) == 0;

        if (near && same == exact) {
            ++*count;
        } else if (same) {
            *count = 1;
        }
        if (near && (!found || (same && !exact))) {
            Mat_VarFree(found);
            found = v;
            exact = same;
        } else {
            Mat_VarFree(v);
        }
    }
    return found;
}

static bool mat_has(const perp_arrays_in *in, const char *name)
{
    size_t count = 0;
    matvar_t *v = mat_info(in, name, &count);

    Mat_VarFree(v);
    return v != NULL;
}

static void mat_place(const perp_arrays_in *in, const char *name,
                      char place[PERP_ARRAY_PLACE])
{
    snprintf(place, PERP_ARRAY_PLACE, "%.*s: %s", PERP_FILE_PATH_LENGTH - 20, in->file,
             strcmp(name, "description") == 0 ? "perp" : name);
}

static perp_status mat_fail(const perp_arrays_in *in, const char *name,
                            perp_status status, const char *text, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];

    mat_place(in, name, place);
    return perp_fail(err, status, "%s: %s", place, text);
}

/* A variable of two dimensions with its numbers; the caller frees it. deflate packs at most
 * 1032 bytes into one, which bounds what a file can hold. */
static perp_status mat_read(const perp_arrays_in *in, const char *name, matvar_t **v,
                            perp_error *err)
{
    const mat_file *file = in->context;
    size_t count = 0;

    *v = mat_info(in, name, &count);
    if (!*v) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "missing", err);
    }
    if (count > 1) {
        return mat_fail(in, name, PERP_ERR_FORMAT,
                        "several variables have this name, expected one", err);
    }
    if ((*v)->isComplex) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "complex, expected real numbers", err);
    }
    if ((*v)->rank != 2 || !perp_mul((*v)->dims[0], (*v)->dims[1], &count)) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "expected a matrix of two dimensions",
                        err);
    }
    if ((*v)->class_type != MAT_C_SPARSE && count / 1032 > file->bytes) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "larger than its file can hold", err);
    }
    if (Mat_VarReadDataAll(file->mat, *v) != 0 || (!(*v)->data && count > 0)) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "its numbers cannot be read", err);
    }
    return PERP_OK;
}

/* Number k of numbers of any type, full or sparse, and whether it may be infinite. An integer
 * that would be rounded is refused: it is counted from 1, by columns, as find() counts. */
static perp_status mat_number(const perp_arrays_in *in, const char *name,
                              enum matio_types type, const void *data, size_t k,
                              bool infinite, double *x, perp_error *err)
{
    char digits[PERP_NUMBER_LENGTH];
    char place[PERP_ARRAY_PLACE];

#define MAT_CASE(type, c_type)                                                           \
    case type:                                                                           \
        *x = (double)((const c_type *)data)[k];                                          \
        break
    switch (type) {
        MAT_CASE(MAT_T_DOUBLE, double);
        MAT_CASE(MAT_T_SINGLE, float);
        MAT_CASE(MAT_T_INT64, int64_t);
        MAT_CASE(MAT_T_UINT64, uint64_t);
        MAT_CASE(MAT_T_INT32, int32_t);
        MAT_CASE(MAT_T_UINT32, uint32_t);
        MAT_CASE(MAT_T_INT16, int16_t);
        MAT_CASE(MAT_T_UINT16, uint16_t);
        MAT_CASE(MAT_T_INT8, int8_t);
        MAT_CASE(MAT_T_UINT8, uint8_t);
    default:
        return mat_fail(in, name, PERP_ERR_FORMAT, "expected real numbers", err);
    }
#undef MAT_CASE
    if ((type == MAT_T_INT64 || type == MAT_T_UINT64) &&
        !perp_number_holds_word(((const uint64_t *)data)[k], type == MAT_T_INT64,
                                digits)) {
        mat_place(in, name, place);
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: number %zu is %s, expected an integer that a double "
                         "holds, as all up to 2^53",
                         place, k + 1, digits);
    }
    if (isnan(*x) || (!infinite && isinf(*x))) {
        return mat_fail(in, name, PERP_ERR_DATA,
                        infinite ? "holds NaN, expected numbers"
                                 : "holds NaN or an infinity, expected finite numbers",
                        err);
    }
    return PERP_OK;
}

/* All numbers of a full matrix, by columns; infinities where bounds may have them. */
static perp_status mat_numbers(const perp_arrays_in *in, const char *name,
                               const matvar_t *v, bool infinite, double *x,
                               perp_error *err)
{
    const size_t count = v->dims[0] * v->dims[1];

    if (v->class_type < MAT_C_DOUBLE || v->class_type > MAT_C_UINT64) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "expected real numbers", err);
    }
    if (v->nbytes / (size_t)(v->data_size > 0 ? v->data_size : 1) < count) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "fewer numbers than its size", err);
    }
    for (size_t k = 0; k < count; k++) {
        TRY(mat_number(in, name, v->data_type, v->data, k, infinite, &x[k], err));
    }
    return PERP_OK;
}

/* Where the columns begin and the rows of the entries lie inside the matrix. */
static bool mat_sparse_sound(const matvar_t *v, const mat_sparse_t *s)
{
    if (!s || s->njc != v->dims[1] + 1 || !s->jc || s->jc[0] != 0) {
        return false;
    }
    for (size_t j = 0; j < v->dims[1]; j++) {
        if (s->jc[j] > s->jc[j + 1]) {
            return false;
        }
    }
    return s->jc[v->dims[1]] <= s->nir && s->jc[v->dims[1]] <= s->ndata;
}

static perp_status mat_sparse(const perp_arrays_in *in, const char *name,
                              const matvar_t *v, perp_operator **A, perp_error *err)
{
    const mat_sparse_t *s = v->data;
    perp_triplets t;
    perp_status status = PERP_OK;

    if (!mat_sparse_sound(v, s)) {
        return mat_fail(in, name, PERP_ERR_FORMAT, "expected sparse columns", err);
    }
    perp_triplets_init(&t, v->dims[0], v->dims[1], s->jc[v->dims[1]]);
    for (size_t j = 0; status == PERP_OK && j < v->dims[1]; j++) {
        for (size_t k = s->jc[j]; status == PERP_OK && k < s->jc[j + 1]; k++) {
            double x = 0.0;

            status = mat_number(in, name, v->data_type, s->data, k, false, &x, err);
            perp_triplets_add(&t, s->ir[k], j, x);
        }
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &t, err);
    }
    perp_triplets_free(&t);
    return status;
}

static perp_status mat_dense(const perp_arrays_in *in, const char *name,
                             const matvar_t *v, perp_operator **A, perp_error *err)
{
    const size_t rows = v->dims[0];
    size_t count = 0;
    double *x = perp_mul(rows, v->dims[1], &count) ? perp_reals_new(count) : NULL;
    perp_status status = PERP_OK;

    if (!x) {
        return mat_fail(in, name, PERP_ERR_MEMORY, "no memory", err);
    }
    status = mat_numbers(in, name, v, false, x, err);
    if (status == PERP_OK) {
        status =
            perp_operator_new_from_dense(A, rows, v->dims[1], x, rows, PERP_COPY, err);
    }
    free(x);
    return status;
}

static perp_status mat_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                              size_t cols, size_t most, perp_operator **A,
                              perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    matvar_t *v = NULL;
    perp_status status = mat_read(in, name, &v, err);

    *A = NULL;
    if (status == PERP_OK) {
        mat_place(in, name, place);
        status = perp_arrays_expect_matrix(place, v->dims, rows, cols, most, err);
    }
    if (status == PERP_OK) {
        status = v->class_type == MAT_C_SPARSE ? mat_sparse(in, name, v, A, err)
                                               : mat_dense(in, name, v, A, err);
    }
    Mat_VarFree(v);
    return status;
}

static perp_status mat_vector(const perp_arrays_in *in, const char *name, bool infinite,
                              double **x, size_t *n, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    matvar_t *v = NULL;
    perp_status status = mat_read(in, name, &v, err);

    *x = NULL;
    if (status == PERP_OK && (v->class_type == MAT_C_SPARSE ||
                              (v->dims[0] != 1 && v->dims[1] != 1 && v->dims[0] != 0))) {
        status = mat_fail(in, name, PERP_ERR_DATA, "expected a full column", err);
    }
    if (status == PERP_OK) {
        mat_place(in, name, place);
        status = perp_arrays_expect_vector(place, v->dims[0] * v->dims[1], n, err);
    }
    if (status == PERP_OK) {
        *x = perp_reals_new(*n);
        status = *x ? mat_numbers(in, name, v, infinite, *x, err)
                    : mat_fail(in, name, PERP_ERR_MEMORY, "no memory", err);
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    Mat_VarFree(v);
    return status;
}

char *perp_mat_utf8(const uint16_t *unit, size_t count, size_t *length)
{
    char *text = malloc(3 * count + 1), *at = text;

    for (size_t i = 0; text && i < count; i++) {
        uint32_t c = unit[i];

        if (c >= 0xD800 && c < 0xDC00 && i + 1 < count &&
            (unit[i + 1] & 0xFC00) == 0xDC00) {
            c = 0x10000 + ((c & 0x3FF) << 10) + (unit[++i] & 0x3FFu);
            *at++ = (char)(0xF0 | c >> 18);
            *at++ = (char)(0x80 | (c >> 12 & 0x3F));
            *at++ = (char)(0x80 | (c >> 6 & 0x3F));
            *at++ = (char)(0x80 | (c & 0x3F));
        } else if (c >= 0x800) {
            *at++ = (char)(0xE0 | c >> 12);
            *at++ = (char)(0x80 | (c >> 6 & 0x3F));
            *at++ = (char)(0x80 | (c & 0x3F));
        } else if (c >= 0x80) {
            *at++ = (char)(0xC0 | c >> 6);
            *at++ = (char)(0x80 | (c & 0x3F));
        } else {
            *at++ = (char)c;
        }
    }
    *length = text ? (size_t)(at - text) : 0;
    return text;
}

static perp_status mat_describe(const perp_arrays_in *in, json_t **root, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    char *wide = NULL;
    matvar_t *v = NULL;
    perp_source from = {.name = place, .memory = true};
    perp_status status = PERP_OK;

    *root = NULL;
    if (!mat_has(in, "description")) {
        return PERP_OK;
    }
    status = mat_read(in, "description", &v, err);
    if (status == PERP_OK &&
        (v->class_type != MAT_C_CHAR || (v->data_size != 1 && v->data_size != 2) ||
         v->nbytes / (size_t)v->data_size < v->dims[0] * v->dims[1])) {
        status = mat_fail(in, "description", PERP_ERR_FORMAT, "expected a text", err);
    }
    if (status == PERP_OK) {
        mat_place(in, "description", place);
        from.bytes = v->data;
        from.size = v->data_type == MAT_T_UTF8 ? v->nbytes : v->dims[0] * v->dims[1];
    }
    if (status == PERP_OK && v->data_size == 2) {
        wide = perp_mat_utf8(v->data, from.size, &from.size);
        from.bytes = wide;
        status = wide ? PERP_OK
                      : mat_fail(in, "description", PERP_ERR_MEMORY, "no memory", err);
    }
    if (status == PERP_OK) {
        status = perp_json_load(root, &from, err);
    }
    free(wide);
    Mat_VarFree(v);
    return status;
}

static bool mat_starts(const perp_source *from, const char *text)
{
    char start[PERP_MAT_MAGIC + 1];

    return perp_source_peek(from, start, PERP_MAT_MAGIC) == PERP_MAT_MAGIC &&
           memcmp(start, text, PERP_MAT_MAGIC) == 0;
}

static perp_status mat_expect_version(const perp_source *from, perp_error *err)
{
    return mat_starts(from, perp_mat_magic)
               ? PERP_OK
               : perp_fail(
                     err, PERP_ERR_FORMAT,
                     "%s: perhaps a MATLAB file of version 4, or a text, expected one of "
                     "version 5 or 7.3: save it with -v7",
                     from->name);
}

static perp_status mat_read_problem(perp_source *from, const perp_read_options *opt,
                                    perp_problem **p, perp_notes *notes, perp_error *err)
{
    mat_file file = {.mat = NULL};
    const perp_arrays_in in = {.file = from->name,
                               .first_row = 1,
                               .has = mat_has,
                               .place = mat_place,
                               .matrix = mat_matrix,
                               .vector = mat_vector,
                               .describe = mat_describe,
                               .context = &file};
    perp_status status = perp_problem_new(p, err);

    (void)notes;
    if (status != PERP_OK) {
        return status;
    }
    if (mat_starts(from, mat_magic_hdf5)) {
        return perp_mat73_read(from, opt, *p, err);
    }
    status = perp_source_load(from, err);
    if (status == PERP_OK) {
        status = mat_expect_version(from, err);
    }
    if (status == PERP_OK) {
        status = perp_mat_check(from, err);
    }
    file.bytes = from->size;
    perp_source_release(from);
    if (status != PERP_OK) {
        return status;
    }
    file.mat = Mat_Open(from->name, MAT_ACC_RDONLY);
    if (!file.mat || Mat_GetVersion(file.mat) != MAT_FT_MAT5) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: not a MATLAB file of version 5",
                           from->name);
    }
    if (status == PERP_OK) {
        status = perp_arrays_read(&in, opt, *p, err);
    }
    if (file.mat) {
        Mat_Close(file.mat);
    }
    return status;
}

/* Other versions have their message from the reader. */
static int mat_detect(const perp_source *from)
{
    return mat_starts(from, perp_mat_magic)                                     ? 2
           : mat_starts(from, mat_magic_hdf5)                                   ? 3
           : perp_path_ends(from->name, ".mat") && !perp_source_is_folder(from) ? 1
                                                                                : 0;
}

const perp_format_type perp_format_mat = {
    .format = {.name = "mat",
               .summary = "MATLAB: variables A, b (or M, q), lo, hi, mu, ...; versions 5 "
                          "and 7.3, writes 5",
               .extension = ".mat",
               .reads = true,
               .writes = true},
    .holds = PERP_HOLDS_ALL,
    .detect = mat_detect,
    .read = mat_read_problem,
    .write = perp_mat_write,
};
