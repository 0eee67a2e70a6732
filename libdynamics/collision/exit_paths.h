/* SPDX-License-Identifier: Apache-2.0
 * collision/exit_paths.h: the translations -gap n that move a body out of the triangles of a
 * mesh that it overlaps, in a binary tree of boxes. Private. */
#ifndef PERP_COLLISION_EXIT_PATHS_H
#define PERP_COLLISION_EXIT_PATHS_H

#include "collision/query.h"

/** The box of some paths, and the length of the shortest. */
typedef struct exit_box {
    double lo[3], hi[3];
    double least;
} exit_box;

/** Path k is node `leaves` + k; node i, from 1 on, contains nodes 2 i and 2 i + 1. The boxes
 *  are small where neighbouring paths are alike. */
typedef struct exit_paths {
    size_t leaves;  /* a power of two */
    exit_box *node; /* twice as many */
} exit_paths;

/** Set path k, or that there is none; then, when all are set, the nodes above. */
void exit_paths_set(exit_paths *e, size_t k, double gap, const double n[3]);
void exit_paths_unset(exit_paths *e, size_t k);
void exit_paths_close(exit_paths *e);
/** Whether a path shorter than `most` goes at least `need` along the unit vector n. */
bool exit_paths_any(const exit_paths *e, const double n[3], double need, double most);

#endif
