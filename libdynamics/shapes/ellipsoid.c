/* SPDX-License-Identifier: Apache-2.0
 * shapes/ellipsoid.c: sum (x_k/a_k)^2 <= 1: m = 4/3 pi a0 a1 a2 rho,
 * I = m/5 diag(a1^2 + a2^2, a0^2 + a2^2, a0^2 + a1^2). */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "core.h"
#include "shapes.h"

static perp_status ellipsoid_inertia(const perp_shape *shape, double density, double *m,
                                     double center[3], double inertia[9], perp_error *err)
{
    const double *a = shape->size;
    perp_status status =
        shape_weigh(shape, 3, density, 4.0 / 3.0 * M_PI * a[0] * a[1] * a[2], m, err);

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

const perp_shape_type shape_ellipsoid = {
    .name = "ellipsoid",
    .summary = "an ellipsoid of three semi-axes [m]",
    .sizes = 3,
    .size_name = {"semi-axis x", "semi-axis y", "semi-axis z"},
    .inertia = ellipsoid_inertia,
    .reach = ellipsoid_reach,
    .support = ellipsoid_support,
    .face = ellipsoid_face,
};
