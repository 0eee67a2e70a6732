/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/limits.c: coordinates of joints, limits C >= 0,
 * unwrapped angles, springs. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointed_pair.h"

static const double pi = 3.14159265358979323846;

/* Golden values. */

static void check_coordinate(const golden_case *c)
{
    perp_world *world = golden_pair(c);
    perp_joint joint;
    perp_row row;
    double rate = 0.0;
    double upper[12];

    golden_joint(&joint, c->type, c->in, 0, 1);
    CU_ASSERT_TRUE_FATAL(joint.type->coordinate(&joint, world, world->start, 0, &row));
    rate = pair_rate(world, &joint, &row);
    for (int k = 0; k < 12; k++) {
        upper[k] = -row.J[k];
    }
    golden_agree(c, "coord", &row.phi, 1);
    golden_agree(c, "coord_rate", &rate, 1);
    golden_agree(c, "J_lo", row.J, 12);
    golden_agree(c, "J_hi", upper, 12);
    golden_agree(c, "J_motor", row.J, 12);
    golden_agree(c, "J_servo", row.J, 12);
}

TEST(slider_coordinates_are_the_golden_ones)
{
    golden_each("limits_motors", "slider", check_coordinate);
}

TEST(hinge_coordinates_are_the_golden_ones)
{
    golden_each("limits_motors", "hinge", check_coordinate);
}

static void check_limit(const golden_case *c)
{
    perp_world *world = golden_pair(c);
    perp_joint joint;
    perp_row rows[PERP_JOINT_ROWS];

    golden_joint(&joint, strcmp(c->type, "general_cone") == 0 ? "cone" : "rope", c->in, 0,
                 1);
    CU_ASSERT_TRUE(joint.type->unilateral);
    CU_ASSERT_EQUAL_FATAL(joint_rows_now(&joint, world, world->start, rows), 1);
    golden_agree(c, "C", &rows[0].phi, 1);
    golden_agree(c, "J", rows[0].J, 12);
    if (joint.type == &joint_rope) {
        joint.type = &joint_rod;
        CU_ASSERT_FALSE(joint.type->unilateral);
        CU_ASSERT_EQUAL_FATAL(joint_rows_now(&joint, world, world->start, rows), 1);
        golden_agree(c, "C", &rows[0].phi, 1);
        golden_agree(c, "J", rows[0].J, 12);
    }
}

TEST(cones_are_the_golden_ones)
{
    golden_each("limits_motors", "general_cone", check_limit);
}

TEST(ropes_and_rods_are_the_golden_ones)
{
    golden_each("limits_motors", "general_rope", check_limit);
}

/* Rates of coordinates. */

static void check_exact_axes(perp_world *world, perp_joint *joint, perp_random *g)
{
    pair_scatter(world, g);
    for (unsigned k = 0; k < joint->type->axes; k++) {
        perp_row row;

        if ((joint->exact || joint->type == &joint_spherical) &&
            joint->type->coordinate(joint, world, world->start, k, &row)) {
            pair_check_axis(world, joint, k);
        }
    }
}

TEST(exact_coordinates_have_their_rates_at_every_pose)
{
    pair_each(3, check_exact_axes);
    pair_each(2, check_exact_axes);
}

/* The usual rows: where the joint is satisfied and, of two axes,
 * these are perpendicular. */
static void check_satisfied_axes(perp_world *world, perp_joint *joint, perp_random *g)
{
    double *pose = perp_body_pose(world->start, 1);
    double angle = perp_random_uniform(g, -2.0, 2.0);
    joint_frame f;
    double p_i[3], p_j[3];

    if (joint->exact || joint->type == &joint_spherical || joint->type == &joint_wheel) {
        return;
    }
    joint_frame_now(joint, world->start, &f);
    perp_joint_anchors(joint, world->start, p_i, p_j);
    if (joint->type == &joint_prismatic) {
        vec3_add(pose, angle, f.s, pose);
        vec3_copy(perp_body_velocity(world->start, 1) + 3,
                  perp_body_velocity(world->start, 0) + 3);
    } else if (world->dimension == 3 || joint->type != &joint_cylindrical) {
        pair_turn(world, 1, p_j, f.s_j, angle);
        pair_turn(world, 1, p_j, f.s, 0.5 * angle);
    }
    for (unsigned k = 0; k < joint->type->axes; k++) {
        /* in the plane a shaft slides, and does not turn */
        if (world->dimension == 3 || joint->type != &joint_cylindrical || k == 1) {
            pair_check_axis(world, joint, k);
        }
    }
}

TEST(usual_coordinates_have_their_rates_on_satisfied_joints)
{
    pair_each(3, check_satisfied_axes);
    pair_each(2, check_satisfied_axes);
}

/* With w = w_j - w_i and the angle a between the axes: s.w = a_0' + cos a a_1' and
 * s'.w = cos a a_0' + a_1' where the angle a stays. */
TEST(two_axes_at_any_angle_share_the_turning)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_joint joint;
        perp_world *world = pair_world(&joint, &joint_wheel, seed);
        joint_frame f;
        double w[3], rate[2];

        joint_frame_now(&joint, world->start, &f);
        /* steering at 0.7 rad/s, spin at -1.3 rad/s, and nothing across both */
        vec3_scale(0.7, f.s, w);
        vec3_add(w, -1.3, f.s_j, w);
        vec3_add(perp_body_velocity(world->start, 0) + 3, 1.0, w,
                 perp_body_velocity(world->start, 1) + 3);
        for (unsigned k = 0; k < 2; k++) {
            pair_probe probe = {&joint, k};
            perp_row row;

            rate[k] = test_rate(world, pair_coordinate, &probe, pair_step);
            CU_ASSERT_DOUBLE_EQUAL(rate[k], k == 0 ? 0.7 : -1.3, pair_step_tolerance);
            CU_ASSERT_TRUE(joint.type->coordinate(&joint, world, world->start, k, &row));
            CU_ASSERT_DOUBLE_EQUAL(pair_rate(world, &joint, &row),
                                   vec3_dot(k == 0 ? f.s : f.s_j, w), 1e-14);
        }
    }
}

TEST(the_turn_of_a_ball_is_its_rotation_vector_in_axes_of_i)
{
    const double turn[3] = {0.3, -1.1, 0.6};
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_spherical, 5);
    double world_turn[3];
    double angle = 0.0;
    double p_i[3], p_j[3];

    perp_joint_anchors(&joint, world->start, p_i, p_j);
    perp_quat_rotate(perp_body_pose(world->start, 0) + 3, turn, world_turn);
    angle = vec3_normalize(world_turn);
    pair_turn(world, 1, p_j, world_turn, angle);
    for (unsigned k = 0; k < 3; k++) {
        perp_row row;

        CU_ASSERT_TRUE(joint.type->coordinate(&joint, world, world->start, k, &row));
        CU_ASSERT_DOUBLE_EQUAL(row.phi, turn[k], 1e-14); /* angles of 1, a few products */
    }
}

/* An angle is in (-pi, pi], and what is turned is what is read,
 * whatever the base pose. */
TEST(angles_of_hinges_wrap_after_half_a_turn)
{
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_revolute, 6);
    double p_i[3], p_j[3];
    joint_frame f;

    perp_joint_anchors(&joint, world->start, p_i, p_j);
    joint_frame_now(&joint, world->start, &f);
    for (int n = 1; n <= 40; n++) {
        perp_row row;

        pair_turn(world, 1, p_j, f.s, 0.25);
        CU_ASSERT_TRUE(joint.type->coordinate(&joint, world, world->start, 0, &row));
        CU_ASSERT(row.phi > -pi && row.phi <= pi);
        /* each turn rounds once */
        CU_ASSERT_DOUBLE_EQUAL(remainder(row.phi - 0.25 * n, 2.0 * pi), 0.0, 1e-14 * n);
    }
    CU_ASSERT_EQUAL(joint_wrap(pi), pi);
    CU_ASSERT_DOUBLE_EQUAL(joint_wrap(-pi), pi, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(joint_wrap(3.0 * pi + 0.5), -pi + 0.5, 1e-14);
}

/* Unwrapped angles. */

TEST(angles_are_counted_over_many_turns)
{
    const perp_joint_type *types[] = {&joint_revolute, &joint_wheel, &joint_universal};

    for (int t = 0; t < 3; t++) {
        unsigned axes = types[t]->axes;
        perp_joint joint;
        perp_world *world = pair_world(&joint, types[t], 7);
        double at[PERP_JOINT_AXES] = {0};
        double p_i[3], p_j[3];
        double expected[2] = {0.0, 0.0};

        perp_joint_anchors(&joint, world->start, p_i, p_j);
        for (int n = 0; n < 300; n++) {
            joint_frame f;
            double spin = n < 200 ? 0.9 : -1.7; /* there and further back, below pi */

            joint_frame_now(&joint, world->start, &f);
            if (axes == 2) {
                pair_turn(world, 1, p_j, f.s, 0.4);
                expected[0] += 0.4;
                joint_frame_now(&joint, world->start, &f);
            }
            pair_turn(world, 1, p_j, f.s_j, spin);
            expected[axes - 1] += spin;
            perp_joint_track(&joint, world, world->start, at);
            for (unsigned k = 0; k < axes; k++) {
                /* two roundings of poses of size 1 in each of 300 turns */
                CU_ASSERT_DOUBLE_EQUAL(at[k], expected[k], 1e-12);
            }
        }
        CU_ASSERT(fabs(expected[axes - 1] - 10.0) < 1e-9);
    }
}

TEST(sliders_are_tracked_as_they_are)
{
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_prismatic, 8);
    double at[PERP_JOINT_AXES] = {0};
    joint_frame f;
    double *pose = perp_body_pose(world->start, 1);

    joint_frame_now(&joint, world->start, &f);
    vec3_add(pose, 20.0, f.s, pose); /* more than any turn */
    perp_joint_track(&joint, world, world->start, at);
    CU_ASSERT_DOUBLE_EQUAL(at[0], 20.0, 1e-13); /* rounding of 20 */
}

/* Energy. */

static double lone_energy(const perp_force *force, const perp_world *world,
                          const perp_state *state)
{
    (void)world;
    (void)state;
    return force->value[0];
}

static const perp_force_type holder = {.name = "holder", .energy = lone_energy};
static const perp_force_type idle = {.name = "idle"};

TEST(springs_of_rows_and_axes_hold_energy)
{
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_revolute, 9);
    double at[PERP_JOINT_AXES] = {0};
    joint_frame f;
    double *pose = perp_body_pose(world->start, 1);
    double p_i[3], p_j[3];
    double total = 0.0;

    joint.axes[0].stiffness = 3.0;
    joint.axes[0].rest = 0.5;
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_energy(&joint, world, world->start, at),
                           0.5 * 3.0 * 0.25, 1e-14);
    /* five turns on, seen at each quarter: 3/2 (10 pi - 1/2)^2 */
    perp_joint_anchors(&joint, world->start, p_i, p_j);
    for (int n = 0; n < 20; n++) {
        joint_frame_now(&joint, world->start, &f);
        pair_turn(world, 1, p_j, f.s, 0.5 * pi);
        perp_joint_track(&joint, world, world->start, at);
    }
    total = 1.5 * (10.0 * pi - 0.5) * (10.0 * pi - 0.5);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_energy(&joint, world, world->start, at), total,
                           1e-9); /* 1e3 J */
    /* softness of the rows: half k of the square of the gap, here 0.3 m */
    joint.axes[0].stiffness = 0.0;
    joint.stiffness = 50.0;
    vec3_add(pose, 0.3, f.s, pose);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_energy(&joint, world, world->start, at),
                           0.5 * 50.0 * 0.09, 1e-12);
}

TEST(ropes_hold_energy_only_when_taut)
{
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_rope, 10);
    double at[PERP_JOINT_AXES] = {0};
    double length = 0.0;
    double angle = 0.0;

    joint.stiffness = 8.0;
    joint.length += 0.5;
    CU_ASSERT_EQUAL(perp_joint_energy(&joint, world, world->start, at), 0.0);
    perp_joint_drift(&joint, world, world->start, &length, &angle);
    CU_ASSERT(length == 0.0 && angle == 0.0);
    joint.length -= 0.75;
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_energy(&joint, world, world->start, at),
                           4.0 * 0.0625, 1e-13);
    perp_joint_drift(&joint, world, world->start, &length, &angle);
    CU_ASSERT_DOUBLE_EQUAL(length, 0.25, 1e-14);
    CU_ASSERT_EQUAL(angle, 0.0);
}

TEST(a_world_stores_what_its_forces_and_joints_do)
{
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_revolute, 11);

    CU_ASSERT_EQUAL(perp_world_stored(world, world->start), 0.0);
    joint.axes[0].stiffness = 4.0;
    joint.axes[0].rest = -1.0;
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
    world->forces = calloc(2, sizeof *world->forces);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world->forces);
    world->force_count = world->force_room = 2;
    world->forces[0].type = &holder;
    world->forces[0].value[0] = 5.0;
    world->forces[1].type = &idle;
    CU_ASSERT_DOUBLE_EQUAL(perp_world_stored(world, world->start), 5.0 + 2.0, 1e-13);
}

TEST(drift_is_a_length_and_an_angle)
{
    perp_joint joint;
    perp_world *world = pair_world(&joint, &joint_fixed, 12);
    double *pose = perp_body_pose(world->start, 1);
    double length = 1.0;
    double angle = 1.0;

    joint.exact = true;
    perp_joint_drift(&joint, world, world->start, &length, &angle);
    CU_ASSERT(length <= pair_rounding && angle <= pair_rounding);
    pose[1] += 0.02;
    pair_turn(world, 1, pose, (const double[3]){0.0, 0.0, 1.0}, 0.3);
    perp_joint_drift(&joint, world, world->start, &length, &angle);
    CU_ASSERT_DOUBLE_EQUAL(length, 0.02, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(angle, 0.3, 1e-14);
}

TEST(anchors_are_where_they_were_attached)
{
    perp_world *world = test_random_world(2, 13);
    perp_random g = {13};
    perp_joint joint = {.type = &joint_spherical, .j = 1};
    const double at[3] = {0.3, -0.2, 0.9};
    double p_i[3], p_j[3];

    OK(perp_joint_attach(&joint, world, world->start, at, NULL, NULL, NULL));
    perp_joint_anchors(&joint, world->start, p_i, p_j);
    test_agree("p_i", p_i, at, 3, pair_rounding);
    test_agree("p_j", p_j, at, 3, pair_rounding);
    pair_joint(&joint, &joint_prismatic, world, &g);
    perp_joint_anchors(&joint, world->start, p_i, p_j);
    test_agree("r_i", p_i, perp_body_pose(world->start, 0), 3, 0.0);
    test_agree("r_j", p_j, perp_body_pose(world->start, 1), 3, 0.0);
}

/* In the plane a hinge needs no axis; the two ends of a rope are two points. */
TEST(attaching_finds_missing_axes_and_lengths)
{
    perp_world *world = pair_plane(14);
    const double at[3] = {0.3, -0.2, 0.0};
    perp_joint hinge = {.type = &joint_revolute, .j = 1};
    perp_joint slider = {.type = &joint_prismatic, .j = 1};
    perp_joint rope = {.type = &joint_rope, .j = 1, .anchor_j = {0.1, 0.2, 0.0}};
    double p_i[3], p_j[3];

    OK(perp_joint_attach(&hinge, world, world->start, at, NULL, NULL, NULL));
    CU_ASSERT(hinge.axis_i[2] == 1.0 && hinge.axis_j[2] == 1.0);
    CU_ASSERT_EQUAL(perp_joint_attach(&slider, world, world->start, at, NULL, NULL, NULL),
                    PERP_ERR_DATA);
    OK(perp_joint_attach(&rope, world, world->start, at, NULL, NULL, NULL));
    perp_joint_anchors(&rope, world->start, p_i, p_j);
    test_agree("p_i", p_i, at, 3, pair_rounding);
    CU_ASSERT_EQUAL(rope.anchor_j[0], 0.1);
    CU_ASSERT_DOUBLE_EQUAL(rope.length, hypot(p_j[0] - p_i[0], p_j[1] - p_i[1]),
                           pair_rounding);
}
