/* SPDX-License-Identifier: Apache-2.0
 * tests/derivative/step_gradient.c: the derivative of a step, against differences of steps:
 * a pendulum by hand, trees in flight, an arm with limits and motors, a robot that
 * stands, slides and hops, ties from both sides. */
#include <config.h>

#include "scarce.h"
#include "step_differences.h"

/* A rod of 1 m, 1.2 kg on a hinge across, at the angle q from the horizontal:
 *
 *     qd+ = qd + dt (tau - m g l cos q)/I,   q+ = q + dt qd+,   I = m l^2 + I_rod */
TEST(a_pendulum_is_that_by_hand)
{
    perp_world *w = test_world(3, 9.81);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    int32_t rod = forest_rod(w, "rod", 1.2, 0, 0.5, 0, 0);
    const double inertia = 1.2 * 0.25 + 1.2 * 1.04 / 12.0;
    const double dt = 0.01;
    double D[6];
    perp_joint *joint = run_joint(w, "revolute", base, rod, (const double[]){0, 0, 0},
                                  (const double[]){0, -1, 0});
    stage st = {0};
    perp_step_gradient *g = NULL;
    double pull = 0.0;

    CU_ASSERT_PTR_NOT_NULL(joint);
    st = stage_of(w, PERP_MODEL_BOX, "dantzig tolerance=1e-12");
    st.q[0] = 0.7;
    st.qd[0] = -1.3;
    stage_put(&st, 0.0, NULL, NULL);
    g = stage_gradient(&st, NULL);
    CU_ASSERT_PTR_NULL(perp_step_gradient_solution(g));
    OK(perp_step_gradient_matrix(g, D, NULL));
    pull = dt * 1.2 * 9.81 * 0.5 * sin(0.7) / inertia;
    CU_ASSERT_DOUBLE_EQUAL(D[0], 1.0 + dt * pull, 1e-13); /* some roundings of 1 */
    CU_ASSERT_DOUBLE_EQUAL(D[1], pull, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[2], dt, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[3], 1.0, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[4], dt * dt / inertia, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[5], dt / inertia, 1e-13);
    stage_end(&st);
}

typedef perp_world *world_maker(void);

/* So slow, usual and fast that the free motion looks for its velocity terms not at all, once and
 * twice again. */
TEST(trees_in_flight)
{
    static const double speeds[] = {0.02, 1.0, 5.0};
    static world_maker *const make[] = {forest_pendulum, forest_chain, forest_floating};

    for (size_t k = 0; k < sizeof make / sizeof *make; k++) {
        stage st = stage_of(make[k](), PERP_MODEL_BOX, "dantzig tolerance=1e-12");
        size_t states[PERP_ACTIVE_STATES] = {0};
        double speed = 1.0;

        for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++) {
            for (size_t i = 0; i < stage_size(&st); i++) {
                st.qd[i] *= speeds[s] / speed;
            }
            speed = speeds[s];
            stage_put(&st, 0.0, NULL, NULL);
            stage_check(&st, NULL, states);
        }
        stage_end(&st);
    }
}

/* Three hinges: one at its lower limit, one whose motor has all it needs, one whose motor
 * is too weak, with a spring. */
static perp_world *arm(void)
{
    static const double across[3] = {0, 1, 0}, up[3] = {0, 0.6, 0.8};
    static const char *const names[] = {"upper", "fore", "hand"};
    perp_world *w = test_world(3, 9.81);
    int32_t before = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);

    for (int k = 0; k < 3; k++) {
        int32_t next = forest_rod(w, names[k], 1.0 - 0.2 * k, 0, 0.5 + k, 0, 0);

        run_joint(w, "revolute", before, next, (const double[]){k, 0, 0},
                  k == 1 ? up : across);
        before = next;
    }
    /* a turn about +y lowers the arm */
    w->joints[0].axes[0].has_upper = true;
    w->joints[0].axes[0].upper = -0.01;
    w->joints[1].axes[0].motor = PERP_MOTOR_SERVO;
    w->joints[1].axes[0].target = 0.3;
    w->joints[1].axes[0].max_force = 500.0;
    w->joints[2].axes[0].motor = PERP_MOTOR_VELOCITY;
    w->joints[2].axes[0].target = -2.0;
    w->joints[2].axes[0].max_force = 0.1;
    w->joints[2].axes[0].stiffness = 3.0;
    w->joints[2].axes[0].damping = 0.2;
    return w;
}

TEST(an_arm_at_a_limit_with_motors)
{
    stage st = stage_of(arm(), PERP_MODEL_BOX, "dantzig tolerance=1e-12");
    size_t states[PERP_ACTIVE_STATES] = {0};

    st.q[1] = 0.2;
    st.qd[0] = 0.4;
    st.qd[2] = 0.5;
    stage_put(&st, 0.0, NULL, NULL);
    stage_check(&st, NULL, states);
    CU_ASSERT_EQUAL(states[PERP_ACTIVE_FREE], 3); /* limit, servo, spring */
    CU_ASSERT_EQUAL(states[PERP_ACTIVE_OPEN], 1); /* the weak motor */
    stage_end(&st);
}

/* A pendulum on a platform that moves and turns, an arm at a spring to the world, drag on
 * it, Euler angles; velocities bounce off a limit. */
static perp_world *crowd(void)
{
    perp_world *w = forest_crowd("revolute", (const double[]){0, 0.6, 0.8},
                                 (const double[]){0, 0.3, 2});

    w->joints[1].axes[0].has_lower = true;
    w->joints[1].axes[0].lower = 0.001;
    w->joints[1].axes[0].restitution = 0.5;
    w->start->load[7] = 2.0;
    return w;
}

TEST(forces_platforms_and_bounces)
{
    for (int euler = 0; euler < 2; euler++) {
        const perp_reduction how = {.free_bodies = true, .euler = euler == 1};
        size_t states[PERP_ACTIVE_STATES] = {0};
        stage st = stage_by(crowd(), &how, PERP_MODEL_BOX, "dantzig tolerance=1e-12");
        stage_check(&st, NULL, states);
        CU_ASSERT_EQUAL(states[PERP_ACTIVE_FREE], 1);
        stage_end(&st);
    }
}

/* A ball joint that comes past half a turn in the step, where its coordinates are
 * exchanged for those of the other way round. */
TEST(coordinates_that_are_exchanged)
{
    static const double turned[3] = {1.813, -1.813, 1.813}; /* |q| = 3.1402 */
    static const double on[3] = {1.0, -1.0, 1.0};
    stage st = stage_of(forest_chain(), PERP_MODEL_BOX, "dantzig tolerance=1e-12");
    size_t states[PERP_ACTIVE_STATES] = {0};
    perp_step_gradient *g = NULL;
    double q[9];

    memcpy(st.q + 3, turned, sizeof turned);
    memcpy(st.qd + 3, on, sizeof on);
    stage_put(&st, 0.0, NULL, NULL);
    stage_check(&st, NULL, states);
    g = stage_gradient(&st, NULL);
    perp_step_gradient_after(g, q, NULL);
    CU_ASSERT(q[3] < 0.0 && q[4] > 0.0 && q[5] < 0.0);
    stage_end(&st);
}

TEST(the_state_is_left_as_it_was_and_may_go_on)
{
    stage st = stage_of(arm(), PERP_MODEL_BOX, "dantzig tolerance=1e-12");
    const perp_world *w = st.world;
    const perp_articulation *tree = w->start->trees;
    perp_step_gradient *g = NULL;
    double D[54], later[54], s[28], u[24], q[3], qd[3];

    stage_put(&st, 0.0, NULL, NULL);
    memcpy(s, w->start->s, sizeof s);
    memcpy(u, w->start->u, sizeof u);
    memcpy(q, tree->q, sizeof q);
    memcpy(qd, tree->qd, sizeof qd);
    g = stage_gradient(&st, NULL);
    OK(perp_step_gradient_matrix(g, D, NULL));
    CU_ASSERT(memcmp(s, w->start->s, sizeof s) == 0 &&
              memcmp(u, w->start->u, sizeof u) == 0);
    CU_ASSERT(memcmp(q, tree->q, sizeof q) == 0 && memcmp(qd, tree->qd, sizeof qd) == 0);
    st.q[0] += 0.3;
    st.qd[1] -= 2.0;
    stage_put(&st, 0.0, NULL, NULL);
    OK(perp_step_gradient_matrix(g, later, NULL));
    CU_ASSERT_EQUAL(memcmp(D, later, sizeof D), 0);
    perp_step_gradient_free(NULL);
    stage_end(&st);
}

/* What is asked of perp_step_gradient_new, and a word of the answer. */
static void refused(perp_world *w, const perp_scheme *scheme, const char *solver,
                    perp_status status, const char *word)
{
    perp_options opt;
    const perp_solver_type *type = run_solver(solver, &opt);
    perp_step_gradient *g = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(
        perp_step_gradient_new(&g, w, w->start, scheme, type, &opt, NULL, &err), status);
    CU_ASSERT_PTR_NULL(g);
    if (!strstr(err.text, word)) {
        test_note("%s", err.text);
        CU_FAIL("the word is missing");
    }
}

TEST(what_has_no_derivative_is_refused)
{
    static const char *const exact = "dantzig tolerance=1e-12";
    const perp_scheme usual = run_scheme(0.01);
    perp_world *w = crowd();
    perp_scheme s = usual;

    refused(w, &usual, exact, PERP_ERR_UNSUITABLE, "reduced");
    forest_reduce(w, NULL);
    refused(w, &usual, exact, PERP_ERR_UNSUITABLE, "\"alone\"");
    w = arm();
    forest_reduce(w, NULL);
    s.dt = 0.0;
    refused(w, &s, exact, PERP_ERR_OPTION, "dt");
    s = usual;
    s.integrator = PERP_INTEGRATOR_RK4;
    refused(w, &s, exact, PERP_ERR_UNSUITABLE, "rk4");
    s = usual;
    s.restitution = PERP_RESTITUTION_POISSON;
    refused(w, &s, exact, PERP_ERR_UNSUITABLE, "poisson");
    s = usual;
    s.stabilize = PERP_STABILIZE_SPLIT;
    refused(w, &s, exact, PERP_ERR_UNSUITABLE, "split");
    refused(w, &usual, "pgs max-iterations=1", PERP_ERR_DATA, "not solved");
    w->joints[0].axes[0].gear.ratio = 1.0;
    refused(w, &usual, exact, PERP_ERR_UNSUITABLE, "gears");
}

static perp_status differentiate(void *context, perp_error *err)
{
    const stage *st = context;
    const size_t n = stage_size(st);
    perp_step_gradient *g = NULL;
    perp_options opt;
    const perp_solver_type *solver = run_solver(st->solver, &opt);
    double D[6 * 9];
    perp_status status = perp_step_gradient_new(&g, st->world, st->world->start,
                                                &st->scheme, solver, &opt, NULL, err);

    CU_ASSERT_FATAL(n == 3);
    CU_ASSERT_EQUAL(status == PERP_OK, g != NULL);
    if (status == PERP_OK) {
        status = perp_step_gradient_matrix(g, D, err);
    }
    return status;
}

TEST(failing_memory_is_survived)
{
    stage st = stage_of(arm(), PERP_MODEL_BOX, "dantzig tolerance=1e-12");

    scarce_everywhere(differentiate, &st, "perp_step_gradient");
    stage_end(&st);
}
