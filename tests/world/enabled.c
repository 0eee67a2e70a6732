/* SPDX-License-Identifier: Apache-2.0
 * tests/world/enabled.c: bodies and joints that are disabled for a while, and the forces
 * of joints and contacts. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "world_run.h"

static const char solver[] = "nsgs tolerance=1e-13 max-iterations=100000";

/* A box of 2 kg at rest on a slope of friction: m g on the ground, all of it at its four
 * corners; the ground is body i, so that forces push the box. */
TEST(contact_forces_of_a_box_at_rest_carry_its_weight)
{
    static const double half[3] = {0.3, 0.2, 0.1};
    perp_scheme scheme = run_scheme(0.01);
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_BOX, PERP_MODEL_PYRAMID};

    for (int m = 0; m < 3; m++) {
        perp_world *w = test_world(3, 9.81);
        double sum[3] = {0.0, 0.0, 0.0};
        double force[6];
        run r;

        scheme.model = models[m];
        run_ground(w);
        run_box(w, "box", 2.0, half, 0.0, 0.0, 0.1);
        w->start->load[6] = 1.0; /* pushed along x, held by friction */
        r = run_begin(w, &scheme, m == 2 ? "lemke" : solver, true);
        CU_ASSERT_EQUAL(perp_stepper_contact_force(r.stepper, 0, force, NULL),
                        PERP_ERR_ARGUMENT); /* no step yet */
        run_steps(&r, 3);
        CU_ASSERT_EQUAL_FATAL(r.report.contacts, 4);
        for (size_t k = 0; k < 4; k++) {
            double rows[8];
            const perp_contact *c = &perp_stepper_contacts(r.stepper)->at[k];
            const double sign = c->j == 1 ? 1.0 : -1.0; /* on the box */

            OK(perp_stepper_contact_force(r.stepper, k, force, NULL));
            for (int e = 0; e < 3; e++) {
                sum[e] += sign * force[e];
            }
            CU_ASSERT(force[3] == 0.0 && force[4] == 0.0 && force[5] == 0.0);
            CU_ASSERT_EQUAL(
                perp_stepper_row_forces(r.stepper, PERP_ROLE_CONTACT, k, 0, 8, rows),
                m == 2 ? 1 + scheme.eta : 3);
            CU_ASSERT_DOUBLE_EQUAL(rows[0], sign * force[2], 1e-12);
        }
        CU_ASSERT_DOUBLE_EQUAL(sum[0], -1.0, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(sum[1], 0.0, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(sum[2], 2.0 * 9.81, 1e-8);
    }
}

/* A ball of 3 kg hangs on a ball joint 0.5 m above it, motors and limits none: m g. A hinge
 * with a motor that holds a beam: m g and m g d about the centre of mass of the beam. */
TEST(joint_forces_carry_weight_and_moment)
{
    perp_scheme scheme = run_scheme(0.001);
    perp_world *w = test_world(3, 10.0);
    const double at[3] = {0.0, 0.0, 0.0};
    const double along[3] = {0.0, 1.0, 0.0};
    perp_joint *hinge = NULL;
    perp_error err = {0};
    double force[6];
    double motor = 0.0;
    run r;

    test_ball(w, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(w, "beam", 3.0, 0.1, 0.5, 0.0, 0.0);
    hinge = run_joint(w, "revolute", 0, 1, at, along);
    hinge->axes[0].motor = PERP_MOTOR_FRICTION;
    hinge->axes[0].max_force = 1e3;
    r = run_begin(w, &scheme, solver, true);
    OK(perp_stepper_joint_force(r.stepper, 0, force, NULL));
    CU_ASSERT_EQUAL(force[2], 0.0); /* no step yet */
    run_steps(&r, 1);
    OK(perp_stepper_joint_force(r.stepper, 0, force, NULL));
    test_agree("force", force, (const double[6]){0.0, 0.0, 30.0, 0.0, 0.0, 0.0}, 6, 1e-9);
    CU_ASSERT_EQUAL(perp_stepper_row_forces(r.stepper, PERP_ROLE_MOTOR, 0, 0, 1, &motor),
                    1);
    CU_ASSERT_DOUBLE_EQUAL(fabs(motor), 30.0 * 0.5, 1e-9);
    CU_ASSERT_EQUAL(perp_stepper_row_forces(r.stepper, PERP_ROLE_JOINT, 0, 0, 0, NULL),
                    5);
    CU_ASSERT_EQUAL(perp_stepper_row_forces(r.stepper, PERP_ROLE_MOTOR, 0, 1, 0, NULL),
                    0);
    CU_ASSERT_EQUAL(perp_stepper_joint_force(r.stepper, 1, force, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "step: joint is number 1, expected one of 1 joint, from 0");
    OK(perp_world_reduce(w, NULL, NULL));
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_stepper_joint_force(r.stepper, 0, force, &err),
                    PERP_ERR_UNSUITABLE);
}

/* A cylinder of rolling friction that a torque does not turn: the torque is at the
 * contact. */
TEST(rolling_friction_is_the_torque_of_a_contact)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = test_world(3, 10.0);
    double force[6];
    double sign = 1.0;
    run r;

    run_ground(w);
    run_ball(w, "ball", 1.0, 0.5, 0.0, 0.0, 0.5);
    w->materials[0].mu_rolling = 0.1;
    run_material(w, 0.9, 0.0);
    w->start->load[6 + 4] = 0.5; /* less than 0.1 m of 10 N */
    r = run_begin(w, &scheme, "nsgs tolerance=1e-12", true);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL_FATAL(r.report.contacts, 1);
    OK(perp_stepper_contact_force(r.stepper, 0, force, NULL));
    sign = perp_stepper_contacts(r.stepper)->at[0].j == 1 ? 1.0 : -1.0;
    CU_ASSERT_DOUBLE_EQUAL(sign * force[2], 10.0, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(sign * force[4], -0.5, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(force[0], 0.0, 1e-8);
}

/* A pendulum is let go in the first step after its joint was disabled, falls as g has it,
 * and is caught where it is enabled again. */
TEST(a_disabled_joint_lets_go_at_once)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = test_world(3, 10.0);
    const double at[3] = {0.0, 0.0, 1.0};
    perp_joint *joint = NULL;
    double *v = NULL;
    run r;

    test_ball(w, "wall", 0.0, 0.1, 0.0, 0.0, 1.0);
    test_ball(w, "mass", 1.0, 0.1, 0.0, 0.0, 0.0);
    joint = run_joint(w, "spherical", 0, 1, at, NULL);
    joint->stiffness = 0.0;
    v = perp_body_velocity(w->start, 1);
    r = run_begin(w, &scheme, solver, true);
    run_steps(&r, 2);
    CU_ASSERT_DOUBLE_EQUAL(v[2], 0.0, 1e-12);
    joint->disabled = true;
    run_steps(&r, 3);
    CU_ASSERT_EQUAL(r.report.rows, 0);
    CU_ASSERT_EQUAL(r.report.drift_length, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(v[2], -0.3, 1e-12);
    joint->disabled = false;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.rows, 3);
    CU_ASSERT_DOUBLE_EQUAL(v[2], 0.0, 1e-12);
}

/* Two balls that overlap are held apart by a joint; disabled, it lets them touch in the
 * next step, though nothing has moved. */
TEST(bodies_of_a_disabled_joint_may_touch_at_once)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = test_world(3, 0.0);
    perp_joint *joint = NULL;
    run r;

    run_ball(w, "a", 1.0, 0.5, 0.0, 0.0, 0.0);
    run_ball(w, "b", 1.0, 0.5, 0.9, 0.0, 0.0);
    joint = run_joint(w, "spherical", 0, 1, (const double[3]){0.45, 0.0, 0.0}, NULL);
    r = run_begin(w, &scheme, solver, true);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 0);
    joint->disabled = true;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 1);
    joint->disabled = false;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 0);
}

/* By every integrator: a disabled box stays in the air with its velocity, nothing rests on
 * it and its joint pulls nothing; then it goes on. */
TEST(a_disabled_body_neither_moves_nor_touches)
{
    for (int integrator = 0; perp_integrator_names[integrator]; integrator++) {
        static const double half[3] = {0.5, 0.5, 0.1};
        perp_scheme scheme = run_scheme_by(integrator, 0.01);
        perp_world *w = test_world(3, 10.0);
        double pose[7];
        double *v = NULL;
        run r;

        run_box(w, "shelf", 1.0, half, 0.0, 0.0, 1.0);
        run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 1.2);
        run_ball(w, "weight", 1.0, 0.1, 3.0, 0.0, 1.0);
        run_joint(w, "rod", 0, 2, (const double[3]){0.0, 0.0, 1.0}, NULL);
        w->disabled[0] = true;
        v = perp_body_velocity(w->start, 0);
        v[0] = 0.25;
        v[4] = 0.5;
        memcpy(pose, w->start->s, sizeof pose);
        r = run_begin(w, &scheme, solver, true);
        run_steps(&r, 5);
        CU_ASSERT_EQUAL(memcmp(pose, w->start->s, sizeof pose), 0);
        CU_ASSERT_EQUAL(v[0], 0.25);
        CU_ASSERT_EQUAL(v[2], 0.0);
        CU_ASSERT_EQUAL(r.report.rows, 0);
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 1)[2], -0.5, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 2)[2], -0.5, 1e-10);
        w->disabled[0] = false;
        run_steps(&r, 1);
        CU_ASSERT(r.report.rows > 0);
        CU_ASSERT(memcmp(pose, w->start->s, sizeof pose) != 0);
    }
}

/* A box that lies on the ground, disabled and enabled while nothing moves: contacts go and
 * come in the very next step. A kinematic body stops likewise. */
TEST(a_disabled_body_acts_at_once)
{
    static const double half[3] = {0.5, 0.5, 0.1};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = test_world(3, 10.0);
    perp_body belt = {.name = "belt", .motion = PERP_MOTION_KINEMATIC, .v = {1.0, 0, 0}};
    run r;

    run_ground(w);
    run_box(w, "box", 1.0, half, 0.0, 0.0, 0.1);
    OK(perp_world_add_body(w, &belt, NULL, NULL));
    r = run_begin(w, &scheme, solver, true);
    run_steps(&r, 2);
    CU_ASSERT_EQUAL(r.report.contacts, 4);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 2)[0], 0.02, 1e-15);
    w->disabled[1] = w->disabled[2] = true;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 0);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 2)[0], 0.02, 1e-15);
    w->disabled[1] = w->disabled[2] = false;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 4);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 2)[0], 0.03, 1e-15);
}

static void expect_refusal(perp_world *w, const char *text)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_report report;
    perp_error err = {0};
    run r = run_begin(w, &scheme, solver, true);

    CU_ASSERT_EQUAL(perp_stepper_step(r.stepper, &report, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

static perp_world *two_links(void)
{
    perp_world *w = test_world(3, 10.0);

    test_ball(w, "wall", 0.0, 0.1, 0.0, 0.0, 1.0);
    test_ball(w, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(w, "b", 1.0, 0.1, 0.0, 0.0, -1.0);
    run_joint(w, "spherical", 0, 1, (const double[3]){0.0, 0.0, 1.0}, NULL);
    run_joint(w, "spherical", 1, 2, (const double[3]){0.0, 0.0, 0.0}, NULL);
    return w;
}

/* What is disabled before it is reduced has no place in the trees; enabled later, it has
 * rows. */
TEST(trees_are_made_of_what_is_enabled)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = two_links();
    run r;

    w->joints[1].disabled = true;
    OK(perp_world_reduce(w, NULL, NULL));
    CU_ASSERT_EQUAL(perp_world_link(w, 2), -1);
    r = run_begin(w, &scheme, solver, true);
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 2)[2], -0.1, 1e-12);
    w->joints[1].disabled = false;
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.rows, 3);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 2)[2], 0.0, 1e-9);
}

TEST(a_tree_does_not_lose_a_link)
{
    perp_world *w = two_links();

    OK(perp_world_reduce(w, NULL, NULL));
    w->joints[1].disabled = true;
    expect_refusal(
        w, "joint \"spherical 1-2\": it or one of its bodies is disabled, but it is "
           "eliminated in a tree, expected a world that was reduced without it");
    w->joints[1].disabled = false;
    w->disabled[1] = true;
    expect_refusal(w, "body \"a\": disabled, but part of a tree, expected a world that "
                      "was reduced without it");
}
