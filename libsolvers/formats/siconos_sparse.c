/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_sparse.c: read the sparse matrices of the Siconos text format.
 *
 *     origin                          1 triplet, 2 CSC, 3 CSR, 4 half triplet
 *     CSparse Version ...             a banner
 *     [triplet:|csr:] R-by-C, nzmax: A nnz: B[, 1-norm: X]
 *     i j : a                         triplets, from 0
 *     col J : locations P to Q        CSC (row: CSR), then Q - P + 1 times
 *     i : a
 *
 * This is what CSparse prints for people, with %g: six digits. The loss is noted; counts of
 * a million and more lose digits too and are refused. Half a triplet holds one triangle of
 * a symmetric matrix. */
#include <config.h>

#include <stdio.h>

#include "siconos.h"

enum { TRIPLET = 1, CSC, CSR, HALF_TRIPLET };

typedef struct entries {
    size_t count, room;
    int32_t *i, *j;
    double *x;
} entries;

/* "334-by-138, nzmax: 724 nnz: 724": sizes must agree, the count is returned. */
static perp_status read_header(siconos_scan *s, const char *name, size_t rows,
                               size_t cols, size_t *count)
{
    char line[200];
    const char *sizes = line;
    const char *by = NULL;
    unsigned long found[4] = {0};
    siconos_scan ahead = *s;

    if (!perp_siconos_text_line(&ahead, line, sizeof line)) {
        return perp_siconos_refuse(&ahead, SICONOS_END, "the sparse matrix %s", name);
    }
    /* Numbers instead of words: another kind of file, so do not get further in it. */
    if (strncmp(line, "CSparse", 7) != 0) {
        return perp_siconos_fail(
            &ahead, PERP_ERR_FORMAT,
            "found \"%.40s\", expected the line \"CSparse Version …\"", line);
    }
    *s = ahead;
    if (!perp_siconos_text_line(s, line, sizeof line)) {
        return perp_siconos_refuse(s, SICONOS_END, "the sizes of %s", name);
    }
    by = strstr(line, "-by-");
    for (const char *c = line; by && c < by; c++) {
        sizes = *c == ' ' ? c + 1 : sizes; /* step over "triplet: " or "csr: " */
    }
    if (sscanf(sizes, "%9lu-by-%9lu, nzmax: %9lu nnz: %9lu", &found[0], &found[1],
               &found[2], &found[3]) != 4) {
        return perp_siconos_fail(
            s, PERP_ERR_FORMAT,
            "found \"%.60s\", expected \"R-by-C, nzmax: A nnz: B\" with "
            "numbers below a million",
            line);
    }
    if (found[0] != rows || found[1] != cols) {
        return perp_siconos_fail(s, PERP_ERR_FORMAT,
                                 "%s is %zu x %zu, but %lu-by-%lu in its sparse form",
                                 name, rows, cols, found[0], found[1]);
    }
    *count = found[3];
    if (*count > perp_siconos_room(s)) {
        return perp_siconos_fail(s, PERP_ERR_READ,
                                 "%s has %zu entries, more than the rest of the file",
                                 name, *count);
    }
    return PERP_OK;
}

/* ": a" after the indices of entry (i, j). */
static perp_status read_entry(siconos_scan *s, const char *name, size_t i, size_t j,
                              entries *e)
{
    double a = 0.0;
    siconos_fault fault = SICONOS_GOOD;
    perp_status status = perp_siconos_word(s, ":");

    if (status != PERP_OK) {
        return status;
    }
    fault = perp_siconos_take_real(s, &a);
    if (fault != SICONOS_GOOD) {
        return perp_siconos_refuse(s, fault, "%s(%zu,%zu)", name, i, j);
    }
    e->i[e->count] = (int32_t)i;
    e->j[e->count] = (int32_t)j;
    e->x[e->count++] = a;
    return PERP_OK;
}

static perp_status read_triplets(siconos_scan *s, const char *name, size_t rows,
                                 size_t cols, size_t count, entries *e)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        size_t i = 0;
        size_t j = 0;

        if (rows == 0 || cols == 0) {
            return perp_siconos_fail(s, PERP_ERR_FORMAT, "%s has an entry but no rows",
                                     name);
        }
        status = perp_siconos_size(s, "a row", 0, rows - 1, &i);
        if (status == PERP_OK) {
            status = perp_siconos_size(s, "a column", 0, cols - 1, &j);
        }
        if (status == PERP_OK) {
            status = read_entry(s, name, i, j, e);
        }
    }
    return status;
}

/* "col J : locations P to Q": P is what we counted, Q = P - 1 for an empty one. */
static perp_status read_locations(siconos_scan *s, const char *word, size_t k,
                                  size_t first, size_t count, size_t *next)
{
    size_t number = 0;
    long last = 0;
    siconos_fault fault = SICONOS_GOOD;
    perp_status status = perp_siconos_word(s, word);

    status = status ? status : perp_siconos_size(s, word, k, k, &number);
    status = status ? status : perp_siconos_word(s, ":");
    status = status ? status : perp_siconos_word(s, "locations");
    status =
        status ? status : perp_siconos_size(s, "first location", first, first, &number);
    status = status ? status : perp_siconos_word(s, "to");
    if (status != PERP_OK) {
        return status;
    }
    fault = perp_siconos_take_integer(s, &last);
    if (fault != SICONOS_GOOD) {
        return perp_siconos_refuse(s, fault, "last location");
    }
    if (last < (long)first - 1 || last >= (long)count) {
        return perp_siconos_fail(s, PERP_ERR_FORMAT,
                                 "last location is %ld, expected %ld to %ld", last,
                                 (long)first - 1, (long)count - 1);
    }
    *next = (size_t)(last + 1);
    return PERP_OK;
}

/* CSC by columns, CSR by rows. */
static perp_status read_compressed(siconos_scan *s, const char *name, bool by_columns,
                                   size_t rows, size_t cols, size_t count, entries *e)
{
    size_t outer = by_columns ? cols : rows;
    size_t inner = by_columns ? rows : cols;
    size_t next = 0;
    perp_status status = PERP_OK;

    for (size_t k = 0; status == PERP_OK && k < outer; k++) {
        status = read_locations(s, by_columns ? "col" : "row", k, e->count, count, &next);
        while (status == PERP_OK && e->count < next) {
            size_t l = 0;

            if (inner == 0) {
                return perp_siconos_fail(s, PERP_ERR_FORMAT,
                                         "%s has an entry but no rows", name);
            }
            status =
                perp_siconos_size(s, by_columns ? "a row" : "a column", 0, inner - 1, &l);
            if (status == PERP_OK) {
                status = read_entry(s, name, by_columns ? l : k, by_columns ? k : l, e);
            }
        }
    }
    if (status == PERP_OK && e->count != count) {
        return perp_siconos_fail(s, PERP_ERR_FORMAT,
                                 "%s has %zu entries, announced as %zu", name, e->count,
                                 count);
    }
    return status;
}

/* Mirror the stored triangle: room was taken for twice the entries. */
static perp_status mirror(siconos_scan *s, const char *name, entries *e)
{
    size_t stored = e->count;
    bool above = false;
    bool below = false;

    for (size_t k = 0; k < stored; k++) {
        above = above || e->i[k] < e->j[k];
        below = below || e->i[k] > e->j[k];
        if (e->i[k] != e->j[k]) {
            e->i[e->count] = e->j[k];
            e->j[e->count] = e->i[k];
            e->x[e->count++] = e->x[k];
        }
    }
    if (above && below) {
        return perp_siconos_fail(s, PERP_ERR_FORMAT,
                                 "%s is half a symmetric matrix, but has entries on both "
                                 "sides of the diagonal",
                                 name);
    }
    return PERP_OK;
}

perp_status perp_siconos_read_sparse(siconos_scan *s, const char *name, size_t rows,
                                     size_t cols, perp_operator **A, perp_notes *notes)
{
    entries e = {0};
    size_t origin = 0;
    size_t count = 0;
    perp_status status = perp_siconos_size(s, "origin of a sparse matrix", 1, 4, &origin);

    if (status == PERP_OK) {
        status = read_header(s, name, rows, cols, &count);
    }
    if (status != PERP_OK) {
        return status;
    }
    e.room = 2 * count + 1; /* twice: half a triplet is mirrored */
    e.i = malloc(e.room * sizeof *e.i);
    e.j = malloc(e.room * sizeof *e.j);
    e.x = malloc(e.room * sizeof *e.x);
    if (!e.i || !e.j || !e.x) {
        status = perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for %zu entries",
                           s->path, count);
        goto done;
    }
    if (origin == TRIPLET || origin == HALF_TRIPLET) {
        status = read_triplets(s, name, rows, cols, count, &e);
    } else {
        status = read_compressed(s, name, origin == CSC, rows, cols, count, &e);
    }
    if (status == PERP_OK && origin == HALF_TRIPLET) {
        status = mirror(s, name, &e);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_from_triplets(A, rows, cols, e.count, e.i, e.j, e.x,
                                                 s->err);
    }
    if (status == PERP_OK) {
        perp_note(notes, "%s was stored as sparse text, which keeps six digits", name);
    }
done:
    free(e.i);
    free(e.j);
    free(e.x);
    return status;
}
