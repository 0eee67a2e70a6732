/* SPDX-License-Identifier: Apache-2.0
 * formats/mat73.c: MATLAB files of version 7.3, read: HDF5 with a dataset per full matrix, whose extents are in
 * reverse, so that its numbers stand by columns, and a group per sparse one:
 *
 *     data, ir     entries by columns and their rows, from 0; missing where there is none
 *     jc           where each column begins, and the count
 *     MATLAB_sparse  attribute: rows
 *
 * An empty variable (attribute MATLAB_empty) stores its size in place of numbers. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hdf5.h"
#include "mat.h"

enum { MAT73_NAME = 32 };

/* The path of a variable, also where its name is in upper or lower case. */
static perp_status mat73_path(const perp_arrays_in *in, const char *name,
                              char path[MAT73_NAME], bool *there)
{
    perp_h5_file *f = in->context;
    perp_status status = PERP_OK;

    *there = false;
    for (int turn = 0; turn < 3 && status == PERP_OK && !*there; turn++) {
        snprintf(path, MAT73_NAME, "/%s", name);
        for (char *c = path; *c && turn > 0; c++) {
            *c = (char)(turn == 1 ? toupper((unsigned char)*c)
                                  : tolower((unsigned char)*c));
        }
        status = perp_h5_exists(f, path, there);
    }
    if (!*there) {
        snprintf(path, MAT73_NAME, "/%s", name);
    }
    return status;
}

static bool mat73_has(const perp_arrays_in *in, const char *name)
{
    char path[MAT73_NAME];
    bool there = false;

    return mat73_path(in, strcmp(name, "description") == 0 ? "perp" : name, path,
                      &there) == PERP_OK &&
           there;
}

static void mat73_place(const perp_arrays_in *in, const char *name,
                        char place[PERP_ARRAY_PLACE])
{
    snprintf(place, PERP_ARRAY_PLACE, "%.*s: %s", PERP_FILE_PATH_LENGTH - 20, in->file,
             strcmp(name, "description") == 0 ? "perp" : name);
}

/* Rows and columns of a full variable. */
static perp_status mat73_size(const perp_h5_file *f, const char *path, size_t size[2],
                              bool *empty)
{
    size_t extent[2];
    int64_t marked = 0;
    perp_status status = perp_h5_attribute(f, path, "MATLAB_empty", &marked, empty);

    *empty = *empty && marked != 0;
    if (status == PERP_OK && *empty) {
        size[0] = size[1] = 0;
        return PERP_OK;
    }
    if (status == PERP_OK) {
        status = perp_h5_extent(f, path, extent);
        size[0] = extent[1];
        size[1] = extent[0];
    }
    return status;
}

/* The numbers of a full variable, by columns. */
static perp_status mat73_numbers(const perp_arrays_in *in, const char *path,
                                 bool infinite, size_t count, double **x)
{
    const perp_h5_file *f = in->context;
    perp_status status = perp_h5_reals(f, path, count, NULL, x);

    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        if (isnan((*x)[k]) || (!infinite && isinf((*x)[k]))) {
            status = perp_h5_fail(f, PERP_ERR_DATA, path, "%s",
                                  infinite ? "holds NaN, expected numbers"
                                           : "holds NaN or an infinity, expected finite "
                                             "numbers");
        }
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    return status;
}

/* A number per entry of part `part` of a sparse variable; none where it is missing. */
static perp_status mat73_part(const perp_h5_file *f, const char *path, const char *part,
                              double **x, size_t *count)
{
    char inside[PERP_H5_PATH];
    bool there = false;
    perp_status status = perp_h5_exists(f, perp_h5_join(inside, path, part), &there);

    *count = 0;
    if (status == PERP_OK && there) {
        return perp_h5_reals(f, inside, PERP_H5_ANY, count, x);
    }
    *x = perp_reals_new(0);
    return status != PERP_OK || *x
               ? status
               : perp_h5_fail(f, PERP_ERR_MEMORY, inside, "no memory");
}

static perp_status mat73_sparse(const perp_arrays_in *in, const char *name,
                                const char *path, int64_t rows, size_t size[2],
                                perp_arrays_sparse *s)
{
    const perp_h5_file *f = in->context;
    perp_status status = rows >= 0
                             ? mat73_part(f, path, "jc", &s->col, &s->col_count)
                             : perp_h5_fail(f, PERP_ERR_FORMAT, path,
                                            "MATLAB_sparse is negative, expected rows");

    (void)name;
    if (status == PERP_OK && s->col_count == 0) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, path, "expected sparse columns");
    }
    if (status == PERP_OK) {
        status = mat73_part(f, path, "ir", &s->row, &s->row_count);
    }
    if (status == PERP_OK) {
        status = mat73_part(f, path, "data", &s->data, &s->data_count);
    }
    s->layout = PERP_ARRAYS_CSC;
    s->rows = size[0] = (size_t)rows;
    s->cols = size[1] = s->col_count ? s->col_count - 1 : 0;
    return status;
}

static perp_status mat73_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                                size_t cols, size_t most, perp_operator **A,
                                perp_error *err)
{
    const perp_h5_file *f = in->context;
    char path[MAT73_NAME], place[PERP_ARRAY_PLACE];
    perp_arrays_sparse s = {.rows = 0};
    int64_t sparse = 0;
    size_t size[2] = {0};
    double *x = NULL;
    bool there = false, is_sparse = false, empty = false;
    perp_status status = mat73_path(in, name, path, &there);

    *A = NULL;
    mat73_place(in, name, place);
    if (status == PERP_OK && !there) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, path, "missing");
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute(f, path, "MATLAB_sparse", &sparse, &is_sparse);
    }
    if (status == PERP_OK) {
        status = is_sparse ? mat73_sparse(in, name, path, sparse, size, &s)
                           : mat73_size(f, path, size, &empty);
    }
    if (status == PERP_OK) {
        status = perp_arrays_expect_matrix(place, size, rows, cols, most, err);
    }
    if (status == PERP_OK && is_sparse) {
        status = perp_arrays_sparse_finish(A, &s, place, err);
    } else if (status == PERP_OK) {
        status = empty ? PERP_OK : mat73_numbers(in, path, false, size[0] * size[1], &x);
        if (status == PERP_OK) {
            status = perp_operator_new_from_dense(A, size[0], size[1], x, size[0],
                                                  PERP_COPY, err);
        }
    }
    perp_arrays_sparse_free(&s);
    free(x);
    return status;
}

static perp_status mat73_vector(const perp_arrays_in *in, const char *name, bool infinite,
                                double **x, size_t *n, perp_error *err)
{
    const perp_h5_file *f = in->context;
    char path[MAT73_NAME], place[PERP_ARRAY_PLACE];
    size_t size[2] = {0};
    bool there = false, empty = false;
    perp_status status = mat73_path(in, name, path, &there);

    *x = NULL;
    if (status == PERP_OK && !there) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, path, "missing");
    }
    if (status == PERP_OK) {
        status = mat73_size(f, path, size, &empty);
    }
    if (status == PERP_OK && size[0] != 1 && size[1] != 1 && !empty) {
        status = perp_h5_fail(f, PERP_ERR_DATA, path, "expected a full column");
    }
    if (status == PERP_OK) {
        mat73_place(in, name, place);
        status = perp_arrays_expect_vector(place, size[0] * size[1], n, err);
    }
    if (status == PERP_OK && empty) {
        *x = perp_reals_new(0);
        return *x ? PERP_OK : perp_h5_fail(f, PERP_ERR_MEMORY, path, "no memory");
    }
    return status == PERP_OK ? mat73_numbers(in, path, infinite, *n, x) : status;
}

/* A text is a row of units of UTF-16. */
static perp_status mat73_describe(const perp_arrays_in *in, json_t **root,
                                  perp_error *err)
{
    const perp_h5_file *f = in->context;
    char path[MAT73_NAME], place[PERP_ARRAY_PLACE];
    perp_source from = {.name = place, .memory = true};
    uint64_t *unit = NULL;
    char *text = NULL;
    size_t count = 0;
    bool there = false;
    perp_status status = mat73_path(in, "perp", path, &there);

    *root = NULL;
    if (status != PERP_OK || !there) {
        return status;
    }
    status = perp_h5_words(f, path, PERP_H5_ANY, &count, &unit);
    if (status == PERP_OK) {
        uint16_t *narrow = (uint16_t *)unit; /* in place, from the front */

        for (size_t k = 0; k < count; k++) {
            narrow[k] = (uint16_t)unit[k];
        }
        text = perp_mat_utf8(narrow, count, &from.size);
        from.bytes = text;
        status = text ? PERP_OK : perp_h5_fail(f, PERP_ERR_MEMORY, path, "no memory");
    }
    if (status == PERP_OK) {
        mat73_place(in, "description", place);
        status = perp_json_load(root, &from, err);
    }
    free(text);
    free(unit);
    return status;
}

perp_status perp_mat73_read(const perp_source *from, const perp_read_options *opt,
                            perp_problem *p, perp_error *err)
{
    perp_h5_file f = {0};
    const perp_arrays_in in = {.file = from->name,
                               .first_row = 1,
                               .has = mat73_has,
                               .place = mat73_place,
                               .matrix = mat73_matrix,
                               .vector = mat73_vector,
                               .describe = mat73_describe,
                               .context = &f};
    perp_status status = perp_h5_open(&f, from, err);

    if (status == PERP_OK) {
        status = perp_arrays_read(&in, opt, p, err);
    }
    perp_h5_close(&f);
    return status;
}
