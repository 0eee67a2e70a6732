/* SPDX-License-Identifier: Apache-2.0
 * tests/support/couples.h: rows that act on two bodies each, drawn,
 * and what they multiply to. */
#ifndef PERP_TEST_COUPLES_H
#define PERP_TEST_COUPLES_H

#include "support.h"

enum { COUPLES_BODIES = 6, COUPLES_ROWS = 48 };

/** What rows look like. */
typedef enum couples_kind {
    COUPLES_DRAWN, /* any numbers, full inertias */
    COUPLES_ARMS,  /* contacts at a point, three rows each, full inertias */
    COUPLES_ROUND, /* the same, inertias the same about all axes */
} couples_kind;

/** Blocks of rows name the same two bodies; some name one alone, in either place, or
 *  none, some one body twice; one body cannot move.
 *  `pairs` points to the arrays below. */
typedef struct couples {
    perp_pairs pairs;
    double J[12 * COUPLES_ROWS], C[COUPLES_ROWS];
    double inverse_mass[COUPLES_BODIES], inverse_inertia[9 * COUPLES_BODIES];
    int32_t body[2 * COUPLES_ROWS];
    double written[12 * COUPLES_ROWS], frames[5 * COUPLES_ROWS]; /* of couples_frame */
    int32_t framed[2 * COUPLES_ROWS];
} couples;

/** `dims` are the rows of each block, ended by 0, COUPLES_ROWS in all at most. */
void couples_draw(couples *s, couples_kind kind, const unsigned *dims, uint64_t seed);
/** Rows from `from` on, contacts of COUPLES_ARMS or _ROUND, by their frames: J and body remain as
 *  they are, `pairs` has the same to rounding. */
void couples_frame(couples *s, size_t from);
/** A problem with all kinds of rows but FRICTION on drawn couples with compliance, W on two bodies;
 *  under the associated law where the seed is odd. With its small friction the answer is unique. */
perp_problem *couples_of_all_kinds(couples *s, uint64_t seed);
/** W by the sum over all velocities. */
perp_operator *couples_dense(const couples *s);

#endif
