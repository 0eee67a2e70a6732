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
 * This is the output of CSparse's print function, with six digits by %g. The loss is noted;
 * counts of a million and more lose digits too and are refused. A half triplet matrix is one
 * triangle of a symmetric matrix. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "siconos.h"

enum { TRIPLET = 1, CSC, CSR, HALF_TRIPLET };

/* "334-by-138, nzmax: 724 nnz: 724": sizes must agree, the count is returned. */
static perp_status read_header(perp_scan *s, const char *name, size_t rows, size_t cols,
                               size_t *count)
{
    char text[200] = "";
    const char *sizes = text;
    const char *by = NULL;
    unsigned long found[4] = {0};
    perp_scan line;
    perp_scan ahead = *s;

    if (!perp_scan_line(&ahead, &line)) {
        return perp_scan_refuse(&ahead, PERP_SCAN_END, "the sparse matrix %s", name);
    }
    perp_scan_text(&line, text, sizeof text);
    /* Numbers instead of words: another kind of file, so do not get further in it. */
    if (strncmp(text, "CSparse", 7) != 0) {
        return perp_scan_fail(&ahead, PERP_ERR_FORMAT,
                              "found \"%.40s\", expected the line \"CSparse Version …\"",
                              text);
    }
    *s = ahead;
    if (!perp_scan_line(s, &line)) {
        return perp_scan_refuse(s, PERP_SCAN_END, "the sizes of %s", name);
    }
    perp_scan_text(&line, text, sizeof text);
    by = strstr(text, "-by-");
    for (const char *c = text; by && c < by; c++) {
        sizes = *c == ' ' ? c + 1 : sizes; /* step over "triplet: " or "csr: " */
    }
    if (sscanf(sizes, "%9lu-by-%9lu, nzmax: %9lu nnz: %9lu", &found[0], &found[1],
               &found[2], &found[3]) != 4) {
        return perp_scan_fail(
            s, PERP_ERR_FORMAT,
            "found \"%.60s\", expected \"R-by-C, nzmax: A nnz: B\" with "
            "numbers below a million",
            text);
    }
    if (found[0] != rows || found[1] != cols) {
        return perp_scan_fail(s, PERP_ERR_FORMAT,
                              "%s is %zu x %zu, but %lu-by-%lu in its sparse form", name,
                              rows, cols, found[0], found[1]);
    }
    *count = found[3];
    if (*count > perp_scan_room(s)) {
        return perp_scan_fail(s, PERP_ERR_READ,
                              "%s has %zu entries, more than the rest of the file", name,
                              *count);
    }
    return PERP_OK;
}

/* ": a" after the indices of entry (i, j). */
static perp_status read_entry(perp_scan *s, const char *name, size_t i, size_t j,
                              perp_triplets *t)
{
    double a = 0.0;
    perp_status status = perp_scan_expect(s, ":");

    if (status == PERP_OK) {
        status = perp_scan_value(s, &a, "%s(%zu,%zu)", name, i, j);
    }
    perp_triplets_add(t, i, j, a);
    return status;
}

/* An index below the extent of rows or columns. */
static perp_status read_index(perp_scan *s, const char *name, const char *what,
                              size_t extent, size_t *k)
{
    return extent == 0
               ? perp_scan_fail(s, PERP_ERR_FORMAT, "%s has an entry but no rows", name)
               : perp_scan_size(s, what, 0, extent - 1, k);
}

static perp_status read_triplets(perp_scan *s, const char *name, size_t count,
                                 perp_triplets *t)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        size_t i = 0;
        size_t j = 0;

        status = read_index(s, name, "a row", t->cols ? t->rows : 0, &i);
        if (status == PERP_OK) {
            status = read_index(s, name, "a column", t->cols, &j);
        }
        if (status == PERP_OK) {
            status = read_entry(s, name, i, j, t);
        }
    }
    return status;
}

/* "col J : locations P to Q": P is the count so far, Q = P - 1 for an empty column. */
static perp_status read_locations(perp_scan *s, const char *word, size_t k, size_t first,
                                  size_t count, size_t *next)
{
    size_t number = 0;
    int64_t last = 0;
    perp_scan_fault fault = PERP_SCAN_GOOD;

    TRY(perp_scan_expect(s, word));
    TRY(perp_scan_size(s, word, k, k, &number));
    TRY(perp_scan_expect(s, ":"));
    TRY(perp_scan_expect(s, "locations"));
    TRY(perp_scan_size(s, "first location", first, first, &number));
    TRY(perp_scan_expect(s, "to"));
    fault = perp_scan_integer(s, &last);
    if (fault != PERP_SCAN_GOOD) {
        return perp_scan_refuse(s, fault, "last location");
    }
    if (last < (int64_t)first - 1 || last >= (int64_t)count) {
        return perp_scan_fail(
            s, PERP_ERR_FORMAT, "last location is %lld, expected %lld to %lld",
            (long long)last, (long long)first - 1, (long long)count - 1);
    }
    *next = (size_t)(last + 1);
    return PERP_OK;
}

/* CSC by columns, CSR by rows. */
static perp_status read_compressed(perp_scan *s, const char *name, bool by_columns,
                                   size_t count, perp_triplets *t)
{
    size_t outer = by_columns ? t->cols : t->rows;
    size_t inner = by_columns ? t->rows : t->cols;
    size_t done = 0;
    size_t next = 0;
    perp_status status = PERP_OK;

    for (size_t k = 0; status == PERP_OK && k < outer; k++) {
        status = read_locations(s, by_columns ? "col" : "row", k, done, count, &next);
        for (; status == PERP_OK && done < next; done++) {
            size_t l = 0;

            status = read_index(s, name, by_columns ? "a row" : "a column", inner, &l);
            if (status == PERP_OK) {
                status = read_entry(s, name, by_columns ? l : k, by_columns ? k : l, t);
            }
        }
    }
    if (status == PERP_OK && done != count) {
        return perp_scan_fail(s, PERP_ERR_FORMAT, "%s has %zu entries, announced as %zu",
                              name, done, count);
    }
    return status;
}

/* Mirror the stored triangle. */
static perp_status mirror(perp_scan *s, const char *name, perp_triplets *t)
{
    size_t above = 0;
    size_t below = 0;

    perp_triplets_sides(t, &above, &below);
    if (above && below) {
        return perp_scan_fail(s, PERP_ERR_FORMAT,
                              "%s is half a symmetric matrix, but has entries on both "
                              "sides of the diagonal",
                              name);
    }
    perp_triplets_mirror(t, 1.0);
    return PERP_OK;
}

perp_status perp_siconos_read_sparse(perp_scan *s, const char *name, size_t rows,
                                     size_t cols, perp_operator **A, perp_notes *notes)
{
    perp_triplets t;
    size_t origin = 0;
    size_t count = 0;
    perp_status status = PERP_OK;

    TRY(perp_scan_size(s, "origin of a sparse matrix", 1, 4, &origin));
    TRY(read_header(s, name, rows, cols, &count));
    perp_triplets_init(&t, rows, cols, origin == HALF_TRIPLET ? 2 * count : count);
    status = origin == TRIPLET || origin == HALF_TRIPLET
                 ? read_triplets(s, name, count, &t)
                 : read_compressed(s, name, origin == CSC, count, &t);
    if (status == PERP_OK && origin == HALF_TRIPLET) {
        status = mirror(s, name, &t);
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(A, &t, s->err);
    }
    if (status == PERP_OK) {
        perp_note(notes, "%s was stored as sparse text, which keeps six digits", name);
    }
    perp_triplets_free(&t);
    return status;
}
