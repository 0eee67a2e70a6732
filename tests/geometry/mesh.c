/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/mesh.c: surfaces of triangles: neighbours, ridges, boxes, mass, and what
 * is refused. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/tree.h>

#include "dynamics.h"
#include "polyhedra.h"
#include "reference.h"
#include "scarce.h"
#include "surfaces.h"
#include "world/world.h"

/* The faces of the unit cube [0, 1]^3, corner b of bit b of its number, as triangles. */
static const int32_t cube[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static void cube_points(double points[24])
{
    for (int k = 0; k < 8; k++) {
        vec3_set(points + 3 * k, k & 1, (k >> 1) & 1, (k >> 2) & 1);
    }
}

/* What lies beyond a side has that side the other way. */
static void check_beyond(const perp_mesh *m)
{
    bool closed = true;

    for (size_t k = 0; k < 3 * m->triangle_count; k++) {
        size_t t = k / 3;
        int32_t from = m->corner[k];
        int32_t to = m->corner[3 * t + (k + 1) % 3];
        int32_t other = m->beyond[k];
        int found = 0;

        closed = closed && other >= 0;
        for (size_t c = 0; other >= 0 && c < 3; c++) {
            found += m->corner[3 * (size_t)other + c] == to &&
                     m->corner[3 * (size_t)other + (c + 1) % 3] == from;
        }
        CU_ASSERT_EQUAL(found, other >= 0);
        CU_ASSERT(other >= 0 || m->convex[k]); /* a border */
    }
    CU_ASSERT_EQUAL(m->closed, closed);
}

TEST(a_cube_is_closed_and_its_edges_are_ridges)
{
    double points[24];
    perp_mesh *m = NULL;

    cube_points(points);
    m = surface_new(8, points, 12, cube);
    check_beyond(m);
    CU_ASSERT_TRUE(m->closed);
    CU_ASSERT_EQUAL(m->point_count, 8);
    for (size_t t = 0; t < 12; t++) { /* the diagonals lie in a plane */
        for (size_t k = 0; k < 3; k++) {
            bool diagonal = m->beyond[3 * t + k] / 2 == (int32_t)t / 2;

            CU_ASSERT_EQUAL(m->convex[3 * t + k], !diagonal);
        }
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(m->normal + 3 * t), 1.0, 1e-15);
    }
    CU_ASSERT(m->normal[0] == -1.0 && m->normal[3 * 2] == 1.0);
    CU_ASSERT(m->lo[0] == 0.0 && m->hi[2] == 1.0);
}

/* Inside out every ridge is a valley. */
TEST(a_hollow_cube_has_no_ridges)
{
    double points[24];
    int32_t inward[36];
    perp_mesh *m = NULL;

    cube_points(points);
    for (int k = 0; k < 36; k++) {
        inward[k] = cube[3 * (k / 3) + (3 - k % 3) % 3];
    }
    m = surface_new(8, points, 12, inward);
    check_beyond(m);
    CU_ASSERT_TRUE(m->closed);
    for (size_t k = 0; k < 36; k++) {
        CU_ASSERT_FALSE(m->convex[k]);
    }
}

/* Each triangle with corners of its own, -0 among them, and a point that none has. */
TEST(points_that_coincide_are_one_and_idle_ones_go)
{
    double points[24], soup[3 * 37];
    int32_t corners[36];
    perp_mesh *m = NULL;

    cube_points(points);
    vec3_set(soup, 7.0, 7.0, 7.0);
    for (int k = 0; k < 36; k++) {
        vec3_copy(soup + 3 * (k + 1), points + 3 * cube[k]);
        corners[k] = k + 1;
    }
    soup[3] = -0.0;
    m = surface_new(37, soup, 12, corners);
    CU_ASSERT_EQUAL(m->point_count, 8);
    CU_ASSERT_TRUE(m->closed);
    CU_ASSERT_EQUAL(m->hi[0], 1.0);
    check_beyond(m);
}

/* A sheet of n x n squares, z = height(x). */
static perp_mesh *sheet(size_t n, double (*height)(double x))
{
    double *points = test_alloc((n + 1) * (n + 1), 3 * sizeof *points);
    int32_t *corners = test_alloc(n * n, 6 * sizeof *corners);
    perp_mesh *m = NULL;

    CU_ASSERT_FATAL(points && corners);
    for (size_t k = 0; k < (n + 1) * (n + 1); k++) {
        double x = (double)(k % (n + 1));

        vec3_set(points + 3 * k, x, (double)(k / (n + 1)), height(x));
    }
    for (size_t k = 0; k < n * n; k++) {
        int32_t a = (int32_t)(k / n * (n + 1) + k % n);
        int32_t b = a + (int32_t)n + 1;
        const int32_t two[6] = {a, a + 1, b + 1, a, b + 1, b};

        memcpy(corners + 6 * k, two, sizeof two);
    }
    m = surface_new((n + 1) * (n + 1), points, 2 * n * n, corners);
    return m;
}

static double flat(double x)
{
    return 0.1 * x;
}

static double roof(double x)
{
    return -fabs(x - 2.0);
}

static double valley(double x)
{
    return fabs(x - 2.0);
}

/* Sides that are ridges and no borders. */
static size_t ridges(const perp_mesh *m)
{
    size_t count = 0;

    check_beyond(m);
    CU_ASSERT_FALSE(m->closed);
    for (size_t k = 0; k < 3 * m->triangle_count; k++) {
        count += m->convex[k] && m->beyond[k] >= 0;
    }
    return count;
}

TEST(a_sheet_is_open_and_bends_where_it_does)
{
    perp_mesh *m = sheet(4, flat);

    CU_ASSERT_EQUAL(ridges(m), 0);
    m = sheet(4, roof);
    CU_ASSERT_EQUAL(ridges(m), 8); /* 4 sides of the ridge, from both */
    m = sheet(4, valley);
    CU_ASSERT_EQUAL(ridges(m), 0);
}

/* Corners in seven digits: the bend of small triangles far out is noise. */
TEST(flat_sheets_of_seven_digits_have_no_ridges)
{
    perp_mesh *m = sheet(20, flat);
    double *points = malloc(3 * m->point_count * sizeof *points);
    perp_mesh *turned = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(points);
    for (size_t k = 0; k < m->point_count; k++) {
        const double *p = m->point + 3 * k;
        const double q[4] = {0.8, 0.36, -0.48, 0.0};
        double x[3];

        vec3_set(x, 100.0 + 0.1 * p[0], 0.1 * p[1], 0.1 * p[2]);
        perp_quat_rotate(q, x, x);
        for (size_t d = 0; d < 3; d++) {
            points[3 * k + d] = (double)(float)x[d];
        }
    }
    turned = surface_new(m->point_count, points, m->triangle_count, m->corner);
    CU_ASSERT_EQUAL(ridges(turned), 0);
    free(points);
}

static bool count_visit(void *context, uint32_t number)
{
    (void)number;
    ++*(size_t *)context;
    return true;
}

/* The triangles whose boxes meet a box, by the tree and one by one. */
TEST(the_tree_finds_the_triangles)
{
    perp_mesh *m = sheet(12, roof);
    perp_random g = {41};

    CU_ASSERT_EQUAL(perp_tree_count(m->tree), m->triangle_count);
    CU_ASSERT_TRUE(perp_tree_sound(m->tree));
    for (int run = 0; run < 100; run++) {
        perp_aabb box;
        size_t found = 0;
        size_t expected = 0;

        for (int k = 0; k < 3; k++) {
            box.lo[k] = perp_random_uniform(&g, -10.0, 12.0);
            box.hi[k] = box.lo[k] + perp_random_uniform(&g, 0.0, 5.0);
        }
        for (size_t t = 0; t < m->triangle_count; t++) {
            perp_aabb of;
            double points[9];

            for (size_t k = 0; k < 3; k++) {
                vec3_copy(points + 3 * k, m->point + 3 * m->corner[3 * t + k]);
            }
            perp_aabb_of_points(3, points, &of);
            expected += perp_aabb_overlap(&of, &box);
        }
        perp_tree_query(m->tree, &box, count_visit, &found);
        CU_ASSERT_EQUAL(found, expected);
    }
}

/* A hull's faces as a closed mesh weigh what the hull weighs. */
TEST(a_closed_mesh_weighs_what_the_hull_does)
{
    perp_random g = {42};
    double points[3 * 60];
    perp_polytope *h = NULL;
    perp_mesh *mesh = NULL;
    double m[2], c[2][3], I[2][9];

    polyhedron_sphere(&g, 60, points);
    OK(perp_polytope_new(&h, 60, points, NULL));
    mesh = surface_of_hull(h);
    CU_ASSERT_TRUE(mesh->closed);
    for (size_t k = 0; k < 3 * mesh->triangle_count; k++) {
        CU_ASSERT_TRUE(mesh->convex[k]);
    }
    OK(perp_inertia_hull(2.0, 60, points, &m[0], c[0], I[0], NULL));
    OK(perp_inertia_mesh(2.0, mesh->point, mesh->triangle_count, mesh->corner, &m[1],
                         c[1], I[1], NULL));
    test_agree("mass", &m[1], &m[0], 1, 1e-13); /* sums of 116 terms below 1 */
    test_agree("centre", c[1], c[0], 3, 1e-13);
    test_agree("inertia", I[1], I[0], 9, 1e-13);
}

TEST(references_are_counted)
{
    double points[24];
    perp_mesh *m = NULL;

    cube_points(points);
    m = surface_new(8, points, 12, cube);
    perp_mesh_hold(m);
    perp_mesh_free(m);
    CU_ASSERT_EQUAL(m->references, 1);
    perp_mesh_free(m);
    perp_mesh_free(NULL);
}

static void refused(size_t n, const double *points, size_t triangles,
                    const int32_t *corners, const char *text)
{
    perp_mesh *m = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_mesh_new(&m, n, points, triangles, corners, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(m);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

TEST(invalid_surfaces_are_refused)
{
    double points[24];
    const int32_t none[3] = {0, 1, 8};
    const int32_t less[3] = {0, -1, 1};
    const int32_t twice[3] = {0, 1, 1};
    const int32_t crowded[9] = {0, 1, 2, 1, 0, 4, 0, 1, 7};
    double line[9] = {0, 0, 0, 1, 1, 1, 3, 3, 3};

    cube_points(points);
    refused(8, points, 0, cube,
            "mesh: 8 points and 0 triangles, expected at least one of each");
    refused((size_t)1 << 27, points, 1, none, /* unread */
            "mesh: 134217728 points and 1 triangle are too many");
    refused(
        8, points, 1, none,
        "mesh: triangle 0 has corner 8, expected the number of one of 8 points, from 0");
    refused(
        8, points, 1, less,
        "mesh: triangle 0 has corner -1, expected the number of one of 8 points, from 0");
    refused(8, points, 1, twice,
            "mesh: triangle 0 has no area, expected corners that do not lie on one line");
    refused(
        3, line, 1, cube + 33,
        "mesh: triangle 0 has corner 4, expected the number of one of 3 points, from 0");
    refused(
        8, points, 3, crowded,
        "mesh: triangle 2 shares a side with two other triangles, expected at most one");
    {
        const int32_t order[3] = {0, 1, 2};

        refused(
            3, line, 1, order,
            "mesh: triangle 0 has no area, expected corners that do not lie on one line");
        line[4] = INFINITY;
        refused(3, line, 1, order, "mesh: point 1 is not finite");
    }
    points[22] = NAN;
    refused(8, points, 12, cube, "mesh: point 7 is not finite");
}

/* Two triangles that run their side alike do not know each other. */
TEST(sides_run_alike_are_open)
{
    double points[24];
    const int32_t alike[6] = {0, 1, 2, 0, 1, 4};
    perp_mesh *m = NULL;

    cube_points(points);
    m = surface_new(8, points, 2, alike);
    CU_ASSERT_FALSE(m->closed);
    CU_ASSERT(m->beyond[0] == -1 && m->beyond[3] == -1);
}

TEST(meshes_may_be_tiny_and_huge)
{
    for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
        double points[24];
        perp_mesh *m = NULL;

        cube_points(points);
        for (int k = 0; k < 24; k++) {
            points[k] = 1e3 + scale * points[k];
        }
        m = surface_new(8, points, 12, cube);
        CU_ASSERT_TRUE(m->closed);
        CU_ASSERT_EQUAL(m->point_count, 8);
        for (size_t k = 0; k < 36; k++) {
            CU_ASSERT_EQUAL(m->convex[k], m->beyond[k] / 2 != (int32_t)k / 6);
        }
    }
}

static perp_status mesh_once(void *context, perp_error *err)
{
    perp_mesh *m = NULL;
    perp_status status = perp_mesh_new(&m, 8, context, 12, cube, err);

    CU_ASSERT_EQUAL(status == PERP_OK, m != NULL);
    return status;
}

TEST(a_mesh_survives_without_memory)
{
    double points[24];

    cube_points(points);
    scarce_everywhere(mesh_once, points, "mesh");
}
