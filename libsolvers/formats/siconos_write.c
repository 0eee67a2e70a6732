/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_write.c: write the problems of the Siconos text format, exactly.
 *
 * Storage follows the matrix: dense as dense, blocks as blocks. CSR becomes blocks of the
 * size of a contact in a contact problem, since Siconos' own solvers want them, blocks of the
 * set in generic and second-order cone problems, and blocks of one entry elsewhere. M and H of a
 * global problem are cut into bodies and contacts. An MLCP is written in both forms when it is
 * dense and its free rows come first, as Siconos does. */
#include <config.h>

#include "base/base.h"
#include "siconos.h"

/* A square or rectangular matrix, in its own storage. */
static perp_status write_matrix(FILE *f, const perp_operator *A, size_t block_size,
                                perp_error *err)
{
    siconos_cut rows = {0};
    siconos_cut cols = {0};
    perp_status status = PERP_OK;

    if (A->type->storage == PERP_STORAGE_DENSE) {
        return perp_siconos_write_dense(f, A, err);
    }
    block_size = A->type->storage == PERP_STORAGE_BSR ? A->block_size : block_size;
    status = perp_siconos_cut_evenly(&rows, A->rows, block_size, err);
    if (status == PERP_OK) {
        status = perp_siconos_cut_evenly(&cols, A->cols, block_size, err);
    }
    if (status == PERP_OK) {
        status = perp_siconos_write_blocks(f, A, &rows, &cols, err);
    }
    free(rows.ends);
    free(cols.ends);
    return status;
}

static perp_status write_lcp(FILE *f, const perp_problem *p, bool bounds, perp_error *err)
{
    perp_status status = PERP_OK;

    fprintf(f, "%zu\n", p->n);
    TRY(write_matrix(f, p->A, 1, err));
    perp_siconos_print_reals(f, p->b, p->n);
    for (size_t side = 0; bounds && side < 2; side++) {
        for (size_t k = 0; k < p->set->count; k++) {
            double lo = 0.0;
            double hi = 0.0;

            perp_block_bounds(&p->set->blocks[k], NULL, &lo, &hi);
            fprintf(f, "%.17g%c", side ? hi : lo, k + 1 < p->set->count ? ' ' : '\n');
        }
    }
    return status;
}

static bool is_free(const perp_problem *p, size_t i)
{
    return p->set->blocks[i].kind == PERP_SET_FREE;
}

/* A, B, C, D, a, b, each by rows; the free rows come first. */
static void write_second_form(FILE *f, const perp_problem *p, size_t n)
{
    static const bool sorts[4][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
    const size_t from[2] = {0, n};
    const size_t to[2] = {n, p->n};

    for (size_t k = 0; k < 4; k++) {
        for (size_t i = from[sorts[k][0]]; i < to[sorts[k][0]]; i++) {
            for (size_t j = from[sorts[k][1]]; j < to[sorts[k][1]]; j++) {
                fprintf(f, "%.17g%c", perp_operator_entry(p->A, i, j),
                        j + 1 < to[sorts[k][1]] ? ' ' : '\n');
            }
        }
    }
    perp_siconos_print_reals(f, p->b, n);
    perp_siconos_print_reals(f, p->b + n, p->n - n);
}

static perp_status write_mlcp(FILE *f, const perp_problem *p, perp_error *err)
{
    size_t n = perp_set_count(p->set, PERP_SET_FREE);
    bool both = p->A->type->storage == PERP_STORAGE_DENSE;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < p->n; i++) {
        both = both && is_free(p, i) == (i < n);
    }
    fprintf(f, "1\n%d\n%zu\n%zu\n0 ", both, n, p->n - n);
    for (size_t i = 1; i <= p->n; i++) {
        if (i == p->n || is_free(p, i) != is_free(p, i - 1)) {
            fprintf(f, "%zu ", i);
        }
    }
    fputc('\n', f);
    for (size_t i = 0; i < p->n; i++) {
        if (i == 0 || is_free(p, i) != is_free(p, i - 1)) {
            fprintf(f, "%d ", !is_free(p, i));
        }
    }
    fputc('\n', f);
    status = write_matrix(f, p->A, 1, err);
    perp_siconos_print_reals(f, p->b, p->n);
    if (both) {
        write_second_form(f, p, n);
    }
    return status;
}

/* The finest cut of M into blocks on its diagonal, such as the bodies of rigid-body dynamics;
 * single rows where such a block has more than MOST_ROWS. Siconos condenses M in blocks only if
 * it is block diagonal. */
enum { MOST_ROWS = 12 }; /* as perp_reform_factor */

typedef struct reach {
    size_t row;
    size_t *last; /* rows: the last row or column that an entry connects with this one */
} reach;

static void reach_visit(void *context, size_t j, double a)
{
    reach *r = context;
    size_t low = j < r->row ? j : r->row;
    size_t high = j < r->row ? r->row : j;

    if (a != 0.0 && r->last[low] < high) {
        r->last[low] = high;
    }
}

/* Join the rows that `last` connects, into blocks; the number of rows of the largest. */
static size_t join_rows(siconos_cut *cut, const size_t *last, size_t rows)
{
    size_t largest = 0;
    size_t first = 0;
    size_t end = 0;

    cut->count = 0;
    for (size_t i = 0; i < rows; i++) {
        end = last[i] > end ? last[i] : end;
        if (end <= i) {
            cut->ends[cut->count++] = i + 1;
            largest = i + 1 - first > largest ? i + 1 - first : largest;
            first = i + 1;
        }
    }
    return largest;
}

static perp_status cut_bodies(siconos_cut *cut, const perp_operator *M, perp_error *err)
{
    reach r = {.last = calloc(M->rows + 1, sizeof *r.last)};
    perp_status status = perp_siconos_cut_evenly(cut, M->rows, 1, err);

    if (status == PERP_OK && !r.last) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", M->rows);
    }
    for (r.row = 0; status == PERP_OK && r.row < M->rows; r.row++) {
        perp_operator_row_visit(M, r.row, reach_visit, &r);
    }
    if (status == PERP_OK && join_rows(cut, r.last, M->rows) > MOST_ROWS) {
        free(cut->ends);
        status = perp_siconos_cut_evenly(cut, M->rows, 1, err);
    }
    free(r.last);
    return status;
}

/* M and H: both dense, or both in blocks, which Siconos requires; bodies by contacts. */
static perp_status write_global(FILE *f, const perp_global *g, size_t dim,
                                perp_error *err)
{
    siconos_cut bodies = {0};
    siconos_cut contacts = {0};
    perp_status status = PERP_OK;

    if (g->M->type->storage == PERP_STORAGE_DENSE &&
        g->H->type->storage == PERP_STORAGE_DENSE) {
        status = perp_siconos_write_dense(f, g->M, err);
        return status == PERP_OK ? perp_siconos_write_dense(f, g->H, err) : status;
    }
    status = cut_bodies(&bodies, g->M, err);
    if (status == PERP_OK) {
        status = perp_siconos_cut_evenly(&contacts, g->H->cols, dim, err);
    }
    if (status == PERP_OK) {
        status = perp_siconos_write_blocks(f, g->M, &bodies, &bodies, err);
    }
    if (status == PERP_OK) {
        status = perp_siconos_write_blocks(f, g->H, &bodies, &contacts, err);
    }
    free(bodies.ends);
    free(contacts.ends);
    return status;
}

static perp_status write_contact(FILE *f, const perp_problem *p, size_t dim, bool global,
                                 perp_error *err)
{
    const perp_set *set = p->set;
    perp_status status = PERP_OK;

    fprintf(f, "%zu\n%zu\n", dim, set->count);
    if (global) {
        status = write_global(f, p->global, dim, err);
        perp_siconos_print_reals(f, p->global->f, p->global->M->rows);
    } else {
        status = write_matrix(f, p->A, dim, err);
    }
    perp_siconos_print_reals(f, p->b, p->n);
    for (size_t k = 0; k < set->count; k++) {
        fprintf(f, "%.17g%c", set->blocks[k].mu, k + 1 < set->count ? ' ' : '\n');
    }
    for (size_t k = 0; dim == 5 && k < set->count; k++) {
        fprintf(f, "%.17g%c", set->blocks[k].mu_rolling, k + 1 < set->count ? ' ' : '\n');
    }
    return status;
}

/* A in blocks, one block row to each block of the set. */
static perp_status write_set_blocks(FILE *f, const perp_problem *p, perp_error *err)
{
    const perp_set *set = p->set;
    siconos_cut cut = {.count = set->count};
    perp_status status = PERP_OK;

    cut.ends = calloc(cut.count + 1, sizeof *cut.ends);
    if (!cut.ends) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu blocks", cut.count);
    }
    for (size_t k = 0; k < set->count; k++) {
        cut.ends[k] = set->blocks[k].first + set->blocks[k].dim;
    }
    status = perp_siconos_write_blocks(f, p->A, &cut, &cut, err);
    free(cut.ends);
    return status;
}

static perp_status write_generic(FILE *f, const perp_problem *p, perp_error *err)
{
    perp_status status = write_set_blocks(f, p, err);

    perp_siconos_print_reals(f, p->b, p->n);
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        if (block->kind == PERP_SET_CONE) {
            fprintf(f, "4\n%.17g\n", block->mu);
        } else {
            fprintf(f, "%d\n", block->kind == PERP_SET_FREE ? 2 : 0);
        }
    }
    return status;
}

/* A row z >= 0 is a cone of one row; its tau bounds nothing, 1 is written. */
static perp_status write_soclcp(FILE *f, const perp_problem *p, perp_error *err)
{
    const perp_set *set = p->set;
    perp_status status = PERP_OK;

    fprintf(f, "%zu\n%zu\n", p->n, set->count);
    status = p->A->type->storage == PERP_STORAGE_DENSE
                 ? perp_siconos_write_dense(f, p->A, err)
                 : write_set_blocks(f, p, err);
    perp_siconos_print_reals(f, p->b, p->n);
    for (size_t k = 0; k < set->count; k++) {
        fprintf(f, "%zu ", set->blocks[k].first);
    }
    fprintf(f, "%zu\n", p->n);
    for (size_t k = 0; k < set->count; k++) {
        fprintf(f, "%.17g%c", set->blocks[k].dim == 1 ? 1.0 : set->blocks[k].mu,
                k + 1 < set->count ? ' ' : '\n');
    }
    return status;
}

static perp_status write_kind(FILE *f, const perp_problem *p, siconos_kind kind,
                              perp_error *err)
{
    switch (kind) {
    case SICONOS_KIND_MLCP:
        return write_mlcp(f, p, err);
    case SICONOS_KIND_FC2D:
    case SICONOS_KIND_GFC2D:
        return write_contact(f, p, 2, kind == SICONOS_KIND_GFC2D, err);
    case SICONOS_KIND_FC3D:
    case SICONOS_KIND_GFC3D:
        return write_contact(f, p, 3, kind == SICONOS_KIND_GFC3D, err);
    case SICONOS_KIND_ROLLING:
        return write_contact(f, p, 5, p->global != NULL, err);
    case SICONOS_KIND_GMP:
        return write_generic(f, p, err);
    case SICONOS_KIND_SOCLCP:
        return write_soclcp(f, p, err);
    default:
        return write_lcp(f, p, kind == SICONOS_KIND_RELAY, err);
    }
}

perp_status perp_siconos_write(perp_file_out *out, const perp_problem *p,
                               const char *kind, perp_error *err)
{
    siconos_kind k = SICONOS_KIND_ANY;

    TRY(perp_siconos_choose(&k, p, out->path, kind, err));
    return write_kind(out->f, p, k, err);
}
