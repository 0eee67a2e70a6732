/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/flat_pairs.c: rectangles, convex polygons, discs and the ground in the
 * plane. */
#include <config.h>

#include "sides.h"

static const double origin[3] = {0};

/* A rectangle, or the polygon around its corners; `room` keeps them. */
static perp_shape rectangle(double a, double b, bool polygon, double room[12])
{
    perp_shape s = shape_of(polygon ? "hull" : "box", a, b, NAN);

    for (int k = 0; k < 4; k++) {
        vec3_set(room + 3 * k, k & 1 ? a : -a, k & 2 ? b : -b, 0.0);
    }
    s.corner_count = polygon ? 4 : 0;
    s.corners = room;
    return s;
}

/* At r, turned about z. */
static void put_flat(perp_world *world, const char *name, const perp_shape *shape,
                     const double r[3], double angle)
{
    const double q[4] = {cos(0.5 * angle), 0, 0, sin(0.5 * angle)};

    put(world, name, 1.0, shape, r, q);
}

static void same_points(const perp_contacts *one, const perp_contacts *other)
{
    CU_ASSERT_EQUAL_FATAL(one->count, other->count);
    for (size_t k = 0; k < one->count; k++) {
        const perp_contact *c = &one->at[k];
        double nearest = INFINITY;

        for (size_t l = 0; l < other->count; l++) {
            const perp_contact *d = &other->at[l];
            double shift[3];

            vec3_subtract(c->point, d->point, shift);
            nearest = fmin(nearest, vec3_length(shift) + fabs(c->gap - d->gap) +
                                        fabs(1.0 - vec3_dot(c->normal, d->normal)));
        }
        /* of numbers of about 1; lines that cross at small angles lose three digits */
        CU_ASSERT(nearest <= 1e-12);
    }
}

TEST(polygons_of_four_corners_meet_as_rectangles)
{
    perp_random g = {163};
    perp_contacts contacts[2] = {{0}, {0}};
    size_t seen[3] = {0};

    for (int draw = 0; draw < 1000; draw++) {
        double r[3] = {perp_random_uniform(&g, -2.0, 2.0),
                       perp_random_uniform(&g, -1.5, 1.5), 0.0};
        double turn[2] = {perp_random_uniform(&g, -4.0, 4.0),
                          perp_random_uniform(&g, -4.0, 4.0)};

        if (draw % 2) { /* side on side, by what rounding leaves */
            turn[1] = turn[0] = 0.0;
            r[1] = 0.9 + draw_gap(&g);
        }
        for (int polygon = 0; polygon < 2; polygon++) {
            perp_world *world = test_world(2, 0.0);
            double room[12];
            perp_shape one = rectangle(1.0, 0.5, polygon, room);
            perp_shape two;

            put_flat(world, "a", &one, origin, turn[0]);
            two = rectangle(0.7, 0.4, polygon, room);
            put_flat(world, "b", &two, r, turn[1]);
            collide(world, 0.2, &contacts[polygon]);
            keys_are_distinct(&contacts[polygon]);
            perp_world_free(world);
        }
        CU_ASSERT_FATAL(contacts[0].count <= 2);
        same_points(&contacts[0], &contacts[1]);
        seen[contacts[0].count]++;
    }
    CU_ASSERT(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);
    perp_contacts_clear(&contacts[0]);
    perp_contacts_clear(&contacts[1]);
}

/* Everywhere about it and in it. */
TEST(discs_meet_polygons_as_rectangles)
{
    perp_random g = {167};
    perp_contacts contacts[2] = {{0}, {0}};
    size_t corners = 0;

    for (int draw = 0; draw < 1000; draw++) {
        const double r[3] = {perp_random_uniform(&g, -1.5, 1.5),
                             perp_random_uniform(&g, -1.0, 1.0), 0.0};
        double turn = perp_random_uniform(&g, -4.0, 4.0);

        for (int polygon = 0; polygon < 2; polygon++) {
            perp_world *world = test_world(2, 0.0);
            double room[12];
            perp_shape one = rectangle(1.0, 0.5, polygon, room);
            perp_shape disc = shape_of("sphere", 0.25, 0, 0);

            put_flat(world, "a", &one, origin, turn);
            put_flat(world, "disc", &disc, r, 0.0);
            collide(world, 5.0, &contacts[polygon]);
            CU_ASSERT_EQUAL_FATAL(contacts[polygon].count, 1);
            CU_ASSERT_EQUAL(contacts[polygon].at[0].normal[2], 0.0);
            perp_world_free(world);
        }
        same_points(&contacts[0], &contacts[1]);
        /* beyond a corner the normal is no side's */
        corners += fabs(sin(2.0 * (atan2(contacts[0].at[0].normal[1],
                                         contacts[0].at[0].normal[0]) -
                                   turn))) > 1e-6;
    }
    CU_ASSERT(corners > 50 && corners < 950);
    perp_contacts_clear(&contacts[0]);
    perp_contacts_clear(&contacts[1]);
}

/* The gap of each corner above the line of the ground, those up to the margin. */
TEST(the_ground_meets_the_corners_of_a_polygon)
{
    const double corners[] = {0.3, -0.5, 0, 1.0, 0.2, 0, 0.4, 1.1, 0, -0.6, 0.6, 0};
    const double r[3] = {0.3, 0.7, 0.0};
    const double margin = 0.3;
    perp_random g = {173};
    perp_contacts contacts = {0};

    for (int draw = 0; draw < 100; draw++) {
        perp_world *world = test_world(2, 0.0);
        perp_shape polygon = shape_of("hull", 0, 0, 0);
        perp_shape ground = shape_of("plane", 0, 0, 0);
        double turn = perp_random_uniform(&g, -4.0, 4.0);
        double tilt = perp_random_uniform(&g, -0.3, 0.3);
        const double n[3] = {-sin(tilt), cos(tilt), 0.0};
        double least = INFINITY;
        size_t below = 0;

        polygon.corner_count = 4;
        polygon.corners = corners;
        put_flat(world, "ground", &ground, origin, tilt);
        put_flat(world, "polygon", &polygon, r, turn);
        collide(world, margin, &contacts);
        for (int k = 0; k < 4; k++) {
            const double *c = corners + 3 * k;
            const double p[3] = {r[0] + c[0] * cos(turn) - c[1] * sin(turn),
                                 r[1] + c[0] * sin(turn) + c[1] * cos(turn), 0.0};

            below += vec3_dot(n, p) <= margin;
            least = fmin(least, vec3_dot(n, p));
        }
        CU_ASSERT_EQUAL_FATAL(contacts.count, below);
        if (below > 0) {
            CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, least, 1e-14); /* rounding */
            test_agree("normal", contacts.at[0].normal, n, 3, 1e-14);
        }
        perp_world_free(world);
    }
    perp_contacts_clear(&contacts);
}

/* Corners of polygons beyond corners of others, which no side shows. */
TEST(polygons_apart_have_a_contact_at_their_distance)
{
    static const double unturned[7] = {0, 0, 0, 1, 0, 0, 0};
    perp_random g = {179};
    perp_contacts contacts = {0};
    size_t seen = 0;

    for (int draw = 0; draw < 500; draw++) {
        perp_world *world = test_world(2, 0.0);
        perp_shape shapes[2];
        perp_placed at[2];
        perp_proximity p;

        for (int k = 0; k < 2; k++) {
            double points[2 * 9];
            double middle = k ? perp_random_uniform(&g, -2.0, 2.0) : 0.0;

            for (int c = 0; c < 18; c++) {
                points[c] = middle + perp_random_uniform(&g, -0.7, 0.7);
            }
            shapes[k] = polygon_of(9, points);
            at[k] = place(&shapes[k], unturned);
            put_flat(world, k ? "b" : "a", &shapes[k], origin, 0.0);
        }
        p = near_by("sat", &at[0], &at[1], 2);
        if (!holds(&at[0], &at[1], &p, 1e-13)) { /* of numbers up to 3 */
            CU_FAIL_FATAL("an answer that does not hold");
        }
        collide(world, 0.5, &contacts);
        CU_ASSERT_EQUAL(contacts.count > 0, p.gap <= 0.5);
        if (contacts.count > 0 && p.gap > 1e-5) {
            /* noise may choose sides within 1e-6 of the size */
            CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, p.gap, 2e-6);
            CU_ASSERT(vec3_dot(deepest(&contacts)->normal, p.normal) >= 0.99);
            seen++;
        }
        CU_ASSERT(contacts.count <= 2);
        perp_polytope_free(shapes[0].polytope);
        perp_polytope_free(shapes[1].polytope);
        perp_world_free(world);
    }
    CU_ASSERT(seen > 50);
    perp_contacts_clear(&contacts);
}

TEST_MAIN("dynamics/flat_pairs")
