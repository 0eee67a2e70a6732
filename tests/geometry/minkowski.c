/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/minkowski.c: sums and differences of convex sets, in the plane and in
 * space, against golden values, support functions and formulas. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "dynamics.h"
#include "polyhedra.h"
#include "reference.h"
#include "scarce.h"
#include "world/world.h"

enum { ROOM = 64 }; /* corners of golden polygons and of their sums */

static double area_of(size_t n, const double *x)
{
    double area = 0.0;

    for (size_t k = 0; k < n; k++) {
        const double *a = x + 2 * k;
        const double *b = x + 2 * ((k + 1) % n);

        area += 0.5 * ((a[0] - x[0]) * (b[1] - x[1]) - (a[1] - x[1]) * (b[0] - x[0]));
    }
    return area;
}

/* x and the golden hull, from its corner nearest to x[0] on. */
static void agree_in_turn(const golden_case *c, const char *key, size_t n,
                          const double *x)
{
    double expected[2 * ROOM], turned[2 * ROOM];
    size_t first = 0;
    double best = INFINITY;

    CU_ASSERT_EQUAL_FATAL(golden_count(c->out, key), 2 * n);
    golden_reals(c->out, key, 2 * n, expected);
    for (size_t k = 0; k < n; k++) {
        double d = hypot(expected[2 * k] - x[0], expected[2 * k + 1] - x[1]);

        first = d < best ? k : first;
        best = fmin(best, d);
    }
    for (size_t k = 0; k < n; k++) {
        turned[2 * k] = expected[2 * ((first + k) % n)];
        turned[2 * k + 1] = expected[2 * ((first + k) % n) + 1];
    }
    test_agree(key, x, turned, 2 * n, c->tol);
}

static bool holds_origin(size_t n, const double *x)
{
    for (size_t k = 0; k < n; k++) {
        const double *a = x + 2 * k;
        const double *b = x + 2 * ((k + 1) % n);

        if (a[0] * b[1] - a[1] * b[0] < 0.0) {
            return false;
        }
    }
    return true;
}

static void check_plane(const golden_case *c)
{
    double P[2 * ROOM], Q[2 * ROOM], out[4 * ROOM];
    size_t p = golden_count(c->in, "P") / 2;
    size_t q = golden_count(c->in, "Q") / 2;
    size_t n = 0;
    double area = 0.0;

    CU_ASSERT_FATAL(p + q <= ROOM);
    golden_reals(c->in, "P", 2 * p, P);
    golden_reals(c->in, "Q", 2 * q, Q);
    n = perp_minkowski_sum_2d(p, P, q, Q, out);
    agree_in_turn(c, "sum_hull", n, out);
    area = area_of(n, out);
    golden_agree(c, "sum_area", &area, 1);
    n = perp_minkowski_difference_2d(p, P, q, Q, out);
    agree_in_turn(c, "diff_hull", n, out);
    area = area_of(n, out);
    golden_agree(c, "diff_area", &area, 1);
    CU_ASSERT_EQUAL(holds_origin(n, out),
                    json_is_true(json_object_get(c->out, "contains_origin")));
}

TEST(sums_and_differences_of_polygons_are_the_golden_ones)
{
    golden_each("collision_2d", NULL, check_plane);
}

/* The same through polytopes in the plane, and whether the origin is in. */
static void check_polygons(const golden_case *c)
{
    static const char *const keys[2] = {"P", "Q"};
    const double origin[3] = {0.0, 0.0, 0.0};
    perp_polytope *h[2] = {NULL, NULL};
    perp_polytope *d = NULL;
    bool inside = json_is_true(json_object_get(c->out, "contains_origin"));

    for (int k = 0; k < 2; k++) {
        double flat[2 * ROOM], points[3 * ROOM];
        size_t n = golden_count(c->in, keys[k]) / 2;

        CU_ASSERT_FATAL(n <= ROOM);
        golden_reals(c->in, keys[k], 2 * n, flat);
        for (size_t i = 0; i < n; i++) { /* z is not read */
            vec3_set(points + 3 * i, flat[2 * i], flat[2 * i + 1], NAN);
        }
        OK(perp_polygon_new(&h[k], n, points, NULL));
    }
    OK(perp_minkowski_difference(&d, h[0], h[1], NULL));
    CU_ASSERT_EQUAL(2 * d->corner_count, golden_count(c->out, "diff_hull"));
    CU_ASSERT_EQUAL(perp_polytope_outside(d, origin) <= 0.0, inside);
}

TEST(polygons_as_polytopes_give_the_same)
{
    golden_each("collision_2d", NULL, check_polygons);
}

static double support_2d(size_t n, const double *x, double angle)
{
    double most = -INFINITY;

    for (size_t k = 0; k < n; k++) {
        most = fmax(most, x[2 * k] * cos(angle) + x[2 * k + 1] * sin(angle));
    }
    return most;
}

/* A regular polygon of n corners, turned. */
static void regular(size_t n, double radius, double turn, double *x)
{
    for (size_t k = 0; k < n; k++) {
        x[2 * k] = radius * cos(turn + 2.0 * M_PI * (double)k / (double)n);
        x[2 * k + 1] = 0.3 + radius * sin(turn + 2.0 * M_PI * (double)k / (double)n);
    }
}

/* h of A (+) B is the sum, of A (-) B h_A(u) + h_B(-u). */
TEST(support_functions_add)
{
    perp_random g = {31};

    for (int run = 0; run < 200; run++) {
        double a[2 * 8], b[2 * 8], sum[4 * 8], difference[4 * 8];
        size_t na = 3 + (size_t)(run % 6);
        size_t nb = 3 + (size_t)(run / 6 % 6);
        double turn = run % 2 ? perp_random_uniform(&g, 0.0, 6.0) : 0.0;
        size_t ns = 0;
        size_t nd = 0;

        regular(na, 1.0, turn, a);
        regular(nb, 0.4, turn, b);
        ns = perp_minkowski_sum_2d(na, a, nb, b, sum);
        nd = perp_minkowski_difference_2d(na, a, nb, b, difference);
        CU_ASSERT(ns >= na && ns <= na + nb);
        CU_ASSERT(na != nb || ns == na);  /* all edges are parallel to one of the other */
        for (size_t k = 0; k < ns; k++) { /* strictly convex */
            const double *x = sum + 2 * k;
            const double *y = sum + 2 * ((k + 1) % ns);
            const double *z = sum + 2 * ((k + 2) % ns);

            CU_ASSERT((y[0] - x[0]) * (z[1] - y[1]) - (y[1] - x[1]) * (z[0] - y[0]) >
                      1e-6);
            CU_ASSERT(k == 0 || x[1] > sum[1] - 1e-12); /* it begins lowest */
        }
        for (int k = 0; k < 50; k++) {
            double u = perp_random_uniform(&g, 0.0, 2.0 * M_PI);
            double h = support_2d(na, a, u);

            /* a dozen roundings of numbers below 2 */
            CU_ASSERT_DOUBLE_EQUAL(support_2d(ns, sum, u), h + support_2d(nb, b, u),
                                   1e-14);
            CU_ASSERT_DOUBLE_EQUAL(support_2d(nd, difference, u),
                                   h + support_2d(nb, b, u + M_PI), 1e-14);
        }
    }
}

TEST(points_and_segments_are_polygons_too)
{
    const double square[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    const double point[2] = {3, 4};
    const double segment[4] = {0, 0, 2, 0};
    const double expected[8] = {0, 0, 3, 0, 3, 1, 0, 1};
    double out[16];

    CU_ASSERT_EQUAL(perp_minkowski_sum_2d(4, square, 1, point, out), 4);
    CU_ASSERT(out[0] == 3.0 && out[1] == 4.0 && out[4] == 4.0 && out[5] == 5.0);
    CU_ASSERT_EQUAL(perp_minkowski_sum_2d(4, square, 2, segment, out), 4);
    test_agree("square and segment", out, expected, 8, 0.0);
    CU_ASSERT_EQUAL(perp_minkowski_sum_2d(2, segment, 2, segment, out), 2);
    CU_ASSERT(out[0] == 0.0 && out[2] == 4.0);
    CU_ASSERT_EQUAL(perp_minkowski_sum_2d(1, point, 1, point, out), 1);
    CU_ASSERT_EQUAL(perp_minkowski_difference_2d(1, point, 1, point, out), 1);
    CU_ASSERT(out[0] == 0.0 && out[1] == 0.0);
    CU_ASSERT_EQUAL(perp_minkowski_sum_2d(0, point, 1, point, out), 0);
}

static perp_polytope *box_of(double x, double y, double z)
{
    const double half[3] = {x, y, z};
    double points[24];
    perp_polytope *h = NULL;

    polyhedron_box(half, points);
    OK(perp_polytope_new(&h, 8, points, NULL));
    return h;
}

static double volume_of(const perp_polytope *h)
{
    double m = 0.0;
    double c[3], I[9];

    OK(perp_inertia_hull(1.0, h->corner_count, h->corner, &m, c, I, NULL));
    return m;
}

TEST(boxes_along_the_axes_add_their_sides)
{
    perp_polytope *a = box_of(1, 2, 3);
    perp_polytope *b = box_of(0.5, 0.25, 0.125);
    perp_polytope *sum = NULL;

    OK(perp_minkowski_sum(&sum, a, b, NULL));
    CU_ASSERT_EQUAL(sum->corner_count, 8);
    CU_ASSERT_EQUAL(sum->face_count, 6);
    CU_ASSERT_DOUBLE_EQUAL(volume_of(sum), 8 * 1.5 * 2.25 * 3.125, 1e-12);
}

/* Volume of box (+) polytope by Steiner's kind of formula: for a small cube turned by 45
 * degrees about z and a cube: 12 + 2 * ... is worked out as an octagon times a height. */
TEST(cubes_turned_about_z_add_to_an_octagonal_prism)
{
    const double s = sqrt(0.5);
    perp_polytope *a = box_of(1, 1, 1);
    perp_polytope *b = NULL;
    perp_polytope *sum = NULL;
    double points[24];
    double base = 0.0;

    for (int k = 0; k < 8; k++) { /* side 2 s, diagonal along x and y of 2 */
        vec3_set(points + 3 * k, k & 1 ? (k & 2 ? 0.0 : 1.0) : (k & 2 ? 0.0 : -1.0),
                 k & 2 ? (k & 1 ? 1.0 : -1.0) : 0.0, k & 4 ? s : -s);
    }
    OK(perp_polytope_new(&b, 8, points, NULL));
    OK(perp_minkowski_sum(&sum, a, b, NULL));
    CU_ASSERT_EQUAL(sum->corner_count, 16);
    CU_ASSERT_EQUAL(sum->face_count, 10);
    CU_ASSERT_EQUAL(sum->direction_count, 5);
    base = 4.0 + 2.0 + 4.0 * 2.0; /* both areas, and a strip of 1 along each side of 2 */
    CU_ASSERT_DOUBLE_EQUAL(volume_of(sum), base * (2.0 + 2.0 * s), 1e-12);
}

TEST(the_distance_of_a_point_outside_a_polytope_is_known)
{
    perp_polytope *a = box_of(1, 2, 3);
    const double points[15] = {0, 0, 0, 1.5, 0, 0, 0, 2, 1, 0.9, 1, 2, 0, 0, -5};
    const double out[5] = {-1.0, 0.5, 0.0, -0.1, 2.0};

    for (int k = 0; k < 5; k++) {
        CU_ASSERT_DOUBLE_EQUAL(perp_polytope_outside(a, points + 3 * k), out[k], 1e-15);
    }
}

TEST(a_polygon_and_a_polyhedron_have_no_sum)
{
    const double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    perp_polytope *a = box_of(1, 2, 3);
    perp_polytope *b = NULL;
    perp_polytope *sum = NULL;
    perp_error err = {0};

    OK(perp_polygon_new(&b, 3, triangle, NULL));
    CU_ASSERT_EQUAL(perp_minkowski_sum(&sum, a, b, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text,
        "minkowski: a polygon and a polyhedron, expected two polygons or two polyhedra");
    CU_ASSERT_PTR_NULL(sum);
}

static perp_status sum_once(void *context, perp_error *err)
{
    perp_polytope *sum = NULL;
    perp_status status = perp_minkowski_sum(&sum, context, context, err);

    CU_ASSERT_EQUAL(status == PERP_OK, sum != NULL);
    return status;
}

TEST(sums_survive_without_memory)
{
    perp_polytope *a = box_of(1, 2, 3);

    scarce_everywhere(sum_once, a, "sum");
}
