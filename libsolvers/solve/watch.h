/* SPDX-License-Identifier: Apache-2.0
 * solve/watch.h: watches the iterates of a solver for divergence and stall. Private.
 *
 * Without a solution the iterates of most methods diverge, and their direction tends to a
 * certificate of infeasibility [banjac-goulart-stellato-boyd-2019]. Three directions are tried:
 *
 *     doubling   the change since max |z| was half as large: for iterates that grow by a factor,
 *                as those of gradient methods
 *     drift      the change in the last 20 iterations, after 80, 160, 320, ... of them: for
 *                iterates that grow by a constant, as those of ADMM and of sweeps
 *     stall      the change in a window of iterations that has not lowered the least residual
 *                by 1 %; the solver ends stalled where this is no certificate
 *
 * At 1 % in 2000 sweeps eight digits would take four million; sweeps that converge within 1e5
 * gain 30 % in 2000. */
#ifndef PERP_SOLVE_WATCH_H
#define PERP_SOLVE_WATCH_H

#include "core/solvers.h"

typedef struct perp_watch {
    size_t n;
    size_t count;     /* iterations since the last restart */
    size_t restarted; /* the last restart that the solver announced */

    double *doubling; /* n: the point at which max |z| was `size` */
    double size;

    double *drift;      /* n: the point at iteration `from` */
    size_t from, until; /* iterations between which the drift is measured */

    double
        *window_start;   /* n: the point at which the window began; NULL: no stall rule */
    size_t window;       /* iterations; 0: no stall rule */
    size_t window_from;  /* `count` at which the window began */
    double least;        /* residual within the window */
    double least_before; /* residual within all earlier windows */
} perp_watch;

/** Take the memory. `window` as asked for, `every`: iterations between judgements. */
perp_status perp_watch_init(perp_watch *watch, size_t n, size_t window, size_t every,
                            perp_workspace *ws, perp_error *err);
/** Begin at r->z. */
void perp_watch_restart(perp_watch *watch, const perp_result *r);
/** After an iteration: true when y (n) was set to a direction that should be tried. Begins again
 *  where the solver has restarted. */
bool perp_watch_iteration(perp_watch *watch, const perp_result *r, double *y);
/** After a judgement: true when the residual has stalled; y (n) is the direction to be tried. */
bool perp_watch_judgement(perp_watch *watch, const perp_result *r, double *y);

#endif
