/* SPDX-License-Identifier: Apache-2.0
 * splitting/colors.h: blocks of one colour do not depend on each other, so that they can be
 * solved in any order, or concurrently. Private. */
#ifndef PERP_SPLITTING_COLORS_H
#define PERP_SPLITTING_COLORS_H

#include "core/solvers.h"

enum { COLORS_MAX = 64 }; /* one bit each */

/** Smaller colours join the tail: a barrier costs about as much as five blocks, and each of two
 *  threads should have two chunks of sixteen. */
enum { COLORS_LEAST = 64 };

/** Places: colour c has from[c] .. from[c+1]-1, and from[count] .. is the tail, which is
 *  swept in order. */
typedef struct colors {
    size_t count;
    size_t from[COLORS_MAX + 1];
    size_t *order; /* blocks by position; ascending within a colour and in the tail */
} colors;

/** Colour the blocks of p; colours of fewer than `least` blocks join the tail. Takes memory
 *  from `ws`. */
perp_status perp_colors_make(colors *c, const perp_problem *p, size_t least,
                             perp_workspace *ws, perp_error *err);

#endif
