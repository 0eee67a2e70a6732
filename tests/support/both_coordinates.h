/* SPDX-License-Identifier: Apache-2.0
 * tests/support/both_coordinates.h: the same world in maximal and in reduced coordinates. */
#ifndef PERP_TEST_DYNAMICS_GROVE_H
#define PERP_TEST_DYNAMICS_GROVE_H

#include <perp/dynamics/reduce.h>

#include "formulated_world.h"

/** What a grove has beside its two trees. */
typedef enum grove_parts {
    GROVE_LOOP = 1,     /**< a joint that closes a loop, and one between the trees */
    GROVE_AXES = 2,     /**< a limit, a motor and a spring on axes */
    GROVE_SINGLES = 4,  /**< coordinates of bodies without joints */
    GROVE_PLANE = 8,    /**< in two dimensions */
    GROVE_ROLLING = 16, /**< some contacts have rolling friction */
} grove_parts;

enum { GROVE_BODIES = 12, GROVE_CONTACTS = 9 };

/** A tree of five bodies on the ground, one of five that floats, a body alone; all kinds
 *  of joints that have a mobilizer, drawn from the seed; contacts between all of them.
 *  `whole` in maximal, `trees` in reduced coordinates, at the velocities that joints
 *  allow; not formulated. */
typedef struct grove {
    stage whole, trees;
} grove;
void grove_open(grove *f, uint64_t seed, unsigned parts);
void grove_close(grove *f);
/** Formulate both at their present velocities. */
void grove_formulate(grove *f);
/** The row of `whole` that row r of `trees` is. */
size_t grove_row(const grove *f, size_t r);

/** The largest magnitude among them and 1. */
double grove_largest(const double *A, size_t count);

#endif
