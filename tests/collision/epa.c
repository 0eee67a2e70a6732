/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/epa.c: depths of convex shapes that overlap. A depth is proved from both
 * sides: moved by it the shapes touch, and no direction of a search is a shorter way. */
#include <config.h>

#include "nearness.h"

/* In shares of the sizes: sums through two rotations and a normal. */
static const double rounding = 1e-13;
/* Smooth shapes are searched to this. */
static const double smooth = 1e-10;
static const double origin[3] = {0};

static void golden_depth(const golden_case *c)
{
    golden_couple s;
    perp_narrow_settings settings = {0};
    perp_proximity p;
    bool overlap = json_is_true(json_object_get(c->out, "overlap"));
    const char *key = json_object_get(c->out, "depth") ? "depth" : "min_overlap";
    double depth;

    golden_couple_make(&s, c);
    settings.dimension = s.dimension;
    perp_epa(&s.at[0], &s.at[1], &settings, &p);
    depth = -p.gap;
    CU_ASSERT(p.converged);
    CU_ASSERT_EQUAL(p.overlap, overlap);
    if (overlap) {
        CU_ASSERT_STRING_EQUAL(p.ran, "epa");
        golden_agree(c, key, &depth, 1);
        golden_agree(c, "normal", p.normal, s.dimension);
        is_consistent(&p, c->tol);
    } else {
        CU_ASSERT_STRING_EQUAL(p.ran, "gjk");
    }
    golden_couple_free(&s);
}

TEST(stored_depths_are_found)
{
    golden_each("collision_hulls", NULL, golden_depth);
    golden_each("collision_obb", NULL, golden_depth);
    golden_each("collision_2d", NULL, golden_depth);
}

/* a at the origin, b at x turned by q. */
static perp_proximity two(const perp_shape *a, const perp_shape *b, const double x[3],
                          const double q[4], unsigned dimension)
{
    const perp_narrow_settings settings = {.dimension = dimension};
    perp_placed one = placed_at(a, origin, NULL);
    perp_placed other = placed_at(b, x, q);
    perp_proximity p;

    perp_epa(&one, &other, &settings, &p);
    CU_ASSERT(p.converged);
    return p;
}

TEST(axes_of_capsules_that_cross_have_a_way_out)
{
    const double across[4] = {sqrt(0.5), sqrt(0.5), 0, 0}; /* about x: z to -y */
    perp_shape a = shape_of("capsule", 0.3, 2.0, 0);
    perp_shape b = shape_of("capsule", 0.2, 3.0, 0);
    perp_proximity p = two(&a, &b, origin, across, 3);
    const double beside[3] = {0, 0.4, 0.3};
    const double along[3] = {0, 0, 1.0};

    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(fabs(p.normal[0]), 1.0, 1e-14);
    is_consistent(&p, 1e-14);
    p = two(&a, &b, beside, across, 3);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(fabs(p.normal[0]), 1.0, 1e-14);
    is_consistent(&p, 1e-14);
    /* one line: any way across it */
    p = two(&a, &b, along, NULL, 3);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(p.normal[2], 0.0, 1e-14);
    is_consistent(&p, 1e-14);
    p = two(&a, &b, origin, NULL, 3);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(p.normal[2], 0.0, 1e-14);
}

TEST(points_inside_have_a_way_out)
{
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    perp_shape box = shape_of("box", 1.0, 2.0, 3.0);
    perp_shape capsule = shape_of("capsule", 0.25, 8.0, 0);
    const double x[3] = {0.7, 0.1, 0.2};
    perp_proximity p = two(&ball, &ball, origin, NULL, 3);

    CU_ASSERT_DOUBLE_EQUAL(p.gap, -1.0, 0.0);
    test_agree("up", p.normal, (double[3]){0, 0, 1}, 3, 0.0);
    p = two(&ball, &ball, origin, NULL, 2);
    test_agree("up", p.normal, (double[3]){0, 1, 0}, 3, 0.0);
    p = two(&box, &ball, x, NULL, 3);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.8, 1e-15);
    test_agree("normal", p.normal, (double[3]){1, 0, 0}, 3, 1e-15);
    test_agree("p_a", p.p_a, (double[3]){1, 0.1, 0.2}, 3, 1e-14);
    test_agree("p_b", p.p_b, (double[3]){0.2, 0.1, 0.2}, 3, 1e-14);
    p = two(&box, &ball, x, NULL, 2);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.8, 1e-15);
    /* an axis through the box */
    p = two(&box, &capsule, x, NULL, 3);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -0.55, 1e-15);
    test_agree("normal", p.normal, (double[3]){1, 0, 0}, 3, 1e-15);
}

/* Cubes of half extent 1 that touch: by a face, an edge, a corner. */
TEST(touching_is_depth_zero)
{
    const double at[][3] = {{2, 0, 0},      {2, 0.5, 0.25}, {2, 2, 0}, {2, 2, 2},
                            {0.5, -2, 0.5}, {2, -2, 2},     {0, 0, 2}, {-2, 0.1, 2}};
    perp_shape cube = shape_of("box", 1, 1, 1);
    double points[24];
    perp_shape hull;

    for (int c = 0; c < 8; c++) {
        vec3_set(points + 3 * c, c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
    }
    hull = hull_of(8, points, 3);
    for (size_t k = 0; k < 2 * sizeof at / sizeof *at; k++) {
        const double *x = at[k / 2];
        perp_proximity p = two(k % 2 ? &hull : &cube, &cube, x, NULL, 3);
        int direction = 0;

        CU_ASSERT_DOUBLE_EQUAL(p.gap, 0.0, 1e-15);
        CU_ASSERT(p.overlap);
        is_consistent(&p, 1e-14);
        for (int c = 0; c < 3; c++) {
            direction += fabs(x[c]) == 2.0 && p.normal[c] * x[c] > 0.5;
            CU_ASSERT(fabs(x[c]) == 2.0 || fabs(p.normal[c]) <= 1e-14);
        }
        CU_ASSERT(direction >= 1);
    }
    for (int k = 0; k < 3; k++) {
        const double flat[3][3] = {{2, 0.5, 0}, {2, 2, 0}, {-0.25, -2, 0}};
        perp_proximity p = two(&cube, &cube, flat[k], NULL, 2);

        CU_ASSERT_DOUBLE_EQUAL(p.gap, 0.0, 1e-15);
        CU_ASSERT_EQUAL(p.normal[2], 0.0);
        is_consistent(&p, 1e-14);
    }
}

TEST(the_middle_of_a_cube_has_six_ways_out)
{
    perp_shape cube = shape_of("box", 1, 1, 1);
    perp_shape round = shape_of("ellipsoid", 0.5, 0.4, 0.3);
    perp_proximity p = two(&cube, &cube, origin, NULL, 3);

    CU_ASSERT_DOUBLE_EQUAL(p.gap, -2.0, 1e-15);
    is_consistent(&p, 1e-14);
    p = two(&cube, &round, origin, NULL, 3);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -1.3, 1e-10); /* of smooth shapes */
    CU_ASSERT_DOUBLE_EQUAL(fabs(p.normal[2]), 1.0, 1e-5);
    p = two(&cube, &cube, origin, NULL, 2);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, -2.0, 1e-15);
}

/* Of a capsule inside a ball 500 times as large the axis is far from the centre of the
 * ball, but so short that rounding hides which of its points is nearest. */
TEST(a_short_axis_in_a_large_ball_has_its_depth)
{
    perp_shape ball = shape_of("sphere", 7.7640559293417057, 0, 0);
    perp_shape pill = shape_of("capsule", 0.01460032267700568, 0.0091991752899062418, 0);
    const perp_placed at[2] = {
        {.shape = &pill,
         .x = {-0.012440467542325489, 0.0096949613926814032, 0.012611142563716111},
         .R = {2.1054399926834222e-05, -1.5912568881561371e-05, 0.99999999965175124,
               -0.0001156962227763707, 0.99999999318054833, 1.5915004693133102e-05,
               -0.9999999930855481, -0.00011569655781695327, 2.1052558759171447e-05}},
        {.shape = &ball,
         .x = {-0.012440467542325489, 3.7075401053450334, 1.599226585003833},
         .R = {6.8454664159389722e-10, 6.0454838719619061e-11, 0.99999999999999978,
               -1.9155111365136383e-09, 1, -6.0454837408362476e-11, -0.99999999999999978,
               -1.9155111364722544e-09, 6.8454664159389722e-10}}};

    for (int order = 0; order < 2; order++) {
        perp_proximity exact, p;

        OK(perp_proximity_find(perp_narrow_find("analytic"), &at[order], &at[1 - order],
                               NULL, &exact, NULL));
        perp_epa(&at[order], &at[1 - order], NULL, &p);
        CU_ASSERT_DOUBLE_EQUAL(p.gap, exact.gap, rounding * 16.0);
        CU_ASSERT(p.converged);
    }
}

/* The rim of a cone touches the round end of a capsule: the cores are a radius apart, and
 * the search ends where rounding ends it. */
TEST(a_rim_on_the_end_of_a_capsule_touches)
{
    perp_shape pill = shape_of("capsule", 0.101928563, 2 * 0.0438972109, 0);
    perp_shape cone = shape_of("cone", 0.062789495, 2 * 0.0198052567, 0);
    const double lying[4] = {M_SQRT1_2, -M_SQRT1_2, 0, 0};
    const double x[3] = {-0.164718058, -0.0438972109, 0.0198052567};
    const perp_placed a = placed_at(&pill, origin, lying);
    const perp_placed b = placed_at(&cone, x, NULL);
    perp_proximity p;

    perp_epa(&a, &b, NULL, &p);
    CU_ASSERT_DOUBLE_EQUAL(p.gap, 0.0, smooth);
    CU_ASSERT(p.converged);
}

/* Rectangles on one centre: the side to leave by is where a corner of each is the
 * farthest, but the shortest way does not begin there. */
TEST(rectangles_on_one_centre_have_witnesses_across)
{
    perp_shape a = shape_of("box", 150.341, 263.237, 0);
    perp_shape b = shape_of("box", 156.579, 85.1277, 0);
    perp_proximity p = two(&a, &b, origin, NULL, 2);

    CU_ASSERT_DOUBLE_EQUAL(p.gap, -306.92, 1e-12);
    is_consistent(&p, 1e-12);
    p = two(&b, &a, origin, NULL, 2);
    is_consistent(&p, 1e-12);
}

/* An ellipsoid in the middle of a capsule leaves it by its two flat ends alike, and by
 * all directions across nearly so: the search ends before it knows which. */
TEST(ways_out_as_good_as_each_other_have_their_own_witnesses)
{
    perp_shape egg =
        shape_of("ellipsoid", 4.5815117477745346, 4.6164710502527244, 4.7556384736894914);
    perp_shape pill = shape_of("capsule", 76.948, 108.7097, 0);
    const double lying[4] = {0.5, 0.5, 0.5, 0.5};
    const double along[4] = {M_SQRT1_2, -M_SQRT1_2, 0, 0};

    for (int order = 0; order < 2; order++) {
        const perp_placed at[2] = {placed_at(&egg, origin, lying),
                                   placed_at(&pill, origin, along)};
        perp_proximity p;

        perp_epa(&at[order], &at[1 - order], NULL, &p);
        /* surfaces bend: the root of the depth's error and the sizes */
        CU_ASSERT(vec3_length(order ? p.p_b : p.p_a) >= 4.58 - 0.05);
        CU_ASSERT(vec3_length(order ? p.p_a : p.p_b) <= 76.948 + 0.05);
    }
}

/* A cylinder and a cone on a table, by a known depth: from far below what rounding
 * resolves to deep. */
TEST(rims_and_sides_on_a_table_have_their_depth)
{
    const double depths[] = {0.0, 1e-14, 1e-11, 1e-8, 1e-5, 1e-2, 0.2};
    perp_shape table = shape_of("box", 5, 5, 0.5);
    perp_random g = {12};

    for (int k = 0; k < 7 * 60; k++) {
        double depth = depths[k % 7];
        double radius = perp_random_uniform(&g, 0.2, 1.0);
        double length = perp_random_uniform(&g, 0.8, 2.0);
        perp_shape s = shape_of(k & 1 ? "cylinder" : "cone", radius, length, 0);
        double tilt = k % 5 == 0 ? (double)(k % 3) * 0.5 * M_PI
                                 : perp_random_uniform(&g, -3.0, 3.0);
        double q[4] = {cos(0.5 * tilt), sin(0.5 * tilt), 0, 0};
        double x[3] = {perp_random_uniform(&g, -1, 1), perp_random_uniform(&g, -1, 1), 0};
        double rim = radius * fabs(sin(tilt));
        double low = fmin(-0.5 * length * cos(tilt) - rim,
                          0.5 * length * cos(tilt) - (k & 1 ? rim : 0.0));
        perp_proximity p;

        x[2] = 0.5 - low - depth;
        p = two(&table, &s, x, q, 3);
        CU_ASSERT_DOUBLE_EQUAL(p.gap, -depth, p.tolerance + 1e-14);
        CU_ASSERT(p.tolerance <= 2e-9); /* sizes of 12 */
        if (depth >= 1e-5) {
            CU_ASSERT_DOUBLE_EQUAL(p.normal[2], 1.0, 1e-9);
        }
    }
}

/* Of a thin cylinder on the axis of a wide capsule M is a prism a thousand times longer than it is
 * wide, and all sides are as good a way out: the search may end before it is converged. */
TEST(a_cylinder_on_the_axis_of_a_capsule_has_witnesses_within)
{
    perp_random g = {41};

    for (int k = 0; k < 400; k++) {
        double wide = exp(perp_random_uniform(&g, 0.0, 6.5));
        double thin = exp(perp_random_uniform(&g, -3.0, 0.0));
        perp_shape a = shape_of("capsule", wide, 0.5 * wide, 0);
        perp_shape b = shape_of("cylinder", thin, 2.5 * thin, 0);
        perp_placed at[2] = {placed_at(&a, origin, NULL), placed_at(&b, origin, NULL)};
        perp_proximity p;
        double aside;

        perp_epa(&at[0], &at[1], NULL, &p);
        /* that far aside a circle of this size deviates by the tolerance */
        aside = sqrt(2.0 * p.tolerance * (wide + 3.0 * thin)) + rounding * wide;

        CU_ASSERT_DOUBLE_EQUAL(p.gap, -(wide + thin), p.tolerance + rounding * wide);
        CU_ASSERT(fabs(p.p_b[2]) <= 1.25 * thin + aside);
        CU_ASSERT(hypot(p.p_b[0], p.p_b[1]) <= thin + aside);
        CU_ASSERT(hypot(p.p_a[0], p.p_a[1]) <= wide + aside);
    }
}

TEST(nan_and_infinite_input_gives_no_depth)
{
    is_lost_without_numbers(perp_narrow_find("gjk"), "hull", 10);
}
