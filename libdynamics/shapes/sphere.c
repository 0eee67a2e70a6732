/* SPDX-License-Identifier: Apache-2.0
 * shapes/sphere.c: the ball |x| <= r, in the plane the disc: m = 4/3 pi r^3 rho, I = 2/5
 * m r^2; m = pi r^2 rho, I_z = m r^2/2. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "shapes/shapes.h"

static perp_status sphere_inertia(const perp_shape *shape, double density, double *m,
                                  double center[3], double inertia[9], perp_error *err)
{
    double r = shape->size[0];
    perp_status status =
        shape_weigh(shape, 1, density, 4.0 / 3.0 * VEC3_PI * r * r * r, m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_sphere(*m, r, inertia);
    }
    return status;
}

static perp_status disc_inertia(const perp_shape *shape, double density, double *m,
                                double center[3], double inertia[9], perp_error *err)
{
    double r = shape->size[0];
    perp_status status = shape_weigh(shape, 1, density, VEC3_PI * r * r, m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_cylinder(*m, r, 0.0, inertia);
    }
    return status;
}

static double sphere_reach(const perp_shape *shape)
{
    return shape->size[0];
}

/* The core is the centre. */
static void sphere_support(const perp_shape *shape, const double d[3], double p[3])
{
    (void)shape;
    (void)d;
    vec3_set(p, 0.0, 0.0, 0.0);
}

static void sphere_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    static const double center[3] = {0};

    (void)shape;
    shape_face_point(face, center, 0, d);
}

static void sphere_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                          const double x[3], perp_aabb *box)
{
    const double half[3] = {shape->size[0], shape->size[0], shape->size[0]};

    (void)R;
    shape_bounds_about(x, half, dimension, box);
}

static double sphere_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                          const double d[3], double most, double n[3], size_t *part)
{
    shape_span span = shape_ray_all();
    double t = 0.0;

    (void)dimension;
    *part = 0;
    shape_ray_round(&span, 3, o, d, shape->size[0], 0);
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0) {
        vec3_add(o, t, d, n);
        vec3_normalize(n);
    }
    return t;
}

const perp_shape_type shape_sphere = {
    .name = "sphere",
    .summary = "a sphere with a radius [m]; in the plane a disc",
    .sizes = 1,
    .size_name = {"radius"},
    .core = PERP_CORE_POINT,
    .inertia = sphere_inertia,
    .lamina = disc_inertia,
    .reach = sphere_reach,
    .support = sphere_support,
    .radius = sphere_reach,
    .face = sphere_face,
    .bounds = sphere_bounds,
    .cast = sphere_cast,
};
