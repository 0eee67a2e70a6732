/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/sat_gjk.c: distance and depth of boxes and hulls by their features and
 * by simplices agree: 10^5 pairs. */
#include <config.h>

#include <stdlib.h>

#include "sides.h"

/* In shares of the size. */
static const double agreement = 1e-9;

static int draws(void)
{
    return getenv("PERP_TEST_BRIEF") ? 2000 : 100000;
}

/* The answer without a type: that of `sat`, and its points confirm it. */
static void compare_usual(const perp_placed *a, const perp_placed *b, double gap,
                          double size)
{
    perp_proximity p = {0};

    CU_ASSERT_EQUAL_FATAL(perp_proximity_find(NULL, a, b, NULL, &p, NULL), PERP_OK);
    if (!p.converged || fabs(p.gap - gap) > agreement * size ||
        p.overlap != (p.gap <= 0.0) || !holds(a, b, &p, agreement * size)) {
        test_note("sat %.17g, %s %.17g, size %g", gap, p.ran, p.gap, size);
        CU_FAIL_FATAL("another answer without a type");
    }
}

/* Whether gaps agree; counts overlaps. */
static void compare(const perp_placed *a, const perp_placed *b, size_t *overlaps)
{
    perp_proximity sat = near_by("sat", a, b, 3);
    perp_proximity gjk = near_by("gjk", a, b, 3);
    double size = a->shape->type->reach(a->shape) + b->shape->type->reach(b->shape);

    if (fabs(sat.gap - gjk.gap) > agreement * size) {
        test_note("sat %.17g, %s %.17g, %d iterations, size %g", sat.gap, gjk.ran,
                  gjk.gap, (int)gjk.iterations, size);
        CU_FAIL_FATAL("two answers");
    }
    compare_usual(a, b, sat.gap, size);
    *overlaps += sat.overlap;
}

TEST(boxes_drawn_in_every_hard_way_agree)
{
    /* alike, flat and long, tiny, huge, 1e3 times as large */
    static const double sizes[][6] = {{1, 1, 1, 1, 1, 1},
                                      {2, 0.5, 0.1, 0.2, 1.5, 0.3},
                                      {1e-6, 2e-6, 1.5e-6, 1e-6, 1e-6, 3e-6},
                                      {1e6, 1e6, 2e6, 3e6, 1e6, 1e6},
                                      {1, 2, 1, 1e-3, 2e-3, 3e-3}};
    perp_random g = {151};
    size_t overlaps = 0;
    int n = draws() / 2;

    for (int draw = 0; draw < n; draw++) {
        const double *h = sizes[draw % 5];
        perp_shape one = shape_of("box", h[0], h[1], h[2]);
        perp_shape two = shape_of("box", h[3], h[4], h[5]);
        double pose[2][7];
        perp_placed a;
        perp_placed b;

        draw_pair(&g, (enum pose_kind)(draw % POSE_KINDS), h, h + 3, pose[0], pose[1]);
        a = place(&one, pose[0]);
        b = place(&two, pose[1]);
        compare(&a, &b, &overlaps);
    }
    CU_ASSERT(overlaps > (size_t)n / 10 && overlaps < (size_t)(n - n / 10));
}

TEST(hulls_and_boxes_drawn_anyhow_agree)
{
    enum { HULLS = 16 };
    perp_random g = {157};
    perp_shape shapes[HULLS + 1];
    size_t overlaps = 0;
    int n = draws() / 2;

    for (size_t k = 0; k < HULLS; k++) {
        shapes[k] = draw_hull(&g, 4 + 2 * k, perp_random_uniform(&g, 0.3, 1.0));
    }
    shapes[HULLS] = shape_of("box", 0.4, 0.3, 0.6);
    for (int draw = 0; draw < n; draw++) {
        double pose[2][7];
        perp_placed a;
        perp_placed b;

        for (int k = 0; k < 2; k++) {
            draw_pose(&g, 0.7, pose[k], pose[k] + 3);
        }
        a = place(&shapes[perp_random_integer(&g, 0, HULLS - 1)], pose[0]);
        b = place(&shapes[perp_random_integer(&g, 0, HULLS)], pose[1]);
        compare(&a, &b, &overlaps);
    }
    CU_ASSERT(overlaps > (size_t)n / 10 && overlaps < (size_t)(n - n / 10));
    for (size_t k = 0; k < HULLS; k++) {
        perp_polytope_free(shapes[k].polytope);
    }
}

TEST_MAIN("dynamics/sat_gjk")
