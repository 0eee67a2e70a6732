/* SPDX-License-Identifier: Apache-2.0
 * shapes/box.c: the box |x_k| <= h_k, in the plane the rectangle: m = 8 h0 h1 h2 rho,
 * I = m/3 diag(h1^2 + h2^2, h0^2 + h2^2, h0^2 + h1^2); m = 4 h0 h1 rho, h2 = 0. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "shapes/shapes.h"

const int32_t shape_box_start[BOX_FACES + 1] = {0, 4, 8, 12, 16, 20, 24};
const int32_t shape_box_corner[4 * BOX_FACES] = {
    1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1,
};
const int32_t shape_rectangle_start[RECTANGLE_CORNERS + 1] = {0, 2, 4, 6, 8};
const int32_t shape_rectangle_corner[2 * RECTANGLE_CORNERS] = {0, 1, 1, 3, 3, 2, 2, 0};

static perp_status box_inertia(const perp_shape *shape, double density, double *m,
                               double center[3], double inertia[9], perp_error *err)
{
    const double *h = shape->size;
    perp_status status = shape_weigh(shape, 3, density, 8.0 * h[0] * h[1] * h[2], m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_box(*m, h, inertia);
    }
    return status;
}

static perp_status rectangle_inertia(const perp_shape *shape, double density, double *m,
                                     double center[3], double inertia[9], perp_error *err)
{
    const double h[3] = {shape->size[0], shape->size[1], 0.0};
    perp_status status = shape_weigh(shape, 2, density, 4.0 * h[0] * h[1], m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, 0.0);
        perp_inertia_box(*m, h, inertia);
    }
    return status;
}

static double box_reach(const perp_shape *shape)
{
    return vec3_length(shape->size);
}

static void box_corner(const perp_shape *shape, int32_t c, double p[3])
{
    const double *h = shape->size;

    vec3_set(p, c & 1 ? h[0] : -h[0], c & 2 ? h[1] : -h[1], c & 4 ? h[2] : -h[2]);
}

/* Of equal ones the corner of the lowest number. */
static void box_support(const perp_shape *shape, const double d[3], double p[3])
{
    const double *h = shape->size;

    vec3_set(p, d[0] > 0.0 ? h[0] : -h[0], d[1] > 0.0 ? h[1] : -h[1],
             d[2] > 0.0 ? h[2] : -h[2]);
}

static void box_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    bool flat = shape->size[2] == 0.0; /* the rectangle */
    int k = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    bool down = false;
    const int32_t *corner = NULL;

    k = !flat && fabs(d[2]) > fabs(d[k]) ? 2 : k;
    down = !(d[k] > 0.0);
    corner = flat ? shape_rectangle_corner + 2 * (k ? (down ? 0 : 2) : (down ? 3 : 1))
                  : shape_box_corner + 4 * (2 * k + down);
    face->count = flat ? 2 : 4;
    for (size_t c = 0; c < face->count; c++) {
        face->id[c] = (uint32_t)corner[c];
        box_corner(shape, corner[c], face->corner + 3 * c);
    }
    vec3_set(face->normal, 0.0, 0.0, 0.0);
    face->normal[k] = down ? -1.0 : 1.0;
    if (flat) {
        vec3_copy(face->normal, d);
    }
}

/* Half extents |R| h. */
static void box_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                       const double x[3], perp_aabb *box)
{
    const double *h = shape->size;
    double half[3];

    for (size_t k = 0; k < 3; k++) {
        half[k] = fabs(R[3 * k]) * h[0] + fabs(R[3 * k + 1]) * h[1] +
                  (dimension == 2 ? 0.0 : fabs(R[3 * k + 2]) * h[2]);
    }
    shape_bounds_about(x, half, dimension, box);
}

static double box_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                       const double d[3], double most, double n[3], size_t *part)
{
    shape_span span = shape_ray_all();
    double t = 0.0;

    *part = 0;
    for (int k = 0; k < (dimension == 2 ? 2 : 3); k++) {
        shape_ray_slab(&span, o[k], d[k], -shape->size[k], shape->size[k], 2 * k);
    }
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0) {
        vec3_set(n, 0.0, 0.0, 0.0);
        n[span.side / 2] = span.side % 2 ? -1.0 : 1.0;
    }
    return t;
}

const perp_shape_type shape_box = {
    .name = "box",
    .summary = "a box with three half extents [m]; in the plane a rectangle with two",
    .sizes = 3,
    .size_name = {"half x", "half y", "half z"},
    .plane_sizes = 2,
    .core = PERP_CORE_BOX,
    .is_polytope = true,
    .inertia = box_inertia,
    .lamina = rectangle_inertia,
    .reach = box_reach,
    .support = box_support,
    .face = box_face,
    .bounds = box_bounds,
    .cast = box_cast,
};
