/* SPDX-License-Identifier: Apache-2.0
 * formats/json.c: a problem as one JSON object, one member per array (formats/arrays.h), read
 * and written:
 *
 *     {"M": [[2, 1], [1, 2]], "q": [-5, -6]}                               an LCP
 *     {"A": ..., "b": [...], "lo": [0, "-inf"], "hi": ["inf", 1]}          a box
 *     {"A": ..., "b": [...], "mu": [0.5]}                                  contacts
 *     {"M": ..., "H": ..., "f": [...], "b": [...], "mu": [...]}            a global problem
 *
 * A matrix is an array of rows, or, when it is sparse, an object with SciPy's names:
 *     {"shape": [3, 3], "row": [0, 2], "col": [1, 2], "data": [1.5, -1]}         coordinates
 *     {"shape": [3, 3], "indptr": [0, 1, 1, 2], "indices": [1, 2], "data": ...}  by rows
 * The first is written. Rows count from 0, and findex has -1 for a row without friction. An
 * infinite bound is written "inf" or "-inf"; null is read as the infinity of its side. The
 * description is members of the same object. `perp info --schema problem` prints the schema.
 */
#include <config.h>

#include <string.h>

#include "json.h"

static const char *const array_names[] = {
    "A",  "M",      "H", "G", "b", "q",      "f",          "lo",     "hi",
    "mu", "findex", "z", "w", "v", "radius", "mu_rolling", "guess_", NULL};

static const char *const sparse_names[] = {"shape",   "row",    "col", "data",
                                           "indices", "indptr", NULL};

static const json_t *json_member(const perp_json_object *o, const char *name)
{
    const json_t *value = json_object_get(o->rest, name);

    return json_is_null(value) ? NULL : value;
}

static bool json_has(const perp_arrays_in *in, const char *name)
{
    return json_member(in->context, name) != NULL;
}

static void json_place(const perp_arrays_in *in, const char *name,
                       char place[PERP_ARRAY_PLACE])
{
    if (strcmp(name, "description") == 0) {
        snprintf(place, PERP_ARRAY_PLACE, "%.*s", PERP_FILE_PATH_LENGTH, in->file);
    } else {
        snprintf(place, PERP_ARRAY_PLACE, "%.*s: %s", PERP_FILE_PATH_LENGTH - 20,
                 in->file, name);
    }
}

/* The text of an array that is required. */
static perp_status json_span_of(const perp_arrays_in *in, const char *name,
                                const char *expected, const perp_json_span **span,
                                perp_error *err)
{
    *span = perp_json_span_find(in->context, name);
    if (*span) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_FORMAT, "%s: %s is %s, expected %s", in->file, name,
                     perp_json_kind(json_member(in->context, name)), expected);
}

static perp_status json_vector(const perp_arrays_in *in, const char *name, bool infinite,
                               double **x, size_t *n, perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    const perp_json_span *span = NULL;
    size_t count = 0;
    perp_status status = json_span_of(in, name, "an array of numbers", &span, err);

    *x = NULL;
    if (status == PERP_OK) {
        status = perp_json_numbers(in->context, span, infinite, x, &count, err);
    }
    if (status == PERP_OK) {
        json_place(in, name, place);
        status = perp_arrays_expect_vector(place, count, n, err);
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    return status;
}

/* A member of a sparse matrix, which may be missing. */
static perp_status sparse_numbers(const perp_json_object *o, const char *name, double **x,
                                  size_t *count, perp_error *err)
{
    const perp_json_span *span = perp_json_span_find(o, name);

    *x = NULL;
    *count = 0;
    return span ? perp_json_numbers(o, span, false, x, count, err) : PERP_OK;
}

static perp_status sparse_read(const perp_json_object *o, perp_arrays_sparse *s,
                               const char *place, perp_error *err)
{
    const bool by_rows = json_member(o, "indptr") != NULL;
    double *shape = NULL;
    size_t sizes = 0;
    perp_status status = sparse_numbers(o, "shape", &shape, &sizes, err);

    s->layout = by_rows ? PERP_ARRAYS_CSR : PERP_ARRAYS_COO;
    if (status == PERP_OK && by_rows &&
        (json_member(o, "row") || json_member(o, "col"))) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: row or col beside indptr, expected coordinates or rows",
                           place);
    }
    if (status == PERP_OK && !shape) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: a sparse matrix without shape, expected [rows, columns]",
                           place);
    }
    if (status == PERP_OK) {
        status = perp_arrays_sparse_size(s, shape, sizes, place, err);
    }
    if (status == PERP_OK) {
        status =
            sparse_numbers(o, by_rows ? "indptr" : "row", &s->row, &s->row_count, err);
    }
    if (status == PERP_OK) {
        status =
            sparse_numbers(o, by_rows ? "indices" : "col", &s->col, &s->col_count, err);
    }
    if (status == PERP_OK) {
        status = sparse_numbers(o, "data", &s->data, &s->data_count, err);
    }
    free(shape);
    return status;
}

static perp_status json_sparse(const perp_arrays_in *in, const perp_json_span *span,
                               size_t rows, size_t cols, size_t most, perp_operator **A,
                               perp_error *err)
{
    char place[PERP_ARRAY_PLACE];
    perp_json_object o = {.count = 0};
    perp_arrays_sparse s = {.rows = 0};
    perp_status status = perp_json_divide(&o, in->file, span, sparse_names, err);

    json_place(in, span->name, place);
    if (status == PERP_OK) {
        status = perp_json_expect_members(o.rest, sparse_names, NULL, place, "", err);
    }
    if (status == PERP_OK) {
        status = sparse_read(&o, &s, place, err);
    }
    if (status == PERP_OK) {
        const size_t size[2] = {s.rows, s.cols};

        status = perp_arrays_expect_matrix(place, size, rows, cols, most, err);
    }
    if (status == PERP_OK) {
        status = perp_arrays_sparse_finish(A, &s, place, err);
    }
    perp_arrays_sparse_free(&s);
    perp_json_object_free(&o);
    return status;
}

static perp_status json_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                               size_t cols, size_t most, perp_operator **A,
                               perp_error *err)
{
    const perp_json_span *span = NULL;
    perp_status status = json_span_of(
        in, name, "an array of rows, or an object with shape, row, col and data", &span,
        err);

    *A = NULL;
    if (status != PERP_OK) {
        return status;
    }
    return *span->at == '{' ? json_sparse(in, span, rows, cols, most, A, err)
                            : perp_json_rows(in->context, span, rows, cols, most, A, err);
}

static perp_status json_describe(const perp_arrays_in *in, json_t **root, perp_error *err)
{
    const perp_json_object *o = in->context;
    const char *format = NULL;
    size_t version = 1;
    perp_status status = perp_json_text(&format, o->rest, in->file, "", "format", err);

    *root = NULL;
    if (status == PERP_OK && format && strcmp(format, "perp-json") != 0) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: format is \"%s\", expected \"perp-json\" or none",
                           in->file, format);
    }
    if (status == PERP_OK) {
        status = perp_json_size(&version, o->rest, in->file, "", "version", 1, err);
    }
    if (status == PERP_OK && version != 1) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: version is %zu, expected 1",
                           in->file, version);
    }
    if (status == PERP_OK) {
        *root = json_incref(o->rest);
    }
    return status;
}

static perp_status json_read(perp_source *from, const perp_read_options *opt,
                             perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_json_object o = {.count = 0};
    const perp_arrays_in in = {.file = from->name,
                               .first_row = 0,
                               .members = array_names,
                               .has = json_has,
                               .place = json_place,
                               .matrix = json_matrix,
                               .vector = json_vector,
                               .describe = json_describe,
                               .context = &o};
    perp_status status = perp_problem_new(p, err);

    (void)notes;
    if (status == PERP_OK) {
        status = perp_source_load(from, err);
    }
    if (status == PERP_OK) {
        const char *text = from->bytes ? from->bytes : "";
        const perp_json_span all = {.at = text, .end = text + from->size, .line = 1};

        status = perp_json_divide(&o, from->name, &all, array_names, err);
    }
    if (status == PERP_OK) {
        status = perp_arrays_read(&in, opt, *p, err);
    }
    perp_json_object_free(&o);
    return status;
}

/* An object with one of the arrays near its start. */
static int json_detect(const perp_source *from)
{
    enum { HEAD = 4096 };
    static const char *const marks[] = {"\"perp-json\"", "\"A\"", "\"M\"", "\"b\"",
                                        "\"q\""};
    char start[HEAD + 1];

    perp_source_peek(from, start, HEAD);
    if (start[strspn(start, " \t\r\n")] != '{') {
        return 0;
    }
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        if (strstr(start, marks[k])) {
            return 2;
        }
    }
    return perp_path_ends(from->name, ".json") ? 1 : 0;
}

const perp_format_type perp_format_json = {
    .format = {.name = "json",
               .summary = "one object with A, b (or M, q), lo, hi, mu, ...: rows of "
                          "numbers; sparse as in SciPy",
               .extension = ".json",
               .reads = true,
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_ALL,
    .detect = json_detect,
    .read = json_read,
    .write = perp_json_write,
};
