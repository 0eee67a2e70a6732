/* SPDX-License-Identifier: Apache-2.0
 * interior/crossover.c: an active set read from a point, and steps on it. */
#include <config.h>

#include "crossover.h"

enum {
    STEPS = 12,      /* degenerate rows need some six to find the set, others one */
    WORSE_STEPS = 3, /* steps without improvement; degenerate rows may need two */
};

void perp_crossover_alloc(perp_crossover *c, size_t n, perp_workspace *ws)
{
    c->rows = perp_workspace_sizes(ws, n);
    c->x = perp_workspace_reals(ws, n);
    c->step = perp_workspace_reals(ws, n);
}

/* F at x with velocities w, and x on its bounds outside of F; whether F has changed. */
static bool crossover_update_set(perp_crossover *c, const perp_path *t, const double *w)
{
    const perp_set *set = t->p->set;
    size_t rank = 0;
    bool changed = false;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        size_t i = block->first;
        double lo = 0.0;
        double hi = 0.0;
        double y = c->x[i] - w[i] / t->d[i];

        perp_block_bounds(block, c->x, &lo, &hi);
        if (y <= lo || y >= hi) {
            c->x[i] = y <= lo ? lo : hi;
            continue;
        }
        changed = changed || rank >= c->rank || c->rows[rank] != i;
        c->rows[rank++] = i;
    }
    changed = changed || rank != c->rank;
    c->rank = rank;
    return changed;
}

static double crossover_judge(perp_path *t, const double *x, perp_work *work)
{
    work->products += 1.0;
    return perp_judge_residual(t->judge, x);
}

/* One step on F. The better of two points replaces z: x on its bounds before the step, which is
 * all that remains where A_FF is singular, and x after it. */
static perp_status crossover_step(perp_crossover *c, perp_path *t, double *z,
                                  double *residual, bool *improved, perp_work *work,
                                  perp_error *err)
{
    const double *w = perp_judge_w(t->judge);
    bool done = true;
    bool changed = crossover_update_set(c, t, w);
    double at = crossover_judge(t, c->x, work);
    perp_status status = PERP_OK;

    *improved = at < *residual;
    if (*improved) {
        *residual = at;
        memcpy(z, c->x, t->p->n * sizeof *z);
    }
    if (changed) {
        status =
            perp_ipm_kkt_factor_block(&t->kkt, c->rows, c->rank, false, work, &done, err);
    }
    if (status != PERP_OK || !done) {
        c->rank = SIZE_MAX; /* nothing is factored */
        return status;
    }
    for (size_t k = 0; k < c->rank; k++) {
        c->step[k] = -w[c->rows[k]];
    }
    perp_ipm_kkt_solve_block(&t->kkt, c->step);
    for (size_t k = 0; k < c->rank; k++) {
        c->x[c->rows[k]] += c->step[k];
    }
    at = crossover_judge(t, c->x, work);
    if (at < *residual) {
        *improved = true;
        *residual = at;
        memcpy(z, c->x, t->p->n * sizeof *z);
    }
    return PERP_OK;
}

perp_status perp_crossover_run(perp_crossover *c, perp_path *t, double *z,
                               double *residual, perp_work *work, perp_error *err)
{
    perp_status status = PERP_OK;
    bool improved = true;
    size_t worse = 0;

    c->rank = SIZE_MAX;
    c->steps = 0;
    memcpy(c->x, z, t->p->n * sizeof *z);
    for (size_t k = 0; *residual > 0.0 && worse < WORSE_STEPS && k < STEPS; k++) {
        status = crossover_step(c, t, z, residual, &improved, work, err);
        if (status != PERP_OK || c->rank == SIZE_MAX) {
            return status;
        }
        worse = improved ? 0 : worse + 1;
        c->steps = improved ? k + 1 : c->steps;
    }
    return status;
}
