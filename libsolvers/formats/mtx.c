/* SPDX-License-Identifier: Apache-2.0
 * formats/mtx.c: one Matrix Market file [boisvert-pozo-remington-1996]:
 *
 *     %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-...
 *     % comments
 *     rows cols [entries]
 *     i j value        one entry a line, from 1;   array: one value a line, by columns
 *
 * Symmetric files hold the lower triangle, skew-symmetric ones below the diagonal. A pattern
 * is read as ones. What is declared is believed only as far as the file is long. */
#include <config.h>

#include <ctype.h>
#include <strings.h>

#include "mtx.h"

typedef struct mtx_reader {
    const char *file;
    char *text, *end; /* all of it */
    char *next;       /* where the next line starts */
    char *s;          /* the line at hand, ended by 0 */
    size_t line;
    bool coordinate, pattern;
    int symmetry;  /* 0 general, 1 symmetric, -1 skew-symmetric */
    bool infinite; /* infinities allowed: bounds */
    size_t rows, cols, count;
} mtx_reader;

static perp_status mtx_fail(const mtx_reader *m, perp_status status, const char *expected,
                            perp_error *err)
{
    return perp_fail(err, status, "%s:%zu: found \"%.60s\", expected %s", m->file,
                     m->line, m->s ? m->s : "", expected);
}

/* The next line that is neither blank nor a comment; false at the end. */
static bool mtx_line(mtx_reader *m)
{
    while (m->next < m->end) {
        char *stop = memchr(m->next, '\n', (size_t)(m->end - m->next));

        m->s = m->next;
        m->next = stop ? stop + 1 : m->end;
        m->line++;
        if (stop) {
            *stop = '\0';
        }
        for (char *back = m->s + strlen(m->s);
             back > m->s && isspace((unsigned char)back[-1]);) {
            *--back = '\0';
        }
        while (isspace((unsigned char)*m->s)) {
            m->s++;
        }
        if (*m->s && *m->s != '%') {
            return true;
        }
    }
    m->s = NULL;
    return false;
}

static perp_status mtx_need_line(mtx_reader *m, size_t k, const char *what,
                                 perp_error *err)
{
    if (mtx_line(m)) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_FORMAT, "%s:%zu: it ends after %zu of %zu %s", m->file,
                     m->line, k, m->count, what);
}

/* A word of the first line, in any case. */
static bool mtx_word(char **s, const char *word)
{
    size_t length = strlen(word);

    if (strncasecmp(*s, word, length) != 0 ||
        ((*s)[length] && !isspace((unsigned char)(*s)[length]))) {
        return false;
    }
    *s += length;
    while (isspace((unsigned char)**s)) {
        (*s)++;
    }
    return true;
}

static perp_status mtx_banner(mtx_reader *m, perp_error *err)
{
    char *stop = memchr(m->text, '\n', (size_t)(m->end - m->text));
    char *s = m->text;

    m->line = 1;
    m->s = m->text;
    m->next = stop ? stop + 1 : m->end;
    if (stop) {
        *stop = '\0';
    }
    if (!mtx_word(&s, "%%MatrixMarket") || !mtx_word(&s, "matrix")) {
        return mtx_fail(m, PERP_ERR_FORMAT, "%%MatrixMarket matrix ...", err);
    }
    m->coordinate = mtx_word(&s, "coordinate");
    if (!m->coordinate && !mtx_word(&s, "array")) {
        return mtx_fail(m, PERP_ERR_FORMAT, "coordinate or array", err);
    }
    m->pattern = mtx_word(&s, "pattern");
    if (!m->pattern && !mtx_word(&s, "real") && !mtx_word(&s, "integer") &&
        !mtx_word(&s, "double")) {
        return mtx_fail(m, PERP_ERR_FORMAT, "real, integer or pattern", err);
    }
    m->symmetry = mtx_word(&s, "symmetric") ? 1 : mtx_word(&s, "skew-symmetric") ? -1 : 0;
    if ((m->symmetry == 0 && !mtx_word(&s, "general")) || *s) {
        return mtx_fail(m, PERP_ERR_FORMAT, "general, symmetric or skew-symmetric", err);
    }
    if (m->pattern && !m->coordinate) {
        return mtx_fail(m, PERP_ERR_FORMAT, "an array of numbers, not a pattern", err);
    }
    return PERP_OK;
}

/* Digits, then a space or the end. */
static bool mtx_size(char **s, size_t *size)
{
    size_t x = 0;

    if (!isdigit((unsigned char)**s)) {
        return false;
    }
    for (; isdigit((unsigned char)**s); (*s)++) {
        if (__builtin_mul_overflow(x, (size_t)10, &x) ||
            __builtin_add_overflow(x, (size_t)(**s - '0'), &x)) {
            return false;
        }
    }
    if (**s && !isspace((unsigned char)**s)) {
        return false;
    }
    while (isspace((unsigned char)**s)) {
        (*s)++;
    }
    *size = x;
    return true;
}

static perp_status mtx_extent(mtx_reader *m, perp_error *err)
{
    /* The least bytes an entry takes: "1 1" or "1", and a newline that may lack at the end. */
    size_t least = m->coordinate ? 4 : 2;
    size_t left = 0;
    char *s = NULL;

    if (!mtx_line(m)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%zu: it ends before its size", m->file,
                         m->line);
    }
    s = m->s;
    if (!mtx_size(&s, &m->rows) || !mtx_size(&s, &m->cols) ||
        (m->coordinate && !mtx_size(&s, &m->count)) || *s) {
        return mtx_fail(m, PERP_ERR_FORMAT,
                        m->coordinate ? "rows, columns and entries" : "rows and columns",
                        err);
    }
    if (m->rows > INT32_MAX || m->cols > INT32_MAX) {
        return mtx_fail(m, PERP_ERR_FORMAT, "at most 2^31 - 1 rows and columns", err);
    }
    if (m->symmetry != 0 && m->rows != m->cols) {
        return mtx_fail(m, PERP_ERR_FORMAT, "a square matrix, since it is symmetric",
                        err);
    }
    if (!m->coordinate) {
        m->count = m->symmetry == 0  ? m->rows * m->cols
                   : m->symmetry > 0 ? m->rows * (m->rows + 1) / 2
                   : m->rows > 0     ? m->rows * (m->rows - 1) / 2
                                     : 0;
    }
    left = (size_t)(m->end - m->next) + 1;
    if (m->count > left / least) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s:%zu: it declares %zu entries, more than the rest of the file "
            "can hold",
            m->file, m->line, m->count);
    }
    return PERP_OK;
}

static perp_status mtx_open(mtx_reader *m, const char *file, perp_error *err)
{
    size_t length = 0;
    perp_status status = PERP_OK;

    m->file = file;
    status = perp_file_slurp(file, &m->text, &length, err);
    if (status == PERP_OK) {
        m->end = m->text + length;
        status = strlen(m->text) == length
                     ? mtx_banner(m, err)
                     : perp_fail(err, PERP_ERR_FORMAT,
                                 "%s: found a zero at byte %zu, expected text", file,
                                 strlen(m->text));
    }
    if (status == PERP_OK) {
        status = mtx_extent(m, err);
    }
    return status;
}

static perp_status mtx_value(mtx_reader *m, char *s, double *x, perp_error *err)
{
    char *stop = s;

    *x = strtod(s, &stop);
    if (stop == s || *stop) {
        return mtx_fail(m, PERP_ERR_FORMAT,
                        m->coordinate ? "row, column and one number" : "one number", err);
    }
    if (isnan(*x) || (isinf(*x) && !m->infinite)) {
        return mtx_fail(m, PERP_ERR_DATA, "a finite number", err);
    }
    return PERP_OK;
}

static perp_status mtx_entry(mtx_reader *m, size_t *i, size_t *j, double *x,
                             perp_error *err)
{
    char *s = m->s;

    if (!mtx_size(&s, i) || !mtx_size(&s, j)) {
        return mtx_fail(m, PERP_ERR_FORMAT, "row, column and one number", err);
    }
    if (*i < 1 || *i > m->rows || *j < 1 || *j > m->cols) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s:%zu: entry (%zu, %zu) is outside of %zu x %zu, expected "
                         "indices from 1",
                         m->file, m->line, *i, *j, m->rows, m->cols);
    }
    if ((m->symmetry > 0 && *i < *j) || (m->symmetry < 0 && *i <= *j)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "%s:%zu: entry (%zu, %zu) is not below the diagonal, expected the "
            "lower triangle of a %ssymmetric matrix",
            m->file, m->line, *i, *j, m->symmetry < 0 ? "skew-" : "");
    }
    if (m->pattern && !*s) {
        *x = 1.0;
        return PERP_OK;
    }
    return mtx_value(m, s, x, err);
}

static perp_status mtx_at_end(mtx_reader *m, perp_error *err)
{
    if (mtx_line(m)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s:%zu: found \"%.60s\", expected the end after %zu entries",
                         m->file, m->line, m->s, m->count);
    }
    return PERP_OK;
}

static perp_status mtx_coordinates(mtx_reader *m, perp_operator **A, perp_notes *notes,
                                   perp_error *err)
{
    size_t room = m->symmetry ? 2 * m->count : m->count; /* count <= bytes of the file */
    int32_t *ij = calloc(room + 1, 2 * sizeof *ij);
    double *v = perp_reals_new(room);
    perp_status status = PERP_OK;
    size_t used = 0;

    if (!ij || !v) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu entries", m->file,
                           m->count);
    }
    for (size_t k = 0; status == PERP_OK && k < m->count; k++) {
        size_t i = 0;
        size_t j = 0;
        double x = 0.0;

        status = mtx_need_line(m, k, "entries", err);
        if (status == PERP_OK) {
            status = mtx_entry(m, &i, &j, &x, err);
        }
        if (status != PERP_OK) {
            break;
        }
        ij[used] = (int32_t)(i - 1);
        ij[room + used] = (int32_t)(j - 1);
        v[used++] = x;
        if (m->symmetry && i != j) {
            ij[used] = (int32_t)(j - 1);
            ij[room + used] = (int32_t)(i - 1);
            v[used++] = m->symmetry * x;
        }
    }
    if (status == PERP_OK) {
        status = mtx_at_end(m, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_from_triplets(A, m->rows, m->cols, used, ij, ij + room,
                                                 v, err);
    }
    if (status == PERP_OK && (*A)->count < used) {
        perp_note(notes, "%s: %zu entries repeat an earlier one and were added to it",
                  m->file, used - (*A)->count);
    }
    free(ij);
    free(v);
    return status;
}

static perp_status mtx_array(mtx_reader *m, perp_operator **A, perp_error *err)
{
    perp_status status = perp_operator_new_dense(A, m->rows, m->cols, err);
    size_t k = 0;

    for (size_t j = 0; status == PERP_OK && j < m->cols; j++) {
        size_t first = m->symmetry == 0 ? 0 : m->symmetry > 0 ? j : j + 1;

        for (size_t i = first; status == PERP_OK && i < m->rows; i++) {
            double *x = &(*A)->x[i + j * (*A)->ld];

            status = mtx_need_line(m, k++, "entries", err);
            if (status == PERP_OK) {
                status = mtx_value(m, m->s, x, err);
            }
            if (status == PERP_OK && m->symmetry && i != j) {
                (*A)->x[j + i * (*A)->ld] = m->symmetry * *x;
            }
        }
    }
    return status == PERP_OK ? mtx_at_end(m, err) : status;
}

perp_status perp_mtx_matrix(perp_operator **A, const char *file, size_t rows, size_t cols,
                            size_t most, perp_notes *notes, perp_error *err)
{
    mtx_reader m = {0};
    perp_status status = mtx_open(&m, file, err);

    *A = NULL;
    if (status == PERP_OK &&
        (m.rows != rows || (cols == PERP_MTX_ANY ? m.cols > most : m.cols != cols))) {
        bool any = cols == PERP_MTX_ANY;

        status = perp_fail(
            err, PERP_ERR_DATA, "%s:%zu: the matrix is %zu x %zu, expected %zu x %s%zu",
            file, m.line, m.rows, m.cols, rows, any ? "at most " : "", any ? most : cols);
    }
    if (status == PERP_OK) {
        status =
            m.coordinate ? mtx_coordinates(&m, A, notes, err) : mtx_array(&m, A, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(*A);
        *A = NULL;
    }
    free(m.text);
    return status;
}

perp_status perp_mtx_vector(double **x, size_t *n, const char *file, bool infinite,
                            perp_error *err)
{
    mtx_reader m = {.infinite = infinite};
    perp_status status = mtx_open(&m, file, err);
    size_t length = 0;

    *x = NULL;
    if (status != PERP_OK) {
        goto done;
    }
    length = m.cols == 1 ? m.rows : m.cols;
    if ((m.cols != 1 && m.rows != 1) || (*n != PERP_MTX_ANY && *n != length)) {
        status = *n == PERP_MTX_ANY
                     ? mtx_fail(&m, PERP_ERR_DATA, "one column", err)
                     : perp_fail(err, PERP_ERR_DATA,
                                 "%s:%zu: it is %zu x %zu, expected %zu x 1", file,
                                 m.line, m.rows, m.cols, *n);
        goto done;
    }
    /* Of a coordinate vector the length is only declared: few vectors are so empty. */
    if (m.coordinate && length > 1048576 + 64 * (size_t)(m.end - m.text)) {
        status = mtx_fail(&m, PERP_ERR_FORMAT, "a vector with more of its entries", err);
        goto done;
    }
    *x = perp_reals_new(length);
    if (!*x) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers", file,
                           length);
    }
    *n = length;
    for (size_t k = 0; status == PERP_OK && k < m.count; k++) {
        size_t i = m.cols == 1 ? k + 1 : 1;
        size_t j = m.cols == 1 ? 1 : k + 1;
        double value = 0.0;

        status = mtx_need_line(&m, k, "entries", err);
        if (status == PERP_OK) {
            status = m.coordinate ? mtx_entry(&m, &i, &j, &value, err)
                                  : mtx_value(&m, m.s, &value, err);
        }
        if (status == PERP_OK) {
            (*x)[m.cols == 1 ? i - 1 : j - 1] = value;
        }
    }
    if (status == PERP_OK) {
        status = mtx_at_end(&m, err);
    }
done:
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    free(m.text);
    return status;
}

perp_status perp_vector_read(double **x, size_t *n, const char *path, perp_error *err)
{
    perp_status status = PERP_OK;

    *n = PERP_MTX_ANY;
    status = perp_mtx_vector(x, n, path, false, err);
    *n = status == PERP_OK ? *n : 0;
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

typedef struct mtx_writer {
    FILE *f;
    size_t row;
} mtx_writer;

static void mtx_write_entry(void *context, size_t j, double a)
{
    const mtx_writer *w = context;

    fprintf(w->f, "%zu %zu %.17g\n", w->row + 1, j + 1, a);
}

perp_status perp_mtx_write_matrix(const char *file, const perp_operator *A,
                                  const char *comment, perp_error *err)
{
    bool coordinate = A->type->storage != PERP_STORAGE_DENSE;
    perp_file_out out;
    perp_status status = perp_file_begin(&out, file, err);
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
            fprintf(out.f, "%.17g\n", A->x[k % A->rows + k / A->rows * A->ld]);
        }
    }
    return perp_file_commit(&out, err);
}

perp_status perp_mtx_write_vector(const char *file, const double *x, size_t n,
                                  const char *comment, perp_error *err)
{
    perp_file_out out;
    perp_status status = perp_file_begin(&out, file, err);

    if (status == PERP_OK) {
        mtx_write_head(out.f, false, comment);
        fprintf(out.f, "%zu 1\n", n);
        for (size_t i = 0; i < n; i++) {
            fprintf(out.f, "%.17g\n", x[i]);
        }
        status = perp_file_commit(&out, err);
    }
    return status;
}
