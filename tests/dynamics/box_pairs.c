/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/box_pairs.c: contacts of two boxes: those of the hulls of their corners,
 * as near as the boxes are, the same while they rest. */
#include <config.h>

#include "poses.h"
#include "run.h"

/* A brick on the ground, a larger one beside it with a cube flush on it, and a box turned
 * on that. */
static perp_world *resting(void)
{
    static const double halves[][3] = {
        {0.5, 0.3, 0.2}, {0.4, 0.4, 0.4}, {0.4, 0.4, 0.4}, {0.1, 0.2, 0.3}};
    static const double at[][3] = {
        {2, 1, 0.2}, {0, 0, 0.4}, {0, 0, 1.2}, {0.1, 0.05, 1.9}};
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    for (int k = 0; k < 4; k++) {
        const char name[2] = {(char)('a' + k), 0};
        int32_t body = run_box(world, name, 1.0, halves[k], at[k][0], at[k][1], at[k][2]);

        if (k == 3) {
            turn_about(0, 0, 1, 0.3, perp_body_pose(world->start, (size_t)body) + 3);
        }
    }
    perp_world_refresh(world, world->start);
    return world;
}

TEST(boxes_at_rest_keep_four_points_with_four_keys)
{
    enum { STEPS = 1000 };
    perp_scheme scheme = run_scheme(1.0 / 100.0);
    perp_contacts first = {0};
    perp_contacts now = {0};
    run r;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    r = run_begin(resting(), &scheme, "nsgs+newton", true);
    collide(r.world, 1e-4, &first);
    CU_ASSERT_EQUAL(first.count, 16);
    keys_are_distinct(&first);
    for (int step = 0; step < STEPS; step++) {
        run_steps(&r, 1);
        collide(r.world, 1e-4, &now);
        CU_ASSERT_EQUAL_FATAL(now.count, first.count);
        for (size_t k = 0; k < now.count; k++) {
            CU_ASSERT_FATAL(now.at[k].key == first.at[k].key);
        }
    }
    run_end(&r);
    perp_contacts_clear(&first);
    perp_contacts_clear(&now);
}

TEST_MAIN("dynamics/box_pairs")
