/* SPDX-License-Identifier: Apache-2.0
 * tests/step/stability.c: the largest dt at which forces are stable, where it is known in closed form, and
 * runs on both sides of it. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/integrate.h>

#include "math/vec3.h"
#include "world_run.h"

/* A force between a ball of mass m, radius 1, and one of mass 3, or a static one. */
static perp_world *world_of(const char *type, double m, bool held, double a, double b)
{
    perp_world *world = test_world(3, 0.0);
    perp_force f = {.type = perp_force_type_find(type), .i = 0, .j = 1};

    f.value[0] = a;
    f.value[1] = b;
    f.value[2] = f.type == perp_force_type_find("spring") ? 2.0 : 0.0;
    vec3_set(f.axis, 0.0, 0.0, 1.0);
    if (f.type->bodies == 1) {
        f.i = 1;
    }
    test_ball(world, "near", held ? 0.0 : 3.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "far", m, 1.0, 2.0, 0.0, 0.0);
    OK(perp_world_add_force(world, &f, NULL));
    return world;
}

static double stable_dt(const perp_world *world, int integrator, double dt)
{
    const perp_scheme scheme = run_scheme_by(integrator, dt);
    double most = 0.0;
    size_t force = 7;

    OK(perp_stable_dt(world, world->start, &scheme, &most, &force, NULL));
    CU_ASSERT_EQUAL(force, 0);
    return most;
}

/* What an integrator allows of omega dt of a spring and of c dt/m of a damper; growth by 0.1 % per step is
 * allowed: 1 + (omega dt)^2 = 1.001^2 under explicit, 1 + (omega dt)^4/4 under midpoint. */
typedef struct allowance {
    int integrator;
    double spring, damper;
} allowance;

static const allowance allowances[] = {
    {PERP_INTEGRATOR_SEMI_IMPLICIT, 2.0, 2.001},
    {PERP_INTEGRATOR_POSITION_VERLET, 2.0, 0.0},
    {PERP_INTEGRATOR_VELOCITY_VERLET, 2.0, 0.0},
    {PERP_INTEGRATOR_LEAPFROG, 2.0, 0.0},
    {PERP_INTEGRATOR_MOMENTUM, 2.0, 0.0},
    {PERP_INTEGRATOR_EXPLICIT, 0.044732538, 2.001},
    {PERP_INTEGRATOR_MIDPOINT, 0.299107245, 2.000999500},
    {PERP_INTEGRATOR_RK4, 2.828427125, 2.785293563},
};

enum { ALLOWANCES = sizeof allowances / sizeof *allowances };

/* Masses 2 and 3, or 2 alone; a ball's inertia of 2/5 m. */
TEST(the_largest_dt_is_that_of_one_degree_of_freedom)
{
    for (int k = 0; k < 2 * ALLOWANCES; k++) {
        const allowance *a = &allowances[k / 2];
        const bool held = k % 2;
        const double m = held ? 2.0 : 1.2;
        const double omega = sqrt(800.0 / m);
        const double spin = sqrt(800.0 / (0.4 * m));
        const double rate = 100.0 / (0.4 * m); /* of the angular velocity */

        CU_ASSERT_DOUBLE_EQUAL(
            omega *
                stable_dt(world_of("spring", 2.0, held, 800.0, 0.0), a->integrator, 1.0),
            a->spring, 2e-3 * a->spring);
        CU_ASSERT_DOUBLE_EQUAL(
            spin * stable_dt(world_of("torsion-spring", 2.0, held, 800.0, 0.0),
                             a->integrator, 1.0),
            a->spring, 2e-3 * a->spring);
        if (a->damper > 0.0) {
            CU_ASSERT_DOUBLE_EQUAL(
                rate * stable_dt(world_of("damper", 2.0, held, 0.0, 100.0), a->integrator,
                                 1.0),
                a->damper, 2e-3 * a->damper);
            CU_ASSERT_DOUBLE_EQUAL(50.0 *
                                       stable_dt(world_of("drag", 2.0, held, 100.0, 0.0),
                                                 a->integrator, 1.0),
                                   a->damper, 2e-3 * a->damper);
        }
    }
}

TEST(a_stable_dt_and_the_implicit_method_have_no_bound)
{
    perp_world *world = world_of("spring", 2.0, true, 800.0, 0.0);

    CU_ASSERT_EQUAL(stable_dt(world, PERP_INTEGRATOR_SEMI_IMPLICIT, 0.099), INFINITY);
    CU_ASSERT(stable_dt(world, PERP_INTEGRATOR_SEMI_IMPLICIT, 0.101) < 0.1001);
    CU_ASSERT_EQUAL(stable_dt(world, PERP_INTEGRATOR_IMPLICIT, 10.0), INFINITY);
}

/* Largest distance from rest in 400 steps at a share of the bound, of a spring with damping stretched by 1 %. */
static double farthest(const allowance *a, double damping, double share)
{
    perp_world *world = world_of("spring", 2.0, true, 800.0, damping);
    perp_scheme scheme =
        run_scheme_by(a->integrator, share * stable_dt(world, a->integrator, 1.0));
    double *x = perp_body_pose(world->start, 1);
    double most = 0.0;
    run r = {0};

    x[0] = 2.02;
    perp_world_refresh(world, world->start);
    r = run_begin(world, &scheme, "nsgs", false);
    for (int k = 0; k < 400; k++) {
        OK(perp_stepper_step(r.stepper, &r.report, NULL));
        most = fmax(most, fabs(x[0] - 2.0));
    }
    perp_stepper_free(r.stepper);
    return most;
}

TEST(runs_stay_near_below_the_bound_and_leave_above_it)
{
    for (int k = 0; k < ALLOWANCES; k++) {
        const bool grows =
            allowances[k].spring < 1.0; /* by 0.1 % per step, at the bound */

        for (int damped = 0; damped < 2; damped++) {
            double below = farthest(&allowances[k], 5.0 * damped, 0.97);
            double above = farthest(&allowances[k], 5.0 * damped, 1.04);

            CU_ASSERT(below < (grows ? 0.04 : 0.2));
            CU_ASSERT(above > (grows ? 1.02 : 10.0) * below);
        }
    }
}
