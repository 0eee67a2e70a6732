/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/facets.c: contacts of boxes and hulls with each other,
 * in closed form. */
#include <config.h>

#include "contact_queries.h"
#include "reference.h"

static const double origin[3] = {0};

static bool has_point(const perp_contacts *contacts, double x, double y, double z,
                      double tolerance)
{
    const double want[3] = {x, y, z};
    double d[3];

    for (size_t k = 0; k < contacts->count; k++) {
        vec3_subtract(contacts->at[k].point, want, d);
        if (vec3_length(d) <= tolerance) {
            return true;
        }
    }
    test_note("no contact at (%g, %g, %g)", x, y, z);
    return false;
}

/* A brick of half extents 1, 0.5, 0.25 on its like, at (x, y, 0.5 + gap),
 * turned about z. */
static void brick_on_brick(double x, double y, double gap, double turn, bool hulls,
                           perp_contacts *contacts)
{
    perp_world *world = test_world(3, 0.0);
    double room[24];
    perp_shape brick =
        hulls ? hull_of_box(1.0, 0.5, 0.25, room) : shape_of("box", 1.0, 0.5, 0.25);
    const double r[3] = {x, y, 0.5 + gap};
    const double q[4] = {cos(0.5 * turn), 0, 0, sin(0.5 * turn)};

    put(world, "lower", 0.0, &brick, origin, NULL);
    put(world, "upper", 1.0, &brick, r, q);
    collide(world, 1e-3, contacts);
    for (size_t k = 0; k < contacts->count; k++) {
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].normal[2], 1.0, 1e-15);
        /* of heights below 1: rounding */
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].gap, gap, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].point[2], 0.25 + 0.5 * gap, 1e-15);
    }
    keys_are_distinct(contacts);
}

TEST(an_aligned_box_stands_on_four_corners)
{
    perp_contacts contacts = {0};

    for (int hulls = 0; hulls < 2; hulls++) {
        brick_on_brick(0.0, 0.0, -1e-4, 0.0, hulls, &contacts);
        CU_ASSERT_EQUAL(contacts.count, 4);
        for (int c = 0; c < 4; c++) {
            CU_ASSERT(has_point(&contacts, c & 1 ? 1 : -1, c & 2 ? 0.5 : -0.5,
                                0.25 - 5e-5, 1e-14));
        }
    }
    perp_contacts_clear(&contacts);
}

TEST(bricks_shifted_touch_at_the_corners_of_their_overlap)
{
    /* the last two: by what rounding leaves, and by what it does not */
    const double shifts[][2] = {{1.0, 0.0},  {0.3, 0.2},      {0.0, 0.4},
                                {-1.5, 0.1}, {1e-15, -1e-15}, {1e-7, 1e-7}};
    perp_contacts contacts = {0};

    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        double x = shifts[k][0];
        double y = shifts[k][1];

        for (int hulls = 0; hulls < 2; hulls++) {
            brick_on_brick(x, y, 2e-4, 0.0, hulls, &contacts);
            CU_ASSERT_EQUAL(contacts.count, 4);
            CU_ASSERT(
                has_point(&contacts, fmin(1, 1 + x), fmin(0.5, 0.5 + y), 0.2501, 1e-14));
            CU_ASSERT(
                has_point(&contacts, fmax(-1, x - 1), fmin(0.5, 0.5 + y), 0.2501, 1e-14));
            CU_ASSERT(has_point(&contacts, fmax(-1, x - 1), fmax(-0.5, y - 0.5), 0.2501,
                                1e-14));
        }
    }
    brick_on_brick(2.1, 0.0, 0.0, 0.0, false, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 0);
    perp_contacts_clear(&contacts);
}

TEST(crossed_bricks_touch_where_their_outlines_cross)
{
    perp_contacts contacts = {0};

    brick_on_brick(0.1, 0.2, 0.0, 0.5 * M_PI, false, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 4); /* |x - 0.1| <= 0.5, |y| <= 0.5 */
    for (int c = 0; c < 4; c++) {
        CU_ASSERT(
            has_point(&contacts, c & 1 ? 0.6 : -0.4, c & 2 ? 0.5 : -0.5, 0.25, 1e-14));
    }
    /* a brick turned in its middle by an eighth: its band |x - y| <= sqrt(1/2) and ends
     * |x + y| <= sqrt(2) meet |y| <= 1/2 at four crossings, within |x| <= 1.21: those
     * beyond |x| = 1 are cut there */
    brick_on_brick(0.0, 0.0, 0.0, 0.25 * M_PI, false, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 8);
    CU_ASSERT(has_point(&contacts, sqrt(0.5) - 0.5, -0.5, 0.25, 1e-14));
    CU_ASSERT(has_point(&contacts, 1.0, 1.0 - sqrt(0.5), 0.25, 1e-14));
    CU_ASSERT(has_point(&contacts, 1.0, sqrt(2.0) - 1.0, 0.25, 1e-14));
    CU_ASSERT(has_point(&contacts, sqrt(2.0) - 0.5, 0.5, 0.25, 1e-14));
    perp_contacts_clear(&contacts);
}

/* The part of a polygon of n corners (x, y) where a x + b y <= c, in place;
 * its corners. */
static int cut(double (*p)[2], int n, double a, double b, double c)
{
    double kept[32][2];
    int count = 0;

    for (int k = 0; k < n; k++) {
        const double *one = p[k];
        const double *two = p[(k + 1) % n];
        double f = c - a * one[0] - b * one[1];
        double g = c - a * two[0] - b * two[1];

        if (f >= 0.0) {
            memcpy(kept[count++], one, sizeof *kept);
        }
        if ((f > 0.0 && g < 0.0) || (f < 0.0 && g > 0.0)) {
            kept[count][0] = one[0] + f / (f - g) * (two[0] - one[0]);
            kept[count++][1] = one[1] + f / (f - g) * (two[1] - one[1]);
        }
    }
    memcpy(p, kept, sizeof kept);
    return count;
}

TEST(contacts_are_the_corners_of_the_common_polygon)
{
    perp_contacts contacts = {0};
    perp_random g = {23};
    size_t seen = 0;

    for (int draw = 0; draw < 200; draw++) {
        double x = perp_random_uniform(&g, -1.5, 1.5);
        double y = perp_random_uniform(&g, -1.0, 1.0);
        double turn = perp_random_uniform(&g, -4.0, 4.0);
        double p[32][2] = {{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}};
        double c = cos(turn);
        double s = sin(turn);
        int n = 4;

        n = cut(p, n, c, s, 1.0 + c * x + s * y);
        n = cut(p, n, -c, -s, 1.0 - c * x - s * y);
        n = cut(p, n, -s, c, 0.5 - s * x + c * y);
        n = cut(p, n, s, -c, 0.5 + s * x - c * y);
        brick_on_brick(x, y, 1e-4, turn, draw % 2, &contacts);
        CU_ASSERT_EQUAL(contacts.count, (size_t)n);
        for (int k = 0; k < n; k++) {
            /* crossings of lines at small angles: drawn ones lose three digits at most */
            CU_ASSERT(has_point(&contacts, p[k][0], p[k][1], 0.25005, 1e-12));
        }
        seen |= (size_t)1 << contacts.count;
    }
    CU_ASSERT((seen & 0xF0) != 0 &&
              (seen & 0x41) != 0); /* few and many corners, or none */
    perp_contacts_clear(&contacts);
}

TEST(keys_stay_under_small_motion)
{
    perp_contacts before = {0};
    perp_contacts after = {0};
    perp_random g = {3};

    brick_on_brick(0.3, 0.2, -1e-5, 0.2, false, &before);
    for (int draw = 0; draw < 20; draw++) {
        perp_world *world = test_world(3, 0.0);
        perp_shape brick = shape_of("box", 1.0, 0.5, 0.25);
        const double turn[3] = {perp_random_uniform(&g, -1e-6, 1e-6),
                                perp_random_uniform(&g, -1e-6, 1e-6), 0.2};
        double r[3] = {0.3, 0.2, 0.5 - 1e-5};
        double q[4];

        perp_quat_exp(turn, q);
        for (int k = 0; k < 3; k++) {
            r[k] += perp_random_uniform(&g, -1e-6, 1e-6);
        }
        put(world, "lower", 0.0, &brick, origin, NULL);
        put(world, "upper", 1.0, &brick, r, q);
        collide(world, 1e-3, &after);
        CU_ASSERT_EQUAL_FATAL(after.count, before.count);
        for (size_t k = 0; k < after.count; k++) {
            double d[3];

            CU_ASSERT(after.at[k].key == before.at[k].key);
            vec3_subtract(after.at[k].point, before.at[k].point, d);
            /* shift and turn of 1e-6 each at arms of about 1; crossings at an angle of
             * 0.2 move five times as far */
            CU_ASSERT(vec3_length(d) <= 3e-5);
        }
    }
    perp_contacts_clear(&before);
    perp_contacts_clear(&after);
}

TEST(a_leaning_card_touches_along_an_edge)
{
    const double angles[] = {0.3, 0.25 * M_PI, 1.2};

    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        perp_shape table = shape_of("box", 3.0, 2.0, 0.5);
        perp_shape card = shape_of("box", 0.01, 0.6, 1.0);
        double a = angles[k]; /* from upright, about y */
        const double q[4] = {cos(0.5 * a), 0, sin(0.5 * a), 0};
        /* the lowest edge is at (0.01, y, -1), so 0.01 sin a + cos a below the centre */
        const double r[3] = {0.0, 0.0, 0.5 + 0.01 * sin(a) + cos(a) - 1e-5};
        double x = 0.01 * cos(a) - sin(a);

        put(world, "card", 1.0, &card, r, q);
        put(world, "table", 0.0, &table, origin, NULL);
        collide(world, 1e-4, &contacts);
        CU_ASSERT_EQUAL_FATAL(contacts.count, 2);
        CU_ASSERT(has_point(&contacts, x, 0.6, 0.5 - 5e-6, 1e-14));
        CU_ASSERT(has_point(&contacts, x, -0.6, 0.5 - 5e-6, 1e-14));
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].normal[2], -1.0, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].gap, -1e-5, 1e-15);
        CU_ASSERT(contacts.at[0].key != contacts.at[1].key);
        perp_contacts_clear(&contacts);
    }
}

/* Two roofs, one along x and one along y, ridge on ridge. */
TEST(edges_that_cross_touch_once)
{
    const double lower[4] = {cos(M_PI / 8), sin(M_PI / 8), 0,
                             0}; /* about x: ridge along x */
    const double upper[4] = {cos(M_PI / 8), 0, sin(M_PI / 8), 0};
    perp_shape box = shape_of("box", 0.5, 0.5, 0.5);
    const double gaps[] = {-1e-3, 0.0, 1e-3};

    for (int k = 0; k < 3; k++) {
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        const double r[3] = {0.1, 0.2, sqrt(2.0) + gaps[k]};

        put(world, "lower", 0.0, &box, origin, lower);
        put(world, "upper", 1.0, &box, r, upper);
        collide(world, 2e-3, &contacts);
        CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].gap, gaps[k], 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].normal[2], 1.0, 1e-14);
        CU_ASSERT(has_point(&contacts, 0.1, 0.0, sqrt(0.5) + 0.5 * gaps[k], 1e-14));
        perp_contacts_clear(&contacts);
    }
}

/* The voussoirs of an arch, prisms of angle 0.3,
 * meet face to face at their four corners. */
TEST(voussoirs_meet_at_four_corners)
{
    const double half = 0.15;
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    perp_shape prism = shape_of("hull", 0, 0, 0);
    double points[24];

    for (int k = 0; k < 8; k++) {
        double radius = k & 1 ? 2.5 : 2.0;
        double angle = k & 2 ? half : -half;

        vec3_set(points + 3 * k, radius * cos(angle), k & 4 ? 0.5 : -0.5,
                 radius * sin(angle));
    }
    prism.corner_count = 8;
    prism.corners = points;
    for (int k = 0; k < 6; k++) {
        const char name[2] = {(char)('a' + k), 0};
        const double turn[3] = {0, -2.0 * half * k, 0};
        double q[4];

        perp_quat_exp(turn, q);
        put(world, name, 1.0, &prism, origin, q);
    }
    collide(world, 1e-6, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 5 * 4);
    for (size_t k = 0; k < contacts.count; k++) {
        const perp_contact *c = &contacts.at[k];
        double angle = half * (2 * c->i + 1);
        const double n[3] = {-sin(angle), 0, cos(angle)};

        CU_ASSERT_EQUAL(c->j, c->i + 1);
        test_agree("normal", c->normal, n, 3, 1e-14); /* sines and a product or two */
        CU_ASSERT_DOUBLE_EQUAL(c->gap, 0.0, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(fabs(c->point[1]), 0.5, 1e-14);
    }
    keys_are_distinct(&contacts);
    perp_contacts_clear(&contacts);
}

TEST(rectangles_touch_at_two_points)
{
    perp_world *world = test_world(2, 0.0);
    perp_contacts contacts = {0};
    perp_shape box = shape_of("box", 1.0, 0.5, NAN);
    perp_shape disc = shape_of("sphere", 0.25, 0, 0);
    perp_shape floor = shape_of("plane", 0, 0, 0);
    const double below[3] = {0, -0.5, 0};
    const double above[3] = {0.5, 1.0 - 1e-4, 0};
    const double beside[3] = {1.25, 0, 0};

    put(world, "floor", 0.0, &floor, below, NULL);
    put(world, "lower", 1.0, &box, origin, NULL);
    put(world, "upper", 1.0, &box, above, NULL);
    put(world, "disc", 1.0, &disc, beside, NULL);
    collide(world, 1e-3, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 5);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT_EQUAL(contacts.at[k].normal[2], 0.0);
        CU_ASSERT_EQUAL(contacts.at[k].point[2], 0.0);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].gap, contacts.at[k].j == 2 ? -1e-4 : 0.0,
                               1e-15);
        CU_ASSERT_EQUAL(contacts.at[k].normal[1], contacts.at[k].j == 3 ? 0.0 : 1.0);
    }
    CU_ASSERT(has_point(&contacts, -1.0, -0.5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, 1.0, -0.5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, -0.5, 0.5 - 5e-5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, 1.0, 0.5 - 5e-5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, 1.0, 0.0, 0.0, 1e-15));
    keys_are_distinct(&contacts);
    perp_contacts_clear(&contacts);
}

/* A crate and a hull, whose faces nearly look at each other where they pass: what
 * overlaps is an edge of the one and an edge of the other, and no corner or crossing of
 * the faces. */
TEST(contacts_lie_on_both_where_faces_pass_each_other)
{
    const double corners[36] = {-13.161, -1.3834,  -4.5897,  13.161,  -1.3834,  -4.5897,
                                -13.161, 1.3834,   -4.5897,  -13.161, -1.3834,  4.5897,
                                -1.5691, -0.46593, 4.0801,   0.82348, -0.77479, 4.0214,
                                5.6692,  1.2192,   -0.42894, 12.28,   0.26129,  3.3226,
                                -9.2185, 1.3488,   4.0729,   13.036,  -1.276,   -1.147,
                                13.069,  0.88755,  -2.6407,  0.84427, 1.3449,   -1.0179};
    const double r[3] = {-12.24, -2.8065, -1.5587};
    perp_shape crate = shape_of("box", 8.8827, 7.793, 9.1755);
    perp_shape hull = shape_of("hull", 0, 0, 0);
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};

    hull.corner_count = 12;
    hull.corners = corners;
    put(world, "crate", 0.0, &crate, origin, NULL);
    put(world, "hull", 1.0, &hull, r, NULL);
    collide(world, 0.0, &contacts);
    CU_ASSERT(contacts.count > 0);
    for (size_t k = 0; k < contacts.count; k++) {
        double p[3];

        witness(&contacts.at[k], 0.5, p);
        vec3_subtract(p, r, p);
        /* clipped along one normal: the square of eight degrees */
        CU_ASSERT(perp_polytope_outside(world->shapes[1].polytope, p) <= 0.01 * 13.0);
    }
    perp_contacts_clear(&contacts);
}
