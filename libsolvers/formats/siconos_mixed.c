/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_mixed.c: read MLCPs and generic problems of the Siconos text format.
 *
 *     MLCP     storage1 storage2 n m
 *              storage1:  0 .. n+m  0|1 for each piece  M q
 *              storage2:  A B C D a b, each by rows
 *     generic  M q, then a type for each block row of M: 0 LCP, 2 equality, 4 FC3D and mu
 *
 * With u the n free and v the m complementary unknowns, A u + C v + a = 0 and
 * 0 <= v _|_ D u + B v + b >= 0, so M = [A C; D B] and q = [a; b]. Mind the order A, B, C, D
 * and the rows here against the columns of M. Both forms in one file must agree. */
#include <config.h>

#include "base/base.h"
#include "siconos.h"

typedef struct mixed {
    size_t n, m;
    size_t *row[2]; /* where the k-th free and the k-th complementary unknown stand */
} mixed;

/* The free unknowns first, where the file gives no other order. */
static perp_status mixed_rows(perp_scan *s, mixed *x)
{
    x->row[0] = calloc(x->n + 1, sizeof(size_t));
    x->row[1] = calloc(x->m + 1, sizeof(size_t));
    if (!x->row[0] || !x->row[1]) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for rows", s->path);
    }
    for (size_t k = 0; k < x->n + x->m; k++) {
        x->row[k >= x->n][k >= x->n ? k - x->n : k] = k;
    }
    return PERP_OK;
}

/* Pieces of rows: ends from 0 to n + m, then whether each is complementary. */
static perp_status read_pieces(perp_scan *s, mixed *x)
{
    size_t total = x->n + x->m;
    size_t *ends = calloc(total + 2, sizeof *ends);
    size_t count = 0;
    size_t found[2] = {0, 0};
    perp_status status = PERP_OK;

    if (!ends) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for blocks", s->path);
    }
    status = perp_scan_size(s, "the first blocksRows", 0, 0, &ends[0]);
    while (status == PERP_OK && ends[count] < total) {
        status =
            perp_scan_size(s, "blocksRows", ends[count] + 1, total, &ends[count + 1]);
        count++;
    }
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        size_t kind = 0;

        status = perp_scan_size(s, "blocksIsComp", 0, 1, &kind);
        for (size_t i = ends[k]; status == PERP_OK && i < ends[k + 1]; i++) {
            if (found[kind] == (kind ? x->m : x->n)) {
                status =
                    perp_scan_fail(s, PERP_ERR_FORMAT,
                                   "the blocks have more %s rows than the %zu announced",
                                   kind ? "complementary" : "free", found[kind]);
            } else {
                x->row[kind][found[kind]++] = i;
            }
        }
    }
    free(ends);
    return status;
}

static perp_status read_first_form(siconos_reading *r, mixed *x)
{
    perp_scan *s = &r->scan;
    size_t total = x->n + x->m;
    perp_status status = read_pieces(s, x);

    if (status == PERP_OK) {
        status = perp_siconos_read_matrix(s, "M", SICONOS_ANY, total, 1, &r->p->A, NULL,
                                          &r->notes);
    }
    if (status == PERP_OK && r->p->A->rows != total) {
        return perp_scan_fail(
            s, PERP_ERR_UNSUITABLE,
            "M is %zu x %zu: with %zu equations for %zu unknowns w = M z + q "
            "does not pair each z with a w; rectangular problems are not "
            "read",
            r->p->A->rows, total, r->p->A->rows, total);
    }
    return status == PERP_OK ? perp_scan_reals(s, "q", total, &r->p->b) : status;
}

/* One number of the second form: stored, or compared with the first form. */
static perp_status read_second_number(siconos_reading *r, bool compare, char letter,
                                      size_t i, size_t j, double *place, double first)
{
    perp_scan *s = &r->scan;
    double a = 0.0;

    TRY(perp_scan_value(s, &a, "%c(%zu,%zu)", letter, i, j));
    if (!compare) {
        *place = a;
    } else if (a != first) {
        return perp_scan_fail(
            s, PERP_ERR_FORMAT,
            "%c(%zu,%zu) is %.17g, but the same entry of M or q is %.17g", letter, i, j,
            a, first);
    }
    return PERP_OK;
}

/* A, B, C or D: rows of one sort, columns of one sort. */
static perp_status read_letter(siconos_reading *r, const mixed *x, bool compare,
                               char letter, bool row_sort, bool col_sort)
{
    size_t rows = row_sort ? x->m : x->n;
    size_t cols = col_sort ? x->m : x->n;
    perp_operator *A = r->p->A;

    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            size_t row = x->row[row_sort][i];
            size_t col = x->row[col_sort][j];
            perp_status status = read_second_number(
                r, compare, letter, i, j, compare ? NULL : A->x + row + col * A->ld,
                compare ? perp_operator_entry(A, row, col) : 0.0);

            if (status != PERP_OK) {
                return status;
            }
        }
    }
    return PERP_OK;
}

static perp_status read_second_form(siconos_reading *r, const mixed *x, bool compare)
{
    static const struct {
        char letter;
        bool row, col;
    } letters[] = {{'A', 0, 0}, {'B', 1, 1}, {'C', 0, 1}, {'D', 1, 0}};
    perp_scan *s = &r->scan;
    size_t total = x->n + x->m;
    size_t area = 0;
    perp_status status = PERP_OK;

    if (!perp_mul(total, total, &area) || area > perp_scan_room(s)) {
        return perp_scan_fail(
            s, PERP_ERR_READ,
            "A, B, C, D have %zu x %zu entries, more than the rest of the "
            "file",
            total, total);
    }
    if (!compare) {
        status = perp_operator_new_dense(&r->p->A, total, total, s->err);
        r->p->b = perp_reals_new(total);
        if (status == PERP_OK && !r->p->b) {
            status = perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory", s->path);
        }
    }
    for (size_t k = 0; status == PERP_OK && k < 4; k++) {
        status =
            read_letter(r, x, compare, letters[k].letter, letters[k].row, letters[k].col);
    }
    for (size_t k = 0; status == PERP_OK && k < total; k++) {
        bool sort = k >= x->n;
        size_t i = sort ? k - x->n : k;
        double *b = &r->p->b[x->row[sort][i]];

        status = read_second_number(r, compare, sort ? 'b' : 'a', i, 0, b, *b);
    }
    return status;
}

static perp_status set_of_mixed(siconos_reading *r, const mixed *x)
{
    size_t total = x->n + x->m;
    size_t free_row = 0;
    perp_status status = perp_set_new(&r->p->set, total, r->scan.err);

    for (size_t i = 0; status == PERP_OK && i < total; i++) {
        if (free_row < x->n && x->row[0][free_row] == i) {
            perp_set_add_free(r->p->set);
            free_row++;
        } else {
            perp_set_add_nonneg(r->p->set);
        }
    }
    return status;
}

perp_status perp_siconos_read_mlcp(siconos_reading *r)
{
    perp_scan *s = &r->scan;
    mixed x = {0};
    size_t first = 0;
    size_t second = 0;
    perp_status status = perp_scan_size(s, "storage1", 0, 1, &first);

    if (status == PERP_OK) {
        status = perp_scan_size(s, "storage2", first ? 0 : 1, 1, &second);
    }
    if (status == PERP_OK) {
        status = perp_scan_size(s, "n", 0, perp_scan_room(s), &x.n);
    }
    if (status == PERP_OK) {
        status = perp_scan_size(s, "m", 0, perp_scan_room(s), &x.m);
    }
    if (status == PERP_OK) {
        status = mixed_rows(s, &x);
    }
    r->p->n = x.n + x.m;
    if (status == PERP_OK && first) {
        status = read_first_form(r, &x);
    }
    if (status == PERP_OK && second) {
        status = read_second_form(r, &x, first != 0);
    }
    if (status == PERP_OK) {
        status = set_of_mixed(r, &x);
    }
    free(x.row[0]);
    free(x.row[1]);
    return status;
}

/* One block row of a generic problem: its type, and mu of a contact. */
static perp_status read_generic_block(siconos_reading *r, size_t k, size_t rows,
                                      bool *cones)
{
    static const char *const types[] = {"LCP", "MLCP", "equality", "FC2D", "FC3D",
                                        "NCP", "MCP",  "VI",       "AVI",  "relay"};
    perp_scan *s = &r->scan;
    size_t type = 0;
    double *mu = NULL;
    perp_status status = PERP_OK;

    TRY(perp_scan_size(s, "type of a block", 0, 9, &type));
    *cones = *cones && type == 4;
    for (size_t i = 0; i < rows && (type == 0 || type == 2); i++) {
        if (type == 0) {
            perp_set_add_nonneg(r->p->set);
        } else {
            perp_set_add_free(r->p->set);
        }
    }
    if (type == 0 || type == 2) {
        return PERP_OK;
    }
    if (type != 4) {
        return perp_scan_fail(
            s, PERP_ERR_UNSUITABLE,
            "block %zu is of type %zu (%s), whose data the file does not "
            "hold, expected 0 (LCP), 2 (equality) or 4 (FC3D)",
            k, type, types[type]);
    }
    if (rows != 3) {
        return perp_scan_fail(s, PERP_ERR_FORMAT,
                              "block %zu is FC3D with %zu rows, expected 3", k, rows);
    }
    status = perp_siconos_read_friction(r, "mu", 1, &mu);
    if (status == PERP_OK) {
        perp_set_add_cone(r->p->set, 3, mu[0]);
    }
    free(mu);
    return status;
}

static perp_status read_generic_set(siconos_reading *r, const siconos_cut *cut,
                                    bool *cones)
{
    perp_status status = perp_set_new(&r->p->set, r->p->n, r->scan.err);

    if (status == PERP_OK && (cut->count ? cut->ends[cut->count - 1] : 0) != r->p->n) {
        return perp_scan_fail(&r->scan, PERP_ERR_FORMAT,
                              "M has no blocks, so nothing has a type");
    }
    for (size_t k = 0; status == PERP_OK && k < cut->count; k++) {
        size_t first = k ? cut->ends[k - 1] : 0;

        status = read_generic_block(r, k, cut->ends[k] - first, cones);
    }
    return status;
}

perp_status perp_siconos_read_generic(siconos_reading *r)
{
    perp_scan *s = &r->scan;
    siconos_cut cut = {0};
    bool cones = true;
    perp_status status = perp_siconos_read_matrix(s, "M", SICONOS_ANY, SICONOS_SQUARE, 1,
                                                  &r->p->A, &cut, &r->notes);

    if (status == PERP_OK) {
        r->p->n = r->p->A->rows;
        status = perp_scan_reals(s, "q", r->p->n, &r->p->b);
    }
    if (status == PERP_OK) {
        status = read_generic_set(r, &cut, &cones);
    }
    /* Contacts only: the blocks of the file are those of the cones. */
    if (status == PERP_OK && cones && r->p->n > 0) {
        status = perp_operator_use_blocks(&r->p->A, 3, s->err);
    }
    free(cut.ends);
    return status;
}
