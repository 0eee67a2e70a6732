/* SPDX-License-Identifier: Apache-2.0
 * tests/step/resume.c: runs that stop and go on have the same bits; warm starts. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

/* Boxes that fall on each other, and a motor with a hinge that turns many times. */
static perp_world *messy(void)
{
    const double half[3] = {0.2, 0.15, 0.1};
    perp_world *world = test_world(3, 9.81);
    perp_axis *axis = NULL;

    run_ground(world);
    for (int k = 0; k < 5; k++) {
        char name[24];

        snprintf(name, sizeof name, "box %d", k);
        run_box(world, name, 1.0, half, 0.03 * k, 0.02 * k, 0.1 + 0.25 * k);
    }
    test_ball(world, "wheel", 1.0, 0.2, 3.0, 0.0, 1.0);
    axis = run_joint(world, "revolute", 0, 6, (const double[3]){3, 0, 1},
                     (const double[3]){0, 1, 0})
               ->axes;
    axis->motor = PERP_MOTOR_SERVO;
    axis->target = 20.0;
    axis->max_force = 5.0;
    return world;
}

static void compare_resumed(perp_stabilize method, perp_restitution law,
                            perp_integrator integrator, perp_model model,
                            const char *solver)
{
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    run a;
    run b;
    double *state = NULL;
    size_t size = 0;
    perp_error err = {0};

    scheme.stabilize = method;
    scheme.restitution = law;
    scheme.integrator = integrator;
    scheme.model = model;
    a = run_begin(messy(), &scheme, solver, true);
    b = run_begin(messy(), &scheme, solver, true);
    run_steps(&a, 40);
    size = perp_stepper_state_size(a.stepper);
    state = test_alloc(size + 1, sizeof *state);
    state[size] = 42.0;
    OK(perp_stepper_save(a.stepper, state, size, NULL));
    CU_ASSERT_EQUAL(state[size], 42.0); /* no more than it said */
    CU_ASSERT_EQUAL(perp_stepper_save(a.stepper, state, size - 1, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "state: room for "));
    perp_error_clear(&err);
    OK(perp_stepper_load(b.stepper, state, size, &err));
    CU_ASSERT(a.report.warm > 0);
    for (int k = 0; k < 30; k++) {
        run_steps(&a, 1);
        run_steps(&b, 1);
        CU_ASSERT_EQUAL(
            memcmp(a.world->start->s, b.world->start->s, 7 * 7 * sizeof(double)), 0);
        CU_ASSERT_EQUAL(
            memcmp(a.world->start->u, b.world->start->u, 6 * 7 * sizeof(double)), 0);
        CU_ASSERT_EQUAL(a.world->start->t, b.world->start->t);
        CU_ASSERT_EQUAL(a.report.step, b.report.step);
        CU_ASSERT_EQUAL(a.report.iterations, b.report.iterations);
        CU_ASSERT_EQUAL(a.report.warm, b.report.warm);
        CU_ASSERT_EQUAL(perp_joint_axes_of(a.world->start, 0)[0],
                        perp_joint_axes_of(b.world->start, 0)[0]);
    }
    CU_ASSERT(fabs(perp_joint_axes_of(a.world->start, 0)[0]) >
              3.2); /* more than half a turn */
}

TEST(a_resumed_run_has_the_same_bits)
{
    compare_resumed(PERP_STABILIZE_BAUMGARTE, PERP_RESTITUTION_NEWTON,
                    PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_MODEL_CONE, "nsgs");
    compare_resumed(PERP_STABILIZE_BAUMGARTE, PERP_RESTITUTION_NEWTON,
                    PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_MODEL_CONE,
                    "nsgs max-iterations=3"); /* starts are damped */
    compare_resumed(PERP_STABILIZE_SPLIT, PERP_RESTITUTION_POISSON, PERP_INTEGRATOR_RK4,
                    PERP_MODEL_CONE, "nsgs+newton");
    compare_resumed(PERP_STABILIZE_PROJECT, PERP_RESTITUTION_MOREAU,
                    PERP_INTEGRATOR_POSITION_VERLET, PERP_MODEL_PYRAMID, "lemke");
    compare_resumed(PERP_STABILIZE_NONE, PERP_RESTITUTION_NEWTON,
                    PERP_INTEGRATOR_IMPLICIT, PERP_MODEL_BOX, NULL);
}

/* Raises the flag after so many judgements, which may be those of the second half of Poisson's law
 * or of a correction of positions. */
typedef struct switch_off {
    volatile int stop;
    int left;
} switch_off;

static bool count_down(void *context, size_t iteration, double residual, double seconds)
{
    switch_off *s = context;

    (void)iteration;
    (void)residual;
    (void)seconds;
    s->stop = --s->left <= 0;
    return true;
}

/* Steps of a run, each interrupted once before it is made, after 1, 2, .. `most` judgements. */
static void compare_interrupted(perp_stabilize method, perp_restitution law,
                                const char *solver, int most)
{
    switch_off off = {0, 0};
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    perp_options opt;
    const perp_solver_type *type = run_solver(solver, &opt);
    size_t interrupted = 0;
    perp_error err = {0};
    run a;
    run b;

    scheme.stabilize = method;
    scheme.restitution = law;
    a = run_begin(messy(), &scheme, solver, true);
    b = run_begin(messy(), &scheme, solver, true);
    opt.interrupt = &off.stop;
    opt.progress = count_down;
    opt.progress_context = &off;
    OK(perp_stepper_new(
        &b.stepper, b.world, &scheme,
        &(perp_stepper_options){.solver = type, .options = &opt, .state = b.world->start},
        &err));
    for (int k = 0; k < 40; k++) {
        perp_report report = {.step = 12345};
        perp_status status = PERP_OK;

        off = (switch_off){0, 1 + k % most};
        status = perp_stepper_step(b.stepper, &report, &err);
        if (status == PERP_ERR_NOT_SOLVED) {
            interrupted++;
            CU_ASSERT_EQUAL(report.step, 12345);
            CU_ASSERT_EQUAL(
                memcmp(a.world->start->s, b.world->start->s, 7 * 7 * sizeof(double)), 0);
            CU_ASSERT_EQUAL(
                memcmp(a.world->start->u, b.world->start->u, 6 * 7 * sizeof(double)), 0);
            CU_ASSERT_EQUAL(a.world->start->t, b.world->start->t);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "interrupted"));
            off = (switch_off){0, 1 << 30};
            status = perp_stepper_step(b.stepper, &report, &err);
        }
        OK(status);
        run_steps(&a, 1);
        CU_ASSERT_EQUAL(
            memcmp(a.world->start->s, b.world->start->s, 7 * 7 * sizeof(double)), 0);
        CU_ASSERT_EQUAL(
            memcmp(a.world->start->u, b.world->start->u, 6 * 7 * sizeof(double)), 0);
        CU_ASSERT_EQUAL(report.step, a.report.step);
    }
    test_note("%s: %zu of 40 steps interrupted", solver, interrupted);
    CU_ASSERT(interrupted >= 20);
}

TEST(an_interrupted_step_is_not_made_and_can_be_made_again)
{
    compare_interrupted(PERP_STABILIZE_BAUMGARTE, PERP_RESTITUTION_NEWTON, "nsgs", 3);
    compare_interrupted(PERP_STABILIZE_BAUMGARTE, PERP_RESTITUTION_NEWTON,
                        "nsgs max-iterations=5 check-every=1", 3);
    compare_interrupted(PERP_STABILIZE_SPLIT, PERP_RESTITUTION_POISSON, "nsgs", 30);
    compare_interrupted(PERP_STABILIZE_PROJECT, PERP_RESTITUTION_NEWTON, "nsgs", 30);
    compare_interrupted(PERP_STABILIZE_BAUMGARTE, PERP_RESTITUTION_NEWTON, "auto", 2);
}

static void refuse(run *r, const double *state, size_t size, const char *message)
{
    perp_error err = {0};
    double before = r->world->start->s[7];

    CU_ASSERT_EQUAL(perp_stepper_load(r->stepper, state, size, &err), PERP_ERR_DATA);
    if (strcmp(err.text, message) != 0) {
        test_note("found: %s", err.text);
    }
    CU_ASSERT_STRING_EQUAL(err.text, message);
    CU_ASSERT_EQUAL(r->world->start->s[7], before);
}

/* Of 7 bodies and a joint; `start` is where points and impulses begin. */
static void refuse_numbers(run *r, double *state, size_t size, size_t start)
{
    const struct {
        size_t at;
        const char *what;
        double x;
    } cases[] = {
        {6, "time", INFINITY},      {7, "a pose", NAN},
        {55, "a pose", NAN},        {56, "a velocity", INFINITY},
        {98, "a load", NAN},        {140, "an axis", NAN},
        {start, "an impulse", NAN}, {size - 1, "an impulse", -INFINITY},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double kept = state[cases[k].at];
        char message[128];

        state[cases[k].at] = cases[k].x;
        snprintf(message, sizeof message,
                 "state: number %zu, %s, is %g, expected a finite number", cases[k].at,
                 cases[k].what, cases[k].x);
        refuse(r, state, size, message);
        state[cases[k].at] = kept;
    }
}

TEST(states_of_other_worlds_are_refused)
{
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    run a = run_begin(messy(), &scheme, "nsgs", true);
    run b = run_begin(test_random_world(2, 3), &scheme, "nsgs", true);
    double state[2048];
    char message[128];
    uint64_t head[5];
    uint64_t bits = 1000;
    size_t size = 0;

    run_steps(&a, 5);
    size = perp_stepper_state_size(a.stepper);
    CU_ASSERT_FATAL(size < 2048);
    OK(perp_stepper_save(a.stepper, state, size, NULL));
    memcpy(head, state, sizeof head); /* bodies, joints, coordinates, blocks, rows */
    CU_ASSERT_FATAL(head[0] == 7 && head[1] == 1 && head[2] == 0);
    CU_ASSERT_FATAL(head[3] > 0 && head[4] > 0);
    refuse(&b, state, size, "state: 7 bodies and 1 joint, expected 2 and 0");
    /* 6 of the head, t, 19 a body, 3 a joint */
    refuse(&a, state, 3, "state: 3 numbers, expected at least 143");
    snprintf(message, sizeof message,
             "state: 142 numbers, expected 143 and %u blocks of %u rows",
             (unsigned)head[3], (unsigned)head[4]);
    refuse(&a, state, 142, message);
    refuse_numbers(&a, state, size, 143 + 3 * (size_t)head[3]);
    memcpy(state + 143 + head[3], &bits, sizeof bits);
    snprintf(message, sizeof message, "state: block 0 has 1000 rows, expected 1 .. %u",
             (unsigned)head[4]);
    refuse(&a, state, size, message);
}

TEST(warm_starts_save_iterations)
{
    static const char *const solvers[] = {"nsgs", "ds:mpgp", "admm-ncp"};

    for (size_t k = 0; k < 3; k++) {
        double iterations[2] = {0.0, 0.0};

        for (int warm = 0; warm < 2; warm++) {
            const double half[3] = {0.25, 0.25, 0.25};
            perp_scheme scheme = run_scheme(1.0 / 60.0);
            perp_world *world = test_world(3, 9.81);
            run r;

            run_ground(world);
            for (int b = 0; b < 4; b++) {
                char name[24];

                snprintf(name, sizeof name, "box %d", b);
                run_box(world, name, 1.0, half, 0.02 * b, 0.0, 0.25 + 0.5 * b);
            }
            r = run_begin(world, &scheme, solvers[k], warm != 0);
            run_steps(&r, 20);
            for (int n = 0; n < 20; n++) {
                run_steps(&r, 1);
                iterations[warm] += (double)r.report.iterations;
                CU_ASSERT_EQUAL(r.report.warm, warm ? 16 : 0);
            }
            CU_ASSERT_EQUAL(r.unsolved, 0);
        }
        test_note("%s: %g cold, %g warm", solvers[k], iterations[0], iterations[1]);
        CU_ASSERT(iterations[1] < 0.5 * iterations[0]);
    }
}

/* Keys find their impulses when contacts come, go and change places. */
TEST(impulses_are_matched_by_key_where_contacts_change)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 9.81);
    run r;

    run_ground(world);
    for (int k = 0; k < 4; k++) {
        char name[24];

        snprintf(name, sizeof name, "ball %d", k);
        run_ball(world, name, 1.0, 0.5, 2.0 * k, 0.0, 0.5);
    }
    r = run_begin(world, &scheme, "nsgs", true);
    run_steps(&r, 2);
    CU_ASSERT_EQUAL(r.report.warm, 4);
    world->start->s[7 + 2] = 3.0; /* the first one leaves, the others move up */
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 3);
    CU_ASSERT_EQUAL(r.report.warm, 3);
    CU_ASSERT_EQUAL(r.report.iterations,
                    0);           /* from their impulses nothing is left to do */
    world->start->s[7 + 2] = 0.5; /* and is back, with no impulse to start from */
    world->start->u[6 + 2] = 0.0;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 4);
    CU_ASSERT_EQUAL(r.report.warm, 3);
    CU_ASSERT(r.report.iterations > 0);
}
