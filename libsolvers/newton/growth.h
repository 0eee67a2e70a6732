/* SPDX-License-Identifier: Apache-2.0
 * newton/growth.h: whether the growth of a point proves that there is no solution. Private. */
#ifndef PERP_NEWTON_GROWTH_H
#define PERP_NEWTON_GROWTH_H

#include "core/solvers.h"

/** Whether the step from `before` to `after` (n each), cut to what a certificate may hold,
 *  proves that p has no solution. Looks only where the point has grown by a tenth of its size,
 *  and leaves the certificate in r. */
bool newton_proves_infeasible(const perp_problem *p, const double *before,
                              const double *after, perp_result *r);

#endif
