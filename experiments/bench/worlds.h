/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/worlds.h: the worlds whose steps are timed. A failure ends the program. */
#ifndef PERP_BENCH_WORLDS_H
#define PERP_BENCH_WORLDS_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

/** Bodies of a heap: of five, three are boxes; all boxes; all spheres. */
typedef enum world_kind { WORLD_MIXED, WORLD_BOXES, WORLD_SPHERES } world_kind;

/** A thousand bodies above a bin of five planes, on a lattice, not yet in contact: boxes of
 *  edges from 0.6 to 1, turned as drawn, spheres of radii from 0.3 to 0.5. */
perp_world *world_heap(world_kind kind);
/** Unit boxes on a floor at rest, each on two of the row below. */
perp_world *world_pyramid(size_t rows);
/** Stacks of unit boxes side by side. */
perp_world *world_stacks(size_t count, size_t height);

PERP_END_DECLS

#endif
