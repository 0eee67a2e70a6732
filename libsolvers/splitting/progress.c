/* SPDX-License-Identifier: Apache-2.0
 * splitting/progress.c: whether sweeps still lead anywhere, and what it means if not.
 *
 * Where a problem has no solution the iterates of a sweep run away along a line; its
 * direction is tried as a certificate, and only if that checks is «infeasible» said. */
#include <config.h>

#include "progress.h"

perp_status perp_progress_setup(progress *w, const perp_problem *p,
                                const perp_options *opt, size_t every, perp_workspace *ws,
                                perp_result *r, perp_error *err)
{
    size_t window = (size_t)perp_options_integer(opt, "stall-sweeps");

    w->p = p;
    w->every = every;
    w->window = window && window < 2 * every ? 2 * every : window;
    w->before = perp_workspace_reals(ws, p->n);
    w->direction = perp_workspace_reals(ws, p->n);
    if (!w->before || !w->direction) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to watch %zu rows", p->n);
    }
    perp_progress_restart(w, r);
    return PERP_OK;
}

void perp_progress_restart(progress *w, const perp_result *r)
{
    w->from = r->iterations;
    w->least = w->least_before = INFINITY;
    memcpy(w->before, r->z, w->p->n * sizeof *w->before);
}

bool perp_progress_proves_infeasible(const perp_problem *p, const double *before,
                                     double *direction, perp_result *r)
{
    for (size_t i = 0; i < p->n; i++) {
        direction[i] = r->z[i] - before[i];
    }
    return perp_all_finite(direction, p->n) && perp_certificate_grown(p, direction, r);
}

/* Stalled: two windows whose least residuals differ by less than 1 %. At 1 % in 2000 sweeps
 * eight digits would take four million; what converges in 1e5 gains 30 % in as many. */
perp_status perp_progress_check(progress *w, perp_result *r)
{
    size_t sweeps = r->iterations - w->from;

    if (sweeps > w->every) { /* until then the last judgement is older than the window */
        w->least = fmin(w->least, r->residual);
    }
    if (w->window == 0 || sweeps < w->window || !isfinite(w->least)) {
        return PERP_OK;
    }
    if (w->least > 0.99 * w->least_before) {
        if (perp_progress_proves_infeasible(w->p, w->before, w->direction, r)) {
            return perp_result_end(
                r, PERP_INFEASIBLE,
                "the sweeps run away, and the way of %zu proves that nothing stops them",
                sweeps);
        }
        return perp_result_end(
            r, PERP_STALLED, "RES %.2e fell by less than 1 %% in %zu sweeps, least %.2e",
            w->least, w->window, fmin(w->least, w->least_before));
    }
    w->least_before = fmin(w->least, w->least_before);
    w->least = INFINITY;
    w->from = r->iterations;
    memcpy(w->before, r->z, w->p->n * sizeof *w->before);
    return PERP_OK;
}
