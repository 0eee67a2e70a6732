/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_matrix.c: the matrices of FCLIB files.
 *
 * A group of m, n, nz, p, i, x, where nz says how it is stored:
 *     nz >= 0   so many triplets: row i[k], column p[k] (a comment in FCLIB's header has
 *               them the other way round; the files have them so)
 *     nz = -1   compressed columns: pointers p, rows i
 *     nz = -2   compressed rows: pointers p, columns i
 * Counts come from nz or the last pointer, never from nzmax, which may exceed what is
 * stored. Written are triplets with nzmax = nz, which every reader takes. */
#include <config.h>

#include "fclib.h"

typedef struct triplets {
    size_t count;
    int32_t *i, *j;
    double *x;
} triplets;

static void triplets_free(triplets *t)
{
    free(t->i);
    free(t->j);
    free(t->x);
}

static bool triplets_new(triplets *t, size_t room)
{
    t->i = calloc(room + 1, sizeof *t->i);
    t->j = calloc(room + 1, sizeof *t->j);
    t->x = calloc(room + 1, sizeof *t->x);
    return t->i && t->j && t->x;
}

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

static perp_status take_triplets(const perp_h5_file *f, const char *group, size_t rows,
                                 size_t cols, const stored *s, triplets *t)
{
    char inside[PERP_H5_PATH];
    size_t count = (size_t)s->nz;
    perp_status status = check_count(f, group, s, count);

    if (status == PERP_OK && s->p_count < count) {
        status = perp_h5_fail(f, PERP_ERR_FORMAT, perp_h5_join(inside, group, "p"),
                              "extent %zu, expected %zu", s->p_count, count);
    }
    if (status == PERP_OK && !triplets_new(t, 2 * count)) {
        status =
            perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for %zu entries", count);
    }
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        status = check_index(f, group, "i", k, s->i[k], rows);
        if (status == PERP_OK) {
            status = check_index(f, group, "p", k, s->p[k], cols);
        }
        t->i[k] = (int32_t)s->i[k];
        t->j[k] = (int32_t)s->p[k];
        t->x[k] = s->x[k];
    }
    t->count = count;
    return status;
}

/* Compressed rows, or columns: `outer` of them. */
static perp_status take_compressed(const perp_h5_file *f, const char *group, size_t rows,
                                   size_t cols, const stored *s, triplets *t)
{
    char inside[PERP_H5_PATH];
    bool by_columns = s->nz == -1;
    size_t outer = by_columns ? cols : rows;
    size_t inner = by_columns ? rows : cols;
    perp_status status = PERP_OK;

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
    status = check_count(f, group, s, (uint64_t)s->p[outer]);
    if (status != PERP_OK) {
        return status;
    }
    t->count = (size_t)s->p[outer];
    if (!triplets_new(t, 2 * t->count)) {
        return perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for %zu entries",
                            t->count);
    }
    for (size_t k = 0; k < outer; k++) {
        for (size_t l = (size_t)s->p[k]; l < (size_t)s->p[k + 1]; l++) {
            status = check_index(f, group, "i", l, s->i[l], inner);
            if (status != PERP_OK) {
                return status;
            }
            t->i[l] = (int32_t)(by_columns ? s->i[l] : (int64_t)k);
            t->j[l] = (int32_t)(by_columns ? (int64_t)k : s->i[l]);
            t->x[l] = s->x[l];
        }
    }
    return PERP_OK;
}

/* Entries that are not zero, above and below the diagonal. */
static void count_triangles(const triplets *t, size_t *above, size_t *below)
{
    *above = 0;
    *below = 0;
    for (size_t k = 0; k < t->count; k++) {
        *above += t->x[k] != 0.0 && t->i[k] < t->j[k];
        *below += t->x[k] != 0.0 && t->i[k] > t->j[k];
    }
}

/* Each entry off the diagonal once more, transposed; room was taken for it. */
static void mirror(triplets *t)
{
    size_t stored_count = t->count;

    for (size_t k = 0; k < stored_count; k++) {
        if (t->i[k] != t->j[k]) {
            t->i[t->count] = t->j[k];
            t->j[t->count] = t->i[k];
            t->x[t->count++] = t->x[k];
        }
    }
}

/* Half matrices: mirrored when the caller or the file says so, mentioned when not. */
static perp_status complete(const perp_h5_file *f, const char *group,
                            fclib_triangle triangle, triplets *t, bool square,
                            perp_notes *notes)
{
    size_t above = 0;
    size_t below = 0;
    int64_t packed = 0;

    count_triangles(t, &above, &below);
    if (perp_h5_attribute(f, group, "symmetric_packed", &packed) && packed != 0) {
        if (!square || (above && below)) {
            return perp_h5_fail(f, PERP_ERR_FORMAT, group,
                                "symmetric_packed is %lld, but there are entries on both "
                                "sides of the diagonal",
                                (long long)packed);
        }
        mirror(t);
        perp_note(notes, "%s is symmetric_packed: its triangle was mirrored", group);
    } else if (triangle == FCLIB_UPPER) {
        if (below) {
            return perp_h5_fail(
                f, PERP_ERR_DATA, group,
                "%zu entries below the diagonal, expected the upper triangle "
                "of a symmetric matrix",
                below);
        }
        mirror(t);
    } else if (square && (above == 0) != (below == 0)) {
        perp_note(
            notes,
            "%s is %s triangular and not diagonal: perhaps only half of a symmetric "
            "matrix%s",
            group, above ? "upper" : "lower",
            above && strstr(group, "/M") ? "; --symmetric upper mirrors it" : "");
    }
    return PERP_OK;
}

perp_status perp_fclib_read_matrix(const perp_h5_file *f, const char *group, size_t rows,
                                   size_t cols, fclib_triangle triangle,
                                   perp_operator **A, perp_notes *notes)
{
    char inside[PERP_H5_PATH];
    stored s = {0};
    triplets t = {0};
    perp_status status = check_size(f, group, "m", rows);

    *A = NULL;
    if (status == PERP_OK) {
        status = check_size(f, group, "n", cols);
    }
    if (status == PERP_OK) {
        status = read_stored(f, group, &s);
    }
    if (status == PERP_OK) {
        status = s.nz >= 0 ? take_triplets(f, group, rows, cols, &s, &t)
                           : take_compressed(f, group, rows, cols, &s, &t);
    }
    if (status == PERP_OK) {
        status = perp_h5_check_finite(f, perp_h5_join(inside, group, "x"), t.x, t.count);
    }
    if (status == PERP_OK) {
        status = complete(f, group, triangle, &t, rows == cols, notes);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_from_triplets(A, rows, cols, t.count, t.i, t.j, t.x,
                                                 f->err);
    }
    triplets_free(&t);
    stored_free(&s);
    return status;
}

/* Rows on their way into triplets; while x is NULL they are counted. */
typedef struct window {
    triplets t;
    bool dense;
    size_t row, col, cols; /* first column, and how many */
    size_t first_row;
} window;

/* Of a dense matrix, zeros off the diagonal are left out. */
static void take_entry(void *context, size_t j, double a)
{
    window *w = context;

    if (j < w->col || j - w->col >= w->cols ||
        (w->dense && a == 0.0 && !signbit(a) && j - w->col != w->row - w->first_row)) {
        return;
    }
    if (w->t.x) {
        w->t.i[w->t.count] = (int32_t)(w->row - w->first_row);
        w->t.j[w->t.count] = (int32_t)(j - w->col);
        w->t.x[w->t.count] = a;
    }
    w->t.count++;
}

static perp_status put_triplets(const perp_h5_file *f, const char *group, size_t rows,
                                size_t cols, const triplets *t)
{
    char inside[PERP_H5_PATH];
    perp_status status = perp_h5_put_group(f, group);

    status = status
                 ? status
                 : perp_h5_put_integer(f, perp_h5_join(inside, group, "nzmax"), t->count);
    status =
        status ? status : perp_h5_put_integer(f, perp_h5_join(inside, group, "m"), rows);
    status =
        status ? status : perp_h5_put_integer(f, perp_h5_join(inside, group, "n"), cols);
    status = status ? status
                    : perp_h5_put_integer(f, perp_h5_join(inside, group, "nz"), t->count);
    status = status ? status
                    : perp_h5_put_integers(f, perp_h5_join(inside, group, "p"), t->count,
                                           t->j);
    status = status ? status
                    : perp_h5_put_integers(f, perp_h5_join(inside, group, "i"), t->count,
                                           t->i);
    return status
               ? status
               : perp_h5_put_reals(f, perp_h5_join(inside, group, "x"), t->count, t->x);
}

perp_status perp_fclib_write_matrix(const perp_h5_file *f, const char *group,
                                    const perp_operator *A, size_t row, size_t col,
                                    size_t rows, size_t cols)
{
    window w = {.dense = !A->ptr, .col = col, .cols = cols, .first_row = row};
    perp_status status = PERP_OK;

    for (w.row = row; w.row < row + rows; w.row++) {
        perp_operator_row_visit(A, w.row, take_entry, &w);
    }
    if (triplets_new(&w.t, w.t.count)) {
        w.t.count = 0;
        for (w.row = row; w.row < row + rows; w.row++) {
            perp_operator_row_visit(A, w.row, take_entry, &w);
        }
        status = put_triplets(f, group, rows, cols, &w.t);
    } else {
        status = perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for %zu entries",
                              w.t.count);
    }
    triplets_free(&w.t);
    return status;
}
