/* SPDX-License-Identifier: Apache-2.0
 * core/problem_check.c: what solvers rely on is checked, once for a problem that is sealed. */
#include <config.h>

#include <perp/blas.h>

#include "base/base.h"
#include "core/solvers.h"

static perp_status check_matrix(const perp_operator *A, const char *name, perp_error *err)
{
    size_t i = 0;
    size_t j = 0;

    if (perp_operator_find_nonfinite(A, &i, &j)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s[%zu,%zu] is %g, expected a finite number", name, i, j,
                         perp_operator_entry(A, i, j));
    }
    return PERP_OK;
}

static perp_status check_vector(const double *x, size_t n, const char *name,
                                perp_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "%s[%zu] is %g, expected a finite number", name, i, x[i]);
        }
    }
    return PERP_OK;
}

static perp_status check_coefficient(double value, const char *name, size_t k,
                                     perp_error *err)
{
    if (!(value >= 0.0) || !isfinite(value)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s[%zu] is %g, expected a finite number >= 0", name, k, value);
    }
    return PERP_OK;
}

/* The scalar block that owns a row, or NULL; blocks ascend, so bisect. */
static const perp_block *block_at(const perp_set *set, size_t row)
{
    size_t low = 0;
    size_t high = set->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (set->blocks[middle].first <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low && set->blocks[low - 1].dim == 1 && set->blocks[low - 1].first == row
               ? &set->blocks[low - 1]
               : NULL;
}

static perp_status check_friction(const perp_set *set, size_t k, perp_error *err)
{
    const perp_block *block = &set->blocks[k];
    const perp_block *normal = block_at(set, block->normal);

    if (!normal || !(normal->kind == PERP_SET_NONNEG ||
                     (normal->kind == PERP_SET_BOX && normal->lo >= 0.0))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "row %zu is bounded by row %zu, expected a row with z >= 0",
                         block->first, block->normal);
    }
    return check_coefficient(block->mu, "mu of row ", block->first, err);
}

/* Solvers and the judge read lo and hi of these rows, too (perp_block_bounds). */
static perp_status check_bounds(const perp_block *block, double lo, perp_error *err)
{
    if (block->lo == lo && block->hi == INFINITY) {
        return PERP_OK;
    }
    return perp_fail(
        err, PERP_ERR_DATA,
        "bounds of row %zu, which is %s, are lo = %g, hi = %g, expected %g and "
        "inf; perp_set_add_%s sets them",
        block->first, perp_set_kind_name(block->kind), block->lo, block->hi, lo,
        perp_set_kind_name(block->kind));
}

static perp_status check_block(const perp_set *set, size_t k, perp_error *err)
{
    const perp_block *block = &set->blocks[k];
    perp_status status = PERP_OK;

    switch (block->kind) {
    case PERP_SET_FREE:
        return check_bounds(block, -INFINITY, err);
    case PERP_SET_NONNEG:
        return check_bounds(block, 0.0, err);
    case PERP_SET_BOX:
        if (!(block->lo <= block->hi) || block->lo == INFINITY ||
            block->hi == -INFINITY) {
            return perp_fail(
                err, PERP_ERR_DATA, "bounds of row %zu are lo = %g, hi = %g, expected %s",
                block->first, block->lo, block->hi,
                block->lo <= block->hi ? "lo < inf and hi > -inf" : "lo <= hi");
        }
        return PERP_OK;
    case PERP_SET_FRICTION:
        return check_friction(set, k, err);
    case PERP_SET_CONE:
        if (block->dim != 2 && block->dim != 3) {
            return perp_fail(err, PERP_ERR_DATA,
                             "cone %zu has dimension %u, expected 2 or 3", k, block->dim);
        }
        return check_coefficient(block->mu, "mu", k, err);
    case PERP_SET_ROLLING:
        status = check_coefficient(block->mu, "mu", k, err);
        return status == PERP_OK
                   ? check_coefficient(block->mu_rolling, "mu_rolling", k, err)
                   : status;
    case PERP_SET_DISK:
        return check_coefficient(block->radius, "radius", k, err);
    }
    return perp_fail(err, PERP_ERR_DATA, "block %zu has the unknown kind %d", k,
                     (int)block->kind);
}

static perp_status check_set(const perp_problem *p, perp_error *err)
{
    size_t row = 0;

    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        perp_status status = check_block(p->set, k, err);

        if (status != PERP_OK) {
            return status;
        }
        if (block->first != row) {
            return perp_fail(err, PERP_ERR_DATA,
                             "block %zu starts at row %zu, expected %zu", k, block->first,
                             row);
        }
        row += block->dim;
    }
    if (row != p->n || p->set->n != p->n) {
        return perp_fail(err, PERP_ERR_DATA, "the set covers %zu row%s, expected %zu",
                         row, perp_plural(row), p->n);
    }
    return PERP_OK;
}

static perp_status check_global(const perp_problem *p, perp_error *err)
{
    const perp_global *g = p->global;
    size_t cols = g->H->cols + (g->G ? g->G->cols : 0);

    if (g->M->rows != g->M->cols || g->H->rows != g->M->rows ||
        (g->G && g->G->rows != g->M->rows) || cols != p->n) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "M is %zu x %zu and H %zu x %zu, expected a square M, as many rows "
            "of H, and %zu column%s of H (and G)",
            g->M->rows, g->M->cols, g->H->rows, g->H->cols, p->n, perp_plural(p->n));
    }
    TRY(check_matrix(g->M, "M", err));
    TRY(check_matrix(g->H, "H", err));
    if (g->G) {
        TRY(check_matrix(g->G, "G", err));
    }
    return check_vector(g->f, g->M->rows, "f", err);
}

/* A is finite where its entries are known. */
static perp_status check_problem(const perp_problem *p, perp_entries *entries,
                                 perp_error *err)
{
    perp_status status = PERP_OK;

    *entries = (perp_entries){.known = false};
    if (!p->set || !p->b || (!p->A && !p->global)) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "a problem needs A or M, b and a set");
    }
    status = check_set(p, err);
    if (status == PERP_OK) {
        status = perp_labels_check(p, err);
    }
    if (status == PERP_OK && p->A && (p->A->rows != p->n || p->A->cols != p->n)) {
        status = perp_fail(err, PERP_ERR_DATA, "A is %zu x %zu, expected %zu x %zu",
                           p->A->rows, p->A->cols, p->n, p->n);
    }
    if (status == PERP_OK && p->A) {
        *entries = perp_operator_measure(p->A);
        status = entries->known ? PERP_OK : check_matrix(p->A, "A", err);
    }
    if (status == PERP_OK) {
        status = check_vector(p->b, p->n, "b", err);
    }
    return status == PERP_OK && p->global ? check_global(p, err) : status;
}

perp_status perp_problem_check(const perp_problem *p, perp_error *err)
{
    perp_entries entries;

    TRY(perp_check_arguments(p, "perp_problem_check", err));
    return check_problem(p, &entries, err);
}

perp_status perp_problem_seal(perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(p, "perp_problem_seal", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = PERP_OK;

    if (!p->sealed) {
        status = perp_blas_reserve(err);
    }
    if (status == PERP_OK && !p->sealed) {
        status = check_problem(p, &p->entries, err);
        p->sealed = status == PERP_OK;
    }
    return status;
}
