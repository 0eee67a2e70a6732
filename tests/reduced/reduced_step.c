/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_step.c: steps of worlds in reduced coordinates: what they keep,
 * put back and save, their books, corrections and restitution. run_steps checks the sum
 * of the ledger to 1e-12 in every step of every run here. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "math/vec3.h"
#include "scarce.h"
#include "world_run.h"

static void reduce(perp_world *world)
{
    perp_error err = {0};

    if (perp_world_reduce(world, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("reduce");
    }
}

/* A trunk with two legs of hinges that falls on the ground, an arm on a body that moves
 * by itself, with a rotor, a motor and a spring, a chain that is closed by a ball joint,
 * and a ball beside them. Body 1 is what moves. */
static perp_world *machine(void)
{
    const double trunk[3] = {0.2, 0.15, 0.1};
    const double leg[3] = {0.05, 0.05, 0.2};
    const double along[3] = {0.0, 1.0, 0.0};
    perp_body cart = {.name = "cart",
                      .motion = PERP_MOTION_KINEMATIC,
                      .r = {3.0, 0.0, 2.0},
                      .v = {0.3, 0.1, -0.2},
                      .w = {0.1, 0.4, 0.2}};
    perp_world *world = test_world(3, 9.81);
    perp_axis *axis = NULL;

    run_ground(world);
    OK(perp_world_add_body(world, &cart, NULL, NULL));
    run_box(world, "trunk", 3.0, trunk, 0.0, 0.0, 0.75);
    run_box(world, "leg l", 1.0, leg, 0.0, 0.3, 0.45);
    run_box(world, "leg r", 1.0, leg, 0.1, -0.3, 0.42);
    run_joint(world, "revolute", 2, 3, (const double[3]){0.0, 0.2, 0.68}, along);
    axis = run_joint(world, "revolute", 2, 4, (const double[3]){0.1, -0.2, 0.65}, along)
               ->axes;
    axis->has_lower = true;
    axis->lower = -0.1;
    axis->restitution = 0.5;
    test_ball(world, "upper", 1.0, 0.1, 3.0, 0.0, 1.6);
    test_ball(world, "lower", 0.5, 0.1, 3.0, 0.0, 1.2);
    axis = run_joint(world, "revolute", 1, 5, (const double[3]){3, 0, 1.9}, along)->axes;
    axis->motor = PERP_MOTOR_VELOCITY;
    axis->target = 15.0;
    axis->max_force = 20.0;
    axis->armature = 0.05;
    axis = run_joint(world, "revolute", 5, 6, (const double[3]){3, 0, 1.4}, along)->axes;
    axis->stiffness = 3.0;
    axis->damping = 0.1;
    test_ball(world, "loop a", 1.0, 0.1, -3.0, 0.3, 1.0);
    test_ball(world, "loop b", 1.0, 0.1, -3.0, -0.3, 1.2);
    run_joint(world, "revolute", 0, 7, (const double[3]){-3, 0.5, 1}, along);
    run_joint(world, "spherical", 7, 8, (const double[3]){-3, 0, 1.1}, NULL);
    run_joint(world, "spherical", 8, 0, (const double[3]){-3, -0.6, 1.2}, NULL);
    run_ball(world, "ball", 0.7, 0.1, 0.3, 0.0, 1.2);
    run_material(world, 0.5, 0.4);
    return world;
}

static perp_world *reduced_machine(void)
{
    perp_world *world = machine();

    reduce(world);
    CU_ASSERT_EQUAL(world->start->trees->n, 6 + 2 + 2 + 4);
    return world;
}

static bool same_state(const perp_world *a, const perp_world *b)
{
    const size_t n = a->start->trees->n * sizeof(double);

    return memcmp(a->start->s, b->start->s, 7 * a->body_count * sizeof *a->start->s) ==
               0 &&
           memcmp(a->start->u, b->start->u, 6 * a->body_count * sizeof *a->start->u) ==
               0 &&
           memcmp(a->start->trees->q, b->start->trees->q, n) == 0 &&
           memcmp(a->start->trees->qd, b->start->trees->qd, n) == 0;
}

static perp_scheme scheme_of(perp_stabilize method, perp_restitution law,
                             perp_integrator integrator, perp_model model)
{
    perp_scheme scheme = run_scheme(0.01);

    scheme.stabilize = method;
    scheme.restitution = law;
    scheme.integrator = integrator;
    scheme.model = model;
    return scheme;
}

static void compare_resumed(perp_stabilize method, perp_restitution law,
                            perp_integrator integrator, perp_model model,
                            const char *solver)
{
    perp_scheme scheme = scheme_of(method, law, integrator, model);
    run a = run_begin(reduced_machine(), &scheme, solver, true);
    run b = run_begin(reduced_machine(), &scheme, solver, true);
    double *state = NULL;
    size_t size = 0;
    bool touched = false;
    perp_error err = {0};

    for (int k = 0; k < 60; k++) {
        run_steps(&a, 1);
        touched = touched || a.report.contacts > 0;
    }
    CU_ASSERT(touched);
    CU_ASSERT(a.report.warm > 0);
    size = perp_stepper_state_size(a.stepper);
    state = test_alloc(size + 1, sizeof *state);
    state[size] = 42.0;
    OK(perp_stepper_save(a.stepper, state, size, NULL));
    CU_ASSERT_EQUAL(state[size], 42.0);
    OK(perp_stepper_load(b.stepper, state, size, &err));
    CU_ASSERT(same_state(a.world, b.world));
    for (int k = 0; k < 20; k++) {
        run_steps(&a, 1);
        run_steps(&b, 1);
        CU_ASSERT(same_state(a.world, b.world));
        CU_ASSERT_EQUAL(a.report.iterations, b.report.iterations);
        CU_ASSERT_EQUAL(a.report.warm, b.report.warm);
        CU_ASSERT_EQUAL(perp_joint_axes_of(a.world->start, 2)[0],
                        perp_joint_axes_of(b.world->start, 2)[0]);
    }
    CU_ASSERT(fabs(perp_joint_axes_of(a.world->start, 2)[0]) >
              6.3); /* more than a turn */
    /* of joints that q moves: rounding of poses of some metres; the closed one apart */
    CU_ASSERT(a.report.drift_angle < 1e-13);
}

TEST(a_resumed_run_has_the_same_bits_and_its_books_close)
{
    compare_resumed(PERP_STABILIZE_BAUMGARTE, PERP_RESTITUTION_NEWTON,
                    PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_MODEL_CONE,
                    "nsgs max-iterations=200");
    compare_resumed(PERP_STABILIZE_SPLIT, PERP_RESTITUTION_POISSON, PERP_INTEGRATOR_RK4,
                    PERP_MODEL_CONE, "nsgs max-iterations=200");
    compare_resumed(PERP_STABILIZE_PROJECT, PERP_RESTITUTION_MOREAU,
                    PERP_INTEGRATOR_EXPLICIT, PERP_MODEL_ASSOCIATED,
                    "nsgs max-iterations=200");
    compare_resumed(PERP_STABILIZE_NONE, PERP_RESTITUTION_POISSON,
                    PERP_INTEGRATOR_VELOCITY_VERLET, PERP_MODEL_BOX,
                    "pgs max-iterations=200");
    compare_resumed(PERP_STABILIZE_SPLIT, PERP_RESTITUTION_NEWTON,
                    PERP_INTEGRATOR_IMPLICIT, PERP_MODEL_FRICTIONLESS,
                    "pgs max-iterations=200");
}

TEST(states_of_other_coordinates_are_refused)
{
    perp_scheme scheme = run_scheme(0.01);
    run a = run_begin(reduced_machine(), &scheme, "nsgs", true);
    run b = run_begin(machine(), &scheme, "nsgs", true);
    double state[4096];
    size_t size = perp_stepper_state_size(a.stepper);
    perp_error err = {0};

    CU_ASSERT_FATAL(size < 4096);
    OK(perp_stepper_save(a.stepper, state, size, NULL));
    CU_ASSERT_EQUAL(perp_stepper_load(b.stepper, state, size, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "state: 14 reduced coordinates, expected 0");
    b.world->joints[2].axes[0].armature = 0.0;
}

/* What is not finite in the middle of a step, and memory that ends anywhere in it. */
static perp_status step_once(void *context, perp_error *err)
{
    run *r = context;
    perp_report report;

    return perp_stepper_step(r->stepper, &report, err);
}

TEST(a_step_that_fails_leaves_everything_as_it_was)
{
    perp_scheme scheme = scheme_of(PERP_STABILIZE_SPLIT, PERP_RESTITUTION_POISSON,
                                   PERP_INTEGRATOR_RK4, PERP_MODEL_CONE);
    run a = run_begin(reduced_machine(), &scheme, "nsgs", true);
    run b = run_begin(reduced_machine(), &scheme, "nsgs", true);
    perp_error err = {0};
    perp_report report;

    run_steps(&a, 58);
    run_steps(&b, 58);
    a.world->start->load[6 * 3 + 1] = NAN;
    CU_ASSERT_EQUAL(perp_stepper_step(a.stepper, &report, &err), PERP_ERR_DATA);
    CU_ASSERT(same_state(a.world, b.world));
    CU_ASSERT_EQUAL(perp_joint_axes_of(a.world->start, 2)[0],
                    perp_joint_axes_of(b.world->start, 2)[0]);
    a.world->start->load[6 * 3 + 1] = 0.0;
    for (long k = 0;; k++) {
        perp_status status = PERP_OK;

        scarce_begin(k);
        status = step_once(&a, &err);
        if (!scarce_end() || status == PERP_OK) {
            break;
        }
        CU_ASSERT_EQUAL_FATAL(status, PERP_ERR_MEMORY);
        CU_ASSERT(same_state(a.world, b.world));
    }
    OK(step_once(&b, &err));
    CU_ASSERT(same_state(a.world, b.world)); /* as if nothing had been */
}

TEST(sequential_impulses_are_refused)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = reduced_machine();
    perp_stepper *stepper = NULL;
    perp_error err = {0};
    perp_report report;

    scheme.model = PERP_MODEL_BOX;
    CU_ASSERT_EQUAL(perp_stepper_new(&stepper, world, &scheme,
                                     &(perp_stepper_options){
                                         .solver = &perp_sequential_impulses_solver,
                                         .state = world->start},
                                     &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NULL(stepper);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "sequential impulses"));
    perp_world_unreduce(world);
    OK(perp_stepper_new(
        &stepper, world, &scheme,
        &(perp_stepper_options){.solver = &perp_sequential_impulses_solver,
                                .state = world->start},
        NULL));
    reduce(world);
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_stepper_step(stepper, &report, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "reduced coordinates"));
}

/* Two links on the ground, the tip of the second on it, moving. */
static perp_world *leaning_arm(bool reduced)
{
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    test_ball(world, "upper", 1.0, 0.1, 0.2, 0.1, 0.8);
    run_ball(world, "tip", 1.0, 0.1, 0.5, 0.0, 0.1);
    run_joint(world, "spherical", 0, 1, (const double[3]){0.0, 0.0, 1.0}, NULL);
    run_joint(world, "revolute", 1, 2, (const double[3]){0.4, 0.1, 0.6},
              (const double[3]){0.0, 0.6, 0.8});
    run_material(world, 0.3, 0.0);
    perp_body_velocity(world->start, 2)[1] = 0.4;
    perp_body_velocity(world->start, 1)[3] = 0.5;
    reduce(world);
    if (!reduced) {
        perp_world_unreduce(world);
    }
    return world;
}

/* The impulses of the contact in the third step: in the first one maximal coordinates
 * start from velocities without the turning of joints. */
static void contact_impulse(bool reduced, double dt, double z[3])
{
    perp_scheme scheme = run_scheme(dt);
    run r = run_begin(leaning_arm(reduced), &scheme, "nsgs tolerance=1e-14", false);
    const perp_system *system = NULL;

    run_steps(&r, 3);
    system = perp_stepper_system(r.stepper);
    CU_ASSERT_EQUAL_FATAL(system->rows.contact_blocks, 1);
    memcpy(z, perp_stepper_result(r.stepper)->z + system->rows.count - 3, 3 * sizeof *z);
}

/* The forces of a step agree up to its length: joints are met at its end in the one, at
 * its beginning in the other. */
TEST(contact_forces_meet_those_of_maximal_coordinates)
{
    double apart[2];

    for (int k = 0; k < 2; k++) {
        const double dt = k == 0 ? 2e-4 : 1e-4;
        double z[2][3];
        double way[3];

        contact_impulse(false, dt, z[0]);
        contact_impulse(true, dt, z[1]);
        CU_ASSERT(z[1][0] > 0.0);
        vec3_subtract(z[1], z[0], way);
        apart[k] = vec3_length(way) / dt;
    }
    CU_ASSERT(apart[0] < 0.05); /* [N], of some ten */
    CU_ASSERT_DOUBLE_EQUAL(apart[0] / apart[1], 2.0, 0.2);
}

/* A bar of two balls with a weight in its middle: it lies on one end, of rubber, and
 * falls on the other. */
static perp_world *bar(bool reduced)
{
    perp_world *world = test_world(3, 0.0);
    const perp_material rubber = {.name = "rubber", .restitution = 0.9};
    const double middle[3] = {0.0, 0.0, 0.1};
    int32_t material = 0;

    run_ground(world);
    run_ball(world, "end a", 1.0, 0.1, -0.5, 0.0, 0.1);
    run_ball(world, "end b", 1.0, 0.1, 0.5, 0.0, 0.1);
    test_ball(world, "weight", 3.0, 0.05, 0.0, 0.0, 0.1);
    run_joint(world, "fixed", 1, 2, middle, NULL);
    run_joint(world, "fixed", 2, 3, middle, NULL);
    run_material(world, 0.0, 0.0);
    OK(perp_world_add_material(world, &rubber, &material, NULL));
    world->shapes[1].material = material;
    world->combine_restitution = PERP_COMBINE_MAX;
    perp_body_velocity(world->start, 1)[4] = 1.0; /* turns about end a */
    perp_body_velocity(world->start, 2)[4] = 1.0;
    perp_body_velocity(world->start, 2)[2] = -1.0;
    perp_body_velocity(world->start, 3)[4] = 1.0;
    perp_body_velocity(world->start, 3)[2] = -0.5;
    if (reduced) {
        reduce(world);
    }
    return world;
}

/* What an impact does is the same in all coordinates: under Poisson's law the end at rest
 * gives back, too, since it is of the same tree, and jumps. */
TEST(impacts_are_the_same_in_all_coordinates)
{
    const perp_restitution laws[] = {PERP_RESTITUTION_NEWTON, PERP_RESTITUTION_MOREAU,
                                     PERP_RESTITUTION_POISSON};

    for (int k = 0; k < 3; k++) {
        double u[2][6 * 4];

        for (int reduced = 0; reduced < 2; reduced++) {
            perp_scheme scheme =
                scheme_of(PERP_STABILIZE_NONE, laws[k], PERP_INTEGRATOR_SEMI_IMPLICIT,
                          PERP_MODEL_CONE);
            run r;

            scheme.dt = 1e-6; /* the free motion before the impact turns by that */
            r = run_begin(bar(reduced), &scheme, "nsgs tolerance=1e-14", false);
            run_steps(&r, 1);
            CU_ASSERT_EQUAL(r.report.contacts, 2);
            memcpy(u[reduced], r.world->start->u, sizeof u[reduced]);
        }
        test_agree("u+", u[1], u[0], 24, 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(u[1][6 * 2 + 2], 0.0, 1e-5); /* end b does not rebound */
        CU_ASSERT((u[1][6 + 2] > 0.01) == (laws[k] == PERP_RESTITUTION_POISSON));
    }
}

/* A foot deep in the ground. */
TEST(corrections_lift_trees_without_energy)
{
    const perp_stabilize methods[] = {PERP_STABILIZE_SPLIT, PERP_STABILIZE_PROJECT};

    for (int k = 0; k < 2; k++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = test_world(3, 0.0);
        run r;

        run_ground(world);
        run_ball(world, "hip", 2.0, 0.1, 0.0, 0.0, 0.6);
        run_ball(world, "foot", 1.0, 0.1, 0.1, 0.0, 0.05);
        run_joint(world, "revolute", 1, 2, (const double[3]){0, 0, 0.4},
                  (const double[3]){0, 1, 0});
        reduce(world);
        scheme.stabilize = methods[k];
        r = run_begin(world, &scheme, "nsgs tolerance=1e-12", true);
        run_steps(&r, 1);
        CU_ASSERT_EQUAL(r.report.kinetic, 0.0);
        if (methods[k] == PERP_STABILIZE_PROJECT) {
            CU_ASSERT(r.report.penetration < 1e-12);
        } else {
            /* a hinge turns, which at a hundredth of its leg is off by as much again */
            CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.05 * (1.0 - scheme.erp), 1e-3);
        }
        CU_ASSERT(r.report.drift_length < 1e-14);
    }
}

TEST(trees_do_not_drift)
{
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    perp_world *world = leaning_arm(true);
    run r = run_begin(world, &scheme, "nsgs", true);

    scheme.stabilize = PERP_STABILIZE_NONE;
    for (int k = 0; k < 300; k++) {
        run_steps(&r, 1);
        CU_ASSERT(r.report.drift_length < 1e-14); /* roundings of a metre */
        CU_ASSERT(r.report.drift_angle < 1e-14);
    }
}

/* A tree at rest on the ground: all blocks start from what they had. */
TEST(every_block_of_a_tree_at_rest_starts_warm)
{
    const double half[3] = {0.2, 0.2, 0.1};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 9.81);
    run r;

    run_ground(world);
    run_box(world, "base", 2.0, half, 0.0, 0.0, 0.1);
    run_box(world, "top", 1.0, half, 0.0, 0.0, 0.35);
    run_joint(world, "spherical", 1, 2, (const double[3]){0.0, 0.0, 0.25}, NULL);
    reduce(world);
    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    r = run_begin(world, &scheme, "nsgs", true);
    run_steps(&r, 2);
    CU_ASSERT_EQUAL(r.report.warm, perp_stepper_system(r.stepper)->problem.set->count);
    CU_ASSERT_EQUAL(r.report.warm, 4);
}

/* Bodies and joints that come later are in maximal coordinates. */
TEST(bodies_and_joints_added_later_have_rows)
{
    perp_scheme scheme = run_scheme(0.005);
    perp_world *world = leaning_arm(true);
    run r = run_begin(world, &scheme, "nsgs", true);
    size_t n = world->start->trees->n;

    run_steps(&r, 5);
    test_ball(world, "late", 0.5, 0.1, 0.9, 0.0, 0.4);
    run_joint(world, "spherical", 2, 3, perp_body_pose(world->start, 2), NULL);
    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    run_steps(&r, 50);
    CU_ASSERT_EQUAL(world->start->trees->n, n);
    CU_ASSERT(r.report.rows >= 3);
    CU_ASSERT(r.report.drift_length < 2e-2); /* rows without correction, order dt */
    CU_ASSERT(r.report.drift_length > 0.0);
}

/* A step of stone that is fixed to the ground, and a ball on it. */
TEST(contacts_of_links_fixed_to_the_ground_are_left_out)
{
    const double half[3] = {0.5, 0.5, 0.1};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 9.81);
    run r;

    run_ground(world);
    run_box(world, "stone", 5.0, half, 0.0, 0.0, 0.099);
    run_ball(world, "ball", 1.0, 0.1, 0.0, 0.0, 0.299);
    run_joint(world, "fixed", 0, 1, (const double[3]){0.0, 0.0, 0.0}, NULL)->collide =
        true;
    reduce(world);
    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    r = run_begin(world, &scheme, "nsgs", true);
    run_steps(&r, 100);
    CU_ASSERT_EQUAL(r.unsolved, 0);
    CU_ASSERT_EQUAL(r.report.rows, 3);
    CU_ASSERT(r.report.contacts > 1); /* four of the stone are found, and not asked */
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(world->start, 2)[2], 0.299, 1e-2);
    CU_ASSERT_EQUAL(perp_body_pose(world->start, 1)[2], 0.099);
}
