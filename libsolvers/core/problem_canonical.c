/* SPDX-License-Identifier: Apache-2.0
 * core/problem_canonical.c: one form for all problems that are equal, whatever they were read from.
 *
 * perp_problem_hash skips zeros and takes -0 for 0. Here these differences are removed from the
 * problem itself, and the storage of its matrices follows from their entries, so that solvers
 * compute the same bits for the same hash. */
#include <config.h>

#include "core/solvers.h"

static void canonical_reals(double *x, size_t n)
{
    for (size_t i = 0; x && i < n; i++) {
        x[i] += 0.0;
    }
}

/* No -0 among the parameters of K. */
static void canonical_set(perp_set *set)
{
    for (size_t k = 0; k < set->count; k++) {
        perp_block *block = &set->blocks[k];

        block->lo += 0.0;
        block->hi += 0.0;
        block->mu += 0.0;
        block->mu_rolling += 0.0;
        block->radius += 0.0;
    }
}

static perp_status canonical_global(perp_global *g, perp_error *err)
{
    perp_operator **const matrices[] = {&g->M, &g->H, &g->G};
    perp_status status = PERP_OK;

    for (size_t k = 0; k < 3 && status == PERP_OK; k++) {
        if (*matrices[k]) {
            status = perp_operator_canonical(matrices[k], 0, err);
        }
    }
    canonical_reals(g->f, g->M ? g->M->rows : 0);
    return status;
}

perp_status perp_problem_canonical(perp_problem *p, perp_error *err)
{
    perp_status status = perp_check_arguments(p && p->set && p->b && (p->A || p->global),
                                              "perp_problem_canonical", err);
    const perp_operator *A = NULL;
    const perp_operator_type *type = NULL;

    if (status != PERP_OK) {
        return status;
    }
    if (p->borrows_b || p->borrows_set) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "perp_problem_canonical: b or the set belongs to the caller");
    }
    A = p->A;
    type = A ? A->type : NULL;
    canonical_set(p->set);
    canonical_reals(p->b, p->n);
    if (p->A) {
        status = perp_operator_canonical(&p->A, perp_set_block_size(p->set), err);
    }
    if (status == PERP_OK && p->global) {
        status = canonical_global(p->global, err);
    }
    /* what the check has found holds for the storage that it has seen */
    p->sealed = p->sealed && A == p->A && (!A || type == p->A->type) && !p->global;
    return status;
}
