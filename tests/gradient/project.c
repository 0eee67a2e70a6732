/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/project.c: the projection of whole vectors against that of single
 * blocks. */
#include <config.h>

#include "helpers.h"
#include "libsolvers/gradient/project.h"

/* Points inside, in the polar cone, between, and with zeros where cases meet. */
static double drawn(perp_random *g)
{
    double x = perp_random_uniform(g, -1.0, 1.0);

    return fabs(x) < 0.2 ? 0.0 : x;
}

/* The judge's projection uses hypot and multiplies in another order: a few ulps apart. */
TEST(projects_cones_as_the_judge_does)
{
    enum { most = 41 };
    perp_random g = {3};

    for (size_t count = 0; count <= most; count++) {
        double mu[most] = {0}, shrink[most] = {0}, x[3 * most], y[3 * most];

        for (size_t k = 0; k < count; k++) {
            mu[k] = k % 5 == 0 ? 0.0 : perp_random_uniform(&g, 0.0, 2.0);
            shrink[k] = 1.0 / (1.0 + mu[k] * mu[k]);
        }
        for (size_t i = 0; i < 3 * count; i++) {
            x[i] = y[i] = drawn(&g);
        }
        perp_project_cones(count, mu, shrink, x);
        for (size_t k = 0; k < count; k++) {
            perp_project_cone(mu[k], 3, y + 3 * k);
        }
        CU_ASSERT(test_distance(3 * count, x, y) <= 8.0 * DBL_EPSILON);
    }
}

TEST(leaves_points_inside_alone_and_makes_the_polar_cone_exactly_zero)
{
    const double mu[] = {0.5, 0.5, 0.5};
    const double shrink[] = {0.8, 0.8, 0.8};
    double x[] = {2.0, 0.6, -0.8, -2.0, 0.6, -0.8, -0.0, 0.0, 0.0};
    const double expected[] = {2.0, 0.6, -0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

    perp_project_cones(3, mu, shrink, x);
    CU_ASSERT_EQUAL(test_distance(9, x, expected), 0.0);
}

/* mu = 1/2, (n, t) = (0, (0, 5)): n' = (0 + 2.5)/1.25 = 2, t' = mu n' = 1 along t. */
TEST(projects_a_point_by_hand)
{
    const double mu[] = {0.5};
    const double shrink[] = {0.8};
    double x[] = {0.0, 0.0, 5.0};

    perp_project_cones(1, mu, shrink, x);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 2.0, 1e-15); /* 5 operations, each an ulp of 2 */
    CU_ASSERT_EQUAL(x[1], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(x[2], 1.0, 1e-15);
}

TEST(lets_no_nan_through_unseen)
{
    const double mu[] = {0.5, 0.5};
    const double shrink[] = {0.8, 0.8};

    for (size_t i = 0; i < 3; i++) {
        double x[] = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0};

        x[i] = NAN;
        perp_project_cones(2, mu, shrink, x);
        CU_ASSERT_FALSE(perp_all_finite(x, 3));
        CU_ASSERT_EQUAL(x[3], 1.0); /* its neighbour is not touched */
    }
}

static perp_set *of_all_kinds(perp_random *g)
{
    perp_set *set = test_new_set(40);

    for (size_t k = 0; k < 4; k++) {
        perp_set_add_cone(set, 3, perp_random_uniform(g, 0.0, 1.0));
        perp_set_add_cone(set, 3, perp_random_uniform(g, 0.0, 1.0));
        perp_set_add_cone(set, 3, perp_random_uniform(g, 0.0, 1.0));
        perp_set_add_free(set);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -0.1, INFINITY);
        perp_set_add_cone(set, 2, perp_random_uniform(g, 0.0, 1.0));
        perp_set_add_rolling(set, 0.3, perp_random_uniform(g, 0.0, 1.0));
        perp_set_add_disk(set, 0.3);
    }
    return set;
}

TEST(projects_every_kind_of_block_in_its_place)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_random g = {seed};
        perp_set *set = of_all_kinds(&g);
        double *x = test_reals(set->n);
        double *y = test_reals(set->n);
        perp_projection P;

        perp_workspace *ws = test_new_workspace(0);
        CU_ASSERT_FATAL(perp_projection_init(&P, set, ws));
        for (size_t i = 0; i < set->n; i++) {
            x[i] = y[i] = drawn(&g);
        }
        perp_projection_apply(&P, x);
        for (size_t k = 0; k < set->count; k++) {
            perp_set_project(set, k, y);
        }
        if (test_distance(set->n, x, y) > 8.0 * DBL_EPSILON) { /* as for cones alone */
            test_note("seed %d: off by %.2e", (int)seed, test_distance(set->n, x, y));
            CU_FAIL("other points than block by block");
        }
    }
}

TEST(reads_bounds_again_when_told)
{
    perp_projection P;
    double x[] = {5.0, 3.0, 4.0};
    perp_set *set = test_set("0.0..1.0,disk:1.0");

    perp_workspace *ws = test_new_workspace(0);
    CU_ASSERT_FATAL(perp_projection_init(&P, set, ws));
    set->blocks[0].hi = 2.0;
    set->blocks[1].radius = 2.5;
    perp_projection_refresh(&P);
    perp_projection_apply(&P, x);
    CU_ASSERT_EQUAL(x[0], 2.0);
    CU_ASSERT_DOUBLE_EQUAL(x[1], 1.5, 1e-15); /* (3, 4) at half its length */
    CU_ASSERT_DOUBLE_EQUAL(x[2], 2.0, 1e-15);
}
