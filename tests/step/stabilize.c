/* SPDX-License-Identifier: Apache-2.0
 * tests/step/stabilize.c: how position errors shrink,
 * and what that does to energy. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

/* A pendulum at rest below its anchor, pulled `off` metres away from it,
 * without gravity. */
static run pulled(perp_stabilize method, double erp, double off)
{
    const double at[3] = {0.0, 0.0, 0.0};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);

    scheme.stabilize = method;
    scheme.erp = erp;
    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "bob", 2.0, 0.1, 0.0, 0.0, -1.0);
    run_joint(world, "spherical", 0, 1, at, NULL);
    world->start->s[9] -= off;
    return run_begin(world, &scheme, "dantzig tolerance=1e-13", true);
}

/* One dimension: J u+ = -erp phi/dt, phi+ = (1 - erp) phi,
 * and the bob keeps that speed. */
TEST(baumgarte_shrinks_an_error_by_its_share_and_adds_energy)
{
    run r = pulled(PERP_STABILIZE_BAUMGARTE, 0.2, 0.01);
    double phi = 0.01;

    for (int k = 0; k < 20; k++) {
        double speed = 0.2 * phi / 0.01;

        run_steps(&r, 1);
        phi *= 0.8;
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, phi, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[8], speed, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, speed * speed, 1e-12); /* m = 2 */
        /* from the second step on the bob is braked: J u_free > J u+ */
        if (k == 0) { /* all of it comes from the bias: z bias less z (W z)/2 */
            CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_STABILIZATION],
                                   2.0 * speed * speed, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_JOINTS], -speed * speed,
                                   1e-12);
        }
    }
    CU_ASSERT_EQUAL(r.unsolved, 0);
    r = pulled(PERP_STABILIZE_BAUMGARTE, 1.0, 0.01); /* all at once */
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, 0.0, 1e-15);
}

TEST(split_impulses_shrink_an_error_and_leave_the_velocity_alone)
{
    run r = pulled(PERP_STABILIZE_SPLIT, 0.2, 0.01);
    double phi = 0.01;

    for (int k = 0; k < 20; k++) {
        run_steps(&r, 1);
        phi *= 0.8;
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, phi, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-30);
        CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_STABILIZATION], 0.0, 1e-30);
        CU_ASSERT(r.report.iterations > 0); /* the second problem counts */
    }
    CU_ASSERT_EQUAL(r.unsolved, 0);
}

TEST(projection_removes_an_error_within_the_step)
{
    run r = pulled(PERP_STABILIZE_PROJECT, 0.2, 0.01);

    run_steps(&r, 1);
    CU_ASSERT(r.report.drift_length <= 1e-12); /* where rounds end */
    CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-30);
    CU_ASSERT_EQUAL(r.unsolved, 0);
}

/* Two joints that want two angles of one body, 1 rad apart, which nothing settles, and far away a
 * pendulum pulled from its anchor and turned, of which a round of Newton leaves phi^2/L. */
TEST(an_angle_that_stays_hides_no_length_that_shrinks)
{
    const double z[3] = {0.0, 0.0, 1.0};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);
    double length = 0.0, angle = 0.0;
    run r;

    scheme.stabilize = PERP_STABILIZE_PROJECT;
    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "bob", 2.0, 0.1, 0.0, 0.0, -1.0);
    test_ball(world, "torn", 2.0, 0.1, 5.0, 0.0, 0.0);
    run_joint(world, "spherical", 0, 1, (const double[3]){0, 0, 0}, NULL);
    run_joint(world, "angle", 0, 2, NULL, z)->theta = -0.5;
    {
        perp_joint other = {.type = perp_joint_type_find("angle"),
                            .name = "other",
                            .i = 0,
                            .j = 2,
                            .theta = 0.5};

        OK(perp_joint_attach(&other, world, world->start, NULL, z, NULL, NULL));
        OK(perp_world_add_joint(world, &other, NULL, NULL));
    }
    world->start->s[7] += 0.2; /* across: the pendulum turns as it is put back */
    r = run_begin(world, &scheme, "nsgs max-iterations=200", false);
    run_steps(&r, 1);
    CU_ASSERT(r.report.drift_angle > 0.4);
    perp_joint_drift(&world->joints[0], world, world->start, &length, &angle);
    CU_ASSERT(length < 1e-11);
    if (length >= 1e-11) {
        test_note("the pendulum is %g m off", length);
    }
}

TEST(none_leaves_an_error_as_it_is)
{
    run r = pulled(PERP_STABILIZE_NONE, 0.2, 0.01);

    run_steps(&r, 50);
    CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, 0.01, 1e-15);
}

/* A ball h deep in the ground, no gravity. */
static run sunk(perp_stabilize method, double depth)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);

    scheme.stabilize = method;
    scheme.erp = 0.25;
    run_ground(world);
    run_ball(world, "ball", 2.0, 0.5, 0.0, 0.0, 0.5 - depth);
    return run_begin(world, &scheme, "nsgs tolerance=1e-13", true);
}

TEST(penetrations_shrink_as_each_method_says)
{
    run r = sunk(PERP_STABILIZE_BAUMGARTE, 0.01);

    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.0075, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[8], 0.25, 1e-12);
    run_steps(&r, 3); /* a contact only pushes: the ball flies on */
    CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[8], 0.25, 1e-12);

    r = sunk(PERP_STABILIZE_SPLIT, 0.01);
    for (int k = 1; k <= 10; k++) {
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.01 * pow(0.75, k), 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-30);
    }
    /* what separates by itself is not pushed: 0.5 m/s is twice what is asked for */
    r.world->start->u[8] = 0.5;
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.world->start->s[9], 0.5 - 0.01 * pow(0.75, 10) + 0.005,
                           1e-14);

    r = sunk(PERP_STABILIZE_PROJECT, 0.01);
    run_steps(&r, 1);
    CU_ASSERT(r.report.penetration <= 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-30);

    r = sunk(PERP_STABILIZE_NONE, 0.01);
    run_steps(&r, 10);
    CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.01, 1e-15);
}

/* The ball on materials of erp 0.8 and 0.5: the pair has their product, 0.4; with one that
 * leaves it to the scheme, 0.25; with one that corrects nothing, none. */
TEST(penetrations_shrink_by_the_product_of_the_shares_of_two_materials)
{
    const double share[] = {0.8, 0.0, PERP_ERP_NONE}, left[] = {0.6, 0.75, 1.0};

    for (size_t k = 0; k < 3; k++) {
        const perp_material on = {.name = "on", .mu = 0.5, .erp = share[k]};
        run r = sunk(PERP_STABILIZE_BAUMGARTE, 0.01);

        OK(perp_world_add_material(r.world, &on, NULL, NULL));
        r.world->materials[0].erp = 0.5;
        r.world->shapes[0].material = 1;
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.01 * left[k], 1e-15);
    }
}

TEST(slop_and_the_fastest_correction_are_kept)
{
    run r = sunk(PERP_STABILIZE_BAUMGARTE, 0.01);
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = r.world;
    perp_stepper_free(r.stepper);

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.erp = 0.5;
    scheme.slop = 0.004;
    r = run_begin(world, &scheme, "nsgs tolerance=1e-13", true);
    run_steps(&r, 1); /* half of the 6 mm beyond the slop */
    CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.007, 1e-15);
    perp_stepper_free(r.stepper);
    world->start->u[8] = 0.0;
    scheme.max_correction = 0.1;
    r = run_begin(world, &scheme, "nsgs tolerance=1e-13", true);
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[8], 0.1, 1e-12);
}

/* A double pendulum that swings for 2 s: with each method how far the joints drift.
 * Projected positions hold to rounding; without correction the error grows. */
TEST(a_swinging_chain_keeps_its_joints)
{
    static const perp_stabilize methods[] = {PERP_STABILIZE_BAUMGARTE,
                                             PERP_STABILIZE_SPLIT, PERP_STABILIZE_PROJECT,
                                             PERP_STABILIZE_NONE};
    double worst[4] = {0.0, 0.0, 0.0, 0.0};

    for (size_t m = 0; m < 4; m++) {
        perp_scheme scheme = run_scheme(0.005);
        perp_world *world = test_world(3, 9.81);
        run r;

        scheme.stabilize = methods[m];
        test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
        test_ball(world, "upper", 1.0, 0.2, 1.0, 0.0, 0.0);
        test_ball(world, "lower", 1.0, 0.2, 2.0, 0.0, 0.0);
        run_joint(world, "revolute", 0, 1, (const double[3]){0, 0, 0},
                  (const double[3]){0, 1, 0});
        run_joint(world, "revolute", 1, 2, (const double[3]){1.5, 0, 0},
                  (const double[3]){0, 1, 0});
        r = run_begin(world, &scheme, "dantzig tolerance=1e-12", true);
        for (int k = 0; k < 400; k++) {
            run_steps(&r, 1);
            worst[m] = fmax(worst[m], r.report.drift_length);
        }
        CU_ASSERT_EQUAL(r.unsolved, 0);
    }
    test_note("drift: %g %g %g %g", worst[0], worst[1], worst[2], worst[3]);
    CU_ASSERT(worst[2] <= 1e-12); /* where the rounds end */
    CU_ASSERT(worst[0] < 0.2 * worst[3]);
    CU_ASSERT(worst[1] < 0.2 * worst[3]);
}

/* A box dropped crooked on the ground and left there: at the end no method leaves more
 * depth than it promises, and split and projection give no energy by correcting. */
TEST(a_fallen_box_comes_to_rest_on_the_ground)
{
    static const perp_stabilize methods[] = {
        PERP_STABILIZE_BAUMGARTE, PERP_STABILIZE_SPLIT, PERP_STABILIZE_PROJECT};

    for (size_t m = 0; m < 3; m++) {
        const double half[3] = {0.2, 0.15, 0.1};
        perp_scheme scheme = run_scheme(0.005);
        perp_world *world = test_world(3, 9.81);
        double given = 0.0;
        run r;

        scheme.stabilize = methods[m];
        run_ground(world);
        run_box(world, "box", 2.0, half, 0.0, 0.0, 0.5);
        world->start->s[10] = 0.9;
        world->start->s[11] = 0.3;
        world->start->s[12] = -0.2;
        world->start->s[13] = 0.1;
        perp_quat_normalize(world->start->s + 10);
        r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-10", true);
        for (int k = 0; k < 600; k++) {
            run_steps(&r, 1);
            /* corrections lift: what they may give is potential, m g depth */
            given = fmax(given, r.report.ledger[PERP_LEDGER_STABILIZATION]);
            if (methods[m] == PERP_STABILIZE_PROJECT) {
                CU_ASSERT(r.report.penetration <= 1e-12);
            }
        }
        if (methods[m] == PERP_STABILIZE_BAUMGARTE) {
            CU_ASSERT(given > 0.1); /* a speed of 0.3 m/s that only corrects */
        } else { /* m g times the arc of a corner in a step, w^2 r dt^2/2 < 1 mm */
            CU_ASSERT(given < 2.0 * 9.81 * 1e-3);
        }
        CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-10);
        CU_ASSERT(r.report.penetration < 1e-9);
        CU_ASSERT_EQUAL(r.unsolved, 0);
    }
}

/* A motor and a spring are no errors of position: corrections do not touch them. */
TEST(corrections_leave_motors_and_springs_alone)
{
    static const perp_stabilize methods[] = {PERP_STABILIZE_BAUMGARTE,
                                             PERP_STABILIZE_SPLIT, PERP_STABILIZE_PROJECT,
                                             PERP_STABILIZE_NONE};
    double angle[4];

    for (size_t m = 0; m < 4; m++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = test_world(3, 0.0);
        perp_axis *axis = NULL;
        run r;

        scheme.stabilize = methods[m];
        test_ball(world, "frame", 0.0, 0.1, 0.0, 0.0, 0.0);
        test_ball(world, "wheel", 1.0, 0.5, 0.0, 0.0, 0.0);
        axis = run_joint(world, "revolute", 0, 1, (const double[3]){0, 0, 0},
                         (const double[3]){0, 0, 1})
                   ->axes;
        axis->motor = PERP_MOTOR_VELOCITY;
        axis->target = 3.0;
        axis->max_force = 0.5;
        axis->stiffness = 2.0;
        r = run_begin(world, &scheme, "dantzig tolerance=1e-13", true);
        run_steps(&r, 100);
        angle[m] = perp_joint_axes_of(world->start, 0)[0];
    }
    CU_ASSERT(angle[0] > 0.1);
    for (size_t m = 1; m < 4; m++) {
        CU_ASSERT_DOUBLE_EQUAL(angle[m], angle[0], 1e-12);
    }
}
