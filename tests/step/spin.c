/* SPDX-License-Identifier: Apache-2.0
 * tests/step/spin.c: the free spin of a body, against its closed form. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion.h"

enum { METHODS = PERP_INTEGRATOR_MOMENTUM + 1 };

static const double orders[METHODS] = {1, 1, 1, 2, 2, 2, 2, 4, 2};

static perp_world *spinner(const double I[3], const double w[3], perp_gyro gyro)
{
    perp_world *world = test_world(3, 0.0);
    perp_body b = {.name = "spinner", .mass = 1.0, .gyro = gyro};

    for (int k = 0; k < 3; k++) {
        b.inertia[4 * k] = I[k];
        b.w[k] = w[k]; /* the axes of body and world agree at first */
    }
    OK(perp_world_add_body(world, &b, NULL, NULL));
    return world;
}

static void body_omega(const perp_world *w, double out[3])
{
    perp_quat_rotate_back(perp_body_pose(w->start, 0) + 3,
                          perp_body_velocity(w->start, 0) + 3, out);
}

/* Closed form and RK4, both against stored values. */
static void check_stored(const golden_case *c)
{
    size_t n = golden_count(c->in, "t");
    double t[16];
    double I[3];
    double w0[3];
    double w[3 * 16];
    double q[4 * 16];
    double energy = golden_real(c->out, "energy");
    double L[3];
    double before = 0.0;
    perp_world *world = NULL;

    CU_ASSERT_FATAL(n <= 16);
    golden_reals(c->in, "t", n, t);
    golden_reals(c->in, "I_diag", 3, I);
    golden_reals(c->in, "w_body0", 3, w0);
    golden_reals(c->out, "q", 4 * n, q);
    golden_reals(c->out, "L_world", 3, L);
    world = spinner(I, w0, PERP_GYRO_EXPLICIT);
    for (size_t k = 0; k < n; k++) {
        double now[3];
        double turned[4];
        double found = 0.0;

        test_free_spin(I, w0, t[k], w + 3 * k);
        /* steps of 1 ms: rates up to 10/s give an error of (1e-2)^4/120 t in phase */
        test_fly(world, PERP_INTEGRATOR_RK4, 1e-3, (size_t)lround(1e3 * (t[k] - before)));
        before = t[k];
        body_omega(world, now);
        test_agree("omega by RK4", now, w + 3 * k, 3, c->tol);
        perp_quat_conjugate(q + 4 * k, turned);
        perp_quat_multiply(turned, perp_body_pose(world->start, 0) + 3, turned);
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(turned + 1), 0.0, c->tol); /* half the angle */
        found = perp_world_kinetic(world, world->start);
        test_agree("energy", &found, &energy, 1, 1e-10);
        perp_world_angular_momentum(world, world->start, now);
        test_agree("momentum", now, L, 3, 1e-9);
    }
    golden_agree(c, "w_body", w, 3 * n);
}

TEST(free_rotations_are_the_golden_ones)
{
    golden_each("free_rotation", NULL, check_stored);
}

TEST(the_closed_form_obeys_eulers_equations)
{
    const double I[3] = {0.7, 1.1, 1.5};
    perp_random g = {21};

    for (int k = 0; k < 40; k++) {
        double w0[3];
        double w[3];
        double a[3];
        double b[3];
        double t = perp_random_uniform(&g, -3.0, 3.0);
        const double h = 1e-4;

        for (int c = 0; c < 3; c++) {
            w0[c] = perp_random_uniform(&g, -3.0, 3.0);
        }
        test_free_spin(I, w0, 0.0, w);
        test_agree("start", w, w0, 3, 1e-12);
        test_free_spin(I, w0, t, w);
        test_free_spin(I, w0, t + h, a);
        test_free_spin(I, w0, t - h, b);
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3;
            int e = (c + 2) % 3;

            /* h^2/6 times a third derivative of some 30, and 1e-16/h */
            CU_ASSERT_DOUBLE_EQUAL((a[c] - b[c]) / (2.0 * h),
                                   (I[d] - I[e]) / I[c] * w[d] * w[e], 1e-6);
        }
    }
}

/* omega in body axes against the closed form, and L in world axes, which feels q. */
static double spin_error(int method, perp_gyro gyro, size_t steps, const double I[3],
                         const double w0[3])
{
    perp_world *w = spinner(I, w0, gyro);
    double exact[3];
    double found[3];
    double L[3];
    double error = 0.0;

    test_fly(w, (perp_integrator)method, 1.0 / (double)steps, steps);
    test_free_spin(I, w0, 1.0, exact);
    body_omega(w, found);
    vec3_subtract(found, exact, found);
    perp_world_angular_momentum(w, w->start, L);
    for (int k = 0; k < 3; k++) {
        L[k] -= I[k] * w0[k];
    }
    error = hypot(vec3_length(found), vec3_length(L));
    return error;
}

static void check_order(int method, perp_gyro gyro, double expected)
{
    const double I[3] = {1.0, 2.0, 3.0};
    const double w0[3] = {1.0, 2.0, -0.7};
    size_t steps = expected > 3 ? 50 : expected > 1 ? 400 : 4000;
    double order = log2(spin_error(method, gyro, steps, I, w0) /
                        spin_error(method, gyro, 2 * steps, I, w0));

    if (fabs(order - expected) > 0.1) {
        test_note("%s %s: order %.3f", perp_integrator_names[method],
                  perp_gyro_names[gyro], order);
    }
    CU_ASSERT_DOUBLE_EQUAL(order, expected, 0.1);
}

TEST(each_method_has_its_order_on_a_free_spin)
{
    for (int k = 0; k < METHODS; k++) {
        check_order(k, PERP_GYRO_IMPLICIT_BODY, orders[k]);
    }
}

TEST(each_gyroscopic_variant_leads_to_the_free_spin)
{
    for (int gyro = 0; gyro <= PERP_GYRO_CONVERGED; gyro++) {
        if (gyro != PERP_GYRO_NONE) {
            check_order(PERP_INTEGRATOR_SEMI_IMPLICIT, (perp_gyro)gyro, 1.0);
        }
    }
}

/* sigma = w2 sqrt((I2 - I1)(I3 - I2)/(I1 I3)), started along the growing direction. */
TEST(the_intermediate_axis_grows_at_its_rate)
{
    const double I[3] = {1.0, 2.0, 3.0};
    const double eps = 1e-6;
    const double w0[3] = {eps, 3.0,
                          -eps * sqrt(I[0] * (I[1] - I[0]) / (I[2] * (I[2] - I[1])))};
    double sigma = 3.0 * sqrt((I[1] - I[0]) * (I[2] - I[1]) / (I[0] * I[2]));
    perp_world *w = spinner(I, w0, PERP_GYRO_EXPLICIT);
    double now[3];
    double first = 0.0;

    test_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 1000);
    body_omega(w, now);
    first = log(hypot(now[0], now[2]));
    test_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 2000);
    body_omega(w, now);
    CU_ASSERT_DOUBLE_EQUAL(sigma, 1.7320508, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL((log(hypot(now[0], now[2])) - first) / 2.0, sigma,
                           1e-6 * sigma);
}

/* Least and greatest share of the speed about `axis` in 60 s,
 * disturbed by a hundredth. */
static void wobble(int axis, double *least, double *most)
{
    const double I[3] = {1.0, 2.0, 3.0};
    double w0[3] = {0.03, 0.03, 0.03};
    perp_world *w = NULL;

    w0[axis] = 3.0;
    w = spinner(I, w0, PERP_GYRO_EXPLICIT);
    *least = *most = 1.0;
    for (int k = 0; k < 600; k++) {
        double now[3];

        test_fly(w, PERP_INTEGRATOR_RK4, 0.005, 20);
        body_omega(w, now);
        *least = fmin(*least, now[axis] / w0[axis]);
        *most = fmax(*most, now[axis] / w0[axis]);
    }
}

TEST(only_the_intermediate_axis_tumbles)
{
    double least = 0.0;
    double most = 0.0;

    wobble(0, &least, &most);
    CU_ASSERT(least > 0.99);
    wobble(2, &least, &most);
    CU_ASSERT(least > 0.99);
    wobble(1, &least, &most);
    CU_ASSERT(least < -0.99 && most > 0.99);
}

/* 10 s at 1 ms: T and L of the reference method. */
TEST(rk4_keeps_energy_and_momentum)
{
    const double I[3] = {1.0, 2.0, 3.0};
    const double w0[3] = {0.1, 3.0, 0.1};
    perp_world *w = spinner(I, w0, PERP_GYRO_EXPLICIT);
    double T = perp_world_kinetic(w, w->start);
    double L0[3];
    double L[3];

    perp_world_angular_momentum(w, w->start, L0);
    test_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 10000);
    perp_world_angular_momentum(w, w->start, L);
    vec3_subtract(L, L0, L);
    CU_ASSERT(fabs(perp_world_kinetic(w, w->start) / T - 1.0) < 1e-10);
    CU_ASSERT(vec3_length(L) / vec3_length(L0) < 1e-10);
}

/* L in space, and T, of a free body in large steps; a constant torque adds t times it. */
TEST(the_momentum_method_keeps_both_to_rounding)
{
    const double I[3] = {1.0, 2.0, 3.0};
    const double w0[3] = {0.3, 20.0, 0.3};
    const double torque[3] = {0.5, -2.0, 1.0};
    perp_world *w = spinner(I, w0, PERP_GYRO_MIDPOINT);
    double T = perp_world_kinetic(w, w->start);
    double L0[3];
    double L[3];

    perp_world_angular_momentum(w, w->start, L0);
    test_fly(w, PERP_INTEGRATOR_MOMENTUM, 1.0 / 30.0, 3000);
    perp_world_angular_momentum(w, w->start, L);
    /* 3000 steps of a few roundings */
    test_agree("L", L, L0, 3, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(w, w->start) / T, 1.0, 1e-11);
    vec3_copy(w->start->load + 3, torque);
    test_fly(w, PERP_INTEGRATOR_MOMENTUM, 1.0 / 32.0, 320);
    vec3_add(L, 10.0, torque, L0);
    perp_world_angular_momentum(w, w->start, L);
    test_agree("L", L, L0, 3, 1e-11);
}

/* `none` in every method: omega stays in world axes, so a sphere and a rod turn alike. */
TEST(without_the_gyroscopic_term_omega_stays)
{
    const double I[3] = {1.0, 2.0, 3.0};
    const double w0[3] = {1.0, 2.0, -0.7};

    for (int k = 0; k < METHODS; k++) {
        perp_world *w = spinner(I, w0, PERP_GYRO_NONE);

        test_fly(w, (perp_integrator)k, 0.01, 100);
        /* RK4 goes through body axes: a hundred turns there and back */
        test_agree(perp_integrator_names[k], perp_body_velocity(w->start, 0) + 3, w0, 3,
                   k == PERP_INTEGRATOR_RK4 ? 1e-8 : 1e-15);
    }
}
