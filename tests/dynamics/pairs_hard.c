/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/pairs_hard.c: poses where answers are many or nearly so: centres that
 * coincide, surfaces that touch, faces and axes parallel or nearly, edges across edges,
 * corners on faces. */
#include <config.h>

#include "pairs.h"

static const double origin[3] = {0};
static const double straight[4] = {1, 0, 0, 0};

/* Both at the origin or nearly, as they are and turned. */
static void check_deep(const char *one, const char *two)
{
    perp_random g = {7};
    convex a;
    convex b;

    convex_draw(&a, one, 3, 1.0, &g);
    convex_draw(&b, two, 3, 1.0, &g);
    for (int k = 0; k < 12; k++) {
        static const double spread[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-2};
        char where[64];
        double x[3];
        double q[4];

        snprintf(where, sizeof where, "deep %s and %s, pose %d", one, two, k);
        draw_pose(&g, spread[k / 2], x, q);
        convex_put(&b, x, k % 2 ? q : straight);
        pairs_check_gap(&a, &b, where);
    }
    convex_free(&a);
    convex_free(&b);
}

TEST(centres_that_coincide_have_a_depth)
{
    pairs_each(3, check_deep);
}

/* b moved by -gap n touches, from apart and from overlap. */
static void check_touching(const char *one, const char *two)
{
    perp_random g = {8};
    char where[64];

    for (int k = 0; k < 8; k++) {
        convex a;
        convex b;
        perp_proximity p;
        double x[3];

        convex_draw(&a, one, 3, 1.0, &g);
        convex_draw(&b, two, 3, 1.0, &g);
        convex_scatter(&a, 0.2, &g);
        convex_scatter(&b, 0.9, &g);
        p = pairs_measure(&a, &b, NULL);
        vec3_add(b.at.x, -p.gap, p.normal, x);
        convex_put(&b, x, b.turn);
        snprintf(where, sizeof where, "touching %s and %s, draw %d", one, two, k);
        pairs_check_gap(&a, &b, where);
        p = pairs_measure(&a, &b, NULL);
        CU_ASSERT(fabs(p.gap) <= 2.0 * pairs_tolerance(&a, &b, &p));
        convex_free(&a);
        convex_free(&b);
    }
}

TEST(solids_moved_by_their_gap_touch)
{
    pairs_each(3, check_touching);
}

/* One above the other, their axes along z but for a small angle. */
static void check_stacked(const char *one, const char *two)
{
    static const double angles[] = {0.0, 1e-13, 1e-10, 1e-7, 3e-5, 1e-3};
    static const double gaps[] = {-1e-2, 0.0, 1e-3};
    perp_random g = {9};
    convex a;
    convex b;

    convex_draw(&a, one, 3, 1.0, &g);
    convex_draw(&b, two, 3, 1.0, &g);
    for (int k = 0; k < 6 * 3 * 2; k++) {
        const double up[3] = {0, 0, 1};
        const double turn[3] = {0.6 * angles[k % 6], 0.8 * angles[k % 6], 0};
        const double aside = k >= 18 ? 0.1 : 0.0;
        double x[3] = {aside, 0.5 * aside, 0};
        double q[4];
        char where[64];

        perp_quat_exp(turn, q);
        convex_put(&b, x, q);
        x[2] = gaps[k / 6 % 3] - convex_apart(&a, &b, up);
        convex_put(&b, x, q);
        snprintf(where, sizeof where, "stacked %s and %s, pose %d", one, two, k);
        pairs_check_gap(&a, &b, where);
    }
    convex_free(&a);
    convex_free(&b);
}

TEST(solids_parallel_or_nearly_have_a_gap)
{
    pairs_each(3, check_stacked);
}

/* An eighth of a turn about x below, about y above: ridges cross; and the corner (1, 1,
 * 1) of boxes turned down. */
static void check_edges(const char *one, const char *two)
{
    static const double ridges[2][3] = {{M_PI / 4, 0, 0}, {0, M_PI / 4, 0}};
    static const double corner[3] = {1.5453, -1.5453, 0}; /* about 2.19 rad */
    perp_random g = {10};
    convex a;
    convex b;

    convex_draw(&a, one, 3, 1.0, &g);
    convex_draw(&b, two, 3, 1.0, &g);
    for (int k = 0; k < 6; k++) {
        const double up[3] = {0, 0, 1};
        double x[3] = {0.03, 0.05, 0};
        double q[4];
        char where[64];

        perp_quat_exp(k < 3 ? ridges[0] : origin, q);
        convex_put(&a, origin, strcmp(one, "plane") == 0 ? straight : q);
        perp_quat_exp(k < 3 ? ridges[1] : corner, q);
        convex_put(&b, x, q);
        x[2] = 1e-2 * (k % 3 - 1) - convex_apart(&a, &b, up);
        convex_put(&b, x, q);
        snprintf(where, sizeof where, "edges of %s and %s, pose %d", one, two, k);
        pairs_check_gap(&a, &b, where);
    }
    convex_free(&a);
    convex_free(&b);
}

TEST(edges_across_edges_and_corners_on_faces_have_a_gap)
{
    pairs_each(3, check_edges);
}

TEST_MAIN("dynamics/pairs_hard")
