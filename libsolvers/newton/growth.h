/* SPDX-License-Identifier: Apache-2.0
 * newton/growth.h: a certificate from impulses that grow without bound. Private. */
#ifndef PERP_NEWTON_GROWTH_H
#define PERP_NEWTON_GROWTH_H

#include "judge/judge.h"

/** On a problem without solution the centers of a proximal point method run to infinity, in the
 *  end along a direction in which w cannot become what K asks [rockafellar-1976]: the change
 *  from `before` to `center` is tried as a certificate when they have grown much. Where A
 *  curves along it, if only by a part in 1e15, the sequence is long but ends. `before` is
 *  overwritten; Ay has n entries; norm: |A|. */
perp_status perp_growth_certify(const perp_problem *p, double norm, const double *center,
                                double *before, double *Ay, perp_result *r,
                                perp_error *err);

#endif
