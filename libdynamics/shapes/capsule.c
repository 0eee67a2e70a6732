/* SPDX-License-Identifier: Apache-2.0
 * shapes/capsule.c: all points within r of the segment from (0, 0, -L/2) to (0, 0, L/2):
 * m = (pi r^2 L + 4/3 pi r^3) rho; its inertia is that of a cylinder and two half
 * balls. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "core.h"
#include "shapes.h"

static perp_status capsule_inertia(const perp_shape *shape, double density, double *m,
                                   double center[3], double inertia[9], perp_error *err)
{
    double r = shape->size[0];
    double length = shape->size[1];
    perp_status status =
        shape_weigh(shape, 2, density, M_PI * r * r * (length + 4.0 / 3.0 * r), m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_capsule(*m, r, length, inertia);
    }
    return status;
}

static double capsule_reach(const perp_shape *shape)
{
    return shape->size[0] + 0.5 * shape->size[1];
}

static double capsule_radius(const perp_shape *shape)
{
    return shape->size[0];
}

/* The core is the segment. */
static void capsule_support(const perp_shape *shape, const double d[3], double p[3])
{
    double half = 0.5 * shape->size[1];

    vec3_set(p, 0.0, 0.0, d[2] > 0.0 ? half : -half);
}

static void capsule_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    const double p[3] = {0.0, 0.0, -0.5 * shape->size[1]};
    const double q[3] = {0.0, 0.0, 0.5 * shape->size[1]};

    if (fabs(d[2]) <= shape_looks) {
        shape_face_segment(face, p, q, 0, d);
    } else {
        shape_face_point(face, d[2] > 0.0 ? q : p, d[2] > 0.0, d);
    }
}

const perp_shape_type shape_capsule = {
    .name = "capsule",
    .summary = "a cylinder along z with round caps: radius and length without them [m]",
    .sizes = 2,
    .size_name = {"radius", "length"},
    .inertia = capsule_inertia,
    .reach = capsule_reach,
    .support = capsule_support,
    .radius = capsule_radius,
    .face = capsule_face,
};
