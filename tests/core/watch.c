/* SPDX-License-Identifier: Apache-2.0
 * tests/core/watch.c: rules of the loop that hold for every solver that iterates: divergence,
 * stall, restarts, the fallback at a singular block, and warm starts. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"

/* How the iterates of the toy move; its start and what it saw of it. */
typedef enum toy_motion { GEOMETRIC, LINEAR, HOLD, RESTART, CREEP, SINGULAR } toy_motion;

typedef struct toy_state {
    const perp_problem *p;
    toy_motion motion;
    bool warm; /* as setup has seen it */
} toy_state;

static const perp_option toy_options[] = {
    PERP_CHOICE("motion", 0, "geometric|linear|hold|restart|creep|singular", "motion"),
    PERP_OPTION_END,
};

static perp_status toy_setup(void *vs, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    toy_state *s = vs;

    (void)ws;
    (void)err;
    s->p = p;
    s->motion = (toy_motion)perp_options_choice(opt, "motion");
    s->warm = r->run.warm;
    perp_result_log(r, "toy: %s start", s->warm ? "warm" : "cold");
    return PERP_OK;
}

/* Row 0 diverges, row 1 tends to its solution 1 by halves. */
static perp_status toy_iterate(void *vs, perp_result *r, perp_error *err)
{
    toy_state *s = vs;

    (void)err;
    r->z[1] += 0.5 * (1.0 - r->z[1]);
    switch (s->motion) {
    case GEOMETRIC:
        r->z[0] = 1.2 * r->z[0] + 1.0;
        break;
    case LINEAR:
        r->z[0] += 0.25;
        break;
    case RESTART:
        if (r->iterations == 90) {
            r->run.restarted = r->iterations;
        }
        break;
    case CREEP: /* 1 % of the way in 2 iterations */
        r->z[0] += 0.005 * (1.0 - r->z[0]);
        break;
    case SINGULAR:
        return perp_result_refuse(r, PERP_SINGULAR_BLOCK, 0, "no step");
    default:
        break;
    }
    return PERP_OK;
}

static const perp_solver_type toy = {
    .name = "toy",
    .sets = PERP_SETS(NONNEG),
    .storages = PERP_STORAGES(DENSE),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 5,
    .stall = 50,
    .max_iterations = 1000,
    .options = toy_options,
    .state_size = sizeof(toy_state),
    .setup = toy_setup,
    .iterate = toy_iterate,
};

static const double infeasible[] = {0, 0, 0, 1}; /* w_1 = -1 whatever z */
static const double solvable[] = {1, 0, 0, 1};   /* z = (1, 1) */

static perp_result *run(const double *rows, const char *motion, const char *stall,
                        double start)
{
    const double q[] = {-1, -1};
    perp_problem *p = test_lcp(2, rows, q);
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_options_set(&opt, "motion", motion, NULL));
    if (stall) {
        OK(perp_options_set(&opt, "stall", stall, NULL));
    }
    perp_result *r = test_new_result(2);
    r->z[0] = start;
    OK(perp_solve(&toy, p, &opt, r, NULL));
    if (r->outcome == PERP_INFEASIBLE) {
        test_infeasible(p, r);
    }
    return r;
}

/* z doubles in 4 iterations; it is looked at in iterations 8, 24, 40, ... and differs from a
 * certificate by what row 1 still moves, 2^-24. */
TEST(iterates_that_double_are_tried_as_a_certificate)
{
    perp_result *r = run(infeasible, "geometric", "0", 0.0);

    CU_ASSERT_EQUAL(r->outcome, PERP_INFEASIBLE);
    CU_ASSERT(r->iterations <= 72);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "toy: the iterates diverge"));
    CU_ASSERT_STRING_EQUAL(r->certificate_solver, "toy");
}

/* From 100 it does not double in 1000 iterations: 20 of them are tried after 80. */
TEST(iterates_that_drift_are_tried_as_a_certificate)
{
    perp_result *r = run(infeasible, "linear", "0", 100.0);

    CU_ASSERT_EQUAL(r->outcome, PERP_INFEASIBLE);
    CU_ASSERT_EQUAL(r->iterations, 80);
}

TEST(growth_without_a_certificate_does_not_end_a_run)
{
    perp_result *r = run(solvable, "geometric", "0", 0.0);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_NONE);
}

TEST(a_residual_that_does_not_fall_is_a_stall)
{
    perp_result *r = run(solvable, "hold", NULL, 0.0);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_EQUAL(r->iterations, 100); /* two windows of 50 */
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "fell by less than 1 % in 50 iterations"));
    r = run(solvable, "hold", "20", 0.0);
    CU_ASSERT_EQUAL(r->iterations, 40);
    r = run(solvable, "hold", "1", 0.0); /* two judgements at least */
    CU_ASSERT_EQUAL(r->iterations, 20);
    r = run(solvable, "hold", "0", 0.0);
    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
}

static bool before_5000(void *context, size_t iterations, double residual, double seconds)
{
    (void)context;
    (void)residual;
    (void)seconds;
    return iterations < 5000;
}

/* Neither the window of 50 nor the cap of 1000 iterations of the toy, but those that are given. */
TEST(only_given_limits_end_a_solve_on_request)
{
    static const struct {
        const char *settings;
        perp_outcome outcome;
        size_t iterations;
    } cases[] = {
        {"motion=hold,end-by=limits,time-limit=1e6", PERP_INTERRUPTED, 5000},
        {"motion=hold,end-by=limits,work-limit=1e9", PERP_INTERRUPTED, 5000},
        {"motion=hold,end-by=limits,time-limit=1e6,stall=50", PERP_STALLED, 100},
        {"motion=hold,end-by=limits,time-limit=1e6,max-iterations=300",
         PERP_ITERATION_LIMIT, 300},
        {"motion=hold,end-by=limits", PERP_STALLED, 100}, /* no limit is given */
        {"motion=hold,end-by=solver,time-limit=1e6", PERP_STALLED, 100},
        {"motion=creep,end-by=solver,time-limit=1e6", PERP_ITERATION_LIMIT, 1000},
    };
    const double q[] = {-1, -1};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_problem *p = test_lcp(2, solvable, q);
        perp_options opt;

        perp_options_init(&opt, &toy, NULL, NULL);
        opt.progress = before_5000;
        OK(perp_options_parse(&opt, cases[k].settings, NULL));
        perp_result *r = test_new_result(2);
        OK(perp_solve(&toy, p, &opt, r, NULL));
        CU_ASSERT_EQUAL(r->outcome, cases[k].outcome);
        CU_ASSERT_EQUAL(r->iterations, cases[k].iterations);
    }
}

/* 0.995^50 = 0.78 in each window. */
TEST(slow_convergence_is_no_stall)
{
    perp_result *r = run(solvable, "creep", NULL, 0.0);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
}

/* It would end after iteration 100: the second window begins again at 90. */
TEST(a_restart_of_the_solver_restarts_the_windows)
{
    perp_result *r = run(solvable, "restart", NULL, 0.0);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_EQUAL(r->iterations, 190);
}

TEST(setup_knows_whether_the_start_is_warm)
{
    perp_result *r = run(solvable, "hold", NULL, 0.0);

    CU_ASSERT(test_ran(r, "toy: cold start"));
    r = run(solvable, "hold", NULL, 0.5);
    CU_ASSERT(test_ran(r, "toy: warm start"));
}

/* Rows 1 and 2 are alike, so that bpp meets a singular block. */
TEST(the_fallback_at_a_singular_block_is_an_option)
{
    const double rows[] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    const double q[] = {-1, -2, -1};
    const char *const choices[] = {"default", "none", "prox"};

    for (size_t k = 0; k < 3; k++) {
        perp_problem *p = test_lcp(3, rows, q);
        char option[32] = "on-singular=";
        perp_result *r = test_solve(p, "bpp", strcat(option, choices[k]), NULL);

        CU_ASSERT_EQUAL(r->outcome, k == 1 ? PERP_SINGULAR_BLOCK : PERP_SOLVED);
        CU_ASSERT_EQUAL(test_ran(r, "prox: eps"), k != 1);
        r = test_solve(p, "minmap", option, NULL); /* which has no fallback of its own */
        CU_ASSERT_EQUAL(r->outcome, k < 2 ? PERP_SINGULAR_BLOCK : PERP_SOLVED);
        CU_ASSERT_EQUAL(test_ran(r, "prox: eps"), k == 2);
    }
}

TEST(missing_arguments_give_a_status)
{
    const double q[] = {-1, -1};
    perp_problem *p = test_lcp(2, solvable, q);
    perp_judge *judge = NULL;
    perp_options opt;
    perp_error err;

    memset(&err, 0xff, sizeof err); /* perp_solve clears it */
    perp_result *r = test_new_result(2);
    CU_ASSERT_EQUAL(perp_solve(NULL, p, NULL, r, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "perp_solve: the solver type is NULL, expected one of perp_solvers()");
    CU_ASSERT_EQUAL(perp_solve(&toy, NULL, NULL, r, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "perp_solve: the problem is NULL, expected a problem");
    CU_ASSERT_EQUAL(perp_solve(&toy, p, NULL, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "perp_solve: the result is NULL, expected one of perp_result_new()");
    CU_ASSERT_EQUAL(perp_solve(NULL, NULL, NULL, NULL, NULL), PERP_ERR_ARGUMENT);
    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_solve(&toy, p, &opt, r, &err));
    OK(err.status);
    memset(&err, 0xff, sizeof err);
    CU_ASSERT_EQUAL(perp_judge_new(&judge, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "perp_judge_new: an argument is NULL that must not be");
}
