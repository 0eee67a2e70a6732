/* SPDX-License-Identifier: Apache-2.0
 * formats/mtx.c: one Matrix Market file [boisvert-pozo-remington-1996]:
 *
 *     %%MatrixMarket matrix coordinate|array FIELD general|symmetric|skew-symmetric
 *                         FIELD: real, integer, unsigned-integer or pattern
 *     % comments
 *     rows cols [entries]
 *     i j value        one entry per line, from 1;   array: one value per line, by columns
 *
 * Symmetric files hold the lower triangle, skew-symmetric ones what is below the diagonal. A
 * pattern is read as ones. A declared size is believed only as far as the file is long. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <strings.h>

#include "base/base.h"
#include "base/number.h"
#include "mtx.h"
#include "scan.h"

typedef struct mtx_reader {
    perp_source from;
    perp_scan scan; /* of the whole text */
    perp_scan line; /* the current line, from its start */
    perp_scan rest; /* what is left of it */
    bool coordinate, pattern, integer;
    int symmetry;  /* 0 general, 1 symmetric, -1 skew-symmetric */
    bool infinite; /* infinities are allowed: bounds */
    size_t rows, cols, count;
} mtx_reader;

/* "file:line: found "the line", expected …". */
static perp_status mtx_fail(const mtx_reader *m, perp_status status, const char *expected)
{
    char text[64];

    perp_scan_text(&m->line, text, 61);
    return perp_scan_fail(&m->line, status, "found \"%s\", expected %s", text, expected);
}

/* The next line that is neither blank nor a comment. */
static bool mtx_line(mtx_reader *m)
{
    bool found = perp_scan_line(&m->scan, &m->line);

    m->rest = m->line;
    return found;
}

static perp_status mtx_need_line(mtx_reader *m, size_t k)
{
    return mtx_line(m) ? PERP_OK
                       : perp_scan_fail(&m->line, PERP_ERR_FORMAT,
                                        "it ends after %zu of %zu entries", k, m->count);
}

/* The word of the first line that was read last, in any case. */
static bool mtx_is(const mtx_reader *m, const char *word)
{
    return strcasecmp(m->rest.word, word) == 0;
}

/* Read the next word of the first line; it is this one. */
static bool mtx_expect(mtx_reader *m, const char *word)
{
    return perp_scan_next(&m->rest) && mtx_is(m, word);
}

static perp_status mtx_banner(mtx_reader *m)
{
    perp_scan text = m->scan;

    (void)perp_scan_line(&text,
                         &m->line); /* before comments are skipped: it is like one */
    m->scan.at = text.at;
    m->rest = m->line;
    if (!mtx_expect(m, "%%MatrixMarket") || !mtx_expect(m, "matrix")) {
        return mtx_fail(m, PERP_ERR_FORMAT, "%%MatrixMarket matrix ...");
    }
    m->coordinate = mtx_expect(m, "coordinate");
    if (!m->coordinate && !mtx_is(m, "array")) {
        return mtx_fail(m, PERP_ERR_FORMAT, "coordinate or array");
    }
    m->pattern = mtx_expect(m, "pattern");
    m->integer = mtx_is(m, "integer") || mtx_is(m, "unsigned-integer");
    if (!m->pattern && !m->integer && !mtx_is(m, "real") && !mtx_is(m, "double")) {
        return mtx_fail(m, PERP_ERR_FORMAT, "real, integer, unsigned-integer or pattern");
    }
    m->symmetry = mtx_expect(m, "symmetric") ? 1 : mtx_is(m, "skew-symmetric") ? -1 : 0;
    if ((m->symmetry == 0 && !mtx_is(m, "general")) || !perp_scan_at_end(&m->rest)) {
        return mtx_fail(m, PERP_ERR_FORMAT, "general, symmetric or skew-symmetric");
    }
    return m->pattern && !m->coordinate
               ? mtx_fail(m, PERP_ERR_FORMAT, "an array of numbers, not a pattern")
               : PERP_OK;
}

/* A count in the current line. */
static bool mtx_size(mtx_reader *m, size_t *size)
{
    int64_t k = -1;

    if (perp_scan_integer(&m->rest, &k) != PERP_SCAN_GOOD || k < 0) {
        return false;
    }
    *size = (size_t)k;
    return true;
}

/* Entries of an array, of a symmetric one, of a skew-symmetric one. */
static size_t mtx_array_count(const mtx_reader *m)
{
    size_t n = m->rows;

    return m->symmetry == 0 ? n * m->cols
                            : n * (m->symmetry > 0 ? n + 1 : n - (n > 0)) / 2;
}

static perp_status mtx_extent(mtx_reader *m)
{
    /* The least bytes of an entry: "1 1" or "1", and a newline, which the last may lack. */
    size_t least = m->coordinate ? 4 : 2;

    if (!mtx_line(m)) {
        return perp_scan_fail(&m->line, PERP_ERR_FORMAT, "it ends before its size");
    }
    if (!mtx_size(m, &m->rows) || !mtx_size(m, &m->cols) ||
        (m->coordinate && !mtx_size(m, &m->count)) || !perp_scan_at_end(&m->rest)) {
        return mtx_fail(m, PERP_ERR_FORMAT,
                        m->coordinate ? "rows, columns and entries" : "rows and columns");
    }
    if (m->rows > INT32_MAX || m->cols > INT32_MAX) {
        return mtx_fail(m, PERP_ERR_FORMAT, "at most 2^31 - 1 rows and columns");
    }
    if (m->symmetry != 0 && m->rows != m->cols) {
        return mtx_fail(m, PERP_ERR_FORMAT, "a square matrix, since it is symmetric");
    }
    if (!m->coordinate) {
        m->count = mtx_array_count(m);
    }
    if (m->count > ((size_t)(m->scan.end - m->scan.at) + 1) / least) {
        return perp_scan_fail(&m->line, PERP_ERR_FORMAT,
                              "it declares %zu entries, more than the rest of the file "
                              "can hold",
                              m->count);
    }
    return PERP_OK;
}

static perp_status mtx_open(mtx_reader *m, const char *file, perp_error *err)
{
    m->from = (perp_source){.name = file};
    TRY(perp_source_load(&m->from, err));
    m->scan = perp_scan_start(&m->from, err);
    m->scan.comments = NULL;
    TRY(mtx_banner(m));
    m->scan.comments = "%";
    return mtx_extent(m);
}

/* The number that ends the line. */
static perp_status mtx_value(mtx_reader *m, double *x)
{
    perp_scan start = m->rest;
    int64_t k = 0;
    perp_scan_fault fault = perp_scan_real(&m->rest, x);
    bool number = fault != PERP_SCAN_END && fault != PERP_SCAN_NO_NUMBER;

    if (!number || !perp_scan_at_end(&m->rest)) {
        return mtx_fail(m, PERP_ERR_FORMAT,
                        m->coordinate ? "row, column and one number" : "one number");
    }
    if (fault == PERP_SCAN_NAN || fault == PERP_SCAN_BEYOND ||
        (fault == PERP_SCAN_INFINITE && !m->infinite)) {
        return mtx_fail(m, PERP_ERR_DATA, "a finite number");
    }
    if (m->integer && fabs(*x) >= 0x1p53 &&
        (perp_scan_integer(&start, &k) != PERP_SCAN_GOOD || !perp_number_holds(k))) {
        return mtx_fail(m, PERP_ERR_DATA,
                        "an integer that a double holds, as all up to 2^53");
    }
    return PERP_OK;
}

/* Entry k of a coordinate file, from 0. */
static perp_status mtx_entry(mtx_reader *m, size_t k, size_t *i, size_t *j, double *x)
{
    TRY(mtx_need_line(m, k));
    if (!mtx_size(m, i) || !mtx_size(m, j)) {
        return mtx_fail(m, PERP_ERR_FORMAT, "row, column and one number");
    }
    if (*i < 1 || *i > m->rows || *j < 1 || *j > m->cols) {
        return perp_scan_fail(&m->line, PERP_ERR_DATA,
                              "entry (%zu, %zu) is outside of %zu x %zu, expected "
                              "indices from 1",
                              *i, *j, m->rows, m->cols);
    }
    if ((m->symmetry > 0 && *i < *j) || (m->symmetry < 0 && *i <= *j)) {
        return perp_scan_fail(&m->line, PERP_ERR_DATA,
                              "entry (%zu, %zu) is not below the diagonal, expected the "
                              "lower triangle of a %ssymmetric matrix",
                              *i, *j, m->symmetry < 0 ? "skew-" : "");
    }
    --*i;
    --*j;
    *x = 1.0;
    return m->pattern && perp_scan_at_end(&m->rest) ? PERP_OK : mtx_value(m, x);
}

static perp_status mtx_at_end(mtx_reader *m)
{
    char expected[60];

    snprintf(expected, sizeof expected, "the end after %zu entries", m->count);
    return mtx_line(m) ? mtx_fail(m, PERP_ERR_FORMAT, expected) : PERP_OK;
}

static void mtx_note_repeated(const mtx_reader *m, perp_notes *notes)
{
    perp_note(notes, "%s: entries that repeat an earlier one were added to it",
              m->scan.path);
}

static perp_status mtx_coordinates(mtx_reader *m, perp_operator **A, perp_notes *notes)
{
    perp_triplets t;
    perp_status status = PERP_OK;

    /* count <= bytes of the file */
    perp_triplets_init(&t, m->rows, m->cols, m->symmetry ? 2 * m->count : m->count);
    for (size_t k = 0; status == PERP_OK && k < m->count; k++) {
        size_t i = 0;
        size_t j = 0;
        double x = 0.0;

        status = mtx_entry(m, k, &i, &j, &x);
        if (status == PERP_OK) {
            perp_triplets_add(&t, i, j, x);
        }
    }
    if (status == PERP_OK) {
        status = mtx_at_end(m);
    }
    if (status == PERP_OK && m->symmetry) {
        perp_triplets_mirror(&t, m->symmetry);
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &t, m->scan.err);
    }
    if (status == PERP_OK && (*A)->count < t.count) {
        mtx_note_repeated(m, notes);
    }
    perp_triplets_free(&t);
    return status;
}

/* Value k of an array, from 0. */
static perp_status mtx_array_value(mtx_reader *m, size_t k, double *x)
{
    TRY(mtx_need_line(m, k));
    return mtx_value(m, x);
}

static perp_status mtx_array(mtx_reader *m, perp_operator **A)
{
    perp_status status = perp_operator_new_dense(A, m->rows, m->cols, m->scan.err);
    size_t k = 0;

    for (size_t j = 0; status == PERP_OK && j < m->cols; j++) {
        size_t first = m->symmetry == 0 ? 0 : m->symmetry > 0 ? j : j + 1;

        for (size_t i = first; status == PERP_OK && i < m->rows; i++) {
            double *x = &(*A)->x[i + j * (*A)->ld];

            status = mtx_array_value(m, k++, x);
            if (status == PERP_OK && m->symmetry && i != j) {
                (*A)->x[j + i * (*A)->ld] = m->symmetry * *x;
            }
        }
    }
    return status == PERP_OK ? mtx_at_end(m) : status;
}

perp_status perp_mtx_matrix(perp_operator **A, const char *file, size_t rows, size_t cols,
                            size_t most, perp_notes *notes, perp_error *err)
{
    mtx_reader m = {0};
    perp_status status = mtx_open(&m, file, err);
    bool any = cols == PERP_ARRAY_ANY;

    *A = NULL;
    if (status == PERP_OK && (m.rows != rows || (any ? m.cols > most : m.cols != cols))) {
        status = perp_scan_fail(&m.line, PERP_ERR_DATA,
                                "the matrix is %zu x %zu, expected %zu x %s%zu", m.rows,
                                m.cols, rows, any ? "at most " : "", any ? most : cols);
    }
    if (status == PERP_OK) {
        status = m.coordinate ? mtx_coordinates(&m, A, notes) : mtx_array(&m, A);
    }
    if (status != PERP_OK) {
        perp_operator_free(*A);
        *A = NULL;
    }
    perp_source_release(&m.from);
    return status;
}

/* The length of a vector, n x 1 or 1 x n, which must be *n unless that is PERP_ARRAY_ANY. */
static perp_status mtx_vector_length(mtx_reader *m, size_t *n)
{
    size_t length = m->cols == 1 ? m->rows : m->cols;

    if ((m->cols != 1 && m->rows != 1) || (*n != PERP_ARRAY_ANY && *n != length)) {
        return *n == PERP_ARRAY_ANY ? mtx_fail(m, PERP_ERR_DATA, "one column")
                                    : perp_scan_fail(&m->line, PERP_ERR_DATA,
                                                     "it is %zu x %zu, expected %zu x 1",
                                                     m->rows, m->cols, *n);
    }
    /* Of a coordinate vector the length is only declared: few vectors are so empty. */
    if (m->coordinate && length > 1048576 + 64 * m->from.size) {
        return mtx_fail(m, PERP_ERR_FORMAT, "a vector with more of its entries");
    }
    *n = length;
    return PERP_OK;
}

/* Entry k of a vector of coordinates into x; `given` marks those that have one. */
static perp_status mtx_vector_entry(mtx_reader *m, size_t k, double *x, bool *given,
                                    bool *repeated)
{
    size_t i = 0, j = 0;
    double value = 0.0;

    TRY(mtx_entry(m, k, &i, &j, &value));
    i = m->cols == 1 ? i : j;
    x[i] += value;
    *repeated = *repeated || given[i];
    if (given[i] && (m->infinite ? isnan(x[i]) : !isfinite(x[i]))) {
        return mtx_fail(m, PERP_ERR_DATA,
                        "an entry that the earlier one can be added to");
    }
    given[i] = true;
    return PERP_OK;
}

static perp_status mtx_vector_coordinates(mtx_reader *m, double *x, size_t n,
                                          perp_notes *notes)
{
    bool *given = calloc(n > 0 ? n : 1, sizeof *given);
    bool repeated = false;
    perp_status status = PERP_OK;

    if (!given) {
        return perp_fail(m->scan.err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers",
                         m->scan.path, n);
    }
    for (size_t k = 0; status == PERP_OK && k < m->count; k++) {
        status = mtx_vector_entry(m, k, x, given, &repeated);
    }
    if (repeated) {
        mtx_note_repeated(m, notes);
    }
    free(given);
    return status;
}

static perp_status mtx_vector_values(mtx_reader *m, double *x, size_t n,
                                     perp_notes *notes)
{
    perp_status status = m->coordinate ? mtx_vector_coordinates(m, x, n, notes) : PERP_OK;

    for (size_t k = 0; status == PERP_OK && !m->coordinate && k < m->count; k++) {
        status = mtx_array_value(m, k, &x[k]);
    }
    return status == PERP_OK ? mtx_at_end(m) : status;
}

perp_status perp_mtx_vector(double **x, size_t *n, const char *file, bool infinite,
                            perp_notes *notes, perp_error *err)
{
    mtx_reader m = {.infinite = infinite};
    perp_status status = mtx_open(&m, file, err);

    *x = NULL;
    if (status == PERP_OK) {
        status = mtx_vector_length(&m, n);
    }
    if (status == PERP_OK) {
        *x = perp_reals_new(*n);
        status = *x ? mtx_vector_values(&m, *x, *n, notes)
                    : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers",
                                file, *n);
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    perp_source_release(&m.from);
    return status;
}

/* The first lines; a comment stays on its line. */
static void mtx_write_head(FILE *f, bool coordinate, const char *comment)
{
    fprintf(f, "%%%%MatrixMarket matrix %s real general\n%% ",
            coordinate ? "coordinate" : "array");
    for (const char *c = comment; *c; c++) {
        fputc(iscntrl((unsigned char)*c) ? ' ' : *c, f);
    }
    fputc('\n', f);
}

static void mtx_write_real(FILE *f, double x)
{
    char number[PERP_NUMBER_LENGTH];
    size_t length = perp_number_format(number, x);

    number[length++] = '\n';
    fwrite(number, 1, length, f);
}

typedef struct mtx_writer {
    FILE *f;
    size_t row;
} mtx_writer;

static void mtx_write_entry(void *context, size_t j, double a)
{
    const mtx_writer *w = context;
    char number[PERP_NUMBER_LENGTH];

    perp_number_format(number, a);
    fprintf(w->f, "%zu %zu %s\n", w->row + 1, j + 1, number);
}

perp_status perp_mtx_write_matrix(const char *file, const perp_operator *A,
                                  const char *comment, perp_error *err)
{
    bool coordinate = A->type->storage != PERP_STORAGE_DENSE;
    perp_file_out out;
    perp_status status = perp_file_create(&out, file, err);
    mtx_writer w = {out.f, 0};

    if (status != PERP_OK) {
        return status;
    }
    mtx_write_head(out.f, coordinate, comment);
    fprintf(out.f, "%zu %zu", A->rows, A->cols);
    if (coordinate) {
        fprintf(out.f, " %zu\n", perp_operator_nonzeros(A));
        for (w.row = 0; w.row < A->rows; w.row++) {
            perp_operator_row_visit(A, w.row, mtx_write_entry, &w);
        }
    } else {
        fputc('\n', out.f);
        for (size_t k = 0; k < A->rows * A->cols; k++) {
            mtx_write_real(out.f, A->x[k % A->rows + k / A->rows * A->ld]);
        }
    }
    return perp_file_commit(&out, err);
}

perp_status perp_mtx_write_vector(const char *file, const double *x, size_t n,
                                  const char *comment, perp_error *err)
{
    perp_file_out out;

    TRY(perp_file_create(&out, file, err));
    mtx_write_head(out.f, false, comment);
    fprintf(out.f, "%zu 1\n", n);
    for (size_t i = 0; i < n; i++) {
        mtx_write_real(out.f, x[i]);
    }
    return perp_file_commit(&out, err);
}
