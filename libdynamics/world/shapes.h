/* SPDX-License-Identifier: Apache-2.0
 * world/shapes.h: the shapes of a world, and the hulls that it keeps. Private. */
#ifndef PERP_WORLD_SHAPES_H
#define PERP_WORLD_SHAPES_H

#include "shapes/shapes.h"
#include "world/world.h"

/** Number of sizes in a world of this dimension. */
size_t shape_size_count(const perp_world *world, const perp_shape *shape);
/** PERP_ERR_DATA if perp_world_add_shape refuses it. */
perp_status shape_check(const perp_world *world, const perp_shape *shape,
                        perp_error *err);
/** The type alone; and the same without type and body, where `moves`: impulses move the body. */
perp_status shape_check_typed(const perp_world *world, const perp_shape *shape,
                              perp_error *err);
perp_status shape_check_form(const perp_world *world, const perp_shape *shape, bool moves,
                             perp_error *err);
/** A reference to the hull of points (in two dimensions the polygon): created, or a
 *  recent one of the world with the same points. */
perp_status shape_hull_make(perp_world *world, size_t count, const double *points,
                            perp_polytope **hull, perp_error *err);
void shape_hulls_forget(perp_world *world);
/** Remove the shapes after the first `count`, and all hulls if count is 0. */
void shape_cut(perp_world *world, size_t count);

#endif
