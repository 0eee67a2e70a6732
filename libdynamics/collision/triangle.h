/* SPDX-License-Identifier: Apache-2.0
 * collision/triangle.h: a triangle of a mesh as a convex shape. Private. */
#ifndef PERP_COLLISION_TRIANGLE_H
#define PERP_COLLISION_TRIANGLE_H

#include "collision/query.h"

extern const perp_shape_type narrow_triangle;

#endif
