/* SPDX-License-Identifier: Apache-2.0
 * narrow/triangle.h: a triangle of a mesh as a convex shape. Private. */
#ifndef PERP_NARROW_TRIANGLE_H
#define PERP_NARROW_TRIANGLE_H

#include "narrow/meeting.h"

extern const perp_shape_type narrow_triangle;

#endif
