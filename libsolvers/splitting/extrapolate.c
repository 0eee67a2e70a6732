/* SPDX-License-Identifier: Apache-2.0
 * splitting/extrapolate.c: sweeps from points that a method predicts. */
#include <config.h>

#include "base/base.h"
#include "extrapolate.h"

/* Where such methods converge |g| decreases every few iterations; at worst 60 were observed. */
enum { PATIENCE = 100 };

perp_status perp_extrapolation_setup(extrapolation *e, const char *name,
                                     const perp_problem *p, const perp_options *opt,
                                     perp_workspace *ws, perp_result *r, perp_error *err)
{
    e->sweep.blocks.proximal = LOCAL_PROXIMAL;
    e->sweep.patches = perp_options_switch(opt, "patches");
    TRY(perp_sweep_setup(&e->sweep, name, p, opt, ws, r, err));
    e->n = p->n;
    e->weight = perp_workspace_reals(ws, p->n);
    e->y = perp_workspace_reals(ws, p->n);
    e->best = perp_workspace_reals(ws, p->n);
    if (!e->weight || !e->y || !e->best) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for points of %zu rows", p->n);
    }
    perp_sweep_weights(&e->sweep, e->weight);
    return PERP_OK;
}

perp_status perp_extrapolation_resume(extrapolation *e, double shift, perp_result *r,
                                      perp_error *err)
{
    perp_status status = perp_sweep_resume(&e->sweep, shift, r, err);

    perp_sweep_weights(&e->sweep, e->weight);
    return status;
}

void perp_extrapolation_start(extrapolation *e, const perp_result *r)
{
    memcpy(e->y, r->z, e->n * sizeof *e->y);
    memcpy(e->best, r->z, e->n * sizeof *e->best);
    e->least = INFINITY;
    e->found = r->iterations;
}

perp_status perp_extrapolation_sweep(extrapolation *e, double *squared, bool *lost,
                                     perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;
    double sum = 0.0;

    memcpy(r->z, e->y, e->n * sizeof *e->y);
    perp_sweep_moved(&e->sweep);
    status = perp_sweep_iterate(&e->sweep, r, err);
    if (status != PERP_OK || r->outcome != PERP_RUNNING) {
        return status;
    }
    for (size_t i = 0; i < e->n; i++) {
        double g = e->y[i] - r->z[i];

        sum += e->weight[i] * g * g;
    }
    if (sum < e->least) {
        e->least = sum;
        e->found = r->iterations;
        memcpy(e->best, r->z, e->n * sizeof *e->best);
    }
    *squared = sum;
    *lost = r->iterations - e->found >= PATIENCE;
    return PERP_OK;
}

void perp_extrapolation_return(extrapolation *e, perp_result *r)
{
    memcpy(r->z, e->best, e->n * sizeof *e->best);
    perp_sweep_moved(&e->sweep);
    r->run.restarted = r->iterations;
}
