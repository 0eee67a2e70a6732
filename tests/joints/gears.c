/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/gears.c: gears between the axes of joints, q = ratio q_other + offset. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/force.h>
#include <perp/reform.h>

#include "scarce.h"
#include "world_run.h"

enum { GROUND, DRIVER, DRIVEN, THIRD };

static const double ratio = 2.0;

/* Balls of 1, 2 and 3 kg, radius 1 m, each on a joint of its own to the ground, along or
 * about z through its centre. */
static perp_world *gears_world(const char *driver, const char *driven, const char *third)
{
    static const double along[3] = {0.0, 0.0, 1.0};
    const char *const types[] = {driver, driven, third};
    static const char *const names[] = {"driver", "driven", "third"};
    perp_world *w = test_world(3, 0.0);

    test_ball(w, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    for (int32_t k = 0; k < 3 && types[k]; k++) {
        const double at[3] = {4.0 * k, 0.0, 0.0};
        perp_joint joint = perp_joint_default(perp_joint_type_find(types[k]));

        joint.i = GROUND;
        joint.j = test_ball(w, names[k], 1.0 + k, 1.0, at[0], 0.0, 0.0);
        snprintf(joint.name, sizeof joint.name, "%s", names[k]);
        OK(perp_joint_attach(&joint, w, w->start, at, along, NULL, NULL));
        OK(perp_world_add_joint(w, &joint, NULL, NULL));
    }
    return w;
}

static void gears_set(perp_world *w, int32_t joint, int32_t other, double a, double b)
{
    const perp_gear gear = {.joint = other, .ratio = a, .offset = b};

    OK(perp_world_set_gear(w, joint, 0, &gear, NULL));
}

static perp_scheme gears_scheme(double dt)
{
    perp_scheme s;

    perp_scheme_default(&s);
    s.dt = dt;
    return s;
}

static double *gears_load(perp_world *w, int32_t body)
{
    return w->start->load + 6 * (size_t)body;
}

static double gears_axis(const perp_world *w, size_t joint)
{
    return perp_joint_axes_of(w->start, joint)[0];
}

/* Rate of the axis of a joint to the ground: a velocity along z, or a spin about z. */
static double gears_rate(const perp_world *w, int32_t body)
{
    const double *u = perp_body_velocity(w->start, (size_t)body);

    return w->joints[body - 1].type == perp_joint_type_find("revolute") ? u[5] : u[2];
}

/* Steps of a world, in reduced coordinates if asked for, each solved. */
static run gears_run(perp_world *w, const perp_scheme *scheme, bool reduced, size_t steps)
{
    run r;

    if (reduced) {
        OK(perp_world_reduce(w, NULL, NULL));
    }
    r = run_begin(w, scheme, "auto tolerance=1e-12", true);
    run_steps(&r, steps);
    CU_ASSERT_EQUAL(r.unsolved, 0);
    return r;
}

static double inertia_of(const perp_world *w, int32_t body)
{
    return w->joints[body - 1].type == perp_joint_type_find("revolute")
               ? 0.4 * w->mass[body]
               : w->mass[body];
}

/* Loads of 3 on the driver and 5 on the driven axis. With q = a q' the rate of the driver
 * grows by (3 + 5 a)/(I' + a^2 I). */
static void check_acceleration(const char *driver, const char *driven, bool reduced,
                               perp_integrator integrator, perp_stabilize stabilize)
{
    const char *const pair[] = {driver, driven};
    const size_t steps = 50;
    perp_world *w = gears_world(driver, driven, NULL);
    perp_scheme s = gears_scheme(1.0 / 64.0);
    double t = 0.0;
    double expected = 0.0;

    s.integrator = integrator;
    s.stabilize = stabilize;
    t = (double)steps * s.dt;
    gears_set(w, 1, 0, ratio, 0.0);
    for (int32_t k = 0; k < 2; k++) {
        const int part = strcmp(pair[k], "revolute") == 0 ? 5 : 2;

        gears_load(w, DRIVER + k)[part] = k == 0 ? 3.0 : 5.0;
    }
    expected = (3.0 + 5.0 * ratio) /
               (inertia_of(w, DRIVER) + ratio * ratio * inertia_of(w, DRIVEN));
    gears_run(w, &s, reduced, steps);
    /* solved to 1e-8 of impulses of 0.1 */
    CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVER), expected * t, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVEN), ratio * expected * t, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), ratio * gears_axis(w, 0), 1e-7);
}

TEST(geared_axes_have_the_acceleration_of_their_common_inertia)
{
    static const char *const types[] = {"revolute", "prismatic"};

    for (size_t k = 0; k < 8; k++) {
        check_acceleration(types[k % 2], types[k / 2 % 2], k / 4,
                           PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_STABILIZE_BAUMGARTE);
    }
}

TEST(a_gear_holds_under_every_integrator_and_stabilization)
{
    for (int i = 0; perp_integrator_names[i]; i++) {
        for (int k = 0; perp_stabilize_names[k]; k++) {
            check_acceleration("revolute", "prismatic", false, (perp_integrator)i,
                               (perp_stabilize)k);
            check_acceleration("revolute", "prismatic", true, (perp_integrator)i,
                               (perp_stabilize)k);
        }
    }
}

TEST(sequential_impulses_hold_a_gear)
{
    perp_world *w = gears_world("revolute", "revolute", NULL);
    perp_scheme s = gears_scheme(1.0 / 64.0);
    run r;

    s.model = PERP_MODEL_BOX;
    gears_set(w, 1, 0, ratio, 0.0);
    gears_load(w, DRIVER)[5] = 3.0;
    r = run_begin(w, &s, NULL, false);
    run_steps(&r, 1);
    /* hinges through the centres are not coupled with the gear: each row is exact */
    CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVER), 3.0 * s.dt / (0.4 + 4.0 * 0.8), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVEN), 2.0 * gears_rate(w, DRIVER), 1e-14);
}

/* q2 = 2 q1, q3 = -3 q2 - 1: I = I1 + 4 I2 + 36 I3. The error of the offset at the start is
 * removed as those of joints are. */
TEST(a_chain_of_gears_with_sign_and_offset_is_one_axis)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        perp_world *w = gears_world("revolute", "revolute", "revolute");
        perp_scheme s = gears_scheme(1.0 / 64.0);
        const double I = 0.4 * (1.0 + 4.0 * 2.0 + 36.0 * 3.0);
        double drift[2];
        run r;

        s.stabilize = PERP_STABILIZE_PROJECT;
        s.erp = 0.5;
        gears_set(w, 1, 0, 2.0, 0.0);
        gears_set(w, 2, 1, -3.0, -1.0);
        w->joints[0].axes[0].motor = PERP_MOTOR_FRICTION; /* a row without effect */
        w->joints[0].axes[0].max_force = 0.0;
        gears_load(w, DRIVER)[5] = 1.0;
        perp_joint_drift(&w->joints[2], w, w->start, &drift[0], &drift[1]);
        CU_ASSERT(drift[0] == 0.0 && drift[1] == 1.0);
        r = gears_run(w, &s, reduced, 64);
        CU_ASSERT(r.report.drift_angle < 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVER), 1.0 / I, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, THIRD), -6.0 / I, 1e-7);
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 2), -3.0 * gears_axis(w, 1) - 1.0, 1e-7);
    }
}

/* Axis 0 of a cylindrical joint geared with its axis 1 is a screw: F = (m + I/p^2) a for
 * q_0 = p q_1. */
TEST(a_gear_between_the_axes_of_one_joint_is_a_screw)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        perp_world *w = gears_world("cylindrical", NULL, NULL);
        const bool slides = w->joints[0].type->axis_unit[0] == PERP_AXIS_LENGTH;
        const perp_gear screw = {.axis = slides ? 1 : 0, .ratio = 0.25};
        perp_scheme s = gears_scheme(1.0 / 64.0);

        CU_ASSERT_EQUAL_FATAL(perp_world_set_gear(w, 0, slides ? 0 : 1, &screw, NULL),
                              PERP_OK);
        gears_load(w, DRIVER)[2] = 3.0;
        gears_run(w, &s, reduced, 64);
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, DRIVER)[2],
                               3.0 / (1.0 + 0.4 * 16.0), 1e-7);
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, DRIVER)[5],
                               4.0 * perp_body_velocity(w->start, DRIVER)[2], 1e-7);
    }
}

TEST(a_limit_of_the_driven_axis_stops_the_motor_of_the_driver)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        perp_world *w = gears_world("revolute", "prismatic", "revolute");
        perp_scheme s = gears_scheme(1.0 / 64.0);
        run r;

        gears_set(w, 1, 0, -0.5, 0.25);
        w->joints[0].axes[0].motor = PERP_MOTOR_VELOCITY;
        w->joints[0].axes[0].target = 1.0;
        w->joints[0].axes[0].max_force = 10.0;
        w->joints[1].axes[0].has_lower = true;
        w->joints[1].axes[0].lower = -0.5;
        /* energy for what the books are compared with */
        perp_body_velocity(w->start, THIRD)[5] = 1.0;
        r = gears_run(w, &s, reduced, 64); /* the error of 0.25 at the start is closed */
        CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVER), 1.0, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVEN), -0.5, 1e-5);
        run_steps(&r, 128);
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), -0.5, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 0), 1.5, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVER), 0.0, 1e-6);
    }
}

/* The driver is locked; a torque of 2 N m on the driven axis bends a gear of 50 N m/rad by
 * 0.04 rad, which stores 0.04 J. */
TEST(a_soft_gear_bends_by_torque_over_stiffness)
{
    for (int k = 0; k < 6; k++) {
        const perp_gear soft = {.ratio = ratio, .stiffness = 50.0, .damping = 10.0};
        perp_world *w = gears_world("revolute", "revolute", NULL);
        perp_scheme s = gears_scheme(1.0 / 64.0);

        s.stabilize = k < 2   ? PERP_STABILIZE_BAUMGARTE
                      : k < 4 ? PERP_STABILIZE_SPLIT
                              : PERP_STABILIZE_PROJECT;
        OK(perp_world_set_gear(w, 1, 0, &soft, NULL));
        w->joints[0].axes[0].has_lower = w->joints[0].axes[0].has_upper = true;
        gears_load(w, DRIVEN)[5] = 2.0;
        gears_run(w, &s, k % 2, 1000);
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), 0.04, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 0), 0.0, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(perp_world_stored(w, w->start), 0.04, 1e-5);
    }
}

/* A load F leaves a compliant gear at F dt K_cfm/erp. */
TEST(a_gear_with_cfm_bends_by_its_compliance)
{
    for (int k = 0; k < 3; k++) {
        const perp_gear soft = {.ratio = ratio, .cfm = 0.02};
        perp_world *w = gears_world("revolute", "revolute", NULL);
        perp_scheme s = gears_scheme(1.0 / 64.0);

        s.erp = 0.25;
        s.stabilize = k == 0   ? PERP_STABILIZE_BAUMGARTE
                      : k == 1 ? PERP_STABILIZE_SPLIT
                               : PERP_STABILIZE_PROJECT;
        OK(perp_world_set_gear(w, 1, 0, &soft, NULL));
        w->joints[0].axes[0].has_lower = w->joints[0].axes[0].has_upper = true;
        gears_load(w, DRIVEN)[5] = 2.0;
        gears_run(w, &s, false, 500);
        /* split and project leave the velocity -K F at rest for a step */
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), 2.0 * s.dt * 0.02 / 0.25,
                               k == 0 ? 1e-7 : 2.0 * s.dt * 0.02);
    }
}

/* A free hand of 1 kg with two arms on hinges about skew axes, the second turning -2 times
 * as fast as the first: four bodies of rows, of which two are the same. */
static perp_world *hand_world(double z)
{
    const double at[2][3] = {{0.5, 0.0, z}, {-0.5, 0.25, z}};
    static const double along[2][3] = {{0.0, 0.6, 0.8}, {0.0, 0.0, 1.0}};
    perp_world *w = test_world(3, 0.0);
    double energy[2];

    run_ball(w, "hand", 1.0, 0.5, 0.0, 0.0, z);
    for (int32_t k = 0; k < 2; k++) {
        perp_joint joint = perp_joint_default(perp_joint_type_find("revolute"));

        joint.j =
            test_ball(w, k ? "b" : "a", 1.0 + k, 0.5, k ? -1.5 : 1.5, 0.25 * k, 0.0);
        snprintf(joint.name, sizeof joint.name, "%s", k ? "b" : "a");
        OK(perp_joint_attach(&joint, w, w->start, at[k], along[k], NULL, NULL));
        OK(perp_world_add_joint(w, &joint, NULL, NULL));
    }
    gears_set(w, 1, 0, -2.0, 0.0);
    for (size_t k = 0; k < 18; k++) {
        w->start->u[k] = 0.25 * sin(1.0 + 3.0 * (double)k);
    }
    OK(perp_world_project_velocities(w, w->start, energy, NULL));
    CU_ASSERT(energy[1] < energy[0]);
    return w;
}

static void hand_momentum(const perp_world *w, double P[6])
{
    memset(P, 0, 6 * sizeof *P);
    for (size_t k = 0; k < w->body_count; k++) {
        const double *r = perp_body_pose(w->start, k);
        const double *u = perp_body_velocity(w->start, k);
        const double m = w->mass[k];
        const double I = 0.4 * m * 0.25; /* balls */

        for (size_t i = 0; i < 3; i++) {
            const size_t a = (i + 1) % 3;
            const size_t b = (i + 2) % 3;

            P[i] += m * u[i];
            P[3 + i] += m * (r[a] * u[b] - r[b] * u[a]) + I * u[3 + i];
        }
    }
}

TEST(a_gear_on_a_free_body_keeps_momentum_and_energy)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        perp_world *w = hand_world(0.0);
        perp_scheme s = gears_scheme(1.0 / 1024.0);
        double before[6], after[6];
        double energy = 0.0;

        hand_momentum(w, before);
        energy = perp_world_kinetic(w, w->start);
        gears_run(w, &s, reduced, 512);
        hand_momentum(w, after);
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT_DOUBLE_EQUAL(after[i], before[i], reduced ? 1e-4 : 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(after[3 + i], before[3 + i], 2e-3); /* order dt */
        }
        CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(w, w->start), energy, 5e-3 * energy);
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), -2.0 * gears_axis(w, 0), 1e-5);
    }
}

/* Angle of the first arm after half a second. */
static double hand_angle(bool reduced, double dt)
{
    perp_world *w = hand_world(0.0);
    perp_scheme s = gears_scheme(dt);
    double q = 0.0;

    gears_run(w, &s, reduced, (size_t)(0.5 / dt));
    q = gears_axis(w, 0);
    return q;
}

TEST(both_coordinates_move_geared_axes_alike_to_the_order_of_the_integrator)
{
    const double coarse = hand_angle(false, 1.0 / 256.0) - hand_angle(true, 1.0 / 256.0);
    const double fine = hand_angle(false, 1.0 / 1024.0) - hand_angle(true, 1.0 / 1024.0);

    CU_ASSERT(fabs(coarse) < 1e-2);
    CU_ASSERT(fabs(fine) < 0.3 * fabs(coarse)); /* 1/4 of it, for order 1 */
}

/* A of the gear on the hand, as J M^-1 J^T by hand from both halves, is that of every
 * storage. */
TEST(every_storage_has_the_same_matrix_of_a_gear)
{
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                            PERP_STORAGE_FACTORED};
    perp_world *w = hand_world(0.0);

    for (size_t k = 0; k < 3; k++) {
        perp_scheme s = gears_scheme(1.0 / 64.0);
        perp_contacts contacts = {0};
        perp_system system = {0};
        double e[11] = {0.0};
        double y[11];

        s.storage = storages[k];
        OK(perp_step_formulate(w, w->start, &s, &contacts, &system, NULL));
        CU_ASSERT_EQUAL_FATAL(system.problem.n, 11);
        CU_ASSERT_EQUAL_FATAL(system.rows.second_count, 1);
        for (size_t r = 0; r < 11; r++) {
            double du[18];

            memset(e, 0, sizeof e);
            e[r] = 1.0;
            perp_operator_apply(system.problem.A, e, y);
            perp_system_impulses(&system, e, du);
            for (size_t c = 0; c < 11; c++) {
                CU_ASSERT_DOUBLE_EQUAL(y[c], perp_rows_rate(&system.rows, c, du), 1e-14);
            }
        }
        perp_system_clear(&system);
    }
}

/* The balls move with A = 3/(0.4 + 4 0.8) and 2 A: torques 0.4 A - 3 and 0.8 2 A. */
TEST(the_force_of_a_joint_includes_its_gears)
{
    perp_world *w = gears_world("revolute", "revolute", NULL);
    perp_scheme s = gears_scheme(1.0 / 64.0);
    const double A = 3.0 / (0.4 + 4.0 * 0.8);
    double force[6];
    run r;

    gears_set(w, 1, 0, ratio, 0.0);
    gears_load(w, DRIVER)[5] = 3.0;
    r = gears_run(w, &s, false, 1);
    OK(perp_stepper_joint_force(r.stepper, 0, force, NULL));
    CU_ASSERT_DOUBLE_EQUAL(force[5], 0.4 * A - 3.0, 1e-9);
    OK(perp_stepper_joint_force(r.stepper, 1, force, NULL));
    CU_ASSERT_DOUBLE_EQUAL(force[5], 0.8 * 2.0 * A, 1e-9);
    CU_ASSERT_EQUAL(perp_stepper_row_forces(r.stepper, PERP_ROLE_GEAR, 1, 0, 1, force),
                    1);
    CU_ASSERT_DOUBLE_EQUAL(force[0], 0.8 * 2.0 * A, 1e-9);
}

/* How far a gear without correction is off after half a second. */
static double hand_drift(int integrator, bool reduced, double dt)
{
    perp_world *w = hand_world(0.0);
    perp_scheme s = gears_scheme(dt);

    s.integrator = (perp_integrator)integrator;
    s.stabilize = PERP_STABILIZE_NONE;
    gears_run(w, &s, reduced, (size_t)(0.5 / dt));
    return fabs(gears_axis(w, 1) + 2.0 * gears_axis(w, 0));
}

/* Per second order 2, as the errors of joints: a quarter of dt leaves 1/16. In reduced coordinates
 * a gear is linear in the coordinates, and exact where these move by their rates at the end or in
 * the middle of the step. In maximal ones the drift is at most 3.2e-9 at 1/128 s, but for
 * explicit steps; it was 5.6e-9 and more with half of the row where it was not. */
TEST(the_drift_of_a_gear_has_order_2)
{
    for (int i = 0; perp_integrator_names[i]; i++) {
        const bool last = i == PERP_INTEGRATOR_SEMI_IMPLICIT ||
                          i == PERP_INTEGRATOR_EXPLICIT ||
                          i == PERP_INTEGRATOR_IMPLICIT || i == PERP_INTEGRATOR_MIDPOINT;

        for (int reduced = 0; reduced < 2; reduced++) {
            const double coarse = hand_drift(i, reduced, 1.0 / 128.0);
            const double fine = hand_drift(i, reduced, 1.0 / 512.0);

            CU_ASSERT(fine <= 0.1 * coarse + 1e-15);
            CU_ASSERT(coarse <= (reduced && last                 ? 1e-14
                                 : reduced                       ? 5e-7
                                 : i == PERP_INTEGRATOR_EXPLICIT ? 4e-8
                                                                 : 4e-9));
        }
    }
}

TEST(a_global_problem_with_a_gear_has_the_same_matrix)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        perp_world *w = hand_world(0.0);
        perp_scheme s = gears_scheme(1.0 / 64.0);
        perp_contacts contacts = {0};
        perp_system system = {0};
        perp_problem *p = NULL;
        perp_reform *reform = NULL;
        size_t n = 0;

        if (reduced) {
            OK(perp_world_reduce(w, NULL, NULL));
        }
        OK(perp_step_formulate(w, w->start, &s, &contacts, &system, NULL));
        OK(perp_system_export_global(&system, w, &contacts, &p, NULL));
        OK(perp_reform_condense(&reform, p, NULL));
        n = system.problem.n;
        CU_ASSERT_EQUAL_FATAL(n, reduced ? 1 : 11);
        for (size_t k = 0; k < n; k++) {
            CU_ASSERT_DOUBLE_EQUAL(reform->to->b[k], system.problem.b[k], 1e-12);
            for (size_t c = 0; c < n; c++) {
                CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(reform->to->A, k, c),
                                       perp_operator_entry(system.problem.A, k, c),
                                       1e-12);
            }
        }
        perp_reform_free(reform);
        perp_problem_free(p);
        perp_system_clear(&system);
    }
}

static perp_status formulate_scarcely(void *context, perp_error *err)
{
    const perp_world *w = context;
    perp_scheme s = gears_scheme(1.0 / 64.0);
    perp_contacts contacts = {0};
    perp_system system = {0};
    perp_status status = perp_step_formulate(w, w->start, &s, &contacts, &system, err);

    perp_system_clear(&system);
    return status;
}

TEST(memory_of_a_gear_may_fail_anywhere)
{
    perp_world *w = hand_world(0.0);

    scarce_everywhere(formulate_scarcely, w, "a gear");
    OK(perp_world_reduce(w, NULL, NULL));
    scarce_everywhere(formulate_scarcely, w, "a gear in reduced coordinates");
}

/* The hand with shapes falls on the ground, a spring between its arms. */
static perp_world *falling_world(void)
{
    perp_world *w = hand_world(1.0);
    perp_force spring = {
        .type = perp_force_type_find("spring"), .name = "s", .i = 1, .j = 2};

    spring.value[0] = 20.0;
    spring.value[2] = 2.0;
    run_ground(w);
    run_material(w, 0.5, 0.5);
    w->gravity[2] = -9.81;
    OK(perp_world_add_force(w, &spring, NULL));
    return w;
}

TEST(a_gear_holds_through_impacts_with_friction_and_implicit_forces)
{
    for (int k = 0; k < 12; k++) {
        perp_world *w = falling_world();
        perp_scheme s = gears_scheme(1.0 / 256.0);
        const bool reduced = k % 2;

        s.restitution = k / 2 % 3 == 0   ? PERP_RESTITUTION_NEWTON
                        : k / 2 % 3 == 1 ? PERP_RESTITUTION_MOREAU
                                         : PERP_RESTITUTION_POISSON;
        s.integrator = k >= 6 && !reduced ? PERP_INTEGRATOR_IMPLICIT
                       : k >= 6           ? PERP_INTEGRATOR_POSITION_VERLET
                                          : PERP_INTEGRATOR_SEMI_IMPLICIT;
        gears_run(w, &s, reduced, 256);
        CU_ASSERT(fabs(gears_axis(w, 0)) > 0.05);
        /* errors of order dt^2 in a step, of which 4 in 5 stay */
        CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), -2.0 * gears_axis(w, 0), 1e-3);
    }
}

TEST(sequential_impulses_and_solvers_agree_on_a_gear_of_three_bodies)
{
    double q[2];

    for (int k = 0; k < 2; k++) {
        perp_world *w = hand_world(0.0);
        perp_scheme s = gears_scheme(1.0 / 256.0);
        run r;

        s.model = PERP_MODEL_BOX;
        r = run_begin(w, &s, k ? "auto tolerance=1e-12" : NULL, true);
        run_steps(&r, 64);
        q[k] = gears_axis(w, 0);
    }
    CU_ASSERT_DOUBLE_EQUAL(q[0], q[1], 1e-5); /* after 50 sweeps */
}

/* Hinges on a table that turns by itself: coordinates are relative to the table. */
TEST(a_gear_on_a_kinematic_body_holds_coordinates_relative_to_it)
{
    perp_world *w = gears_world("revolute", "revolute", NULL);
    perp_scheme s = gears_scheme(1.0 / 64.0);

    w->motion[GROUND] = PERP_MOTION_KINEMATIC;
    perp_body_velocity(w->start, GROUND)[5] = 0.5;
    gears_set(w, 1, 0, ratio, 0.0);
    perp_body_velocity(w->start, DRIVER)[5] = 1.0;
    gears_run(w, &s, false, 64);
    /* The driver spins at W, the driven ball at w = 1/2 + 2 (W - 1/2) = 2 W - 1/2. Their
     * common impulse z: 0.4 (W - 1) = -2 z, 0.8 (w - 0) = z, so that 0.4 (W - 1) =
     * -1.6 (2 W - 1/2) and W = 1/3. */
    CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVER), 1.0 / 3.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(gears_rate(w, DRIVEN), 2.0 / 3.0 - 0.5, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(gears_axis(w, 1), 2.0 * gears_axis(w, 0), 1e-6);
}

static void check_refused(perp_world *w, int32_t joint, unsigned k, perp_gear gear,
                          const char *text)
{
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_world_set_gear(w, joint, k, &gear, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

TEST(gears_that_cannot_be_are_refused)
{
    perp_world *w = gears_world("revolute", "revolute", "spherical");
    perp_joint joint;

    gears_set(w, 1, 0, ratio, 0.0);
    check_refused(w, 0, 0, (perp_gear){.joint = 1, .ratio = 0.5},
                  "joint \"driver\": its gear with joint \"driven\" closes a cycle of "
                  "gears, expected none");
    check_refused(w, 0, 0, (perp_gear){.joint = 0, .ratio = 2.0},
                  "joint \"driver\": its axis 1 has a gear with itself, expected another "
                  "axis");
    check_refused(w, 2, 0, (perp_gear){.joint = 0, .ratio = 2.0},
                  "joint \"third\": axis 1 of a spherical joint cannot have a gear, "
                  "expected an angle or length of its own");
    check_refused(w, 0, 0, (perp_gear){.joint = 7, .ratio = 2.0},
                  "gear: joint is number 7, expected one of 3 joints, from 0");
    check_refused(w, 0, 0, (perp_gear){.joint = 1, .ratio = 2.0, .cfm = -1.0},
                  "joint \"driver\": cfm of the gear is -1, expected a number >= 0");
    check_refused(
        w, 0, 0, (perp_gear){.joint = 1, .ratio = 2.0, .offset = NAN},
        "joint \"driver\": offset of the gear is nan, expected a finite number");
    joint = w->joints[1];
    strcpy(joint.name, "new");
    CU_ASSERT_EQUAL(perp_world_add_joint(w, &joint, NULL, NULL), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(w->joints[0].axes[0].gear.ratio, 0.0);
}

TEST(removing_a_joint_removes_its_gears_and_renumbers_others)
{
    perp_world *w = gears_world("revolute", "revolute", "revolute");

    gears_set(w, 1, 0, 2.0, 0.0);
    gears_set(w, 2, 1, 3.0, 0.0);
    OK(perp_world_remove_joint(w, 0, NULL, NULL));
    CU_ASSERT_EQUAL(w->joints[0].axes[0].gear.ratio, 0.0);
    CU_ASSERT_EQUAL(w->joints[1].axes[0].gear.ratio, 3.0);
    CU_ASSERT_EQUAL(w->joints[1].axes[0].gear.joint, 0);
}
