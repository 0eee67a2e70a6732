/* SPDX-License-Identifier: Apache-2.0
 * formats/npz_arrays.c: the arrays of a problem from NumPy's files, in an archive or in a
 * folder. A sparse matrix is the arrays of SciPy beside the others, A_data, A_indices,
 * A_indptr and A_shape, or, in a folder, an archive A.npz of its own, as
 * scipy.sparse.save_npz writes it:
 *
 *     data, shape, format       format: csr, csc or coo
 *     indices, indptr           of csr and csc
 *     row, col                  of coo */
#include <config.h>

#include <string.h>
#include <unistd.h>

#include "base/base.h"
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

/* "x.npz: A_data.npy", or the path "x/A_data.npy". */
static void store_place(const perp_npz_in *z, const char *name, const char *part,
                        char place[PERP_ARRAY_PLACE])
{
    char member[48];

    perp_npz_member(name, part, member);
    snprintf(place, PERP_ARRAY_PLACE, "%.*s%s%s", PERP_FILE_PATH_LENGTH - 20, z->file,
             z->archive ? ": " : "/", member);
}

static bool store_has(const perp_npz_in *z, const char *name, const char *part)
{
    char place[PERP_ARRAY_PLACE];
    char member[48];

    perp_npz_member(name, part, member);
    store_place(z, name, part, place);
    return z->archive ? perp_archive_has(z->archive, member) : access(place, F_OK) == 0;
}

/* On the heap; NULL where it is missing. */
static perp_status store_bytes(const perp_npz_in *z, const char *name, const char *part,
                               unsigned char **bytes, size_t *length, perp_error *err)
{
    char member[48];
    char path[PERP_ARRAY_PLACE];
    char *text = NULL;
    perp_status status = PERP_OK;

    *bytes = NULL;
    if (z->archive) {
        perp_npz_member(name, part, member);
        return perp_archive_member(z->archive, member, bytes, length, err);
    }
    if (store_has(z, name, part)) {
        store_place(z, name, part, path);
        status = perp_file_slurp(path, &text, length, err);
        *bytes = (unsigned char *)text;
    }
    return status;
}

/* SciPy's archive of a matrix in a folder. */
static bool matrix_archive(const perp_npz_in *z, const char *name,
                           char path[PERP_ARRAY_PLACE])
{
    snprintf(path, PERP_ARRAY_PLACE, "%.*s/%.20s.npz", PERP_FILE_PATH_LENGTH - 20,
             z->file, name);
    return !z->archive && access(path, F_OK) == 0;
}

/* An array that exists in two forms is refused: one would be ignored silently. */
static perp_status npz_expect_one(const perp_npz_in *z, const char *name, perp_error *err)
{
    char own[PERP_ARRAY_PLACE];
    char places[2][PERP_ARRAY_PLACE];
    size_t count = 0;

    if (store_has(z, name, "")) {
        store_place(z, name, "", places[count++]);
    }
    if (store_has(z, name, "_data")) {
        store_place(z, name, "_data", places[count++]);
    }
    if (count < 2 && matrix_archive(z, name, own)) {
        memcpy(places[count++], own, sizeof own);
    }
    return count < 2 ? PERP_OK
                     : perp_fail(err, PERP_ERR_FORMAT,
                                 "%s: %s is also there, expected one of them", places[0],
                                 places[1] + strlen(z->file) + (z->archive ? 2 : 1));
}

static bool npz_has(const perp_arrays_in *in, const char *name)
{
    char path[PERP_ARRAY_PLACE];
    const perp_npz_in *z = in->context;

    return store_has(z, name, "") || store_has(z, name, "_data") ||
           matrix_archive(z, name, path);
}

static void npz_place(const perp_arrays_in *in, const char *name,
                      char place[PERP_ARRAY_PLACE])
{
    store_place(in->context, name, "", place);
}

/* An array that is required; the caller frees *bytes. */
static perp_status npz_array(const perp_npz_in *z, const char *name, const char *part,
                             perp_npy *array, unsigned char **bytes,
                             char place[PERP_ARRAY_PLACE], perp_error *err)
{
    size_t length = 0;
    perp_status status = store_bytes(z, name, part, bytes, &length, err);

    store_place(z, name, part, place);
    if (status == PERP_OK && !*bytes) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s is missing", place);
    }
    return status == PERP_OK ? perp_npy_parse(array, *bytes, length, place, err) : status;
}

/* The numbers of a vector, on the heap. */
static perp_status npz_numbers(const perp_npz_in *z, const char *name, const char *part,
                               bool infinite, double **x, size_t *n, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    perp_npy array = {0};
    unsigned char *bytes = NULL;
    perp_status status = npz_array(z, name, part, &array, &bytes, place, err);

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

static perp_status npz_vector(const perp_arrays_in *in, const char *name, bool infinite,
                              double **x, size_t *n, perp_error *err)
{
    *x = NULL;
    TRY(npz_expect_one(in->context, name, err));

    return npz_numbers(in->context, name, "", infinite, x, n, err);
}

/* The layout by its name, such as b'csr'. */
static perp_status sparse_layout(const perp_npz_in *z, perp_arrays_layout *layout,
                                 perp_error *err)
{
    static const char *const names[] = {
        [PERP_ARRAYS_COO] = "coo", [PERP_ARRAYS_CSR] = "csr", [PERP_ARRAYS_CSC] = "csc"};
    char place[PERP_ARRAY_PLACE];
    perp_npy array = {0};
    unsigned char *bytes = NULL;
    bool found = false;
    perp_status status = npz_array(z, "format", "", &array, &bytes, place, err);

    for (int k = 0;
         status == PERP_OK && array.type == PERP_NPY_TEXT && array.count == 1 && k < 3;
         k++) {
        if (memcmp(array.data, names[k], 3) == 0) {
            *layout = (perp_arrays_layout)k;
            found = true;
        }
    }
    if (status == PERP_OK && !found) {
        status = perp_fail(err, PERP_ERR_UNSUITABLE,
                           "%s: expected csr, csc or coo, which A.tocsr() makes", place);
    }
    free(bytes);
    return status;
}

/* The arrays `name`_data, ...; without a name those of SciPy's archive, data, ... */
static perp_status sparse_read(const perp_npz_in *z, const char *name,
                               perp_arrays_sparse *s, perp_error *err)
{
    const size_t bare = name[0] == '\0';
    char place[PERP_ARRAY_PLACE];
    double *shape = NULL;
    size_t sizes = PERP_ARRAY_ANY;
    perp_status status = PERP_OK;

    s->layout = PERP_ARRAYS_CSR;
    s->row_count = s->col_count = s->data_count = PERP_ARRAY_ANY;
    if (bare) {
        status = sparse_layout(z, &s->layout, err);
    }
    if (status == PERP_OK) {
        status = npz_numbers(z, name, &"_shape"[bare], false, &shape, &sizes, err);
    }
    if (status == PERP_OK) {
        store_place(z, name, &"_shape"[bare], place);
        status = perp_arrays_sparse_size(s, shape, sizes, place, err);
    }
    if (status == PERP_OK) {
        const char *row = s->layout == PERP_ARRAYS_COO   ? "_row"
                          : s->layout == PERP_ARRAYS_CSR ? "_indptr"
                                                         : "_indices";

        status = npz_numbers(z, name, &row[bare], false, &s->row, &s->row_count, err);
    }
    if (status == PERP_OK) {
        const char *col = s->layout == PERP_ARRAYS_COO   ? "_col"
                          : s->layout == PERP_ARRAYS_CSR ? "_indices"
                                                         : "_indptr";

        status = npz_numbers(z, name, &col[bare], false, &s->col, &s->col_count, err);
    }
    if (status == PERP_OK) {
        status =
            npz_numbers(z, name, &"_data"[bare], false, &s->data, &s->data_count, err);
    }
    free(shape);
    return status;
}

/* What was asked of perp_arrays_in.matrix. */
typedef struct wanted {
    size_t rows, cols, most;
} wanted;

static perp_status npz_sparse(const perp_npz_in *z, const char *name, const wanted *w,
                              perp_operator **A, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    perp_arrays_sparse s = {.rows = 0};
    perp_status status = sparse_read(z, name, &s, err);

    store_place(z, name, &"_data"[name[0] == '\0'], place);
    if (status == PERP_OK) {
        const size_t size[2] = {s.rows, s.cols};

        status = perp_arrays_expect_matrix(place, size, w->rows, w->cols, w->most, err);
    }
    if (status == PERP_OK) {
        status = perp_arrays_sparse_finish(A, &s, place, err);
    }
    perp_arrays_sparse_free(&s);
    return status;
}

static perp_status npz_dense(const perp_npz_in *z, const char *name, const wanted *w,
                             perp_operator **A, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    perp_npy array = {0};
    unsigned char *bytes = NULL;
    perp_status status = npz_array(z, name, "", &array, &bytes, place, err);

    if (status == PERP_OK && (array.dims != 2 || array.type == PERP_NPY_TEXT)) {
        status = perp_fail(err, PERP_ERR_DATA, "%s is no matrix of numbers", place);
    }
    if (status == PERP_OK) {
        status =
            perp_arrays_expect_matrix(place, array.shape, w->rows, w->cols, w->most, err);
    }
    if (status == PERP_OK) {
        status = perp_npy_dense(&array, A, place, err);
    }
    free(bytes);
    return status;
}

/* The matrix in an archive of its own. */
static perp_status npz_own_archive(const char *path, const wanted *w, perp_operator **A,
                                   perp_error *err)
{
    perp_source from = {.name = path};
    perp_archive *archive = NULL;
    perp_status status = perp_archive_open(&archive, &from, err);

    if (status == PERP_OK) {
        const perp_npz_in own = {.file = path, .archive = archive};

        status = npz_sparse(&own, "", w, A, err);
    }
    perp_archive_free(archive);
    perp_source_release(&from);
    return status;
}

static perp_status npz_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                              size_t cols, size_t most, perp_operator **A,
                              perp_error *err)
{
    const perp_npz_in *z = in->context;
    const wanted w = {rows, cols, most};
    char path[PERP_ARRAY_PLACE];
    perp_status status = npz_expect_one(z, name, err);

    *A = NULL;
    if (status != PERP_OK) {
        return status;
    }
    if (store_has(z, name, "_data")) {
        return npz_sparse(z, name, &w, A, err);
    }
    return matrix_archive(z, name, path) ? npz_own_archive(path, &w, A, err)
                                         : npz_dense(z, name, &w, A, err);
}

static perp_status npz_describe(const perp_arrays_in *in, json_t **root, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    unsigned char *bytes = NULL;
    perp_source from = {.name = place, .memory = true};
    perp_status status =
        store_bytes(in->context, "description", "", &bytes, &from.size, err);

    *root = NULL;
    npz_place(in, "description", place);
    if (status == PERP_OK && bytes) {
        from.bytes = (const char *)bytes;
        status = perp_json_load(root, &from, err);
    }
    free(bytes);
    return status;
}

perp_status perp_npz_arrays_read(const perp_npz_in *z, const perp_read_options *opt,
                                 perp_problem *p, perp_error *err)
{
    union {
        const perp_npz_in *given;
        void *context; /* nothing is written there */
    } lent = {z};
    const perp_arrays_in in = {.file = z->file,
                               .first_row = 0,
                               .has = npz_has,
                               .place = npz_place,
                               .matrix = npz_matrix,
                               .vector = npz_vector,
                               .describe = npz_describe,
                               .context = lent.context};

    return perp_arrays_read(&in, opt, p, err);
}
