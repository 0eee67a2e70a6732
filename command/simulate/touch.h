/* SPDX-License-Identifier: Apache-2.0
 * simulate/touch.h: what a contact does at a solution: open, sticking or sliding. */
#ifndef PERP_SIMULATE_TOUCH_H
#define PERP_SIMULATE_TOUCH_H

#include <perp/problem.h>

typedef enum sim_touch {
    SIM_TOUCH_OPEN,
    SIM_TOUCH_STICKING,
    SIM_TOUCH_SLIDING,
    SIM_TOUCHES,
} sim_touch;

/** A point of a problem, with what perp_residual_blocks gives of it. */
typedef struct sim_point {
    const perp_problem *p;
    const double *z, *w;            /**< n */
    const double *residual, *scale; /**< one per block */
    double beta;                    /**< of the residual */
} sim_point;

/** A contact is open if d z_N <= w_N, or if its impulse is no larger than its error: s z_N/beta is
 *  at most its residual, of which at least 1e-12 and at most 1e-6 count. Else it slides if
 *  d (mu z_N - |z_T|) <= |w_T|, else it sticks: of each pair of which one number is 0 at a
 *  solution the larger one decides. d = s^2 (perp/residual.h). Under the associated law w_N is
 *  w_N - mu |w_T|. Scalar rows: the box has a pair for each tangent; the pyramid has
 *  mu z_N - sum z_T, and in place of |w_T| the velocity of its auxiliary row.
 *
 *  `block`: the first block of the contact; `rows`: its rows without the auxiliary one; `mu`: its
 *  friction, read for scalar rows; `auxiliary`: the block of that row, or the number of blocks. */
sim_touch sim_touch_of(const sim_point *x, size_t block, unsigned rows, double mu,
                       size_t auxiliary);
/** The largest residual of these blocks. */
double sim_touch_residual(const sim_point *x, size_t block, unsigned rows,
                          size_t auxiliary);

#endif
