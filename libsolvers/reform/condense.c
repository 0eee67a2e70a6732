/* SPDX-License-Identifier: Apache-2.0
 * reform/condense.c: a global problem made local by a sparse LU factorisation of M.
 *
 *     M v = H r + G l + f,  u = H^T v + b_u,  0 = G^T v + b_l
 *     A = [H G]^T M^-1 [H G],   b = (b_u, b_l) + [H G]^T M^-1 f
 *
 * M may be unsymmetric; KLU orders it by blocks [davis-natarajan-2010]. Columns of [H G] are
 * solved for a few at a time and multiplied sparsely at once, so that M^-1 is never formed.
 * Where M is symmetric, A is symmetric in exact arithmetic, and the average with its transpose
 * removes the rounding of an ill-conditioned M; otherwise A is not changed.
 * Cost: a factorisation, n solves, and a small multiple of the entries of A. */
#include <config.h>

#include <limits.h>

#include "linear/klu.h"
#include "reforms.h"

/* Columns solved at once: a few cache lines per row, little memory. */
enum { condense_columns = 16 };

/* Intermediate data; arrays and factors belong to the workspace. */
typedef struct condense {
    const perp_global *g;
    size_t n, n_v;
    perp_operator *columns; /* M by columns: the CSR of its transpose */
    perp_operator *J;       /* [H G] by rows, CSR n_v x n */
    perp_operator *Jt;      /* its transpose: the right-hand sides */
    perp_workspace *ws;
    int *ptr;     /* column starts of M in KLU's integers */
    perp_klu klu; /* of M */
    double *X;    /* n_v x condense_columns */
    double *sum;  /* n: a column of A */
} condense;

static void condense_close(condense *c)
{
    perp_klu_close(&c->klu);
    perp_operator_free(c->columns);
    perp_operator_free(c->J);
    perp_operator_free(c->Jt);
    perp_workspace_free(c->ws);
}

static perp_status condense_singular(const condense *c, perp_error *err)
{
    long rank = c->klu.common.structural_rank >= 0 &&
                        (size_t)c->klu.common.structural_rank < c->n_v
                    ? c->klu.common.structural_rank
                    : c->klu.common.numerical_rank;

    if (rank >= 0 && (size_t)rank < c->n_v) {
        return perp_fail(err, PERP_ERR_DATA,
                         "condense: M is singular, its rank is %s%ld of %zu (column %ld)",
                         rank == c->klu.common.structural_rank ? "" : "at most ", rank,
                         c->n_v, (long)c->klu.common.singular_col);
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "condense: M is singular to working precision, its reciprocal "
                     "condition is about %.1e",
                     c->klu.common.rcond);
}

static perp_status condense_factor(condense *c, perp_error *err)
{
    const perp_operator *M = NULL;
    bool done = false;
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
    status = perp_klu_analyse(&c->klu, c->n_v, c->ptr, M->col, c->ws, err);
    if (status == PERP_OK) {
        status = perp_klu_factor(&c->klu, c->ptr, M->col, M->x, &done, err);
    }
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "condense");
    }
    if (!done) {
        return condense_singular(c, err);
    }
    if (!klu_rcond(c->klu.symbolic, c->klu.numeric, &c->klu.common)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "condense: KLU failed with status %d",
                         c->klu.common.status);
    }
    /* rows are scaled by KLU, so that units do not matter; pivots below rounding are 0 */
    return c->klu.common.rcond < DBL_EPSILON ? condense_singular(c, err) : PERP_OK;
}

/* X := M^-1 X, count columns. */
static perp_status condense_divide(condense *c, size_t count, perp_error *err)
{
    perp_klu *klu = &c->klu;

    if (c->n_v > 0 && !klu_solve(klu->symbolic, klu->numeric, (int)c->n_v, (int)count,
                                 c->X, &klu->common)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "condense: KLU failed with status %d",
                         klu->common.status);
    }
    return PERP_OK;
}

/* Columns first .. first+count-1 of M^-1 [H G] in X. */
static perp_status condense_solve(condense *c, size_t first, size_t count,
                                  perp_error *err)
{
    memset(c->X, 0, count * c->n_v * sizeof *c->X);
    for (size_t j = 0; j < count; j++) {
        perp_operator_row_add(c->Jt, first + j, 1.0, c->X + j * c->n_v);
    }
    return condense_divide(c, count, err);
}

/* A CSR matrix that grows row by row. */
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

/* Column j of A = J^T X_j, which is row j of A^T: entries that are exactly 0 off the diagonal
 * are those where no velocity is shared. */
static bool condense_column(condense *c, size_t j, const double *X, growing *m)
{
    memset(c->sum, 0, c->n * sizeof *c->sum);
    for (size_t i = 0; i < c->n_v; i++) {
        if (X[i] != 0.0) {
            perp_operator_row_add(c->J, i, X[i], c->sum);
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

/* b := b_u, b_l + J^T M^-1 f */
static perp_status condense_b(condense *c, const perp_problem *p, double *b,
                              perp_error *err)
{
    perp_status status = PERP_OK;

    if (c->n_v > 0) {
        memcpy(c->X, c->g->f, c->n_v * sizeof *c->X);
    }
    status = condense_divide(c, 1, err);
    if (status != PERP_OK) {
        return status;
    }
    perp_operator_apply(c->Jt, c->X, b);
    for (size_t i = 0; i < c->n; i++) {
        b[i] += p->b[i];
    }
    return PERP_OK;
}

/* A problem of contacts of one dimension gets a block matrix. */
static perp_status condense_store(perp_operator **A, const perp_problem *p,
                                  perp_error *err)
{
    const unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;
    size_t edge = perp_set_block_size(p->set);
    perp_operator *blocks = NULL;
    perp_status status = PERP_OK;

    if (edge > 1 && (perp_set_kinds(p->set) & ~cones) == 0) {
        status = perp_operator_convert(&blocks, *A, PERP_STORAGE_BSR, edge, err);
        perp_operator_free(*A);
        *A = blocks;
    }
    return status;
}

static perp_status condense_alloc(condense *c, perp_error *err)
{
    perp_status status = perp_workspace_new(&c->ws, 0, err);

    if (status != PERP_OK) {
        return status;
    }
    c->ptr = perp_workspace_ints(c->ws, c->n_v + 1);
    c->X = perp_workspace_alloc(c->ws, c->n_v, condense_columns * sizeof *c->X);
    c->sum = perp_workspace_reals(c->ws, c->n);
    return perp_fail_in(err, perp_workspace_status(c->ws, err), "condense");
}

/* A and b of the local problem. */
static perp_status condense_system(condense *c, const perp_problem *p, perp_operator **A,
                                   double *b, perp_error *err)
{
    perp_status status = condense_alloc(c, err);

    if (status == PERP_OK && c->n_v > 0) { /* KLU takes no empty matrix */
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
        status = condense_b(c, p, b, err);
    }
    return status == PERP_OK ? condense_store(A, p, err) : status;
}

static perp_status condense_run(condense *c, const perp_problem *p, perp_problem **to,
                                perp_error *err)
{
    perp_operator *A = NULL;
    double *b = perp_reals_new(c->n);
    perp_status status = PERP_OK;

    if (!b) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "condense: no memory for %zu rows", c->n);
    }
    if (status == PERP_OK) {
        status = condense_system(c, p, &A, b, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(A);
        free(b);
        return status;
    }
    return perp_reform_problem_new(to, p, A, b, NULL, err);
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
    status = condense_run(&c, p, &to, err);
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
