/* SPDX-License-Identifier: Apache-2.0
 * tests/step/integrators.c: bodies on springs, linear or not, by all integrators. */
#include <config.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "motion.h"

enum { METHODS = PERP_INTEGRATOR_MOMENTUM + 1 };

/* As stored in golden files, in the order of the enum; and orders as they are known. */
static const char *const stored_names[METHODS] = {
    "symplectic_euler", "explicit_euler", "implicit_euler", "position_verlet",
    "velocity_verlet",  "leapfrog_kdk",   "midpoint_rk2",   "rk4",
    "leapfrog_kdk"};
static const double orders[METHODS] = {1, 1, 1, 2, 2, 2, 2, 4, 2};

/* x'' = -x - 0.3 x^3 of a body of mass 2, as a user's force and as a type that knows its
 * derivative. */
static const double mass = 2.0;

static void quartic(void *context, const perp_world *w, const perp_state *state,
                    double *f)
{
    const double x = perp_body_pose(state, 0)[0];

    (void)context;
    (void)w;
    f[0] -= mass * (x + 0.3 * x * x * x);
}

static void quartic_apply(const perp_force *force, const perp_world *w,
                          const perp_state *state, double *f)
{
    quartic(force->context, w, state, f);
}

static void quartic_derivative(const perp_force *force, const perp_world *w,
                               const perp_state *state, double *K, double *D)
{
    const double x = perp_body_pose(state, 0)[0];

    (void)force;
    (void)w;
    (void)D;
    K[0] -= mass * (1.0 + 0.9 * x * x);
}

static const char *const no_parameters[] = {NULL};
static const perp_force_type quartic_type = {
    .name = "quartic",
    .summary = "with a derivative",
    .bodies = 1,
    .apply = quartic_apply,
    .parameters = no_parameters,
    .derivative = quartic_derivative,
};

/* At (x, v) = y, moved by the user's force, or by `type`. */
static perp_world *oscillator(const double y[2], const perp_force_type *type)
{
    perp_world *w = test_world(3, 0.0);
    perp_force f = {
        .type = type ? type : perp_force_type_find("user"), .j = -1, .call = quartic};

    test_ball(w, "ball", mass, 0.1, y[0], 0.0, 0.0);
    perp_body_velocity(w->start, 0)[0] = y[1];
    OK(perp_world_add_force(w, &f, NULL));
    return w;
}

static double quartic_energy(const perp_world *w)
{
    const double x = perp_body_pose(w->start, 0)[0];
    const double v = perp_body_velocity(w->start, 0)[0];

    return 0.5 * v * v + 0.5 * x * x + 0.075 * x * x * x * x;
}

/* `steps` steps of h by the free motion of the body. */
static void run(int method, double h, size_t steps, double y[2])
{
    perp_world *w = oscillator(y, NULL);

    test_fly(w, (perp_integrator)method, h, steps);
    y[0] = perp_body_pose(w->start, 0)[0];
    y[1] = perp_body_velocity(w->start, 0)[0];
}

static void check_stored(const golden_case *c)
{
    for (int k = 0; k < METHODS; k++) {
        double y[2] = {golden_real(c->in, "x0"), golden_real(c->in, "v0")};

        run(k, golden_real(c->in, "h"), (size_t)golden_real(c->in, "steps"), y);
        golden_agree(c, stored_names[k], y, 2);
    }
}

TEST(oscillators_are_the_golden_ones)
{
    golden_each("integrators", NULL, check_stored);
}

static void report_order(int method, double order)
{
    if (fabs(order - orders[method]) > 0.1) {
        test_note("%s: order %.3f, expected %g", perp_integrator_names[method], order,
                  orders[method]);
    }
    CU_ASSERT_DOUBLE_EQUAL(order, orders[method], 0.1);
}

/* Greatest error of the energy in the first and the second 100 s at h = 0.05; of a method
 * that gains energy, until it is a thousand times what it was. */
static void energy_error(int method, double most[2])
{
    const double y[2] = {1.0, 0.5};
    perp_world *w = oscillator(y, NULL);
    double start = quartic_energy(w);

    most[0] = most[1] = 0.0;
    for (int k = 0; k < 4000 && most[0] <= 1e3; k++) {
        test_fly(w, (perp_integrator)method, 0.05, 1);
        most[k / 2000] = fmax(most[k / 2000], fabs(quartic_energy(w) / start - 1.0));
    }
}

TEST(energy_of_symplectic_methods_stays_in_bounds)
{
    static const int symplectic[] = {
        PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_INTEGRATOR_POSITION_VERLET,
        PERP_INTEGRATOR_VELOCITY_VERLET, PERP_INTEGRATOR_LEAPFROG};
    double most[2];

    for (size_t k = 0; k < 4; k++) {
        energy_error(symplectic[k], most);
        CU_ASSERT(most[0] > 0.0);
        CU_ASSERT(most[1] <= 1.01 * most[0]); /* both halves meet the same extremes */
    }
    energy_error(PERP_INTEGRATOR_EXPLICIT, most);
    CU_ASSERT(most[0] > 1e3); /* growth drives the quartic force */
}

TEST(implicit_euler_comes_to_rest)
{
    const double y[2] = {1.0, 0.5};
    perp_world *w = oscillator(y, NULL);

    test_fly(w, PERP_INTEGRATOR_IMPLICIT, 0.05, 4000);
    /* amplitude falls as exp(-h t/2): exp(-5) of 1.1, energy by its square */
    CU_ASSERT(quartic_energy(w) < 1e-4);
}

TEST(the_derivative_of_a_force_is_not_needed)
{
    const double y[2] = {1.0, 0.5};
    perp_world *with = oscillator(y, &quartic_type);
    perp_world *without = oscillator(y, NULL);

    test_fly(with, PERP_INTEGRATOR_IMPLICIT, 0.1, 50);
    test_fly(without, PERP_INTEGRATOR_IMPLICIT, 0.1, 50);
    /* both solved to rounding, in each of 50 steps */
    test_agree("x", without->start->s, with->start->s, 7, 1e-13);
    test_agree("v", without->start->u, with->start->u, 6, 1e-13);
}

TEST(an_unknown_method_is_refused)
{
    const double y[2] = {1.0, 0.5};
    perp_world *w = oscillator(y, NULL);
    perp_free_motion motion = {0};
    perp_scheme scheme;
    perp_error err = {0};

    perp_scheme_default(&scheme);
    scheme.integrator = (perp_integrator)METHODS;
    CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "integrate: integrator is number 9, expected one of perp_integrator");
    perp_free_motion_clear(&motion);
}

static void spring_between(perp_world *w, int32_t i, int32_t j, double stiffness,
                           double damping, double rest, double arm)
{
    perp_force f = {.type = perp_force_type_find("spring"),
                    .i = i,
                    .j = j,
                    .anchor_j = {arm, 0.2 * arm, -0.4 * arm},
                    .value = {stiffness, damping, rest}};

    OK(perp_world_add_force(w, &f, NULL));
}

/* A body on a spring under weight. arm = 0: it does not turn, a spring pendulum. */
static perp_world *pendulum(double damping, double arm)
{
    const double half[3] = {0.1, 0.3, 0.5};
    perp_world *w = test_world(3, 9.81);
    perp_body b = {.name = "bob", .mass = 2.0, .r = {0.8, 0, -0.3}, .v = {0, 0, 0.4}};

    test_ball(w, "hook", 0.0, 1.0, 0.0, 0.0, 0.0);
    perp_inertia_box(b.mass, half, b.inertia);
    vec3_set(b.w, arm, 3.0 * arm, -arm);
    OK(perp_world_add_body(w, &b, NULL, NULL));
    spring_between(w, 0, 1, 50.0, damping, 0.7, arm);
    return w;
}

/* (x, z, vx, vz) of the spring pendulum. */
static int pendulum_rate(double t, const double y[], double f[], void *context)
{
    double length = hypot(y[0], y[1]);
    double pull = 50.0 * (length - 0.7) / (2.0 * length);

    (void)t;
    (void)context;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -pull * y[0];
    f[3] = -pull * y[1] - 9.81;
    return GSL_SUCCESS;
}

static void pendulum_exact(double time, double y[4])
{
    gsl_odeiv2_system system = {pendulum_rate, NULL, 4, NULL};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
    double t = 0.0;

    CU_ASSERT_EQUAL_FATAL(gsl_odeiv2_driver_apply(driver, &t, time, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
}

TEST(each_method_has_its_order_on_a_spring_pendulum)
{
    double exact[4] = {0.8, -0.3, 0.0, 0.4};

    pendulum_exact(1.0, exact);
    for (int k = 0; k < METHODS; k++) {
        double error[2];

        for (int fine = 0; fine < 2; fine++) {
            /* first order needs small steps before h^2 is out of sight */
            size_t steps = (size_t)(orders[k] > 1 ? 200 : 4000) << fine;
            perp_world *w = pendulum(0.0, 0.0);
            const double *r = perp_body_pose(w->start, 1);
            const double *v = perp_body_velocity(w->start, 1);

            test_fly(w, (perp_integrator)k, 1.0 / (double)steps, steps);
            error[fine] = hypot(hypot(r[0] - exact[0], r[2] - exact[1]),
                                hypot(v[0] - exact[2], v[2] - exact[3]));
        }
        report_order(k, log2(error[0] / error[1]));
    }
}

/* Position, orientation and velocity together, with a damper and a spin that the spring's
 * lever drives: against RK4 at a fine step, to which all must lead. */
TEST(each_method_has_its_order_where_springs_turn_a_body)
{
    perp_world *fine = pendulum(1.5, 0.3);

    test_fly(fine, PERP_INTEGRATOR_RK4, 0.5 / 4096, 4096);
    for (int k = 0; k < METHODS; k++) {
        double error[2];

        for (int half = 0; half < 2; half++) {
            size_t steps = (size_t)(orders[k] > 1 ? 100 : 1500) << half;
            perp_world *w = pendulum(1.5, 0.3);

            test_fly(w, (perp_integrator)k, 0.5 / (double)steps, steps);
            error[half] = 0.0;
            for (int c = 0; c < 7; c++) {
                error[half] = hypot(error[half], perp_body_pose(w->start, 1)[c] -
                                                     perp_body_pose(fine->start, 1)[c]);
            }
            for (int c = 0; c < 6; c++) {
                error[half] =
                    hypot(error[half], perp_body_velocity(w->start, 1)[c] -
                                           perp_body_velocity(fine->start, 1)[c]);
            }
        }
        report_order(k, log2(error[0] / error[1]));
    }
}

TEST(the_forms_of_verlet_are_one_for_bodies)
{
    perp_world *v = pendulum(0.0, 0.3);
    perp_world *p = pendulum(0.0, 0.3);
    perp_world *l = pendulum(0.0, 0.3);

    test_fly(v, PERP_INTEGRATOR_VELOCITY_VERLET, 0.01, 100);
    test_fly(p, PERP_INTEGRATOR_POSITION_VERLET, 0.01, 100);
    test_fly(l, PERP_INTEGRATOR_LEAPFROG, 0.01, 100);
    /* a hundred roundings, doubled every 0.1 s or so by the motion */
    test_agree("leapfrog", l->start->s, v->start->s, 14, 1e-11);
    test_agree("position Verlet", p->start->s, v->start->s, 14, 1e-11);
    test_agree("position Verlet, velocities", p->start->u, v->start->u, 12, 1e-11);
}

static double total_energy(const perp_world *w)
{
    return perp_world_kinetic(w, w->start) + perp_world_potential(w, w->start) +
           perp_world_stored(w, w->start);
}

/* x'' = -k/m x: v+ = (v - h k/m x)/(1 + h^2 k/m), whatever the stiffness. */
TEST(implicit_euler_solves_a_stiff_spring)
{
    for (double stiffness = 1.0; stiffness < 1e13; stiffness *= 1e4) {
        perp_world *w = test_world(3, 0.0);
        double h = 1.0 / 60.0;
        double v = 0.0;

        test_ball(w, "wall", 0.0, 1.0, 0.0, 0.0, 0.0);
        test_ball(w, "ball", 1.0, 0.1, 1.5, 0.0, 0.0);
        perp_body_velocity(w->start, 1)[0] = 0.5;
        spring_between(w, 0, 1, stiffness, 0.0, 1.0, 0.0);
        v = (0.5 - h * stiffness * 0.5) / (1.0 + h * h * stiffness);
        test_fly(w, PERP_INTEGRATOR_IMPLICIT, h, 1);
        /* rounding of the length, 1e-16, times h k/(1 + h^2 k) <= 60 */
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 1)[0], v, 1e-11);
        test_fly(w, PERP_INTEGRATOR_IMPLICIT, h, 600);
        CU_ASSERT(total_energy(w) < 0.125 * (1.0 + stiffness));
    }
}
