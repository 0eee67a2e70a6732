/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/manifold.c: where round solids stand, lie and lean on boxes and on each
 * other: how many contacts, and where. */
#include <config.h>

#include "contact_queries.h"

static const double origin[3] = {0};
static const double lying[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};

/* GJK and EPA agree on a gap to this share of sizes of about 1; so are places on faces.
 * On what is round places are off by the root of it times a radius. */
static const double iterated = 1e-9;
static const double rolled = 1e-4;

/* The contacts of b at x, turned by q, with a at the origin, z upwards. */
static perp_contacts contacts_of(const perp_shape *a, const perp_shape *b,
                                 const double x[3], const double q[4], double margin)
{
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};

    put(world, "a", 0.0, a, origin, NULL);
    put(world, "b", 1.0, b, x, q);
    collide(world, margin, &contacts);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].normal[2], 1.0, iterated);
    }
    keys_are_distinct(&contacts);
    return contacts;
}

/* One of the contacts is at (x, y), at this height and gap. */
static bool has_near(const perp_contacts *contacts, double x, double y, double z,
                     double gap, double near)
{
    for (size_t k = 0; k < contacts->count; k++) {
        const perp_contact *c = &contacts->at[k];

        if (fabs(c->point[0] - x) <= near && fabs(c->point[1] - y) <= near &&
            fabs(c->point[2] - z) <= iterated && fabs(c->gap - gap) <= iterated) {
            return true;
        }
    }
    return false;
}

static bool has(const perp_contacts *contacts, double x, double y, double z, double gap)
{
    return has_near(contacts, x, y, z, gap, iterated);
}

static const double gaps[] = {-1e-2, -1e-6, 1e-6, 1e-2};
enum { GAPS = sizeof gaps / sizeof *gaps };

TEST(a_cylinder_stands_on_a_box_on_its_rim)
{
    const perp_shape box = shape_of("box", 2, 2, 1);
    const perp_shape drum = shape_of("cylinder", 0.5, 0.8, 0);

    for (int k = 0; k < GAPS; k++) {
        const double x[3] = {0.3, -0.2, 1.4 + gaps[k]};
        double z = 1.0 + 0.5 * gaps[k];
        perp_contacts contacts = contacts_of(&box, &drum, x, NULL, 0.1);

        CU_ASSERT_EQUAL(contacts.count, 24);
        CU_ASSERT(has(&contacts, 0.8, -0.2, z, gaps[k]));
        CU_ASSERT(has(&contacts, -0.2, -0.2, z, gaps[k]));
        CU_ASSERT(has(&contacts, 0.3, 0.3, z, gaps[k]));
        CU_ASSERT(has(&contacts, 0.3, -0.7, z, gaps[k]));
        perp_contacts_clear(&contacts);
    }
}

/* The polygon in its end is cut at the edge of the box, x = 2, 0.1 from its centre: the 13 corners
 * from 90 to 270 degrees stay, and two points of the sides from 75 to 90 degrees. */
TEST(a_cylinder_over_an_edge_is_cut_there)
{
    const perp_shape box = shape_of("box", 2, 2, 1);
    const perp_shape drum = shape_of("cylinder", 0.5, 0.8, 0);
    const double c = 0.5 * cos(M_PI / 2.4);
    const double y = 0.5 - 0.1 / c * (0.5 - sqrt(0.25 - c * c));

    for (int k = 0; k < GAPS; k++) {
        const double x[3] = {1.9, 0.0, 1.4 + gaps[k]};
        double z = 1.0 + 0.5 * gaps[k];
        perp_contacts contacts = contacts_of(&box, &drum, x, NULL, 0.1);

        CU_ASSERT_EQUAL(contacts.count, 15);
        CU_ASSERT(has(&contacts, 1.4, 0.0, z, gaps[k]));
        CU_ASSERT(has(&contacts, 1.9, 0.5, z, gaps[k]));
        CU_ASSERT(has(&contacts, 1.9, -0.5, z, gaps[k]));
        CU_ASSERT(has(&contacts, 2.0, y, z, gaps[k]));
        CU_ASSERT(has(&contacts, 2.0, -y, z, gaps[k]));
        perp_contacts_clear(&contacts);
    }
}

TEST(what_lies_on_a_box_touches_at_two_points)
{
    const perp_shape box = shape_of("box", 2, 0.5, 1);
    const perp_shape rods[] = {
        shape_of("cylinder", 0.3, 1.6, 0), shape_of("capsule", 0.3, 1.6, 0),
        shape_of("cylinder", 0.3, 0.6, 0), shape_of("capsule", 0.3, 0.6, 0)};
    const double ends[] = {0.5, 0.5, 0.3, 0.3}; /* along y, cut at the edges or not */

    for (int k = 0; k < 4 * GAPS; k++) {
        double gap = gaps[k / 4];
        const double x[3] = {0.25, 0, 1.3 + gap};
        perp_contacts contacts = contacts_of(&box, &rods[k % 4], x, lying, 0.1);

        CU_ASSERT_EQUAL(contacts.count, 2);
        CU_ASSERT(has(&contacts, 0.25, ends[k % 4], 1.0 + 0.5 * gap, gap));
        CU_ASSERT(has(&contacts, 0.25, -ends[k % 4], 1.0 + 0.5 * gap, gap));
        perp_contacts_clear(&contacts);
    }
}

/* Lying along y on one another they touch along the common part of their lines; one
 * across the other at a point. */
TEST(rods_touch_along_a_line_or_at_a_point)
{
    static const char *const kinds[] = {"cylinder", "capsule"};
    const double crossed[4] = {0.70710678118654752, 0, 0.70710678118654752, 0};

    for (int k = 0; k < 4 * GAPS; k++) {
        const perp_shape low = shape_of(kinds[k % 2], 0.5, 2.0, 0);
        const perp_shape high = shape_of(kinds[k / 2 % 2], 0.25, 1.0, 0);
        double gap = gaps[k / 4];
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        const double x[3] = {0, 0.75, 0.75 + gap};

        put(world, "low", 0.0, &low, origin, lying);
        put(world, "high", 1.0, &high, x, lying);
        collide(world, 0.1, &contacts);
        CU_ASSERT_EQUAL(contacts.count, 2);
        CU_ASSERT(has_near(&contacts, 0.0, 0.25, 0.5 + 0.5 * gap, gap, rolled));
        CU_ASSERT(has_near(&contacts, 0.0, 1.0, 0.5 + 0.5 * gap, gap, rolled));
        keys_are_distinct(&contacts);
        memcpy(perp_body_pose(world->start, 1) + 3, crossed, sizeof crossed);
        perp_world_refresh(world, world->start);
        collide(world, 0.1, &contacts);
        CU_ASSERT_EQUAL(contacts.count, 1);
        CU_ASSERT(has_near(&contacts, 0.0, 0.75, 0.5 + 0.5 * gap, gap, rolled));
        perp_contacts_clear(&contacts);
    }
}

TEST(ends_on_ends_touch_at_the_corners_of_both)
{
    const perp_shape drum = shape_of("cylinder", 0.5, 1.0, 0);
    const perp_shape cone = shape_of("cone", 0.5, 1.0, 0);
    const double half_a_side[4] = {cos(M_PI / 48), 0, 0, sin(M_PI / 48)};

    for (int k = 0; k < 2 * GAPS; k++) {
        const perp_shape *above = k % 2 ? &cone : &drum;
        const double x[3] = {0, 0, 1.0 + gaps[k / 2]};
        perp_contacts contacts = contacts_of(&drum, above, x, NULL, 0.1);

        CU_ASSERT_EQUAL(contacts.count, 24);
        CU_ASSERT(has(&contacts, 0.5, 0, 0.5 + 0.5 * gaps[k / 2], gaps[k / 2]));
        perp_contacts_clear(&contacts);
        contacts = contacts_of(&drum, above, x, half_a_side, 0.1);
        CU_ASSERT_EQUAL(contacts.count, 48); /* where both polygons cross */
        CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, gaps[k / 2], iterated);
        perp_contacts_clear(&contacts);
    }
}

/* A cylinder leaning by more than 8 degrees stands on one point of its rim; its line on a
 * box, which leans as much from lying, on its end. */
TEST(what_leans_stands_on_its_lowest_point)
{
    const perp_shape box = shape_of("box", 2, 2, 1);
    const perp_shape drum = shape_of("cylinder", 0.5, 0.8, 0);
    const double angles[] = {0.2, 0.5, 1.0, 1.3};

    for (int k = 0; k < 4; k++) {
        const double turn[3] = {0, angles[k], 0};
        const double low = 0.4 * cos(angles[k]) + 0.5 * sin(angles[k]);
        const double aside = 0.5 * cos(angles[k]) - 0.4 * sin(angles[k]);
        const double x[3] = {0, 0, 1.0 + low - 1e-3};
        double q[4];
        perp_contacts contacts = {0};

        perp_quat_exp(turn, q);
        contacts = contacts_of(&box, &drum, x, q, 0.01);
        CU_ASSERT_EQUAL(contacts.count, 1);
        CU_ASSERT(has_near(&contacts, aside, 0.0, 1.0 - 5e-4, -1e-3, rolled));
        perp_contacts_clear(&contacts);
    }
}

/* A little it leans: its lowest point, and the others at their own gaps. */
TEST(what_leans_a_little_has_gaps_of_its_own)
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
    contacts = contacts_of(&box, &drum, x, q, 0.1);
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
    perp_contacts_clear(&contacts);
}

TEST(the_edge_of_a_box_lies_on_an_end_along_a_line)
{
    const perp_shape drum = shape_of("cylinder", 2.0, 1.0, 0);
    const perp_shape box = shape_of("box", 0.5, 0.25, 0.5);
    const double ridge[4] = {cos(M_PI / 8), 0, sin(M_PI / 8), 0}; /* an edge along y */

    for (int k = 0; k < GAPS; k++) {
        const double x[3] = {0.2, 0, 0.5 + sqrt(0.5) + gaps[k]};
        perp_contacts contacts = contacts_of(&drum, &box, x, ridge, 0.02);

        CU_ASSERT_EQUAL(contacts.count, 2);
        CU_ASSERT(has(&contacts, 0.2, 0.25, 0.5 + 0.5 * gaps[k], gaps[k]));
        CU_ASSERT(has(&contacts, 0.2, -0.25, 0.5 + 0.5 * gaps[k], gaps[k]));
        perp_contacts_clear(&contacts);
    }
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
        perp_contacts contacts = contacts_of(&a, &b, x, NULL, 0.1);

        CU_ASSERT_EQUAL(contacts.count, cases[k].count);
        for (size_t c = 0; c < contacts.count; c++) {
            const double *point = contacts.at[c].point;

            CU_ASSERT_DOUBLE_EQUAL(hypot(point[0], point[1]), cases[k].at, iterated);
            CU_ASSERT_DOUBLE_EQUAL(contacts.at[c].gap, 1e-3, iterated);
        }
        perp_contacts_clear(&contacts);
        perp_polytope_free(a.polytope);
        perp_polytope_free(b.polytope);
    }
}
