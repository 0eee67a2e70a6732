/* SPDX-License-Identifier: Apache-2.0
 * tests/step/ledger.c: the books of energy, part by part, against worlds whose parts
 * are known. That they sum to the change is asserted in every step of every run
 * (run.c). */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

/* A box of m = 2 slides at 3 m/s, mu = 0.3, g = 10, dt = 0.01: c+ = c - mu g dt, so
 * friction takes -mu m g dt (c_free + c+)/2 with c_free = c. The normal takes what the
 * free fall gained, m (g dt)^2/2, and the integrator gives it. */
TEST(sliding_loses_to_friction_alone)
{
    const double half[3] = {0.2, 0.2, 0.1};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 10.0);
    double *ledger = NULL;
    run r;

    run_ground(world);
    run_box(world, "box", 2.0, half, 0.0, 0.0, 0.1);
    run_material(world, 0.3, 0.0);
    world->start->u[6] = 3.0;
    r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-12", true);
    run_steps(&r, 1);
    ledger = r.report.ledger;
    /* 1e-12 of impulses of 0.2 N s */
    CU_ASSERT_DOUBLE_EQUAL(ledger[PERP_LEDGER_FRICTION], -0.06 * (3.0 + 2.97) / 2, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(ledger[PERP_LEDGER_NORMAL], -0.01, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(ledger[PERP_LEDGER_INTEGRATOR], 0.01, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(ledger[PERP_LEDGER_RESIDUAL], 0.0, 1e-10);
    CU_ASSERT_EQUAL(ledger[PERP_LEDGER_JOINTS], 0.0);
    CU_ASSERT_EQUAL(ledger[PERP_LEDGER_FORCES], 0.0);
    run_steps(&r, 150); /* and to a standstill after a second */
    CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(ledger[PERP_LEDGER_FRICTION], 0.0, 1e-10);
}

/* Under the associated law a sliding contact lifts: z_N w_N + z_T w_T = 0,
 * both friction. */
TEST(lift_of_the_associated_law_is_no_residual)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 10.0);
    double friction = 0.0;
    run r;

    scheme.model = PERP_MODEL_ASSOCIATED;
    run_ground(world);
    run_ball(world, "ball", 2.0, 0.2, 0.0, 0.0, 0.2);
    world->start->u[6] = 3.0;
    r = run_begin(world, &scheme, "nsgs tolerance=1e-12", true);
    for (int k = 0; k < 3; k++) { /* the lift opens the gap; it touches again later */
        run_steps(&r, 1);
        friction += r.report.ledger[PERP_LEDGER_FRICTION];
        CU_ASSERT_EQUAL(r.report.ledger[PERP_LEDGER_RESIDUAL], 0.0);
    }
    CU_ASSERT(friction < -1e-3);
    CU_ASSERT_EQUAL(r.unsolved, 0);
}

/* A ball of 1 kg at -2 m/s without gravity, e = 1/2: compression takes m c^2/2 = 2 J of
 * the normal's share, -z (W z)/2 = -(3)^2/2, restitution gives z e c = 3 . 1. */
TEST(restitution_gives_what_its_bias_says)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);
    run r;

    run_ground(world);
    run_ball(world, "ball", 1.0, 0.5, 0.0, 0.0, 0.5);
    run_material(world, 0.0, 0.5);
    world->start->u[8] = -2.0;
    r = run_begin(world, &scheme, "nsgs tolerance=1e-14", true);
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[8], 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_NORMAL], -4.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_RESTITUTION], 3.0, 1e-12);
}

/* A load of 4 N along 2 m, a drag, a spring with a damper: each in its place. */
TEST(loads_and_dampers_are_forces_and_springs_are_not)
{
    perp_scheme scheme = run_scheme(0.001);
    perp_world *world = test_world(3, 0.0);
    perp_force spring = {.type = perp_force_type_find("spring"), .name = "spring"};
    double forces = 0.0;
    double start = 0.0;
    run r;

    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "mass", 1.0, 0.1, 1.5, 0.0, 0.0);
    spring.j = 1;
    spring.value[0] = 100.0;
    spring.value[1] = 0.5;
    spring.value[2] = 1.0;
    OK(perp_world_add_force(world, &spring, NULL));
    start = perp_world_stored(world, world->start);
    CU_ASSERT_DOUBLE_EQUAL(start, 12.5, 1e-12);
    r = run_begin(world, &scheme, "nsgs", true);
    for (int k = 0; k < 1000; k++) {
        run_steps(&r, 1);
        forces += r.report.ledger[PERP_LEDGER_FORCES];
    }
    /* energy decays as exp(-c t/m) with a ripple of c/(2 m omega) = 1/40 of what is
     * left */
    CU_ASSERT_DOUBLE_EQUAL(forces, 12.5 * (exp(-0.5) - 1.0), 7.6 / 40.0);
    CU_ASSERT_DOUBLE_EQUAL(r.energy - start, forces, 0.1);
    world->start->load[6] = 4.0;
    run_steps(&r, 1);
    CU_ASSERT(fabs(r.report.ledger[PERP_LEDGER_FORCES]) > 0.0);
}

/* A load that pushes a body at rest against the ground does no work. */
TEST(a_load_that_moves_nothing_does_no_work)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);
    run r;

    run_ground(world);
    run_ball(world, "ball", 1.0, 0.5, 0.0, 0.0, 0.5);
    world->start->load[8] = -50.0;
    r = run_begin(world, &scheme, "nsgs tolerance=1e-14", true);
    run_steps(&r, 5);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_FORCES], 0.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_INTEGRATOR], 0.125, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_NORMAL], -0.125, 1e-12);
}

/* A motor of 4 N m turns a wheel of 0.1 kg m^2 without load:
 * its work is the kinetic energy. */
TEST(work_of_a_motor_is_the_energy_of_its_wheel)
{
    const double at[3] = {0.0, 0.0, 0.0};
    const double axis[3] = {0.0, 0.0, 1.0};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);
    perp_joint *joint = NULL;
    double work = 0.0;
    run r;

    test_ball(world, "frame", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "wheel", 1.0, 0.5, 0.0, 0.0, 0.0);
    joint = run_joint(world, "revolute", 0, 1, at, axis);
    joint->axes[0].motor = PERP_MOTOR_VELOCITY;
    joint->axes[0].target = 10.0;
    joint->axes[0].max_force = 4.0;
    r = run_begin(world, &scheme, "dantzig tolerance=1e-12", true);
    for (int k = 0; k < 50; k++) {
        run_steps(&r, 1);
        work += r.report.ledger[PERP_LEDGER_JOINTS];
    }
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[11], 10.0, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(work, r.report.kinetic, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_RESIDUAL], 0.0, 1e-10);
}

/* A chain that falls into a heap: correction off, no restitution. Symplectic Euler may
 * give by the integrator; all else must take. */
TEST(nothing_but_the_integrator_gives_energy_without_corrections)
{
    const double half[3] = {0.2, 0.05, 0.05};
    perp_scheme scheme = run_scheme(1.0 / 120.0);
    perp_world *world = test_world(3, 9.81);
    double dissipated = 0.0;
    run r;

    run_ground(world);
    run_material(world, 0.6, 0.0);
    for (int k = 0; k < 6; k++) {
        char name[24];

        snprintf(name, sizeof name, "link %d", k);
        run_box(world, name, 1.0, half, 0.4 * k, 0.0, 0.5);
        if (k > 0) {
            run_joint(world, "spherical", k, k + 1,
                      (const double[3]){0.4 * k - 0.2, 0, 0.5}, NULL);
        }
    }
    world->start->u[6 + 4] = 2.0;
    scheme.margin = 0.0;
    r = run_begin(world, &scheme, "auto tolerance=1e-10", true);
    for (int k = 0; k < 120; k++) {
        const double *l = r.report.ledger;
        double rest = 0.0;

        run_steps(&r, 1);
        rest = l[PERP_LEDGER_JOINTS] + l[PERP_LEDGER_NORMAL] + l[PERP_LEDGER_FRICTION];
        dissipated += rest;
        CU_ASSERT(rest <= 1e-12 * r.report.kinetic);
        CU_ASSERT_EQUAL(l[PERP_LEDGER_RESTITUTION], 0.0);
        CU_ASSERT_EQUAL(l[PERP_LEDGER_STABILIZATION], 0.0);
        /* 1e-10 of impulses of some N s */
        CU_ASSERT_DOUBLE_EQUAL(l[PERP_LEDGER_RESIDUAL], 0.0, 1e-8);
    }
    CU_ASSERT(dissipated < -1.0);
    CU_ASSERT_EQUAL(r.unsolved, 0);
}

/* Inelastic contacts and friction without gravity and without biases: mechanical energy
 * never grows, by any model of friction. */
TEST(mechanical_energy_never_grows_in_inelastic_collisions)
{
    static const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_ASSOCIATED,
                                        PERP_MODEL_PYRAMID, PERP_MODEL_BOX,
                                        PERP_MODEL_FRICTIONLESS};

    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = test_world(3, 0.0);
        double before = INFINITY;
        double first = 0.0;
        run r;

        scheme.model = models[m];
        scheme.margin = 0.0;
        for (int k = 0; k < 12; k++) {
            char name[24];
            int32_t b = 0;

            snprintf(name, sizeof name, "%d", k);
            b = run_ball(world, name, 1.0 + 0.1 * k, 0.5, 1.2 * (k % 3),
                         1.1 * (k / 3 % 2), 1.3 * (k / 6));
            for (int c = 0; c < 3; c++) { /* all to the middle */
                perp_body_velocity(world->start, (size_t)b)[c] =
                    0.6 - world->start->s[7 * (size_t)b + (size_t)c];
            }
        }
        r = run_begin(world, &scheme,
                      models[m] == PERP_MODEL_PYRAMID ? "lemke" : "nsgs tolerance=1e-10",
                      true);
        first = r.energy;
        for (int k = 0; k < 150; k++) {
            run_steps(&r, 1);
            CU_ASSERT(r.energy <= before + 1e-9); /* the solver's tolerance */
            before = r.energy;
        }
        CU_ASSERT(r.energy < 0.9 * first);
    }
}

/* A soft joint: its springs store, its dampers take; the rest of the books is empty. */
TEST(soft_joints_keep_their_energy_among_joints)
{
    const double at[3] = {0.0, 0.0, 0.0};
    perp_scheme scheme = run_scheme(0.001);
    perp_world *world = test_world(3, 0.0);
    double joints = 0.0;
    double start = 0.0;
    run r;

    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "mass", 1.0, 0.1, 0.0, 0.0, 0.0);
    run_joint(world, "spherical", 0, 1, at, NULL)->stiffness = 100.0;
    world->joints[0].damping = 0.2;
    world->start->s[7] = 0.3;
    r = run_begin(world, &scheme, "dantzig tolerance=1e-12", true);
    start = r.energy;
    CU_ASSERT_DOUBLE_EQUAL(start, 4.5, 1e-12);
    for (int k = 0; k < 1000; k++) {
        run_steps(&r, 1);
        joints += r.report.ledger[PERP_LEDGER_JOINTS];
        CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_STABILIZATION], 0.0, 0.0);
    }
    CU_ASSERT(r.energy < start);
    /* all that is lost is lost there; the free motion of no force gives nothing */
    CU_ASSERT_DOUBLE_EQUAL(r.energy - start, joints, 1e-9);
}
