/* SPDX-License-Identifier: Apache-2.0
 * tests/step/sweeps.c: steps of a given number of sweeps: stacks that stand, impulses found
 * again where the features of a contact change, contacts that cannot close. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

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

        vec3_subtract(perp_body_pose(world->start, k), at, way);
        most = fmax(most, vec3_length(way));
    }
    return most;
}

/* Unit boxes on a floor, each on two of the row below. */
static perp_world *pyramid_of(int levels)
{
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    for (int row = 0; row < levels; row++) {
        for (int k = 0; k + row < levels; k++) {
            char name[40];

            snprintf(name, sizeof name, "box %d in %d", k, row);
            run_box(world, name, 1.0, half, 1.125 * k + 0.5625 * row, 0.0, 0.5 + row);
        }
    }
    return world;
}

/* The furthest that a box of a pyramid is from where it was put. */
static double crept(const perp_world *world, int levels)
{
    double most = 0.0;
    size_t body = 1;

    for (int row = 0; row < levels; row++) {
        for (int k = 0; k + row < levels; k++, body++) {
            const double at[3] = {1.125 * k + 0.5625 * row, 0.0, 0.5 + row};
            double way[3];

            vec3_subtract(perp_body_pose(world->start, body), at, way);
            most = fmax(most, vec3_length(way));
        }
    }
    return most;
}

/* The answer is known: nothing moves. While the impulses of the first steps build up, a pyramid
 * gives way; then it rests. Damped towards zero instead of towards their mean (step/damp.c) the
 * impulses of 36 boxes let them creep by 12 mm in each second, those of 105 by 6 cm. */
TEST(pyramids_do_not_creep_on_ten_sweeps)
{
    const struct {
        int levels;
        double most, later; /* within 2 s, and in the next 2 s [m] */
    } runs[] = {{8, 0.010, 0.004}, {14, 0.030, 0.020}};

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        perp_scheme scheme;
        double most = 0.0, end = 0.0;
        run r;

        perp_scheme_default(&scheme);
        r = run_begin(pyramid_of(runs[k].levels), &scheme, "nsgs max-iterations=10",
                      true);
        for (int step = 0; step < 120; step++) {
            run_steps(&r, 1);
            most = fmax(most, crept(r.world, runs[k].levels));
        }
        run_steps(&r, 120);
        end = crept(r.world, runs[k].levels);
        test_note("%d levels: %.4f m in 2 s, then %.4f m", runs[k].levels, most, end);
        CU_ASSERT(most < runs[k].most);
        CU_ASSERT(end < most + runs[k].later);
    }
}

/* The answer is known: nothing moves. A stack gives way while the impulses of the first steps
 * build up, and rises again; started from all impulses of the last step and corrected by the
 * whole erp, oscillations grow until one of twenty boxes falls within four seconds. */
TEST(stacks_stand_on_ten_sweeps)
{
    const struct {
        const char *solver;
        int boxes;
        double most;
    } runs[] = {
        {"nsgs max-iterations=10", 6, 0.01},  {"nsgs max-iterations=10", 10, 0.02},
        {"nsgs max-iterations=10", 20, 0.05}, {"nncg max-iterations=10", 20, 0.02},
        {"nncg max-iterations=10", 30, 0.05}, {"anderson max-iterations=10", 30, 0.02},
        {"nsgs max-iterations=5", 15, 0.07}};

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
        CU_ASSERT(moved(world) < 0.001);
    }
}

/* Where positions are corrected apart from velocities no start is damped: with damped ones this
 * stack leans by more than 0.2 m within 10 s. */
TEST(corrections_apart_need_no_damping)
{
    const perp_stabilize methods[] = {PERP_STABILIZE_SPLIT, PERP_STABILIZE_PROJECT};

    for (size_t k = 0; k < 2; k++) {
        perp_scheme scheme;
        perp_world *world = stack_of(10);
        run r;

        perp_scheme_default(&scheme);
        scheme.stabilize = methods[k];
        r = run_begin(world, &scheme, "nsgs max-iterations=10", true);
        run_steps(&r, 600);
        test_note("%s: %.3f m", perp_stabilize_names[methods[k]], moved(world));
        CU_ASSERT(moved(world) < 0.1);
    }
}

/* A box 0.1 m within the lowest one of a pile that ten sweeps do not solve: ten times the margin,
 * of which 0.2 less a tenth of 0.85 times that is removed in a step. */
TEST(impacts_on_a_pile_are_corrected_as_fast_as_ever)
{
    perp_scheme scheme;
    run r;
    double before = 0.0;

    perp_scheme_default(&scheme);
    r = run_begin(stack_of(10), &scheme, "nsgs max-iterations=10", true);
    run_steps(&r, 20);
    CU_ASSERT_NOT_EQUAL(r.report.outcome, PERP_SOLVED);
    CU_ASSERT(r.report.penetration < scheme.margin);
    perp_body_pose(r.world->start, 1)[2] -= 0.1;
    run_steps(&r, 1);
    before = r.report.penetration;
    run_steps(&r, 5);
    test_note("%.4f m, five steps later %.4f m", before, r.report.penetration);
    CU_ASSERT(before < 0.1);
    CU_ASSERT(r.report.penetration < 0.5 * before);
}

/* Faces of one size: which body's corner a contact is changes with the last bit of a pose. Each
 * contact has a neighbour in the last step, at the same place. */
TEST(contacts_of_aligned_faces_keep_their_impulses)
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
    perp_body_velocity(world->start, 1)[0] = -v;
    perp_scheme_default(&scheme);
    r = run_begin(world, &scheme, "nsgs", true);
    run_steps(&r, 1);
    count = r.report.contacts;
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
    return count;
}

/* With a margin of 1 cm and dt 1/60. */
TEST(contacts_that_cannot_close_are_not_made)
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
TEST(a_search_alone_keeps_all_contacts_within_the_margin)
{
    perp_world *world = test_world(3, 9.81);
    perp_contacts contacts = {0};

    run_box(world, "wall", 0.0, half, 0.0, 0.0, 0.0);
    run_box(world, "box", 1.0, half, 1.005, 0.0, 0.0);
    OK(perp_collide(world, world->start, 0.01, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 4);
    perp_contacts_clear(&contacts);
}
