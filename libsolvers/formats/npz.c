/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.c: an archive of NumPy arrays, one per array of formats/arrays.h, which
 * numpy.load opens:
 *
 *     A or, of an LCP, M   n x n; a sparse one is the three arrays of SciPy's CSR matrix and
 *                          its size: A_data, A_indices, A_indptr, A_shape
 *     b, lo, hi, mu, ...   findex counts rows from 0, -1 for none
 *     problem.json         the description; may be missing
 *
 * In Python: z = numpy.load(file); A = z["A"], or
 * scipy.sparse.csr_matrix((z["A_data"], z["A_indices"], z["A_indptr"]), z["A_shape"]). */
#include <config.h>

#include <math.h>
#include <string.h>

#include "contactbench.h"
#include "npy.h"
#include "npz.h"

void perp_npz_member(const char *name, const char *part, char member[48])
{
    if (strcmp(name, "description") == 0) {
        snprintf(member, 48, "problem.json");
    } else {
        snprintf(member, 48, "%.20s%s.npy", name, part);
    }
}

static bool npz_has(const perp_arrays_in *in, const char *name)
{
    char member[48];
    char sparse[48];

    perp_npz_member(name, "", member);
    perp_npz_member(name, "_data", sparse);
    return perp_archive_has(in->context, member) || perp_archive_has(in->context, sparse);
}

static void npz_place(const perp_arrays_in *in, const char *name,
                      char place[PERP_ARRAY_PLACE])
{
    char member[48];

    perp_npz_member(name, "", member);
    snprintf(place, PERP_ARRAY_PLACE, "%.*s: %s", PERP_FILE_PATH_LENGTH - 20, in->file,
             member);
}

/* A member that is required, as an array; the caller frees *bytes. */
static perp_status npz_array(const perp_arrays_in *in, const char *name, const char *part,
                             perp_npy *array, unsigned char **bytes,
                             char place[PERP_ARRAY_PLACE], perp_error *err)
{
    char member[48];
    size_t length = 0;
    perp_status status = PERP_OK;

    perp_npz_member(name, part, member);
    snprintf(place, PERP_ARRAY_PLACE, "%.*s: %s", PERP_FILE_PATH_LENGTH - 20, in->file,
             member);
    status = perp_archive_member(in->context, member, bytes, &length, err);
    if (status == PERP_OK && !*bytes) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s is missing", place);
    }
    return status == PERP_OK ? perp_npy_parse(array, *bytes, length, place, err) : status;
}

static perp_status npz_vector(const perp_arrays_in *in, const char *name, bool infinite,
                              double **x, size_t *n, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    perp_npy array = {0};
    unsigned char *bytes = NULL;
    perp_status status = npz_array(in, name, "", &array, &bytes, place, err);

    *x = NULL;
    if (status == PERP_OK &&
        (array.type == PERP_NPY_TEXT || array.dims > 2 ||
         (array.dims == 2 && array.shape[0] != 1 && array.shape[1] != 1))) {
        status = perp_fail(err, PERP_ERR_DATA, "%s is no vector of numbers", place);
    }
    if (status == PERP_OK) {
        status = perp_arrays_expect_vector(place, array.count, n, err);
    }
    if (status == PERP_OK) {
        *x = perp_reals_new(array.count);
        status = *x ? perp_npy_reals(&array, infinite, *x, place, err)
                    : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", place);
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    free(bytes);
    return status;
}

/* The three arrays of a CSR matrix, checked against its size. */
typedef struct npz_csr {
    perp_npy data, indices, indptr, shape;
    unsigned char *bytes[4];
    char place[PERP_ARRAY_PLACE];
} npz_csr;

static perp_status csr_open(npz_csr *c, const perp_arrays_in *in, const char *name,
                            perp_error *err)
{
    static const char *const parts[] = {"_data", "_indices", "_indptr", "_shape"};
    perp_npy *const arrays[] = {&c->data, &c->indices, &c->indptr, &c->shape};
    perp_status status = PERP_OK;

    for (int k = 0; status == PERP_OK && k < 4; k++) {
        status = npz_array(in, name, parts[k], arrays[k], &c->bytes[k], c->place, err);
        if (status == PERP_OK &&
            (arrays[k]->dims != 1 || (k > 0) != (arrays[k]->type == PERP_NPY_LONG ||
                                                 arrays[k]->type == PERP_NPY_INT))) {
            status = perp_fail(err, PERP_ERR_FORMAT, "%s is no vector of %s", c->place,
                               k > 0 ? "whole numbers" : "reals");
        }
    }
    if (status == PERP_OK && (c->shape.count != 2 || c->indices.count != c->data.count)) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: a CSR matrix needs two sizes and as many indices as data",
                           c->place);
    }
    return status;
}

static perp_status csr_read(npz_csr *c, size_t rows, size_t cols, perp_operator **A,
                            perp_error *err)
{
    perp_triplets t;
    perp_status status = PERP_OK;

    if (c->indptr.count != rows + 1 || perp_npy_real(&c->indptr, 0) != 0.0 ||
        perp_npy_real(&c->indptr, rows) != (double)c->data.count) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: indptr does not cover the %zu entries of %zu rows",
                         c->place, c->data.count, rows);
    }
    perp_triplets_init(&t, rows, cols, c->data.count);
    for (size_t i = 0; status == PERP_OK && i < rows; i++) {
        const double from = perp_npy_real(&c->indptr, i);
        const double to = perp_npy_real(&c->indptr, i + 1);

        if (!(from >= 0.0 && from <= to && to <= (double)c->data.count)) {
            status =
                perp_fail(err, PERP_ERR_FORMAT, "%s: indptr does not ascend", c->place);
        }
        for (size_t k = (size_t)from; status == PERP_OK && k < (size_t)to; k++) {
            const double j = perp_npy_real(&c->indices, k);
            const double x = perp_npy_real(&c->data, k);

            if (!(j >= 0.0 && j < (double)cols) || !isfinite(x)) {
                status = perp_fail(err, PERP_ERR_DATA,
                                   "%s: entry %zu of row %zu is %g in column %g of %zu",
                                   c->place, k, i, x, j, cols);
            } else {
                perp_triplets_add(&t, i, (size_t)j, x);
            }
        }
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &t, err);
    }
    perp_triplets_free(&t);
    return status;
}

static perp_status npz_sparse(const perp_arrays_in *in, const char *name, size_t size[2],
                              npz_csr *c, perp_error *err)
{
    perp_status status = csr_open(c, in, name, err);

    for (int k = 0; status == PERP_OK && k < 2; k++) {
        const double s = perp_npy_real(&c->shape, (size_t)k);

        if (!(s >= 0.0 && s <= INT32_MAX)) {
            return perp_fail(err, PERP_ERR_DATA, "%s: its size is %g", c->place, s);
        }
        size[k] = (size_t)s;
    }
    return status;
}

static perp_status npz_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                              size_t cols, size_t most, perp_operator **A,
                              perp_error *err)
{
    char member[48];
    char place[PERP_ARRAY_PLACE];
    npz_csr c = {.bytes = {NULL}};
    perp_npy dense = {0};
    unsigned char *bytes = NULL;
    size_t size[2] = {0, 0};
    bool sparse = false;
    perp_status status = PERP_OK;

    *A = NULL;
    perp_npz_member(name, "_data", member);
    sparse = perp_archive_has(in->context, member);
    npz_place(in, name, place);
    if (sparse) {
        status = npz_sparse(in, name, size, &c, err);
    } else {
        status = npz_array(in, name, "", &dense, &bytes, place, err);
        if (status == PERP_OK && (dense.dims != 2 || dense.type == PERP_NPY_TEXT)) {
            status = perp_fail(err, PERP_ERR_DATA, "%s is no matrix of numbers", place);
        }
        size[0] = dense.shape[0];
        size[1] = dense.shape[1];
    }
    if (status == PERP_OK) {
        status = perp_arrays_expect_matrix(place, size, rows, cols, most, err);
    }
    if (status == PERP_OK) {
        status = sparse ? csr_read(&c, size[0], size[1], A, err)
                        : perp_npy_dense(&dense, A, place, err);
    }
    for (int k = 0; k < 4; k++) {
        free(c.bytes[k]);
    }
    free(bytes);
    return status;
}

static perp_status npz_describe(const perp_arrays_in *in, json_t **root, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    unsigned char *bytes = NULL;
    perp_source from = {.name = place, .memory = true};
    perp_status status =
        perp_archive_member(in->context, "problem.json", &bytes, &from.size, err);

    *root = NULL;
    npz_place(in, "description", place);
    if (status == PERP_OK && bytes) {
        from.bytes = (const char *)bytes;
        status = perp_json_load(root, &from, err);
    }
    free(bytes);
    return status;
}

static perp_status npz_read(perp_source *from, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_arrays_in in = {.file = from->name,
                         .first_row = 0,
                         .has = npz_has,
                         .place = npz_place,
                         .matrix = npz_matrix,
                         .vector = npz_vector,
                         .describe = npz_describe};
    perp_archive *archive = NULL;
    perp_status status = perp_archive_open(&archive, from, err);

    in.context = archive;
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        status = perp_contactbench_is(archive)
                     ? perp_contactbench_read(archive, from->name, *p, notes, err)
                     : perp_arrays_read(&in, opt, *p, err);
    }
    perp_archive_free(archive);
    return status;
}

static int npz_detect(const perp_source *from)
{
    char start[5];

    if (perp_source_peek(from, start, 4) < 4 || memcmp(start, "PK\x03\x04", 4) != 0) {
        return 0;
    }
    return perp_path_ends(from->name, ".npz") ? 2 : 1;
}

const perp_format_type perp_format_npz = {
    .format = {.name = "npz",
               .summary =
                   "NumPy arrays M, q or A, b, lo, hi, mu, ...; sparse as in SciPy",
               .extension = ".npz",
               .reads = true,
               .writes = true,
               .memory = true},
    .labels = true,
    .detect = npz_detect,
    .read = npz_read,
    .write = perp_npz_write,
};
