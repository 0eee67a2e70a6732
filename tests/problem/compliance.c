/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/compliance.c: K_cfm of limits, motors and contacts, and what is corrected of
 * soft rows where positions are corrected apart from velocities. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "formulated_world.h"
#include "world_run.h"

static const double dt = 0.01, mass = 2.0, weight = 2.0 * 9.81, K = 1e-3, erp = 0.25;

/* A mass on a rail along x, at x, pushed by f; row 5 is that of the axis. */
static perp_axis *open_rail(stage *s, double x, double f)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    const double along[3] = {1.0, 0.0, 0.0};
    perp_world *world = test_world(3, 0.0);

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "mass", mass, 1.0, 0.0, 0.0, 0.0);
    run_joint(world, "prismatic", 0, 1, origin, along);
    world->start->s[7] = x;
    world->start->load[6] = f;
    stage_open(s, world);
    s->scheme.dt = dt;
    s->scheme.erp = erp;
    return &world->joints[0].axes[0];
}

/* One more row, and its impulse: (1/m + K/dt) lambda = bias - J u_free. */
static void check_axis(stage *s, double sign, double bias, double f)
{
    const double expected = (bias - sign * dt * f / mass) / (1.0 / mass + K / dt);
    perp_result *r = NULL;

    stage_formulate(s);
    CU_ASSERT_EQUAL_FATAL(s->system.rows.count, 6);
    CU_ASSERT(s->system.rows.any_soft);
    CU_ASSERT_EQUAL(s->system.rows.soft[5], K / dt);
    CU_ASSERT_EQUAL(s->system.rows.soft[0], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(s->system.problem.A, 5, 5),
                           1.0 / mass + K / dt, 1e-15);
    r = stage_solve(s, "dantzig");
    CU_ASSERT_DOUBLE_EQUAL(r->z[5], expected, 1e-13);
    /* J u+ = bias - K lambda/dt */
    CU_ASSERT_DOUBLE_EQUAL(sign * s->u_plus[6], bias - K / dt * expected, 1e-13);
}

TEST(limits_give_way_by_cfm)
{
    stage s;
    perp_axis *axis = open_rail(&s, 0.02, 300.0);

    axis->limit_cfm = K;
    axis->has_upper = true; /* x = 0.02 beyond it */
    check_axis(&s, -1.0, erp / dt * 0.02, 300.0);
    s.world->start->load[6] = -300.0;
    axis->has_upper = false;
    axis->has_lower = true;
    axis->lower = 0.05;
    check_axis(&s, 1.0, erp / dt * 0.03, -300.0);
    axis->has_upper = true;
    axis->upper = axis->lower = 0.0; /* locked */
    check_axis(&s, 1.0, -erp / dt * 0.02, -300.0);
    stage_close(&s);
}

TEST(motors_lose_speed_by_cfm_times_their_force)
{
    stage s;
    perp_axis *axis = open_rail(&s, 0.0, -500.0);

    axis->motor = PERP_MOTOR_VELOCITY;
    axis->target = 0.75;
    axis->max_force = INFINITY;
    axis->motor_cfm = K;
    check_axis(&s, 1.0, 0.75, -500.0);
    axis->motor = PERP_MOTOR_SERVO;
    axis->target = 0.1;
    check_axis(&s, 1.0, erp / dt * 0.1, -500.0);
    axis->max_force = 100.0; /* bounds are those of a hard one */
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.hi[5], 1.0);
    perp_result_free(stage_solve(&s, "dantzig"));
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[6], dt * (100.0 - 500.0) / mass, 1e-14);
    stage_close(&s);
}

/* On a contact at gap 0 that slides at 3 m/s, in models without lift and every storage: the
 * normal gives way, friction is of what it carries. */
TEST(contacts_give_way_by_cfm_in_every_model)
{
    static const struct {
        perp_model model;
        const char *solver;
    } how[] = {
        {PERP_MODEL_FRICTIONLESS, "lemke"}, {PERP_MODEL_CONE, "nsgs"},
        {PERP_MODEL_CONE, "admm-ncp"},      {PERP_MODEL_CONE, "auto"},
        {PERP_MODEL_PYRAMID, "lemke"},      {PERP_MODEL_BOX, "pgs"},
    };
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                            PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};
    const double point[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, mu = 0.5;
    const double lambda = dt * 9.81 / (1.0 / mass + K / dt);

    for (size_t k = 0; k < 24; k++) {
        perp_world *world = test_world(3, 9.81);
        const bool smooth = how[k / 4].model == PERP_MODEL_FRICTIONLESS;
        stage s;

        test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
        test_ball(world, "body", mass, 1.0, 0.0, 0.0, 0.0);
        world->start->u[6] = 3.0;
        stage_open(&s, world);
        s.scheme.dt = dt;
        s.scheme.model = how[k / 4].model;
        s.scheme.eta = 4;
        s.scheme.storage = storages[k % 4];
        stage_touch(&s, 0, 1, point, up, 0.0, mu)->cfm = K;
        stage_formulate(&s);
        CU_ASSERT(s.system.rows.any_soft);
        CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(s.system.problem.A, 0, 0),
                               1.0 / mass + K / dt, 1e-15);
        perp_result_free(stage_solve(&s, how[k / 4].solver));
        /* 1e-8 of the residual, in m/s */
        CU_ASSERT_DOUBLE_EQUAL(s.u_plus[8], -K / dt * lambda, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(s.u_plus[6], 3.0 - (smooth ? 0.0 : mu * lambda / mass),
                               1e-8);
        stage_close(&s);
    }
}

TEST(the_cfm_of_two_materials_is_their_sum)
{
    perp_world *w = test_world(3, 9.81);
    perp_material a = {.name = "a", .cfm = 1e-3}, b = {.name = "b", .cfm = 2e-3}, out;
    perp_contacts contacts = {0};
    perp_error err = {0};

    OK(perp_world_add_material(w, &a, NULL, NULL));
    OK(perp_world_add_material(w, &b, NULL, NULL));
    perp_world_combine(w, 1, 2, &out);
    CU_ASSERT_EQUAL(out.cfm, 3e-3);
    perp_world_combine(w, 0, 2, &out); /* on a hard one */
    CU_ASSERT_EQUAL(out.cfm, 2e-3);
    run_ground(w);
    run_ball(w, "ball", mass, 0.5, 0.0, 0.0, 0.5);
    w->shapes[0].material = 1;
    w->shapes[1].material = 2;
    OK(perp_collide(w, w->start, 0.01, &contacts, NULL));
    CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
    CU_ASSERT_EQUAL(contacts.at[0].cfm, 3e-3);
    perp_contacts_clear(&contacts);
    strcpy(b.name, "c");
    b.cfm = -1.0;
    CU_ASSERT_EQUAL(perp_world_add_material(w, &b, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "material \"c\": cfm is -1, expected a number >= 0 "
                                     "[(m/s)/N]");
    b.cfm = INFINITY;
    CU_ASSERT_EQUAL(perp_world_add_material(w, &b, NULL, NULL), PERP_ERR_DATA);
}

/* A ball at rest on soft ground, `depth` deep. */
static run standing(perp_stabilize method, double depth)
{
    perp_scheme scheme = run_scheme(dt);
    perp_world *world = test_world(3, 9.81);

    scheme.stabilize = method;
    scheme.erp = erp;
    run_ground(world);
    run_ball(world, "ball", mass, 0.5, 0.0, 0.0, 0.5 - depth);
    world->materials[0].cfm = 0.5 * K; /* of both */
    return run_begin(world, &scheme, "nsgs tolerance=1e-14", true);
}

/* A bob that hangs from a joint with a compliance, pulled `off` metres down. */
static run hanging(perp_stabilize method, double off, double gravity)
{
    const double at[3] = {0.0, 0.0, 0.0};
    perp_scheme scheme = run_scheme(dt);
    perp_world *world = test_world(3, gravity);

    scheme.stabilize = method;
    scheme.erp = erp;
    test_ball(world, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(world, "bob", mass, 0.1, 0.0, 0.0, -1.0);
    run_joint(world, "spherical", 0, 1, at, NULL)->cfm = K;
    world->start->s[9] -= off;
    return run_begin(world, &scheme, "dantzig tolerance=1e-13", true);
}

static const perp_stabilize methods[] = {PERP_STABILIZE_BAUMGARTE, PERP_STABILIZE_SPLIT,
                                         PERP_STABILIZE_PROJECT};
static const double rest = 2.0 * 9.81 / (0.25 / (0.01 * 1e-3)); /* F/k, k = erp/(dt K) */

/* 0.75^150 is 2e-19: what is left is rounding. */
TEST(a_load_leaves_soft_rows_at_force_over_stiffness)
{
    for (size_t k = 0; k < 3; k++) {
        run r = hanging(methods[k], 0.0, 9.81);

        run_steps(&r, 150);
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, rest, 1e-13);
        run_steps(&r, 50);
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, rest, 1e-13);
        /* velocities apart from corrections give way by K F */
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[8], k == 0 ? 0.0 : -K * weight, 1e-12);
        CU_ASSERT_EQUAL(r.unsolved, 0);
        r = standing(methods[k], 0.0);
        run_steps(&r, 150);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, rest, 1e-12);
        run_steps(&r, 50);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, rest, 1e-12);
        CU_ASSERT_EQUAL(r.unsolved, 0);
    }
}

/* Off that place by 3 mm, at the velocity that it has there. */
TEST(soft_rows_return_to_what_they_carry_at_the_rate_of_the_erp)
{
    const double away = 0.003;
    run r = hanging(PERP_STABILIZE_SPLIT, rest + away, 9.81);

    r.world->start->u[8] = -K * weight;
    for (int k = 1; k <= 20; k++) {
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length - rest, away * pow(1.0 - erp, k),
                               1e-14);
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[8], -K * weight, 1e-13);
    }
    r = standing(PERP_STABILIZE_SPLIT, rest + away);
    r.world->start->u[8] = -K * weight;
    for (int k = 1; k <= 20; k++) {
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration - rest, away * pow(1.0 - erp, k),
                               1e-13);
    }
    r = hanging(PERP_STABILIZE_PROJECT, rest + away, 9.81);
    r.world->start->u[8] = -K * weight;
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, rest, 1e-12); /* where rounds end */
    r = standing(PERP_STABILIZE_PROJECT, rest + away);
    r.world->start->u[8] = -K * weight;
    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, rest, 1e-12);
}

TEST(soft_rows_without_load_are_corrected_as_hard_ones)
{
    run r = hanging(PERP_STABILIZE_SPLIT, 0.01, 0.0);

    for (int k = 1; k <= 10; k++) {
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, 0.01 * pow(1.0 - erp, k), 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-30);
    }
    r = hanging(PERP_STABILIZE_PROJECT, 0.01, 0.0);
    run_steps(&r, 1);
    CU_ASSERT(r.report.drift_length <= 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic, 0.0, 1e-30);
}

/* With an erp of its own a joint is another spring, k = 0.5/(dt K), and four rounds that each
 * project half of the way leave 1/15 of what a step moves it; one that is corrected
 * by nothing is a damper, which sinks by K F; and a spring of stiffness and damping, which
 * velocities alone move, does what it does without any correction, to the bit. */
TEST(the_spring_of_a_soft_row_is_that_of_its_own_erp)
{
    for (size_t k = 1; k < 3; k++) {
        run r = hanging(methods[k], 0.0, 9.81), none;

        r.world->joints[0].erp = 0.5;
        run_steps(&r, 200);
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length,
                               0.5 * rest + (k == 2 ? dt * K * weight / 15.0 : 0.0),
                               1e-12);
        r = hanging(methods[k], 0.01, 9.81);
        r.world->joints[0].erp = PERP_ERP_NONE;
        r.world->start->u[8] = -K * weight;
        run_steps(&r, 10);
        CU_ASSERT_DOUBLE_EQUAL(r.report.drift_length, 0.01 + 0.1 * K * weight, 1e-13);
        r = hanging(methods[k], 0.01, 9.81);
        none = hanging(PERP_STABILIZE_NONE, 0.01, 9.81);
        r.world->joints[0].stiffness = none.world->joints[0].stiffness = 800.0;
        run_steps(&r, 30);
        run_steps(&none, 30);
        CU_ASSERT_EQUAL(
            memcmp(r.world->start->s, none.world->start->s, 14 * sizeof(double)), 0);
    }
}

/* A box that lies on four soft contacts, each a spring: F/(4 k), by solvers of every family and
 * by sequential impulses. They end at a residual of 1e-8, relative to velocities of dt g. */
TEST(a_box_rests_on_the_springs_of_its_contacts)
{
    static const char *const solvers[] = {"nsgs",        "auto",        "anderson",
                                          "ipm-coulomb", "prox-newton", NULL};

    for (size_t k = 0; k < 3 * sizeof solvers / sizeof *solvers; k++) {
        const double half[3] = {0.4, 0.3, 0.2};
        perp_scheme scheme = run_scheme(dt);
        perp_world *world = test_world(3, 9.81);
        run r;

        scheme.stabilize = methods[k % 3];
        scheme.erp = erp;
        scheme.model = solvers[k / 3] ? PERP_MODEL_CONE : PERP_MODEL_BOX;
        run_ground(world);
        run_box(world, "box", mass, half, 0.0, 0.0, 0.2);
        world->materials[0].cfm = 0.5 * K;
        r = run_begin(world, &scheme, solvers[k / 3], true);
        run_steps(&r, 150);
        CU_ASSERT_EQUAL(r.report.contacts, 4);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, 0.25 * rest, 1e-7);
        if (fabs(r.report.penetration - 0.25 * rest) > 1e-7) {
            test_note("%s, %s: %.10g, expected %.10g",
                      solvers[k / 3] ? solvers[k / 3] : "-", perp_stabilize_names[k % 3],
                      r.report.penetration, 0.25 * rest);
        }
    }
}

/* A soft limit of an axis, held against it by a load: F/k as well. */
TEST(soft_limits_carry_their_load)
{
    for (size_t k = 0; k < 3; k++) {
        const double origin[3] = {0.0, 0.0, 0.0}, along[3] = {1.0, 0.0, 0.0};
        perp_scheme scheme = run_scheme(dt);
        perp_world *world = test_world(3, 0.0);
        run r;

        scheme.stabilize = methods[k];
        scheme.erp = erp;
        test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
        test_ball(world, "mass", mass, 1.0, 0.0, 0.0, 0.0);
        run_joint(world, "prismatic", 0, 1, origin, along);
        world->joints[0].axes[0].has_upper = true;
        world->joints[0].axes[0].limit_cfm = K;
        world->start->load[6] = weight;
        r = run_begin(world, &scheme, "dantzig tolerance=1e-13", true);
        run_steps(&r, 150);
        CU_ASSERT_DOUBLE_EQUAL(world->start->s[7], rest, 1e-12);
    }
}
