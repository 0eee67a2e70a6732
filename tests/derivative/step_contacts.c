/* SPDX-License-Identifier: Apache-2.0
 * tests/derivative/step_contacts.c: the derivative of a step of a small robot on the
 * ground, whose feet stick, slide and lift, under every model of friction, against
 * differences of steps; ties from both sides; contacts that share a load. */
#include <config.h>

#include "derivative/derivative.h"
#include "step_differences.h"

/* One-sided differences of second order over 1e-5, kinks of b known to 1e-12 */
static const double one_sided_err = 1e-5;

static void add_ball(perp_world *w, int32_t body, double x, double y, double z)
{
    const perp_shape ball = {.type = perp_shape_type_find("sphere"),
                             .body = body,
                             .at = {x, y, z},
                             .size = {0.1, 0.0, 0.0}};

    OK(perp_world_add_shape(w, &ball, NULL, NULL));
}

/* A trunk with a leg on a hinge and one on a ball joint, feet 1 mm in the ground: three
 * links, ten coordinates. `lift` raises the second leg's shape. */
static perp_world *robot(double mu, double lift)
{
    perp_world *w = test_world(3, 9.81);
    int32_t trunk = 0;
    int32_t legs[2];

    run_material(w, mu, 0.0);
    run_ground(w);
    trunk = forest_rod(w, "trunk", 4.0, 0, 0, 0, 1.099);
    legs[0] = forest_rod(w, "left", 0.8, 2, -0.4, 0.1, 0.599);
    legs[1] = forest_rod(w, "right", 0.6, 2, 0.5, -0.1, 0.599);
    add_ball(w, legs[0], 0, 0, -0.5);
    add_ball(w, legs[1], 0, 0, -0.5 + lift);
    run_joint(w, "revolute", trunk, legs[0], (const double[]){-0.4, 0.1, 1.099},
              (const double[]){0.6, 0.8, 0});
    run_joint(w, "spherical", trunk, legs[1], (const double[]){0.5, -0.1, 1.099}, NULL);
    return w;
}

/* Coordinates of the trunk: 0-2 its turn, 3-5 its place. */
typedef struct pose {
    double qd[10];
    double lift;
    size_t free, open, sliding; /* rows of a box model that must be there */
} pose;

static const pose poses[] = {
    {{0}, 0.0, 6, 0, 0},                            /* at rest: both stick */
    {{0, 0, 0, 2.0, 2.0, 0}, 0.0, 2, 0, 4},         /* slides */
    {{0, 0, 0.8, 0, 0, 0, 0.3}, 0.0005, 6, 0, 0},   /* turns about, held */
    {{0, 0, 0, 0, 0, 3.0}, 0.0, 0, 6, 0},           /* lifts off */
    {{0, 3.0, 0, 0, 0, 0, 0.2, 0.1}, 0.0, 3, 3, 0}, /* steps onto one foot */
    {{0, 0, 0, -3.0, 3.0, 0}, 0.5, 1, 0, 2},        /* slides on one */
};

static stage robot_stage(const pose *p, perp_model model, const char *solver, double mu)
{
    stage st = stage_of(robot(mu, p->lift), model, solver);

    CU_ASSERT_EQUAL_FATAL(stage_size(&st), 10);
    memcpy(st.qd, p->qd, sizeof p->qd);
    st.q[0] += 0.02; /* on no axis */
    st.q[6] += 0.05;
    st.q[8] -= 0.03;
    st.q[5] -= 0.004;
    stage_put(&st, 0.0, NULL, NULL);
    return st;
}

/* Of a pyramid the directions that share a force are not unique, nor is the auxiliary row
 * of a contact that is open. */
TEST(each_model_of_friction_on_every_pose)
{
    const perp_sensitivity_options share = {.least_norm = true};
    static const struct {
        perp_model model;
        const char *solver;
    } models[] = {
        {PERP_MODEL_BOX, "tresca:dantzig tolerance=1e-12"},
        {PERP_MODEL_PYRAMID, "lemke tolerance=1e-12"},
        {PERP_MODEL_FRICTIONLESS, "dantzig tolerance=1e-12"},
        {PERP_MODEL_CONE, "nsgs tolerance=1e-12 max-iterations=100000"},
        {PERP_MODEL_ASSOCIATED, "nsgs tolerance=1e-12 max-iterations=100000"},
    };

    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        const bool pyramid = models[m].model == PERP_MODEL_PYRAMID;
        size_t states[PERP_ACTIVE_STATES] = {0};

        for (size_t k = 0; k < sizeof poses / sizeof *poses; k++) {
            stage st = robot_stage(&poses[k], models[m].model, models[m].solver, 0.6);
            size_t own[PERP_ACTIVE_STATES] = {0};

            stage_check(&st, pyramid ? &share : NULL, own);
            CU_ASSERT(models[m].model != PERP_MODEL_BOX ||
                      (own[PERP_ACTIVE_FREE] == poses[k].free &&
                       own[PERP_ACTIVE_OPEN] == poses[k].open &&
                       own[PERP_ACTIVE_SLIDING] == poses[k].sliding));
            for (int s = 0; s < PERP_ACTIVE_STATES; s++) {
                states[s] += own[s];
            }
            stage_end(&st);
        }
        CU_ASSERT(states[PERP_ACTIVE_FREE] > 0 && states[PERP_ACTIVE_OPEN] > 0);
        CU_ASSERT_EQUAL(states[PERP_ACTIVE_TIED] > 0, pyramid);
    }
}

/* w of the left foot's normal in the step from there, in which nothing touches. */
static double opening(const stage *st)
{
    const perp_sensitivity_options share = {.least_norm = true};
    perp_step_gradient *g = stage_gradient(st, &share);
    const perp_problem *p = &perp_step_gradient_system(g)->problem;
    double w = NAN;

    CU_ASSERT_FATAL(p->n > 0);
    w = p->b[0];
    return w;
}

/* The left foot comes down so that it just does not touch: w = 0, to rounding, since w is
 * linear in the velocity of the trunk. */
static stage tied_stage(perp_model model, const char *solver, double slip)
{
    const pose lifting = {{0, 0, 0, slip, 0, 1.0}, 0.5, 0, 0, 0};
    stage st = robot_stage(&lifting, model, solver, 0.6);

    for (int pass = 0; pass < 3; pass++) {
        double here = opening(&st);
        double faster = 0.0;

        st.qd[5] += 0.1;
        stage_put(&st, 0.0, NULL, NULL);
        faster = opening(&st);
        st.qd[5] -= 0.1 + 0.1 * here / (faster - here);
        stage_put(&st, 0.0, NULL, NULL);
    }
    CU_ASSERT(fabs(opening(&st)) <= 1e-13);
    return st;
}

TEST(ties_follow_the_side_of_the_direction)
{
    const perp_sensitivity_options share = {.least_norm = true};
    static const struct {
        perp_model model;
        const char *solver;
    } models[] = {
        {PERP_MODEL_BOX, "tresca:dantzig tolerance=1e-12"},
        {PERP_MODEL_CONE, "nsgs tolerance=1e-12 max-iterations=100000"},
    };

    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        stage st = tied_stage(models[m].model, models[m].solver, 0.5);
        perp_step_gradient *g = stage_gradient(&st, &share);
        perp_random draw = {m + 1};
        double dq[10], dqd[10], there[20], expected[20];
        double back[20] = {0};
        double kink = 0.0;

        CU_ASSERT_EQUAL(perp_sensitivity_state(perp_step_gradient_solution(g), 0),
                        PERP_ACTIVE_TIED);
        for (size_t i = 0; i < 10; i++) {
            dq[i] = perp_random_uniform(&draw, -1.0, 1.0);
            dqd[i] = perp_random_uniform(&draw, -1.0, 1.0);
        }
        for (int side = 0; side < 2; side++) {
            OK(perp_step_gradient_forward(g, dq, dqd, NULL, there, there + 10, NULL));
            stage_differences(&st, true, dq, dqd, NULL, expected);
            CU_ASSERT(
                stage_same("side", (size_t)side, there, expected, 20, one_sided_err));
            for (size_t i = 0; i < 20; i++) {
                kink = side ? fmax(kink, fabs(there[i] + back[i])) : kink;
                back[i] = there[i];
            }
            for (size_t i = 0; i < 10; i++) {
                dq[i] = -dq[i];
                dqd[i] = -dqd[i];
            }
        }
        CU_ASSERT(kink > 0.1);
        stage_end(&st);
    }
}

/* In the plane: a disc on the arm of another touches the ground, sticks and slides. */
TEST(a_world_in_the_plane)
{
    static const struct {
        perp_model model;
        const char *solver;
    } models[] = {
        {PERP_MODEL_BOX, "tresca:dantzig tolerance=1e-12"},
        {PERP_MODEL_CONE, "nsgs tolerance=1e-12 max-iterations=100000"},
    };

    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        perp_world *w = test_world(2, 9.81);
        size_t states[PERP_ACTIVE_STATES] = {0};
        int32_t ground = 0, trunk = 0, foot = 0;
        stage st = {0};

        run_material(w, 0.9, 0.0);
        ground = run_ground(w);
        trunk = run_ball(w, "trunk", 3.0, 0.2, 0.3, 1.0, 0);
        foot = run_ball(w, "foot", 0.5, 0.2, 0.9, 0.1995, 0);
        CU_ASSERT(ground == 0);
        run_joint(w, "revolute", trunk, foot, (const double[]){0.3, 1.0, 0},
                  (const double[]){0, 0, 1});
        st = stage_of(w, models[m].model, models[m].solver);
        CU_ASSERT_EQUAL_FATAL(stage_size(&st), 4);
        for (int slides = 0; slides < 2; slides++) {
            st.qd[0] = slides ? -9.0 : 0.0; /* trailing: it cannot jam */
            stage_put(&st, 0.0, NULL, NULL);
            stage_check(&st, NULL, states);
        }
        CU_ASSERT_EQUAL(states[PERP_ACTIVE_OPEN] + states[PERP_ACTIVE_TIED], 0);
        CU_ASSERT(states[PERP_ACTIVE_SLIDING] > 0 && states[PERP_ACTIVE_FREE] > 1);
        stage_end(&st);
    }
}

/* A sphere that touches at gap 0: the bias -gap/dt above and -erp gap/dt below. */
TEST(a_bias_with_a_kink_follows_the_side_of_the_direction)
{
    perp_world *w = test_world(3, 9.81);
    const double up[6] = {0, 0, 0, 0, 0, 1}, down[6] = {0, 0, 0, 0, 0, -1};
    double dq[6], dqd[6];
    stage st = {0};
    perp_step_gradient *g = NULL;

    run_ground(w);
    run_ball(w, "ball", 1.0, 0.5, 0, 0, 0.5);
    st = stage_of(w, PERP_MODEL_FRICTIONLESS, "dantzig tolerance=1e-12");
    g = stage_gradient(&st, NULL);
    OK(perp_step_gradient_forward(g, up, NULL, NULL, dq, dqd, NULL));
    CU_ASSERT_DOUBLE_EQUAL(dqd[5], -100.0, 1e-6); /* closed in the step: -1/dt */
    CU_ASSERT_DOUBLE_EQUAL(dq[5], 0.0, 1e-8);
    OK(perp_step_gradient_forward(g, down, NULL, NULL, dq, dqd, NULL));
    CU_ASSERT_DOUBLE_EQUAL(dqd[5], 20.0, 1e-6); /* erp/dt */
    CU_ASSERT_DOUBLE_EQUAL(dq[5], -0.8, 1e-8);
    stage_end(&st);
}

/* A box on its four corners, three rows each, on six coordinates: z is not unique, what
 * it does is. Pushed down it stays, pushed aside it slides. */
TEST(contacts_that_share_a_load)
{
    static const double half[3] = {0.5, 0.4, 0.3};
    const perp_sensitivity_options share = {.least_norm = true};
    const double aside[6] = {0, 0, 0, 1, 0, 0};
    double dq[6], dqd[6];

    for (int slides = 0; slides < 2; slides++) {
        perp_world *w = test_world(3, 9.81);
        perp_step_gradient *g = NULL;
        perp_options opt;
        const perp_solver_type *solver = NULL;
        perp_error err = {0};
        size_t directions = 0;
        stage st = {0};

        run_material(w, 0.5, 0.0);
        run_ground(w);
        run_box(w, "box", 2.0, half, 0, 0, 0.299);
        st = stage_of(w, PERP_MODEL_BOX, "tresca:dantzig tolerance=1e-12");
        st.qd[3] = slides ? 3.0 : 0.0;
        stage_put(&st, 0.0, NULL, NULL);
        solver = run_solver(st.solver, &opt);
        CU_ASSERT_EQUAL(perp_step_gradient_new(&g, st.world, st.world->start, &st.scheme,
                                               solver, &opt, NULL, &err),
                        PERP_ERR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "singular"));
        g = stage_gradient(&st, &share);
        CU_ASSERT(perp_sensitivity_rank(perp_step_gradient_solution(g), &directions) <
                  directions);
        OK(perp_step_gradient_forward(g, NULL, aside, NULL, dq, dqd, NULL));
        CU_ASSERT_DOUBLE_EQUAL(dqd[3], slides ? 1.0 : 0.0, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(dqd[5], 0.0, 1e-9);
        stage_end(&st);
    }
}
