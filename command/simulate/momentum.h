/* SPDX-License-Identifier: Apache-2.0
 * simulate/momentum.h: the momentum of a run against all that acted on it. */
#ifndef PERP_SIMULATE_MOMENTUM_H
#define PERP_SIMULATE_MOMENTUM_H

#include <jansson.h>

#include <perp/dynamics/step.h>

typedef struct sim_march sim_march;

/** Numbers only, as in sim_summary: of each array the first three are linear [kg m/s], the
 *  others angular about the origin [kg m^2/s]. */
typedef struct sim_momentum {
    double start[6];
    double given[6];        /**< by weight, loads, and bodies that impulses cannot move */
    double linear, angular; /**< largest |now - start - given| */
    double linear_scale, angular_scale; /**< most that moved */
    double unknown;                     /**< 1: more acts than is counted */
} sim_momentum;

void sim_momentum_start(sim_momentum *x, const perp_world *world,
                        const perp_state *state);
/** After a step of the march. */
void sim_momentum_add(sim_momentum *x, const sim_march *m, const perp_report *report);
/** Errors and scales, null where they are not known; a new reference. */
json_t *sim_momentum_json(const sim_momentum *x);

#endif
