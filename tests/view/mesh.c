/* SPDX-License-Identifier: Apache-2.0
 * tests/view/mesh.c: surfaces of shapes: closed, oriented, of the right volume and normals. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/view/mesh.h"
#include "motions.h"
#include "support.h"

enum { SEGMENTS = 32 };

static const view_mesh_orders orders = {.segments = SEGMENTS, .plane = 3.0, .depth = 0.5};

static motion_shape shape_of(const char *type, double a, double b, double c)
{
    return (motion_shape){.type = perp_shape_type_find(type),
                          .pose = {0, 0, 0, 1, 0, 0, 0},
                          .size = {a, b, c},
                          .vertex_count = 4,
                          .triangle_count = 4};
}

static motion motion_of(unsigned dimension)
{
    return (motion){.dimension = dimension,
                    .source = "hand",
                    .vertex_count = 4,
                    .triangle_count = 4,
                    .vertices = motions_vertices,
                    .triangles = motions_triangles};
}

static const double *corner_of(const view_mesh *m, size_t triangle, size_t k)
{
    return m->vertices + 3 * (size_t)m->triangles[3 * triangle + k];
}

/* Six times the signed volume of the cone from the origin over a triangle. */
static double six_volumes(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static double volume_of(const view_mesh *m)
{
    double sum = 0.0;

    for (size_t t = 0; t < m->triangle_count; t++) {
        sum +=
            six_volumes(corner_of(m, t, 0), corner_of(m, t, 1), corner_of(m, t, 2)) / 6.0;
    }
    return sum;
}

static bool same_place(const double *a, const double *b)
{
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-12;
}

/* Each side of a triangle is met once by another in the opposite direction. */
static bool is_closed(const view_mesh *m)
{
    for (size_t s = 0; s < 3 * m->triangle_count; s++) {
        const double *p = corner_of(m, s / 3, s % 3);
        const double *q = corner_of(m, s / 3, (s + 1) % 3);
        size_t met = 0;

        for (size_t o = 0; o < 3 * m->triangle_count; o++) {
            met += same_place(p, corner_of(m, o / 3, (o + 1) % 3)) &&
                   same_place(q, corner_of(m, o / 3, o % 3));
        }
        if (met != 1) {
            return false;
        }
    }
    return true;
}

/* Normals are unit and lie on the outer side of the triangles that use them. */
static bool normals_fit(const view_mesh *m)
{
    for (size_t s = 0; s < 3 * m->triangle_count; s++) {
        const double *n = m->normals + 3 * (size_t)m->triangles[s];
        const double *a = corner_of(m, s / 3, 0);
        const double *b = corner_of(m, s / 3, 1);
        const double *c = corner_of(m, s / 3, 2);
        double u[3];
        double v[3];
        double f[3];

        for (size_t k = 0; k < 3; k++) {
            u[k] = b[k] - a[k];
            v[k] = c[k] - a[k];
        }
        for (size_t k = 0; k < 3; k++) {
            f[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        }
        if (fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) > 1e-14 ||
            f[0] * n[0] + f[1] * n[1] + f[2] * n[2] <= 0.0) {
            return false;
        }
    }
    return true;
}

/* `share`: of the volume that facets may lose. */
static void check_solid(unsigned dimension, motion_shape shape, double volume,
                        double share)
{
    motion m = motion_of(dimension);
    view_mesh mesh;

    OK(view_mesh_make(&mesh, &m, &shape, &orders, NULL));
    test_note("%s: volume %.17g of %.17g, %zu triangles", shape.type->name,
              volume_of(&mesh), volume, mesh.triangle_count);
    CU_ASSERT(is_closed(&mesh));
    CU_ASSERT(normals_fit(&mesh));
    CU_ASSERT(volume_of(&mesh) <= volume * (1.0 + 1e-12));
    CU_ASSERT(volume_of(&mesh) >= volume * (1.0 - share - 1e-12));
    view_mesh_free(&mesh);
}

/* A circle of n sides loses 1 - sin(t)/t < t^2/6 of its area, t = 2 pi/n. A chord of a meridian
 * lies t^2/12 of the radius inside on average, so a ball loses three times that as well. */
static const double of_circle = 6.6 / (SEGMENTS * SEGMENTS);
static const double of_ball = 16.5 / (SEGMENTS * SEGMENTS);

TEST(shapes_are_closed_oriented_and_of_the_right_volume)
{
    check_solid(3, shape_of("sphere", 0.7, 0, 0), 4.0 / 3.0 * M_PI * 0.343, of_ball);
    check_solid(3, shape_of("box", 0.1, 0.2, 0.3), 0.048, 0.0);
    check_solid(3, shape_of("cylinder", 0.5, 3.0, 0), M_PI * 0.75, of_circle);
    check_solid(3, shape_of("capsule", 0.5, 3.0, 0), M_PI * (0.75 + 0.5 / 3.0), of_ball);
    check_solid(3, shape_of("cone", 0.5, 3.0, 0), M_PI * 0.25, of_circle);
    check_solid(3, shape_of("ellipsoid", 0.1, 0.2, 0.3), 4.0 / 3.0 * M_PI * 0.006,
                of_ball);
    check_solid(3, shape_of("hull", 0, 0, 0), 1.0 / 6.0, 0.0);
    check_solid(3, shape_of("mesh", 0, 0, 0), 1.0 / 6.0, 0.0);
}

/* The polygon of the four points in the plane is a triangle of area 1/2, times the depth. */
TEST(flat_shapes_are_prisms)
{
    check_solid(2, shape_of("sphere", 0.7, 0, 0), M_PI * 0.49 * 0.5, of_circle);
    check_solid(2, shape_of("box", 0.1, 0.2, 0), 0.04, 0.0);
    check_solid(2, shape_of("hull", 0, 0, 0), 0.25, 0.0);
    check_solid(2, shape_of("plane", 0, 0, 0), 6.0 * 0.25, 0.0);
}

TEST(a_plane_is_a_square_that_faces_up)
{
    motion m = motion_of(3);
    motion_shape plane = shape_of("plane", 0, 0, 0);
    view_mesh mesh;

    OK(view_mesh_make(&mesh, &m, &plane, &orders, NULL));
    CU_ASSERT_EQUAL(mesh.triangle_count, 2);
    CU_ASSERT(normals_fit(&mesh));
    for (size_t k = 0; k < mesh.vertex_count; k++) {
        CU_ASSERT_EQUAL(fabs(mesh.vertices[3 * k]), 3.0);
        CU_ASSERT_EQUAL(mesh.vertices[3 * k + 2], 0.0);
        CU_ASSERT_EQUAL(mesh.normals[3 * k + 2], 1.0);
    }
    view_mesh_free(&mesh);
}

TEST(a_shape_of_a_user_is_refused)
{
    static const perp_shape_type knot = {.name = "knot"};
    motion m = motion_of(3);
    motion_shape shape = {.type = &knot};
    view_mesh mesh;
    perp_error err = {0};

    CU_ASSERT_EQUAL(view_mesh_make(&mesh, &m, &shape, &orders, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "hand: a shape is a knot"));
    CU_ASSERT_PTR_NULL(mesh.vertices);
}
