/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/draw.h: small problems that are hard on purpose. */
#ifndef PERP_TORTURE_DRAW_H
#define PERP_TORTURE_DRAW_H

#include <perp/perp.h>

/** Problem number `index` of a seed: always the same. `what` (128 bytes) says what it is;
 *  *solvable is true when a solution was built in. NULL when there is no memory. */
perp_problem *torture_draw(uint64_t seed, size_t index, char *what, bool *solvable);

#endif
