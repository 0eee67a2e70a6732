/* SPDX-License-Identifier: Apache-2.0
 * tests/world/state.c: what follows from poses and velocities: inertias and rotations
 * in world axes and their rates, equations of motion, sums. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion.h"
#include "reference.h"

/* M M^-1 = E block by block, and accelerations are M^-1 f. */
TEST(the_inverse_mass_inverts_the_mass)
{
    perp_world *w = test_random_world(4, 8);
    double f[24];
    double du[24];

    for (size_t k = 0; k < 24; k++) {
        f[k] = (double)(k % 7) - 3.0;
    }
    perp_world_accelerations(w, w->start, f, du);
    for (size_t k = 0; k < 4; k++) {
        double I[9];
        double E[9];
        double back[3];

        perp_world_inertia(w, w->start, k, I);
        mat3_multiply(I, w->start->inverse_inertia + 9 * k, E);
        /* condition of boxes with edges 0.3 to 1: below 12 */
        test_agree("E", E, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(w->mass[k] * w->inverse_mass[k], 1.0, 1e-15);
        mat3_apply(I, du + 6 * k + 3, back);
        test_agree("torque", back, f + 6 * k + 3, 3, 1e-13);
        vec3_scale(w->mass[k], du + 6 * k, back);
        test_agree("force", back, f + 6 * k, 3, 1e-14);
    }
    perp_world_accelerations(w, w->start, f, f); /* in place */
    CU_ASSERT_EQUAL(memcmp(f, du, sizeof f), 0);
}

static double inertia_entry(const perp_world *w, void *context)
{
    double I[9];

    perp_world_inertia(w, w->start, 0, I);
    return I[*(int *)context];
}

/* dI/dt = [w]x I - I [w]x by central differences along the motion. */
TEST(inertia_in_world_axes_turns_with_the_body)
{
    perp_world *w = test_random_world(1, 12);
    double I[9];
    double X[9];
    double left[9];
    double right[9];

    perp_world_inertia(w, w->start, 0, I);
    perp_cross_matrix(perp_body_velocity(w->start, 0) + 3, X);
    mat3_multiply(X, I, left);
    mat3_multiply(I, X, right);
    for (int k = 0; k < 9; k++) {
        /* h^2/6 of a third derivative of some 10 */
        CU_ASSERT_DOUBLE_EQUAL(test_rate(w, inertia_entry, &k, 1e-5), left[k] - right[k],
                               1e-9);
    }
}

static double rotation_entry(const perp_world *w, void *context)
{
    double R[9];

    perp_rotation_matrix(perp_body_pose(w->start, 0) + 3, R);
    return R[*(int *)context];
}

/* dR/dt = [w]x R, and so each column r of R moves by w x r. */
TEST(rotation_matrices_turn_by_omega)
{
    perp_world *w = test_random_world(1, 13);
    const double *omega = perp_body_velocity(w->start, 0) + 3;
    double R[9];
    double X[9];
    double rate[9];

    perp_rotation_matrix(perp_body_pose(w->start, 0) + 3, R);
    perp_cross_matrix(omega, X);
    mat3_multiply(X, R, rate);
    for (int k = 0; k < 9; k++) {
        CU_ASSERT_DOUBLE_EQUAL(test_rate(w, rotation_entry, &k, 1e-5), rate[k], 1e-9);
    }
    for (int c = 0; c < 3; c++) {
        const double r[3] = {R[c], R[3 + c], R[6 + c]};
        double turned[3];

        vec3_cross(omega, r, turned);
        for (int k = 0; k < 3; k++) {
            CU_ASSERT_DOUBLE_EQUAL(rate[3 * k + c], turned[k], 1e-15);
        }
    }
}

static double momentum_entry(const perp_world *w, void *context)
{
    double I[9];
    double L[3];

    perp_world_inertia(w, w->start, 0, I);
    mat3_apply(I, perp_body_velocity(w->start, 0) + 3, L);
    return L[*(int *)context];
}

/* Euler's equation in world axes and in body axes, and as the rate of momentum: with
 * omega held, dL/dt = dI/dt w = w x I w, so that tau = I dw/dt + w x I w is the rate of
 * L. */
TEST(eulers_equation_is_the_rate_of_momentum_in_both_frames)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        perp_world *w = test_random_world(1, seed);
        const double *q = perp_body_pose(w->start, 0) + 3;
        const double *omega = perp_body_velocity(w->start, 0) + 3;
        const double torque[3] = {0.4, -1.2, 0.7};
        double f[6];
        double du[6];
        double I[9];
        double rate[3];
        double body[3];
        double w_b[3];
        double L_b[3];

        vec3_copy(w->start->load + 3, torque);
        perp_world_forces(w, w->start, true, f);
        perp_world_accelerations(w, w->start, f, du);
        perp_world_inertia(w, w->start, 0, I);
        mat3_apply(I, du + 3, rate);
        for (int k = 0; k < 3; k++) {
            double turning = test_rate(w, momentum_entry, &k, 1e-5);

            CU_ASSERT_DOUBLE_EQUAL(rate[k] + turning, torque[k], 1e-9);
        }
        /* body axes: I_b dw_b/dt + w_b x I_b w_b = R^T tau with dw_b/dt = R^T dw/dt */
        perp_quat_rotate_back(q, du + 3, rate);
        mat3_apply(w->inertia, rate, rate);
        perp_quat_rotate_back(q, omega, w_b);
        mat3_apply(w->inertia, w_b, L_b);
        vec3_cross(w_b, L_b, body);
        vec3_add(rate, 1.0, body, rate);
        perp_quat_rotate_back(q, torque, body);
        test_agree("body axes", rate, body, 3, 1e-13);
    }
}

/* ds/dt = S u by the two maps: Q takes omega in world axes, G^T/2 in body axes. */
TEST(both_rate_maps_give_the_rate_of_the_pose)
{
    perp_world *w = test_random_world(1, 14);
    const double *q = perp_body_pose(w->start, 0) + 3;
    const double *omega = perp_body_velocity(w->start, 0) + 3;
    double Q[12];
    double G[12];
    double w_b[3];
    double back[3] = {0};
    double rate[4];

    perp_quat_rate_matrix(q, Q);
    perp_quat_body_matrix(q, G);
    perp_quat_rotate_back(q, omega, w_b);
    perp_quat_rate(q, omega, rate);
    for (int k = 0; k < 4; k++) {
        double by_body = 0.5 * (G[k] * w_b[0] + G[4 + k] * w_b[1] + G[8 + k] * w_b[2]);

        CU_ASSERT_DOUBLE_EQUAL(vec3_dot(Q + 3 * k, omega), rate[k], 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(by_body, rate[k], 1e-15);
        for (int c = 0; c < 3; c++) {
            back[c] += 2.0 * G[4 * c + k] * rate[k];
        }
    }
    test_agree("w_b = 2 G dq/dt", back, w_b, 3, 1e-15);
}

/* Two balls: m = 1 at (1, 0, 0) with v = (0, 2, 0), m = 3 at the origin spinning. */
TEST(sums_worked_by_hand)
{
    perp_world *w = test_world(3, 10.0);
    double p[3];
    double L[3];

    test_ball(w, "a", 1.0, 0.5, 1.0, 0.0, 2.0);
    test_ball(w, "b", 3.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(w, "ground", 0.0, 1.0, 0.0, 0.0, -9.0);
    perp_body_velocity(w->start, 0)[1] = 2.0;
    perp_body_velocity(w->start, 1)[5] = 5.0; /* I = 0.4 * 3 = 1.2 */
    CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(w, w->start), 2.0 + 15.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_potential(w, w->start), 20.0, 1e-14);
    CU_ASSERT_EQUAL(perp_world_stored(w, w->start), 0.0);
    perp_world_momentum(w, w->start, p);
    test_agree("p", p, (const double[]){0, 2, 0}, 3, 0.0);
    perp_world_angular_momentum(w, w->start, L);
    test_agree("L", L, (const double[]){-4, 0, 8}, 3, 1e-15); /* r x m v = (-4, 0, 2) */
}

/* dp/dt = f and dL/dt = r x f + tau: the state moved by one small explicit step. */
TEST(momentum_moves_by_the_load)
{
    perp_world *w = test_random_world(2, 15);
    double p[3];
    double L[3];
    double p2[3];
    double L2[3];
    double arm[3];
    double torque[3] = {0.2, 0.5, -0.9};

    vec3_set(w->start->load, 1.0, -2.0, 0.5);
    vec3_copy(w->start->load + 9, torque);
    perp_world_momentum(w, w->start, p);
    perp_world_angular_momentum(w, w->start, L);
    vec3_add(perp_body_pose(w->start, 0), 0.5e-3, perp_body_velocity(w->start, 0),
             arm); /* midway */
    test_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 1);
    perp_world_momentum(w, w->start, p2);
    perp_world_angular_momentum(w, w->start, L2);
    vec3_subtract(p2, p, p2);
    vec3_subtract(L2, L, L2);
    vec3_scale(1e3, p2, p2);
    vec3_scale(1e3, L2, L2);
    vec3_cross(arm, w->start->load, arm);
    vec3_add(torque, 1.0, arm, torque);
    test_agree("dp/dt", p2, w->start->load, 3, 1e-12); /* rounding of p over h */
    test_agree("dL/dt", L2, torque, 3, 1e-6);          /* the arm's h^2/6 a, a <= 5 */
}

TEST(points_of_bodies_are_found_in_the_world)
{
    perp_world *w = test_world(3, 0.0);
    const double a[3] = {1.0, 0.0, 0.0};
    double p[3];

    test_ball(w, "a", 1.0, 0.5, 1.0, 2.0, 3.0);
    perp_body_pose(w->start, 0)[3] = perp_body_pose(w->start, 0)[6] =
        sqrt(0.5); /* 90 degrees about z */
    perp_body_point(w->start, 0, a, p);
    test_agree("p", p, (const double[]){1, 3, 3}, 3, 1e-15);
}

TEST(the_first_body_that_is_not_finite_is_found)
{
    perp_world *w = test_random_world(3, 16);

    CU_ASSERT_EQUAL(test_nonfinite_body(w, w->start), -1);
    w->start->u[6 * 2] = INFINITY;
    CU_ASSERT_EQUAL(test_nonfinite_body(w, w->start), 2);
    w->start->s[7 * 1 + 3] = NAN;
    CU_ASSERT_EQUAL(test_nonfinite_body(w, w->start), 1);
}

/* A state that has moved keeps what it has; what is added comes as it is at the start. */
TEST(bodies_added_to_a_world_join_its_states)
{
    perp_world *w = test_random_world(2, 17);
    perp_state *x = NULL;
    double moved[7];

    OK(perp_state_new(&x, w, NULL));
    perp_body_pose(x, 1)[0] += 3.0;
    memcpy(moved, perp_body_pose(x, 1), sizeof moved);
    test_ball(w, "late", 2.0, 0.5, 1.0, 2.0, 3.0);
    CU_ASSERT_EQUAL(x->body_count, 2);
    OK(perp_state_extend(x, w, NULL));
    CU_ASSERT_EQUAL_FATAL(x->body_count, 3);
    test_agree("kept", perp_body_pose(x, 1), moved, 7, 0.0);
    test_agree("pose", perp_body_pose(x, 2), perp_body_pose(w->start, 2), 7, 0.0);
    test_agree("inertia", x->inverse_inertia + 18, w->start->inverse_inertia + 18, 9,
               0.0);
    OK(perp_state_extend(x, w, NULL));
    CU_ASSERT_EQUAL(x->body_count, 3);
}
