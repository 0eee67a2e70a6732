/* SPDX-License-Identifier: Apache-2.0
 * simulate/names.h: the names of rows that occurred in a run, with their numbers. */
#ifndef PERP_SIMULATE_NAMES_H
#define PERP_SIMULATE_NAMES_H

#include <jansson.h>

#include <perp/dynamics/step.h>

#include "command/simulate/trajectory.h"

/** Names of rows that occurred, with their numbers, and memory for the rows of a frame. */
typedef struct sim_names {
    json_t *numbers;              /* name -> number */
    char *name;                   /* of the row at work */
    size_t room;                  /* its bytes */
    struct sim_known_name *known; /* a table, of which `known_count` places are in use */
    size_t known_count, known_room;
    size_t block;   /* of the row at work */
    double *blocks; /* residuals and scales of the blocks of a problem */
    size_t block_room;
} sim_names;

/** Bytes that hold each name of a row in this world, with the final 0. */
size_t sim_names_room(const perp_world *world);
/** Empty, or with those of a file; `room` as above. Call sim_names_close afterwards. */
perp_status sim_names_open(sim_names *n, size_t room, const trajectory_file *old,
                           perp_error *err);
void sim_names_close(sim_names *n);

/** The number of the name of a row of the problem of `system`, which is appended to the names of
 *  the trajectory when it occurs first. Rows are asked for in order, from 0 on. */
perp_status sim_names_number(sim_names *n, trajectory *t, const perp_system *system,
                             const perp_world *world, const perp_contacts *contacts,
                             size_t row, int32_t *number, perp_error *err);

#endif
