/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/velocity.c: velocity constraints with answers in closed form.
 *
 *     J V2 = -(beta/dt) phi,   V2 = V1 + M^-1 J^T lambda
 *
 * solved row by row or as a whole with the rows that joints write. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "pair.h"

/* The case's body as "body", and a static one, "ground", at the origin. */
enum { BODY, GROUND };

static perp_world *open_plane(double m, double inertia, const double r[2], double angle,
                              const double v[2], double omega)
{
    perp_world *world = test_world(2, 0.0);
    perp_body body = {.name = "body", .mass = m, .r = {r[0], r[1], 0.0}};
    perp_error err = {0};

    body.inertia[0] = body.inertia[4] = body.inertia[8] = inertia;
    body.q[0] = cos(0.5 * angle);
    body.q[3] = sin(0.5 * angle);
    vec3_set(body.v, v[0], v[1], 0.0);
    body.w[2] = omega;
    if (perp_world_add_body(world, &body, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("body");
    }
    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    return world;
}

static perp_joint *add_joint(perp_world *world, const perp_joint_type *type, int32_t i,
                             int32_t j, const double anchor_i[3],
                             const double anchor_j[3])
{
    perp_joint joint = {.type = type, .name = "it", .i = i, .j = j};
    perp_error err = {0};

    vec3_copy(joint.anchor_i, anchor_i);
    vec3_copy(joint.anchor_j, anchor_j);
    joint.axis_i[2] = 1.0;
    joint.call = pair_limit;
    if (perp_world_add_joint(world, &joint, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("joint");
    }
    return world->joints;
}

static const double origin[3] = {0};
static const double unit_inertia = 1.0;

/* C = y of the body above the ground, as a user's limit. */
static double height(void *context, const perp_world *world, const perp_state *state,
                     const perp_joint *joint, double J[12])
{
    (void)context;
    (void)world;
    J[7] = 1.0;
    return perp_body_pose(state, (size_t)joint->j)[1];
}

/* One step of the constraint: the impulse that the ground gives. */
static double ground_step(perp_world *world, const perp_joint *joint, double correct)
{
    perp_row rows[PERP_JOINT_ROWS];
    double target = 0.0;
    double lambda = 0.0;

    CU_ASSERT_TRUE(joint->type->unilateral);
    CU_ASSERT_EQUAL_FATAL(joint->type->write(joint, world, world->start, rows), 1);
    target = -correct * rows[0].phi;
    /* pushes only, and only where it would move slower than the correction asks */
    if (rows[0].phi <= 0.0 && pair_rate(world, joint, rows) < target) {
        pair_solve(world, joint, rows, 1, &target, &lambda, NULL);
    }
    return lambda;
}

static void check_ground(const golden_case *c)
{
    double v[2];
    double y = golden_real(c->in, "y");
    double correct = golden_real(c->in, "beta") / golden_real(c->in, "dt");
    perp_world *world = NULL;
    perp_joint *joint = NULL;
    double lambda = 0.0;

    golden_reals(c->in, "v", 2, v);
    world = open_plane(golden_real(c->in, "m"), unit_inertia, (const double[2]){0.3, y},
                       0.0, v, 0.0);
    joint = add_joint(world, &joint_user, GROUND, BODY, origin, origin);
    joint->call = height;
    lambda = ground_step(world, joint, correct);
    golden_agree(c, "lam", &lambda, 1);
    golden_agree(c, "v_plus", perp_body_velocity(world->start, BODY), 2);
    perp_world_free(world);
}

TEST(the_ground_pushes_up_as_a_limit)
{
    golden_each("velocity_constraints", "ground2d", check_ground);
}

/* At 1 cm depth, beta/dt = 10/s: it has to leave at 0.1 m/s, and goes at 3 m/s. */
TEST(a_body_that_leaves_faster_is_let_go)
{
    perp_world *world = open_plane(2.0, unit_inertia, (const double[2]){0.0, -0.01}, 0.0,
                                   (const double[2]){0.0, 3.0}, 0.0);
    perp_joint *joint = add_joint(world, &joint_user, GROUND, BODY, origin, origin);

    joint->call = height;
    CU_ASSERT_EQUAL(ground_step(world, joint, 10.0), 0.0);
    CU_ASSERT_EQUAL(perp_body_velocity(world->start, BODY)[1], 3.0);
    perp_body_velocity(world->start, BODY)[1] = 0.0;
    CU_ASSERT_DOUBLE_EQUAL(ground_step(world, joint, 10.0), 2.0 * 0.1, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(world->start, BODY)[1], 0.1, 1e-16);
    perp_body_pose(world->start, BODY)[1] = 0.01; /* above the ground nothing pushes */
    perp_body_velocity(world->start, BODY)[1] = -1.0;
    CU_ASSERT_EQUAL(ground_step(world, joint, 10.0), 0.0);
    perp_world_free(world);
}

static void check_point(const golden_case *c)
{
    double v[2];
    double x[2];
    double P[3] = {0};
    double correct = golden_real(c->in, "beta") / golden_real(c->in, "dt");
    perp_world *world = NULL;
    perp_joint *joint = NULL;
    perp_row rows[PERP_JOINT_ROWS];
    double target[2];
    double lambda[2];

    golden_reals(c->in, "v", 2, v);
    golden_reals(c->in, "x", 2, x);
    golden_reals(c->in, "p", 2, P);
    world = open_plane(golden_real(c->in, "m"), unit_inertia, x, 0.4, v, 0.0);
    joint = add_joint(world, &joint_spherical, BODY, GROUND, origin, P);
    CU_ASSERT_EQUAL_FATAL(joint->type->write(joint, world, world->start, rows), 2);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_DOUBLE_EQUAL(rows[k].phi, x[k] - P[k], 1e-14);
        target[k] = -correct * rows[k].phi;
    }
    pair_solve(world, joint, rows, 2, target, lambda, NULL);
    golden_agree(c, "lam", lambda, 2);
    golden_agree(c, "v_plus", perp_body_velocity(world->start, BODY), 2);
    perp_world_free(world);
}

TEST(a_point_is_held_by_a_pin_to_the_world)
{
    golden_each("velocity_constraints", "point2d", check_point);
}

static void check_angle(const golden_case *c)
{
    double a = golden_real(c->in, "a");
    double correct = golden_real(c->in, "beta") / golden_real(c->in, "dt");
    perp_world *world = NULL;
    perp_joint *joint = NULL;
    perp_row rows[PERP_JOINT_ROWS];
    double target = 0.0;
    double lambda = 0.0;

    world = open_plane(1.0, golden_real(c->in, "I"), origin, a, origin,
                       golden_real(c->in, "w"));
    joint = add_joint(world, &joint_angle, GROUND, BODY, origin, origin);
    joint->theta = golden_real(c->in, "theta");
    CU_ASSERT_EQUAL_FATAL(joint->type->write(joint, world, world->start, rows), 1);
    CU_ASSERT_DOUBLE_EQUAL(rows[0].phi, a - joint->theta, 1e-14);
    target = -correct * rows[0].phi;
    pair_solve(world, joint, rows, 1, &target, &lambda, NULL);
    golden_agree(c, "lam", &lambda, 1);
    golden_agree(c, "w_plus", perp_body_velocity(world->start, BODY) + 5, 1);
    perp_world_free(world);
}

TEST(an_angle_is_held_in_the_plane)
{
    golden_each("velocity_constraints", "angle2d", check_angle);
}

static void check_corner(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    double correct = golden_real(c->in, "beta") / golden_real(c->in, "dt");
    perp_joint *joint = NULL;
    perp_row rows[PERP_JOINT_ROWS];
    double corner[3];
    double P[3];
    double J[18];
    double target[3];
    double lambda[3];
    double K[9];

    golden_body(world, "body", json_object_get(c->in, "body"));
    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    golden_reals(c->in, "corner", 3, corner);
    golden_reals(c->in, "P", 3, P);
    perp_quat_rotate_back(perp_body_pose(world->start, BODY) + 3, corner, corner);
    joint = add_joint(world, &joint_spherical, BODY, GROUND, corner, P);
    CU_ASSERT_EQUAL_FATAL(joint->type->write(joint, world, world->start, rows), 3);
    for (int k = 0; k < 3; k++) {
        memcpy(J + (ptrdiff_t)6 * k, rows[k].J, 6 * sizeof *J);
        target[k] = -correct * rows[k].phi;
    }
    pair_solve(world, joint, rows, 3, target, lambda, K);
    golden_agree(c, "J", J, 18);
    golden_agree(c, "K", K, 9);
    golden_agree(c, "lam", lambda, 3);
    golden_agree(c, "u_plus", perp_body_velocity(world->start, BODY), 6);
    perp_world_free(world);
}

TEST(a_corner_is_pinned_in_space)
{
    golden_each("velocity_constraints", "pin3d", check_corner);
}

/* phi of a point that is pulled along x, after one step and after ten. */
TEST(the_error_shrinks_by_one_less_beta_a_step)
{
    const double betas[] = {0.0, 0.2, 0.5, 1.0};
    const double dt = 0.02;

    for (int b = 0; b < 4; b++) {
        perp_world *world = open_plane(1.5, unit_inertia, (const double[2]){0.8, 0.0},
                                       0.0, (const double[2]){4.0, -1.0}, 0.0);
        perp_joint *joint =
            add_joint(world, &joint_spherical, BODY, GROUND, origin, origin);
        double *pose = perp_body_pose(world->start, BODY);
        double expected = 0.8;

        for (int n = 0; n < 10; n++) {
            perp_row rows[PERP_JOINT_ROWS];
            double target[2];
            double lambda[2];

            CU_ASSERT_EQUAL_FATAL(joint->type->write(joint, world, world->start, rows),
                                  2);
            for (int k = 0; k < 2; k++) {
                target[k] = -betas[b] / dt * rows[k].phi;
            }
            pair_solve(world, joint, rows, 2, target, lambda, NULL);
            vec3_add(pose, dt, perp_body_velocity(world->start, BODY), pose);
            expected *= 1.0 - betas[b];
            CU_ASSERT_DOUBLE_EQUAL(pose[0], expected, 1e-15 * (n + 1)); /* one rounding */
            CU_ASSERT_DOUBLE_EQUAL(pose[1], 0.0, 1e-15);
        }
        perp_world_free(world);
    }
}

/* Five rows of a hinge as one system, and one after another until they agree. */
TEST(rows_solved_together_and_in_turn_agree)
{
    perp_world *world = test_random_world(2, 14);
    perp_random g = {14};
    perp_joint joint;
    perp_row rows[PERP_JOINT_ROWS];
    double target[PERP_JOINT_ROWS];
    double lambda[PERP_JOINT_ROWS];
    double sum[PERP_JOINT_ROWS] = {0};
    double u[12];
    unsigned n = 0;

    pair_joint(&joint, &joint_revolute, world, &g);
    pair_shake(world, &g, 0.05);
    n = joint.type->write(&joint, world, world->start, rows);
    CU_ASSERT_EQUAL_FATAL(n, 5);
    for (unsigned k = 0; k < n; k++) {
        target[k] = -10.0 * rows[k].phi;
    }
    memcpy(u, world->start->u, sizeof u);
    pair_solve(world, &joint, rows, n, target, lambda, NULL);
    for (int side = 0; side < 12;
         side++) { /* u becomes the answer, the world the start */
        double answer = world->start->u[side];

        world->start->u[side] = u[side];
        u[side] = answer;
    }
    for (int sweep = 0; sweep < 3000; sweep++) {
        for (unsigned k = 0; k < n; k++) {
            double one = 0.0;

            pair_solve(world, &joint, &rows[k], 1, &target[k], &one, NULL);
            sum[k] += one;
        }
    }
    /* sweeps converge by a constant factor; these went to rounding, 1e-14 times the
       condition of five rows, a few hundred */
    test_agree("u", world->start->u, u, 12, 1e-11);
    test_agree("lambda", sum, lambda, 5, 1e-11);
    perp_world_free(world);
}

TEST_MAIN("dynamics/velocity")
