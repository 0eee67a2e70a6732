/* SPDX-License-Identifier: Apache-2.0
 * simulate/frames.h: the rows that a step or a frame adds to the trajectory. */
#ifndef PERP_SIMULATE_FRAMES_H
#define PERP_SIMULATE_FRAMES_H

#include <jansson.h>

#include <perp/dynamics/step.h>

#include "experiments/simulate/trajectory.h"

/** Names of rows that occurred, with their numbers, and memory for the rows of a frame. */
typedef struct sim_names {
    json_t *numbers; /* name -> number */
    char *name;      /* of the row at work */
    size_t room;     /* its bytes */
    double *blocks;  /* residuals and scales of the blocks of a problem */
    size_t block_room;
} sim_names;

/** Bytes that hold each name of a row in this world, with the final 0. */
size_t sim_names_room(const perp_world *world);
/** Empty, or with those of a file; `room` as above. Call sim_names_close afterwards. */
perp_status sim_names_open(sim_names *n, size_t room, const trajectory_file *old,
                           perp_error *err);
void sim_names_close(sim_names *n);

/** A frame at step `step` and time world->t, with what `stepper` solved (NULL:
 *  nothing). */
perp_status sim_frame_append(trajectory *t, sim_names *names, uint64_t step,
                             const perp_world *world, const perp_state *state,
                             const perp_stepper *stepper, perp_error *err);

#endif
