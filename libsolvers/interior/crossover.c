/* SPDX-License-Identifier: Apache-2.0
 * interior/crossover.c: an active set read from a point, and steps on it. */
#include <config.h>

#include "crossover.h"

enum {
    STEPS = 12,   /* of degenerate rows the set is found in some six, else in one */
    PATIENCE = 3, /* steps that do not improve; on degenerate rows two may go astray */
};

bool perp_crossover_init(perp_crossover *c, size_t n, perp_workspace *ws)
{
    c->rows = perp_workspace_sizes(ws, n);
    c->x = perp_workspace_reals(ws, n);
    c->step = perp_workspace_reals(ws, n);
    return c->rows && c->x && c->step;
}

/* F at x with velocities w, and x to its bounds outside; whether F is another than before. */
static bool read_set(perp_crossover *c, const perp_path *t, const double *w)
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

static double judge(perp_path *t, const double *x, perp_work *work)
{
    work->products += 1.0;
    return perp_judge_residual(t->judge, x);
}

/* x := a point on F; its residual. The point before the step on F, z rounded to its bounds,
 * counts as well: it is what is left where A_FF has no inverse. */
static perp_status advance(perp_crossover *c, perp_path *t, double *z, double *residual,
                           bool *kept, perp_work *work, perp_error *err)
{
    const double *w = perp_judge_w(t->judge);
    bool done = true;
    bool changed = read_set(c, t, w);
    double at = judge(t, c->x, work);
    perp_status status = PERP_OK;

    *kept = at < *residual;
    if (*kept) {
        *residual = at;
        memcpy(z, c->x, t->p->n * sizeof *z);
    }
    if (changed) {
        status = perp_kernel_factor_block(&t->kernel, c->rows, c->rank, false, work,
                                          &done, err);
    }
    if (status != PERP_OK || !done) {
        c->rank = SIZE_MAX; /* nothing is factored */
        return status;
    }
    for (size_t k = 0; k < c->rank; k++) {
        c->step[k] = -w[c->rows[k]];
    }
    perp_factor_solve(t->kernel.f, c->step);
    for (size_t k = 0; k < c->rank; k++) {
        c->x[c->rows[k]] += c->step[k];
    }
    at = judge(t, c->x, work);
    if (at < *residual) {
        *kept = true;
        *residual = at;
        memcpy(z, c->x, t->p->n * sizeof *z);
    }
    return PERP_OK;
}

perp_status perp_crossover_run(perp_crossover *c, perp_path *t, double *z,
                               double *residual, perp_work *work, perp_error *err)
{
    perp_status status = PERP_OK;
    bool kept = true;
    size_t idle = 0;

    c->rank = SIZE_MAX;
    c->steps = 0;
    memcpy(c->x, z, t->p->n * sizeof *z);
    for (size_t k = 0; k < STEPS && idle<PATIENCE && * residual> 0.0; k++) {
        status = advance(c, t, z, residual, &kept, work, err);
        if (status != PERP_OK || c->rank == SIZE_MAX) {
            return status;
        }
        idle = kept ? 0 : idle + 1;
        c->steps = kept ? k + 1 : c->steps;
    }
    return status;
}
