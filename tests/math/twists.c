/* SPDX-License-Identifier: Apache-2.0
 * tests/math/twists.c: frames, twists, wrenches, and rotations by exponential
 * coordinates: against golden values, power series and differences. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "math/math.h"
#include "math/vec3.h"
#include "reference.h"

static const double pi = 3.14159265358979323846;

static void draw(perp_random *g, double scale, double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        x[k] = perp_random_uniform(g, -scale, scale);
    }
}

/* A vector of some length in a random direction. */
static void draw_along(perp_random *g, double length, double q[3])
{
    draw(g, 1.0, q, 3);
    vec3_normalize(q);
    vec3_scale(length, q, q);
}

static perp_frame some_frame(perp_random *g)
{
    perp_frame E = {0};
    double q[3];

    draw(g, 2.0, q, 3);
    perp_exponential(q, E.R);
    draw(g, 2.0, E.p, 3);
    return E;
}

/* C := A B, 6x6 column-major. */
static void multiply6(const double *A, const double *B, double *C)
{
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 6; i++) {
            double sum = 0.0;

            for (int k = 0; k < 6; k++) {
                sum += A[6 * k + i] * B[6 * j + k];
            }
            C[6 * j + i] = sum;
        }
    }
}

static void apply6(const double *A, const double *x, double *y)
{
    for (int i = 0; i < 6; i++) {
        y[i] = 0.0;
        for (int k = 0; k < 6; k++) {
            y[i] += A[6 * k + i] * x[k];
        }
    }
}

static double dot6(const double *x, const double *y)
{
    return vec3_dot(x, y) + vec3_dot(x + 3, y + 3);
}

/* Numbers of the size of 10 at most: sums of six products, rounded. */
static const double rounding = 1e-13;

TEST(frames_chain_and_invert)
{
    perp_random g = {701};

    for (int n = 0; n < 50; n++) {
        perp_frame A = some_frame(&g);
        perp_frame B = some_frame(&g);
        perp_frame AB, back, identity;
        double x[3], once[3], twice[3];

        /* a point seen through both, one after the other */
        draw(&g, 1.0, x, 3);
        perp_frame_multiply(&A, &B, &AB);
        mat3_apply(B.R, x, once);
        vec3_add(once, 1.0, B.p, once);
        mat3_apply(A.R, once, once);
        vec3_add(once, 1.0, A.p, once);
        mat3_apply(AB.R, x, twice);
        vec3_add(twice, 1.0, AB.p, twice);
        test_agree("chained", twice, once, 3, rounding);

        perp_frame_invert(&A, &back);
        perp_frame_multiply(&A, &back, &back);
        perp_frame_identity(&identity);
        test_agree("A A^-1", back.R, identity.R, 9, rounding);
        test_agree("A A^-1", back.p, identity.p, 3, rounding);

        back = A;
        perp_frame_multiply(&back, &B, &back);
        CU_ASSERT(memcmp(&back, &AB, sizeof AB) == 0);
        back = B;
        perp_frame_multiply(&A, &back, &back);
        CU_ASSERT(memcmp(&back, &AB, sizeof AB) == 0);
        back = A;
        perp_frame_invert(&back, &back);
        perp_frame_invert(&back, &back);
        test_agree("(A^-1)^-1", back.p, A.p, 3, rounding);
    }
}

TEST(adjoints_chain_and_invert)
{
    perp_random g = {702};

    for (int n = 0; n < 50; n++) {
        perp_frame A = some_frame(&g);
        perp_frame B = some_frame(&g);
        perp_frame AB;
        double a[36], b[36], ab[36], product[36];

        perp_frame_multiply(&A, &B, &AB);
        perp_adjoint(&A, a);
        perp_adjoint(&B, b);
        perp_adjoint(&AB, ab);
        multiply6(a, b, product);
        test_agree("Ad(A) Ad(B)", product, ab, 36, rounding);
        perp_frame_invert(&A, &B);
        perp_adjoint(&B, b);
        multiply6(a, b, product);
        for (int k = 0; k < 6; k++) {
            product[7 * k] -= 1.0;
        }
        memset(ab, 0, sizeof ab);
        test_agree("Ad(A) Ad(A^-1) - E", product, ab, 36, rounding);
    }
}

/* W.(Ad phi) = (Ad^T W).phi: power is the same for every observer. */
TEST(twists_and_wrenches_are_dual)
{
    perp_random g = {703};

    for (int n = 0; n < 50; n++) {
        perp_frame E = some_frame(&g);
        double phi[6], W[6], x[6], y[6], Ad[36];

        draw(&g, 1.0, phi, 6);
        draw(&g, 1.0, W, 6);
        perp_adjoint(&E, Ad);
        apply6(Ad, phi, y);
        perp_twist_transform(&E, phi, x);
        test_agree("Ad phi", x, y, 6, rounding);
        perp_wrench_transform(&E, W, y);
        CU_ASSERT_DOUBLE_EQUAL(dot6(W, x), dot6(y, phi), rounding);

        memcpy(x, W, sizeof x);
        perp_wrench_transform(&E, x, x);
        CU_ASSERT(memcmp(x, y, sizeof x) == 0);
        perp_twist_transform(&E, phi, y);
        perp_twist_transform(&E, phi, phi);
        CU_ASSERT(memcmp(phi, y, sizeof y) == 0);
    }
}

/* A point that E carries along: what the twist in world axes says of its velocity is the
 * velocity of the point. */
TEST(a_twist_moves_points)
{
    perp_random g = {704};

    for (int n = 0; n < 50; n++) {
        perp_frame E = some_frame(&g);
        double phi[6], world[6], x[3], at[3], by_body[3], by_world[3];

        draw(&g, 1.0, phi, 6);
        draw(&g, 1.0, x, 3);
        vec3_cross(phi, x, by_body);
        vec3_add(by_body, 1.0, phi + 3, by_body);
        mat3_apply(E.R, by_body, by_body);
        perp_twist_transform(&E, phi, world);
        mat3_apply(E.R, x, at);
        vec3_add(at, 1.0, E.p, at);
        vec3_cross(world, at, by_world);
        vec3_add(by_world, 1.0, world + 3, by_world);
        test_agree("velocity of a point", by_world, by_body, 3, rounding);
    }
}

/* E moved by the twist phi, in its own axes, over a short t: to second order in t. */
static void moved_adjoint(const perp_frame *E, const double phi[6], double t, double *Ad)
{
    perp_frame step;
    double turn[3];

    vec3_scale(t, phi, turn);
    perp_exponential(turn, step.R);
    vec3_scale(t, phi + 3, step.p);
    perp_frame_multiply(E, &step, &step);
    perp_adjoint(&step, Ad);
}

/* The even orders of a step fall out of a central difference: what is left of its error
 * is h^2 |phi|^3 |p| = 1e-9, and rounding 1e-16/h = 1e-11. */
TEST(the_rate_of_an_adjoint_is_its_product_with_ad)
{
    perp_random g = {705};
    const double h = 1e-5;

    for (int n = 0; n < 50; n++) {
        perp_frame E = some_frame(&g);
        double phi[6], Ad[36], ad[36], rate[36], up[36], down[36];

        draw(&g, 1.0, phi, 6);
        perp_adjoint(&E, Ad);
        perp_twist_cross(phi, ad);
        multiply6(Ad, ad, rate);
        moved_adjoint(&E, phi, h, up);
        moved_adjoint(&E, phi, -h, down);
        for (int k = 0; k < 36; k++) {
            up[k] = (up[k] - down[k]) / (2.0 * h);
        }
        test_agree("d/dt Ad", up, rate, 36, 2e-9);
        /* no twist is seen to change by itself */
        apply6(ad, phi, up);
        memset(down, 0, sizeof down);
        test_agree("ad(phi) phi", up, down, 6, rounding);
    }
}

static void check_exponential(const golden_case *c)
{
    double q[3], qd[3], R[9], B[9], Bdot[9], omega[3];

    golden_reals(c->in, "q", 3, q);
    golden_reals(c->in, "qd", 3, qd);
    perp_exponential(q, R);
    perp_exponential_jacobian(q, qd, B, Bdot);
    mat3_apply(B, qd, omega);
    golden_agree(c, "R", R, 9);
    golden_agree(c, "B", B, 9);
    golden_agree(c, "Bdot", Bdot, 9);
    golden_agree(c, "omega_body", omega, 3);
}

TEST(exponential_coordinates_are_the_golden_ones)
{
    golden_each("exp_coordinates", NULL, check_exponential);
}

/* With X = [q]x, D = [qd]x and P_k = X^k: R = sum P_k/k!, B = sum (-1)^k P_k/(k+1)!, and
 * P_k' = P_{k-1}' X + P_{k-1} D. */
static void power_series(const double q[3], const double qd[3], double R[9], double B[9],
                         double Bdot[9])
{
    double X[9], D[9];
    double P[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double dP[9] = {0};
    double factor = 1.0;

    perp_cross_matrix(q, X);
    perp_cross_matrix(qd, D);
    memset(R, 0, 9 * sizeof *R);
    memset(B, 0, 9 * sizeof *B);
    memset(Bdot, 0, 9 * sizeof *Bdot);
    for (int k = 0; k < 60; k++) {
        double sign = k % 2 == 0 ? factor : -factor;
        double next[9], left[9];

        for (int i = 0; i < 9; i++) {
            R[i] += factor * P[i];
            B[i] += sign / (k + 1) * P[i];
            Bdot[i] += sign / (k + 1) * dP[i];
        }
        mat3_multiply(dP, X, left);
        mat3_multiply(P, D, next);
        for (int i = 0; i < 9; i++) {
            dP[i] = left[i] + next[i];
        }
        mat3_multiply(P, X, next);
        memcpy(P, next, sizeof P);
        factor /= k + 1;
    }
}

/* The terms of the series grow to e^th before they shrink, and keep that times 1e-16 of
 * rounding; below th = 1 the closed forms are asked for 1e-14. */
TEST(closed_forms_are_the_power_series)
{
    perp_random g = {706};

    for (double th = 1e-9; th < 9.0; th *= 1.37) {
        double q[3], qd[3], x[27], y[27];

        draw_along(&g, th, q);
        draw(&g, 1.0, qd, 3);
        perp_exponential(q, x);
        perp_exponential_jacobian(q, qd, x + 9, x + 18);
        power_series(q, qd, y, y + 9, y + 18);
        test_agree("R, B, dB/dt", x, y, 27, 5e-15 * (1.0 + exp(th)));
    }
}

TEST(series_and_closed_forms_meet)
{
    perp_random g = {707};
    const double change = 1e-2;

    for (int n = 0; n < 20; n++) {
        double q[3], qd[3], below[18], above[18];

        /* one part in 1e13 apart: the functions themselves differ by 1e-15 */
        draw_along(&g, change * (1.0 - 1e-13), q);
        draw(&g, 1.0, qd, 3);
        perp_exponential_jacobian(q, qd, below, below + 9);
        vec3_scale(1.0 + 2e-13, q, q);
        perp_exponential_jacobian(q, qd, above, above + 9);
        /* b1 is good to 1e-8 there, and comes with th^3 */
        test_agree("at the switch", below, above, 18, 3e-14);
    }
}

TEST(the_determinant_falls_to_nothing_at_a_whole_turn)
{
    perp_random g = {708};
    double q[3], B[9];

    for (double th = 0.05; th < 2.0 * pi; th += 0.2) {
        draw_along(&g, th, q);
        perp_exponential_jacobian(q, NULL, B, NULL);
        CU_ASSERT_DOUBLE_EQUAL(mat3_determinant(B), pow(2.0 * sin(0.5 * th) / th, 2.0),
                               1e-14);
    }
    draw_along(&g, 2.0 * pi, q);
    perp_exponential_jacobian(q, NULL, B, NULL);
    CU_ASSERT_DOUBLE_EQUAL(mat3_determinant(B), 0.0, 1e-15);
}

TEST(coordinates_come_back_from_a_rotation)
{
    static const double half_turns[5][3] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0.6, -0.8, 0}, {0.48, 0.6, 0.64}};
    perp_random g = {709};
    double q[3], R[9], S[9], p[3];

    for (double th = 1e-12; th < pi; th = fmin(1.5 * th, th + 0.1)) {
        draw_along(&g, th, q);
        perp_exponential(q, R);
        math_exponential_of(R, p);
        test_agree("q", p, q, 3, 1e-14);
    }
    /* at half a turn both ways round are right: the rotation must be the same */
    for (int n = 0; n < 5; n++) {
        for (int k = -2; k <= 2; k++) {
            vec3_scale(pi + 1e-9 * k, half_turns[n], q);
            perp_exponential(q, R);
            math_exponential_of(R, p);
            CU_ASSERT(vec3_length(p) <= pi * (1.0 + DBL_EPSILON));
            perp_exponential(p, S);
            test_agree("R", S, R, 9, 1e-14);
        }
    }
}

/* Lengths from a little beyond pi to several turns. Near whole turns the rates of the old
 * coordinates, not the new ones, are bad: nothing is lost. */
TEST(renewed_coordinates_keep_pose_and_velocity)
{
    perp_random g = {710};

    for (double th = pi + 1e-9; th < 25.0; th += 0.37) {
        double q[3], qd[3], R[9], S[9], B[9], before[3], after[3];

        draw_along(&g, th, q);
        draw(&g, 1.0, qd, 3);
        perp_exponential(q, R);
        perp_exponential_jacobian(q, NULL, B, NULL);
        mat3_apply(B, qd, before);
        CU_ASSERT(perp_exponential_switch(q, qd));
        CU_ASSERT(vec3_length(q) <= pi);
        perp_exponential(q, S);
        perp_exponential_jacobian(q, NULL, B, NULL);
        mat3_apply(B, qd, after);
        test_agree("R", S, R, 9, 1e-14); /* angles of 25 rad, rounded */
        test_agree("omega", after, before, 3, 1e-14);
        CU_ASSERT_FALSE(perp_exponential_switch(q, qd));
    }
    for (double th = 0.0; th <= pi; th += 0.3) {
        double q[3] = {0.0, 0.0, th};
        double qd[3] = {1.0, 2.0, 3.0};

        CU_ASSERT_FALSE(perp_exponential_switch(q, qd));
        CU_ASSERT(q[2] == th && qd[0] == 1.0 && qd[2] == 3.0);
    }
}
