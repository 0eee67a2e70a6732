/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/polytope.c: convex hulls: their faces, edges, directions, neighbours,
 * against the points themselves, brute force and formulas. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "polyhedra.h"
#include "world/world.h"

static void expect_counts(size_t n, const double *points, size_t corners, size_t faces,
                          size_t directions, double size)
{
    perp_polytope *h = polytope_of(n, points);

    CU_ASSERT_EQUAL(h->corner_count, corners);
    CU_ASSERT_EQUAL(h->face_count, faces);
    CU_ASSERT_EQUAL(h->direction_count, directions);
    if (h->corner_count != corners || h->face_count != faces ||
        h->direction_count != directions) {
        test_note("%zu corners, %zu faces, %zu directions of %zu, %zu, %zu",
                  h->corner_count, h->face_count, h->direction_count, corners, faces,
                  directions);
    }
    polytope_check(h, n, points, size);
}

TEST(a_box_has_six_faces_however_it_lies)
{
    perp_random g = {11};

    for (int k = 0; k < 50; k++) {
        const double half[3] = {perp_random_uniform(&g, 0.01, 1.0), 1.0, 0.5};
        double points[24];

        polyhedron_box(half, points);
        if (k > 0) {
            polyhedron_place(&g, 10.0, 1.0, 8, points);
        }
        expect_counts(8, points, 8, 6, 3, 2.0);
    }
}

/* A grid of 5 x 5 x 5: points inside, on faces and on edges; and each of them twice. */
TEST(points_on_faces_and_edges_inside_and_twice_are_left_out)
{
    perp_random g = {12};
    double points[3 * 250];

    for (int run = 0; run < 20; run++) {
        for (int k = 0; k < 125; k++) {
            vec3_set(points + 3 * k, k % 5, 0.7 * (k / 5 % 5), 0.1 * (k / 25));
        }
        if (run > 0) {
            polyhedron_place(&g, 100.0, 1.0, 125, points);
        }
        for (int k = 0; k < 125; k++) {
            vec3_copy(points + 3 * (125 + k), points + 3 * k);
        }
        expect_counts(250, points, 8, 6, 3, 4.0);
    }
}

TEST(a_prism_of_64_sides_keeps_its_bases)
{
    perp_random g = {13};
    double points[3 * 128];

    for (int run = 0; run < 20; run++) {
        polyhedron_prism(64, 1.0, 0.3, points);
        if (run > 0) {
            polyhedron_place(&g, 10.0, 1.0, 128, points);
        }
        expect_counts(128, points, 128, 66, 33, 2.0); /* opposite sides are parallel */
    }
}

TEST(an_icosahedron_has_twenty_faces)
{
    perp_random g = {14};
    double points[36];

    for (int run = 0; run < 20; run++) {
        polyhedron_icosahedron(points);
        if (run > 0) {
            polyhedron_place(&g, 10.0, 1.0, 12, points);
        }
        expect_counts(12, points, 12, 20, 15, 2.0);
    }
}

TEST(points_on_a_sphere_are_all_corners)
{
    perp_random g = {5};
    double points[3 * 200];

    polyhedron_sphere(&g, 200, points);
    expect_counts(200, points, 200, 396, 594, 2.0); /* triangles: 2 n - 4 */
}

/* Strictly farthest of all points along the sum of the normals of its faces. */
static void check_extreme(const perp_polytope *h, size_t n, const double *points)
{
    double *sum = test_alloc(h->corner_count, 3 * sizeof *sum);

    for (size_t f = 0; f < h->face_count; f++) {
        for (int32_t k = h->face_start[f]; k < h->face_start[f + 1]; k++) {
            double *s = sum + 3 * h->face_corner[k];

            vec3_add(s, 1.0, h->normal + 3 * f, s);
        }
    }
    for (size_t c = 0; c < h->corner_count; c++) {
        double here = vec3_dot(sum + 3 * c, h->corner + 3 * c);

        for (size_t k = 0; k < n; k++) {
            bool same = memcmp(points + 3 * k, h->corner + 3 * c, 24) == 0;

            CU_ASSERT(same || vec3_dot(sum + 3 * c, points + 3 * k) < here);
        }
    }
}

/* Triples of points with all others on one side of their plane. */
static size_t count_facets(size_t n, const double *points)
{
    size_t count = 0;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < a; b++) {
            for (size_t c = 0; c < b; c++) {
                double x[3], y[3];
                bool above = false;
                bool below = false;

                vec3_subtract(points + 3 * b, points + 3 * a, x);
                vec3_subtract(points + 3 * c, points + 3 * a, y);
                vec3_cross(x, y, x);
                for (size_t k = 0; k < n; k++) {
                    vec3_subtract(points + 3 * k, points + 3 * a, y);
                    if (k != a && k != b && k != c) {
                        above = above || vec3_dot(x, y) > 0.0;
                        below = below || vec3_dot(x, y) < 0.0;
                    }
                }
                count += above != below;
            }
        }
    }
    return count;
}

TEST(random_hulls_are_those_of_brute_force)
{
    perp_random g = {15};

    for (int run = 0; run < 60; run++) {
        size_t n = 4 + (size_t)(run % 21);
        double points[3 * 24];
        perp_polytope *h = NULL;

        for (size_t k = 0; k < 3 * n; k++) {
            points[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        h = polytope_of(n, points);
        CU_ASSERT_EQUAL(h->face_count, count_facets(n, points));
        polytope_check(h, n, points, 2.0);
        check_extreme(h, n, points);
    }
}

static double volume_of(size_t n, const double *points, double center[3])
{
    double m = 0.0;
    double I[9];

    OK(perp_inertia_hull(1.0, n, points, &m, center, I, NULL));
    return m;
}

TEST(known_solids_have_their_volumes)
{
    const double octahedron[18] = {1, 0,  0, -1, 0, 0, 0, 1, 0,
                                   0, -1, 0, 0,  0, 1, 0, 0, -1};
    double points[3 * 128], c[3];

    /* 5 (3 + sqrt 5) a^3/12, a = 1/sin(2 pi/5) times the radius; a few roundings */
    polyhedron_icosahedron(points);
    CU_ASSERT_DOUBLE_EQUAL(volume_of(12, points, c),
                           5.0 / 12.0 * (3.0 + sqrt(5.0)) / pow(sin(0.4 * M_PI), 3.0),
                           1e-14);
    CU_ASSERT_DOUBLE_EQUAL(volume_of(6, octahedron, c), 4.0 / 3.0, 1e-15);
    polyhedron_prism(64, 1.0, 0.3, points);
    CU_ASSERT_DOUBLE_EQUAL(volume_of(128, points, c), 0.3 * 32.0 * sin(2.0 * M_PI / 64.0),
                           1e-14);
    CU_ASSERT_DOUBLE_EQUAL(c[2], 0.15, 1e-15);
}

TEST(references_are_counted)
{
    double points[36];
    perp_polytope *h = NULL;

    polyhedron_icosahedron(points);
    h = polytope_of(12, points);
    perp_polytope_hold(h);
    perp_polytope_free(h);
    CU_ASSERT_EQUAL(h->references, 1);
    perp_polytope_free(h);
    perp_polytope_free(NULL);
}
