/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/rates.c: rows of joints as rates of their errors, and what their
 * impulses leave alone. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jointed_pair.h"
#include "world_run.h"

/* Move j within what the joint leaves free. */
static void move_freely(perp_world *world, const perp_joint *joint, perp_random *g)
{
    joint_frame f;
    double p_i[3], p_j[3];
    double *pose = perp_body_pose(world->start, 1);
    double angle = perp_random_uniform(g, -2.0, 2.0);

    joint_frame_now(joint, world->start, &f);
    perp_joint_anchors(joint, world->start, p_i, p_j);
    if (joint->type == &joint_prismatic) {
        vec3_add(pose, angle, f.s, pose);
    } else if (joint->type == &joint_revolute) {
        pair_turn(world, 1, p_j, f.s, angle);
    } else if (joint->type == &joint_cylindrical || joint->type == &joint_planar) {
        double across[3] = {0.3, 0.4, 0.5};

        pair_turn(world, 1, p_j, f.s, angle);
        if (joint->type == &joint_cylindrical) {
            vec3_add(pose, angle, f.s, pose);
        } else {
            vec3_cross(f.s, across, across);
            vec3_add(pose, angle, across, pose);
        }
    } else if (joint->type->axes_apart) {
        pair_turn(world, 1, p_j, f.s_j, angle);
        pair_turn(world, 1, p_j, f.s, 0.5 * angle);
    }
}

static void check_satisfied_rates(perp_world *world, perp_joint *joint, perp_random *g)
{
    perp_row rows[PERP_JOINT_ROWS];
    unsigned n = 0;

    pair_carry(world, g);
    move_freely(world, joint, g);
    if (joint->type == &joint_prismatic && !joint->exact) {
        /* its rows across are rates up to those of the turn: of bodies that turn alike */
        vec3_copy(perp_body_velocity(world->start, 1) + 3,
                  perp_body_velocity(world->start, 0) + 3);
    }
    n = joint_rows_now(joint, world, world->start, rows);
    for (unsigned k = 0; k < n; k++) {
        if (!joint->type->unilateral) {
            CU_ASSERT_DOUBLE_EQUAL(rows[k].phi, 0.0, pair_rounding);
        }
        pair_check_row(world, joint, k);
    }
}

TEST(rows_are_rates_of_their_errors_where_these_vanish)
{
    pair_each(3, check_satisfied_rates);
    pair_each(2, check_satisfied_rates);
}

/* Rows whose rate is right at every pose. */
static bool is_exact_row(const perp_joint *joint, const perp_world *world, unsigned k)
{
    const char *name = joint_row_name(joint, world, k);

    if (strncmp(name, "turn", 4) == 0) {
        return world->dimension == 2 && joint->exact;
    }
    return joint->exact ||
           (strncmp(name, "swing ", 6) != 0 && strcmp(name, "angle") != 0 &&
            (strncmp(name, "across", 6) != 0 || joint->type != &joint_prismatic));
}

static void check_exact_rates(perp_world *world, perp_joint *joint, perp_random *g)
{
    perp_row rows[PERP_JOINT_ROWS];
    unsigned n = 0;
    unsigned seen = 0;

    pair_scatter(world, g);
    n = joint_rows_now(joint, world, world->start, rows);
    for (unsigned k = 0; k < n; k++) {
        if (is_exact_row(joint, world, k)) {
            pair_check_row(world, joint, k);
            seen++;
        }
    }
    if (joint->exact && joint->type != &joint_fixed && joint->type != &joint_prismatic) {
        CU_ASSERT_EQUAL(seen, n);
    }
}

TEST(exact_rows_are_rates_of_their_errors_at_every_pose)
{
    pair_each(3, check_exact_rates);
    pair_each(2, check_exact_rates);
}

/* |phi| of the first three rows named "turn", and its rate by the rows. */
static double turn_length(const perp_world *world, void *context)
{
    const pair_probe *probe = context;
    perp_row rows[PERP_JOINT_ROWS];
    double e[3];

    joint_rows_now(probe->joint, world, world->start, rows);
    vec3_set(e, rows[probe->k].phi, rows[probe->k + 1].phi, rows[probe->k + 2].phi);
    return vec3_length(e);
}

static void check_turn_length(perp_world *world, perp_joint *joint, perp_random *g)
{
    perp_row rows[PERP_JOINT_ROWS];
    pair_probe probe = {joint, joint->type == &joint_fixed ? 3 : 0};
    double length = 0.0;
    double rate = 0.0;
    double difference = 0.0;

    if (!joint->exact ||
        (joint->type != &joint_fixed && joint->type != &joint_prismatic)) {
        return;
    }
    pair_scatter(world, g);
    joint_rows_now(joint, world, world->start, rows);
    length = turn_length(world, &probe);
    if (length < 0.1 || length > 3.1) {
        return; /* too near to a kink */
    }
    for (unsigned k = probe.k; k < probe.k + 3; k++) {
        rate += rows[k].phi / length * pair_rate(world, joint, &rows[k]);
    }
    difference = test_rate(world, turn_length, &probe, pair_step);
    CU_ASSERT_DOUBLE_EQUAL(rate, difference, 10.0 * pair_step_tolerance);
}

TEST(exact_turn_errors_grow_and_shrink_as_their_rows_say)
{
    pair_each(3, check_turn_length);
}

/* Torque of a row's impulse about the origin. */
static void row_torque(const perp_world *world, const perp_row *row, double torque[3])
{
    vec3_set(torque, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < 2; k++) {
        double arm[3];

        vec3_cross(perp_body_pose(world->start, k), row->J + 6 * k, arm);
        vec3_add(torque, 1.0, arm, torque);
        vec3_add(torque, 1.0, row->J + 6 * k + 3, torque);
    }
}

/* Two anchors apart give the couple (p_i - p_j) x lin; every other row, and every row of
 * a joint without error, has none. */
static void check_balance(perp_world *world, perp_joint *joint, perp_random *g)
{
    for (int pass = 0; pass < 2; pass++) {
        perp_row rows[PERP_JOINT_ROWS + PERP_JOINT_AXES];
        unsigned n = joint_rows_now(joint, world, world->start, rows);
        double gap[3] = {0.0, 0.0, 0.0};

        for (unsigned k = 0; k < n; k++) {
            const char *name = joint_row_name(joint, world, k);

            if (strlen(name) == 1) { /* x, y, z: the error of a position row */
                gap[name[0] - 'x'] = rows[k].phi;
            } else if (joint->type == &joint_user) {
                joint_frame f;

                joint_frame_now(joint, world->start, &f);
                vec3_copy(gap, f.gap);
            }
        }
        for (unsigned k = 0; k < joint->type->axes; k++) {
            n += joint->type->coordinate(joint, world, world->start, k, &rows[n]) ? 1 : 0;
        }
        for (unsigned k = 0; k < n; k++) {
            double torque[3], couple[3], force[3];

            row_torque(world, &rows[k], torque);
            vec3_cross(gap, rows[k].J, couple);
            vec3_subtract(torque, couple, torque);
            vec3_add(rows[k].J, 1.0, rows[k].J + 6, force);
            CU_ASSERT_EQUAL(vec3_length(force), 0.0);
            /* in the plane the torque about z is what there is */
            CU_ASSERT(world->dimension == 2
                          ? fabs(torque[2]) <= 10.0 * pair_rounding
                          : vec3_length(torque) <= 10.0 * pair_rounding);
        }
        pair_scatter(world, g);
    }
}

TEST(impulses_of_rows_balance)
{
    pair_each(3, check_balance);
    pair_each(2, check_balance);
}

static void check_momentum(perp_world *world, perp_joint *joint, perp_random *g)
{
    perp_row rows[PERP_JOINT_ROWS];
    double before[6], after[6];
    unsigned n = joint_rows_now(joint, world, world->start, rows);

    if (joint->type == &joint_user) {
        return; /* its two points are apart */
    }
    perp_world_momentum(world, world->start, before);
    perp_world_angular_momentum(world, world->start, before + 3);
    for (unsigned k = 0; k < n; k++) {
        pair_push(world, joint, &rows[k], perp_random_uniform(g, -5.0, 5.0));
    }
    perp_world_momentum(world, world->start, after);
    perp_world_angular_momentum(world, world->start, after + 3);
    /* up to six impulses of 5 N s: a hundred roundings of numbers of size 10 */
    test_agree(joint->name, after, before, 6, 1e-13);
}

TEST(internal_impulses_leave_both_momenta_alone)
{
    pair_each(3, check_momentum);
    pair_each(2, check_momentum);
}

/* Driving the error out: u with J u = -k_erp phi/dt makes phi (1 - k_erp) phi. */

/* Turn j as at rest on i. */
static void keep_turned(perp_world *world, const perp_joint *joint)
{
    perp_quat_multiply(perp_body_pose(world->start, 0) + 3, joint->q_rest,
                       perp_body_pose(world->start, 1) + 3);
}

/* The only joint of the world that has rows. */
static void add_alone(perp_world *world, const perp_joint *joint)
{
    perp_joint copy = *joint;

    snprintf(copy.name, sizeof copy.name, "joint %zu", world->joint_count);
    for (size_t k = 0; k < world->joint_count; k++) {
        world->joints[k].disabled = true;
    }
    OK(perp_world_add_joint(world, &copy, NULL, NULL));
}

static void check_drive(perp_world *world, perp_joint *joint, perp_random *g)
{
    const double erp = 0.3;
    const double dt = 0.01;
    const double size = 1e-5; /* of the error: what it leaves out is size^2 */
    perp_row rows[PERP_JOINT_ROWS], later[PERP_JOINT_ROWS];
    perp_scheme scheme = run_scheme(dt);
    perp_stepper *stepper = NULL;
    perp_report report;
    perp_options opt;
    const perp_solver_type *type = run_solver("lemke tolerance=1e-12", &opt);
    unsigned n = 0;

    if (joint->type->unilateral) {
        return;
    }
    pair_carry(world, g);
    pair_shake(world, g, size);
    if (joint->type == &joint_prismatic && !joint->exact) {
        /* its rows across are right up to those of the turn: without error there */
        keep_turned(world, joint);
    }
    memset(world->start->u, 0, 12 * sizeof *world->start->u);
    n = joint_rows_now(joint, world, world->start, rows);
    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.erp = erp;
    add_alone(world, joint);
    OK(perp_stepper_new(
        &stepper, world, &scheme,
        &(perp_stepper_options){
            .solver = type, .options = &opt, .state = world->start, .cold = true},
        NULL));
    OK(perp_stepper_step(stepper, &report, NULL));
    joint_rows_now(joint, world, world->start, later);
    for (unsigned k = 0; k < n; k++) {
        CU_ASSERT_DOUBLE_EQUAL(pair_rate(world, joint, &rows[k]), -erp / dt * rows[k].phi,
                               1e-10);
        /* size^2 times arms of a few metres, and what the metric of M adds */
        CU_ASSERT_DOUBLE_EQUAL(later[k].phi, (1.0 - erp) * rows[k].phi,
                               1e2 * size * size);
    }
}

TEST(one_step_removes_its_share_of_the_error)
{
    pair_each(3, check_drive);
    pair_each(2, check_drive);
}
