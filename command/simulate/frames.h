/* SPDX-License-Identifier: Apache-2.0
 * simulate/frames.h: the rows that a step or a frame adds to the trajectory. */
#ifndef PERP_SIMULATE_FRAMES_H
#define PERP_SIMULATE_FRAMES_H

#include "command/simulate/names.h"

/** A frame at step `step` and time world->t, with what `stepper` solved (NULL:
 *  nothing). */
perp_status sim_frame_append(trajectory *t, sim_names *names, uint64_t step,
                             const perp_world *world, const perp_state *state,
                             const perp_stepper *stepper, perp_error *err);

#endif
