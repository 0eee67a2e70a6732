/* SPDX-License-Identifier: Apache-2.0
 * linear/active_block.c: the block A_FF of an active set, factored or followed a row at a time, and
 * solved.
 *
 * A symmetric A has its blocks factored by Cholesky, dense ones that change a row at a time by
 * L D L^T under update; any other by LU. Symmetry is decided once, before the first step. A
 * symmetric matrix that turns out indefinite goes on with LU. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "linear/active_set.h"

/* A pivot of a symmetric block is none below this part of its diagonal entry. */
#define ACTIVE_PIVOT 1e-14
/* Curvature that is below zero by more than this part is no rounding: A is indefinite. */
#define ACTIVE_INDEFINITE 1e-10

/* What stands against a symmetric block: is A indefinite along x? */
static bool active_indefinite(const active_set *a, const double *x)
{
    double curvature = 0.0;
    double size = 0.0;

    for (size_t i = 0; i < a->n; i++) {
        if (x[i] != 0.0) {
            perp_row_sum row = perp_operator_row_sum(a->p->A, i, x);

            curvature += x[i] * row.sum;
            size += fabs(x[i]) * row.size;
        }
    }
    return curvature < -ACTIVE_INDEFINITE * size;
}

/* End at a singular block; x (n), if it is not NULL, is the certificate. */
static perp_status active_refuse(active_set *a, size_t place, const double *x,
                                 perp_result *r, perp_error *err)
{
    char why[128];

    TRY(x ? perp_result_certify_singular(r, x, err) : PERP_OK);
    snprintf(why, sizeof why, "%s: the block of %zu active rows is singular, step %zu",
             a->name, a->k, r->iterations);
    return perp_result_refuse(r, PERP_SINGULAR_BLOCK, place, why);
}

/* A symmetric block has no pivot at `place`, of which x (n or NULL) is the certificate. Goes on with LU if A is
 * indefinite, since then a block can be regular all the same. */
static perp_status active_not_positive(active_set *a, size_t place, const double *x,
                                       perp_result *r, perp_error *err)
{
    if (!x || !active_indefinite(a, x)) {
        return active_refuse(a, place, x, r, err);
    }
    perp_result_log(r, "%s: A is indefinite at row %zu, its blocks by LU", a->name,
                    place);
    a->chained = false;
    a->kind = PERP_FACTOR_LU;
    return a->factor ? perp_factor_set_kind(a->factor, a->p->A, a->kind, err)
                     : perp_factor_new(&a->factor, a->p->A, a->kind, a->ws, err);
}

/* Row i enters the chain; false without a pivot. a->x := L^-1 A_Fi. */
static bool active_enter(active_set *a, size_t i)
{
    double diagonal = perp_operator_diagonal(a->p->A, i);
    double pivot = 0.0;

    for (size_t j = 0; j < a->k; j++) {
        a->x[j] = perp_operator_entry(a->p->A, a->rows[j], i);
    }
    perp_ldlt_forward(&a->chain, 0, a->x);
    pivot = perp_ldlt_pivot(&a->chain, a->x, diagonal);
    if (!(pivot > ACTIVE_PIVOT * fabs(diagonal))) {
        return false;
    }
    perp_ldlt_add(&a->chain, a->x, pivot);
    a->rows[a->k++] = i;
    return true;
}

static void active_leave(active_set *a, size_t q)
{
    perp_ldlt_remove(&a->chain, q);
    memmove(a->rows + q, a->rows + q + 1, (a->k - q - 1) * sizeof *a->rows);
    a->k--;
}

/* The row that found no pivot: L^T x = L^-1 A_Fi shows on which rows it depends. */
static perp_status active_chain_failed(active_set *a, size_t i, perp_result *r,
                                       perp_error *err)
{
    double *x = a->v;

    for (size_t j = 0; j < a->k; j++) {
        a->x[j] /= -a->chain.d[j];
    }
    perp_ldlt_backward(&a->chain, a->x);
    memset(x, 0, a->n * sizeof *x);
    for (size_t j = 0; j < a->k; j++) {
        x[a->rows[j]] = a->x[j];
    }
    x[i] = 1.0;
    return active_not_positive(a, i, x, r, err);
}

/* The chain follows the states: rows leave, rows enter. */
static perp_status active_chain(active_set *a, perp_result *r, perp_error *err)
{
    for (size_t q = a->k; q-- > 0;) {
        if (a->states[a->rows[q]] != PERP_STATE_FREE) {
            r->work.flops_factor += 2.0 * (double)(a->k - q) * (double)(a->k - q);
            active_leave(a, q);
        }
    }
    memset(a->w, 0, a->n * sizeof *a->w); /* marks those inside */
    for (size_t q = 0; q < a->k; q++) {
        a->w[a->rows[q]] = 1.0;
    }
    a->fresh = a->k == 0;
    r->work.factorizations += a->fresh;
    for (size_t i = 0; i < a->n; i++) {
        if (a->states[i] == PERP_STATE_FREE && a->w[i] == 0.0) {
            r->work.flops_factor += (double)a->k * (double)a->k;
            if (!active_enter(a, i)) {
                return active_chain_failed(a, i, r, err);
            }
        }
    }
    return PERP_OK;
}

/* In factors: S has none, or the refinement does not converge. */
static perp_status active_velocity_failed(active_set *a, perp_result *r, perp_error *err)
{
    const double *y = a->velocity.y;

    for (size_t i = 0; i < a->n; i++) {
        a->v[i] = a->L[i] * y[i];
    }
    return active_refuse(a, perp_velocity_step_failed_row(&a->velocity), a->v, r, err);
}

perp_status perp_active_block_factor(active_set *a, perp_result *r, perp_error *err)
{
    bool done = false;
    bool proven = false;
    perp_status status = PERP_OK;

    if (a->chained) {
        return active_chain(a, r, err);
    }
    a->k = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (a->states[i] == PERP_STATE_FREE) {
            a->rows[a->k++] = i;
        }
    }
    a->fresh = true;
    if (a->L) {
        status = perp_active_velocity_factor(a, r, &done, err);
        return status == PERP_OK && !done ? active_velocity_failed(a, r, err) : status;
    }
    status = perp_factor_block(a->factor, a->p->A, a->rows, a->k, &done, err);
    perp_factor_count(a->factor, &r->work);
    if (status != PERP_OK || done) {
        return status;
    }
    proven = perp_factor_null_vector(a->factor, a->p->A, a->v);
    return a->kind == PERP_FACTOR_LU
               ? active_refuse(a, perp_factor_failed_row(a->factor), proven ? a->v : NULL,
                               r, err)
               : active_not_positive(a, perp_factor_failed_row(a->factor),
                                     proven ? a->v : NULL, r, err);
}

perp_status perp_active_block_correct(active_set *a, perp_result *r, perp_error *err)
{
    if (a->L) {
        return perp_active_velocity_correct(a, r) ? PERP_OK
                                                  : active_velocity_failed(a, r, err);
    }
    for (size_t j = 0; j < a->k; j++) {
        a->x[j] = a->w[a->rows[j]];
    }
    if (a->chained) {
        perp_ldlt_solve(&a->chain, a->x);
    } else {
        perp_factor_solve(a->factor, a->x);
    }
    for (size_t j = 0; j < a->k; j++) {
        a->z[a->rows[j]] -= a->x[j];
    }
    return PERP_OK;
}

perp_status perp_active_set_follow_rows(active_set *a, perp_error *err)
{
    if (a->chained || a->kind != PERP_FACTOR_CHOLESKY ||
        a->p->A->type->storage != PERP_STORAGE_DENSE) {
        return PERP_OK;
    }
    if (!a->chain.L) {
        perp_ldlt_new(&a->chain, a->n, a->ws);
    }
    a->chained = true;
    a->chain.k = 0;
    a->k = 0;
    return perp_workspace_status(a->ws, err);
}
