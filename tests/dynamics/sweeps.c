/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/sweeps.c: steps of a given number of sweeps: stacks that stand, impulses found
 * again where the features of a contact change, contacts that cannot close. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "vec3.h"

static const double half[3] = {0.5, 0.5, 0.5};

static perp_world *stack_of(int boxes)
{
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    for (int k = 0; k < boxes; k++) {
        char name[24];

        snprintf(name, sizeof name, "box %d", k);
        run_box(world, name, 1.0, half, 0.0, 0.0, 0.5 + k);
    }
    return world;
}

/* The furthest that a box is from where it was put. */
static double moved(const perp_world *world)
{
    double most = 0.0;

    for (size_t k = 1; k < world->body_count; k++) {
        const double at[3] = {0.0, 0.0, (double)k - 0.5};
        double way[3];

        vec3_subtract(perp_body_pose(world, k), at, way);
        most = fmax(most, vec3_length(way));
    }
    return most;
}

/* The answer is known: nothing moves. With ten sweeps a step a stack of twenty gives way by less
 * than a tenth of a box and stands for ten seconds; solved contact by contact and started from all
 * impulses of the last step it falls within four. */
static void stacks_stand_on_ten_sweeps(void)
{
    const struct {
        const char *solver;
        int boxes;
        double most;
    } runs[] = {
        {"nsgs max-iterations=10", 6, 0.01},  {"nsgs max-iterations=10", 10, 0.02},
        {"nsgs max-iterations=10", 20, 0.10}, {"nncg max-iterations=10", 20, 0.05},
        {"nncg max-iterations=10", 30, 0.10}, {"anderson max-iterations=10", 30, 0.02}};

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        perp_scheme scheme;
        perp_world *world = stack_of(runs[k].boxes);
        run r;

        perp_scheme_default(&scheme);
        r = run_begin(world, &scheme, runs[k].solver, true);
        for (int second = 2; second <= 10; second += 2) {
            run_steps(&r, 120);
            test_note("%s: %d boxes, %d s: %.3f m", runs[k].solver, runs[k].boxes, second,
                      moved(world));
            CU_ASSERT(moved(world) < runs[k].most);
        }
        run_end(&r);
    }
}

/* Faces of one size: which body's corner a contact is changes with the last bit of a pose. Each
 * contact has a neighbour in the last step, at the same place. */
static void contacts_of_aligned_faces_keep_their_impulses(void)
{
    perp_scheme scheme;
    run r;

    perp_scheme_default(&scheme);
    r = run_begin(stack_of(10), &scheme, "nsgs max-iterations=10", true);
    run_steps(&r, 1);
    for (int k = 0; k < 4; k++) {
        size_t before = r.report.contacts;

        run_steps(&r, 1);
        CU_ASSERT(r.report.warm >=
                  (before < r.report.contacts ? before : r.report.contacts));
    }
    run_end(&r);
}

/* Two boxes side by side, `gap` apart, of which one approaches at v. */
static size_t contacts_beside(double gap, double v)
{
    perp_world *world = test_world(3, 9.81);
    perp_scheme scheme;
    size_t count = 0;
    run r;

    run_box(world, "wall", 0.0, half, 0.0, 0.0, 0.0);
    run_box(world, "box", 1.0, half, 1.0 + gap, 0.0, 0.0);
    perp_body_velocity(world, 1)[0] = -v;
    perp_scheme_default(&scheme);
    r = run_begin(world, &scheme, "nsgs", true);
    run_steps(&r, 1);
    count = r.report.contacts;
    run_end(&r);
    return count;
}

/* The same above each other: gravity closes (9.81 m/s^2) dt^2 = 2.7 mm in a step. */
static size_t contacts_above(double gap)
{
    perp_world *world = test_world(3, 9.81);
    perp_scheme scheme;
    size_t count = 0;
    run r;

    run_ground(world);
    run_box(world, "box", 1.0, half, 0.0, 0.0, 0.5 + gap);
    perp_scheme_default(&scheme);
    r = run_begin(world, &scheme, "nsgs", true);
    run_steps(&r, 1);
    count = r.report.contacts;
    run_end(&r);
    return count;
}

/* With a margin of 1 cm and dt 1/60. */
static void contacts_that_cannot_close_are_not_made(void)
{
    CU_ASSERT_EQUAL(contacts_beside(0.0005, 0.0), 4); /* within a tenth of the margin */
    CU_ASSERT_EQUAL(contacts_beside(0.005, 0.0), 0);
    CU_ASSERT_EQUAL(contacts_beside(0.005, 0.1), 0); /* closes 1.7 mm */
    CU_ASSERT_EQUAL(contacts_beside(0.005, 0.25),
                    4); /* 4.2 mm and the tenth of the margin */
    CU_ASSERT_EQUAL(contacts_beside(0.02, 5.0), 0); /* beyond the margin, as ever */
    CU_ASSERT_EQUAL(contacts_above(0.0025), 4);
    CU_ASSERT_EQUAL(contacts_above(0.005), 0);
}

/* A search that is not part of a step says nothing of time: all gaps within the margin. */
static void a_search_alone_keeps_all_contacts_within_the_margin(void)
{
    perp_world *world = test_world(3, 9.81);
    perp_contacts contacts = {0};

    run_box(world, "wall", 0.0, half, 0.0, 0.0, 0.0);
    run_box(world, "box", 1.0, half, 1.005, 0.0, 0.0);
    CU_ASSERT_EQUAL_FATAL(perp_collide(world, 0.01, &contacts, NULL), PERP_OK);
    CU_ASSERT_EQUAL(contacts.count, 4);
    perp_contacts_clear(&contacts);
    perp_world_free(world);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(stacks_stand_on_ten_sweeps),
        TEST(contacts_of_aligned_faces_keep_their_impulses),
        TEST(contacts_that_cannot_close_are_not_made),
        TEST(a_search_alone_keeps_all_contacts_within_the_margin),
        TEST_END,
    };

    return test_run(argc, argv, "sweeps", cases);
}
