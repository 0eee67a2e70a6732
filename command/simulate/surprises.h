/* SPDX-License-Identifier: Apache-2.0
 * simulate/surprises.h: what a user of a run should know and did not ask for: one line each. */
#ifndef PERP_SIMULATE_SURPRISES_H
#define PERP_SIMULATE_SURPRISES_H

#include <perp/dynamics/step.h>

enum { SIM_SURPRISES = 5, SIM_SURPRISE_LENGTH = 512 };

typedef struct sim_surprises {
    char line[SIM_SURPRISES][SIM_SURPRISE_LENGTH]; /**< one per kind at most */
    size_t count;
    bool spun; /**< that of a fast spin is among them */
} sim_surprises;

/** At the start, in maximal coordinates: bodies inside others, deeper than the slop and 1 % of
 *  their size; joints that are apart, by more than 1e-4 of that size or 1e-4 rad; forces
 *  that are not stable at dt. */
perp_status sim_surprises_start(sim_surprises *s, const perp_world *world,
                                const perp_scheme *scheme, perp_error *err);
/** After step number `step`, or at the start (0): a body that turns by more than 0.5 rad per
 *  step; the first one is reported. */
void sim_surprises_spin(sim_surprises *s, const perp_world *world,
                        const perp_state *state, double dt, size_t step);
/** At the end: no step of `steps` was solved. */
void sim_surprises_end(sim_surprises *s, const char *solver, double steps, double solved);

#endif
