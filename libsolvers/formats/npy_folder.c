/* SPDX-License-Identifier: Apache-2.0
 * formats/npy_folder.c: a problem as a folder of NumPy arrays, one file per array
 * (formats/arrays.h), read and written:
 *
 *     A.npy, b.npy, lo.npy, ...   numpy.load opens one; findex counts rows from 0
 *     A.npz                       a sparse A, as scipy.sparse.save_npz writes it;
 *                                 scipy.sparse.load_npz opens it
 *     problem.json                the description; may be missing
 *
 * The path of a problem is its folder, or A.npy or A.npz in it, beside b.npy. */
#include <config.h>

#include <string.h>

#include "arrays_folder.h"
#include "base/base.h"
#include "npy.h"
#include "npz.h"

static const char extension[] = ".npy";
static const char extension_sparse[] = ".npz";

/* The folder, if it holds a problem; else empty. */
static void folder_of(char folder[PERP_FILE_PATH_LENGTH], const perp_source *from)
{
    perp_arrays_folder_of(folder, from, extension);
    if (!folder[0]) {
        perp_arrays_folder_of(folder, from, extension_sparse);
    }
    if (folder[0] && !perp_arrays_folder_has(folder, "b", extension) &&
        !perp_arrays_folder_has(folder, "q", extension)) {
        folder[0] = '\0';
    }
}

static perp_status folder_read(perp_source *from, const perp_read_options *opt,
                               perp_problem **p, perp_notes *notes, perp_error *err)
{
    char folder[PERP_FILE_PATH_LENGTH];
    const perp_npz_in z = {.file = folder};
    perp_status status = perp_problem_new(p, err);

    (void)notes;
    folder_of(folder, from);
    if (status == PERP_OK && !folder[0]) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: expected a folder with A.npy and b.npy, or A.npy in it",
                           from->name);
    }
    return status == PERP_OK ? perp_npz_arrays_read(&z, opt, *p, err) : status;
}

static int folder_detect(const perp_source *from)
{
    char folder[PERP_FILE_PATH_LENGTH];

    folder_of(folder, from);
    return folder[0] ? 2 : 0;
}

static perp_status folder_put(const perp_arrays_out *out, const char *name,
                              const void *numbers, size_t dims, const size_t *shape,
                              perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out file;
    size_t size = 0;
    unsigned char *bytes = NULL;
    perp_status status =
        perp_arrays_folder_path(path, out->context, name, extension, err);

    if (status == PERP_OK) {
        bytes = perp_npy_bytes(PERP_NPY_REAL, numbers, dims, shape, &size);
        status = bytes ? perp_file_create(&file, path, err)
                       : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", out->file);
    }
    if (status == PERP_OK) {
        fwrite(bytes, 1, size, file.f);
        status = perp_file_commit(&file, err);
    }
    free(bytes);
    return status;
}

static perp_status folder_write_vector(const perp_arrays_out *out, const char *name,
                                       const double *x, size_t n, const char *what,
                                       perp_error *err)
{
    (void)what;
    return folder_put(out, name, x, 1, &n, err);
}

/* A file NAME.npz of SciPy. */
static perp_status folder_write_sparse(const perp_arrays_out *out, const char *name,
                                       const perp_operator *A, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out file;
    perp_archive *archive = NULL;
    perp_status status = PERP_OK;

    TRY(perp_arrays_folder_path(path, out->context, name, extension_sparse, err));
    TRY(perp_file_create(&file, path, err));
    status = perp_archive_new(&archive, out->file, err);
    if (status == PERP_OK) {
        status = perp_npz_write_sparse(archive, "", A, out->file, err);
    }
    if (status == PERP_OK) {
        status = perp_archive_write(archive, file.f, err);
    }
    perp_archive_free(archive);
    if (status != PERP_OK) {
        perp_file_abandon(&file);
        return status;
    }
    return perp_file_commit(&file, err);
}

static perp_status folder_write_matrix(const perp_arrays_out *out, const char *name,
                                       const perp_operator *A, const char *what,
                                       perp_error *err)
{
    const size_t shape[2] = {A->rows, A->cols};
    double *x = NULL;
    perp_status status = PERP_OK;

    (void)what;
    if (A->type->storage != PERP_STORAGE_DENSE) {
        return folder_write_sparse(out, name, A, err);
    }
    status = perp_arrays_pack(&x, A, false, out->file, err);
    if (status == PERP_OK) {
        status = folder_put(out, name, x, 2, shape, err);
    }
    free(x);
    return status;
}

static bool folder_owns(const char *file)
{
    return perp_arrays_folder_owns(file, extension) ||
           perp_arrays_folder_owns(file, extension_sparse);
}

static perp_status folder_write(const char *path, const perp_problem *p, const char *kind,
                                perp_error *err)
{
    perp_arrays_out out = {.format = "perp-npy",
                           .first_row = 0,
                           .matrix = folder_write_matrix,
                           .vector = folder_write_vector};

    return perp_arrays_folder_write(&out, path, p, kind, folder_owns, err);
}

const perp_format_type perp_format_npy = {
    .format = {.name = "npy",
               .summary = "a folder of NumPy arrays, A.npy, b.npy, ...; a sparse A as "
                          "SciPy's A.npz",
               .extension = "",
               .reads = true,
               .writes = true},
    .title = "npy",
    .part = ".npy",
    .holds = PERP_HOLDS_ALL,
    .detect = folder_detect,
    .read = folder_read,
    .write_folder = folder_write,
};
