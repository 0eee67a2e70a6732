/* SPDX-License-Identifier: Apache-2.0
 * interior/crossover.h: from a point near a solution to one of machine precision, on problems
 * of scalar rows. Private.
 *
 *     state_i = L if z_i - w_i/d_i <= lo_i ; U if >= hi_i ; F otherwise
 *     z on its bounds outside of F,  z_F -= A_FF^-1 (A z + b)_F,  and again from there
 *
 * These are steps of the min-map Newton method [hintermuller-ito-kunisch-2003]. The point of
 * least residual is returned, if it is better than the start. A set that does not change needs
 * no new factorisation: the step is then one of iterative refinement. */
#ifndef PERP_INTERIOR_CROSSOVER_H
#define PERP_INTERIOR_CROSSOVER_H

#include "path.h"

typedef struct perp_crossover {
    size_t *rows; /* n: F */
    size_t rank;
    double *x, *step; /* n */
    size_t steps; /* of the last call, up to the point that was returned; 0: the start */
} perp_crossover;

/** Take memory; the caller asks for the status of the workspace. */
void perp_crossover_alloc(perp_crossover *c, size_t n, perp_workspace *ws);

/** Improve z (n) of t->p, the point that t->judge judged last. *residual is that of z, on entry
 *  and on return. Uses the judge and the systems of t. */
perp_status perp_crossover_run(perp_crossover *c, perp_path *t, double *z,
                               double *residual, perp_work *work, perp_error *err);

#endif
