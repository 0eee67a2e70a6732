/* SPDX-License-Identifier: Apache-2.0
 * shapes/mesh.c: a surface of triangles, seen from outside. A closed one has the mass of
 * what it encloses; still nothing is inside it, so that a ray meets the surface alone.
 *
 * A ray against a triangle by the method of [woop-2013]: in axes that the ray runs along,
 * the corners' areas U, V, W about it have one sign when it passes between them. Two
 * triangles find the same number for a side that they share, so that no ray passes
 * between them. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/tree.h>

#include "base/base.h"
#include "shapes/shapes.h"

/* How much later than the nearest hit the box of a nearer one may seem to be entered, as
 * a share: rounding of a few operations on coordinates of that size. */
static const double box_rounding = 1e-12;

/* The corners of the triangles that count, for free(); NULL without memory. */
static int32_t *mesh_counting(const perp_mesh *mesh, size_t *count)
{
    int32_t *corner = math_alloc(mesh->triangle_count, 3 * sizeof *corner);

    *count = 0;
    for (size_t t = 0; corner && t < mesh->triangle_count; t++) {
        if (mesh->counts[t]) {
            memcpy(corner + 3 * (*count)++, mesh->corner + 3 * t, 3 * sizeof *corner);
        }
    }
    return corner;
}

static perp_status mesh_inertia(const perp_shape *shape, double density, double *m,
                                double center[3], double inertia[9], perp_error *err)
{
    const perp_mesh *mesh = shape->mesh;
    size_t count = 0;
    int32_t *corner = NULL;
    perp_status status = PERP_OK;

    TRY(shape_weigh(shape, 0, density, 1.0, m, err));
    if (mesh->fault[0] != '\0') {
        TRY(perp_fail(err, PERP_ERR_DATA, "mesh: %s to find its mass", mesh->fault));
    }
    corner = mesh_counting(mesh, &count);
    status = corner ? perp_inertia_mesh(density, mesh->point, count, corner, m, center,
                                        inertia, err)
                    : perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu triangles",
                                mesh->triangle_count);
    free(corner);
    return status;
}

/* That of its box. */
static double mesh_reach(const perp_shape *shape)
{
    const perp_mesh *mesh = shape->mesh;
    double far[3];

    for (int k = 0; k < 3; k++) {
        far[k] = fmax(-mesh->lo[k], mesh->hi[k]);
    }
    return vec3_length(far);
}

static void mesh_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                        const double x[3], perp_aabb *box)
{
    const perp_mesh *mesh = shape->mesh;
    double half[3];
    double center[3];

    (void)dimension;
    vec3_subtract(mesh->hi, mesh->lo, half);
    vec3_scale(0.5, half, half);
    vec3_add(mesh->lo, 1.0, half, center);
    mat3_apply(R, center, center);
    vec3_add(x, 1.0, center, center);
    for (int k = 0; k < 3; k++) { /* |R| half */
        const double *row = R + 3 * k;
        double reach =
            fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];

        box->lo[k] = center[k] - reach;
        box->hi[k] = center[k] + reach;
    }
}

/* A ray, and the nearest triangle so far. */
typedef struct flight {
    const perp_mesh *mesh;
    const double *o;
    int x, y, z;     /* z: the coordinate it runs along most */
    double slope[3]; /* d_x/d_z, d_y/d_z, 1/d_z */
    double t;        /* of the nearest; negative: none */
    double most;
    size_t triangle;
} flight;

/* Where it meets triangle k, in units of d; negative or NaN: not. */
static double query_triangle(const flight *f, size_t k)
{
    double x[3];
    double y[3];
    double z[3];
    double area[3];
    double sum = 0.0;

    for (int c = 0; c < 3; c++) {
        const double *p = f->mesh->point + 3 * (size_t)f->mesh->corner[3 * k + c];
        double up = p[f->z] - f->o[f->z];

        x[c] = p[f->x] - f->o[f->x] - f->slope[0] * up;
        y[c] = p[f->y] - f->o[f->y] - f->slope[1] * up;
        z[c] = f->slope[2] * up;
    }
    for (int c = 0; c < 3; c++) {
        int a = (c + 1) % 3;
        int b = (c + 2) % 3;

        area[c] = x[b] * y[a] - y[b] * x[a];
        sum += area[c];
    }
    if ((area[0] < 0.0 || area[1] < 0.0 || area[2] < 0.0) &&
        (area[0] > 0.0 || area[1] > 0.0 || area[2] > 0.0)) {
        return -1.0;
    }
    return sum != 0.0 ? vec3_dot(area, z) / sum : -1.0;
}

static double mesh_visit(void *context, uint32_t number, double entry, double most)
{
    flight *f = context;
    double t = query_triangle(f, number);

    (void)entry;
    if (!(t >= 0.0 && t <= f->most)) {
        return most;
    }
    if (f->t < 0.0 || t < f->t || (t == f->t && number < f->triangle)) {
        f->t = t;
        f->triangle = number;
        f->most = t;
    }
    return f->most * (1.0 + box_rounding);
}

static double mesh_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                        const double d[3], double most, double n[3], size_t *part)
{
    const perp_mesh *mesh = shape->mesh;
    flight f = {.mesh = mesh, .o = o, .t = -1.0, .most = most};

    (void)dimension;
    f.z = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    f.z = fabs(d[2]) > fabs(d[f.z]) ? 2 : f.z;
    f.x = (f.z + 1) % 3;
    f.y = (f.z + 2) % 3;
    vec3_set(f.slope, d[f.x] / d[f.z], d[f.y] / d[f.z], 1.0 / d[f.z]);
    perp_tree_cast(mesh->tree, o, d, most * (1.0 + box_rounding), mesh_visit, &f);
    *part = f.triangle;
    if (f.t >= 0.0) {
        const double *normal = mesh->normal + 3 * f.triangle;

        vec3_scale(vec3_dot(normal, d) > 0.0 ? -1.0 : 1.0, normal, n);
    }
    return f.t;
}

const perp_shape_type shape_mesh = {
    .name = "mesh",
    .summary =
        "a surface of triangles, corners counter-clockwise; a closed one has mass; it "
        "meets all shapes",
    .is_mesh = true,
    .inertia = mesh_inertia,
    .reach = mesh_reach,
    .bounds = mesh_bounds,
    .cast = mesh_cast,
};
