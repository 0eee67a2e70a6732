/* SPDX-License-Identifier: Apache-2.0
 * determined/island.c: variables that share equations, their program and their degree. */
#include <config.h>

#include <lapacke.h>

#include "determined.h"
#include "matrix/storages.h"

/* Flops of a QR factorisation with a basis, beyond which only the rank is found. */
static const double basis_flops = 4e8;
enum { COLUMNS_MOST = 4000 /* of an island whose rank is found */ };
static const double rank_least = 1e-9; /* of the largest diagonal entry of R */

/* The row of G of one variable: its entries in `sum` and `col`, columns ascending; their number. */
static size_t island_row(const perp_determined *d, const determined_variable *v,
                         double *sum, int32_t *col)
{
    const perp_operator *J = d->equations.J;
    size_t count = 0;

    for (size_t i = 0; i < v->count; i++) {
        for (size_t e = J->ptr[v->row[i]]; e < J->ptr[v->row[i] + 1]; e++) {
            double scale = d->equations.scale[J->col[e]];
            size_t at = 0;

            if (scale == 0.0) {
                continue;
            }
            while (at < count && col[at] < J->col[e]) {
                at++;
            }
            if (at == count || col[at] != J->col[e]) {
                memmove(col + at + 1, col + at, (count - at) * sizeof *col);
                memmove(sum + at + 1, sum + at, (count - at) * sizeof *sum);
                col[at] = J->col[e];
                sum[at] = 0.0;
                count++;
            }
            sum[at] += v->coef[i] * J->x[e] / scale;
        }
    }
    if (v->link != DETERMINED_NO_LINK) {
        col[count] = (int32_t)(J->cols + v->link);
        sum[count++] = v->sign;
    }
    return count;
}

/* All rows of G in CSR. */
static perp_status island_rows(const perp_determined *d, perp_operator **G,
                               perp_error *err)
{
    const perp_operator *J = d->equations.J;
    size_t longest = 1;
    size_t entries = 0;
    perp_workspace *ws = NULL;
    double *sum = NULL;
    int32_t *col = NULL;
    perp_status status = PERP_OK;

    for (size_t j = 0; j < d->count; j++) {
        size_t length = 1;

        for (size_t i = 0; i < d->variable[j].count; i++) {
            size_t row = d->variable[j].row[i];

            length += J->ptr[row + 1] - J->ptr[row];
        }
        longest = length > longest ? length : longest;
        entries += length;
    }
    TRY(perp_workspace_new(&ws, 0, err));
    sum = perp_workspace_reals(ws, longest);
    col = perp_workspace_alloc(ws, longest, sizeof *col);
    status = perp_workspace_status(ws, err);
    if (status == PERP_OK) {
        status =
            perp_operator_new_sparse(G, d->count, J->cols + d->links, 1, entries, err);
    }
    for (size_t j = 0; status == PERP_OK && j < d->count; j++) {
        size_t at = (*G)->ptr[j];
        size_t count = island_row(d, &d->variable[j], sum, col);

        memcpy((*G)->col + at, col, count * sizeof *col);
        memcpy((*G)->x + at, sum, count * sizeof *sum);
        (*G)->ptr[j + 1] = at + count;
    }
    perp_workspace_free(ws);
    return status;
}

/* Join the variables of each block of K', and those that share a column. */
static void split_join(const perp_determined *d, const perp_operator *G, int32_t *part,
                       int32_t *first)
{
    for (size_t k = 0; k < d->set->count; k++) {
        const perp_block *block = &d->set->blocks[k];

        for (unsigned i = 1; i < block->dim; i++) {
            perp_parts_join(part, block->first, block->first + i);
        }
    }
    for (size_t j = 0; j < d->count; j++) {
        for (size_t e = G->ptr[j]; e < G->ptr[j + 1]; e++) {
            int32_t *of = &first[G->col[e]];

            if (G->x[e] == 0.0) {
                continue;
            }
            if (*of < 0) {
                *of = (int32_t)j;
            } else {
                perp_parts_join(part, (size_t)*of, j);
            }
        }
    }
}

/* y in the unit of its block: rows of G of length 1. */
static void island_units(const perp_determined *d, determined_island *g,
                         const perp_operator *G, const perp_set *K)
{
    for (size_t k = 0; k < K->count; k++) {
        const perp_block *block = &K->blocks[k];
        double longest = 0.0;

        for (unsigned i = 0; i < block->dim; i++) {
            size_t j = g->variable[block->first + i];
            double sum = 0.0;

            for (size_t e = G->ptr[j]; e < G->ptr[j + 1]; e++) {
                sum += G->x[e] * G->x[e];
            }
            longest = fmax(longest, sqrt(sum));
        }
        for (unsigned i = 0; i < block->dim; i++) {
            g->unit[block->first + i] = longest > 0.0 ? longest : 1.0;
        }
    }
    for (size_t i = 0; i < g->n; i++) {
        g->size = fmax(g->size, g->unit[i] * fabs(d->variable[g->variable[i]].value));
    }
    g->size = g->size > 0.0 ? g->size : 1.0;
}

/* The blocks of one island in its units. */
static void island_set(const perp_determined *d, const determined_island *g, perp_set *K)
{
    for (size_t i = 0; i < g->n;) {
        size_t k = perp_set_block_at(d->set, g->variable[i]);
        perp_block block = d->set->blocks[k];

        block.first = i;
        K->blocks[K->count++] = block;
        i += block.dim;
    }
    K->n = g->n;
}

static void island_scale_set(const determined_island *g, perp_set *K)
{
    for (size_t k = 0; k < K->count; k++) {
        perp_block *block = &K->blocks[k];
        double factor = g->unit[block->first] / g->size;

        block->lo *= block->kind == PERP_SET_BOX ? factor : 1.0;
        block->hi *= block->kind == PERP_SET_BOX ? factor : 1.0;
        block->radius *= factor;
    }
}

/* G of the island with columns 0, 1, ... and rows in units of y. */
static perp_status island_equations(determined_island *g, const perp_operator *G,
                                    int32_t *number, perp_operator **out,
                                    perp_workspace *ws, perp_error *err)
{
    size_t entries = 0;
    int32_t next = 0;

    for (size_t i = 0; i < g->n; i++) {
        size_t j = g->variable[i];

        entries += G->ptr[j + 1] - G->ptr[j];
        for (size_t e = G->ptr[j]; e < G->ptr[j + 1]; e++) {
            number[G->col[e]] = 1;
        }
    }
    for (size_t a = 0; a < G->cols; a++) {
        g->columns += number[a] == 1;
    }
    g->column = perp_workspace_sizes(ws, g->columns);
    TRY(perp_workspace_status(ws, err));
    for (size_t a = 0; a < G->cols; a++) {
        if (number[a] == 1) {
            g->column[next] = a;
            number[a] = next++;
        }
    }
    TRY(perp_operator_new_sparse(out, g->n, (size_t)next, 1, entries, err));
    entries = 0;
    for (size_t i = 0; i < g->n; i++) {
        size_t j = g->variable[i];

        for (size_t e = G->ptr[j]; e < G->ptr[j + 1]; e++, entries++) {
            (*out)->col[entries] = number[G->col[e]];
            (*out)->x[entries] = G->x[e] / g->unit[i];
        }
        (*out)->ptr[i + 1] = entries;
    }
    return PERP_OK;
}

static perp_status island_make(perp_determined *d, determined_island *g,
                               const perp_operator *G, int32_t *number, perp_error *err)
{
    perp_operator *own = NULL;
    perp_set *K = NULL;
    perp_arrays at = {0};
    perp_status status = PERP_OK;

    g->y = perp_workspace_reals(d->ws, g->n);
    g->c = perp_workspace_reals(d->ws, g->n);
    g->rest = perp_workspace_reals(d->ws, g->n);
    g->unit = perp_workspace_reals(d->ws, g->n);
    g->least = perp_workspace_reals(d->ws, g->n);
    g->most = perp_workspace_reals(d->ws, g->n);
    K = perp_workspace_alloc(d->ws, 1, sizeof *K);
    TRY(perp_workspace_status(d->ws, err));
    K->blocks = perp_workspace_alloc(d->ws, g->n, sizeof *K->blocks);
    K->capacity = g->n;
    TRY(perp_workspace_status(d->ws, err));
    island_set(d, g, K);
    island_units(d, g, G, K);
    island_scale_set(g, K);
    for (size_t i = 0; i < g->n; i++) {
        g->y[i] = g->unit[i] * d->variable[g->variable[i]].value / g->size;
        g->least[i] = g->most[i] = g->y[i];
    }
    memset(number, 0, G->cols * sizeof *number);
    TRY(island_equations(g, G, number, &own, d->ws, err));
    at = perp_operator_arrays(own);
    status = perp_program_setup(&g->program, &at, K, g->y, err);
    if (status == PERP_OK) {
        status = perp_determined_count(d, g, err);
    }
    perp_operator_free(own);
    return status;
}

perp_status perp_determined_split(perp_determined *d, perp_error *err)
{
    size_t n = d->count;
    perp_operator *G = NULL;
    perp_status status = island_rows(d, &G, err);
    size_t columns = status == PERP_OK ? G->cols : 0;
    int32_t *part = perp_workspace_alloc(d->ws, n + 1, sizeof *part);
    int32_t *number = perp_workspace_alloc(d->ws, columns + 1, sizeof *number);
    int32_t *member = perp_workspace_alloc(d->ws, n + 1, sizeof *member);
    size_t *start = perp_workspace_sizes(d->ws, n + 2);

    if (status == PERP_OK) {
        status = perp_workspace_status(d->ws, err);
    }
    if (status == PERP_OK) {
        memset(number, -1, (columns + 1) * sizeof *number);
        perp_parts_start(part, n);
        split_join(d, G, part, number);
        perp_parts_finish(part, n);
        perp_parts_list(part, n, start, member);
        d->island = perp_workspace_alloc(d->ws, n + 1, sizeof *d->island);
        status = perp_workspace_status(d->ws, err);
    }
    for (size_t r = 0; status == PERP_OK && r < n; r++) {
        determined_island *g = &d->island[d->islands];

        g->n = start[r + 1] - start[r];
        if (g->n == 0) {
            continue;
        }
        g->variable = perp_workspace_sizes(d->ws, g->n);
        status = perp_workspace_status(d->ws, err);
        for (size_t i = 0; status == PERP_OK && i < g->n; i++) {
            g->variable[i] = (size_t)member[start[r] + i];
            d->variable[g->variable[i]].island = d->islands;
            d->variable[g->variable[i]].place = i;
        }
        d->islands++;
        if (status == PERP_OK) {
            status = island_make(d, g, G, number, err);
        }
    }
    perp_operator_free(G);
    return status;
}

/* Q of G = Q R P^T, n x rank. */
static perp_status count_basis(determined_island *g, double *rows, perp_workspace *ws,
                               perp_error *err)
{
    size_t n = g->n;
    size_t most = n < g->columns ? n : g->columns;
    lapack_int *order = perp_workspace_alloc(ws, g->columns + 1, sizeof *order);
    double *tau = perp_workspace_reals(ws, most + 1);
    size_t room = 64 * (n + g->columns + 1);
    double *work = perp_workspace_reals(ws, room);
    lapack_int info = 0;

    TRY(perp_workspace_status(ws, err));
    info = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)g->columns,
                               rows, (lapack_int)n, order, tau, work, (lapack_int)room);
    while (info == 0 && g->rank < most &&
           fabs(rows[g->rank * (n + 1)]) > rank_least * fabs(rows[0])) {
        g->rank++;
    }
    if (info == 0 && g->rank > 0) {
        info = LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)g->rank,
                                   (lapack_int)g->rank, rows, (lapack_int)n, tau, work,
                                   (lapack_int)room);
    }
    g->Q = rows;
    return info == 0 ? PERP_OK
                     : perp_fail(err, PERP_ERR_LIBRARY,
                                 "LAPACK: info %d of a QR "
                                 "factorisation",
                                 (int)info);
}

/* The rank of G alone, from G^T G by Cholesky with pivots: half the digits. */
static perp_status count_rank(determined_island *g, const perp_operator *G,
                              perp_workspace *ws, perp_error *err)
{
    size_t m = g->columns;
    double *S = perp_workspace_reals(ws, m * m);
    lapack_int *order = perp_workspace_alloc(ws, m, sizeof *order);
    double *work = perp_workspace_reals(ws, 2 * m);
    lapack_int rank = 0;
    double largest = 0.0;

    TRY(perp_workspace_status(ws, err));
    for (size_t i = 0; i < g->n; i++) {
        for (size_t e = G->ptr[i]; e < G->ptr[i + 1]; e++) {
            for (size_t f = G->ptr[i]; f <= e; f++) {
                S[(size_t)G->col[e] + (size_t)G->col[f] * m] += G->x[e] * G->x[f];
            }
        }
    }
    for (size_t a = 0; a < m; a++) {
        largest = fmax(largest, S[a * (m + 1)]);
    }
    (void)LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)m, S, (lapack_int)m,
                              order, &rank, 1e-13 * largest, work);
    g->rank = (size_t)rank;
    return PERP_OK;
}

/* Equations among variables that the set keeps equal count: a link is one equation and one variable. */
perp_status perp_determined_count(perp_determined *d, determined_island *g,
                                  perp_error *err)
{
    const perp_operator *G = g->program.G->factored->J;
    double n = (double)g->n;
    double m = (double)g->columns;
    double *rows = NULL;
    perp_workspace *ws = d->ws;

    g->degree = PERP_DEGREE_UNKNOWN;
    if (n * m * fmin(n, m) <= basis_flops) {
        rows = perp_workspace_reals(ws, g->n * (g->columns + 1));
        TRY(perp_workspace_status(ws, err));
        for (size_t i = 0; i < g->n; i++) {
            for (size_t e = G->ptr[i]; e < G->ptr[i + 1]; e++) {
                rows[i + (size_t)G->col[e] * g->n] = G->x[e];
            }
        }
        TRY(count_basis(g, rows, ws, err));
    } else if (g->columns <= COLUMNS_MOST) {
        size_t mark = perp_workspace_mark(ws);
        perp_status status = count_rank(g, G, ws, err);

        perp_workspace_release(ws, mark);
        TRY(status);
    } else {
        return PERP_OK;
    }
    g->degree = g->n - g->rank;
    return PERP_OK;
}
