/* SPDX-License-Identifier: Apache-2.0
 * step/expansion.c: the problem of Poisson's second half, with all of its friction.
 *
 * Friction during expansion is bounded by the normal impulse p_n = g + d_n, g given back
 * and d_n additional. A disk of radius mu (g + d_n) is the sum of one of radius mu g and
 * one of radius mu d_n, and each part takes the direction that dissipates most. So a
 * contact keeps its cone for d and gets friction rows once more, in a set of fixed size,
 *
 *     cone, associated    DISK of radius mu g, BOX +-mu g in the plane; rolling moments
 *                         alike
 *     box                 BOX +-mu g, each tangent
 *     pyramid             none: its auxiliary row mu p_n - sum beta >= 0 has mu g in b
 *
 * with the J of their twins: A is singular along the difference of the two, which moves
 * nothing. */
#include <config.h>

#include <stdlib.h>

#include "problem/parts.h"
#include "step/expansion.h"

static bool expansion_has_extra(const perp_stepper *st, const perp_row_block *block)
{
    return block->role == PERP_ROLE_CONTACT && block->dim > 1 &&
           st->scheme.model != PERP_MODEL_PYRAMID &&
           st->rows.z_returned[block->first] > 0.0 &&
           st->contacts.at[block->source].mu > 0.0;
}

static size_t expansion_count_extra(const perp_stepper *st)
{
    const perp_rows *rows = &st->system.rows;
    size_t extra = 0;

    for (size_t k = 0; k < rows->block_count; k++) {
        if (expansion_has_extra(st, &rows->blocks[k])) {
            extra += rows->blocks[k].dim - 1U;
        }
    }
    return extra;
}

static void expansion_add_block(perp_set *set, perp_set_kind kind, unsigned dim,
                                double bound)
{
    perp_block b = {.kind = kind, .dim = dim, .first = set->n};

    if (kind == PERP_SET_DISK) {
        b.radius = bound;
    } else {
        b.lo = -bound;
        b.hi = bound;
    }
    set->blocks[set->count++] = b;
    set->n += dim;
}

/* Row `to` acts as row `from` does. */
static void expansion_add_row(step_expansion *x, const perp_rows *rows, size_t to,
                              size_t from)
{
    double made[12];

    memcpy(x->J + 12 * to, perp_rows_row(rows, from, made), sizeof made);
    memcpy(x->body + 2 * to, perp_rows_bodies(rows, from), 2 * sizeof *x->body);
}

/* Twins of the friction rows of one contact, and their sets. */
static void expansion_add_contact(step_expansion *x, const perp_stepper *st,
                                  const perp_row_block *block)
{
    const perp_rows *rows = &st->system.rows;
    const perp_contact *c = &st->contacts.at[block->source];
    double g = st->rows.z_returned[block->first];
    bool box = st->scheme.model == PERP_MODEL_BOX;

    for (size_t d = 1; d < block->dim; d++) {
        size_t from = block->first + d;
        size_t to = rows->count + x->extra;

        expansion_add_row(x, rows, to, from);
        x->C[to] = 0.0;
        x->b[to] = st->rows.b[from];
        x->twin[x->extra++] = from;
        if (box || block->dim == 2) {
            expansion_add_block(&x->set, PERP_SET_BOX, 1, c->mu * g);
        } else if (d % 2 == 1) {
            expansion_add_block(&x->set, PERP_SET_DISK, 2,
                                (d == 1 ? c->mu : c->mu_rolling) * g);
        }
    }
}

static bool expansion_take(step_expansion *x, size_t rows, size_t extra, size_t blocks)
{
    size_t n = rows + extra;

    x->J = math_alloc(n, 12 * sizeof *x->J);
    x->C = math_alloc(n, sizeof *x->C);
    x->b = math_alloc(n, sizeof *x->b);
    x->body = math_alloc(n, 2 * sizeof *x->body);
    x->twin = math_alloc(extra, sizeof *x->twin);
    x->blocks = math_alloc(blocks + extra, sizeof *x->blocks);
    return x->J && x->C && x->b && x->body && x->twin && x->blocks;
}

/* The rows of the first half, then the extra ones. */
static void expansion_fill(step_expansion *x, const perp_stepper *st)
{
    const perp_rows *rows = &st->system.rows;
    const perp_set *set = st->system.problem.set;
    size_t n = rows->count;

    for (size_t r = 0; r < n; r++) {
        expansion_add_row(x, rows, r, r);
    }
    memcpy(x->C, rows->soft, n * sizeof *x->C);
    memcpy(x->b, st->rows.b, n * sizeof *x->b);
    memcpy(x->blocks, set->blocks, set->count * sizeof *x->blocks);
    x->set = (perp_set){.n = n, .count = set->count, .blocks = x->blocks};
    for (size_t k = 0; k < rows->block_count; k++) {
        if (expansion_has_extra(st, &rows->blocks[k])) {
            expansion_add_contact(x, st, &rows->blocks[k]);
        }
    }
    x->pairs = (perp_pairs){.rows = n + x->extra,
                            .J = x->J,
                            .body = x->body,
                            .C = rows->any_soft ? x->C : NULL,
                            .bodies = st->system.bodies,
                            .inverse_mass = st->system.inverse_mass,
                            .inverse_inertia = st->system.inverse_inertia};
}

perp_status step_expansion_make(step_expansion *x, const perp_stepper *st,
                                perp_error *err)
{
    const perp_rows *rows = &st->system.rows;
    size_t extra = expansion_count_extra(st);
    perp_operator *A = NULL;
    perp_status status = PERP_OK;

    memset(x, 0, sizeof *x);
    x->problem = st->system.problem;
    x->problem.b = st->rows.b;
    if (extra == 0) {
        return PERP_OK;
    }
    if (!expansion_take(x, rows->count, extra, x->problem.set->count)) {
        step_expansion_free(x);
        return perp_fail(err, PERP_ERR_MEMORY, "step: no memory for %zu rows",
                         rows->count + extra);
    }
    expansion_fill(x, st);
    status = system_operator_of(&st->system, &x->pairs, &A, err);
    x->problem.A = A; /* NULL where that failed */
    if (status != PERP_OK) {
        step_expansion_free(x);
        return status;
    }
    x->problem.n = x->set.n;
    x->problem.b = x->b;
    x->problem.set = &x->set;
    return PERP_OK;
}

void step_expansion_fold(const step_expansion *x, double *z)
{
    size_t n = x->problem.n - x->extra;

    for (size_t k = 0; k < x->extra; k++) {
        z[x->twin[k]] += z[n + k];
    }
}

void step_expansion_free(step_expansion *x)
{
    if (x->extra > 0) {
        perp_operator_free(x->problem.A);
    }
    free(x->twin);
    free(x->J);
    free(x->C);
    free(x->b);
    free(x->body);
    free(x->blocks);
    memset(x, 0, sizeof *x);
}
