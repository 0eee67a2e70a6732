/* SPDX-License-Identifier: Apache-2.0
 * shapes/cylinder.c: x^2 + y^2 <= r^2, |z| <= L/2: m = pi r^2 L rho,
 * I = diag(m (3 r^2 + L^2)/12, the same, m r^2/2). */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "shapes/shapes.h"

static perp_status cylinder_inertia(const perp_shape *shape, double density, double *m,
                                    double center[3], double inertia[9], perp_error *err)
{
    double r = shape->size[0];
    double length = shape->size[1];
    perp_status status = shape_weigh(shape, 2, density, VEC3_PI * r * r * length, m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_cylinder(*m, r, length, inertia);
    }
    return status;
}

static double cylinder_reach(const perp_shape *shape)
{
    return hypot(shape->size[0], 0.5 * shape->size[1]);
}

/* Along its axis the middle of a cap. */
static void cylinder_support(const perp_shape *shape, const double d[3], double p[3])
{
    double across = shape_across(d);
    double f = across > 0.0 ? shape->size[0] / across : 0.0;

    vec3_set(p, f * d[0], f * d[1],
             d[2] > 0.0 ? 0.5 * shape->size[1] : -0.5 * shape->size[1]);
}

/* Points of the upper rim come first, then those of the lower one, then the line of the side. */
static void cylinder_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    double r = shape->size[0];
    double half = 0.5 * shape->size[1];
    double lean[3];

    if (fabs(d[2]) > shape_looks) {
        shape_face_end(face, r, d[2] > 0.0 ? half : -half,
                       d[2] > 0.0 ? 0 : SHAPE_END_NAMES, d);
        return;
    }
    shape_lean(d, lean);
    const double p[3] = {r * lean[0], r * lean[1], -half};
    const double q[3] = {r * lean[0], r * lean[1], half};

    shape_face_segment(face, p, q, 2 * SHAPE_END_NAMES, d);
}

static void cylinder_bounds(const perp_shape *shape, unsigned dimension,
                            const double R[9], const double x[3], perp_aabb *box)
{
    double half[3];

    for (size_t k = 0; k < 3; k++) {
        half[k] = 0.5 * shape->size[1] * fabs(R[3 * k + 2]) +
                  shape->size[0] * hypot(R[3 * k], R[3 * k + 1]);
    }
    shape_bounds_about(x, half, dimension, box);
}

static double cylinder_cast(const perp_shape *shape, unsigned dimension,
                            const double o[3], const double d[3], double most,
                            double n[3], size_t *part)
{
    double half = 0.5 * shape->size[1];
    shape_span span = shape_ray_all();
    double t = 0.0;

    (void)dimension;
    *part = 0;
    shape_ray_round(&span, 2, o, d, shape->size[0], 0);
    shape_ray_slab(&span, o[2], d[2], -half, half, 1);
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0 && span.side == 0) {
        vec3_add(o, t, d, n);
        n[2] = 0.0;
        vec3_normalize(n);
    } else if (t > 0.0) {
        vec3_set(n, 0.0, 0.0, span.side == 1 ? 1.0 : -1.0);
    }
    return t;
}

const perp_shape_type shape_cylinder = {
    .name = "cylinder",
    .summary = "a cylinder along z with radius and length [m]",
    .sizes = 2,
    .size_name = {"radius", "length"},
    .inertia = cylinder_inertia,
    .reach = cylinder_reach,
    .support = cylinder_support,
    .face = cylinder_face,
    .bounds = cylinder_bounds,
    .cast = cylinder_cast,
};
