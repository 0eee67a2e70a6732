/* SPDX-License-Identifier: Apache-2.0
 * tests/world/names.c: bodies and joints by name, and how often names are looked at: calls of
 * strcmp and strlen are counted, which the linker sends here. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world.h"
#include "world_run.h"

static size_t compared, measured;

int __real_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b);
size_t __real_strlen(const char *text);
size_t __wrap_strlen(const char *text);

int __wrap_strcmp(const char *a, const char *b)
{
    compared++;
    return __real_strcmp(a, b);
}

size_t __wrap_strlen(const char *text)
{
    measured++;
    return __real_strlen(text);
}

static perp_joint ball_named(int k)
{
    perp_joint joint = {.type = perp_joint_type_find("spherical"), .i = 0, .j = 1};

    snprintf(joint.name, sizeof joint.name, "joint %d", k);
    return joint;
}

static perp_world *joined(int count)
{
    perp_world *world = test_world(3, 0.0);

    test_ball(world, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "b", 1.0, 0.1, 1.0, 0.0, 0.0);
    for (int k = 0; k < count; k++) {
        const perp_joint joint = ball_named(k);

        OK(perp_world_add_joint(world, &joint, NULL, NULL));
    }
    return world;
}

/* Tables are at most half full: each name meets few others, whatever their number. */
TEST(names_are_compared_a_few_times_a_joint)
{
    for (int count = 500; count <= 4000; count *= 2) {
        perp_world *world = NULL;

        compared = 0;
        world = joined(count);
        if (compared > 10 * (size_t)count) {
            test_note("%zu comparisons for %d joints", compared, count);
        }
        CU_ASSERT(compared <= 10 * (size_t)count);
        compared = 0;
        for (int k = 0; k < count; k++) {
            const perp_joint joint = ball_named(k);

            CU_ASSERT_EQUAL(perp_world_find_joint(world, joint.name), k);
        }
        CU_ASSERT(compared <= 10 * (size_t)count);
        CU_ASSERT_EQUAL(perp_world_find_joint(world, "joint"), -1);
    }
}

TEST(rows_are_written_without_a_look_at_names)
{
    perp_world *world = joined(100);
    const perp_contacts none = {0};
    perp_scheme scheme = run_scheme(0.01);
    perp_rows rows = {0};
    perp_status status = PERP_OK;

    compared = measured = 0;
    status = perp_rows_write(&rows, world, world->start, &none, &scheme, NULL);
    CU_ASSERT_EQUAL(compared, 0);
    CU_ASSERT_EQUAL(measured, 0);
    OK(status);
    CU_ASSERT_EQUAL(rows.block_count, 100);
    for (size_t k = 1; k < rows.block_count; k++) {
        CU_ASSERT_NOT_EQUAL(rows.blocks[k].key, rows.blocks[0].key);
    }
    perp_rows_clear(&rows);
}

/* What is taken away is not found, and its name can be given again. */
TEST(joints_that_were_taken_away_are_not_found)
{
    perp_world *world = joined(40);
    const perp_joint again = ball_named(30);

    world_cut(world, 2, 0, 25);
    for (int k = 0; k < 40; k++) {
        const perp_joint joint = ball_named(k);

        CU_ASSERT_EQUAL(perp_world_find_joint(world, joint.name), k < 25 ? k : -1);
    }
    OK(perp_world_add_joint(world, &again, NULL, NULL));
    CU_ASSERT_EQUAL(perp_world_find_joint(world, again.name), 25);
    CU_ASSERT_EQUAL(perp_world_add_joint(world, &again, NULL, NULL), PERP_ERR_DATA);
}
