/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/polygon.c: convex polygons around points of the plane. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "scarce.h"
#include "world/world.h"

static perp_polytope *polygon_of(size_t n, const double *points)
{
    perp_polytope *h = NULL;
    perp_error err = {0};

    if (perp_polygon_new(&h, n, points, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a polygon");
    }
    return h;
}

static const double *corner_of(const perp_polytope *h, size_t c)
{
    return h->corner + 3 * (c % h->corner_count);
}

/* All of it: sides look away from all points, go round, and know their neighbours. */
static void check_polygon(const perp_polytope *h, size_t n, const double *points,
                          double size)
{
    size_t count = h->corner_count;

    CU_ASSERT_EQUAL(h->face_count, count);
    CU_ASSERT(h->edge_count == 0 && h->direction_count == 0 && h->references == 1);
    for (size_t f = 0; f < count; f++) {
        const double *a = corner_of(h, f);
        const double *b = corner_of(h, f + 1);
        const double *normal = h->normal + 3 * f;
        int32_t before = (int32_t)((f + count - 1) % count);
        int32_t after = (int32_t)((f + 1) % count);
        double d[3];
        double turn = 0.0;

        CU_ASSERT_EQUAL(h->face_start[f], (int32_t)(2 * f));
        CU_ASSERT_EQUAL(h->face_corner[2 * f], (int32_t)f);
        CU_ASSERT_EQUAL(h->face_corner[2 * f + 1], after);
        CU_ASSERT_EQUAL(h->near_start[f], (int32_t)(2 * f));
        CU_ASSERT_EQUAL(h->near[2 * f], before < after ? before : after);
        CU_ASSERT_EQUAL(h->near[2 * f + 1], before < after ? after : before);
        CU_ASSERT_EQUAL(a[2], 0.0);
        vec3_subtract(b, a, d);
        CU_ASSERT_DOUBLE_EQUAL(h->area[f], vec3_length(d), 1e-15 * size);
        CU_ASSERT_DOUBLE_EQUAL(vec3_dot(normal, d), 0.0, 1e-15 * size);
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(normal), 1.0, 1e-15);
        turn = d[0] * (corner_of(h, f + 2)[1] - b[1]) -
               d[1] * (corner_of(h, f + 2)[0] - b[0]);
        CU_ASSERT(turn > 0.0);
        for (size_t k = 0; k < n; k++) {
            /* corners within 1e-7 of the line of others are left out */
            CU_ASSERT((points[3 * k] - a[0]) * normal[0] +
                          (points[3 * k + 1] - a[1]) * normal[1] <=
                      3e-7 * size);
        }
    }
    CU_ASSERT_EQUAL(h->face_start[count], (int32_t)(2 * count));
    CU_ASSERT_EQUAL(h->near_start[count], (int32_t)(2 * count));
    for (size_t k = 0; k < h->lanes; k++) {
        CU_ASSERT_EQUAL(h->x[k], h->corner[k < count ? 3 * k : 0]);
        CU_ASSERT_EQUAL(h->y[k], h->corner[k < count ? 3 * k + 1 : 1]);
    }
}

/* Corners are counted from the first point that is one, so a square stays as it is. */
TEST(a_square_keeps_its_corners_and_loses_the_rest)
{
    const double points[] = {0.5, 0.5, 9, 1, 1, NAN, 0, 1, 0, 0,   0, 0, 1, 0,   0,
                             0.5, 0,   0, 1, 1, 0,   0, 0, 0, 0.2, 0, 0, 1, 0.7, 3};
    const double corners[] = {1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    const double center[3] = {0.5, 0.5, 0.0};
    perp_polytope *h = polygon_of(10, points);

    CU_ASSERT_EQUAL_FATAL(h->corner_count, 4);
    test_agree("corners", h->corner, corners, 12, 0.0);
    test_agree("centre", h->center, center, 3, 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(h->reach, sqrt(2.0), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(h->extent, sqrt(0.5), 1e-15);
    check_polygon(h, 10, points, 1.0);
}

TEST(sides_with_points_on_them_stay_straight_when_turned)
{
    perp_random g = {51};

    for (int run = 0; run < 100; run++) {
        double points[3 * 40];
        double size = pow(10.0, (double)(run % 3 - 1) * 6.0);
        double angle = perp_random_uniform(&g, 0.0, 6.3);
        double x = run % 2 ? 100.0 * size : 0.0;
        perp_polytope *h = NULL;

        for (int k = 0; k < 40; k++) { /* ten on each side of a rectangle */
            double t = (double)(k % 10) / 10.0;
            double u = k / 10 == 0 ? t : k / 10 == 1 ? 1.0 : k / 10 == 2 ? 1.0 - t : 0.0;
            double v = 0.4 * (k / 10 == 0   ? 0.0
                              : k / 10 == 1 ? t
                              : k / 10 == 2 ? 1.0
                                            : 1.0 - t);

            vec3_set(points + 3 * k, x + size * (u * cos(angle) - v * sin(angle)),
                     size * (u * sin(angle) + v * cos(angle)), 0.0);
        }
        h = polygon_of(40, points);
        CU_ASSERT_EQUAL(h->corner_count, 4);
        check_polygon(h, 40, points, size + x);
    }
}

TEST(regular_polygons_keep_all_their_corners)
{
    for (size_t n = 3; n <= 1000; n = n * 3 / 2 + 1) {
        double *points = test_alloc(n, 3 * sizeof *points);
        perp_polytope *h = NULL;

        for (size_t k = 0; k < n; k++) {
            double angle = 2.0 * M_PI * (double)k / (double)n;

            vec3_set(points + 3 * k, 3.0 + cos(angle), sin(angle), 0.0);
        }
        h = polygon_of(n, points);
        CU_ASSERT_EQUAL(h->corner_count, n);
        CU_ASSERT_DOUBLE_EQUAL(h->center[0], 3.0, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(h->extent, 1.0, 1e-14);
        check_polygon(h, n, points, 1.0);
    }
}

/* Pairs of points with all others on the left of the line between them. */
static size_t count_sides(size_t n, const double *p)
{
    size_t count = 0;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            bool side = a != b;

            for (size_t k = 0; side && k < n; k++) {
                side = k == a || k == b ||
                       (p[3 * b] - p[3 * a]) * (p[3 * k + 1] - p[3 * a + 1]) -
                               (p[3 * b + 1] - p[3 * a + 1]) * (p[3 * k] - p[3 * a]) >
                           0.0;
            }
            count += side;
        }
    }
    return count;
}

TEST(random_polygons_are_those_of_brute_force)
{
    perp_random g = {52};

    for (int run = 0; run < 200; run++) {
        size_t n = 3 + (size_t)(run % 30);
        double points[3 * 32], flat[2 * 32];
        double m = 0.0;
        double c[2];
        double I = 0.0;
        perp_polytope *h = NULL;

        for (size_t k = 0; k < 3 * n; k++) {
            points[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        h = polygon_of(n, points);
        CU_ASSERT_EQUAL(h->corner_count, count_sides(n, points));
        check_polygon(h, n, points, 2.0);
        for (size_t k = 0; k < h->corner_count; k++) {
            flat[2 * k] = h->corner[3 * k];
            flat[2 * k + 1] = h->corner[3 * k + 1];
        }
        OK(perp_inertia_polygon(1.0, h->corner_count, flat, &m, c, &I, NULL));
        test_agree("centre", h->center, c, 2, 1e-12); /* slivers of an area of 1e-3 */
    }
}

static void refused(size_t n, const double *points, const char *text)
{
    perp_polytope *h = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_polygon_new(&h, n, points, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(h);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

TEST(points_without_an_area_are_refused)
{
    const double same[9] = {1, 2, 0, 1, 2, 1, 1, 2, 2};
    const double line[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 9, 9, 9};
    const double spoilt[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};

    refused(2, line, "polygon: 2 points, expected from three to 2^29");
    refused(
        3, same,
        "polygon: 3 points span no area, expected points that do not lie on one line");
    refused(
        4, line,
        "polygon: 4 points span no area, expected points that do not lie on one line");
    refused(3, spoilt, "polygon: point 2 is not finite");
}

static perp_status polygon_once(void *context, perp_error *err)
{
    perp_polytope *h = NULL;
    perp_status status = perp_polygon_new(&h, 4, context, err);

    CU_ASSERT_EQUAL(status == PERP_OK, h != NULL);
    return status;
}

TEST(a_polygon_survives_without_memory)
{
    double points[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

    scarce_everywhere(polygon_once, points, "polygon");
}
