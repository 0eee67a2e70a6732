/* SPDX-License-Identifier: Apache-2.0
 * formats/csv.c: a problem as a folder of CSV files, one array per file (formats/arrays.h),
 * read and written; numpy.loadtxt("A.csv", delimiter=",") opens one.
 *
 *     A.csv                rows of numbers with commas between them; all entries, also those
 *                          of a sparse A
 *     b.csv, lo.csv, ...   one number per line; findex counts rows from 0, -1 for none
 *     problem.json         the description; may be missing
 *
 * The path of a problem is its folder, or A.csv in it. Blank lines and comments from # are
 * passed over; there is no line of names. A vector may be one line. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "arrays_folder.h"
#include "base/base.h"
#include "base/number.h"

static const char extension[] = ".csv";

/* More entries than these of a sparse A, 8 GB of text, are a mistake. */
static const double most_entries = 4e8;

static bool csv_has(const perp_arrays_in *in, const char *name)
{
    return perp_arrays_folder_has(in->context, name, extension);
}

static void csv_place(const perp_arrays_in *in, const char *name,
                      char place[PERP_ARRAY_PLACE])
{
    perp_arrays_folder_place(in->context, name, extension, place);
}

static perp_status csv_describe(const perp_arrays_in *in, json_t **root, perp_error *err)
{
    return perp_arrays_folder_describe(in->context, root, err);
}

/* The text of a file. */
typedef struct csv_text {
    char path[PERP_FILE_PATH_LENGTH];
    perp_source from;
    const char *at, *end;
    size_t line;   /* of `at`, from 1 */
    bool infinite; /* infinities are allowed: bounds */
    perp_error *err;
} csv_text;

/* The caller releases t->from. */
static perp_status csv_open(csv_text *t, const perp_arrays_in *in, const char *name,
                            bool infinite, perp_error *err)
{
    perp_status status =
        perp_arrays_folder_path(t->path, in->context, name, extension, err);

    t->from = (perp_source){.name = t->path};
    if (status == PERP_OK) {
        status = perp_source_load(&t->from, err);
    }
    t->at = t->from.bytes ? t->from.bytes : "";
    t->end = t->at + t->from.size;
    t->line = 1;
    t->infinite = infinite;
    t->err = err;
    return status;
}

static perp_status csv_refuse(const csv_text *t, perp_status status, const char *expected)
{
    char found[24];
    size_t length = 0;

    while (length < sizeof found - 1 && t->at + length < t->end &&
           t->at[length] != '\n') {
        const char c = t->at[length];

        found[length++] = c < 0x20 || c > 0x7e ? '?' : c;
    }
    found[length] = '\0';
    return perp_fail(t->err, status, "%s:%zu: found \"%s\", expected %s", t->path,
                     t->line, found, expected);
}

static void csv_blanks(csv_text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\r')) {
        t->at++;
    }
    if (t->at < t->end && *t->at == '#') {
        const char *stop = memchr(t->at, '\n', (size_t)(t->end - t->at));

        t->at = stop ? stop : t->end;
    }
}

static perp_status csv_number(csv_text *t, double *x)
{
    const char *stop = NULL;
    bool beyond = false;

    csv_blanks(t);
    *x = perp_number_parse(t->at, t->end, &stop, &beyond);
    if (stop == t->at) {
        return csv_refuse(t, PERP_ERR_FORMAT, "a number");
    }
    if (isnan(*x) || beyond || (isinf(*x) && !t->infinite)) {
        return csv_refuse(t, PERP_ERR_DATA, "a finite number");
    }
    t->at = stop;
    csv_blanks(t);
    return PERP_OK;
}

/* The numbers of the next line that has some, at most `room`; *count 0 at the end. */
static perp_status csv_row(csv_text *t, double *x, size_t room, size_t *count)
{
    perp_status status = PERP_OK;

    *count = 0;
    for (csv_blanks(t); t->at < t->end && *t->at == '\n'; csv_blanks(t)) {
        t->at++;
        t->line++;
    }
    if (t->at == t->end) {
        return PERP_OK;
    }
    while (status == PERP_OK && *count < room) {
        status = csv_number(t, &x[(*count)++]);
        if (status != PERP_OK || t->at == t->end || *t->at != ',') {
            break;
        }
        t->at++;
    }
    if (status == PERP_OK && t->at < t->end && *t->at != '\n') {
        status = csv_refuse(t, PERP_ERR_FORMAT, "a comma or the end of the line");
    }
    return status;
}

/* Numbers in the line at `at`: one more than commas. */
static size_t csv_columns(const csv_text *t)
{
    csv_text ahead = {.at = t->at, .end = t->end};
    size_t count = 1;

    for (csv_blanks(&ahead); ahead.at < ahead.end && *ahead.at == '\n';
         csv_blanks(&ahead)) {
        ahead.at++;
    }
    if (ahead.at == ahead.end) {
        return 0;
    }
    for (; ahead.at < ahead.end && *ahead.at != '\n' && *ahead.at != '#'; ahead.at++) {
        count += *ahead.at == ',';
    }
    return count;
}

static perp_status csv_rows(csv_text *t, perp_operator *A, double *row)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; status == PERP_OK && i < A->rows && A->cols > 0; i++) {
        size_t count = 0;

        status = csv_row(t, row, A->cols, &count);
        if (status == PERP_OK && count != A->cols) {
            status = perp_fail(t->err, PERP_ERR_DATA,
                               "%s:%zu: row %zu has %zu number%s, expected %zu", t->path,
                               t->line, i + 1, count, perp_plural(count), A->cols);
        }
        for (size_t j = 0; status == PERP_OK && j < A->cols; j++) {
            A->x[i + j * A->ld] = row[j];
        }
    }
    if (status == PERP_OK && csv_columns(t) > 0) {
        status = perp_fail(t->err, PERP_ERR_DATA, "%s:%zu: it goes on after %zu row%s",
                           t->path, t->line, A->rows, perp_plural(A->rows));
    }
    return status;
}

static perp_status csv_matrix(const perp_arrays_in *in, const char *name, size_t rows,
                              size_t cols, size_t most, perp_operator **A,
                              perp_error *err)
{
    csv_text t;
    double *row = NULL;
    size_t size[2] = {rows, 0};
    size_t entries = 0;
    perp_status status = csv_open(&t, in, name, false, err);

    *A = NULL;
    if (status == PERP_OK) {
        size[1] = csv_columns(&t);
        status = perp_arrays_expect_matrix(t.path, size, rows, cols, most, err);
    }
    if (status == PERP_OK &&
        (!perp_mul(size[0], size[1], &entries) || entries > t.from.size / 2 + 1)) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "%s has %zu bytes, too few for %zu x %zu number%s", t.path,
                           t.from.size, size[0], size[1], perp_plural(size[1]));
    }
    if (status == PERP_OK) {
        status = perp_operator_new_dense(A, size[0], size[1], err);
    }
    if (status == PERP_OK) {
        row = perp_reals_new(size[1]);
        status = row ? csv_rows(&t, *A, row)
                     : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", t.path);
    }
    if (status != PERP_OK) {
        perp_operator_free(*A);
        *A = NULL;
    }
    free(row);
    perp_source_release(&t.from);
    return status;
}

/* Numbers one per line, or all in one. */
static perp_status csv_numbers(csv_text *t, double *x, size_t room, size_t *n)
{
    size_t count = 0;
    perp_status status = csv_row(t, x, room, n);
    const bool one_line = *n > 1;

    for (count = *n; status == PERP_OK && count > 0 && *n < room;) {
        double next = 0.0;

        status = csv_row(t, &next, 1, &count);
        if (status == PERP_OK && count > 0 && one_line) {
            status = csv_refuse(t, PERP_ERR_DATA, "numbers one per line, or in one line");
        }
        if (status == PERP_OK && count > 0) {
            x[(*n)++] = next;
        }
    }
    return status;
}

static perp_status csv_vector(const perp_arrays_in *in, const char *name, bool infinite,
                              double **x, size_t *n, perp_error *err)
{
    csv_text t;
    size_t room = 2; /* a line may end without a newline */
    size_t found = 0;
    perp_status status = csv_open(&t, in, name, infinite, err);

    *x = NULL;
    for (const char *c = t.at; status == PERP_OK && c < t.end; c++) {
        room += *c == '\n' || *c == ',';
    }
    if (status == PERP_OK) {
        *x = perp_reals_new(room);
        status = *x ? csv_numbers(&t, *x, room, &found)
                    : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", t.path);
    }
    if (status == PERP_OK) {
        status = perp_arrays_expect_vector(t.path, found, n, err);
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    perp_source_release(&t.from);
    return status;
}

static perp_status csv_read(perp_source *from, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err)
{
    char folder[PERP_FILE_PATH_LENGTH];
    const perp_arrays_in in = {.file = from->name,
                               .first_row = 0,
                               .has = csv_has,
                               .place = csv_place,
                               .matrix = csv_matrix,
                               .vector = csv_vector,
                               .describe = csv_describe,
                               .context = folder};
    perp_status status = perp_problem_new(p, err);

    (void)notes;
    perp_arrays_folder_of(folder, from, extension);
    if (status == PERP_OK && !folder[0]) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: expected a folder with A.csv and b.csv, or A.csv in it",
                           from->name);
    }
    return status == PERP_OK ? perp_arrays_read(&in, opt, *p, err) : status;
}

static int csv_detect(const perp_source *from)
{
    char folder[PERP_FILE_PATH_LENGTH];

    perp_arrays_folder_of(folder, from, extension);
    return folder[0] && (perp_arrays_folder_has(folder, "A", extension) ||
                         perp_arrays_folder_has(folder, "M", extension))
               ? 2
               : 0;
}

/* "-1.5" and what follows it. */
static void csv_put(FILE *f, double x, char after)
{
    char number[PERP_NUMBER_LENGTH];
    size_t length = perp_number_format(number, x);

    number[length++] = after;
    fwrite(number, 1, length, f);
}

static perp_status csv_create(perp_file_out *file, const perp_arrays_out *out,
                              const char *name, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status =
        perp_arrays_folder_path(path, out->context, name, extension, err);

    return status == PERP_OK ? perp_file_create(file, path, err) : status;
}

static perp_status csv_write_matrix(const perp_arrays_out *out, const char *name,
                                    const perp_operator *A, const char *what,
                                    perp_error *err)
{
    perp_operator *dense = NULL;
    perp_file_out file;
    perp_status status = PERP_OK;

    (void)what;
    if (A->type->storage != PERP_STORAGE_DENSE) {
        if ((double)A->rows * (double)A->cols > most_entries) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "%s: csv writes all %zu x %zu entries of the sparse %s; "
                             "matrix-market, npz, mat, json and fclib write those that "
                             "are not 0",
                             out->file, A->rows, A->cols, name);
        }
        status = perp_operator_convert(&dense, A, PERP_STORAGE_DENSE, 1, err);
        A = dense;
    }
    if (status == PERP_OK) {
        status = csv_create(&file, out, name, err);
    }
    if (status == PERP_OK) {
        for (size_t i = 0; i < A->rows; i++) {
            for (size_t j = 0; j < A->cols; j++) {
                csv_put(file.f, A->x[i + j * A->ld], j + 1 < A->cols ? ',' : '\n');
            }
        }
        status = perp_file_commit(&file, err);
    }
    perp_operator_free(dense);
    return status;
}

static perp_status csv_write_vector(const perp_arrays_out *out, const char *name,
                                    const double *x, size_t n, const char *what,
                                    perp_error *err)
{
    perp_file_out file;
    perp_status status = csv_create(&file, out, name, err);

    (void)what;
    if (status == PERP_OK) {
        for (size_t i = 0; i < n; i++) {
            csv_put(file.f, x[i], '\n');
        }
        status = perp_file_commit(&file, err);
    }
    return status;
}

static bool csv_owns(const char *file)
{
    return perp_arrays_folder_owns(file, extension);
}

static perp_status csv_write(const char *path, const perp_problem *p, const char *kind,
                             perp_error *err)
{
    perp_arrays_out out = {.format = "perp-csv",
                           .first_row = 0,
                           .matrix = csv_write_matrix,
                           .vector = csv_write_vector};

    return perp_arrays_folder_write(&out, path, p, kind, csv_owns, err);
}

const perp_format_type perp_format_csv = {
    .format = {.name = "csv",
               .summary = "a folder of .csv files, A dense; spreadsheets, NumPy, R read "
                          "them",
               .extension = "",
               .reads = true,
               .writes = true},
    .title = "CSV",
    .part = ".csv",
    .holds = PERP_HOLDS_ALL,
    .detect = csv_detect,
    .read = csv_read,
    .write_folder = csv_write,
};
