/* SPDX-License-Identifier: Apache-2.0
 * tests/step/stepper.c: steps that must fail, memory that runs out, sequential impulses in a
 * solver's place, metrics. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "scarce.h"
#include "world_run.h"

static perp_status failing_step(perp_world *world, const char *solver, perp_error *err)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_options opt;
    perp_report report;
    perp_stepper *stepper = NULL;
    const perp_solver_type *type = run_solver(solver, &opt);
    perp_status status = perp_stepper_new(
        &stepper, world, &scheme,
        &(perp_stepper_options){.solver = type, .options = &opt, .state = world->start},
        err);

    if (status == PERP_OK) {
        status = perp_stepper_step(stepper, &report, err);
    }
    return status;
}

/* What a world is before and after a step that must fail. */
static void expect_refusal(perp_world *world, const char *message)
{
    size_t n = world->body_count;
    double *before = malloc(13 * n * sizeof *before);
    double t = world->start->t;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(before);
    memcpy(before, world->start->s, 7 * n * sizeof *before);
    memcpy(before + 7 * n, world->start->u, 6 * n * sizeof *before);
    CU_ASSERT_EQUAL(failing_step(world, "nsgs", &err), PERP_ERR_DATA);
    if (strcmp(err.text, message) != 0) {
        test_note("found: %s", err.text);
    }
    CU_ASSERT_STRING_EQUAL(err.text, message);
    CU_ASSERT_EQUAL(memcmp(before, world->start->s, 7 * n * sizeof *before), 0);
    CU_ASSERT_EQUAL(memcmp(before + 7 * n, world->start->u, 6 * n * sizeof *before), 0);
    CU_ASSERT_EQUAL(world->start->t, t);
    free(before);
}

static perp_world *two_balls(void)
{
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    run_ball(world, "lower", 1.0, 0.5, 0.0, 0.0, 0.5);
    run_ball(world, "upper", 1.0, 0.5, 0.0, 0.0, 1.5);
    return world;
}

TEST(states_that_are_not_finite_are_refused_by_name)
{
    perp_world *world = two_balls();

    world->start->u[6] = INFINITY;
    world->start->t = 2.5;
    expect_refusal(world, "body \"lower\": velocity is not finite at t = 2.5, step 1");
    world = two_balls();
    world->start->s[14 + 1] = NAN;
    expect_refusal(world, "body \"upper\": position is not finite at t = 0, step 1");
    world = two_balls();
    world->start->s[7 + 5] = NAN;
    expect_refusal(world, "body \"lower\": orientation is not finite at t = 0, step 1");
    world = two_balls();
    world->start->load[12 + 3] = INFINITY;
    expect_refusal(world,
                   "body \"upper\": angular velocity is not finite at t = 0.01, step 1");
    world = test_world(3, 9.81);
    test_ball(world, "fast", 1.0, 0.5, 1e308, 0.0, 0.0);
    world->start->u[0] = 1.5e308;
    world->start->s[0] = 1.79e308;
    expect_refusal(world, "body \"fast\": position is not finite at t = 0.01, step 1");
}

/* From a copy of world->start, which stays; twice with the same bits. */
TEST(a_stepper_owns_its_state_and_starts_again)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = two_balls();
    perp_stepper *stepper = NULL;
    perp_report report[2][5];
    double poses[21];

    OK(perp_stepper_new(&stepper, world, &scheme, NULL, NULL));
    for (int r = 0; r < 2; r++) {
        for (int k = 0; k < 5; k++) {
            report[r][k] = (perp_report){0};
            OK(perp_stepper_step(stepper, &report[r][k], NULL));
        }
        if (r == 0) {
            memcpy(poses, perp_stepper_state(stepper)->s, sizeof poses);
            CU_ASSERT_EQUAL(world->start->t, 0.0);
            OK(perp_stepper_reset(stepper, NULL));
            CU_ASSERT_EQUAL(perp_stepper_state(stepper)->t, 0.0);
        }
    }
    CU_ASSERT_EQUAL(memcmp(poses, perp_stepper_state(stepper)->s, sizeof poses), 0);
    for (int k = 0; k < 5; k++) {
        CU_ASSERT_EQUAL(report[0][k].iterations, report[1][k].iterations);
        CU_ASSERT_EQUAL(report[1][k].step, (size_t)k + 1);
    }
    OK(perp_stepper_new(&stepper, world, &scheme,
                        &(perp_stepper_options){.state = world->start}, NULL));
    CU_ASSERT_EQUAL(perp_stepper_reset(stepper, NULL), PERP_ERR_ARGUMENT);
}

/* Symplectic Euler beyond its stability, h omega = 10: the amplitude grows a hundredfold
 * a step until doubles end. The run stops there with the last finite state. */
TEST(a_run_that_grows_to_infinity_stops_with_the_name_of_the_body)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);
    perp_force spring = {.type = perp_force_type_find("spring"), .name = "s", .j = 1};
    const perp_solver_type *solver = perp_solver_find("nsgs");
    perp_stepper *stepper = NULL;
    perp_report report = {0};
    perp_error err = {0};
    perp_status status = PERP_OK;
    size_t steps = 0;

    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "mass", 1.0, 0.1, 1.1, 0.0, 0.0);
    spring.value[0] = 1e6;
    OK(perp_world_add_force(world, &spring, NULL));
    OK(perp_stepper_new(&stepper, world, &scheme,
                        &(perp_stepper_options){.solver = solver, .state = world->start},
                        NULL));
    while (status == PERP_OK && steps < 1000) {
        status = perp_stepper_step(stepper, &report, &err);
        steps += status == PERP_OK;
    }
    CU_ASSERT_EQUAL(status, PERP_ERR_DATA);
    CU_ASSERT(steps > 50);
    CU_ASSERT_EQUAL(report.step, steps); /* of the last step that worked */
    CU_ASSERT_PTR_EQUAL(strstr(err.text, "body \"mass\": "), err.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, " makes the energy infinite at t = "));
    CU_ASSERT_EQUAL(test_nonfinite_body(world, world->start), -1);
    CU_ASSERT_DOUBLE_EQUAL(world->start->t, 0.01 * (double)steps, 1e-9);
    test_note("%s", err.text);
}

/* A box slides to the right; then one thing of the world changes, for one step. */
static double speed_after(void (*change)(perp_world *world))
{
    const double half[3] = {0.2, 0.2, 0.2};
    perp_world *world = test_world(3, 9.81);
    perp_scheme scheme = run_scheme(0.01);
    double speed = 0.0;
    run r;

    run_ground(world);
    run_material(world, 0.0, 0.0);
    run_box(world, "box", 1.0, half, 0.0, 0.0, 0.2);
    world->start->u[6] = 1.0;
    r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-12", true);
    run_steps(&r, 3);
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[6], 1.0, 1e-12);
    change(world);
    run_steps(&r, 1);
    speed = world->start->u[6];
    return speed;
}

static void rougher(perp_world *world)
{
    world->materials[0].mu = 0.5;
}

static void lifted(perp_world *world)
{
    world->materials[0].mu = 0.5;
    world->shapes[0].at[2] = -1.0; /* the ground under it */
}

static void ignored(perp_world *world)
{
    world->materials[0].mu = 0.5;
    world->shapes[1].group = 2;
    world->shapes[1].mask = 2;
}

/* mu m g dt less of the speed, or nothing where there is nothing to touch. */
TEST(a_change_between_steps_acts_at_once)
{
    CU_ASSERT_DOUBLE_EQUAL(speed_after(rougher), 1.0 - 0.5 * 9.81 * 0.01, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(speed_after(lifted), 1.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(speed_after(ignored), 1.0, 1e-12);
}

TEST(bad_schemes_are_refused)
{
    perp_world *world = two_balls();
    perp_scheme scheme = run_scheme(0.0);
    perp_stepper *stepper = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_stepper_new(&stepper, world, &scheme,
                                     &(perp_stepper_options){.state = world->start},
                                     &err),
                    PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text, "scheme: dt is 0, expected a positive number [s]");
    CU_ASSERT_PTR_NULL(stepper);
    scheme = run_scheme(0.01);
    scheme.model = PERP_MODEL_PYRAMID;
    scheme.eta = 5;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(
        perp_stepper_new(&stepper, world, &scheme,
                         &(perp_stepper_options){.solver = perp_solver_find("lemke"),
                                                 .state = world->start},
                         &err),
        PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text, "scheme: pyramid of 5 directions, expected an even "
                                     "number from 4 to 64");
    CU_ASSERT_PTR_NULL(stepper);
    perp_stepper_free(NULL);
}

static perp_status scarce_work(void *context, perp_error *err)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = context;
    perp_options opt;
    perp_report report;
    perp_stepper *stepper = NULL;
    const perp_solver_type *type = NULL;
    perp_status status = perp_solver_parse("nsgs", &type, &opt, err);

    scheme.stabilize = PERP_STABILIZE_PROJECT;
    scheme.restitution = PERP_RESTITUTION_POISSON;
    world->start->u[6 + 2] = -1.0;
    world->start->s[7 + 2] = 0.499;
    if (status == PERP_OK) {
        status =
            perp_stepper_new(&stepper, world, &scheme,
                             &(perp_stepper_options){
                                 .solver = type, .options = &opt, .state = world->start},
                             err);
    }
    for (int k = 0; k < 2 && status == PERP_OK; k++) {
        status = perp_stepper_step(stepper, &report, err);
    }
    return status;
}

TEST(memory_that_runs_out_is_survived)
{
    perp_world *world = two_balls();

    run_material(world, 0.5, 0.5);
    run_joint(world, "spherical", 1, 2, (const double[3]){0.0, 0.0, 1.0}, NULL);
    scarce_everywhere(scarce_work, world, "step");
}

/* The same as auto by name, with the model as it is: a cone. */
TEST(no_solver_means_auto_on_the_model_as_given)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *worlds[2] = {two_balls(), two_balls()};
    perp_stepper *stepper = NULL;
    perp_report report;
    run named;

    for (int k = 0; k < 2; k++) {
        worlds[k]->start->u[6] = 0.4;
        worlds[k]->start->u[7] = 0.3;
        worlds[k]->start->u[10] = -3.0;
    }
    named = run_begin(worlds[0], &scheme, "auto", true);
    OK(perp_stepper_new(&stepper, worlds[1], &scheme,
                        &(perp_stepper_options){.state = worlds[1]->start}, NULL));
    run_steps(&named, 10);
    for (int k = 0; k < 10; k++) {
        OK(perp_stepper_step(stepper, &report, NULL));
        CU_ASSERT_EQUAL(report.outcome, PERP_SOLVED);
    }
    CU_ASSERT(report.rows > 0);
    CU_ASSERT_EQUAL(perp_stepper_system(stepper)->problem.set->blocks[0].kind,
                    PERP_SET_CONE);
    CU_ASSERT_EQUAL(memcmp(worlds[0]->start->s, worlds[1]->start->s, 21 * sizeof(double)),
                    0);
}

TEST(sequential_impulses_do_not_make_a_cone_a_box)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = two_balls();
    perp_stepper *stepper = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_stepper_new(&stepper, world, &scheme,
                                     &(perp_stepper_options){
                                         .solver = &perp_sequential_impulses_solver,
                                         .state = world->start},
                                     &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text, "step: sequential impulses do not support friction "
                                     "coulomb, expected box or none");
    CU_ASSERT_PTR_NULL(stepper);
    scheme.model = PERP_MODEL_FRICTIONLESS;
    OK(perp_stepper_new(
        &stepper, world, &scheme,
        &(perp_stepper_options){.solver = &perp_sequential_impulses_solver,
                                .state = world->start},
        NULL));
}

/* Sequential impulses are projected Gauss-Seidel on the box model: the same runs. */
TEST(sequential_impulses_are_gauss_seidel)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *worlds[2] = {two_balls(), two_balls()};
    run swept;
    run solved;

    for (int k = 0; k < 2; k++) {
        worlds[k]->start->u[6] = 0.4;
        worlds[k]->start->u[10] = -3.0;
    }
    scheme.model = PERP_MODEL_BOX;
    swept = run_begin(worlds[0], &scheme, NULL, true);
    solved = run_begin(worlds[1], &scheme,
                       "pgs tolerance=0 max-iterations=50 order=natural", true);
    run_steps(&swept, 20);
    run_steps(&solved, 20);
    CU_ASSERT_EQUAL(swept.report.iterations, 50);
    /* 50 sweeps of the same sums in another order, 20 steps */
    test_agree("u", worlds[0]->start->u, worlds[1]->start->u, 18, 1e-12);
    test_agree("s", worlds[0]->start->s, worlds[1]->start->s, 21, 1e-12);
}

TEST(metrics_are_found_by_name_and_read_the_report)
{
    perp_report report = {.kinetic = 1.0, .potential = 2.0, .stored = 4.0};
    size_t count = 0;
    const perp_metric *const *all = perp_metrics(&count);

    CU_ASSERT_FATAL(count > 30);
    for (size_t k = 0; k < count; k++) {
        CU_ASSERT_PTR_EQUAL(perp_metric_find(all[k]->name), all[k]);
        CU_ASSERT(all[k]->summary[0] != '\0' && all[k]->unit != NULL);
        CU_ASSERT(isfinite(all[k]->value(&report)));
    }
    CU_ASSERT_PTR_NULL(all[count]);
    CU_ASSERT_PTR_NULL(perp_metric_find("nothing"));
    CU_ASSERT_EQUAL(perp_metric_find("energy")->value(&report), 7.0);
    for (int k = 0; k < PERP_LEDGER_PARTS; k++) {
        char name[64];

        snprintf(name, sizeof name, "ledger-%s", perp_ledger_names[k]);
        report.ledger[k] = k + 0.5;
        CU_ASSERT_PTR_NOT_NULL_FATAL(perp_metric_find(name));
        CU_ASSERT_EQUAL(perp_metric_find(name)->value(&report), k + 0.5);
    }
}
