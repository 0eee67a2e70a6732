/* SPDX-License-Identifier: Apache-2.0
 * admm/penalty.h: the penalty of each row relative to that of the others. Private. */
#ifndef PERP_ADMM_PENALTY_H
#define PERP_ADMM_PENALTY_H

#include "core/solvers.h"

/** weight[i] := 1, and a thousandth on rows without bounds, where z follows x and a penalty
 *  only slows x down (circuits were not solved with 1, nor with 1000). Whether all are 1. */
bool perp_penalty_weights(const perp_set *set, double *weight);

#endif
