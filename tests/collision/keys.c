/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/keys.c: contacts of what rests keep their number and their keys, and of
 * what slides until other features touch. Steps of 1/100 s by nsgs, 1 000 of them, a
 * tenth where PERP_TEST_BRIEF is set. */
#include <config.h>

#include <stdlib.h>

#include "poses.h"
#include "world_run.h"

static const double origin[3] = {0};
static const double lying[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};

enum { MOST = 64 };

typedef struct key_set {
    size_t count;
    uint64_t key[MOST];
} key_set;

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Keys of contacts with bodies i and j, all for i < 0. */
static key_set keys_of(const perp_world *world, int32_t i, int32_t j)
{
    perp_contacts contacts = {0};
    key_set set = {0};

    collide(world, 1e-3, &contacts);
    keys_are_distinct(&contacts);
    for (size_t k = 0; k < contacts.count; k++) {
        if (i < 0 || (contacts.at[k].i == i && contacts.at[k].j == j)) {
            CU_ASSERT_FATAL(set.count < MOST);
            set.key[set.count++] = contacts.at[k].key;
        }
    }
    qsort(set.key, set.count, sizeof *set.key, ascending);
    return set;
}

static bool same(const key_set *a, const key_set *b)
{
    return a->count == b->count && memcmp(a->key, b->key, a->count * sizeof *a->key) == 0;
}

static run begin(perp_world *world)
{
    perp_scheme scheme = run_scheme(0.01);

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.margin = 1e-3;
    return run_begin(world, &scheme, "nsgs tolerance=1e-10", true);
}

/* So many contacts, the same in each step. */
static void rests(perp_world *world, size_t contacts, const char *what)
{
    int steps = getenv("PERP_TEST_BRIEF") ? 100 : 1000;
    run r = begin(world);
    const key_set start = keys_of(world, -1, -1);
    int other = 0;

    CU_ASSERT_EQUAL(start.count, contacts);
    for (int step = 0; step < steps; step++) {
        key_set now;

        run_steps(&r, 1);
        now = keys_of(world, -1, -1);
        other += !same(&start, &now);
    }
    if (start.count != contacts || other > 0) {
        test_note("%s: %zu contacts, expected %zu; other keys in %d steps of %d", what,
                  start.count, contacts, other, steps);
    }
    CU_ASSERT_EQUAL(other, 0);
}

/* What rests, at which height, on how many points. */
typedef struct rest {
    const char *kind;
    double size[3], height;
    bool lies;
    size_t contacts;
} rest;

static const rest on_floor[] = {
    {"box", {0.3, 0.4, 0.5}, 0.5, false, 4},
    {"sphere", {0.5, 0, 0}, 0.5, false, 1},
    {"cylinder", {0.5, 0.8, 0}, 0.4, false, 24},
    {"cylinder", {0.5, 0.8, 0}, 0.5, true, 2},
    {"cone", {0.5, 0.8, 0}, 0.4, false, 24},
    {"capsule", {0.3, 0.9, 0}, 0.3, true, 2},
    {"ellipsoid", {0.5, 0.5, 0.3}, 0.3, false, 1},
    {"hull", {0, 0, 0}, 0.25, false, 3},
};

/* A tetrahedron on a face of three corners, as high as 1, its centre a quarter up. */
static const double tetrahedron[12] = {0.6,  0.0,         -0.25, -0.3, 0.51961524, -0.25,
                                       -0.3, -0.51961524, -0.25, 0.0,  0.0,        0.75};

static void lay(perp_world *world, const rest *what, double below)
{
    perp_shape s = shape_of(what->kind, what->size[0], what->size[1], what->size[2]);
    const double at[3] = {0.1, -0.05, below + what->height};

    if (strcmp(what->kind, "hull") == 0) {
        s.corner_count = 4;
        s.corners = tetrahedron;
    }
    put(world, what->kind, 1.0, &s, at, what->lies ? lying : NULL);
}

TEST(whatever_rests_on_a_plane_keeps_its_keys)
{
    for (size_t k = 0; k < sizeof on_floor / sizeof *on_floor; k++) {
        perp_world *world = test_world(3, 9.81);

        run_ground(world);
        lay(world, &on_floor[k], 0.0);
        rests(world, on_floor[k].contacts, on_floor[k].kind);
    }
}

TEST(whatever_rests_on_a_box_keeps_its_keys)
{
    for (size_t k = 0; k < sizeof on_floor / sizeof *on_floor; k++) {
        perp_world *world = test_world(3, 9.81);
        perp_shape table = shape_of("box", 2.0, 3.0, 0.5);

        put(world, "table", 0.0, &table, origin, NULL);
        lay(world, &on_floor[k], 0.5);
        rests(world, on_floor[k].contacts, on_floor[k].kind);
    }
}

TEST(a_stack_keeps_the_keys_of_all_its_contacts)
{
    enum { BOXES = 5 };
    const double half[3] = {0.25, 0.3, 0.2};
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    for (int k = 0; k < BOXES; k++) {
        char name[16];

        snprintf(name, sizeof name, "box %d", k);
        /* beside each other by a little, or noise would choose between corners */
        run_box(world, name, 1.0, half, 0.01 * k, -0.015 * k, 0.2 + 0.4 * k);
    }
    rests(world, 4 * BOXES, "stack");
}

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

TEST(boxes_on_each_other_keep_four_points_each)
{
    rests(resting(), 16, "bricks");
}

TEST(a_rectangle_and_a_disc_keep_their_keys)
{
    perp_world *world = test_world(2, 9.81);
    perp_shape floor = shape_of("plane", 0, 0, 0);
    perp_shape box = shape_of("box", 0.5, 0.25, 0);
    perp_shape disc = shape_of("sphere", 0.25, 0, 0);
    const double low[3] = {0, 0.25, 0};
    const double high[3] = {0.1, 0.75, 0};
    const double beside[3] = {2.0, 0.25, 0};

    put(world, "floor", 0.0, &floor, origin, NULL);
    put(world, "low", 1.0, &box, low, NULL);
    put(world, "high", 1.0, &box, high, NULL);
    put(world, "disc", 1.0, &disc, beside, NULL);
    rests(world, 5, "two rectangles and a disc");
}

/* A box without friction glides over the edge of a table: the keys change in one step,
 * when its front corners leave, and two of them stay. */
TEST(keys_of_a_sliding_box_change_with_its_features)
{
    perp_world *world = test_world(3, 9.81);
    perp_shape table = shape_of("box", 1.0, 3.0, 0.5);
    const double half[3] = {0.25, 0.3, 0.2};
    int changes = 0;
    key_set before;
    run r;

    run_material(world, 0.0, 0.0);
    put(world, "table", 0.0, &table, origin, NULL);
    run_box(world, "box", 1.0, half, 0.6, 0.0, 0.7);
    perp_body_velocity(world->start, 1)[0] = 0.5;
    r = begin(world);
    before = keys_of(world, 0, 1);
    CU_ASSERT_EQUAL_FATAL(before.count, 4);
    for (int step = 0; step < 60; step++) { /* 0.3 m: it reaches over by 0.15 of 0.5 m */
        key_set now;
        size_t kept = 0;

        run_steps(&r, 1);
        now = keys_of(world, 0, 1);
        CU_ASSERT_EQUAL(now.count, 4);
        for (size_t k = 0; k < now.count; k++) {
            kept += bsearch(&now.key[k], before.key, before.count, sizeof *before.key,
                            ascending) != NULL;
        }
        CU_ASSERT(kept == 4 || kept == 2);
        if (kept == 2) {
            changes++;
            CU_ASSERT_DOUBLE_EQUAL(world->start->s[7] + half[0], 1.0,
                                   0.006); /* 5 mm a step */
        }
        before = now;
    }
    CU_ASSERT_EQUAL(changes, 1);
}
