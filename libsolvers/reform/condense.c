/* SPDX-License-Identifier: Apache-2.0
 * reform/condense.c: a global problem made local by a sparse LU factorisation of M.
 *
 *     M v = H r + G l + f,  u = H^T v + b_u,  0 = G^T v + b_l
 *     A = [H G]^T M^-1 [H G],   b = (b_u, b_l) + [H G]^T M^-1 f
 *
 * M may be unsymmetric; KLU orders it by blocks [davis-natarajan-2010]. A few columns
 * of M^-1 [H G] at a time are computed and multiplied by the sparse [H G]^T, so that
 * M^-1 is never formed. Where M is symmetric, A is symmetric in exact arithmetic, and
 * is replaced by the mean of A and A^T, which removes the rounding of an
 * ill-conditioned M; otherwise it is left as computed. Cost: one factorisation of M, n
 * solves, and memory for a few times the entries of A. */
#include <config.h>

#include <limits.h>
#include <suitesparse/klu.h>

#include "reforms.h"

/* Columns solved for at a time: a few cache lines per row, and little memory. */
enum { condense_columns = 16 };

/* The data of one condensation. */
typedef struct condense {
    const perp_global *g;
    size_t n, n_v;
    perp_operator *columns; /* M by columns: the CSR of its transpose */
    perp_operator *J;       /* [H G] by rows, CSR n_v x n */
    perp_operator *Jt;      /* its transpose: the right-hand sides */
    perp_workspace *ws;     /* ptr, X, sum */
    int *ptr;               /* n_v + 1: the column starts of M, for KLU */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *X;   /* n_v x condense_columns */
    double *sum; /* n: a column of A */
} condense;

static void condense_close(condense *c)
{
    klu_free_symbolic(&c->symbolic, &c->common);
    klu_free_numeric(&c->numeric, &c->common);
    perp_operator_free(c->columns);
    perp_operator_free(c->J);
    perp_operator_free(c->Jt);
    perp_workspace_free(c->ws);
}

static perp_status condense_singular(const condense *c, perp_error *err)
{
    long rank =
        c->common.structural_rank >= 0 && (size_t)c->common.structural_rank < c->n_v
            ? c->common.structural_rank
            : c->common.numerical_rank;

    if (rank >= 0 && (size_t)rank < c->n_v) {
        return perp_fail(err, PERP_ERR_DATA,
                         "condense: M is singular, its rank is %s%ld of %zu (column %ld)",
                         rank == c->common.structural_rank ? "" : "at most ", rank,
                         c->n_v, (long)c->common.singular_col);
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "condense: M is singular to working precision, its reciprocal "
                     "condition is about %.1e",
                     c->common.rcond);
}

static perp_status condense_factor(condense *c, perp_error *err)
{
    const perp_operator *M = NULL;
    perp_status status = perp_global_transpose(&c->columns, c->g->M, err);

    if (status != PERP_OK) {
        return status;
    }
    M = c->columns;
    if (M->ptr[c->n_v] > INT_MAX) {
        return perp_fail(err, PERP_ERR_DATA, "condense: M has %zu entries, beyond %d",
                         M->ptr[c->n_v], INT_MAX);
    }
    for (size_t i = 0; i <= c->n_v; i++) {
        c->ptr[i] = (int)M->ptr[i];
    }
    c->symbolic = klu_analyze((int)c->n_v, c->ptr, M->col, &c->common);
    if (c->symbolic) {
        c->numeric = klu_factor(c->ptr, M->col, M->x, c->symbolic, &c->common);
    }
    if (c->common.status == KLU_OUT_OF_MEMORY) {
        return perp_fail(err, PERP_ERR_MEMORY, "condense: no memory to factorise M");
    }
    if (c->common.status == KLU_SINGULAR) {
        return condense_singular(c, err);
    }
    if (!c->numeric || !klu_rcond(c->symbolic, c->numeric, &c->common)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "condense: KLU failed with status %d",
                         c->common.status);
    }
    /* KLU scales rows, so that units do not matter; beyond, pivots are rounding errors */
    return c->common.rcond < DBL_EPSILON ? condense_singular(c, err) : PERP_OK;
}

/* Columns first .. first+count-1 of M^-1 [H G] in X. */
static perp_status condense_solve(condense *c, size_t first, size_t count,
                                  perp_error *err)
{
    memset(c->X, 0, count * c->n_v * sizeof *c->X);
    for (size_t j = 0; j < count; j++) {
        perp_operator_csr.row_add(c->Jt, first + j, 1.0, c->X + j * c->n_v);
    }
    if (c->n_v > 0 &&
        !klu_solve(c->symbolic, c->numeric, (int)c->n_v, (int)count, c->X, &c->common)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "condense: KLU failed with status %d",
                         c->common.status);
    }
    return PERP_OK;
}

/* A CSR matrix to which rows are appended. */
typedef struct growing {
    size_t count, room;
    size_t *ptr;
    int32_t *col;
    double *x;
} growing;

static bool growing_reserve(growing *m, size_t more)
{
    size_t room = m->room;
    void *wider = NULL;

    if (m->room - m->count >= more) {
        return true;
    }
    room = 2 * room + more;
    wider = realloc(m->col, room * sizeof *m->col);
    if (!wider) {
        return false;
    }
    m->col = wider;
    wider = realloc(m->x, room * sizeof *m->x);
    if (!wider) {
        return false;
    }
    m->x = wider;
    m->room = room;
    return true;
}

/* Append column j of A = J^T X_j, which is row j of A^T. An entry off the diagonal
 * that is exactly 0 belongs to rows without a common velocity, and is left out. */
static bool condense_column(condense *c, size_t j, const double *X, growing *m)
{
    memset(c->sum, 0, c->n * sizeof *c->sum);
    for (size_t i = 0; i < c->n_v; i++) {
        if (X[i] != 0.0) {
            perp_operator_csr.row_add(c->J, i, X[i], c->sum);
        }
    }
    if (!growing_reserve(m, c->n)) {
        return false;
    }
    for (size_t i = 0; i < c->n; i++) {
        if (c->sum[i] != 0.0 || i == j) {
            m->col[m->count] = (int32_t)i;
            m->x[m->count++] = c->sum[i];
        }
    }
    m->ptr[j + 1] = m->count;
    return true;
}

/* A^T from the columns of A, then A. */
static perp_status condense_product(condense *c, perp_operator **A, perp_error *err)
{
    growing m = {.ptr = calloc(c->n + 1, sizeof *m.ptr)};
    perp_operator *T = NULL;
    perp_status status = m.ptr ? PERP_OK : PERP_ERR_MEMORY;

    for (size_t j = 0; status == PERP_OK && j < c->n; j++) {
        size_t within = j % condense_columns;
        size_t left = c->n - j;

        if (within == 0) {
            status = condense_solve(
                c, j, left < condense_columns ? left : condense_columns, err);
        }
        if (status == PERP_OK && !condense_column(c, j, c->X + within * c->n_v, &m)) {
            status = PERP_ERR_MEMORY;
        }
    }
    if (status == PERP_ERR_MEMORY) {
        perp_fail(err, status, "condense: no memory for a matrix of %zu rows", c->n);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_sparse(&T, c->n, c->n, 1, m.count, err);
    }
    if (status == PERP_OK) {
        memcpy(T->ptr, m.ptr, (c->n + 1) * sizeof *m.ptr);
        if (m.count > 0) {
            memcpy(T->col, m.col, m.count * sizeof *m.col);
            memcpy(T->x, m.x, m.count * sizeof *m.x);
        }
        status = perp_operator_is_symmetric(c->g->M)
                     ? perp_operator_symmetric_part(A, T, err)
                     : perp_operator_transpose(A, T, err);
    }
    perp_operator_free(T);
    free(m.ptr);
    free(m.col);
    free(m.x);
    return status;
}

/* b + J^T M^-1 f */
static perp_status condense_vector(condense *c, const perp_problem *p, double *b,
                                   perp_error *err)
{
    if (c->n_v > 0) {
        memcpy(c->X, c->g->f, c->n_v * sizeof *c->X);
    }
    if (c->n_v > 0 &&
        !klu_solve(c->symbolic, c->numeric, (int)c->n_v, 1, c->X, &c->common)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "condense: KLU failed with status %d",
                         c->common.status);
    }
    perp_operator_apply(c->Jt, c->X, b);
    for (size_t i = 0; i < c->n; i++) {
        b[i] += p->b[i];
    }
    return PERP_OK;
}

/* A in blocks, where all rows are contacts of one dimension. */
static perp_status condense_to_blocks(perp_operator **A, const perp_problem *p,
                                      perp_error *err)
{
    const unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;
    size_t block_size = perp_set_block_size(p->set);
    perp_operator *blocks = NULL;
    perp_status status = PERP_OK;

    if (block_size > 1 && (perp_set_kinds(p->set) & ~cones) == 0) {
        status = perp_operator_convert(&blocks, *A, PERP_STORAGE_BSR, block_size, err);
        perp_operator_free(*A);
        *A = blocks;
    }
    return status;
}

static perp_status condense_reserve(condense *c, perp_error *err)
{
    perp_status status = perp_workspace_new(&c->ws, 0, err);

    if (status != PERP_OK) {
        return status;
    }
    c->ptr = perp_workspace_ints(c->ws, c->n_v + 1);
    c->X = perp_workspace_take(c->ws, c->n_v, condense_columns * sizeof *c->X);
    c->sum = perp_workspace_reals(c->ws, c->n);
    return perp_workspace_status(c->ws, err);
}

/* A and b of the local problem. */
static perp_status condense_run(condense *c, const perp_problem *p, perp_operator **A,
                                double *b, perp_error *err)
{
    perp_status status = condense_reserve(c, err);

    if (status == PERP_OK && c->n_v > 0) { /* KLU has no empty matrix */
        status = condense_factor(c, err);
    }
    if (status == PERP_OK) {
        status = perp_global_rows(&c->Jt, p, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_transpose(&c->J, c->Jt, err);
    }
    if (status == PERP_OK) {
        status = condense_product(c, A, err);
    }
    if (status == PERP_OK) {
        status = condense_vector(c, p, b, err);
    }
    if (status == PERP_OK) {
        status = condense_to_blocks(A, p, err);
    }
    return status;
}

static perp_status condense_problem(condense *c, const perp_problem *p, perp_problem **to,
                                    perp_error *err)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    double *b = perp_reals_new(c->n);
    perp_status status = PERP_OK;

    if (!b) {
        return perp_fail(err, PERP_ERR_MEMORY, "condense: no memory for %zu rows", c->n);
    }
    status = condense_run(c, p, &A, b, err);
    if (status == PERP_OK) {
        status = perp_set_copy(&set, p->set, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(A);
        free(b);
        return status;
    }
    return perp_reform_problem_new(to, p, A, b, set, err);
}

static const perp_reform_type condense_type = {
    .name = "condense",
    .changes_physics = false,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
    .certificate = perp_reform_identity,
};

perp_status perp_reform_condense(perp_reform **t, const perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_condense", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    condense c = {.g = p->global, .n = p->n};
    perp_problem *to = NULL;
    perp_status status = perp_global_check(p, "condense", err);

    *t = NULL;
    if (status != PERP_OK) {
        return status;
    }
    c.n_v = c.g->M->rows;
    klu_defaults(&c.common);
    status = condense_problem(&c, p, &to, err);
    condense_close(&c);
    if (status == PERP_OK) {
        status = perp_reform_new(t, &condense_type, p, to, NULL, err);
    }
    if (status == PERP_OK) {
        perp_reform_describe(*t, "global form condensed: %zu velocities, %zu rows, %s",
                             c.n_v, p->n, to->A->type->name);
    }
    return status;
}
