/* SPDX-License-Identifier: Apache-2.0
 * reform/substitution.c: a problem in new unknowns x, where the old ones are z = B x + c.
 *
 *     z = B x + c,    A' = B^T A B + X,    b' = B^T (A c + b) + q
 *
 * B has one or two terms per column. A dense A gives a dense A' in O(n'^2). A sparse A
 * gives A' in CSR, row by row through a scattered sum, in O(entries times terms); its
 * diagonal is always stored, since shifts need it. */
#include <config.h>

#include <limits.h>

#include "base/base.h"
#include "reforms.h"

/* All memory: for each new row two terms and three couplings. */
static perp_status substitution_reserve(perp_substitution *s, size_t n_from, size_t rows,
                                        perp_error *err)
{
    TRY(perp_workspace_new(&s->ws, 0, err));
    s->n_from = n_from;
    s->start = perp_workspace_sizes(s->ws, rows + 1);
    s->row = perp_workspace_alloc(s->ws, rows + 1, 2 * sizeof *s->row);
    s->coef = perp_workspace_alloc(s->ws, rows + 1, 2 * sizeof *s->coef);
    s->shift = perp_workspace_reals(s->ws, n_from);
    s->offset = perp_workspace_reals(s->ws, rows);
    s->couplings = perp_workspace_alloc(s->ws, rows + 1, 3 * sizeof *s->couplings);
    s->at = perp_workspace_sizes(s->ws, n_from + 1);
    s->source = perp_workspace_alloc(s->ws, rows + 1, sizeof *s->source);
    TRY(perp_workspace_status(s->ws, err));
    return perp_set_new(&s->set, rows, err);
}

perp_status perp_substitution_new(perp_substitution **s, const perp_problem *from,
                                  size_t rows, perp_error *err)
{
    perp_substitution *c = NULL;
    perp_status status = perp_reform_needs_local(from, err);

    *s = NULL;
    if (status != PERP_OK) {
        return status;
    }
    if (rows > INT_MAX) {
        return perp_fail(err, PERP_ERR_DATA, "%zu rows would become %zu, beyond %d",
                         from->n, rows, INT_MAX);
    }
    c = calloc(1, sizeof *c);
    if (!c) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a substitution");
    }
    status = substitution_reserve(c, from->n, rows, err);
    if (status != PERP_OK) {
        perp_substitution_free(c);
        return status;
    }
    *s = c;
    return PERP_OK;
}

void perp_substitution_free(void *state)
{
    perp_substitution *s = state;

    if (s) {
        perp_workspace_free(s->ws);
        perp_set_free(s->set);
        free(s);
    }
}

size_t perp_substitution_add_row(perp_substitution *s)
{
    s->start[s->n + 1] = s->start[s->n];
    return s->n++;
}

void perp_substitution_add_term(perp_substitution *s, size_t row, double coef)
{
    if (coef != 0.0) {
        size_t k = s->start[s->n]++;

        s->row[k] = row;
        s->coef[k] = coef;
    }
}

void perp_substitution_add_coupling(perp_substitution *s, size_t i, size_t j, double x)
{
    s->couplings[s->coupling_count++] = (perp_coupling){i, j, x};
}

void perp_substitution_source(perp_substitution *s, size_t row, const char *part,
                              size_t number, bool auxiliary)
{
    s->source[s->set->count - 1] = (perp_reform_source){
        .row = row, .part = part, .number = number, .auxiliary = auxiliary};
}

void perp_substitution_copy_block(perp_substitution *s, const perp_block *block,
                                  size_t normal)
{
    perp_block *kept = &s->set->blocks[s->set->count++];

    *kept = *block;
    kept->first = s->set->n;
    if (block->kind == PERP_SET_FRICTION) {
        kept->normal = normal;
    }
    s->set->n += block->dim;
    perp_substitution_source(s, block->first, NULL, 0, false);
    for (unsigned i = 0; i < block->dim; i++) {
        perp_substitution_add_row(s);
        perp_substitution_add_term(s, block->first + i, 1.0);
    }
}

void perp_substitution_linear(const perp_substitution *s, const double *yy, double *y)
{
    for (size_t i = 0; i < s->n_from; i++) {
        y[i] = 0.0;
    }
    for (size_t j = 0; j < s->n; j++) {
        for (size_t k = s->start[j]; k < s->start[j + 1]; k++) {
            y[s->row[k]] += s->coef[k] * yy[j];
        }
    }
}

void perp_substitution_unmap(const perp_substitution *s, const double *x, double *z)
{
    perp_substitution_linear(s, x, z);
    for (size_t i = 0; i < s->n_from; i++) {
        z[i] += s->shift[i];
    }
}

/* (B^T v)_j */
static double substitution_gather(const perp_substitution *s, size_t j, const double *v)
{
    double sum = 0.0;

    for (size_t k = s->start[j]; k < s->start[j + 1]; k++) {
        sum += s->coef[k] * v[s->row[k]];
    }
    return sum;
}

static perp_status substitution_dense(perp_operator **out, const perp_substitution *s,
                                      const perp_operator *A, perp_error *err)
{
    perp_status status = perp_operator_new_dense(out, s->n, s->n, err);
    perp_operator *M = *out;
    double *column = perp_reals_new(s->n_from);

    if (status == PERP_OK && !column) {
        perp_operator_free(M);
        *out = NULL;
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->n_from);
    }
    for (size_t j = 0; status == PERP_OK && j < s->n; j++) {
        memset(column, 0, s->n_from * sizeof *column);
        for (size_t k = s->start[j]; k < s->start[j + 1]; k++) {
            for (size_t i = 0; i < s->n_from; i++) {
                column[i] += s->coef[k] * A->x[i + s->row[k] * A->ld];
            }
        }
        for (size_t i = 0; i < s->n; i++) {
            M->x[i + j * M->ld] = substitution_gather(s, i, column);
        }
    }
    for (size_t k = 0; status == PERP_OK && k < s->coupling_count; k++) {
        M->x[s->couplings[k].i + s->couplings[k].j * M->ld] += s->couplings[k].x;
    }
    free(column);
    return status;
}

/* The sparse product, and the new row that it computes. */
typedef struct product {
    const perp_substitution *s;
    const perp_operator *A;
    perp_workspace *ws; /* all memory below */
    size_t *users;    /* n_from+1: columns of B that use old row i are user[users[i]..] */
    size_t *user;     /* column */
    double *weight;   /* its coefficient */
    size_t *ties;     /* n+1: couplings of new row i are tie[ties[i]..] */
    size_t *tie;      /* coupling */
    double *sum;      /* n: the row so far */
    size_t *stamp;    /* n: row + 1 of the last row that touched this column */
    int32_t *touched; /* columns of the row */
    size_t touched_count;
    size_t row;
    double factor; /* coefficient of the old row being visited */
} product;

/* Counts in start[1..] become the positions where lists start; the caller then increments
 * start[i] for each item that it writes to list i. */
static void product_starts(size_t *start, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
}

/* Undo these increments. */
static void product_rewind(size_t *start, size_t n)
{
    memmove(start + 1, start, n * sizeof *start);
    start[0] = 0;
}

/* Free c->ws even after a failure. */
static perp_status product_init(product *c, const perp_substitution *s,
                                const perp_operator *A, perp_error *err)
{
    size_t terms = s->start[s->n];

    *c = (product){.s = s, .A = A};
    TRY(perp_workspace_new(&c->ws, 0, err));
    c->users = perp_workspace_sizes(c->ws, s->n_from + 2);
    c->user = perp_workspace_sizes(c->ws, terms);
    c->weight = perp_workspace_reals(c->ws, terms);
    c->ties = perp_workspace_sizes(c->ws, s->n + 2);
    c->tie = perp_workspace_sizes(c->ws, s->coupling_count);
    c->sum = perp_workspace_reals(c->ws, s->n);
    c->stamp = perp_workspace_sizes(c->ws, s->n);
    c->touched = perp_workspace_alloc(c->ws, s->n, sizeof *c->touched);
    TRY(perp_workspace_status(c->ws, err));
    for (size_t k = 0; k < terms; k++) {
        c->users[s->row[k] + 1]++;
    }
    product_starts(c->users, s->n_from);
    for (size_t j = 0; j < s->n; j++) {
        for (size_t k = s->start[j]; k < s->start[j + 1]; k++) {
            size_t to = c->users[s->row[k]]++;

            c->user[to] = j;
            c->weight[to] = s->coef[k];
        }
    }
    product_rewind(c->users, s->n_from);
    for (size_t k = 0; k < s->coupling_count; k++) {
        c->ties[s->couplings[k].i + 1]++;
    }
    product_starts(c->ties, s->n);
    for (size_t k = 0; k < s->coupling_count; k++) {
        c->tie[c->ties[s->couplings[k].i]++] = k;
    }
    product_rewind(c->ties, s->n);
    return PERP_OK;
}

static void product_add(product *c, size_t j, double a)
{
    if (c->stamp[j] != c->row + 1) {
        c->stamp[j] = c->row + 1;
        c->sum[j] = 0.0;
        c->touched[c->touched_count++] = (int32_t)j;
    }
    c->sum[j] += a;
}

static void product_visit(void *context, size_t k, double a)
{
    product *c = context;

    for (size_t u = c->users[k]; u < c->users[k + 1]; u++) {
        product_add(c, c->user[u], c->factor * a * c->weight[u]);
    }
}

/* Row `row` of A' in sum and touched. */
static void product_row(product *c, size_t row)
{
    const perp_substitution *s = c->s;

    c->row = row;
    c->touched_count = 0;
    product_add(c, row, 0.0);
    for (size_t k = s->start[row]; k < s->start[row + 1]; k++) {
        c->factor = s->coef[k];
        perp_operator_row_visit(c->A, s->row[k], product_visit, c);
    }
    for (size_t t = c->ties[row]; t < c->ties[row + 1]; t++) {
        product_add(c, s->couplings[c->tie[t]].j, s->couplings[c->tie[t]].x);
    }
    qsort(c->touched, c->touched_count, sizeof *c->touched, perp_compare_int32);
}

/* A' in CSR, from the number of its entries. */
static perp_status product_matrix(product *c, size_t count, perp_operator **out,
                                  perp_error *err)
{
    size_t n = c->s->n;

    TRY(perp_operator_new_sparse(out, n, n, 1, count, err));
    memset(c->stamp, 0, n * sizeof *c->stamp);
    count = 0;
    for (size_t i = 0; i < n; i++) {
        product_row(c, i);
        for (size_t k = 0; k < c->touched_count; k++, count++) {
            (*out)->col[count] = c->touched[k];
            (*out)->x[count] = c->sum[c->touched[k]];
        }
        (*out)->ptr[i + 1] = count;
    }
    return PERP_OK;
}

static perp_status substitution_sparse(perp_operator **out, const perp_substitution *s,
                                       const perp_operator *A, perp_error *err)
{
    product c;
    size_t count = 0;
    perp_status status = product_init(&c, s, A, err);

    *out = NULL;
    for (size_t i = 0; status == PERP_OK && i < s->n; i++) {
        product_row(&c, i);
        count += c.touched_count;
    }
    if (status == PERP_OK) {
        status = product_matrix(&c, count, out, err);
    }
    perp_workspace_free(c.ws);
    return status;
}

/* b' = B^T (A c + b) + q, with w' = A c + b in `scratch`. */
static void substitution_b(const perp_substitution *s, const perp_problem *from,
                           double *scratch, double *b)
{
    perp_operator_apply(from->A, s->shift, scratch);
    for (size_t i = 0; i < from->n; i++) {
        scratch[i] += from->b[i];
    }
    for (size_t j = 0; j < s->n; j++) {
        b[j] = substitution_gather(s, j, scratch) + s->offset[j];
    }
}

perp_status perp_substitution_problem(perp_problem **to, perp_substitution *s,
                                      const perp_problem *from, perp_error *err)
{
    perp_operator *A = NULL;
    perp_set *set = s->set;
    double *b = perp_reals_new(s->n);
    double *scratch = perp_reals_new(from->n);
    perp_status status = PERP_OK;

    *to = NULL;
    if (!b || !scratch) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->n);
    } else if (from->A->type->storage == PERP_STORAGE_DENSE) {
        status = substitution_dense(&A, s, from->A, err);
    } else {
        status = substitution_sparse(&A, s, from->A, err);
    }
    if (status == PERP_OK) {
        substitution_b(s, from, scratch, b);
        s->set = NULL;
        status = perp_reform_problem_new(to, from, A, b, set, err);
    } else {
        free(b);
    }
    if (status == PERP_OK) {
        status = perp_reform_label(*to, from, s->source, err);
        if (status != PERP_OK) {
            perp_problem_free(*to);
            *to = NULL;
        }
    }
    free(scratch);
    return status;
}
