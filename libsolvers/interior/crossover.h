/* SPDX-License-Identifier: Apache-2.0
 * interior/crossover.h: from a point near a solution to one of machine precision, on problems
 * of scalar rows.
 *
 *     state_i = L if z_i - w_i/d_i <= lo_i ; U if >= hi_i ; F otherwise
 *     z on its bounds outside of F,  z_F -= A_FF^-1 (A z + b)_F,  and again from there
 *
 * These are steps of the min-map Newton method [hintermuller-ito-kunisch-2003]; the point of least RES is kept,
 * if that is below RES at the start. A set that stays needs no new factorisation: the step is
 * then one of refinement. Private. */
#ifndef PERP_INTERIOR_CROSSOVER_H
#define PERP_INTERIOR_CROSSOVER_H

#include "path.h"

typedef struct perp_crossover {
    size_t *rows; /* n: F */
    size_t rank;
    double *x, *step; /* n */
    size_t steps;     /* of the last call, to the point that was kept; 0: none was */
} perp_crossover;

/** False when there is no memory. */
bool perp_crossover_init(perp_crossover *c, size_t n, perp_workspace *ws);

/** Improve z (n) of t->p, at which t->judge was asked last; *residual is its RES, before and
 *  after. Uses the judge and the kernel of t. */
perp_status perp_crossover_run(perp_crossover *c, perp_path *t, double *z,
                               double *residual, perp_work *work, perp_error *err);

#endif
