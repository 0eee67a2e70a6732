/* SPDX-License-Identifier: Apache-2.0
 * shapes/plane.c: the half-space z <= 0 of its axes, in the plane the half-plane y <= 0.
 * It is unbounded and has no mass; its body may be static or move. */
#include <config.h>

#include <math.h>

#include "shapes.h"

static double plane_reach(const perp_shape *shape)
{
    (void)shape;
    return INFINITY;
}

const perp_shape_type shape_plane = {
    .name = "plane",
    .summary = "the half-space below: z <= 0 of its axes is solid, y <= 0 in the plane",
    .unbounded = true,
    .reach = plane_reach,
};
