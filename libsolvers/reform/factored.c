/* SPDX-License-Identifier: Apache-2.0
 * reform/factored.c: a global problem made local without forming W.
 *
 *     A = J M^-1 J^T in factors, J = [H G]^T,   b = (b_u, b_l) + J M^-1 f
 *
 * M is block diagonal, one block per body; LAPACK inverts each block. Where M is
 * symmetric, so is the inverse, to the last bit. The rows of a contact store the same
 * columns of J. Costs one pass over H. A mass matrix that couples many velocities
 * (articulated trees) has large blocks and is refused; perp_reform_condense factorises
 * it instead. */
#include <config.h>

#include <lapacke.h>

#include "base/base.h"
#include "matrix/storages.h"
#include "reforms.h"

/* The largest block of M: a rigid body has 6 rows, two welded ones 12; with larger blocks
 * M^-1 J^T would be dense. And the largest block of a set. */
enum { factor_block_most = 12, factor_dim_most = 5 };

/* Inverse of the k x k block B, column-major, in place. */
static perp_status factor_invert(double *B, size_t k, size_t first, perp_error *err)
{
    lapack_int pivots[factor_block_most];
    lapack_int integers[factor_block_most];
    double work[4 * factor_block_most];
    lapack_int n = (lapack_int)k;
    double norm = 0.0;
    double rcond = 0.0;
    bool done = false;

    perp_blas_hold();
    norm = LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', n, n, B, n, work);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, B, n, pivots) == 0) {
        LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, B, n, norm, &rcond, work, integers);
    }
    done = rcond >= DBL_EPSILON && LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, B, n, pivots,
                                                       work, 4 * factor_block_most) == 0;
    perp_blas_release();
    if (!done) {
        return perp_fail(err, PERP_ERR_DATA,
                         "factor: M is singular in the block of velocity %zu (from 0)",
                         first);
    }
    return PERP_OK;
}

/* The velocities sorted by the block that they belong to; those of a block are
 * contiguous. */
typedef struct factor_blocks {
    int32_t *part;   /* nv: the first velocity of its block */
    int32_t *member; /* nv: the velocities */
    size_t *start;   /* nv+2: member[start[i]..start[i+1]-1] are those of part i */
} factor_blocks;

static perp_status factor_sort(factor_blocks *s, const perp_operator *M,
                               perp_workspace *ws, perp_error *err)
{
    size_t nv = M->rows;

    s->part = perp_workspace_alloc(ws, nv, sizeof *s->part);
    s->member = perp_workspace_alloc(ws, nv, sizeof *s->member);
    s->start = perp_workspace_sizes(ws, nv + 2);
    TRY(perp_workspace_status(ws, err));
    perp_operator_parts(M, s->part);
    perp_parts_list(s->part, nv, s->start, s->member);
    for (size_t i = 0; i < nv; i++) {
        size_t size = s->start[i + 1] - s->start[i];

        if (size > factor_block_most) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "factor: M joins %zu velocit%s (that of velocity %zu from "
                             "0), expected blocks of at most %d; condense it instead",
                             size, perp_plural_y(size), i, factor_block_most);
        }
    }
    return PERP_OK;
}

/* M^-1 in CSR. The columns of a row ascend, since the members of a block do. */
static perp_status factor_inverse(perp_operator **out, const perp_operator *M,
                                  const factor_blocks *s, perp_error *err)
{
    bool symmetric = perp_operator_is_symmetric(M);
    double B[factor_block_most * factor_block_most];
    perp_operator *inverse = NULL;
    size_t count = 0;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < M->rows; i++) {
        count += s->start[s->part[i] + 1] - s->start[s->part[i]];
    }
    status = perp_operator_new_sparse(&inverse, M->rows, M->rows, 1, count, err);
    *out = inverse;
    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < M->rows; i++) {
        inverse->ptr[i + 1] =
            inverse->ptr[i] + s->start[s->part[i] + 1] - s->start[s->part[i]];
    }
    for (size_t first = 0; first < M->rows && status == PERP_OK; first++) {
        const int32_t *member = s->member + s->start[first];
        size_t k = s->start[first + 1] - s->start[first];

        for (size_t m = 0; m < k * k; m++) {
            B[m] = perp_operator_entry(M, (size_t)member[m % k], (size_t)member[m / k]);
        }
        status = k > 0 ? factor_invert(B, k, first, err) : PERP_OK;
        for (size_t m = 0; m < k * k; m++) {
            size_t at = inverse->ptr[member[m % k]] + m / k;
            double transposed = B[m / k + m % k * k];

            inverse->col[at] = member[m / k];
            inverse->x[at] = symmetric ? 0.5 * (B[m] + transposed) : B[m];
        }
    }
    return status;
}

/* The union of the columns of rows row .. row+dim-1 in `col`, ascending; their number. */
static size_t factor_union(const perp_operator *Jt, size_t row, size_t dim, int32_t *col)
{
    size_t cursor[factor_dim_most];
    size_t count = 0;

    memcpy(cursor, Jt->ptr + row, dim * sizeof *cursor);
    for (;; count++) {
        int32_t least = INT32_MAX;

        for (size_t r = 0; r < dim; r++) {
            if (cursor[r] < Jt->ptr[row + r + 1] && Jt->col[cursor[r]] < least) {
                least = Jt->col[cursor[r]];
            }
        }
        if (least == INT32_MAX) {
            return count;
        }
        col[count] = least;
        for (size_t r = 0; r < dim; r++) {
            cursor[r] += cursor[r] < Jt->ptr[row + r + 1] && Jt->col[cursor[r]] == least;
        }
    }
}

/* J in which the rows of one contact store the same columns. */
static perp_status factor_align(perp_operator **out, const perp_operator *Jt,
                                const perp_set *set, perp_error *err)
{
    size_t room = 0;
    perp_operator *J = NULL;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < set->count; k++) {
        size_t first = set->blocks[k].first;

        room +=
            set->blocks[k].dim * (Jt->ptr[first + set->blocks[k].dim] - Jt->ptr[first]);
    }
    status = perp_operator_new_sparse(&J, Jt->rows, Jt->cols, 1, room, err);
    *out = J;
    for (size_t k = 0; status == PERP_OK && k < set->count; k++) {
        size_t row = set->blocks[k].first;
        size_t dim = set->blocks[k].dim;
        size_t first = J->ptr[row];
        size_t count = factor_union(Jt, row, dim, J->col + first);

        for (size_t m = 0; m < dim * count; m++) {
            J->col[first + m] = J->col[first + m % count];
            J->x[first + m] =
                perp_operator_entry(Jt, row + m / count, (size_t)J->col[first + m]);
        }
        for (size_t r = 0; r < dim; r++) {
            J->ptr[row + r + 1] = first + (r + 1) * count;
        }
    }
    if (status == PERP_OK) {
        J->count = J->ptr[J->rows];
    }
    return status;
}

/* J and M^-1 of a global problem. */
static perp_status factor_parts(perp_operator **J, perp_operator **inverse,
                                const perp_problem *p, perp_workspace *ws,
                                perp_error *err)
{
    perp_operator *M = NULL;
    perp_operator *rows = NULL;
    factor_blocks s = {0};
    perp_status status =
        perp_operator_convert(&M, p->global->M, PERP_STORAGE_CSR, 1, err);

    if (status == PERP_OK) {
        status = factor_sort(&s, M, ws, err);
    }
    if (status == PERP_OK) {
        status = factor_inverse(inverse, M, &s, err);
    }
    if (status == PERP_OK) {
        status = perp_global_rows(&rows, p, err);
    }
    if (status == PERP_OK) {
        status = factor_align(J, rows, p->set, err);
    }
    perp_operator_free(M);
    perp_operator_free(rows);
    return status;
}

/* A = J M^-1 J^T and b = b_given + J M^-1 f. */
static perp_status factor_run(perp_operator **A, double *b, const perp_problem *p,
                              perp_workspace *ws, perp_error *err)
{
    perp_operator *J = NULL;
    perp_operator *inverse = NULL;
    double *v = perp_workspace_reals(ws, p->global->M->rows);
    perp_status status = factor_parts(&J, &inverse, p, ws, err);

    if (status == PERP_OK) {
        status = perp_operator_new_factored(A, J, inverse, NULL, err);
    }
    if (status == PERP_OK) {
        perp_operator_apply(inverse, p->global->f, v);
        perp_operator_apply(J, v, b);
        for (size_t i = 0; i < p->n; i++) {
            b[i] += p->b[i];
        }
    }
    perp_operator_free(J);
    perp_operator_free(inverse);
    return status;
}

static perp_status factor_problem(perp_problem **to, const perp_problem *p,
                                  perp_workspace *ws, perp_error *err)
{
    perp_operator *A = NULL;
    double *b = perp_reals_new(p->n);
    perp_status status = PERP_OK;

    if (!b) {
        return perp_fail(err, PERP_ERR_MEMORY, "factor: no memory for %zu rows", p->n);
    }
    status = factor_run(&A, b, p, ws, err);
    if (status != PERP_OK) {
        perp_operator_free(A);
        free(b);
        return status;
    }
    return perp_reform_problem_new(to, p, A, b, NULL, err);
}

static const perp_reform_type factor_type = {
    .name = "factor",
    .changes_physics = false,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
    .certificate = perp_reform_identity,
};

perp_status perp_reform_factor(perp_reform **t, const perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_factor", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_problem *to = NULL;
    perp_workspace *ws = NULL;
    perp_status status = perp_global_check(p, "factor", err);

    *t = NULL;
    if (status == PERP_OK) {
        status = perp_workspace_new(&ws, 0, err);
    }
    if (status == PERP_OK) {
        status = factor_problem(&to, p, ws, err);
    }
    perp_workspace_free(ws);
    if (status == PERP_OK) {
        status = perp_reform_new(t, &factor_type, p, to, NULL, err);
    }
    if (status == PERP_OK) {
        perp_reform_describe(*t, "global form kept in factors: %zu velocit%s, %zu row%s",
                             p->global->M->rows, perp_plural_y(p->global->M->rows), p->n,
                             perp_plural(p->n));
    }
    return status;
}

/* M and H of a problem in factors: the inverse of M^-1, and J^T. */
static perp_status unfactor_parts(perp_global *g, const perp_factored *factors,
                                  perp_error *err)
{
    perp_workspace *ws = NULL;
    factor_blocks s = {0};
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = factor_sort(&s, factors->Minv, ws, err);
    }
    if (status == PERP_OK) {
        status = factor_inverse(&g->M, factors->Minv, &s, err);
    }
    if (status == PERP_OK) {
        status = perp_global_transpose(&g->H, factors->J, err);
    }
    perp_workspace_free(ws);
    g->f = perp_reals_new(factors->nv);
    return status == PERP_OK && !g->f
               ? perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities",
                           factors->nv)
               : status;
}

static perp_status unfactor_problem(perp_problem *out, const perp_problem *p,
                                    perp_error *err)
{
    perp_status status = perp_set_copy(&out->set, p->set, err);

    out->n = p->n;
    out->law = p->law;
    out->b = perp_reals_new(p->n);
    out->global = calloc(1, sizeof *out->global);
    if (status != PERP_OK || !out->b || !out->global) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    memcpy(out->b, p->b, p->n * sizeof *out->b);
    return unfactor_parts(out->global, p->A->factored, err);
}

perp_status perp_reform_unfactor(perp_problem **out, const perp_problem *p,
                                 perp_error *err)
{
    const perp_factored *factors = p->A->factored;
    perp_status status = PERP_OK;

    *out = NULL;
    if (!factors || !factors->Minv) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "expected a global problem, or A in factors of J and M^-1");
    }
    for (size_t i = 0; i < p->n; i++) {
        if (factors->C[i] != 0.0) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "the global form has no place for the softness of row %zu",
                             i);
        }
    }
    status = perp_problem_new(out, err);
    if (status == PERP_OK) {
        status = unfactor_problem(*out, p, err);
    }
    if (status != PERP_OK) {
        perp_problem_free(*out);
        *out = NULL;
    }
    return status;
}
