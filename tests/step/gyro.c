/* SPDX-License-Identifier: Apache-2.0
 * tests/step/gyro.c: the gyroscopic stage of a step, its variants and its energy. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include <perp/random.h>

#include "dynamics.h"
#include "math/vec3.h"
#include "step/integrate.h"

static const double spindle[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
static const double identity[4] = {1, 0, 0, 0};

static double energy(const double I[9], const double w[3])
{
    double L[3];

    mat3_apply(I, w, L);
    return 0.5 * vec3_dot(w, L);
}

static void check_stage(const golden_case *c, perp_gyro gyro, const char *key)
{
    double q[4];
    double w[3];
    double I[9];

    golden_reals(c->in, "q", 4, q);
    golden_reals(c->in, "w", 3, w);
    golden_reals(c->in, "I_body", 9, I);
    OK(perp_gyro_stage(gyro, q, I, golden_real(c->in, "dt"), w, NULL));
    golden_agree(c, key, w, 3);
}

static void check_variants(const golden_case *c)
{
    check_stage(c, PERP_GYRO_EXPLICIT, "w_explicit");
    check_stage(c, PERP_GYRO_IMPLICIT_BODY, "w_implicit_body");
    check_stage(c, PERP_GYRO_IMPLICIT_WORLD, "w_implicit_world");
    check_stage(c, PERP_GYRO_CONVERGED, "w_implicit_converged");
}

TEST(every_variant_takes_the_golden_step)
{
    golden_each("gyroscopic", NULL, check_variants);
}

static void check_split(const golden_case *c, perp_gyro_split split, const char *key)
{
    double q[4];
    double w[3];
    double I[9];
    double torque[3];

    golden_reals(c->in, "q", 4, q);
    golden_reals(c->in, "w", 3, w);
    golden_reals(c->in, "I_body", 9, I);
    golden_reals(c->in, "torque", 3, torque);
    OK(perp_gyro_torque_stage(PERP_GYRO_IMPLICIT_BODY, split, q, I, torque,
                              golden_real(c->in, "dt"), w, NULL));
    golden_agree(c, key, w, 3);
}

static void check_splits(const golden_case *c)
{
    check_split(c, PERP_GYRO_SEQUENTIAL, "w_torque_then_implicit");
    check_split(c, PERP_GYRO_ADDED, "w_torque_plus_delta_bullet");
}

TEST(torque_goes_before_or_beside_the_stage)
{
    golden_each("gyroscopic", NULL, check_splits);
}

static void check_newton_parts(const golden_case *c)
{
    double q[4];
    double w[3];
    double I[9];
    double F[3];
    double D[9];
    double dt = golden_real(c->in, "dt");

    golden_reals(c->in, "q", 4, q);
    golden_reals(c->in, "w", 3, w);
    golden_reals(c->in, "I_body", 9, I);
    perp_quat_rotate_back(q, w, w);
    gyro_residual(I, w, w, dt, F);
    golden_agree(c, "F0", F, 3);
    gyro_derivative(I, w, dt, D);
    golden_agree(c, "newton_J", D, 9);
}

TEST(residual_and_derivative_are_the_golden_ones)
{
    golden_each("gyroscopic", NULL, check_newton_parts);
}

TEST(the_derivative_is_that_of_the_residual)
{
    const double I[9] = {1.3, 0.1, -0.2, 0.1, 2.0, 0.3, -0.2, 0.3, 1.7};
    const double w1[3] = {0.4, -1.1, 2.0};
    const double w2[3] = {0.7, -0.9, 1.8};
    const double h = 1e-4;
    double D[9];

    gyro_derivative(I, w2, 0.1, D);
    for (int k = 0; k < 3; k++) {
        double a[3];
        double b[3];
        double w[3];

        vec3_copy(w, w2);
        w[k] = w2[k] + h;
        gyro_residual(I, w1, w, 0.1, a);
        w[k] = w2[k] - h;
        gyro_residual(I, w1, w, 0.1, b);
        for (int c = 0; c < 3; c++) {
            /* F is quadratic: central differences are exact but for 1e-16/h */
            CU_ASSERT_DOUBLE_EQUAL((a[c] - b[c]) / (2.0 * h), D[3 * c + k], 1e-11);
        }
    }
}

/* T2 - T1 = +-dw.I dw/2, step by step. */
TEST(energy_moves_by_the_square_of_the_step)
{
    perp_random g = {3};

    for (int k = 0; k < 100; k++) {
        double w[3];
        double w2[3];
        double dw[3];

        for (int c = 0; c < 3; c++) {
            w[c] = perp_random_uniform(&g, -4.0, 4.0);
        }
        vec3_copy(w2, w);
        OK(perp_gyro_stage(PERP_GYRO_EXPLICIT, identity, spindle, 0.03, w2, NULL));
        vec3_subtract(w2, w, dw);
        /* energies up to 50: rounding of their difference */
        CU_ASSERT_DOUBLE_EQUAL(energy(spindle, w2) - energy(spindle, w),
                               energy(spindle, dw), 1e-13);
        vec3_copy(w2, w);
        OK(perp_gyro_stage(PERP_GYRO_CONVERGED, identity, spindle, 0.03, w2, NULL));
        vec3_subtract(w2, w, dw);
        CU_ASSERT_DOUBLE_EQUAL(energy(spindle, w2) - energy(spindle, w),
                               -energy(spindle, dw), 1e-13);
    }
}

TEST(body_and_world_variants_are_one)
{
    perp_random g = {4};

    for (int k = 0; k < 50; k++) {
        const double I[9] = {1.3, 0.1, -0.2, 0.1, 2.0, 0.3, -0.2, 0.3, 1.7};
        double q[4];
        double a[3];
        double b[3];

        for (int c = 0; c < 4; c++) {
            q[c] = perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_quat_normalize(q);
        for (int c = 0; c < 3; c++) {
            a[c] = b[c] = perp_random_uniform(&g, -5.0, 5.0);
        }
        perp_gyro_stage(PERP_GYRO_IMPLICIT_BODY, q, I, 0.02, a, NULL);
        perp_gyro_stage(PERP_GYRO_IMPLICIT_WORLD, q, I, 0.02, b, NULL);
        /* turning numbers of size 5 back and forth: a dozen roundings */
        test_agree("body = world", a, b, 3, 2e-14);
    }
}

/* The error of the next iterate is about a constant times the square of this one's. */
TEST(newtons_method_converges_quadratically)
{
    const double w1[3] = {1.0, 3.0, -2.0};
    double exact[3];
    double w[3];
    double error[5];

    vec3_copy(exact, w1);
    OK(perp_gyro_stage(PERP_GYRO_CONVERGED, identity, spindle, 0.1, exact, NULL));
    gyro_residual(spindle, w1, exact, 0.1, w);
    CU_ASSERT(vec3_length(w) <= 1e-14); /* a few roundings of I w, which is 9 */
    vec3_copy(w, w1);
    for (int k = 0; k < 5; k++) {
        double F[3];
        double D[9];

        vec3_subtract(w, exact, F);
        error[k] = vec3_length(F);
        gyro_residual(spindle, w1, w, 0.1, F);
        gyro_derivative(spindle, w, 0.1, D);
        CU_ASSERT_FATAL(gyro_solve_3x3(D, F, F));
        vec3_add(w, -1.0, F, w);
    }
    /* F'' is dt times differences of I: |error'| <= dt (I3 - I1) error^2 */
    for (int k = 0; k < 3; k++) {
        CU_ASSERT(error[k + 1] <= 0.2 * error[k] * error[k] + 1e-15);
    }
    CU_ASSERT(error[1] > 1e-6); /* there was something to converge */
    CU_ASSERT(error[4] <= 1e-14);
}

/* Angular velocity at t = 1 under a constant world torque, orientations by the step's. */
static void spin_up(perp_gyro gyro, perp_gyro_split split, int steps, double w[3])
{
    const double torque[3] = {0.5, -0.8, 0.3};
    double q[4] = {1, 0, 0, 0};
    double dt = 1.0 / steps;

    vec3_set(w, 1.0, 2.0, -0.5);
    for (int k = 0; k < steps; k++) {
        OK(perp_gyro_torque_stage(gyro, split, q, spindle, torque, dt, w, NULL));
        perp_quat_turn(q, w, dt, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    }
}

TEST(both_splits_are_of_order_one_and_agree_in_the_limit)
{
    static const perp_gyro variants[] = {PERP_GYRO_EXPLICIT, PERP_GYRO_IMPLICIT_BODY,
                                         PERP_GYRO_CONVERGED};
    double limit[3];
    double one[3];

    /* Richardson: 2 w(h/2) - w(h) removes the first order */
    spin_up(PERP_GYRO_CONVERGED, PERP_GYRO_SEQUENTIAL, 32768, limit);
    spin_up(PERP_GYRO_CONVERGED, PERP_GYRO_SEQUENTIAL, 16384, one);
    vec3_scale(2.0, limit, limit);
    vec3_subtract(limit, one, limit);
    for (size_t v = 0; v < 3; v++) {
        for (int split = 0; split < 2; split++) {
            double coarse[3];
            double fine[3];
            double order = 0.0;

            spin_up(variants[v], (perp_gyro_split)split, 512, coarse);
            spin_up(variants[v], (perp_gyro_split)split, 1024, fine);
            vec3_subtract(coarse, limit, coarse);
            vec3_subtract(fine, limit, fine);
            order = log2(vec3_length(coarse) / vec3_length(fine));
            if (fabs(order - 1.0) > 0.1) {
                test_note("%s split %d: order %g", perp_gyro_names[variants[v]], split,
                          order);
            }
            CU_ASSERT_DOUBLE_EQUAL(order, 1.0, 0.1);
        }
    }
}

TEST(random_systems_of_three_are_solved)
{
    perp_random g = {9};

    for (int k = 0; k < 200; k++) {
        double A[9];
        double x[3];
        double b[3];
        double y[3] = {0, 0, 0};
        double scale = pow(10.0, perp_random_uniform(&g, -100.0, 90.0));

        for (int c = 0; c < 9; c++) {
            A[c] =
                scale * (perp_random_uniform(&g, -1.0, 1.0) + (c % 4 == 0 ? 3.0 : 0.0));
        }
        for (int c = 0; c < 3; c++) {
            x[c] = perp_random_uniform(&g, -1.0, 1.0);
        }
        mat3_apply(A, x, b);
        CU_ASSERT(gyro_solve_3x3(A, b, y));
        test_agree("x", y, x, 3, 1e-13); /* condition below 30 */
    }
}

/* An inertia of a grain of sand, far below any absolute guard, and a singular matrix. */
TEST(the_guard_of_the_system_is_relative)
{
    const double tiny[9] = {1e-12, 0, 0, 0, 2e-12, 0, 0, 0, 3e-12};
    const double singular[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const double nearly[9] = {1, 1, 0, 1, 1 + 1e-15, 0, 0, 0, 1};
    const double none[9] = {0};
    const double b[3] = {1e-12, 2e-12, 3e-12};
    double x[3] = {7, 8, 9};

    CU_ASSERT_FALSE(gyro_solve_3x3(singular, b, x));
    CU_ASSERT_FALSE(gyro_solve_3x3(nearly, b, x));
    CU_ASSERT_FALSE(gyro_solve_3x3(none, b, x));
    CU_ASSERT(x[0] == 7 && x[1] == 8 && x[2] == 9); /* untouched */
    CU_ASSERT(gyro_solve_3x3(tiny, b, x));
    test_agree("x", x, (const double[]){1, 1, 1}, 3, 1e-15);
}

/* Scaling the inertia changes nothing: it cancels in w - dt I^-1 (w x I w). */
TEST(small_inertias_spin_as_large_ones)
{
    double grain[9];

    for (int v = PERP_GYRO_MIDPOINT; v <= PERP_GYRO_CONVERGED; v++) {
        double a[3] = {0.4, 3.0, -1.0};
        double b[3] = {0.4, 3.0, -1.0};

        for (int k = 0; k < 9; k++) {
            grain[k] = 1e-9 * spindle[k];
        }
        OK(perp_gyro_stage((perp_gyro)v, identity, spindle, 0.05, a, NULL));
        OK(perp_gyro_stage((perp_gyro)v, identity, grain, 0.05, b, NULL));
        test_agree(perp_gyro_names[v], b, a, 3, 1e-14);
    }
}

TEST(a_huge_step_still_converges_and_loses_energy)
{
    for (double dt = 1.0; dt < 2e3; dt *= 10.0) {
        double w[3] = {1.0, 2.0, 3.0};
        double before = energy(spindle, w);

        OK(perp_gyro_stage(PERP_GYRO_CONVERGED, identity, spindle, dt, w, NULL));
        CU_ASSERT(energy(spindle, w) < before);
    }
}

TEST(a_stage_without_a_solution_is_refused)
{
    const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    const double torque[3] = {0, 0, 1};
    double w[3] = {1, 2, 3};
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_gyro_stage(PERP_GYRO_EXPLICIT, identity, flat, 0.1, w, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "gyroscopic stage: the matrix is singular, expected "
                                     "a positive definite inertia and a finite velocity");
    CU_ASSERT_EQUAL(perp_gyro_torque_stage(PERP_GYRO_NONE, PERP_GYRO_SEQUENTIAL, identity,
                                           flat, torque, 0.1, w, NULL),
                    PERP_ERR_DATA);
    CU_ASSERT(w[0] == 1 && w[1] == 2 && w[2] == 3);
}

/* A body that spins about a tilted axis; `none` leaves w alone and so turns L. */
TEST(without_the_term_energy_stays_and_momentum_turns)
{
    perp_world *world = test_world(3, 0.0);
    perp_body b = {.name = "top", .mass = 1, .gyro = PERP_GYRO_NONE, .w = {1, 2, 0.5}};
    perp_scheme scheme;
    perp_free_motion motion = {0};
    double T = 0.0;
    double L0[3];
    double L[3];

    memcpy(b.inertia, spindle, sizeof spindle);
    OK(perp_world_add_body(world, &b, NULL, NULL));
    perp_scheme_default(&scheme);
    T = perp_world_kinetic(world, world->start);
    perp_world_angular_momentum(world, world->start, L0);
    for (int k = 0; k < 60; k++) {
        OK(perp_free_motion_run(&motion, world, world->start, &scheme, NULL));
        perp_free_motion_finish(&motion, world, world->start, motion.u, &scheme, NULL);
    }
    CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(world, world->start), T,
                           1e-13); /* 60 roundings of 5 */
    perp_world_angular_momentum(world, world->start, L);
    vec3_subtract(L, L0, L);
    CU_ASSERT(vec3_length(L) > 1.0);
    perp_free_motion_clear(&motion);
}

/* One step of the free motion by flag, and by the scheme's override, is the stage itself. */
TEST(the_flag_of_a_body_picks_its_variant)
{
    perp_world *world = test_world(3, 0.0);
    perp_free_motion motion = {0};
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    for (int v = PERP_GYRO_MIDPOINT; v <= PERP_GYRO_CONVERGED; v++) {
        perp_body b = {.name = perp_gyro_names[v], .mass = 1, .w = {1, 2, 0.5}};

        b.gyro = (perp_gyro)v;
        memcpy(b.inertia, spindle, sizeof spindle);
        OK(perp_world_add_body(world, &b, NULL, NULL));
    }
    OK(perp_free_motion_run(&motion, world, world->start, &scheme, NULL));
    for (int v = PERP_GYRO_MIDPOINT; v <= PERP_GYRO_CONVERGED; v++) {
        double w[3] = {1, 2, 0.5};

        perp_gyro_stage((perp_gyro)v, identity, spindle, scheme.dt, w, NULL);
        test_agree("flag", motion.u + 6 * v + 3, w, 3, 0.0);
    }
    scheme.override_gyro = true;
    scheme.gyro = PERP_GYRO_CONVERGED;
    OK(perp_free_motion_run(&motion, world, world->start, &scheme, NULL));
    for (int v = PERP_GYRO_MIDPOINT; v < PERP_GYRO_CONVERGED; v++) {
        test_agree("override", motion.u + 6 * v + 3,
                   motion.u + 6 * (size_t)PERP_GYRO_CONVERGED + 3, 3, 0.0);
    }
    perp_free_motion_clear(&motion);
}

/* Growth of the energy of a free spin after `time`. */
static double growth(perp_gyro gyro, double a, double b, double time, double dt)
{
    double w[3] = {a, b, a};
    double before = energy(spindle, w);

    for (long k = lround(time / dt); k > 0; k--) {
        OK(perp_gyro_stage(gyro, identity, spindle, dt, w, NULL));
    }
    return energy(spindle, w) / before - 1.0;
}

/* About the intermediate axis. Known to a percent: +98 % and +459 %, -40 % and -60 %. */
TEST(explicit_blows_up_and_implicit_damps)
{
    CU_ASSERT_DOUBLE_EQUAL(growth(PERP_GYRO_EXPLICIT, 0.1, 3.0, 50.0, 1 / 60.0), 0.98,
                           0.01);
    CU_ASSERT_DOUBLE_EQUAL(growth(PERP_GYRO_EXPLICIT, 0.1, 3.0, 50.0, 1 / 30.0), 4.59,
                           0.01);
    CU_ASSERT_DOUBLE_EQUAL(growth(PERP_GYRO_IMPLICIT_BODY, 0.1, 3.0, 50.0, 1 / 60.0),
                           -0.40, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(growth(PERP_GYRO_IMPLICIT_BODY, 0.1, 3.0, 50.0, 1 / 30.0),
                           -0.60, 0.01);
}

/* Random bodies and spins, up to 100 rad a step: w.I w and |I w| stay. */
TEST(the_midpoint_rule_keeps_energy_and_length_of_momentum)
{
    perp_random random = {5};

    for (int k = 0; k < 2000; k++) {
        const double a = perp_random_uniform(&random, 0.01, 1.0);
        const double b = perp_random_uniform(&random, 0.01, 1.0);
        const double c = perp_random_uniform(&random, fabs(a - b), a + b);
        const double I[9] = {a, 0, 0, 0, b, 0, 0, 0, c};
        const double spin = pow(10.0, perp_random_uniform(&random, -3.0, 3.0));
        double w[3];
        double L[3];
        double before = 0.0;
        double length = 0.0;

        for (int i = 0; i < 3; i++) {
            w[i] = spin * perp_random_uniform(&random, -1.0, 1.0);
        }
        before = energy(I, w);
        mat3_apply(I, w, L);
        length = vec3_length(L);
        OK(perp_gyro_stage(PERP_GYRO_MIDPOINT, identity, I, 0.1, w, NULL));
        mat3_apply(I, w, L);
        /* w = 2 wm - w1 and Newton's method leave 1e-15 of |L| (1 + dt |w|) */
        CU_ASSERT_DOUBLE_EQUAL(energy(I, w) / before, 1.0, 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(L) / length, 1.0, 1e-11);
    }
}

/* In body axes, against steps of a thousandth: errors fall by four as steps do by two. */
TEST(the_midpoint_rule_is_of_order_two)
{
    double w[3][3];
    double error[2];

    for (int k = 0; k < 3; k++) {
        const int steps = k == 2 ? 20000 : 20 << k;

        vec3_set(w[k], 1.0, 2.0, -0.5);
        for (int s = 0; s < steps; s++) {
            perp_gyro_stage(PERP_GYRO_MIDPOINT, identity, spindle, 1.0 / steps, w[k],
                            NULL);
        }
    }
    for (int k = 0; k < 2; k++) {
        vec3_subtract(w[k], w[2], w[k]);
        error[k] = vec3_length(w[k]);
    }
    CU_ASSERT_DOUBLE_EQUAL(error[0] / error[1], 4.0, 0.05);
}
