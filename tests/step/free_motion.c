/* SPDX-License-Identifier: Apache-2.0
 * tests/step/free_motion.c: what a free motion leaves alone, and how a step ends. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "scarce.h"
#include "world_run.h"

enum { METHODS = PERP_INTEGRATOR_MOMENTUM + 1, BODIES = 5 };

static void add_force(perp_world *w, const char *type, int32_t i, int32_t j, double a,
                      double b, double c)
{
    perp_force f = {.type = perp_force_type_find(type),
                    .i = i,
                    .j = j,
                    .anchor_i = {0.1, 0.2, 0.0},
                    .anchor_j = {-0.2, 0.1, 0.3},
                    .axis = {0.0, 0.0, 1.0},
                    .value = {a, b, c}};

    OK(perp_world_add_force(w, &f, NULL));
}

/* Three dynamic bodies, a static and a kinematic one, all kinds of forces. */
static perp_world *crowd(void)
{
    perp_world *w = test_random_world(3, 77);
    perp_body platform = {.name = "platform",
                          .motion = PERP_MOTION_KINEMATIC,
                          .v = {0.5, 0, 0},
                          .w = {0, 0, 2}};

    w->gravity[2] = -9.81;
    w->start->load[0] = 3.0;
    w->start->load[4] = -0.5;
    test_ball(w, "wall", 0.0, 1.0, 2.0, 0.0, 0.0);
    OK(perp_world_add_body(w, &platform, NULL, NULL));
    add_force(w, "spring", 0, 1, 30.0, 0.5, 0.4);
    add_force(w, "spring", 3, 2, 20.0, 0.1, 0.0);
    add_force(w, "torsion-spring", 4, 0, 2.0, 0.1, 0.3);
    add_force(w, "damper", 1, 2, 0.3, 0.2, 0.0);
    add_force(w, "drag", 2, -1, 0.1, 0.1, 0.1);
    add_force(w, "constant", 1, -1, 2.0, -1.0, 0.0);
    return w;
}

TEST(the_world_is_left_as_it_was)
{
    perp_world *w = crowd();
    double s[7 * BODIES];
    double u[6 * BODIES];
    double inverse[9 * BODIES];
    perp_free_motion motion = {0};

    w->start->t = 0.25;
    memcpy(s, w->start->s, sizeof s);
    memcpy(u, w->start->u, sizeof u);
    memcpy(inverse, w->start->inverse_inertia, sizeof inverse);
    for (int k = 0; k < METHODS; k++) {
        perp_scheme scheme = run_scheme_by(k, 0.01);

        OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
        CU_ASSERT_EQUAL(memcmp(s, w->start->s, sizeof s), 0);
        CU_ASSERT_EQUAL(memcmp(u, w->start->u, sizeof u), 0);
        CU_ASSERT_EQUAL(memcmp(inverse, w->start->inverse_inertia, sizeof inverse), 0);
        CU_ASSERT_EQUAL(w->start->t, 0.25);
    }
    perp_free_motion_clear(&motion);
}

/* A force that looks at what it is given. */
typedef struct witness {
    size_t calls;
    double least, most; /* of the time */
} witness;

static void witness_call(void *context, const perp_world *w, const perp_state *state,
                         double *f)
{
    witness *seen = context;

    (void)f;
    seen->calls++;
    seen->least = fmin(seen->least, state->t);
    seen->most = fmax(seen->most, state->t);
    for (size_t k = 0; k < 3; k++) {
        double I[9];
        double E[9];

        perp_world_inertia(w, state, k, I);
        mat3_multiply(I, state->inverse_inertia + 9 * k, E);
        /* M M^-1 = E where the bodies are now: condition below 12 */
        test_agree("I I^-1", E, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9, 1e-13);
    }
}

TEST(forces_are_evaluated_in_a_state_that_belongs_together)
{
    /* the last stage: at the start, in the middle or at the end */
    static const double last[METHODS] = {1.0, 1.0, 1.5, 1.5, 1.5, 1.5, 1.25, 1.5, 1.5};
    perp_free_motion motion = {0};

    for (int k = 0; k < METHODS; k++) {
        perp_world *w = crowd();
        perp_scheme scheme = run_scheme_by(k, 0.5);
        witness seen = {0, INFINITY, -INFINITY};
        perp_force f = {
            .type = perp_force_type_find("user"), .call = witness_call, .context = &seen};

        w->start->t = 1.0;
        OK(perp_world_add_force(w, &f, NULL));
        OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
        CU_ASSERT(seen.calls > 0);
        CU_ASSERT_EQUAL(seen.least, 1.0);
        CU_ASSERT_EQUAL(seen.most, last[k]);
    }
    perp_free_motion_clear(&motion);
}

TEST(static_bodies_stay_and_kinematic_ones_follow_their_velocity)
{
    perp_free_motion motion = {0};

    for (int k = 0; k < METHODS; k++) {
        perp_world *w = crowd();
        perp_scheme scheme = run_scheme_by(k, 0.01);
        double s[7];
        double u[6];
        double q[4] = {cos(0.1), 0, 0, sin(0.1)}; /* 2 rad/s for 0.1 s: half of 0.2 */

        memcpy(s, perp_body_pose(w->start, 3), sizeof s);
        memcpy(u, perp_body_velocity(w->start, 4), sizeof u);
        for (int step = 0; step < 10; step++) {
            OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
            perp_free_motion_finish(&motion, w, w->start, motion.u, &scheme, NULL);
        }
        CU_ASSERT_EQUAL(memcmp(s, perp_body_pose(w->start, 3), sizeof s), 0);
        CU_ASSERT_EQUAL(memcmp(u, perp_body_velocity(w->start, 4), sizeof u), 0);
        CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 4)[0], 0.05, 1e-15);
        /* RK4 turns by its own series: (0.01)^5/120 a step */
        test_agree("platform", perp_body_pose(w->start, 4) + 3, q, 4, 1e-11);
    }
    perp_free_motion_clear(&motion);
}

/* A body that rows act on moves by the mean of u and u+, by u+ alone, or by u alone. */
TEST(impulses_move_a_body_by_the_mean_of_its_velocities)
{
    for (int k = 0; k < METHODS; k++) {
        perp_world *w = crowd();
        perp_scheme scheme = run_scheme_by(k, 0.01);
        perp_free_motion motion = {0};
        const bool ends =
            k == PERP_INTEGRATOR_SEMI_IMPLICIT || k == PERP_INTEGRATOR_IMPLICIT;
        const double share = ends ? 1.0 : k == PERP_INTEGRATOR_EXPLICIT ? 0.0 : 0.5;
        double u[6 * BODIES];
        double mean[6];
        double r[3];
        double q[4];

        OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
        memcpy(u, motion.u, sizeof u);
        u[0] += 0.3;
        u[4] += 0.7;
        for (size_t c = 0; c < 6; c++) {
            mean[c] = (1.0 - share) * w->start->u[c] + share * u[c];
        }
        vec3_add(w->start->s, 0.01, mean, r);
        memcpy(q, w->start->s + 3, sizeof q);
        perp_quat_turn(q, mean + 3, 0.01, PERP_TURN_EXPONENTIAL, NULL, 0.0);
        perp_free_motion_finish(&motion, w, w->start, u, &scheme, NULL);
        test_agree("r", perp_body_pose(w->start, 0), r, 3, 1e-15);
        test_agree("q", perp_body_pose(w->start, 0) + 3, q, 4, 1e-15);
        CU_ASSERT_EQUAL(memcmp(w->start->u, u, 6 * 3 * sizeof *u), 0);
        perp_free_motion_clear(&motion);
    }
}

/* Weight alone: u = u0 - g t for all; s by each method's rule. */
TEST(a_throw_is_exact_from_order_two_on)
{
    static const double excess[METHODS] = {-0.5, 0.5, -0.5, 0, 0, 0, 0, 0, 0};

    for (int k = 0; k < METHODS; k++) {
        perp_world *w = test_world(3, 10.0);
        perp_scheme scheme = run_scheme_by(k, 0.125);
        perp_free_motion motion = {0};

        test_ball(w, "stone", 1.0, 0.1, 0.0, 0.0, 0.0);
        vec3_set(perp_body_velocity(w->start, 0), 3.0, 0.0, 4.0);
        for (int step = 0; step < 8; step++) {
            OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
            perp_free_motion_finish(&motion, w, w->start, motion.u, &scheme, NULL);
        }
        CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 0)[0], 3.0, 1e-14);
        /* 4 t - 5 t^2, and g h t/2 above or below it for Euler's methods */
        CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 0)[2], -1.0 + 1.25 * excess[k],
                               1e-14);
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 0)[2], -6.0, 1e-14);
        perp_free_motion_clear(&motion);
    }
}

TEST(in_the_plane_nothing_leaves_it)
{
    for (int k = 0; k < METHODS; k++) {
        perp_world *w = test_world(2, 9.81);
        perp_scheme scheme = run_scheme_by(k, 0.01);
        perp_free_motion motion = {0};
        perp_body b = {.name = "plate", .mass = 2.0, .w = {0, 0, 3.0}};

        b.inertia[8] = 0.3; /* the others are not read */
        test_ball(w, "hook", 0.0, 1.0, 0.0, 0.0, 0.0);
        OK(perp_world_add_body(w, &b, NULL, NULL));
        vec3_set(w->start->load + 6, 0.5, 0.0, 7.0); /* partly out of the plane */
        w->start->load[9] = 1.0;
        add_force(w, "spring", 0, 1, 30.0, 0.5, 0.1);
        for (int step = 0; step < 100; step++) {
            OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
            perp_free_motion_finish(&motion, w, w->start, motion.u, &scheme, NULL);
        }
        CU_ASSERT_EQUAL(perp_body_pose(w->start, 1)[2], 0.0);
        CU_ASSERT(perp_body_pose(w->start, 1)[4] == 0.0 &&
                  perp_body_pose(w->start, 1)[5] == 0.0);
        CU_ASSERT_EQUAL(perp_body_velocity(w->start, 1)[2], 0.0);
        CU_ASSERT_EQUAL(perp_body_velocity(w->start, 1)[3], 0.0);
        CU_ASSERT(fabs(perp_body_velocity(w->start, 1)[5] - 3.0) > 0.01);
        perp_free_motion_clear(&motion);
    }
}

/* The wheel of a car at 100 rad/s and 1/60 s: 1.67 rad a step. */
TEST(turns_follow_the_scheme)
{
    const double omega[3] = {0.0, 0.0, 100.0};
    double angle = 100.0 / 60.0;
    perp_world *w = test_world(3, 0.0);
    perp_scheme scheme = run_scheme_by(0, 1.0 / 60.0);
    double u[6] = {0};
    double phi[3];

    test_ball(w, "wheel", 1.0, 0.3, 0.0, 0.0, 0.0);
    vec3_copy(u + 3, omega);
    for (int turn = 0; turn < 3; turn++) {
        double q[4] = {1, 0, 0, 0};

        memcpy(perp_body_pose(w->start, 0) + 3, q, sizeof q);
        scheme.turn = (perp_turn)turn;
        perp_world_move(w, w->start, u, scheme.dt, &scheme, NULL);
        perp_quat_log(perp_body_pose(w->start, 0) + 3, phi);
        CU_ASSERT_DOUBLE_EQUAL(
            phi[2], turn == PERP_TURN_LINEAR ? 2.0 * atan(0.5 * angle) : angle, 1e-14);
    }
    scheme.turn = PERP_TURN_EXPONENTIAL;
    scheme.max_angle = 0.5;
    vec3_set(perp_body_pose(w->start, 0) + 4, 0.0, 0.0, 0.0);
    perp_body_pose(w->start, 0)[3] = 1.0;
    perp_world_move(w, w->start, u, scheme.dt, &scheme, NULL);
    perp_quat_log(perp_body_pose(w->start, 0) + 3, phi);
    CU_ASSERT_DOUBLE_EQUAL(phi[2], 0.5, 1e-15);
}

/* A wheel that wobbles turns exactly about its own axle, linearly across it; the body
 * that holds the hinge turns about it as well, and one without a joint about omega. */
TEST(the_axis_turn_is_about_the_hinge)
{
    const double along[3] = {0.0, 1.0, 0.0};
    const double at[3] = {0.5, 0.0, 0.0};
    const double omega[3] = {0.5, 20.0, -1.0};
    perp_world *w = test_world(3, 0.0);
    perp_scheme scheme = run_scheme_by(0, 1.0 / 60.0);
    perp_joint hinge = {.type = perp_joint_type_find("revolute"), .name = "axle", .j = 1};
    double u[18] = {0};

    for (int k = 0; k < 3; k++) {
        const char *const names[] = {"car", "wheel", "stone"};

        test_ball(w, names[k], 1.0, 0.3, (double)k, 0.0, 0.0);
        vec3_copy(u + 6 * k + 3, omega);
    }
    OK(perp_joint_attach(&hinge, w, w->start, at, along, NULL, NULL));
    OK(perp_world_add_joint(w, &hinge, NULL, NULL));
    scheme.turn = PERP_TURN_AXIS;
    perp_world_move(w, w->start, u, scheme.dt, &scheme, NULL);
    for (size_t k = 0; k < 3; k++) {
        double q[4] = {1.0, 0.0, 0.0, 0.0};
        double other[4] = {1.0, 0.0, 0.0, 0.0};

        perp_quat_turn(q, omega, scheme.dt, PERP_TURN_AXIS, k < 2 ? along : NULL, 0.0);
        perp_quat_turn(other, omega, scheme.dt, PERP_TURN_AXIS, k < 2 ? NULL : along,
                       0.0);
        test_agree("q", perp_body_pose(w->start, k) + 3, q, 4,
                   1e-15);                       /* the same roundings */
        CU_ASSERT(fabs(q[2] - other[2]) > 1e-6); /* |w dt|^3 of some 0.02 rad across */
    }
}

/* Newton's method cannot start where the residual overflows. */
TEST(a_body_without_a_gyroscopic_stage_is_named)
{
    const perp_integrator with[] = {PERP_INTEGRATOR_SEMI_IMPLICIT,
                                    PERP_INTEGRATOR_IMPLICIT};

    for (size_t k = 0; k < 2; k++) {
        perp_world *w = test_world(3, 0.0);
        perp_scheme scheme = run_scheme_by(with[k], 1.0);
        perp_free_motion motion = {0};
        perp_error err = {0};

        test_ball(w, "top", 1.0, 0.3, 0.0, 0.0, 0.0);
        w->gyro[0] = PERP_GYRO_CONVERGED;
        w->inertia[0] *= 1.5;
        w->start->u[3] = w->start->u[4] = 1e200;
        CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, &err),
                        PERP_ERR_DATA);
        CU_ASSERT_PTR_EQUAL(strstr(err.text, "top: "), err.text);
        CU_ASSERT_EQUAL(w->start->u[4], 1e200);
        perp_free_motion_clear(&motion);
    }
}

TEST(the_same_run_has_the_same_bits)
{
    for (int k = 0; k < METHODS; k++) {
        perp_world *a = crowd();
        perp_world *b = crowd();
        perp_scheme scheme = run_scheme_by(k, 0.01);
        perp_free_motion one = {0};

        for (int step = 0; step < 5; step++) {
            perp_free_motion fresh = {
                0}; /* what a flow keeps between steps does not matter */

            perp_free_motion_run(&one, a, a->start, &scheme, NULL);
            perp_free_motion_finish(&one, a, a->start, one.u, &scheme, NULL);
            perp_free_motion_run(&fresh, b, b->start, &scheme, NULL);
            perp_free_motion_finish(&fresh, b, b->start, fresh.u, &scheme, NULL);
            perp_free_motion_clear(&fresh);
        }
        CU_ASSERT_EQUAL(
            memcmp(a->start->s, b->start->s, 7 * BODIES * sizeof *a->start->s), 0);
        CU_ASSERT_EQUAL(
            memcmp(a->start->u, b->start->u, 6 * BODIES * sizeof *a->start->u), 0);
        perp_free_motion_clear(&one);
    }
}

/* m x'' = +(m/h^2) x: the matrix of backward Euler is singular. */
static void push_away(void *context, const perp_world *w, const perp_state *state,
                      double *f)
{
    (void)w;
    (void)context;
    f[0] += 4.0 * perp_body_pose(state, 0)[0];
}

TEST(a_flow_that_has_no_answer_says_so)
{
    perp_world *w = test_world(3, 0.0);
    perp_force f = {.type = perp_force_type_find("user"), .call = push_away};
    perp_scheme scheme = run_scheme_by(PERP_INTEGRATOR_IMPLICIT, 0.5);
    perp_free_motion motion = {0};
    perp_error err = {0};

    test_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.0);
    OK(perp_world_add_force(w, &f, NULL));
    CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "implicit: the system is singular, expected smaller steps "
                           "than 0.5 s or forces without negative stiffness");
    scheme.integrator = (perp_integrator)METHODS;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, &err),
                    PERP_ERR_ARGUMENT);
    perp_free_motion_clear(&motion);
}

TEST(a_flow_survives_without_memory)
{
    perp_world *w = crowd();

    scarce_everywhere(run_implicit_motion, w, "implicit flow");
}
