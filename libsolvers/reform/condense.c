/* SPDX-License-Identifier: Apache-2.0
 * reform/condense.c: a global problem made local by a sparse LU factorisation of M.
 *
 *     M v = H r + G l + f,  u = H^T v + b_u,  0 = G^T v + b_l
 *     A = [H G]^T M^-1 [H G],   b = (b_u, b_l) + [H G]^T M^-1 f
 *
 * M may be unsymmetric; KLU orders it by blocks [davis-natarajan-2010]. The nonzeros of M
 * join velocities into parts (the bodies). Columns of [H G] that touch different parts share
 * a right-hand side, and a few right-hand sides are solved at once: M^-1 is never formed.
 * Where M is symmetric, A is symmetric in exact arithmetic, and the average with its transpose
 * removes the rounding of an ill-conditioned M; otherwise A is not changed.
 * Cost: a factorisation, some more solves than columns of one part, at most n, and a small
 * multiple of the entries of A. */
#include <config.h>

#include <limits.h>

#include "base/base.h"
#include "linear/klu.h"
#include "matrix/storages.h"
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
    /* parts of M: */
    int32_t *part;   /* n_v: the first velocity of its part */
    int32_t *member; /* n_v: velocities by parts */
    size_t *start;   /* n_v+2: members of part i are member[start[i]] .. */
    size_t *stamp;   /* n_v: 1 + the right-hand side or column that took the part last */
    /* columns of [H G] by right-hand sides: */
    int32_t *order; /* n: those of a right-hand side are consecutive */
    size_t *side;   /* n+1: right-hand side k has order[side[k]] .. */
    size_t sides;
    /* a column of A: */
    double *sum;       /* n: its entries, 0 between two columns */
    int32_t *velocity; /* n_v: those of its parts */
    int32_t *row;      /* n: rows that its velocities touch */
    size_t *seen;      /* n: 1 + the column that touched the row last */
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

    if (status != PERP_OK || c->n_v == 0) { /* KLU takes no empty matrix */
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

/* Does column j touch no part that right-hand side `mark` has? Then it takes its parts. */
static bool condense_claim(condense *c, size_t j, size_t mark)
{
    const perp_operator *Jt = c->Jt;

    for (size_t k = Jt->ptr[j]; k < Jt->ptr[j + 1]; k++) {
        if (c->stamp[c->part[Jt->col[k]]] == mark) {
            return false;
        }
    }
    for (size_t k = Jt->ptr[j]; k < Jt->ptr[j + 1]; k++) {
        c->stamp[c->part[Jt->col[k]]] = mark;
    }
    return true;
}

/* Each right-hand side takes what it can of the columns that are left, in their order. */
static void condense_share_sides(condense *c)
{
    int32_t *left = c->row;
    size_t count = c->n;
    size_t taken = 0;

    memset(c->stamp, 0, c->n_v * sizeof *c->stamp);
    for (size_t j = 0; j < c->n; j++) {
        left[j] = (int32_t)j;
    }
    for (c->sides = 0; count > 0; c->sides++) {
        size_t kept = 0;

        c->side[c->sides] = taken;
        for (size_t i = 0; i < count; i++) {
            if (condense_claim(c, (size_t)left[i], c->sides + 1)) {
                c->order[taken++] = left[i];
            } else {
                left[kept++] = left[i];
            }
        }
        count = kept;
    }
    c->side[c->sides] = taken;
}

/* M^-1 times the right-hand sides first .. first+count-1 in X. */
static perp_status condense_solve(condense *c, size_t first, size_t count,
                                  perp_error *err)
{
    memset(c->X, 0, count * c->n_v * sizeof *c->X);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = c->side[first + k]; i < c->side[first + k + 1]; i++) {
            perp_operator_row_add(c->Jt, (size_t)c->order[i], 1.0, c->X + k * c->n_v);
        }
    }
    return condense_divide(c, count, err);
}

/* The velocities of the parts that column j touches, ascending. */
static size_t condense_velocities(condense *c, size_t j)
{
    const perp_operator *Jt = c->Jt;
    size_t parts = 0;
    size_t count = 0;

    for (size_t k = Jt->ptr[j]; k < Jt->ptr[j + 1]; k++) {
        size_t part = (size_t)c->part[Jt->col[k]];

        if (c->stamp[part] != j + 1) {
            c->stamp[part] = j + 1;
            parts++;
            for (size_t m = c->start[part]; m < c->start[part + 1]; m++) {
                c->velocity[count++] = c->member[m];
            }
        }
    }
    if (parts > 1) {
        qsort(c->velocity, count, sizeof *c->velocity, perp_compare_int32);
    }
    return count;
}

/* Column j of A = J^T X_j. Entries that are exactly 0 off the diagonal are those where no
 * velocity is shared. */
static void condense_column(condense *c, size_t j, const double *X, perp_triplets *A)
{
    size_t velocities = condense_velocities(c, j);
    size_t count = 0;

    c->seen[j] = j + 1; /* the diagonal is always stored */
    c->row[count++] = (int32_t)j;
    for (size_t v = 0; v < velocities; v++) {
        size_t i = (size_t)c->velocity[v];
        size_t end = X[i] != 0.0 ? c->J->ptr[i + 1] : c->J->ptr[i];

        for (size_t k = c->J->ptr[i]; k < end; k++) {
            int32_t row = c->J->col[k];

            if (c->seen[row] != j + 1) {
                c->seen[row] = j + 1;
                c->row[count++] = row;
            }
            c->sum[row] += X[i] * c->J->x[k];
        }
    }
    for (size_t k = 0; k < count; k++) {
        size_t i = (size_t)c->row[k];

        if (c->sum[i] != 0.0 || i == j) {
            perp_triplets_add(A, i, j, c->sum[i]);
        }
        c->sum[i] = 0.0;
    }
}

/* All columns, some right-hand sides at a time. */
static perp_status condense_entries(condense *c, perp_triplets *A, perp_error *err)
{
    perp_status status = PERP_OK;

    memset(c->stamp, 0, c->n_v * sizeof *c->stamp);
    for (size_t s = 0; status == PERP_OK && s < c->sides; s++) {
        size_t within = s % condense_columns;
        size_t left = c->sides - s;

        if (within == 0) {
            status = condense_solve(
                c, s, left < condense_columns ? left : condense_columns, err);
        }
        for (size_t i = c->side[s]; status == PERP_OK && i < c->side[s + 1]; i++) {
            condense_column(c, (size_t)c->order[i], c->X + within * c->n_v, A);
        }
    }
    return status;
}

static perp_status condense_product(condense *c, perp_operator **A, perp_error *err)
{
    perp_triplets entries;
    perp_operator *product = NULL;
    perp_status status = PERP_OK;

    perp_triplets_init(&entries, c->n, c->n, c->n);
    status = condense_entries(c, &entries, err);
    if (status == PERP_OK) {
        status =
            perp_fail_in(err, perp_triplets_finish(&product, &entries, err), "condense");
    }
    perp_triplets_free(&entries);
    if (status == PERP_OK && perp_operator_is_symmetric(c->g->M)) {
        status = perp_operator_symmetric_part(A, product, err);
        perp_operator_free(product);
    } else {
        *A = product;
    }
    return status;
}

/* b := b_u, b_l + J^T M^-1 f */
static perp_status condense_b(condense *c, const perp_problem *p, double *b,
                              perp_error *err)
{
    if (c->n_v > 0) {
        memcpy(c->X, c->g->f, c->n_v * sizeof *c->X);
    }
    TRY(condense_divide(c, 1, err));
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
    TRY(perp_workspace_new(&c->ws, 0, err));
    c->ptr = perp_workspace_ints(c->ws, c->n_v + 1);
    c->X = perp_workspace_alloc(c->ws, c->n_v, condense_columns * sizeof *c->X);
    c->part = perp_workspace_alloc(c->ws, c->n_v, sizeof *c->part);
    c->member = perp_workspace_alloc(c->ws, c->n_v, sizeof *c->member);
    c->start = perp_workspace_sizes(c->ws, c->n_v + 2);
    c->stamp = perp_workspace_sizes(c->ws, c->n_v);
    c->order = perp_workspace_alloc(c->ws, c->n, sizeof *c->order);
    c->side = perp_workspace_sizes(c->ws, c->n + 1);
    c->sum = perp_workspace_reals(c->ws, c->n);
    c->velocity = perp_workspace_alloc(c->ws, c->n_v, sizeof *c->velocity);
    c->row = perp_workspace_alloc(c->ws, c->n, sizeof *c->row);
    c->seen = perp_workspace_sizes(c->ws, c->n);
    return perp_fail_in(err, perp_workspace_status(c->ws, err), "condense");
}

/* A and b of the local problem. */
static perp_status condense_system(condense *c, const perp_problem *p, perp_operator **A,
                                   double *b, perp_error *err)
{
    perp_status status = condense_alloc(c, err);

    if (status == PERP_OK) {
        status = condense_factor(c, err);
    }
    if (status == PERP_OK) {
        status = perp_global_rows(&c->Jt, p, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_transpose(&c->J, c->Jt, err);
    }
    if (status == PERP_OK) {
        perp_operator_parts(c->columns, c->part);
        perp_parts_list(c->part, c->n_v, c->start, c->member);
        condense_share_sides(c);
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
        perp_reform_describe(*t, "global form condensed: %zu velocit%s, %zu row%s, %s",
                             c.n_v, perp_plural_y(c.n_v), p->n, perp_plural(p->n),
                             to->A->type->name);
    }
    return status;
}
