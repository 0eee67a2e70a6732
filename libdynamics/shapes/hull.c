/* SPDX-License-Identifier: Apache-2.0
 * shapes/hull.c: the convex hull of its corners, in the plane a convex polygon; its mass,
 * centre and inertia are sums over tetrahedra, or triangles. Its centre need not be its
 * origin. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/dynamics/inertia.h>

#include "geometry/surface.h"
#include "shapes/shapes.h"

/* A face looks along d when d.normal is more than this: of a box one always does, since
 * its farthest normals have 1/sqrt(3) = 0.577. */
static const double face_looks = 0.5;
/* Else an edge that falls by less than this slope, 45 degrees, from the farthest
 * corner. */
static const double edge_falls = 0.70710678118654752;

static perp_status hull_inertia(const perp_shape *shape, double density, double *m,
                                double center[3], double inertia[9], perp_error *err)
{
    return polytope_inertia(shape->polytope, density, m, center, inertia, err);
}

/* The integrals of x^2, and of x y, about the centre, over the triangles between it and
 * the sides. */
static double second_moment(const perp_polytope *polygon, const double center[3],
                            double *mixed)
{
    double sum = 0.0;

    *mixed = 0.0;

    for (size_t k = 0; k < polygon->corner_count; k++) {
        const double *p = polygon->corner + 3 * k;
        const double *q = polygon->corner + 3 * ((k + 1) % polygon->corner_count);
        double x = p[0] - center[0];
        double z = q[0] - center[0];
        double y = p[1] - center[1];
        double w = q[1] - center[1];

        double share = (x * w - z * y) / 12.0;

        sum += share * (x * x + x * z + z * z);
        *mixed += share * (x * y + z * w + 0.5 * (x * w + z * y));
    }
    return sum;
}
static perp_status polygon_inertia(const perp_shape *shape, double density, double *m,
                                   double center[3], double inertia[9], perp_error *err)
{
    const perp_polytope *polygon = shape->polytope;
    double *corners = math_alloc(2 * polygon->corner_count, sizeof *corners);
    double about_z = 0.0;
    perp_status status = PERP_OK;

    if (!corners) {
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu corners",
                         polygon->corner_count);
    }
    for (size_t k = 0; k < polygon->corner_count; k++) {
        corners[2 * k] = polygon->corner[3 * k];
        corners[2 * k + 1] = polygon->corner[3 * k + 1];
    }
    vec3_set(center, 0.0, 0.0, 0.0);
    status = perp_inertia_polygon(density, polygon->corner_count, corners, m, center,
                                  &about_z, err);
    free(corners);
    if (status == PERP_OK) {
        double mixed = 0.0;
        double across = density * second_moment(polygon, center, &mixed);
        const double lamina[9] = {
            about_z - across, -density * mixed, 0, -density * mixed, across, 0, 0, 0,
            about_z};

        memcpy(inertia, lamina, sizeof lamina);
    }
    return status;
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

static void hull_put_corner(const perp_polytope *hull, size_t c, size_t k,
                            perp_face *face)
{
    vec3_copy(face->corner + 3 * k, hull->corner + 3 * c);
    face->id[k] = (uint32_t)c;
}

/* The face of largest d.normal, of equal ones the lowest; -1: none looks along d. */
static ptrdiff_t hull_face_along(const perp_polytope *hull, const double d[3])
{
    ptrdiff_t best = -1;
    double most = face_looks;

    for (size_t f = 0; f < hull->face_count; f++) {
        double here = vec3_dot(hull->normal + 3 * f, d);

        if (here > most) {
            most = here;
            best = (ptrdiff_t)f;
        }
    }
    return best;
}

/* The corner that is farthest along d, or the edge there that is most nearly across d. */
static void hull_ridge(const perp_polytope *hull, const double d[3], perp_face *face)
{
    size_t c = shape_hull_farthest(hull, d);
    size_t other = c;
    double most = -edge_falls;

    for (int32_t k = hull->near_start[c]; k < hull->near_start[c + 1]; k++) {
        double edge[3];

        vec3_subtract(hull->corner + 3 * (size_t)hull->near[k], hull->corner + 3 * c,
                      edge);
        vec3_normalize(edge);
        if (vec3_dot(edge, d) > most) {
            most = vec3_dot(edge, d);
            other = (size_t)hull->near[k];
        }
    }
    face->count = other == c ? 1 : 2;
    hull_put_corner(hull, other < c ? other : c, 0, face);
    if (other != c) {
        hull_put_corner(hull, other < c ? c : other, 1, face);
    }
    vec3_copy(face->normal, d);
}

static void hull_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    const perp_polytope *hull = shape->polytope;
    ptrdiff_t f = hull_face_along(hull, d);
    const int32_t *corner = NULL;
    size_t count = 0;

    if (f < 0) {
        hull_ridge(hull, d, face);
        return;
    }
    corner = hull->face_corner + hull->face_start[f];
    count = (size_t)(hull->face_start[f + 1] - hull->face_start[f]);
    face->count = count < PERP_FACE_CORNERS ? count : PERP_FACE_CORNERS;
    for (size_t k = 0; k < face->count; k++) {
        hull_put_corner(hull, (size_t)corner[k * count / face->count], k, face);
    }
    vec3_copy(face->normal, count > 2 ? hull->normal + 3 * f : d);
}

static void hull_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                        const double x[3], perp_aabb *box)
{
    for (size_t k = 0; k < 3; k++) {
        shape_hull_range(shape->polytope, R + 3 * k, &box->lo[k], &box->hi[k]);
        box->lo[k] += x[k];
        box->hi[k] += x[k];
    }
    if (dimension == 2) {
        box->lo[2] = box->hi[2] = 0.0;
    }
}

static double hull_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                        const double d[3], double most, double n[3], size_t *part)
{
    const perp_polytope *hull = shape->polytope;
    shape_span span = shape_ray_all();
    double t = 0.0;

    (void)dimension;
    *part = 0;
    for (size_t f = 0; f < hull->face_count; f++) {
        const double *normal = hull->normal + 3 * f;
        double down[3];

        vec3_subtract(hull->corner + 3 * (size_t)hull->face_corner[hull->face_start[f]],
                      o, down);
        shape_ray_below(&span, vec3_dot(normal, d), vec3_dot(normal, down), (int)f);
    }
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0) {
        vec3_copy(n, hull->normal + 3 * (size_t)span.side);
    }
    return t;
}

const perp_shape_type shape_hull = {
    .name = "hull",
    .summary = "the convex hull of its corners [m]; in the plane a convex polygon",
    .core = PERP_CORE_HULL,
    .from_points = true,
    .is_polytope = true,
    .inertia = hull_inertia,
    .lamina = polygon_inertia,
    .reach = hull_reach,
    .support = hull_support,
    .face = hull_face,
    .bounds = hull_bounds,
    .cast = hull_cast,
};
