/* SPDX-License-Identifier: Apache-2.0
 * simulate/frames.h: the rows that a step or a frame adds to the trajectory. */
#ifndef PERP_SIMULATE_FRAMES_H
#define PERP_SIMULATE_FRAMES_H

#include <jansson.h>

#include <perp/dynamics/step.h>

#include "experiments/simulate/trajectory.h"

/** Names of rows that occurred, with their numbers. */
typedef struct sim_names {
    json_t *numbers; /* name -> number */
} sim_names;

/** Empty, or with those of a file. Call sim_names_close afterwards. */
perp_status sim_names_open(sim_names *n, const trajectory_file *old, perp_error *err);
void sim_names_close(sim_names *n);

/** A frame at step `step` and time world->t, with what `stepper` solved (NULL:
 *  nothing). */
perp_status sim_frame_append(trajectory *t, sim_names *names, uint64_t step,
                             const perp_world *world, const perp_state *state,
                             const perp_stepper *stepper, perp_error *err);

#endif
