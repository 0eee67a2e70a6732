/* SPDX-License-Identifier: Apache-2.0
 * tests/step/step.c: whole steps: golden trajectories, laws of motion. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "world_run.h"

/* Bodies, joints, axes and contacts of a golden trajectory. */
static perp_world *golden_world(const golden_case *c)
{
    const json_t *bodies = json_object_get(c->in, "bodies");
    const json_t *item = NULL;
    perp_world *world = test_world(3, 0.0);
    size_t index = 0;

    golden_reals(c->in, "gravity", 3, world->gravity);
    json_array_foreach(bodies, index, item)
    {
        char name[32];

        snprintf(name, sizeof name, "body %zu", index);
        golden_body(world, name, item);
    }
    return world;
}

static void add_sphere_plane(perp_world *world, const json_t *data)
{
    perp_shape plane = {.type = perp_shape_type_find("plane")};
    perp_shape sphere = {.type = perp_shape_type_find("sphere")};

    plane.body = (int32_t)golden_real(data, "i");
    sphere.body = (int32_t)golden_real(data, "j");
    sphere.size[0] = golden_real(data, "radius");
    run_material(world, golden_real(data, "mu"), 0.0);
    OK(perp_world_add_shape(world, &plane, NULL, NULL));
    OK(perp_world_add_shape(world, &sphere, NULL, NULL));
}

static void add_axis(perp_world *world, const json_t *data, const char *kind)
{
    perp_axis *axis = &world->joints[(size_t)golden_real(data, "of")].axes[0];

    if (strcmp(kind, "motor") == 0) {
        axis->motor = PERP_MOTOR_VELOCITY;
        axis->target = golden_real(data, "v_desired");
        axis->max_force = golden_real(data, "max_force");
    } else {
        CU_ASSERT_STRING_EQUAL_FATAL(kind, "limit_hi");
        axis->has_upper = true;
        axis->upper = golden_real(data, "hi_limit");
    }
}

static void add_constraints(perp_world *world, const golden_case *c, perp_scheme *scheme)
{
    const json_t *item = NULL;
    size_t index = 0;

    json_array_foreach(json_object_get(c->in, "constraints"), index, item)
    {
        const char *kind = json_string_value(json_object_get(item, "kind"));

        if (strcmp(kind, "sphere_plane") == 0) {
            add_sphere_plane(world, item);
            scheme->eta = (unsigned)golden_real(item, "eta");
        } else if (json_object_get(item, "of")) {
            add_axis(world, item, kind);
        } else {
            perp_joint joint;
            perp_error err = {0};

            golden_joint(&joint, kind, item, (int32_t)golden_real(item, "i"),
                         (int32_t)golden_real(item, "j"));
            snprintf(joint.name, sizeof joint.name, "joint %zu", index);
            if (perp_world_add_joint(world, &joint, NULL, &err) != PERP_OK) {
                test_note("%s: %s", c->name, err.text);
                CU_FAIL_FATAL("joint of a golden file");
            }
        }
    }
}

/* A solver, and the model that it takes; they agree where sliding is along a tangent. */
typedef struct golden_run {
    const char *solver;
    perp_model model;
} golden_run;

static const golden_run *golden_by;

static void follow(const golden_case *c)
{
    perp_scheme scheme = run_scheme(golden_real(c->in, "dt"));
    perp_world *world = golden_world(c);
    size_t stops = golden_count(c->in, "steps");
    size_t width = 13 * (world->body_count - 1);
    double *at = test_alloc(stops + stops * width, sizeof *at);
    double *states = at + stops;
    size_t step = 0;
    run r;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.erp = golden_real(c->in, "k_erp");
    scheme.override_gyro = true;
    scheme.gyro = PERP_GYRO_EXPLICIT;
    scheme.model = golden_by->model;
    add_constraints(world, c, &scheme);
    golden_reals(c->in, "steps", stops, at);
    r = run_begin(world, &scheme, golden_by->solver, true);
    for (size_t k = 0; k < stops; k++) {
        run_steps(&r, (size_t)at[k] - step);
        step = (size_t)at[k];
        for (size_t b = 1; b < world->body_count; b++) {
            double *out = states + k * width + 13 * (b - 1);

            memcpy(out, perp_body_pose(world->start, b), 7 * sizeof *out);
            memcpy(out + 7, perp_body_velocity(world->start, b), 6 * sizeof *out);
        }
    }
    CU_ASSERT_EQUAL(r.unsolved, 0);
    golden_agree(c, "states", states, stops * width);
}

TEST(follows_the_golden_trajectories)
{
    /* 1e-12 a step over 100 steps, to which the golden values' 1e-7 leaves a
     * thousandfold */
    static const golden_run runs[] = {
        {"lemke tolerance=1e-12", PERP_MODEL_PYRAMID},
        {"nsgs tolerance=1e-12", PERP_MODEL_CONE},
        {"tresca:dantzig tolerance=1e-12", PERP_MODEL_BOX},
        {"auto tolerance=1e-12", PERP_MODEL_CONE},
        {"nsgs+newton tolerance=1e-12", PERP_MODEL_CONE},
        {"ds:mpgp tolerance=1e-12", PERP_MODEL_CONE},
        {"admm-ncp tolerance=1e-12", PERP_MODEL_CONE},
    };

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        golden_by = &runs[k];
        golden_each("trajectories", "maximal", follow);
    }
}

/* v_n = v - n dt g, r_n = r + n dt v - n (n + 1)/2 dt^2 g of symplectic Euler,
 * and L = I w. */
TEST(a_free_body_falls_as_the_sums_say)
{
    const double dt = 0.01;
    const int n = 200;
    perp_scheme scheme = run_scheme(dt);
    perp_world *world = test_world(3, 9.81);
    int32_t k = test_ball(world, "ball", 2.0, 0.3, 1.0, 2.0, 3.0);
    double *u = perp_body_velocity(world->start, (size_t)k);
    const double start[6] = {1.0, -2.0, 5.0, 0.3, 0.2, -0.1};
    double L[3];
    run r;

    memcpy(u, start, sizeof start);
    r = run_begin(world, &scheme, "nsgs", true);
    perp_world_momentum(world, world->start, L);
    run_steps(&r, (size_t)n);
    u = perp_body_velocity(world->start, (size_t)k);
    /* n roundings of numbers of size 20 */
    CU_ASSERT_DOUBLE_EQUAL(u[2], 5.0 - n * dt * 9.81, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(world->start->s[2],
                           3.0 + n * dt * 5.0 - 0.5 * n * (n + 1) * dt * dt * 9.81,
                           1e-11);
    CU_ASSERT_DOUBLE_EQUAL(world->start->s[0], 1.0 + n * dt, 1e-12);
    /* dp = m g t; spin of a sphere is constant */
    CU_ASSERT_DOUBLE_EQUAL(r.report.momentum[2] - L[2], -2.0 * 9.81 * n * dt, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(u[3], 0.3, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(r.report.t, n * dt, 1e-12);
    CU_ASSERT_EQUAL(r.report.step, (size_t)n);
    /* nothing to solve is solved */
    CU_ASSERT_EQUAL(r.report.outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r.report.rows, 0);
    CU_ASSERT_EQUAL(r.report.iterations, 0);
    CU_ASSERT_STRING_EQUAL(r.report.reason, "");
    CU_ASSERT_PTR_NULL(perp_stepper_result(r.stepper));
}

/* Torque-free motion of an unequal body: the explicit term moves L by dt only, halving dt
 * halves it; momentum p is constant to rounding. */
TEST(a_torque_free_body_keeps_momentum_to_the_order_of_the_step)
{
    double drift[2];

    for (int half = 0; half < 2; half++) {
        double dt = half ? 0.0005 : 0.001;
        perp_scheme scheme = run_scheme(dt);
        perp_world *world = test_random_world(1, 7);
        double L[3];
        double p[3];
        run r = run_begin(world, &scheme, "nsgs", true);

        perp_world_angular_momentum(world, world->start, L);
        perp_world_momentum(world, world->start, p);
        run_steps(&r, half ? 1000 : 500);
        vec3_add(r.report.angular_momentum, -1.0, L, L);
        vec3_add(r.report.momentum, -1.0, p, p);
        CU_ASSERT(vec3_length(p) <= 1e-15);
        drift[half] = vec3_length(L);
        CU_ASSERT(drift[half] > 1e-8); /* it is there to be halved */
    }
    CU_ASSERT_DOUBLE_EQUAL(drift[0] / drift[1], 2.0, 0.1);
}

/* A wheel at 100 rad/s turns by 100 rad in a second under the exponential map, and by
 * 2 atan(w dt/2)/dt under the linear one. */
TEST(fast_wheels_turn_exactly_under_the_exponential_map)
{
    for (int linear = 0; linear < 2; linear++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = test_world(3, 0.0);
        double angle = linear ? 100.0 * 2.0 * atan(0.5) : 100.0;
        double length = 0.0;
        run r;

        test_ball(world, "wheel", 1.0, 0.3, 0.0, 0.0, 0.0);
        world->start->u[5] = 100.0;
        scheme.turn = linear ? PERP_TURN_LINEAR : PERP_TURN_EXPONENTIAL;
        r = run_begin(world, &scheme, "nsgs", true);
        run_steps(&r, 100);
        for (int c = 3; c < 7; c++) {
            length += world->start->s[c] * world->start->s[c];
        }
        CU_ASSERT_DOUBLE_EQUAL(length, 1.0, 1e-14); /* solved in w, kept in unit q */
        /* 100 roundings of an angle of 100 rad */
        CU_ASSERT_DOUBLE_EQUAL(fabs(world->start->s[3]), fabs(cos(0.5 * angle)), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(fabs(world->start->s[6]), fabs(sin(0.5 * angle)), 1e-12);
    }
}

/* What one step did to the momenta about the origin, at the poses before it. */
static void momenta_of_impulses(run *r, double dp[3], double dL[3])
{
    perp_world *w = r->world;
    size_t n = w->body_count;
    double *s = malloc(7 * n * sizeof *s);
    double p[3];
    double L[3];

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    memcpy(s, w->start->s, 7 * n * sizeof *s);
    perp_world_momentum(w, w->start, p);
    perp_world_angular_momentum(w, w->start, L);
    run_steps(r, 1);
    memcpy(w->start->s, s, 7 * n * sizeof *s);
    perp_world_momentum(w, w->start, dp);
    perp_world_angular_momentum(w, w->start, dL);
    vec3_subtract(dp, p, dp);
    vec3_subtract(dL, L, dL);
    free(s);
}

TEST(every_joint_that_is_met_exactly_keeps_both_momenta)
{
    static const double at[3] = {0.3, -0.2, 0.1};
    static const double along[3] = {0.48, 0.6, 0.64};
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);

    CU_ASSERT_FATAL(count >= 6);
    for (size_t k = 0; k < count; k++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *world = NULL;
        double dp[3];
        double dL[3];
        run r;

        if (types[k]->needs & PERP_JOINT_CALL) {
            continue; /* the user's rows are the user's */
        }
        world = test_random_world(2, 100 + k);
        run_joint(world, types[k]->name, 0, 1, at, along);
        scheme.override_gyro = true;
        scheme.gyro = PERP_GYRO_NONE; /* impulses alone change the momenta */
        r = run_begin(world, &scheme, "nsgs tolerance=1e-12", true);
        momenta_of_impulses(&r, dp, dL);
        CU_ASSERT(r.unsolved == 0);
        if (vec3_length(dp) > 1e-14 || vec3_length(dL) > 1e-14) {
            test_note("%s: %g, %g", types[k]->name, vec3_length(dp), vec3_length(dL));
        }
        /* sums of numbers of size 1 */
        CU_ASSERT(vec3_length(dp) <= 1e-14);
        CU_ASSERT(vec3_length(dL) <= 1e-14);
    }
}

/* A platform at 1 m/s takes a box along: its speed grows by mu g dt a step up to 1. */
TEST(kinematic_bodies_drive_the_bodies_on_them)
{
    const double half[3] = {0.2, 0.2, 0.2};
    const double wide[3] = {5.0, 5.0, 0.1};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 10.0);
    int32_t box = 0;
    run r;

    run_material(world, 0.3, 0.0);
    run_box(world, "platform", 0.0, wide, 0.0, 0.0, -0.1);
    world->motion[0] = PERP_MOTION_KINEMATIC;
    world->start->u[0] = 1.0;
    box = run_box(world, "box", 2.0, half, 0.0, 0.0, 0.2);
    r = run_begin(world, &scheme, "nsgs tolerance=1e-12", true);
    run_steps(&r, 10);
    /* 1e-12 of impulses a step */
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[6 * (size_t)box], 10 * 0.3 * 10.0 * 0.01,
                           1e-9);
    run_steps(&r, 40);
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[6 * (size_t)box], 1.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[0], 1.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(world->start->s[0], 0.5, 1e-14);
    CU_ASSERT_EQUAL(r.unsolved, 0);
}

/* A hinge to a kinematic body follows it. */
TEST(kinematic_bodies_carry_their_joints)
{
    const double at[3] = {0.0, 0.0, 0.0};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 0.0);
    run r;

    test_ball(world, "hand", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "stone", 1.0, 0.1, 0.0, 0.0, -1.0);
    run_joint(world, "fixed", 0, 1, at, NULL);
    world->motion[0] = PERP_MOTION_KINEMATIC;
    world->mass[0] = 0.0;
    world->start->u[1] = 2.0;
    r = run_begin(world, &scheme, "dantzig tolerance=1e-12", true);
    run_steps(&r, 20);
    CU_ASSERT_DOUBLE_EQUAL(world->start->u[7], 2.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(world->start->s[8], world->start->s[1], 1e-12);
}

/* Backward Euler of a stiff spring: x+ = (x + h v)/(1 + h^2 k/m), far beyond where
 * explicit schemes are stable (h omega = 10). */
TEST(implicit_euler_damps_a_stiff_spring_in_the_loop)
{
    const double h = 0.01;
    const double k = 1e6;
    perp_scheme scheme = run_scheme(h);
    perp_world *world = test_world(3, 0.0);
    perp_force spring = {.type = perp_force_type_find("spring"), .i = 0, .j = 1};
    double x = 1.1;
    double v = 0.0;
    run r;

    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "mass", 1.0, 0.1, x, 0.0, 0.0);
    spring.value[0] = k;
    spring.value[2] = 1.0; /* rest length */
    snprintf(spring.name, sizeof spring.name, "spring");
    OK(perp_world_add_force(world, &spring, NULL));
    scheme.integrator = PERP_INTEGRATOR_IMPLICIT;
    r = run_begin(world, &scheme, "nsgs", true);
    for (int n = 0; n < 10; n++) {
        run_steps(&r, 1);
        v = (v - h * k * (x - 1.0)) / (1.0 + h * h * k);
        x += h * v;
        /* stiffness 1e6 times rounding of positions */
        CU_ASSERT_DOUBLE_EQUAL(world->start->s[7], x, 1e-9);
    }
    CU_ASSERT(fabs(x - 1.0) < 1e-3);
}
