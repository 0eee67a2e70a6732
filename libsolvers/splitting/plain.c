/* SPDX-License-Identifier: Apache-2.0
 * splitting/plain.c: sweeps and nothing else, until they lead nowhere. */
#include <config.h>

#include "plain.h"

perp_status plain_setup(plain *s, bool symmetric, const perp_solver_type *type,
                        const perp_problem *p, const perp_options *opt,
                        perp_workspace *ws, perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    s->sweep.blocks.way = LOCAL_EXACT;
    s->sweep.blocks.proximal = LOCAL_PROXIMAL;
    s->sweep.symmetric = symmetric;
    status = sweep_setup(&s->sweep, type->name, p, opt, ws, r, err);
    if (status == PERP_OK) {
        status = progress_setup(&s->progress, p, opt, sweep_check_every(opt, type), ws, r,
                                err);
    }
    return status;
}

perp_status plain_iterate(void *state, perp_result *r, perp_error *err)
{
    plain *s = state;
    perp_status status = sweep_run(&s->sweep, r, err);

    if (status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = progress_check(&s->progress, r);
    }
    return status;
}

perp_status plain_resume(void *state, double shift, perp_result *r, perp_error *err)
{
    plain *s = state;

    (void)err;
    sweep_refresh(&s->sweep, shift);
    progress_restart(&s->progress, r);
    return PERP_OK;
}

void plain_close(void *state)
{
    plain *s = state;

    sweep_close(&s->sweep);
}
