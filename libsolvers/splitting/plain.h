/* SPDX-License-Identifier: Apache-2.0
 * splitting/plain.h: sweeps and nothing else, until they lead nowhere: pgs, psor, spgs.
 * Private. */
#ifndef PERP_SPLITTING_PLAIN_H
#define PERP_SPLITTING_PLAIN_H

#include "sweep.h"

typedef struct plain {
    sweep sweep;
} plain;

/** As a solver's setup, for one whose sweeps go there and back in one iterate or not. */
perp_status perp_plain_setup(plain *s, bool symmetric, const perp_solver_type *type,
                             const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err);
/* The rest of a solver type. */
perp_status perp_plain_iterate(void *state, perp_result *r, perp_error *err);
perp_status perp_plain_resume(void *state, double shift, perp_result *r, perp_error *err);
void perp_plain_close(void *state);

/** Sweeps are cheap: the time limit or the stall rule ends them. */
enum { PLAIN_ITERATIONS = 100000, PLAIN_STALL = 2000 };

#define PLAIN_STEPS                                                                      \
    .max_iterations = PLAIN_ITERATIONS, .state_size = sizeof(plain),                     \
    .iterate = perp_plain_iterate, .resume = perp_plain_resume,                          \
    .close = perp_plain_close, .stall = PLAIN_STALL

#endif
