/* SPDX-License-Identifier: Apache-2.0
 * shapes/plane.c: the half-space z <= 0 of its axes, in the plane the half-plane y <= 0.
 * It is unbounded and has no mass; its body may be static or move. */
#include <config.h>

#include <math.h>

#include "shapes/shapes.h"

static double plane_reach(const perp_shape *shape)
{
    (void)shape;
    return INFINITY;
}

static void plane_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                         const double x[3], perp_aabb *box)
{
    static const double all[3] = {INFINITY, INFINITY, INFINITY};

    (void)shape;
    (void)R;
    shape_bounds_about(x, all, dimension, box);
}

static double plane_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                         const double d[3], double most, double n[3], size_t *part)
{
    int up = dimension == 2 ? 1 : 2;
    shape_span span = shape_ray_all();
    double t = 0.0;

    (void)shape;
    *part = 0;
    shape_ray_below(&span, d[up], -o[up], 0);
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0) {
        vec3_set(n, 0.0, 0.0, 0.0);
        n[up] = 1.0;
    }
    return t;
}

const perp_shape_type shape_plane = {
    .name = "plane",
    .summary =
        "a half-space: z <= 0 in its axes is solid, in the plane y <= 0; it meets all "
        "shapes but planes",
    .unbounded = true,
    .reach = plane_reach,
    .bounds = plane_bounds,
    .cast = plane_cast,
};
