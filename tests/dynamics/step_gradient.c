/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/step_gradient.c: the derivative of a step, against differences of steps:
 * a pendulum by hand, trees in flight, an arm with limits and motors, a robot that stands,
 * slides and hops, ties from both sides. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forest.h"
#include "run.h"
#include "scarce.h"

/* Central differences of steps over 1e-5: third derivatives of 1e2 times the first make
 * 1e-8, solutions to 1e-12 some 1e-7; rows are differentiated over 1e-6 to 1e-9. */
static const double h = 1e-5;
static const double differences_err = 1e-6;

/* A world to step again and again from other states. */
typedef struct stage {
    perp_world *world;
    perp_scheme scheme;
    const char *solver;
    double *s, *u, *q, *qd; /* as it began */
} stage;

static double *copy(const double *x, size_t n)
{
    double *y = calloc(n + 1, sizeof *y);

    CU_ASSERT_PTR_NOT_NULL_FATAL(y);
    memcpy(y, x, n * sizeof *y);
    return y;
}

static stage stage_of(perp_world *world, perp_model model, const char *solver)
{
    const perp_reduction how = {.singles = true};
    stage st = {.world = world, .scheme = run_scheme(0.01), .solver = solver};
    const perp_articulation *tree = NULL;

    st.scheme.model = model;
    st.scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    st.scheme.eta = 4;
    forest_reduce(world, &how);
    tree = world->reduced->tree;
    st.s = copy(world->s, 7 * world->body_count);
    st.u = copy(world->u, 6 * world->body_count);
    st.q = copy(tree->q, tree->n);
    st.qd = copy(tree->qd, tree->n);
    return st;
}

static void stage_end(stage *st)
{
    perp_world_free(st->world);
    free(st->s);
    free(st->u);
    free(st->q);
    free(st->qd);
}

static size_t size_of(const stage *st)
{
    return st->world->reduced->tree->n;
}

/* The state again, moved by t along (dq, dqd). */
static void stage_put(const stage *st, double t, const double *dq, const double *dqd)
{
    perp_articulation *tree = st->world->reduced->tree;

    memcpy(st->world->s, st->s, 7 * st->world->body_count * sizeof *st->s);
    memcpy(st->world->u, st->u, 6 * st->world->body_count * sizeof *st->u);
    for (size_t i = 0; i < tree->n; i++) {
        tree->q[i] = st->q[i] + (dq ? t * dq[i] : 0.0);
        tree->qd[i] = st->qd[i] + (dqd ? t * dqd[i] : 0.0);
    }
    CU_ASSERT_EQUAL_FATAL(perp_world_scatter(st->world, NULL), PERP_OK);
}

/* out := (q+, qd+) of a step from there, under a load, by the stepper. */
static void step_from(const stage *st, double t, const double *dq, const double *dqd,
                      const double *load, double *out)
{
    const size_t n = size_of(st);
    perp_options opt;
    const perp_solver_type *solver = run_solver(st->solver, &opt);
    perp_stepper *stepper = NULL;
    perp_report report;
    perp_error err = {0};

    stage_put(st, t, dq, dqd);
    for (size_t i = 0; i < 6 * st->world->body_count; i++) {
        st->world->load[i] = load ? t * load[i] : 0.0;
    }
    CU_ASSERT_EQUAL_FATAL(
        perp_stepper_new(&stepper, st->world, &st->scheme, solver, &opt, false, &err),
        PERP_OK);
    if (perp_stepper_step(stepper, &report, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a step");
    }
    CU_ASSERT_EQUAL(report.outcome, PERP_SOLVED);
    memcpy(out, st->world->reduced->tree->q, n * sizeof *out);
    memcpy(out + n, st->world->reduced->tree->qd, n * sizeof *out);
    perp_stepper_free(stepper);
    memset(st->world->load, 0, 6 * st->world->body_count * sizeof *st->world->load);
    stage_put(st, 0.0, NULL, NULL);
}

static perp_step_gradient *differentiate(const stage *st,
                                         const perp_gradient_options *how)
{
    perp_step_gradient *g = NULL;
    perp_options opt;
    const perp_solver_type *solver = run_solver(st->solver, &opt);
    perp_error err = {0};

    if (perp_step_gradient_new(&g, st->world, &st->scheme, solver, &opt, how, &err) !=
        PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    return g;
}

static double largest_of(const double *x, size_t n)
{
    double most = 0.0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* x agrees with y within tolerance max(1, |y|). */
static bool same(const char *what, size_t number, const double *x, const double *y,
                 size_t n, double tolerance)
{
    double size = fmax(1.0, largest_of(y, n));
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= tolerance * size)) {
            test_note("%s %zu, entry %zu: %.10g, expected %.10g", what, number, i, x[i],
                      y[i]);
            good = false;
        }
    }
    return good;
}

/* Differences along a direction, central, or over `side` h alone. */
static void differences(const stage *st, int side, const double *dq, const double *dqd,
                        const double *load, double *out)
{
    const size_t n = 2 * size_of(st);
    double *behind = copy(st->q, n / 2);

    behind = realloc(behind, (n + 1) * sizeof *behind);
    CU_ASSERT_PTR_NOT_NULL_FATAL(behind);
    step_from(st, h, dq, dqd, load, out);
    step_from(st, side ? 0.0 : -h, dq, dqd, load, behind);
    for (size_t i = 0; i < n; i++) {
        out[i] = (out[i] - behind[i]) / (side ? h : 2.0 * h);
    }
    free(behind);
}

/* The whole matrix against differences along each coordinate and rate, and loads. */
static void check_matrix(const stage *st, const perp_gradient_options *how,
                         size_t states[PERP_ACTIVE_STATES])
{
    const size_t n = size_of(st), bodies = st->world->body_count;
    perp_step_gradient *g = differentiate(st, how);
    double *D = calloc(6 * n * n, sizeof *D), *out = calloc(2 * n, sizeof *out);
    double *unit = calloc(n, sizeof *unit), *load = calloc(6 * bodies, sizeof *load);
    double *dtau = calloc(n, sizeof *dtau), *answer = calloc(2 * n, sizeof *answer);
    perp_error err = {0};

    CU_ASSERT_FATAL(D && out && unit && load && dtau && answer);
    perp_step_gradient_after(g, answer, answer + n);
    if (perp_step_gradient_matrix(g, D, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a matrix");
    }
    for (int s = 0; perp_step_gradient_solution(g) && s < PERP_ACTIVE_STATES; s++) {
        states[s] += perp_gradient_count(perp_step_gradient_solution(g), (perp_active)s);
    }
    step_from(st, 0.0, NULL, NULL, NULL, out);
    CU_ASSERT(same("step", 0, answer, out, 2 * n, 1e-9)); /* of one solver's tolerance */
    for (size_t j = 0; j < 2 * n; j++) {
        unit[j % n] = 1.0;
        differences(st, 0, j < n ? unit : NULL, j < n ? NULL : unit, NULL, out);
        unit[j % n] = 0.0;
        CU_ASSERT(same("column", j, D + 2 * n * j, out, 2 * n, differences_err));
    }
    for (size_t j = 0; j < 6 * bodies; j++) {
        load[j] = 1.0;
        differences(st, 0, NULL, NULL, load, out);
        perp_step_gradient_load(g, load, dtau);
        memset(answer, 0, 2 * n * sizeof *answer);
        for (size_t i = 0; i < 2 * n * n; i++) {
            answer[i % (2 * n)] += D[4 * n * n + i] * dtau[i / (2 * n)];
        }
        CU_ASSERT(same("load", j, answer, out, 2 * n, differences_err));
        load[j] = 0.0;
    }
    perp_step_gradient_free(g);
    free(D), free(out), free(unit), free(load), free(dtau), free(answer);
}

/* A rod of 1 m, 1.2 kg on a hinge across, at the angle q from the horizontal:
 *
 *     qd+ = qd + dt (tau - m g l cos q)/I,   q+ = q + dt qd+,   I = m l^2 + I_rod */
static void a_pendulum_is_that_by_hand(void)
{
    perp_world *w = test_world(3, 9.81);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    int32_t rod = forest_rod(w, "rod", 1.2, 0, 0.5, 0, 0);
    const double inertia = 1.2 * 0.25 + 1.2 * 1.04 / 12.0;
    const double dt = 0.01;
    double D[6];
    perp_joint *joint = run_joint(w, "hinge", base, rod, (const double[]){0, 0, 0},
                                  (const double[]){0, -1, 0});
    stage st = {0};
    perp_step_gradient *g = NULL;
    double pull = 0.0;

    CU_ASSERT_PTR_NOT_NULL(joint);
    st = stage_of(w, PERP_MODEL_BOX, "dantzig tolerance=1e-12");
    st.q[0] = 0.7;
    st.qd[0] = -1.3;
    stage_put(&st, 0.0, NULL, NULL);
    g = differentiate(&st, NULL);
    CU_ASSERT_PTR_NULL(perp_step_gradient_solution(g));
    CU_ASSERT_EQUAL_FATAL(perp_step_gradient_matrix(g, D, NULL), PERP_OK);
    pull = dt * 1.2 * 9.81 * 0.5 * sin(0.7) / inertia;
    CU_ASSERT_DOUBLE_EQUAL(D[0], 1.0 + dt * pull, 1e-13); /* some roundings of 1 */
    CU_ASSERT_DOUBLE_EQUAL(D[1], pull, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[2], dt, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[3], 1.0, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[4], dt * dt / inertia, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(D[5], dt / inertia, 1e-13);
    perp_step_gradient_free(g);
    stage_end(&st);
}

static void trees_in_flight(void)
{
    perp_world *(*const make[])(void) = {forest_pendulum, forest_chain, forest_floating};

    for (size_t k = 0; k < sizeof make / sizeof *make; k++) {
        stage st = stage_of(make[k](), PERP_MODEL_BOX, "dantzig tolerance=1e-12");
        size_t states[PERP_ACTIVE_STATES] = {0};

        check_matrix(&st, NULL, states);
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

        run_joint(w, "hinge", before, next, (const double[]){k, 0, 0},
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

static void an_arm_at_a_limit_with_motors(void)
{
    stage st = stage_of(arm(), PERP_MODEL_BOX, "dantzig tolerance=1e-12");
    size_t states[PERP_ACTIVE_STATES] = {0};

    st.q[1] = 0.2;
    st.qd[0] = 0.4;
    st.qd[2] = 0.5;
    stage_put(&st, 0.0, NULL, NULL);
    check_matrix(&st, NULL, states);
    CU_ASSERT_EQUAL(states[PERP_ACTIVE_FREE], 3); /* limit, servo, spring */
    CU_ASSERT_EQUAL(states[PERP_ACTIVE_OPEN], 1); /* the weak motor */
    stage_end(&st);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_pendulum_is_that_by_hand),
        TEST(trees_in_flight),
        TEST(an_arm_at_a_limit_with_motors),
        TEST_END,
    };

    return test_run(argc, argv, "derivatives of a step", cases);
}
