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

#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "mtx.h"

static perp_status folder_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                               const char *name, perp_error *err)
{
    size_t end = strlen(folder);
    int length = 0;

    while (end > 1 && folder[end - 1] == '/') {
        end--;
    }
    length = snprintf(path, PERP_FILE_PATH_LENGTH, "%.*s/%s", (int)end, folder, name);
    if (length < 0 || length >= PERP_FILE_PATH_LENGTH) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%.80s...: the path is longer than %d bytes", folder,
                         PERP_FILE_PATH_LENGTH - 1);
    }
    return PERP_OK;
}

/* The file of an array, or of the description. */
static void file_name(const char *name, char file[48])
{
    const bool description = strcmp(name, "description") == 0;

    snprintf(file, 48, "%.40s", description ? "problem.json" : name);
    if (!description) {
        strcat(file, ".mtx");
    }
}

static perp_status array_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                              const char *name, perp_error *err)
{
    char file[48];

    file_name(name, file);
    return folder_path(path, folder, file, err);
}

static bool folder_has(const perp_arrays_in *in, const char *name)
{
    char path[PERP_FILE_PATH_LENGTH];

    return array_path(path, in->file, name, NULL) == PERP_OK && access(path, F_OK) == 0;
}

static void folder_place(const perp_arrays_in *in, const char *name,
                         char place[PERP_ARRAY_PLACE])
{
    char file[48];

    file_name(name, file);
    snprintf(place, PERP_ARRAY_PLACE, "%.*s/%s", PERP_FILE_PATH_LENGTH - 20, in->file,
             file);
}

static perp_status folder_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                                 size_t cols, size_t most, perp_operator **A,
                                 perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status = array_path(path, in->file, name, err);

    return status == PERP_OK
               ? perp_mtx_matrix(A, path, rows, cols, most, in->context, err)
               : status;
}

static perp_status folder_vector(const perp_arrays_in *in, const char *name,
                                 bool infinite, double **x, size_t *n, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status = array_path(path, in->file, name, err);

    return status == PERP_OK ? perp_mtx_vector(x, n, path, infinite, err) : status;
}

static perp_status folder_describe(const perp_arrays_in *in, json_t **root,
                                   perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_source from = {.name = path};
    perp_status status = array_path(path, in->file, "description", err);

    *root = NULL;
    if (status == PERP_OK && folder_has(in, "description")) {
        status = perp_json_load(root, &from, err);
        perp_source_release(&from);
    }
    return status;
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
    perp_status status = perp_problem_new(p, err);

    return status == PERP_OK ? perp_arrays_read(&in, opt, *p, err) : status;
}

static int matrix_market_detect(const perp_source *from)
{
    const perp_arrays_in in = {.file = from->name};

    return perp_source_is_folder(from) && (folder_has(&in, "A") || folder_has(&in, "M"))
               ? 2
               : 0;
}

static const char *const folder_names[] = {
    "A.mtx",          "M.mtx",      "H.mtx",      "G.mtx",  "b.mtx",        "f.mtx",
    "q.mtx",          "lo.mtx",     "hi.mtx",     "mu.mtx", "z.mtx",        "w.mtx",
    "mu_rolling.mtx", "radius.mtx", "findex.mtx", "v.mtx",  "problem.json",
};

/* Whether a file of this name belongs to the format. */
static bool folder_owns(const char *name)
{
    size_t number = 0;
    int end = 0;

    for (size_t i = 0; i < sizeof folder_names / sizeof folder_names[0]; i++) {
        if (strcmp(name, folder_names[i]) == 0) {
            return true;
        }
    }
    return sscanf(name, "guess_%zu.mtx%n", &number, &end) == 1 && end > 0 && !name[end];
}

static perp_status folder_write_matrix(const perp_arrays_out *out, const char *name,
                                       const perp_operator *A, const char *what,
                                       perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status = array_path(path, out->context, name, err);

    return status == PERP_OK ? perp_mtx_write_matrix(path, A, what, err) : status;
}

static perp_status folder_write_vector(const perp_arrays_out *out, const char *name,
                                       const double *x, size_t n, const char *what,
                                       perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status = array_path(path, out->context, name, err);

    return status == PERP_OK ? perp_mtx_write_vector(path, x, n, what, err) : status;
}

static perp_status folder_write_description(const perp_arrays_out *out, const char *text,
                                            size_t length, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out file;
    perp_status status = array_path(path, out->context, "description", err);

    if (status == PERP_OK) {
        status = perp_file_create(&file, path, err);
    }
    if (status == PERP_OK) {
        fwrite(text, 1, length, file.f);
        status = perp_file_commit(&file, err);
    }
    return status;
}

static perp_status folder_write(const char *path, const perp_problem *p, const char *kind,
                                perp_error *err)
{
    char place[PERP_FILE_PATH_LENGTH];
    char fresh[PERP_FILE_PATH_LENGTH + 64];
    bool there = false;
    perp_status status = folder_path(place, path, "", err); /* ends in one slash */

    if (status == PERP_OK) {
        place[strlen(place) - 1] = '\0';
        status = perp_folder_check(place, folder_owns, "problem", &there, err);
    }
    if (status == PERP_OK) {
        status = perp_folder_create(fresh, sizeof fresh, place, "tmp", err);
    }
    if (status != PERP_OK) {
        return status;
    }

    const perp_arrays_out out = {.file = path,
                                 .format = "perp-matrix-market",
                                 .first_row = 1,
                                 .matrix = folder_write_matrix,
                                 .vector = folder_write_vector,
                                 .describe = folder_write_description,
                                 .context = fresh};

    status = perp_arrays_write(&out, p, kind, err);
    if (status == PERP_OK) {
        status = perp_folder_install(fresh, place, there, folder_owns, err);
    }
    if (status != PERP_OK) {
        perp_folder_remove(fresh, folder_owns);
    }
    return status;
}

const perp_format_type perp_format_matrix_market = {
    .format = {.name = "matrix-market",
               .summary = "a folder of .mtx files; Octave, SciPy, Julia, PETSc read them",
               .extension = "",
               .writes = true},
    .labels = true,
    .detect = matrix_market_detect,
    .read = matrix_market_read,
    .write_folder = folder_write,
};
