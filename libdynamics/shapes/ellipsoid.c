/* SPDX-License-Identifier: Apache-2.0
 * shapes/ellipsoid.c: sum (x_k/a_k)^2 <= 1: m = 4/3 pi a0 a1 a2 rho,
 * I = m/5 diag(a1^2 + a2^2, a0^2 + a2^2, a0^2 + a1^2). */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "shapes/shapes.h"

static perp_status ellipsoid_inertia(const perp_shape *shape, double density, double *m,
                                     double center[3], double inertia[9], perp_error *err)
{
    const double *a = shape->size;
    perp_status status =
        shape_weigh(shape, 3, density, 4.0 / 3.0 * VEC3_PI * a[0] * a[1] * a[2], m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_ellipsoid(*m, a, inertia);
    }
    return status;
}

static double ellipsoid_reach(const perp_shape *shape)
{
    return fmax(shape->size[0], fmax(shape->size[1], shape->size[2]));
}

/* p = D^2 d/|D d|, D of the semi-axes. */
static void ellipsoid_support(const perp_shape *shape, const double d[3], double p[3])
{
    const double *a = shape->size;
    double most = fmax(a[0] * fabs(d[0]), fmax(a[1] * fabs(d[1]), a[2] * fabs(d[2])));

    if (!(most > 0.0)) { /* d is lost to underflow */
        vec3_set(p, 0.0, 0.0, a[2]);
        return;
    }
    vec3_set(p, a[0] * d[0] / most, a[1] * d[1] / most, a[2] * d[2] / most);
    vec3_normalize(p);
    vec3_set(p, a[0] * p[0], a[1] * p[1], a[2] * p[2]);
}

static void ellipsoid_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    double p[3];

    ellipsoid_support(shape, d, p);
    shape_face_point(face, p, 0, d);
}

static void ellipsoid_bounds(const perp_shape *shape, unsigned dimension,
                             const double R[9], const double x[3], perp_aabb *box)
{
    const double *a = shape->size;
    double half[3];

    for (size_t k = 0; k < 3; k++) {
        const double row[3] = {R[3 * k] * a[0], R[3 * k + 1] * a[1], R[3 * k + 2] * a[2]};

        half[k] = vec3_length(row);
    }
    shape_bounds_about(x, half, dimension, box);
}

/* In axes where it is the unit ball. */
static double ellipsoid_cast(const perp_shape *shape, unsigned dimension,
                             const double o[3], const double d[3], double most,
                             double n[3], size_t *part)
{
    const double *a = shape->size;
    const double from[3] = {o[0] / a[0], o[1] / a[1], o[2] / a[2]};
    const double along[3] = {d[0] / a[0], d[1] / a[1], d[2] / a[2]};
    shape_span span = shape_ray_all();
    double t = 0.0;

    (void)dimension;
    *part = 0;
    shape_ray_round(&span, 3, from, along, 1.0, 0);
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0) {
        double least = fmin(a[0], fmin(a[1], a[2]));

        vec3_add(from, t, along, n);
        vec3_set(n, n[0] * least / a[0], n[1] * least / a[1], n[2] * least / a[2]);
        vec3_normalize(n);
    }
    return t;
}

const perp_shape_type shape_ellipsoid = {
    .name = "ellipsoid",
    .summary = "an ellipsoid with three semi-axes [m]",
    .sizes = 3,
    .size_name = {"semi-axis x", "semi-axis y", "semi-axis z"},
    .inertia = ellipsoid_inertia,
    .reach = ellipsoid_reach,
    .support = ellipsoid_support,
    .face = ellipsoid_face,
    .bounds = ellipsoid_bounds,
    .cast = ellipsoid_cast,
};
