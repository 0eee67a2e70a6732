/* SPDX-License-Identifier: Apache-2.0
 * splitting/plain.c: sweeps and nothing else, until they lead nowhere. */
#include <config.h>

#include "plain.h"

perp_status perp_plain_setup(plain *s, bool symmetric, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    s->sweep.blocks.way = LOCAL_EXACT;
    s->sweep.blocks.proximal = LOCAL_PROXIMAL;
    s->sweep.symmetric = symmetric;
    return perp_sweep_setup(&s->sweep, type->name, p, opt, ws, r, err);
}

perp_status perp_plain_iterate(void *state, perp_result *r, perp_error *err)
{
    plain *s = state;

    return perp_sweep_run(&s->sweep, r, err);
}

perp_status perp_plain_resume(void *state, double shift, perp_result *r, perp_error *err)
{
    plain *s = state;

    (void)r;
    (void)err;
    perp_sweep_refresh(&s->sweep, shift);
    return PERP_OK;
}

void perp_plain_close(void *state)
{
    plain *s = state;

    perp_sweep_close(&s->sweep);
}
