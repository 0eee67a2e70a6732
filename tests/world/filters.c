/* SPDX-License-Identifier: Apache-2.0
 * tests/world/filters.c: which shapes may meet: groups and masks, joints, bodies that
 * nothing moves, a function of the caller. */
#include <config.h>

#include <perp/dynamics/joint.h>

#include "contact_queries.h"
#include "scarce.h"

static const double origin[3] = {0};

static perp_shape ball_of(uint32_t group, uint32_t mask)
{
    perp_shape s = shape_of("sphere", 0.5, 0, 0);

    s.group = group;
    s.mask = mask;
    return s;
}

static size_t count_contacts(const perp_world *world)
{
    perp_contacts contacts = {0};
    size_t count = 0;

    collide(world, 0.0, &contacts);
    count = contacts.count;
    perp_contacts_clear(&contacts);
    return count;
}

/* Two balls in one place, with these groups and masks. */
static bool two_meet(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape a = ball_of(group_a, mask_a);
    perp_shape b = ball_of(group_b, mask_b);
    size_t count = 0;

    put(world, "a", 1.0, &a, origin, NULL);
    put(world, "b", 1.0, &b, origin, NULL);
    count = count_contacts(world);
    return count == 1;
}

TEST(groups_and_masks_decide_which_shapes_collide)
{
    const uint32_t all = UINT32_MAX;

    CU_ASSERT(two_meet(0, 0, 0, 0)); /* both plain: group 1, all bits */
    CU_ASSERT(two_meet(1, 1, 1, 1));
    CU_ASSERT(two_meet(0, 0, 2, 1)); /* the plain one is in group 1 */
    CU_ASSERT(!two_meet(0, 0, 2, 2));
    CU_ASSERT(!two_meet(1, 1, 2, all)); /* the first does not look for group 2 */
    CU_ASSERT(!two_meet(2, all, 1, 1));
    CU_ASSERT(two_meet(2, 1, 1, 2));
    CU_ASSERT(!two_meet(2, 1, 1, 4));
    CU_ASSERT(two_meet(6, 8, 8, 4));      /* one common bit each way */
    CU_ASSERT(!two_meet(0, all, 1, all)); /* in no group */
    CU_ASSERT(two_meet(0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u));
}

/* A row of balls, each over the next one; every joint joins neighbours. */
static perp_world *row_of_balls(size_t count)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape ball = ball_of(0, 0);

    for (size_t k = 0; k < count; k++) {
        char name[16];
        const double r[3] = {0.75 * (double)k, 0, 0};

        snprintf(name, sizeof name, "ball %zu", k);
        put(world, name, 1.0, &ball, r, NULL);
    }
    return world;
}

static void join(perp_world *world, int32_t i, int32_t j, bool may_touch)
{
    perp_joint joint = {
        .type = perp_joint_type_find("spherical"), .i = i, .j = j, .collide = may_touch};
    perp_error err = {0};

    snprintf(joint.name, sizeof joint.name, "joint %zu", world->joint_count);
    OK(perp_joint_attach(&joint, world, world->start, origin, NULL, NULL, &err));
    if (perp_world_add_joint(world, &joint, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a joint is refused");
    }
}

/* Joints in any order and direction, several on one pair, each change seen at once. */
TEST(joints_keep_their_bodies_apart)
{
    enum { COUNT = 40 };
    perp_world *world = row_of_balls(COUNT);
    const perp_collide_settings s = {.margin = 0.0};
    perp_collider *c = NULL;
    perp_contacts contacts = {0};

    OK(perp_collider_new(&c, NULL));
    for (int32_t k = 0; k + 1 < COUNT; k++) {
        int32_t at = k * 7 % (COUNT - 1); /* 7 and 39 have no common factor */

        OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
        CU_ASSERT_EQUAL(contacts.count, (size_t)(COUNT - 1 - k));
        join(world, k % 2 ? at : at + 1, k % 2 ? at + 1 : at, false);
    }
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 0);
    world->joints[5].collide = true;
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_EQUAL(contacts.at[0].i, 5 * 7 % (COUNT - 1));
    /* one that allows does not undo one that forbids */
    join(world, contacts.at[0].i, contacts.at[0].j, false);
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 0);
    perp_contacts_clear(&contacts);
}

TEST(bodies_that_impulses_cannot_move_do_not_meet)
{
    const perp_motion motions[] = {PERP_MOTION_DYNAMIC, PERP_MOTION_STATIC,
                                   PERP_MOTION_KINEMATIC};

    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            perp_world *world = row_of_balls(2);

            world->motion[0] = motions[a];
            world->motion[1] = motions[b];
            CU_ASSERT_EQUAL(count_contacts(world), a == 0 || b == 0 ? 1 : 0);
        }
    }
}

TEST(shapes_of_one_body_do_not_meet)
{
    perp_world *world = row_of_balls(1);
    perp_shape box = shape_of("box", 1.0, 1.0, 1.0);

    box.body = 0;
    OK(perp_world_add_shape(world, &box, NULL, NULL));
    CU_ASSERT_EQUAL(count_contacts(world), 0);
}

typedef struct asked {
    size_t calls;
    bool ordered;
} asked;

/* Only shapes whose numbers add up to an even number. */
static bool even_pairs(void *context, const perp_world *world, size_t a, size_t b)
{
    asked *told = context;

    told->calls++;
    told->ordered = told->ordered && a < b && b < world->shape_count;
    return (a + b) % 2 == 0;
}

TEST(a_filter_of_the_caller_is_asked_of_pairs_that_come_near)
{
    enum { COUNT = 12 };
    perp_world *world = row_of_balls(COUNT);
    asked told = {0, true};
    const perp_collide_settings s = {
        .margin = 0.6, .filter = even_pairs, .filter_context = &told};
    perp_contacts contacts = {0};
    perp_collider *c = NULL;

    OK(perp_collider_new(&c, NULL));
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    /* neighbours 0.75 apart are odd; those behind the next one, 1.5 apart, have gaps of
     * 0.5; the ones after these 1.25 */
    CU_ASSERT_EQUAL(contacts.count, COUNT - 2);
    CU_ASSERT(told.calls >= 2 * COUNT - 3 && told.calls < COUNT * (COUNT - 1) / 2);
    CU_ASSERT(told.ordered);
    CU_ASSERT_EQUAL(perp_collider_report(c)->looked_at, COUNT - 2);
    perp_contacts_clear(&contacts);
}

static perp_status collide_joined(void *context, perp_error *err)
{
    perp_contacts contacts = {0};
    perp_status status =
        perp_collide(context, ((perp_world *)context)->start, 0.0, &contacts, err);

    CU_ASSERT_EQUAL(contacts.count, status == PERP_OK ? 8 : 0);
    perp_contacts_clear(&contacts);
    return status;
}

TEST(filters_survive_failing_memory)
{
    perp_world *world = row_of_balls(10);

    join(world, 4, 3, false);
    scarce_everywhere(collide_joined, world, "filters");
}
