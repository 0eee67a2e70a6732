/* SPDX-License-Identifier: Apache-2.0
 * splitting/plain.c: sweeps and nothing else, until they lead nowhere. */
#include <config.h>

#include "plain.h"

perp_status perp_plain_setup(plain *s, bool symmetric, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    s->sweep.blocks.way = LOCAL_EXACT;
    s->sweep.blocks.proximal = LOCAL_PROXIMAL;
    s->sweep.symmetric = symmetric;
    status = perp_sweep_setup(&s->sweep, type->name, p, opt, ws, r, err);
    if (status == PERP_OK) {
        status = perp_progress_setup(&s->progress, p, opt,
                                     perp_sweep_check_every(opt, type), ws, r, err);
    }
    return status;
}

perp_status perp_plain_iterate(void *state, perp_result *r, perp_error *err)
{
    plain *s = state;
    perp_status status = perp_sweep_run(&s->sweep, r, err);

    if (status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = perp_progress_check(&s->progress, r);
    }
    return status;
}

perp_status perp_plain_resume(void *state, double shift, perp_result *r, perp_error *err)
{
    plain *s = state;

    (void)err;
    perp_sweep_refresh(&s->sweep, shift);
    perp_progress_restart(&s->progress, r);
    return PERP_OK;
}

void perp_plain_close(void *state)
{
    plain *s = state;

    perp_sweep_close(&s->sweep);
}
