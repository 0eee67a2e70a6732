/* SPDX-License-Identifier: Apache-2.0
 * splitting/progress.h: whether sweeps still lead anywhere. Private. */
#ifndef PERP_SPLITTING_PROGRESS_H
#define PERP_SPLITTING_PROGRESS_H

#include "core/solvers.h"

#define PROGRESS_OPTIONS                                                                 \
    PERP_INTEGER("stall-sweeps", 2000, 0, 1e9,                                           \
                 "stalled when RES falls by less than 1 % in so many; 0: never")

/** Windows of sweeps, whose least residuals are compared. */
typedef struct progress {
    const perp_problem *p;
    size_t every, window; /* sweeps between judgements, and between looks at progress */
    size_t from;          /* iteration at which this window began */
    double least;         /* residual seen in this window */
    double least_before;  /* in all earlier ones */
    double *before;       /* n: z when the window began */
    double *direction;    /* n: scratch */
} progress;

perp_status perp_progress_setup(progress *w, const perp_problem *p,
                                const perp_options *opt, size_t every, perp_workspace *ws,
                                perp_result *r, perp_error *err);
/** Begin anew, after a start or a resume. */
void perp_progress_restart(progress *w, const perp_result *r);
/** After an iterate: ends r as stalled when the last two windows differ by less than 1 %, or
 *  as infeasible when the way z went proves that. */
perp_status perp_progress_check(progress *w, perp_result *r);

/** Whether the way from `before` to r->z proves that p has no solution; if so it becomes the
 *  certificate of r. `direction` is scratch (n). */
bool perp_progress_proves_infeasible(const perp_problem *p, const double *before,
                                     double *direction, perp_result *r);

#endif
