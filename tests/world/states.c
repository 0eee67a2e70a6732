/* SPDX-License-Identifier: Apache-2.0
 * tests/world/states.c: several states of one world: in threads, after failures, copied and
 * taken back, and those that are of no use to it; in maximal and in reduced coordinates. */
#include <config.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/gradient.h>
#include <perp/dynamics/reduce.h>

#include "scarce.h"
#include "world_run.h"

enum { ROUNDS = 40 };

/* A post, on which two links hang by a hinge with a spring and a ball joint, and two boxes that
 * fall on the ground and on each other. */
static perp_world *mobile(bool reduced)
{
    const double half[3] = {0.2, 0.15, 0.1}, link[3] = {0.05, 0.05, 0.3};
    perp_world *world = test_world(3, 9.81);
    perp_axis *axis = NULL;

    run_ground(world);
    run_box(world, "upper", 1.0, link, 3.0, 0.0, 1.7);
    run_box(world, "lower", 0.7, link, 3.0, 0.0, 1.1);
    run_box(world, "box", 1.0, half, 0.0, 0.0, 0.15);
    run_box(world, "top", 0.5, half, 0.05, 0.02, 0.45);
    axis = run_joint(world, "revolute", 0, 1, (const double[3]){3, 0, 2},
                     (const double[3]){0, 1, 0})
               ->axes;
    axis->stiffness = 2.0;
    axis->rest = 1.0;
    run_joint(world, "spherical", 1, 2, (const double[3]){3, 0, 1.4}, NULL);
    world->start->u[6 * 4 + 3] = 1.5;
    world->start->load[6 * 3] = 0.3;
    perp_world_refresh(world, world->start);
    if (reduced) {
        OK(perp_world_reduce(world, NULL, NULL));
    }
    return world;
}

static perp_state *state_of(const perp_world *world)
{
    perp_state *state = NULL;

    OK(perp_state_new(&state, world, NULL));
    return state;
}

static perp_stepper *stepper_of(const perp_world *world, perp_state *state)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_options opt;
    const perp_solver_type *type = run_solver("nsgs+newton tolerance=1e-10", &opt);
    perp_stepper *stepper = NULL;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    OK(perp_stepper_new(
        &stepper, world, &scheme,
        &(perp_stepper_options){
            .solver = type, .options = &opt, .state = state, .cold = true},
        NULL));
    return stepper;
}

/* All numbers of a state, on the heap. */
static double *numbers_of(const perp_state *x, size_t *count)
{
    const size_t n = x->body_count, q = x->trees ? x->trees->n : 0;
    const size_t links = x->trees ? x->trees->count : 0;
    const struct part {
        const double *from;
        size_t count;
    } parts[] = {
        {&x->t, 1},
        {x->s, 7 * n},
        {x->u, 6 * n},
        {x->load, 6 * n},
        {x->inverse_inertia, 9 * n},
        {x->axes, PERP_JOINT_AXES * x->joint_count},
        {q ? x->trees->q : NULL, q},
        {q ? x->trees->qd : NULL, q},
        {q ? x->trees->u : NULL, 6 * links},
    };
    double *all = NULL;

    *count = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        *count += parts[k].count;
    }
    all = malloc(*count * sizeof *all);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    *count = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (parts[k].count > 0) {
            memcpy(all + *count, parts[k].from, parts[k].count * sizeof *all);
        }
        *count += parts[k].count;
    }
    return all;
}

static bool same_state(const perp_state *a, const perp_state *b)
{
    size_t n = 0, m = 0;
    double *x = numbers_of(a, &n);
    double *y = numbers_of(b, &m);
    const bool same = n == m && memcmp(x, y, n * sizeof *x) == 0;

    free(x);
    free(y);
    return same;
}

/* -- threads ---------------------------------------------------------------------------- */

typedef struct rollout {
    const perp_world *world;
    perp_state *state;
    perp_stepper *stepper;
    pthread_t thread;
    size_t made;
} rollout;

static rollout rollout_new(const perp_world *world, double speed)
{
    rollout r = {.world = world, .state = state_of(world)};

    perp_body_velocity(r.state, 4)[0] = speed;
    if (r.state->trees) {
        r.state->trees->qd[0] = speed;
        OK(perp_world_forward_kinematics(world, r.state, NULL));
    } else {
        perp_body_velocity(r.state, 1)[4] = speed;
    }
    r.stepper = stepper_of(world, r.state);
    return r;
}

static void *rollout_run(void *context)
{
    rollout *r = context;

    for (int k = 0; k < ROUNDS; k++) {
        perp_report report;

        r->made += perp_stepper_step(r->stepper, &report, NULL) == PERP_OK;
    }
    return NULL;
}

static void step_in_threads(bool reduced)
{
    perp_world *world = mobile(reduced);
    const double speed[2] = {0.5, -0.8};
    perp_state *start = state_of(world);
    rollout alone[2], together[2];

    for (int k = 0; k < 2; k++) {
        alone[k] = rollout_new(world, speed[k]);
        together[k] = rollout_new(world, speed[k]);
        rollout_run(&alone[k]);
    }
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(
            pthread_create(&together[k].thread, NULL, rollout_run, &together[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(together[k].thread, NULL);
        CU_ASSERT_EQUAL(together[k].made, ROUNDS);
        CU_ASSERT_TRUE(same_state(together[k].state, alone[k].state));
    }
    CU_ASSERT_FALSE(same_state(alone[0].state, alone[1].state));
    CU_ASSERT_TRUE(same_state(start, world->start)); /* of which nobody stepped */
}

TEST(two_threads_step_two_states_as_each_alone)
{
    step_in_threads(false);
    step_in_threads(true);
}

/* -- failures --------------------------------------------------------------------------- */

static void fail_everywhere(bool reduced)
{
    perp_world *world = mobile(reduced);
    perp_state *state = state_of(world), *before = NULL;
    perp_stepper *settled = stepper_of(world, state);
    perp_report report = {0};
    bool failed = true;
    long k = 0;

    for (int n = 0; n < 25; n++) { /* until there are contacts */
        OK(perp_stepper_step(settled, &report, NULL));
    }
    CU_ASSERT(report.contacts > 0);
    before = state_of(world);
    OK(perp_state_copy(before, state, NULL));
    for (k = 0; failed && k < 5000; k++) {
        perp_stepper *fresh = stepper_of(world, state);
        perp_error err = {0};
        perp_status status = PERP_OK;

        scarce_begin(k);
        status = perp_stepper_step(fresh, &report, &err);
        failed = scarce_end();
        CU_ASSERT(failed || status == PERP_OK);
        if (status != PERP_OK) {
            CU_ASSERT_EQUAL(status, PERP_ERR_MEMORY);
            CU_ASSERT_TRUE_FATAL(same_state(state, before));
        } else {
            CU_ASSERT_FALSE(same_state(state, before));
            OK(perp_state_copy(state, before, NULL));
        }
    }
    CU_ASSERT(k > 20);
}

TEST(a_step_without_memory_leaves_every_number_of_the_state)
{
    fail_everywhere(false);
    fail_everywhere(true);
}

/* A load that is too large is found out after the motion, in the middle of a step. */
TEST(a_step_that_is_not_finite_leaves_every_number_of_the_state)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        perp_world *world = mobile(reduced == 1);
        perp_state *state = state_of(world), *before = NULL;
        perp_stepper *stepper = stepper_of(world, state);
        perp_report report = {.step = 77};
        perp_error err = {0};

        state->load[6 * 3 + 2] = INFINITY;
        before = state_of(world);
        OK(perp_state_copy(before, state, NULL));
        CU_ASSERT_EQUAL(perp_stepper_step(stepper, &report, &err), PERP_ERR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "body \"box\""));
        CU_ASSERT_TRUE(same_state(state, before));
        CU_ASSERT_EQUAL(report.step, 77);
    }
}

/* -- copies ----------------------------------------------------------------------------- */

static void roll_back(bool reduced)
{
    perp_world *world = mobile(reduced);
    perp_state *state = state_of(world), *saved = state_of(world), *end = state_of(world);
    perp_stepper *stepper = stepper_of(world, state);
    perp_report report;

    for (int n = 0; n < 12; n++) {
        OK(perp_stepper_step(stepper, &report, NULL));
    }
    OK(perp_state_copy(saved, state, NULL));
    CU_ASSERT_TRUE(same_state(saved, state));
    for (int n = 0; n < 12; n++) {
        OK(perp_stepper_step(stepper, &report, NULL));
    }
    OK(perp_state_copy(end, state, NULL));
    CU_ASSERT_FALSE(same_state(end, saved));
    OK(perp_state_copy(state, saved, NULL));
    CU_ASSERT_TRUE(same_state(saved, state));
    for (int n = 0; n < 12; n++) {
        OK(perp_stepper_step(stepper, &report, NULL));
    }
    CU_ASSERT_TRUE(same_state(end, state));
    /* the same by one flat array */
    {
        double *flat = test_alloc(perp_stepper_state_size(stepper), sizeof *flat);
        const size_t size = perp_stepper_state_size(stepper);

        OK(perp_stepper_save(stepper, flat, size, NULL));
        OK(perp_state_copy(state, saved, NULL));
        OK(perp_stepper_load(stepper, flat, size, NULL));
        CU_ASSERT_TRUE(same_state(end, state));
    }
}

TEST(a_copy_saves_a_state_and_takes_it_back)
{
    roll_back(false);
    roll_back(true);
}

/* -- refusals --------------------------------------------------------------------------- */

/* Whatever takes world and state says so, and reads and writes nothing. */
static void expect_refused(const perp_world *world, perp_state *state, const char *text)
{
    perp_scheme scheme = run_scheme(0.01);
    const perp_collide_settings settings = {.margin = 0.01};
    perp_contacts contacts = {0};
    perp_collider *collider = NULL;
    perp_stepper *stepper = stepper_of(world, state);
    perp_step_gradient *gradient = NULL;
    perp_free_motion motion = {0};
    perp_report report;
    perp_error err = {0};
    size_t n = 0, m = 0;
    double *before = numbers_of(state, &n), *after = NULL;
    double *flat = NULL;

    CU_ASSERT_EQUAL(perp_stepper_step(stepper, &report, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, text);
    OK(perp_collider_new(&collider, NULL));
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_collider_run(collider, world, state, &settings, &contacts, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, text);
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_free_motion_run(&motion, world, state, &scheme, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, text);
    if (world->reduced) {
        err = (perp_error){0};
        CU_ASSERT_EQUAL(perp_step_gradient_new(&gradient, world, state, &scheme,
                                               perp_solver_find("lemke"), NULL, NULL,
                                               &err),
                        PERP_ERR_ARGUMENT);
        CU_ASSERT_STRING_EQUAL(err.text, text);
        CU_ASSERT_PTR_NULL(gradient);
    }
    {
        perp_state *own = state_of(world);
        perp_stepper *other = stepper_of(world, own);
        const size_t size = perp_stepper_state_size(other);

        flat = test_alloc(size, sizeof *flat);
        OK(perp_stepper_save(other, flat, size, NULL));
        flat[0] = 42.0;
        err = (perp_error){0};
        CU_ASSERT_EQUAL(perp_stepper_save(stepper, flat, size, &err), PERP_ERR_ARGUMENT);
        CU_ASSERT_STRING_EQUAL(err.text, text);
        CU_ASSERT_EQUAL(flat[0], 42.0);
        err = (perp_error){0};
        CU_ASSERT_EQUAL(perp_stepper_load(stepper, flat, size, &err), PERP_ERR_ARGUMENT);
        CU_ASSERT_STRING_EQUAL(err.text, text);
    }
    after = numbers_of(state, &m);
    CU_ASSERT(n == m && memcmp(before, after, n * sizeof *before) == 0);
    free(before);
    free(after);
    perp_free_motion_clear(&motion);
    perp_contacts_clear(&contacts);
}

TEST(a_state_of_other_bodies_or_joints_is_refused)
{
    perp_world *world = mobile(false);
    perp_state *state = state_of(world);

    run_joint(world, "spherical", 3, 4, (const double[3]){0, 0, 0.3}, NULL);
    expect_refused(world, state,
                   "state: 5 bodies and 2 joints, expected 5 and 3 as in the world");
    test_ball(world, "late", 1.0, 0.1, 9.0, 0.0, 1.0);
    expect_refused(world, state,
                   "state: 5 bodies and 2 joints, expected 6 and 3 as in the world");
    state = state_of(world);
    {
        perp_stepper *stepper = stepper_of(world, state);
        perp_report report;

        OK(perp_stepper_step(stepper, &report, NULL));
    }
}

TEST(a_state_of_another_reduction_is_refused)
{
    const perp_reduction free_bodies = {.free_bodies = true};
    perp_world *world = mobile(false);
    perp_state *free_one = state_of(world), *trees = NULL;

    OK(perp_world_reduce(world, NULL, NULL));
    expect_refused(
        world, free_one,
        "state: in maximal coordinates, expected reduced coordinates as in the world");
    trees = state_of(world);
    perp_world_unreduce(world);
    expect_refused(
        world, trees,
        "state: in reduced coordinates, expected maximal coordinates as in the world");
    OK(perp_world_reduce(world, NULL, NULL));
    expect_refused(world, trees,
                   "state: made for another reduction of the world, expected a state "
                   "made after the last reduction");
    perp_world_unreduce(world);
    OK(perp_world_reduce(world, &free_bodies, NULL));
    expect_refused(world, trees,
                   "state: made for another reduction of the world, expected a state "
                   "made after the last reduction");
}
