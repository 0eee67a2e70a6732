/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_matrix.c: the matrices of FCLIB files.
 *
 * A group of m, n, nz, p, i, x, where nz says how it is stored:
 *     nz >= 0   so many triplets: row i[k], column p[k] (a comment in FCLIB's header
 *               exchanges the two; the files have them so)
 *     nz = -1   compressed columns: pointers p, rows i
 *     nz = -2   compressed rows: pointers p, columns i
 * Counts come from nz or the last pointer, never from nzmax, which may exceed what is
 * stored. The writer gives triplets with nzmax = nz, which every reader understands. */
#include <config.h>

#include "base/base.h"
#include "fclib.h"

/* m and n of the group against what the vectors say. */
static perp_status check_size(const perp_h5_file *f, const char *group, const char *name,
                              size_t expected)
{
    char inside[PERP_H5_PATH];
    int64_t found = 0;
    perp_status status = perp_h5_integer(f, perp_h5_join(inside, group, name), &found);

    if (status == PERP_OK && (found < 0 || (uint64_t)found != expected)) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside, "%lld, expected %zu",
                            (long long)found, expected);
    }
    return status;
}

/* The datasets of a matrix group, as stored. */
typedef struct stored {
    int64_t nz;
    size_t p_count, i_count, x_count;
    int64_t *p, *i;
    double *x;
} stored;

static void stored_free(stored *s)
{
    free(s->p);
    free(s->i);
    free(s->x);
}

static perp_status read_stored(const perp_h5_file *f, const char *group, stored *s)
{
    char inside[PERP_H5_PATH];
    perp_status status = perp_h5_integer(f, perp_h5_join(inside, group, "nz"), &s->nz);

    if (status == PERP_OK && s->nz < -2) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                            "%lld, expected a count, -1 (columns) or -2 (rows)",
                            (long long)s->nz);
    }
    if (status == PERP_OK) {
        status = perp_h5_integers(f, perp_h5_join(inside, group, "p"), PERP_H5_ANY,
                                  &s->p_count, &s->p);
    }
    if (status == PERP_OK) {
        status = perp_h5_integers(f, perp_h5_join(inside, group, "i"), PERP_H5_ANY,
                                  &s->i_count, &s->i);
    }
    if (status == PERP_OK) {
        status = perp_h5_reals(f, perp_h5_join(inside, group, "x"), PERP_H5_ANY,
                               &s->x_count, &s->x);
    }
    return status;
}

/* Extents of i and x hold `count` numbers. */
static perp_status check_count(const perp_h5_file *f, const char *group, const stored *s,
                               uint64_t count)
{
    char inside[PERP_H5_PATH];

    if (s->i_count < count) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, perp_h5_join(inside, group, "i"),
                            "extent %zu, expected %llu", s->i_count,
                            (unsigned long long)count);
    }
    if (s->x_count < count) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, perp_h5_join(inside, group, "x"),
                            "extent %zu, expected %llu", s->x_count,
                            (unsigned long long)count);
    }
    return PERP_OK;
}

static perp_status check_index(const perp_h5_file *f, const char *group, const char *name,
                               size_t k, int64_t index, size_t size)
{
    char inside[PERP_H5_PATH];

    if (index < 0 || (uint64_t)index >= size) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, perp_h5_join(inside, group, name),
                            "index %zu is %lld, expected 0 to %lld", k, (long long)index,
                            (long long)size - 1);
    }
    return PERP_OK;
}

static perp_status read_triplets(const perp_h5_file *f, const char *group,
                                 const stored *s, perp_triplets *t)
{
    char inside[PERP_H5_PATH];
    size_t count = (size_t)s->nz;
    perp_status status = check_count(f, group, s, count);

    if (status == PERP_OK && s->p_count < count) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, perp_h5_join(inside, group, "p"),
                              "extent %zu, expected %zu", s->p_count, count);
    }
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        status = check_index(f, group, "i", k, s->i[k], t->rows);
        if (status == PERP_OK) {
            status = check_index(f, group, "p", k, s->p[k], t->cols);
        }
        perp_triplets_add(t, (size_t)s->i[k], (size_t)s->p[k], s->x[k]);
    }
    return status;
}

/* Pointers start at 0 and never fall. */
static perp_status check_pointers(const perp_h5_file *f, const char *group,
                                  const stored *s, size_t outer)
{
    char inside[PERP_H5_PATH];

    perp_h5_join(inside, group, "p");
    if (s->p_count != outer + 1) {
        return perp_h5_fail(f, PERP_ERR_FORMAT, inside, "extent %zu, expected %zu",
                            s->p_count, outer + 1);
    }
    for (size_t k = 0; k <= outer; k++) {
        int64_t least = k ? s->p[k - 1] : 0;

        if (s->p[k] < least || (k == 0 && s->p[k] != 0)) {
            return perp_h5_fail(
                f, PERP_ERR_FORMAT, inside, "pointer %zu is %lld, expected %s%lld", k,
                (long long)s->p[k], k ? "at least " : "", (long long)least);
        }
    }
    return PERP_OK;
}

/* Compressed rows or columns. */
static perp_status read_compressed(const perp_h5_file *f, const char *group,
                                   const stored *s, perp_triplets *t)
{
    bool by_columns = s->nz == -1;
    size_t outer = by_columns ? t->cols : t->rows;
    size_t inner = by_columns ? t->rows : t->cols;
    perp_status status = check_pointers(f, group, s, outer);

    if (status == PERP_OK) {
        status = check_count(f, group, s, (uint64_t)s->p[outer]);
    }
    for (size_t k = 0; status == PERP_OK && k < outer; k++) {
        for (size_t l = (size_t)s->p[k]; l < (size_t)s->p[k + 1]; l++) {
            status = check_index(f, group, "i", l, s->i[l], inner);
            if (status != PERP_OK) {
                return status;
            }
            perp_triplets_add(t, by_columns ? (size_t)s->i[l] : k,
                              by_columns ? k : (size_t)s->i[l], s->x[l]);
        }
    }
    return status;
}

/* Half matrices: mirrored when the caller or the file says so, mentioned when not. */
static perp_status complete(const perp_h5_file *f, const char *group,
                            fclib_triangle triangle, perp_triplets *t, perp_notes *notes)
{
    size_t above = 0;
    size_t below = 0;
    int64_t packed = 0;
    bool square = t->rows == t->cols;
    bool there = false;

    TRY(perp_h5_attribute(f, group, "symmetric_packed", &packed, &there));
    perp_triplets_sides(t, &above, &below);
    if (packed != 0) {
        if (!square || (above && below)) {
            return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                                "symmetric_packed is %lld, but there are entries on both "
                                "sides of the diagonal",
                                (long long)packed);
        }
        perp_triplets_mirror(t, 1.0);
        perp_note(notes, "%s is symmetric_packed: its triangle was mirrored", group);
    } else if (triangle == FCLIB_UPPER) {
        if (below) {
            return perp_h5_fail(
                f, PERP_ERR_DATA, group,
                "%zu entries below the diagonal, expected the upper triangle "
                "of a symmetric matrix",
                below);
        }
        perp_triplets_mirror(t, 1.0);
    } else if (square && (above == 0) != (below == 0)) {
        perp_note(
            notes,
            "%s is %s triangular and not diagonal: perhaps only half of a symmetric "
            "matrix%s",
            group, above ? "upper" : "lower",
            above && strstr(group, "/M") ? "; --symmetric-upper mirrors it" : "");
    }
    return PERP_OK;
}

perp_status perp_fclib_read_matrix(const perp_h5_file *f, const char *group, size_t rows,
                                   size_t cols, fclib_triangle triangle,
                                   perp_operator **A, perp_notes *notes)
{
    char inside[PERP_H5_PATH];
    stored s = {0};
    perp_triplets t = {0};
    perp_status status = check_size(f, group, "m", rows);

    *A = NULL;
    if (status == PERP_OK) {
        status = check_size(f, group, "n", cols);
    }
    if (status == PERP_OK) {
        status = read_stored(f, group, &s);
    }
    if (status == PERP_OK) {
        perp_triplets_init(&t, rows, cols, s.i_count);
        status = s.nz >= 0 ? read_triplets(f, group, &s, &t)
                           : read_compressed(f, group, &s, &t);
    }
    if (status == PERP_OK) {
        status = perp_triplets_status(&t, f->err);
    }
    if (status == PERP_OK) {
        status = perp_h5_check_finite(f, perp_h5_join(inside, group, "x"), t.x, t.count);
    }
    if (status == PERP_OK) {
        status = complete(f, group, triangle, &t, notes);
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &t, f->err);
    }
    perp_triplets_free(&t);
    stored_free(&s);
    return status;
}

/* A part of a matrix: its first row and column, and the row that is visited. */
typedef struct window {
    perp_triplets t;
    bool dense;
    size_t first_row, first_col;
    size_t row;
} window;

/* Of a dense matrix, zeros off the diagonal are left out. */
static void collect_entry(void *context, size_t j, double a)
{
    window *w = context;
    size_t i = w->row - w->first_row;
    bool zero = w->dense && a == 0.0 && !signbit(a);

    if (j >= w->first_col && j - w->first_col < w->t.cols &&
        !(zero && j - w->first_col != i)) {
        perp_triplets_add(&w->t, i, j - w->first_col, a);
    }
}

static void write_triplets(perp_h5_file *f, const char *group, const perp_triplets *t)
{
    char inside[PERP_H5_PATH];

    perp_h5_write_group(f, group);
    perp_h5_write_integer(f, perp_h5_join(inside, group, "nzmax"), t->count);
    perp_h5_write_integer(f, perp_h5_join(inside, group, "m"), t->rows);
    perp_h5_write_integer(f, perp_h5_join(inside, group, "n"), t->cols);
    perp_h5_write_integer(f, perp_h5_join(inside, group, "nz"), t->count);
    perp_h5_write_integers(f, perp_h5_join(inside, group, "p"), t->count, t->j);
    perp_h5_write_integers(f, perp_h5_join(inside, group, "i"), t->count, t->i);
    perp_h5_write_reals(f, perp_h5_join(inside, group, "x"), t->count, t->x);
}

void perp_fclib_write_matrix(perp_h5_file *f, const char *group, const perp_operator *A,
                             size_t row, size_t col, size_t rows, size_t cols)
{
    window w = {.dense = !A->ptr, .first_row = row, .first_col = col};
    perp_error fault = {0};

    perp_triplets_init(&w.t, rows, cols, 0);
    for (w.row = row; w.row < row + rows; w.row++) {
        perp_operator_row_visit(A, w.row, collect_entry, &w);
    }
    if (perp_triplets_status(&w.t, &fault) == PERP_OK) {
        write_triplets(f, group, &w.t);
    } else {
        perp_h5_write_fail(f, fault.status, group, fault.text);
    }
    perp_triplets_free(&w.t);
}
