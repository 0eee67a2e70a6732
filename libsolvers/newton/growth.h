/* SPDX-License-Identifier: Apache-2.0
 * newton/growth.h: whether the growth of a point proves that there is no solution. Private. */
#ifndef PERP_NEWTON_GROWTH_H
#define PERP_NEWTON_GROWTH_H

#include "core/solvers.h"

/** Whether y (n), cut to what a certificate may hold, proves that p has no solution; then it
 *  is left in r. y may be r->certificate itself. */
bool newton_certifies(const perp_problem *p, const double *y, perp_result *r);

/** Whether the step from `before` to `after` (n each)
 *  proves the same. Looks only where the point has grown by a tenth of its size. */
bool newton_proves_infeasible(const perp_problem *p, const double *before,
                              const double *after, perp_result *r);

#endif
