/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/limits_reach.c: a limit far away changes no motion, whatever its distance, the size
 * of the step, and whether it has a row. */
#include <config.h>

#include <math.h>

#include "world_run.h"

static const double inertia = 0.5, mass = 2.0, arm = 0.5, g = 9.81;

/* A rod that hangs from a hinge about y, with an angular velocity. */
static perp_world *pendulum(double limit, double velocity)
{
    const double y[3] = {0.0, 1.0, 0.0};
    perp_world *world = test_world(3, g);
    perp_axis *axis = NULL;

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "rod", mass, 1.0, 0.0, 0.0, -arm);
    for (size_t k = 0; k < 3; k++) {
        world->inertia[9 + 4 * k] = inertia;
    }
    axis = &run_joint(world, "revolute", 0, 1, (double[3]){0}, y)->axes[0];
    axis->has_lower = axis->has_upper = limit < INFINITY;
    axis->lower = -limit;
    axis->upper = limit;
    world->start->u[6] = -arm * velocity; /* omega x r */
    world->start->u[10] = velocity;
    return world;
}

/* The angle after this many steps. The rod stays on its hinge. */
static double angle_after(double limit, perp_limits rule, double velocity, double dt,
                          size_t steps)
{
    perp_scheme scheme;
    perp_state *state = NULL;
    double angle = 0.0;
    run r;

    perp_scheme_default(&scheme);
    scheme.dt = dt;
    scheme.limits = rule;
    r = run_begin(pendulum(limit, velocity), &scheme, "auto", false);
    run_steps(&r, steps);
    CU_ASSERT_EQUAL(r.unsolved, 0);
    state = r.world->start;
    CU_ASSERT_DOUBLE_EQUAL(hypot(state->s[7], state->s[9]), arm, 0.01 * arm);
    angle = perp_joint_axes_of(state, 0)[0];
    return angle;
}

/* theta'' = -k sin theta from 0, by 4000 steps of the classical Runge-Kutta method. */
static double exact_angle(double velocity, double time)
{
    const double k = mass * g * arm / (inertia + mass * arm * arm), h = time / 4000.0;
    double q = 0.0, v = velocity;

    for (size_t n = 0; n < 4000; n++) {
        double v1 = v, a1 = -k * sin(q);
        double v2 = v + 0.5 * h * a1, a2 = -k * sin(q + 0.5 * h * v1);
        double v3 = v + 0.5 * h * a2, a3 = -k * sin(q + 0.5 * h * v2);
        double v4 = v + h * a3, a4 = -k * sin(q + h * v3);

        q += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return q;
}

static const perp_limits rules[] = {PERP_LIMITS_IN_REACH, PERP_LIMITS_ALWAYS};

TEST(a_limit_at_1e16_changes_nothing)
{
    double free_angle = angle_after(INFINITY, PERP_LIMITS_ALWAYS, 1.0, 0.01, 100);

    CU_ASSERT_DOUBLE_EQUAL(free_angle, exact_angle(1.0, 1.0), 0.05);
    for (size_t k = 0; k < 2; k++) {
        for (double limit = 4.0; limit <= 1e16; limit *= 1e3) {
            CU_ASSERT_DOUBLE_EQUAL(angle_after(limit, rules[k], 1.0, 0.01, 100),
                                   free_angle, 1e-7);
        }
    }
}

TEST(at_a_limit_of_3_small_steps_converge_with_order_one_or_more)
{
    const double time = 0.01, exact = exact_angle(2.0, time);

    for (size_t k = 0; k < 2; k++) {
        double error[3], dt = 1e-4;

        for (size_t n = 0; n < 3; n++, dt *= 0.1) {
            error[n] = fabs(
                angle_after(3.0, rules[k], 2.0, dt, (size_t)lround(time / dt)) - exact);
        }
        CU_ASSERT(error[1] <= 0.11 * error[0]);
        CU_ASSERT(error[2] <= 0.11 * error[1]);
    }
}

/* At a quarter of a radian it is hit, with and without the row before. */
TEST(a_limit_that_is_reached_stops_the_rod)
{
    double always = angle_after(0.25, PERP_LIMITS_ALWAYS, 2.0, 1e-3, 140);

    CU_ASSERT_DOUBLE_EQUAL(always, 0.25, 2e-3);
    CU_ASSERT_DOUBLE_EQUAL(angle_after(0.25, PERP_LIMITS_IN_REACH, 2.0, 1e-3, 140),
                           always, 1e-9);
}
