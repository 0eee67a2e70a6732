/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/joints_slide.c: cylindrical and planar joints: what their coordinates
 * count, and how bodies move on them. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "jointed_pair.h"
#include "world_run.h"

static const double dt = 0.01;
static const double g = 9.81;

/* Turned by 0.8 rad and moved by 0.05 m 200 times, both ends of the joint at a random
 * pose: the coordinates are the sums, with two roundings of poses of size 10 a step. */
TEST(a_shaft_counts_its_turns_and_its_way)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_joint joint;
        perp_world *world = pair_world(&joint, &joint_cylindrical, seed);
        double at[PERP_JOINT_AXES] = {0};

        for (int n = 1; n <= 200; n++) {
            joint_frame f;
            double p_i[3], p_j[3];

            joint_frame_now(&joint, world->start, &f);
            perp_joint_anchors(&joint, world->start, p_i, p_j);
            pair_turn(world, 1, p_j, f.s, 0.8);
            vec3_add(perp_body_pose(world->start, 1), 0.05, f.s,
                     perp_body_pose(world->start, 1));
            perp_joint_track(&joint, world, world->start, at);
            CU_ASSERT_DOUBLE_EQUAL(at[0], 0.8 * n, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(at[1], 0.05 * n, 1e-12);
        }
    }
}

/* The same in a plane that turns with body i, along its own axes. */
TEST(a_plane_counts_both_ways_and_the_turns)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_world *world = test_random_world(2, seed);
        perp_random random = {seed};
        perp_joint joint;
        double at[PERP_JOINT_AXES] = {0};

        pair_joint(&joint, &joint_planar, world, &random);
        for (int n = 1; n <= 200; n++) {
            const double *q_i = perp_body_pose(world->start, 0) + 3;
            double *pose = perp_body_pose(world->start, 1);
            joint_frame f;
            double p_i[3], p_j[3], e1[3], e2[3];

            pair_carry(world, &random);
            joint_frame_now(&joint, world->start, &f);
            perp_joint_anchors(&joint, world->start, p_i, p_j);
            pair_turn(world, 1, p_j, f.s, -0.8);
            joint_plane(joint.axis_i, e1, e2);
            perp_quat_rotate(q_i, e1, e1);
            perp_quat_rotate(q_i, e2, e2);
            vec3_add(pose, 0.05, e1, pose);
            vec3_add(pose, -0.02, e2, pose);
            perp_joint_track(&joint, world, world->start, at);
            CU_ASSERT_DOUBLE_EQUAL(at[0], 0.05 * n, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(at[1], -0.02 * n, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(at[2], -0.8 * n, 1e-12);
        }
    }
}

/* Right-handed with the normal, and no other axes for a normal beside z by rounding. */
TEST(the_axes_of_a_plane_start_at_x)
{
    static const double normals[][3] = {{0, 0, 1},      {1e-17, -2e-17, 1}, {0, 1, 0},
                                        {0, 0.6, -0.8}, {0.8, 0, 0.6},      {1, 0, 0}};

    for (size_t n = 0; n < sizeof normals / sizeof *normals; n++) {
        double e1[3], e2[3], c[3];

        joint_plane(normals[n], e1, e2);
        vec3_cross(e1, e2, c);
        test_agree("e1 x e2", c, normals[n], 3, 1e-15);
        CU_ASSERT(normals[n][0] > 0.9 ? e1[1] == 1.0 : e1[0] > 0.4);
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(e1), 1.0, 1e-15);
    }
}

/* A world with a fixed block, a body at its place, and one that falls freely beside
 * it. */
static perp_world *falling(void)
{
    perp_world *world = test_world(3, g);

    test_ball(world, "block", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "it", 2.0, 0.3, 0.0, 0.0, 0.0);
    test_ball(world, "free", 1.0, 0.3, 5.0, 0.0, 0.0);
    return world;
}

static run begin(perp_world *world)
{
    perp_scheme scheme = run_scheme(dt);

    return run_begin(world, &scheme, "nsgs tolerance=1e-13", false);
}

/* A nut on a shaft without friction at a slope of 0.8: it falls 0.8 of what a free body
 * does, along the shaft, and goes on spinning. 300 steps with residuals of 1e-13. */
TEST(a_nut_falls_along_its_shaft_and_spins_on)
{
    const double s[3] = {0.0, 0.6, 0.8};
    perp_world *world = falling();
    run r;
    double x[3];

    run_joint(world, "cylindrical", 0, 1, (const double[3]){0, 0, 0}, s);
    r = begin(world);
    vec3_scale(3.0, s, perp_body_velocity(world->start, 1) + 3);
    run_steps(&r, 300);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[0], 3.0 * 300 * dt, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[1],
                           0.8 * perp_body_pose(world->start, 2)[2], 1e-9);
    CU_ASSERT(perp_joint_axes_of(world->start, 0)[1] < -30.0);
    vec3_scale(perp_joint_axes_of(world->start, 0)[1], s, x);
    test_agree("on the shaft", perp_body_pose(world->start, 1), x, 3, 1e-9);
}

/* A puck on a slope of 0.6, held at its foot. */
TEST(a_puck_slides_down_its_slope)
{
    const double s[3] = {0.0, -0.6, 0.8};
    perp_world *world = falling();
    run r;

    run_joint(world, "planar", 0, 1, (const double[3]){0, 0.06, -0.08}, s);
    r = begin(world);
    perp_body_velocity(world->start, 1)[0] = 0.5;
    vec3_scale(2.0, s, perp_body_velocity(world->start, 1) + 3);
    run_steps(&r, 300);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[0], 0.5 * 300 * dt, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[1],
                           0.6 * perp_body_pose(world->start, 2)[2], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[2], 2.0 * 300 * dt, 1e-9);
}

/* A limit on the way of the nut, and a motor that turns it. */
TEST(a_shaft_has_limits_and_motors_on_both_axes)
{
    const double s[3] = {0.0, 0.0, 1.0};
    perp_world *world = falling();
    perp_joint *joint =
        run_joint(world, "cylindrical", 0, 1, (const double[3]){0, 0, 0}, s);
    run r;

    joint->axes[0].motor = PERP_MOTOR_VELOCITY;
    joint->axes[0].target = 4.0;
    joint->axes[0].max_force = INFINITY;
    joint->axes[1].has_lower = true;
    joint->axes[1].lower = -0.5;
    r = begin(world);
    run_steps(&r, 100);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(world->start, 1)[5], 4.0, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(world->start, 1)[2], 0.0, 1e-10);
    /* the limit was met within a step of 3.2 m/s */
    CU_ASSERT(fabs(perp_joint_axes_of(world->start, 0)[1] + 0.5) <= 3.2 * dt);
}

/* In a world of two dimensions there is no row: motors on all three coordinates. */
TEST(motors_drive_a_body_of_the_plane)
{
    const double target[3] = {0.3, -0.2, 1.5};
    perp_world *world = test_world(2, g);
    perp_joint *joint = NULL;
    run r;

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "body", 2.0, 0.5, 1.0, 2.0, 0.0);
    joint = run_joint(world, "planar", 0, 1, (const double[3]){1, 2, 0}, NULL);
    for (int k = 0; k < 3; k++) {
        joint->axes[k].motor = PERP_MOTOR_VELOCITY;
        joint->axes[k].target = target[k];
        joint->axes[k].max_force = INFINITY;
    }
    r = begin(world);
    run_steps(&r, 50);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[k],
                               50.0 * dt * target[k], 1e-10);
    }
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(world->start, 1)[0], 1.0 + 50.0 * dt * 0.3,
                           1e-10);
}

/* In the plane a shaft is a slider. */
TEST(a_shaft_in_the_plane_slides)
{
    const double s[3] = {0.6, 0.8, 0.0};
    perp_world *world = test_world(2, g);
    run r;

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "it", 2.0, 0.5, 0.0, 0.0, 0.0);
    test_ball(world, "free", 2.0, 0.5, 4.0, 0.0, 0.0);
    run_joint(world, "cylindrical", 0, 1, (const double[3]){0, 0, 0}, s);
    r = begin(world);
    run_steps(&r, 100);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(world->start, 0)[1],
                           0.8 * perp_body_pose(world->start, 2)[1], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(world->start, 1)[5], 0.0, 1e-10);
}
