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

const perp_shape_type shape_ellipsoid = {
    .name = "ellipsoid",
    .summary = "an ellipsoid of three semi-axes [m]",
    .sizes = 3,
    .size_name = {"semi-axis x", "semi-axis y", "semi-axis z"},
    .inertia = ellipsoid_inertia,
    .reach = ellipsoid_reach,
};
