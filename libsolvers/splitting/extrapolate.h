/* SPDX-License-Identifier: Apache-2.0
 * splitting/extrapolate.h: sweeps from points that a method predicts. Private.
 *
 *     z <- S(y),   g <- y - z;   the method makes the next y from z and g
 *
 * Norms are weighted by the mean diagonal of each block, so that they do not depend on units. The
 * end of the sweep with the least |g| is kept. */
#ifndef PERP_SPLITTING_EXTRAPOLATE_H
#define PERP_SPLITTING_EXTRAPOLATE_H

#include "sweep.h"

typedef struct extrapolation {
    sweep sweep;
    size_t n;
    double *weight; /* n: mean diagonal of the block */
    double *y;      /* n: point to sweep next */
    double *best;   /* n: where |g| was least */
    double least;   /* |g|^2 there */
    size_t found;   /* iteration of `best` */
} extrapolation;

/** Set up the sweep of a solver and take memory. */
perp_status perp_extrapolation_setup(extrapolation *e, const char *name,
                                     const perp_problem *p, const perp_options *opt,
                                     perp_workspace *ws, perp_result *r, perp_error *err);
/** The problem has changed, as perp_sweep_resume says. */
perp_status perp_extrapolation_resume(extrapolation *e, double shift, perp_result *r,
                                      perp_error *err);
/** Begin at r->z. */
void perp_extrapolation_start(extrapolation *e, const perp_result *r);

/** r->z := S(y), and |g|^2. *lost: no less |g| was found for a hundred iterations. Both are set
 *  while r runs. */
perp_status perp_extrapolation_sweep(extrapolation *e, double *squared, bool *lost,
                                     perp_result *r, perp_error *err);
/** r->z := the best point, where plain sweeps begin. */
void perp_extrapolation_return(extrapolation *e, perp_result *r);

#endif
