/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/implicit.c: steps of implicit forces together with joints and contacts, worked by
 * hand or by the KKT system. The matrix of such a step is in implicit_matrix.c. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "implicit.h"
#include "reference.h"

static void spring(perp_world *w, int32_t i, int32_t j, double stiffness, double damping,
                   double rest)
{
    perp_force f = {.type = perp_force_type_find("spring"), .i = i, .j = j};

    f.value[0] = stiffness;
    f.value[1] = damping;
    f.value[2] = rest;
    OK(perp_world_add_force(w, &f, NULL));
}

/* 1 and 9 kg welded, a spring of 1e6 N/m stretched by 0.1 m on the first. */
static perp_world *welded(unsigned dimension)
{
    perp_world *w = test_world(dimension, 0.0);

    test_ball(w, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    run_ball(w, "light", 1.0, 0.1, 1.1, 0.0, 0.0);
    run_ball(w, "heavy", 9.0, 0.1, 1.5, 0.0, 0.0);
    spring(w, 0, 1, 1e6, 0.0, 1.0);
    run_joint(w, "fixed", 1, 2, (const double[]){1.3, 0, 0}, NULL);
    return w;
}

/* v = h k x/(m + h^2 k) with m = 10: what is left of 0.1 m is 0.1 - 10/110 = 0.0091 m. Each
 * force advanced alone would leave 0.0901 m. */
TEST(a_welded_pair_on_a_stiff_spring_moves_as_the_kkt_form)
{
    const double h = 0.01;
    const double mass[4] = {1.0 + h * h * 1e6, 0.0, 0.0, 9.0};
    const double J[2] = {1.0, -1.0};
    const double f[2] = {-1e6 * 0.1, 0.0};
    const double zero[2] = {0.0, 0.0};
    double v[2];
    double lambda[1];
    perp_scheme scheme = implicit_scheme();
    const char *const solvers[] = {"prox-newton tolerance=1e-14",
                                   "minmap tolerance=1e-14", "dantzig tolerance=1e-14"};

    OK(perp_kkt_solve(2, mass, 1, J, NULL, zero, f, zero, h, v, lambda, NULL));
    CU_ASSERT_DOUBLE_EQUAL(0.1 + h * v[0], 0.1 / 11.0, 1e-15);
    for (size_t k = 0; k < 6; k++) {
        run r = run_begin(welded(k < 3 ? 3 : 2), &scheme, solvers[k % 3], true);

        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->s[7] - 1.0, 0.1 + h * v[0], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->s[14] - 1.4, 0.1 + h * v[1], 1e-12);
    }
}

/* The spring pulls the pair against a third ball, which is pushed along: one more equation. */
TEST(a_contact_pushes_with_the_mass_that_the_spring_gives)
{
    const double h = 0.01;
    const double mass[9] = {1.0 + h * h * 1e6, 0, 0, 0, 9.0, 0, 0, 0, 2.0};
    const double J[6] = {1.0, 1.0, -1.0, 0.0, 0.0, -1.0};
    const double f[3] = {-1e6 * 0.1, 0.0, 0.0};
    const double zero[3] = {0.0, 0.0, 0.0};
    double v[3];
    double lambda[2];
    perp_scheme scheme = implicit_scheme();
    perp_world *w = welded(3);
    run r;

    run_material(w, 0.0, 0.0);
    run_ball(w, "pushed", 2.0, 0.1, 0.9, 0.0, 0.0);
    r = run_begin(w, &scheme, "prox-newton tolerance=1e-14", true);
    OK(perp_kkt_solve(3, mass, 2, J, NULL, zero, f, zero, h, v, lambda, NULL));
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(r.report.contacts, 1);
    for (size_t k = 0; k < 3; k++) {
        /* the gap between the balls is rounding of 1e-16 m in a step of 0.01 s */
        CU_ASSERT_DOUBLE_EQUAL(r.world->start->u[6 * (k + 1)], v[k], 1e-12);
    }
}

/* Links of 0.1 kg one above the other on springs of 1e7 N/m, omega h = 100, below a mass on a
 * joint, fall on the ground: neither impacts nor springs add energy. */
TEST(a_stiff_chain_with_a_joint_and_contacts_stays_bounded)
{
    perp_world *w = test_world(3, 9.81);
    perp_scheme scheme = implicit_scheme();
    double most = 0.0;
    run r;

    run_ground(w);
    for (int k = 1; k <= 6; k++) {
        char name[16];

        snprintf(name, sizeof name, "ball %d", k);
        run_ball(w, name, k == 6 ? 5.0 : 0.1, 0.05, 0.0, 0.0, 0.2 * k - 0.1);
        if (k > 1 && k < 6) {
            spring(w, k - 1, k, 1e7, 0.0, 0.2);
        }
    }
    run_joint(w, "fixed", 5, 6, (const double[]){0, 0, 1.0}, NULL);
    run_material(w, 0.3, 0.0);
    r = run_begin(w, &scheme, "nsgs tolerance=1e-10 max-iterations=20000", true);
    run_steps(&r, 1);
    most = r.report.kinetic + r.report.potential + r.report.stored;
    for (int k = 0; k < 60; k++) {
        const double before = r.report.kinetic + r.report.potential + r.report.stored;

        run_steps(&r, 1);
        /* rounding of positions times 1e7 N/m, and the tolerance of the solver */
        CU_ASSERT(r.report.kinetic + r.report.potential + r.report.stored <=
                  before + 1e-9 * most);
    }
    CU_ASSERT_EQUAL(r.unsolved, 0);
    CU_ASSERT(r.report.contacts > 0);
    CU_ASSERT(r.report.speed < 1e-3); /* it stands: all of the fall is dissipated */
}

/* Of a spring and a hard joint backward Euler damps M* (u+ - u).(u+ - u)/2 of the two; the
 * weld takes z (J u_free + 0)/2, all of it by hand: u_free = -1000/101, u+ = -1000/110. */
TEST(the_ledger_names_what_the_spring_takes_up)
{
    const double u_free = -1000.0 / 101.0;
    const double u_plus = -1000.0 / 110.0;
    const double z = 9.0 * u_plus; /* [N s], on the heavy body */
    const double weld = 0.5 * z * (0.0 - u_free);
    const double energy = 0.5 * 10.0 * u_plus * u_plus +
                          0.5 * 1e6 * (0.1 / 11.0) * (0.1 / 11.0) - 0.5 * 1e6 * 0.01;
    perp_scheme scheme = implicit_scheme();
    run r = run_begin(welded(3), &scheme, "prox-newton tolerance=1e-14", true);

    run_steps(&r, 1);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_JOINTS], weld, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(r.report.ledger[PERP_LEDGER_INTEGRATOR], energy - weld, 1e-8);
}

/* One ball on a spring to the ceiling: by Poisson's law it leaves at e times the speed at which
 * the implicit flow would enter the ground; positions are corrected in both ways. */
TEST(corrections_and_poisson_use_the_same_mass)
{
    static const perp_stabilize methods[] = {PERP_STABILIZE_NONE, PERP_STABILIZE_SPLIT,
                                             PERP_STABILIZE_PROJECT,
                                             PERP_STABILIZE_BAUMGARTE};

    for (size_t k = 0; k < 4; k++) {
        perp_scheme scheme = implicit_scheme();
        perp_world *w = test_world(3, 0.0);
        double approach = 0.0;
        perp_free_motion motion = {0};
        run r;

        run_ground(w);
        test_ball(w, "ceiling", 0.0, 0.1, 0.0, 0.0, 2.0);
        run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, k == 0 ? 0.1 : 0.098);
        spring(w, 1, 2, 2e4, 0.0, 1.0);
        run_material(w, 0.0, 0.5);
        perp_body_velocity(w->start, 2)[2] = -40.0; /* the spring takes most of it */
        scheme.stabilize = methods[k];
        scheme.restitution = PERP_RESTITUTION_POISSON;
        OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
        approach = motion.u[14];
        CU_ASSERT(approach > -40.0);
        r = run_begin(w, &scheme, "prox-newton tolerance=1e-13", true);
        run_steps(&r, 1);
        if (approach < 0.0 && k < 3) {
            CU_ASSERT_DOUBLE_EQUAL(w->start->u[14], -0.5 * approach, 1e-9);
        }
        run_steps(&r, 20);
        perp_free_motion_clear(&motion);
    }
}

/* The weld is 0.01 m open. Each body goes its share of it, as 1/(1 + h^2 k) to 1/9. */
TEST(pushes_leave_what_a_spring_holds)
{
    perp_scheme scheme = implicit_scheme();
    double x[2][2];

    for (int k = 0; k < 2; k++) {
        perp_world *w = welded(3);
        run r;

        w->start->s[14] += 0.01;
        scheme.stabilize = k == 0 ? PERP_STABILIZE_NONE : PERP_STABILIZE_SPLIT;
        scheme.erp = 1.0;
        r = run_begin(w, &scheme, "prox-newton tolerance=1e-14", true);
        run_steps(&r, 1);
        x[k][0] = w->start->s[7];
        x[k][1] = w->start->s[14];
    }
    CU_ASSERT_DOUBLE_EQUAL(x[1][0] - x[0][0], 0.01 * 9.0 / 110.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(x[1][1] - x[0][1], -0.01 * 101.0 / 110.0, 1e-9);
}

/* An impact has no time for forces: its impulses are those of the ball alone, 60 N s with
 * friction that makes it roll, 2/7 of m v_x. */
TEST(an_impact_does_not_feel_springs)
{
    for (int attached = 0; attached < 2; attached++) {
        perp_scheme scheme = implicit_scheme();
        perp_world *w = test_world(3, 0.0);
        const double *z = NULL;
        run r;

        run_ground(w);
        test_ball(w, "ceiling", 0.0, 0.1, 1.5, 0.0, 2.0);
        run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.1);
        w->start->u[12] = 3.0;
        w->start->u[14] = -40.0;
        if (attached) {
            spring(w, 1, 2, 1e4, 0.0, 2.0);
        }
        run_material(w, 1.0, 0.5);
        scheme.restitution = PERP_RESTITUTION_POISSON;
        r = run_begin(w, &scheme, "prox-newton tolerance=1e-13", true);
        run_steps(&r, 1);
        z = perp_stepper_result(r.stepper)->z;
        CU_ASSERT_DOUBLE_EQUAL(z[0], 60.0, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(hypot(z[1], z[2]), 6.0 / 7.0, 1e-9);
    }
}

/* Sequential impulses know the mass of a body alone: sweeps on the problem stand for them. */
TEST(sweeps_and_a_solver_agree_on_boxes_of_friction)
{
    perp_scheme scheme = implicit_scheme();
    run a = {0};
    run b = {0};

    scheme.model = PERP_MODEL_BOX;
    a = run_begin(welded(3), &scheme, NULL, true);
    b = run_begin(welded(3), &scheme, "pgs tolerance=1e-8 max-iterations=50", true);
    run_steps(&a, 10);
    run_steps(&b, 10);
    CU_ASSERT_EQUAL(memcmp(a.world->start->s, b.world->start->s, 21 * sizeof(double)), 0);
}

/* Dry friction without a position of rest: Newton's method jumps to and fro. */
static void rub(void *context, const perp_world *w, const perp_state *state, double *f)
{
    (void)w;
    (void)context;
    f[14] -= copysign(50.0, perp_body_velocity(state, 2)[2]);
}

/* (m + h^2 k) du = h (-k (x + h v) - 50) in one step, and the contact feels m + h^2 k. */
TEST(forces_with_kinks_take_the_linear_step)
{
    const double h = 0.01;
    const double k = 2e4;
    const double v = 0.1;
    perp_scheme scheme = implicit_scheme();
    perp_world *w = test_world(3, 0.0);
    perp_force user = {.type = perp_force_type_find("user"), .call = rub};
    run r;

    run_ground(w);
    test_ball(w, "ceiling", 0.0, 0.1, 0.0, 0.0, 2.0);
    run_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.1);
    spring(w, 1, 2, k, 0.0, 1.9);
    OK(perp_world_add_force(w, &user, NULL));
    w->start->u[14] = v;
    run_material(w, 0.0, 0.0);
    r = run_begin(w, &scheme, "nsgs tolerance=1e-13", true);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL_FATAL(r.report.contacts, 1);
    CU_ASSERT_DOUBLE_EQUAL(perp_stepper_system(r.stepper)->u_free[14],
                           v + h * (-k * h * v - 50.0) / (1.0 + h * h * k), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(
        perp_operator_diagonal(perp_stepper_system(r.stepper)->problem.A, 0),
        1.0 / (1.0 + h * h * k), 1e-9);
}

TEST(trees_with_forces_and_impulses_are_refused)
{
    perp_scheme scheme = implicit_scheme();
    perp_world *w = test_world(3, 9.81);
    perp_stepper *st = NULL;
    perp_report report;
    perp_error err = {0};
    perp_options opt;
    const perp_solver_type *type = run_solver("nsgs", &opt);

    run_ground(w);
    run_ball(w, "a", 1.0, 0.1, 0.0, 0.0, 0.1);
    run_ball(w, "b", 1.0, 0.1, 0.5, 0.0, 0.1);
    run_joint(w, "spherical", 1, 2, (const double[]){0.2, 0, 0.1}, NULL);
    spring(w, 0, 2, 10.0, 0.0, 0.3);
    OK(perp_world_reduce(w, NULL, &err));
    OK(perp_stepper_new(
        &st, w, &scheme,
        &(perp_stepper_options){.solver = type, .options = &opt, .state = w->start},
        &err));
    CU_ASSERT_EQUAL(perp_stepper_step(st, &report, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(
        err.text,
        "step: integrator implicit does not support forces together with impulses in "
        "reduced coordinates, expected maximal coordinates or another integrator");
    perp_error_clear(&err);
}
