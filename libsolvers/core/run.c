/* SPDX-License-Identifier: Apache-2.0
 * core/run.c: one solver at work on one problem, stepped by perp_solve or by a wrapper. */
#include <config.h>

#include "core/solvers.h"

/* Put the name of the solver before its reason, and before its error for a problem that it
 * cannot take or has no memory for. */
static perp_status run_name(const perp_run *run, perp_status status, perp_error *err)
{
    perp_result *r = run->r;

    if (r->outcome != PERP_RUNNING && r->reason[0]) {
        perp_message_name_solver(r->reason, sizeof r->reason, run->type, run->opt);
    }
    if ((status == PERP_ERR_UNSUITABLE || status == PERP_ERR_MEMORY) && err &&
        err->status == status) {
        perp_message_name_solver(err->text, sizeof err->text, run->type, run->opt);
    }
    return status;
}

/* A start other than zero is a guess of the solution. */
static void run_find_warm(perp_run *run)
{
    const perp_result *r = run->r;

    run->r->run.warm = false;
    for (size_t i = 0; i < run->p->n && !run->r->run.warm; i++) {
        run->r->run.warm = r->z[i] != 0.0;
    }
}

perp_status perp_run_start(perp_run *run, const perp_solver_type *type,
                           const perp_problem *p, const perp_options *opt,
                           perp_workspace *ws, perp_result *r, perp_error *err)
{
    perp_status status = perp_solver_check_law(type, opt, p, err);

    *run = (perp_run){.type = type, .p = p, .opt = opt, .ws = ws, .r = r};
    if (status != PERP_OK) {
        return run_name(run, status, err);
    }
    run->mark = perp_workspace_mark(ws);
    run_find_warm(run);
    run->state = perp_workspace_alloc(ws, 1, type->state_size);
    if (!run->state) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its state", type->name);
    }
    r->outcome = PERP_RUNNING;
    return run_name(run, type->setup(run->state, p, opt, ws, r, err), err);
}

perp_status perp_run_step(perp_run *run, perp_error *err)
{
    run->r->iterations++;
    return run_name(run, run->type->iterate(run->state, run->r, err), err);
}

perp_status perp_run_resume(perp_run *run, double shift, perp_error *err)
{
    const perp_run again = *run;

    run->r->outcome = PERP_RUNNING;
    run_find_warm(run);
    if (run->type->resume) {
        return run_name(run, run->type->resume(run->state, shift, run->r, err), err);
    }
    perp_run_end(run);
    return perp_run_start(run, again.type, again.p, again.opt, again.ws, again.r, err);
}

void perp_run_end(perp_run *run)
{
    if (run->state && run->type->close) {
        run->type->close(run->state);
    }
    if (run->ws) {
        perp_workspace_release(run->ws, run->mark);
    }
    run->state = NULL;
    run->ws = NULL;
}
