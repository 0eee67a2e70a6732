/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/velocity.c: velocity constraints with answers in closed form.
 *
 *     J V2 = -(beta/dt) phi,   V2 = V1 + M^-1 J^T lambda
 *
 * by steps without gravity and gyroscopic torque, so that u_free = V1, erp = beta. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "jointed_pair.h"
#include "world_run.h"

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

static perp_scheme step_scheme(double dt, double beta)
{
    perp_scheme scheme = run_scheme(dt);

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.erp = beta;
    scheme.override_gyro = true;
    scheme.gyro = PERP_GYRO_NONE;
    scheme.storage = PERP_STORAGE_DENSE;
    return scheme;
}

static const char *const exact = "lemke tolerance=1e-12";

/* One step of a golden case, with so many rows. */
static run step_golden(perp_world *world, const golden_case *c, size_t rows)
{
    perp_scheme scheme =
        step_scheme(golden_real(c->in, "dt"), golden_real(c->in, "beta"));
    run r = run_begin(world, &scheme, exact, false);

    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.unsolved, 0);
    CU_ASSERT_EQUAL_FATAL(perp_stepper_system(r.stepper)->rows.count, rows);
    golden_agree(c, "lam", perp_stepper_result(r.stepper)->z, rows);
    return r;
}

static void check_ground(const golden_case *c)
{
    double v[2];
    double y = golden_real(c->in, "y");
    perp_world *world = NULL;

    golden_reals(c->in, "v", 2, v);
    world = open_plane(golden_real(c->in, "m"), unit_inertia, (const double[2]){0.3, y},
                       0.0, v, 0.0);
    add_joint(world, &joint_user, GROUND, BODY, origin, origin)->call = height;
    step_golden(world, c, 1);
    golden_agree(c, "v_plus", perp_body_velocity(world->start, BODY), 2);
}

TEST(the_ground_pushes_up_as_a_limit)
{
    golden_each("velocity_constraints", "ground2d", check_ground);
}

/* One step of 0.02 s, beta = 0.2, at height y with the velocity v; its impulse. */
static double ground_step(double y, double *v, perp_limits limits)
{
    perp_world *world = open_plane(2.0, unit_inertia, (const double[2]){0.0, y}, 0.0,
                                   (const double[2]){0.0, *v}, 0.0);
    perp_scheme scheme = step_scheme(0.02, 0.2);
    double lambda = 0.0;
    run r;

    add_joint(world, &joint_user, GROUND, BODY, origin, origin)->call = height;
    scheme.limits = limits;
    r = run_begin(world, &scheme, exact, false);
    run_steps(&r, 1);
    if (perp_stepper_result(r.stepper)) {
        lambda = perp_stepper_result(r.stepper)->z[0];
    }
    *v = perp_body_velocity(world->start, BODY)[1];
    return lambda;
}

/* At 1 cm depth, beta/dt = 10/s: it has to leave at 0.1 m/s, and goes at 3 m/s. */
TEST(a_body_that_leaves_faster_is_let_go)
{
    double v = 3.0;

    CU_ASSERT_EQUAL(ground_step(-0.01, &v, PERP_LIMITS_ALWAYS), 0.0);
    CU_ASSERT_EQUAL(v, 3.0);
    v = 0.0;
    CU_ASSERT_DOUBLE_EQUAL(ground_step(-0.01, &v, PERP_LIMITS_ALWAYS), 2.0 * 0.1, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(v, 0.1, 1e-16);
}

/* At 1 cm height and -1 m/s: it may fall onto the ground within the step, at 0.5 m/s; or
 * there is no row before it is below. */
TEST(above_the_ground_nothing_pushes_but_what_the_step_would_pass)
{
    double v = -0.4;

    CU_ASSERT_EQUAL(ground_step(0.01, &v, PERP_LIMITS_ALWAYS), 0.0);
    CU_ASSERT_EQUAL(v, -0.4);
    v = -1.0;
    CU_ASSERT_DOUBLE_EQUAL(ground_step(0.01, &v, PERP_LIMITS_ALWAYS), 2.0 * 0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(v, -0.5, 1e-15);
    v = -1.0;
    CU_ASSERT_EQUAL(ground_step(0.01, &v, PERP_LIMITS_ON_VIOLATION), 0.0);
    CU_ASSERT_EQUAL(v, -1.0);
}

static void check_point(const golden_case *c)
{
    double v[2];
    double x[2];
    double P[3] = {0};
    perp_world *world = NULL;

    golden_reals(c->in, "v", 2, v);
    golden_reals(c->in, "x", 2, x);
    golden_reals(c->in, "p", 2, P);
    world = open_plane(golden_real(c->in, "m"), unit_inertia, x, 0.4, v, 0.0);
    add_joint(world, &joint_spherical, BODY, GROUND, origin, P);
    step_golden(world, c, 2);
    golden_agree(c, "v_plus", perp_body_velocity(world->start, BODY), 2);
}

TEST(a_point_is_held_by_a_pin_to_the_world)
{
    golden_each("velocity_constraints", "point2d", check_point);
}

static void check_angle(const golden_case *c)
{
    perp_world *world =
        open_plane(1.0, golden_real(c->in, "I"), origin, golden_real(c->in, "a"), origin,
                   golden_real(c->in, "w"));

    add_joint(world, &joint_angle, GROUND, BODY, origin, origin)->theta =
        golden_real(c->in, "theta");
    step_golden(world, c, 1);
    golden_agree(c, "w_plus", perp_body_velocity(world->start, BODY) + 5, 1);
}

TEST(an_angle_is_held_in_the_plane)
{
    golden_each("velocity_constraints", "angle2d", check_angle);
}

static void check_corner(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    const perp_system *system = NULL;
    double corner[3];
    double P[3];
    double J[18];
    double K[9];
    run r;

    golden_body(world, "body", json_object_get(c->in, "body"));
    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    golden_reals(c->in, "corner", 3, corner);
    golden_reals(c->in, "P", 3, P);
    perp_quat_rotate_back(perp_body_pose(world->start, BODY) + 3, corner, corner);
    add_joint(world, &joint_spherical, BODY, GROUND, corner, P);
    r = step_golden(world, c, 3);
    system = perp_stepper_system(r.stepper);
    for (size_t k = 0; k < 9; k++) {
        K[k] = perp_operator_entry(system->problem.A, k / 3, k % 3);
    }
    for (size_t k = 0; k < 3; k++) {
        memcpy(J + 6 * k, system->rows.J + 12 * k, 6 * sizeof *J);
    }
    golden_agree(c, "J", J, 18);
    golden_agree(c, "K", K, 9);
    golden_agree(c, "u_plus", perp_body_velocity(world->start, BODY), 6);
}

TEST(a_corner_is_pinned_in_space)
{
    golden_each("velocity_constraints", "pin3d", check_corner);
}

/* phi of a point that is pulled along x, in each of ten steps. */
TEST(the_error_shrinks_by_one_less_beta_a_step)
{
    const double betas[] = {0.0, 0.2, 0.5, 1.0};

    for (int b = 0; b < 4; b++) {
        perp_world *world = open_plane(1.5, unit_inertia, (const double[2]){0.8, 0.0},
                                       0.0, (const double[2]){4.0, -1.0}, 0.0);
        perp_scheme scheme = step_scheme(0.02, betas[b]);
        const double *pose = perp_body_pose(world->start, BODY);
        double expected = 0.8;
        run r;

        add_joint(world, &joint_spherical, BODY, GROUND, origin, origin);
        r = run_begin(world, &scheme, exact, false);
        for (int n = 0; n < 10; n++) {
            run_steps(&r, 1);
            expected *= 1.0 - betas[b];
            CU_ASSERT_DOUBLE_EQUAL(pose[0], expected, 1e-15 * (n + 1)); /* one rounding */
            CU_ASSERT_DOUBLE_EQUAL(pose[1], 0.0, 1e-15);
        }
    }
}

/* Five rows of a hinge as one system, and one after another until they agree. */
TEST(rows_solved_together_and_in_turn_agree)
{
    perp_world *world = test_random_world(2, 14);
    perp_random g = {14};
    perp_scheme scheme = step_scheme(0.02, 0.2);
    perp_contacts contacts = {0};
    perp_system system = {0};
    perp_joint joint;
    perp_result *solved = NULL;
    double lambda[PERP_JOINT_ROWS] = {0};
    double together[12];
    double u[12];

    pair_joint(&joint, &joint_revolute, world, &g);
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
    pair_shake(world, &g, 0.05);
    OK(perp_step_formulate(world, world->start, &scheme, &contacts, &system, NULL));
    CU_ASSERT_EQUAL_FATAL(system.problem.n, 5);
    solved = test_solve(&system.problem, "lemke", "tolerance=1e-12", NULL);
    CU_ASSERT_EQUAL(solved->outcome, PERP_SOLVED);
    perp_system_velocities(&system, solved->z, together);
    memcpy(u, system.u_free, sizeof u);
    perp_sequential_impulses(&system.rows, world, world->start, &contacts, 3000, u,
                             lambda);
    /* sweeps converge by a constant factor; these went to rounding, 1e-14 times the
       condition of five rows, a few hundred */
    test_agree("u", u, together, 12, 1e-11);
    test_agree("lambda", lambda, solved->z, 5, 1e-11);
    perp_system_clear(&system);
    perp_contacts_clear(&contacts);
}
