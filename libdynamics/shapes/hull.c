/* SPDX-License-Identifier: Apache-2.0
 * shapes/hull.c: the convex hull of its corners; its mass, centre and inertia are sums
 * over tetrahedra. Its centre need not be its origin. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "core.h"
#include "shapes.h"

static perp_status hull_inertia(const perp_shape *shape, double density, double *m,
                                double center[3], double inertia[9], perp_error *err)
{
    return perp_inertia_hull(density, shape->polytope->corner_count,
                             shape->polytope->corner, m, center, inertia, err);
}

static double hull_reach(const perp_shape *shape)
{
    return shape->polytope->reach;
}

static void hull_support(const perp_shape *shape, const double d[3], double p[3])
{
    const perp_polytope *hull = shape->polytope;

    vec3_copy(p, hull->corner + 3 * shape_hull_farthest(hull, d));
}

const perp_shape_type shape_hull = {
    .name = "hull",
    .summary = "the convex hull of its corners [m], at least four, not all in a plane",
    .has_corners = true,
    .inertia = hull_inertia,
    .reach = hull_reach,
    .support = hull_support,
};
