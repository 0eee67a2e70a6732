/* SPDX-License-Identifier: Apache-2.0
 * formats/matrix_market.c: a problem as a folder of Matrix Market files, one array per file
 * (formats/arrays.h), read and written; problem.json holds the description.
 *
 * findex.mtx has one number per row, counted from 1 as always in Matrix Market, and 0 for a row
 * without friction. Arrays become dense, coordinates CSR, and with "edge", the block size, in
 * problem.json block CSR.
 *
 * The folder is written under another name, then renamed. An existing folder is replaced only
 * when it holds nothing but files of this format. */
#include <config.h>

#include "arrays_folder.h"
#include "base/base.h"
#include "mtx.h"

static const char extension[] = ".mtx";

static bool folder_has(const perp_arrays_in *in, const char *name)
{
    return perp_arrays_folder_has(in->file, name, extension);
}

static void folder_place(const perp_arrays_in *in, const char *name,
                         char place[PERP_ARRAY_PLACE])
{
    perp_arrays_folder_place(in->file, name, extension, place);
}

static perp_status folder_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                                 size_t cols, size_t most, perp_operator **A,
                                 perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];

    TRY(perp_arrays_folder_path(path, in->file, name, extension, err));
    return perp_mtx_matrix(A, path, rows, cols, most, in->context, err);
}

static perp_status folder_vector(const perp_arrays_in *in, const char *name,
                                 bool infinite, double **x, size_t *n, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];

    TRY(perp_arrays_folder_path(path, in->file, name, extension, err));
    return perp_mtx_vector(x, n, path, infinite, in->context, err);
}

static perp_status folder_describe(const perp_arrays_in *in, json_t **root,
                                   perp_error *err)
{
    return perp_arrays_folder_describe(in->file, root, err);
}

static perp_status matrix_market_read(perp_source *from, const perp_read_options *opt,
                                      perp_problem **p, perp_notes *notes,
                                      perp_error *err)
{
    const perp_arrays_in in = {.file = from->name,
                               .first_row = 1,
                               .has = folder_has,
                               .place = folder_place,
                               .matrix = folder_matrix,
                               .vector = folder_vector,
                               .describe = folder_describe,
                               .context = notes};

    TRY(perp_problem_new(p, err));
    return perp_arrays_read(&in, opt, *p, err);
}

static int matrix_market_detect(const perp_source *from)
{
    const perp_arrays_in in = {.file = from->name};

    return perp_source_is_folder(from) && (folder_has(&in, "A") || folder_has(&in, "M"))
               ? 2
               : 0;
}

static bool folder_owns(const char *file)
{
    return perp_arrays_folder_owns(file, extension);
}

static perp_status folder_write_matrix(const perp_arrays_out *out, const char *name,
                                       const perp_operator *A, const char *what,
                                       perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status =
        perp_arrays_folder_path(path, out->context, name, extension, err);

    return status == PERP_OK ? perp_mtx_write_matrix(path, A, what, err) : status;
}

static perp_status folder_write_vector(const perp_arrays_out *out, const char *name,
                                       const double *x, size_t n, const char *what,
                                       perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status =
        perp_arrays_folder_path(path, out->context, name, extension, err);

    return status == PERP_OK ? perp_mtx_write_vector(path, x, n, what, err) : status;
}

static perp_status folder_write(const char *path, const perp_problem *p, const char *kind,
                                perp_error *err)
{
    perp_arrays_out out = {.format = "perp-matrix-market",
                           .first_row = 1,
                           .matrix = folder_write_matrix,
                           .vector = folder_write_vector};

    return perp_arrays_folder_write(&out, path, p, kind, folder_owns, err);
}

const perp_format_type perp_format_matrix_market = {
    .format = {.name = "matrix-market",
               .summary = "a folder of .mtx files; Octave, SciPy, Julia, PETSc read them",
               .extension = "",
               .reads = true,
               .writes = true},
    .title = "Matrix Market",
    .part = ".mtx",
    .holds = PERP_HOLDS_ALL,
    .detect = matrix_market_detect,
    .read = matrix_market_read,
    .write_folder = folder_write,
};
