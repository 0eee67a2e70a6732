/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/facets.c: contacts of flat faces with each other, in closed form. */
#include <config.h>

#include "contact_queries.h"
#include "reference.h"

static const double origin[3] = {0};
/* GJK and EPA agree to this share of sizes of about 1. */
static const double iterated = 1e-9;

/* A brick of half extents 1, 0.5, 0.25 on its like, at (x, y, 0.5 + gap),
 * turned about z. */
static void brick_on_brick(double x, double y, double gap, double turn, bool hulls,
                           perp_contacts *contacts)
{
    double room[24];
    perp_shape brick =
        hulls ? hull_of_box(1.0, 0.5, 0.25, room) : shape_of("box", 1.0, 0.5, 0.25);
    const double r[3] = {x, y, 0.5 + gap};
    const double q[4] = {cos(0.5 * turn), 0, 0, sin(0.5 * turn)};

    collide(two_bodies(&brick, &brick, r, q), 1e-3, contacts);
    for (size_t k = 0; k < contacts->count; k++) {
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].normal[2], 1.0, 1e-15);
        /* of heights below 1: rounding */
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].gap, gap, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].point[2], 0.25 + 0.5 * gap, 1e-15);
    }
    keys_are_distinct(contacts);
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
}

TEST(keys_stay_under_small_motion)
{
    perp_contacts before = {0};
    perp_contacts after = {0};
    perp_random g = {3};

    brick_on_brick(0.3, 0.2, -1e-5, 0.2, false, &before);
    for (int draw = 0; draw < 20; draw++) {
        perp_shape brick = shape_of("box", 1.0, 0.5, 0.25);
        const double turn[3] = {perp_random_uniform(&g, -1e-6, 1e-6),
                                perp_random_uniform(&g, -1e-6, 1e-6), 0.2};
        double r[3] = {0.3, 0.2, 0.5 - 1e-5};
        double q[4];

        perp_quat_exp(turn, q);
        for (int k = 0; k < 3; k++) {
            r[k] += perp_random_uniform(&g, -1e-6, 1e-6);
        }
        collide(two_bodies(&brick, &brick, r, q), 1e-3, &after);
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
    perp_world *world = NULL;
    perp_contacts contacts = {0};

    hull.corner_count = 12;
    hull.corners = corners;
    world = two_bodies(&crate, &hull, r, NULL);
    collide(world, 0.0, &contacts);
    CU_ASSERT(contacts.count > 0);
    for (size_t k = 0; k < contacts.count; k++) {
        double p[3];

        witness(&contacts.at[k], 0.5, p);
        vec3_subtract(p, r, p);
        /* clipped along one normal: the square of eight degrees */
        CU_ASSERT(perp_polytope_outside(world->shapes[1].polytope, p) <= 0.01 * 13.0);
    }
}

/* The lowest point of the rim, and the others at their own gaps. */
TEST(a_cylinder_that_leans_a_little_touches_along_its_rim)
{
    const perp_shape box = shape_of("box", 2, 2, 1);
    const perp_shape drum = shape_of("cylinder", 0.5, 0.8, 0);
    const double angle = 0.01;
    const double turn[3] = {0, angle, 0};
    const double low = 0.4 * cos(angle) + 0.5 * sin(angle);
    const double x[3] = {0, 0, 1.0 + low - 1e-3};
    const double rise = 0.5 * sin(angle);
    double q[4];
    perp_contacts contacts = {0};

    perp_quat_exp(turn, q);
    collide(two_bodies(&box, &drum, x, q), 0.1, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 24);
    for (size_t k = 0; k < contacts.count; k++) {
        double off = INFINITY;

        for (int corner = 0; corner <= 12; corner++) {
            off = fmin(off, fabs(contacts.at[k].gap + 1e-3 -
                                 rise * (1.0 - cos(M_PI / 12 * corner))));
        }
        CU_ASSERT(off <= iterated);
    }
    CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, -1e-3, iterated);
}

enum { SIDES = 100 };

/* A prism of that radius, 2 m high, its first corner at `turn`. */
static perp_shape prism_of(double radius, double turn)
{
    double points[6 * SIDES];

    for (int k = 0; k < 2 * SIDES; k++) {
        double angle = turn + 2.0 * M_PI * k / SIDES;

        vec3_set(points + 3 * k, radius * cos(angle), radius * sin(angle),
                 k < SIDES ? -1.0 : 1.0);
    }
    return hull_of(2 * SIDES, points, 3);
}

/* Half a side apart all sides cross, two each, at the middle of what is between corners;
 * the corners of a smaller one, or of one that is not turned, are all within. */
TEST(faces_of_a_hundred_corners_touch_at_all_they_have_in_common)
{
    const struct {
        double radius, turn;
        size_t count;
        double at; /* the radius of the contacts */
    } cases[] = {
        {1.0, M_PI / SIDES, 2 * SIDES, cos(M_PI / SIDES) / cos(0.5 * M_PI / SIDES)},
        {0.9, 0.01, SIDES, 0.9},
        {1.1, 0.01, SIDES, 1.0},
        {1.0, 0.0, SIDES, 1.0},
    };
    const double x[3] = {0, 0, 2.0 + 1e-3};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_shape a = prism_of(1.0, 0.0);
        perp_shape b = prism_of(cases[k].radius, cases[k].turn);
        perp_contacts contacts = {0};

        collide(two_bodies(&a, &b, x, NULL), 0.1, &contacts);
        CU_ASSERT_EQUAL(contacts.count, cases[k].count);
        for (size_t c = 0; c < contacts.count; c++) {
            const double *point = contacts.at[c].point;

            CU_ASSERT_DOUBLE_EQUAL(hypot(point[0], point[1]), cases[k].at, iterated);
            CU_ASSERT_DOUBLE_EQUAL(contacts.at[c].gap, 1e-3, iterated);
        }
    }
}
