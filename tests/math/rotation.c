/* SPDX-License-Identifier: Apache-2.0
 * tests/math/rotation.c: quaternions, their rates, turns and frames. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "math/vec3.h"
#include "reference.h"

/* Everything that is stored about one orientation. */
static void check_kinematics(const golden_case *c)
{
    double q[4], p[4], w[3], a[3], n[3], phi[3], x[12], y[9];
    double dt = golden_real(c->in, "dt");

    golden_reals(c->in, "q", 4, q);
    golden_reals(c->in, "p", 4, p);
    golden_reals(c->in, "w", 3, w);
    golden_reals(c->in, "a", 3, a);
    golden_reals(c->in, "n", 3, n);
    golden_reals(c->in, "phi", 3, phi);
    perp_rotation_matrix(q, x);
    golden_agree(c, "R", x, 9);
    mat3_apply_transposed(x, w, y);
    golden_agree(c, "w_body", y, 3);
    perp_quat_multiply(q, p, x);
    golden_agree(c, "qp", x, 4);
    perp_quat_rotate(q, a, x);
    golden_agree(c, "q_rot_a", x, 3);
    perp_quat_rotate_back(q, a, x);
    golden_agree(c, "q_inv_rot_a", x, 3);
    perp_quat_rate_matrix(q, x);
    golden_agree(c, "Q", x, 12);
    perp_quat_body_matrix(q, x);
    golden_agree(c, "G", x, 12);
    perp_quat_rate(q, w, x);
    golden_agree(c, "qdot", x, 4);
    perp_cross_matrix(a, x);
    golden_agree(c, "skew_a", x, 9);
    perp_quat_exp(phi, x);
    golden_agree(c, "exp_phi", x, 4);
    perp_quat_log(q, x);
    golden_agree(c, "log_q", x, 3);
    memcpy(x, q, sizeof q);
    perp_quat_turn(x, w, dt, PERP_TURN_LINEAR, NULL, 0.0);
    golden_agree(c, "q_step_linear", x, 4);
    memcpy(x, q, sizeof q);
    perp_quat_turn(x, w, dt, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    golden_agree(c, "q_step_exp", x, 4);
    perp_tangents(n, x, y);
    golden_agree(c, "t1", x, 3);
    golden_agree(c, "t2", y, 3);
}

TEST(kinematics_are_the_golden_ones)
{
    golden_each("kinematics", NULL, check_kinematics);
}

/* Components of a normal that are equal but for rounding do not choose the frame. */
TEST(the_frame_of_a_normal_does_not_turn_by_rounding)
{
    static const double noise[] = {0.0, 1e-16, -1e-16, 3e-9, -3e-9};

    for (size_t k = 0; k < 3; k++) {
        double t1[3], t2[3];
        double n[3] = {0.0, 0.0, 0.0};

        n[k] = 1.0;
        perp_tangents(n, t1, t2);
        for (size_t a = 0; a < 25; a++) {
            double m[3], s1[3], s2[3];

            m[k] = 1.0; /* of length 1 to rounding */
            m[(k + 1) % 3] = noise[a % 5];
            m[(k + 2) % 3] = noise[a / 5];
            perp_tangents(m, s1, s2);
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT_DOUBLE_EQUAL(s1[i], t1[i], 1e-8);
                CU_ASSERT_DOUBLE_EQUAL(s2[i], t2[i], 1e-8);
            }
        }
    }
}

static double angle_between(const double p[4], const double q[4])
{
    double back[4], d[4], phi[3];

    perp_quat_conjugate(p, back);
    perp_quat_multiply(back, q, d);
    perp_quat_log(d, phi);
    return vec3_length(phi);
}

static void some_orientation(perp_random *g, double q[4], double omega[3])
{
    for (int k = 0; k < 4; k++) {
        q[k] = perp_random_uniform(g, -1.0, 1.0);
    }
    perp_quat_normalize(q);
    for (int k = 0; k < 3; k++) {
        omega[k] = perp_random_uniform(g, -1.0, 1.0);
    }
    vec3_normalize(omega);
}

/* From one radian a step to far beyond half a turn: 2 atan(angle/2), never the angle. */
TEST(the_linear_turn_falls_short_by_the_arc_tangent)
{
    perp_random g = {31};

    for (double angle = 1e-3; angle < 100.0; angle *= 3.0) {
        double q[4], p[4], omega[3];

        some_orientation(&g, q, omega);
        memcpy(p, q, sizeof q);
        vec3_scale(60.0 * angle, omega, omega);
        perp_quat_turn(p, omega, 1.0 / 60.0, PERP_TURN_LINEAR, NULL, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(angle_between(q, p), 2.0 * atan(0.5 * angle), 1e-14);
    }
}

/* Many steps are one: with omega constant nothing is lost, at any speed. */
TEST(the_exponential_turn_is_exact)
{
    perp_random g = {32};

    for (double speed = 1e-3; speed < 1e4; speed *= 10.0) {
        double q[4], p[4], exact[4], phi[3], omega[3];

        some_orientation(&g, q, omega);
        memcpy(p, q, sizeof q);
        vec3_scale(speed, omega, omega);
        for (int k = 0; k < 60; k++) {
            perp_quat_turn(p, omega, 1.0 / 64.0, PERP_TURN_EXPONENTIAL, NULL, 0.0);
        }
        vec3_scale(60.0 / 64.0, omega, phi);
        perp_quat_exp(phi, exact);
        perp_quat_multiply(exact, q, exact);
        /* 60 roundings, and those of an angle of up to 1e4 rad */
        CU_ASSERT(angle_between(p, exact) <= 1e-14 + 4e-16 * speed * 60.0 / 64.0);
    }
}

/* A car's wheel in one step of 1/60 s, error in radians against the exponential. */
static double wheel_error(perp_turn turn, double spin, double steer)
{
    const double axis[3] = {0.0, 1.0, 0.0};
    const double omega[3] = {0.0, spin, steer};
    double q[4] = {1, 0, 0, 0};
    double exact[4] = {1, 0, 0, 0};

    perp_quat_turn(q, omega, 1.0 / 60.0, turn, axis, 0.0);
    perp_quat_turn(exact, omega, 1.0 / 60.0, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    return angle_between(q, exact);
}

TEST(a_fast_wheel_is_turned_well_about_its_axis)
{
    /* 100 rad/s: 1.67 rad, of which the linear turn makes 1.39 */
    CU_ASSERT_DOUBLE_EQUAL(wheel_error(PERP_TURN_LINEAR, 100.0, 0.0),
                           100.0 / 60.0 - 2.0 * atan(100.0 / 120.0), 1e-14);
    CU_ASSERT(wheel_error(PERP_TURN_AXIS, 100.0, 0.0) <= 1e-15); /* along: the same */
    CU_ASSERT(wheel_error(PERP_TURN_AXIS, 100.0, 0.5) <
              0.05 * wheel_error(PERP_TURN_LINEAR, 100.0, 0.5));
    /* across alone it is the linear one */
    CU_ASSERT_DOUBLE_EQUAL(wheel_error(PERP_TURN_AXIS, 0.0, 6.0),
                           wheel_error(PERP_TURN_LINEAR, 0.0, 6.0), 1e-15);
}

/* The series takes over by the angle dt |omega|, not by |omega|: dt = 1e3 and omega =
 * 1e-3 are a whole radian; dt = 1e-6 and omega = 100 are a small angle. */
TEST(small_angles_are_as_exact_as_large_ones)
{
    double q[4] = {1, 0, 0, 0};

    perp_quat_turn(q, (const double[]){1e-3, 0, 0}, 1e3, PERP_TURN_EXPONENTIAL, NULL,
                   0.0);
    CU_ASSERT_DOUBLE_EQUAL(q[0], cos(0.5), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(q[1], sin(0.5), 1e-15);
    for (double angle = 1e-12; angle < 0.1; angle *= 1.7) {
        double phi[3] = {0, angle, 0};

        perp_quat_exp(phi, q);
        /* relative: sin(x/2) of the library is right to the last digit */
        CU_ASSERT_DOUBLE_EQUAL(q[2] / sin(0.5 * angle), 1.0, 1e-15);
        perp_quat_log(q, phi);
        CU_ASSERT_DOUBLE_EQUAL(phi[1] / angle, 1.0, 1e-15);
    }
    perp_quat_exp((const double[]){0, 0, 0}, q);
    CU_ASSERT(q[0] == 1.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0);
}

/* Asked for 10/3 rad and cut to pi/4: it turns by pi/4 about the same axis, forward and
 * back; below the cut nothing changes. */
TEST(the_cut_of_an_angle_turns_by_what_is_left)
{
    const double omega[3] = {0, 0, 200.0};
    const double backward[3] = {0, 0, -200.0};
    const double slow[3] = {0, 0, 1.0};

    for (int k = 0; k < 2; k++) {
        double q[4] = {1, 0, 0, 0};
        double phi[3];
        double dt = k == 0 ? 1.0 / 60.0 : -1.0 / 60.0;

        perp_quat_turn(q, k == 0 ? omega : backward, dt, PERP_TURN_EXPONENTIAL, NULL,
                       0.25 * M_PI);
        perp_quat_log(q, phi);
        test_agree("cut", phi, (const double[]){0, 0, 0.25 * M_PI}, 3, 1e-15);
        perp_quat_turn(q, slow, dt, PERP_TURN_EXPONENTIAL, NULL, 0.25 * M_PI);
        perp_quat_log(q, phi);
        CU_ASSERT_DOUBLE_EQUAL(phi[2], 0.25 * M_PI + dt, 1e-15);
    }
}

/* omega(t) of a body that swings, and the orientation at t = 1 by n steps of each
 * rule. */
static void swinging(double t, double omega[3])
{
    vec3_set(omega, sin(2.0 * t), 1.0 + t * t, cos(3.0 * t));
}

static void rk4_turn(double q[4], double t, double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double rate[4] = {0};
    double sum[4] = {0};

    for (int k = 0; k < 4; k++) {
        double x[4], omega[3];

        for (int c = 0; c < 4; c++) {
            x[c] = q[c] + at[k] * h * rate[c];
        }
        swinging(t + at[k] * h, omega);
        perp_quat_rate(x, omega, rate);
        for (int c = 0; c < 4; c++) {
            sum[c] += weight[k] * rate[c];
        }
    }
    for (int c = 0; c < 4; c++) {
        q[c] += h * sum[c];
    }
    perp_quat_normalize(q);
}

enum { LINEAR_START, EXPONENTIAL_START, EXPONENTIAL_MIDDLE, RUNGE_KUTTA, RULES };

static void swing(int rule, int n, double q[4])
{
    double h = 1.0 / n;

    q[0] = 1.0;
    vec3_set(q + 1, 0.0, 0.0, 0.0);
    for (int k = 0; k < n; k++) {
        double omega[3];

        swinging((k + (rule == EXPONENTIAL_MIDDLE ? 0.5 : 0.0)) * h, omega);
        if (rule == RUNGE_KUTTA) {
            rk4_turn(q, k * h, h);
        } else {
            perp_quat_turn(q, omega, h,
                           rule == LINEAR_START ? PERP_TURN_LINEAR
                                                : PERP_TURN_EXPONENTIAL,
                           NULL, 0.0);
        }
    }
}

TEST(turns_under_a_changing_omega_have_their_orders)
{
    static const double expected[RULES] = {1, 1, 2, 4};
    double exact[4];

    swing(RUNGE_KUTTA, 4096, exact); /* error below 1e-14 */
    for (int rule = 0; rule < RULES; rule++) {
        double coarse[4], fine[4];
        int n = rule == RUNGE_KUTTA ? 64 : 1024;

        swing(rule, n, coarse);
        swing(rule, 2 * n, fine);
        CU_ASSERT_DOUBLE_EQUAL(
            log2(angle_between(coarse, exact) / angle_between(fine, exact)),
            expected[rule], 0.1);
    }
}

/* With omega constant the linear turn is off by (h w)^3/12 a step: order 2. */
TEST(the_linear_turn_is_of_order_two_while_omega_is_constant)
{
    double error[2];

    for (int fine = 0; fine < 2; fine++) {
        double q[4] = {1, 0, 0, 0};
        int n = 64 << fine;

        for (int k = 0; k < n; k++) {
            perp_quat_turn(q, (const double[]){0, 0, 2}, 1.0 / n, PERP_TURN_LINEAR, NULL,
                           0.0);
        }
        error[fine] = 2.0 - 2.0 * atan2(q[3], q[0]);
        CU_ASSERT_DOUBLE_EQUAL(error[fine] * n * n, 8.0 / 12.0, 0.01);
    }
    CU_ASSERT_DOUBLE_EQUAL(log2(error[0] / error[1]), 2.0, 0.1);
}

TEST(logarithms_take_the_shorter_way)
{
    perp_random g = {33};

    for (int k = 0; k < 100; k++) {
        double q[4], minus[4], omega[3], phi[3], other[3], back[4];

        some_orientation(&g, q, omega);
        for (int c = 0; c < 4; c++) {
            minus[c] = -q[c];
        }
        perp_quat_log(q, phi);
        perp_quat_log(minus, other);
        test_agree("q and -q", other, phi, 3, 0.0);
        CU_ASSERT(vec3_length(phi) <= M_PI * (1.0 + 1e-15));
        perp_quat_exp(phi, back);
        CU_ASSERT(angle_between(q, back) <= 1e-15 * 4);
    }
}
