/* SPDX-License-Identifier: Apache-2.0
 * collision/escapes.h: the ways -gap n by which a body comes out of the triangles of a mesh
 * that it overlaps, in a binary tree. Private. */
#ifndef PERP_COLLISION_ESCAPES_H
#define PERP_COLLISION_ESCAPES_H

#include "collision/query.h"

/** Of some ways the box they span, and how long the shortest is. */
typedef struct escape {
    double lo[3], hi[3];
    double least;
} escape;

/** Way k is node `leaves` + k; node i, from 1 on, is about nodes 2 i and 2 i + 1. Ways
 *  next to each other should be alike. */
typedef struct escapes {
    size_t leaves; /* a power of two */
    escape *node;  /* twice as many */
} escapes;

/** Way k, or that there is none; then, when all are set, the nodes above. */
void escapes_set(escapes *e, size_t k, double gap, const double n[3]);
void escapes_unset(escapes *e, size_t k);
void escapes_close(escapes *e);
/** Whether a way shorter than `most` goes as far as `need` along the unit vector n. */
bool escapes_free(const escapes *e, const double n[3], double need, double most);

#endif
