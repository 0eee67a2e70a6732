/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/flat_pairs.c: a convex polygon and the ground in the plane. */
#include <config.h>

#include "contact_queries.h"

static const double origin[3] = {0};

/* At r, turned about z. */
static void put_flat(perp_world *world, const char *name, const perp_shape *shape,
                     const double r[3], double angle)
{
    const double q[4] = {cos(0.5 * angle), 0, 0, sin(0.5 * angle)};

    put(world, name, 1.0, shape, r, q);
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
    }
}
