/* SPDX-License-Identifier: Apache-2.0
 * shapes/capsule.c: all points within r of the segment from (0, 0, -L/2) to (0, 0, L/2):
 * m = (pi r^2 L + 4/3 pi r^3) rho; its inertia is that of a cylinder and two half
 * balls. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "shapes/shapes.h"

static perp_status capsule_inertia(const perp_shape *shape, double density, double *m,
                                   double center[3], double inertia[9], perp_error *err)
{
    double r = shape->size[0];
    double length = shape->size[1];
    perp_status status = shape_weigh(shape, 2, density,
                                     VEC3_PI * r * r * (length + 4.0 / 3.0 * r), m, err);

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

static void capsule_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                           const double x[3], perp_aabb *box)
{
    double half[3];

    for (size_t k = 0; k < 3; k++) {
        half[k] = 0.5 * shape->size[1] * fabs(R[3 * k + 2]) + shape->size[0];
    }
    shape_bounds_about(x, half, dimension, box);
}

/* The first of a cylinder and two balls; together they are convex, so that it leaves
 * them at the last. */
static double capsule_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                           const double d[3], double most, double n[3], size_t *part)
{
    double r = shape->size[0];
    double half = 0.5 * shape->size[1];
    shape_span all = {.in = INFINITY, .out = -INFINITY};
    double t = 0.0;

    (void)dimension;
    *part = 0;
    for (int k = -1; k <= 1; k++) {
        const double from[3] = {o[0], o[1], o[2] - k * half};
        shape_span span = shape_ray_all();

        shape_ray_round(&span, k == 0 ? 2 : 3, from, d, r, 0);
        if (k == 0) {
            shape_ray_slab(&span, o[2], d[2], -half, half, 1);
        }
        if (span.in <= span.out) {
            all.in = fmin(all.in, span.in);
            all.out = fmax(all.out, span.out);
        }
    }
    t = shape_ray_enter(&all, d, most, n);
    if (t > 0.0) {
        vec3_add(o, t, d, n);
        n[2] -= fmax(-half, fmin(half, n[2]));
        vec3_normalize(n);
    }
    return t;
}

const perp_shape_type shape_capsule = {
    .name = "capsule",
    .summary =
        "a cylinder along z with round caps: radius and length without the caps [m]",
    .sizes = 2,
    .size_name = {"radius", "length"},
    .core = PERP_CORE_SEGMENT,
    .inertia = capsule_inertia,
    .reach = capsule_reach,
    .support = capsule_support,
    .radius = capsule_radius,
    .face = capsule_face,
    .bounds = capsule_bounds,
    .cast = capsule_cast,
};
