/* SPDX-License-Identifier: Apache-2.0
 * tests/core/solve.c: the one loop, driven by small solvers that do as they are told. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/solvers.h"
#include "support.h"

/* What the toy does in each step; the loop must judge it whatever it claims. */
typedef enum toy_deed { CREEP, CLAIM, LIE, GROW, SINK, CRY_INFEASIBLE } toy_deed;

typedef struct toy_state {
    const perp_problem *p;
    toy_deed deed;
} toy_state;

static const perp_option toy_options[] = {
    PERP_CHOICE("deed", 0, "creep|claim|lie|grow|sink|cry", "what to do"),
    PERP_OPTION_END,
};

static const double first_unit[3] = {1, 0, 0};

static perp_status toy_setup(void *vs, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    toy_state *s = vs;

    s->p = p;
    s->deed = (toy_deed)perp_options_choice(opt, "deed");
    perp_result_log(r, "toy");
    if (!perp_workspace_reals(ws, p->n)) {
        return perp_fail(err, PERP_ERR_MEMORY, "toy: no memory");
    }
    return PERP_OK;
}

/* Diagonal problems: the solution of row i is max(-b_i/A_ii, 0). */
static perp_status toy_iterate(void *vs, perp_result *r, perp_error *err)
{
    toy_state *s = vs;

    (void)err;
    for (size_t i = 0; i < s->p->n; i++) {
        double solution = fmax(-s->p->b[i] / perp_operator_diagonal(s->p->A, i), 0.0);

        switch (s->deed) {
        case CREEP:
            r->z[i] += 0.5 * (solution - r->z[i]);
            break;
        case CLAIM:
            r->z[i] = solution;
            break;
        case GROW:
            r->z[i] = 1e300 * (r->z[i] + 1.0);
            break;
        default:
            break;
        }
    }
    if (s->deed == CLAIM || s->deed == LIE) {
        r->outcome = PERP_SOLVED;
    } else if (s->deed == SINK) {
        return perp_result_refuse(r, PERP_SINGULAR_BLOCK, 1, "no step");
    } else if (s->deed == CRY_INFEASIBLE) {
        r->outcome = PERP_INFEASIBLE;
        return perp_result_certify_infeasible(r, first_unit, NULL);
    }
    r->work.products++;
    return PERP_OK;
}

static const perp_solver_type toy = {
    .name = "toy",
    .sets = PERP_SETS(NONNEG),
    .storages = PERP_STORAGES(CSR),
    .check_every = 5,
    .max_iterations = 1000,
    .options = toy_options,
    .state_size = sizeof(toy_state),
    .setup = toy_setup,
    .iterate = toy_iterate,
};

static const double diagonal[9] = {2, 0, 0, 0, 4, 0, 0, 0, 1};
static const double free_velocity[3] = {-2, -4, 1}; /* z = (1, 1, 0) */

static perp_result *play(const char *deed, const char *option, const char *value)
{
    perp_problem *p = test_lcp(3, diagonal, free_velocity);
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_options_set(&opt, "deed", deed, NULL));
    if (option) {
        OK(perp_options_set(&opt, option, value, NULL));
    }
    perp_result *r = test_new_result(3);
    OK(perp_solve(&toy, p, &opt, r, NULL));
    return r;
}

TEST(a_solver_that_creeps_is_stopped_by_the_judge)
{
    perp_result *r = play("creep", NULL, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, 30); /* 2^-27 <= 1e-8, judged every fifth: 30 */
    CU_ASSERT(r->residual <= 1e-8);
    CU_ASSERT_EQUAL(r->history_count, 8); /* the start, six on the way, the end */
    CU_ASSERT_EQUAL(r->history[0].iteration, 0);
    CU_ASSERT_EQUAL(r->work.products, 30.0);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 1.0, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(r->w[2], 1.0, 1e-8);
    CU_ASSERT(r->bytes > 0 && r->seconds > 0.0);
}

TEST(what_ran_lists_the_path)
{
    perp_result *r = play("claim", NULL, NULL);
    bool toy_ran = false;

    for (size_t i = 0; i < r->path.count; i++) {
        toy_ran = toy_ran || strcmp(r->path.step[i], "toy") == 0;
    }
    CU_ASSERT(toy_ran);
    CU_ASSERT_EQUAL(r->path.count, 3); /* dense to CSR, scaling, the solver */
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, 1);
}

TEST(a_lie_is_found_out)
{
    perp_result *r = play("lie", NULL, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "toy: stopped at residual"));
}

TEST(divergence_ends_with_the_best_point)
{
    perp_result *r = play("grow", NULL, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "diverged"));
    CU_ASSERT(isfinite(r->residual)); /* of the start, the best there was */
    CU_ASSERT_EQUAL(r->z[0], 0.0);
}

TEST(a_false_certificate_is_no_proof)
{
    perp_result *r = play("cry", NULL, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_RAY);
    CU_ASSERT_NOT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
}

TEST(a_true_certificate_reaches_the_caller)
{
    const double nothing[4] = {0, 0, 0, 0};
    const double q[2] = {-1, 1};
    perp_problem *p = test_lcp(2, nothing, q);
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_options_set(&opt, "deed", "cry", NULL));
    perp_result *r = test_new_result(2);
    OK(perp_solve(&toy, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INFEASIBLE);
    CU_ASSERT(r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE &&
              perp_certificate_infeasible(p, r->certificate.y));
}

/* The row of a free impulse that moves nothing: w_1 = 1 whatever z. */
TEST(free_rows_that_contradict_each_other_prove_it)
{
    const double rows[4] = {2, 0, 0, 0};
    const double q[2] = {-1, 1};
    perp_problem *p = test_lcp(2, rows, q);
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    p->set->blocks[1].kind = PERP_SET_FREE;
    p->set->blocks[1].lo = -INFINITY;
    perp_result *r = test_new_result(2);
    OK(perp_solve(&toy, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INFEASIBLE);
    CU_ASSERT(r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE &&
              perp_certificate_infeasible(p, r->certificate.y));
    CU_ASSERT_EQUAL(r->iterations, 0);
    CU_ASSERT_STRING_EQUAL(r->path.step[r->path.count - 1],
                           "free rows contradict each other: no solver was run");
}

TEST(a_refusal_names_its_place)
{
    perp_result *r = play("sink", NULL, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
    CU_ASSERT_EQUAL(r->singular_row, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "toy: no step at row 1 (residual "));
}

TEST(limits_are_outcomes)
{
    perp_result *r = play("creep", "max-iterations", "7");

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->iterations, 7);
    r = play("creep", "time-limit", "1e-9");
    CU_ASSERT_EQUAL(r->outcome, PERP_TIME_LIMIT);
}

/* A sweep over three dense rows is a product of 18 flops; 50 are passed in the third. */
TEST(work_is_limited_in_flops)
{
    const double chain[] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    const double push[] = {-1, -1, -1};
    perp_problem *p = test_lcp(3, chain, push);
    perp_result *r = test_solve(p, "pgs", "work-limit=50", "tolerance=0", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->iterations, 3);
    CU_ASSERT_EQUAL(perp_work_flops(&r->work, p->A), 54.0);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        r->reason, "pgs: stopped after 3 iterations and 50 flops, the work allowed, at"));
}

TEST(a_raised_flag_interrupts)
{
    perp_problem *p = test_lcp(3, diagonal, free_velocity);
    volatile int flag = 1;
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    opt.interrupt = &flag;
    perp_result *r = test_new_result(3);
    OK(perp_solve(&toy, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
}

TEST(memory_beyond_the_limit_is_refused)
{
    perp_problem *p = test_lcp(3, diagonal, free_velocity);
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_options_set(&opt, "memory-limit", "0.0001", NULL));
    perp_result *r = test_new_result(3);
    CU_ASSERT_EQUAL(perp_solve(&toy, p, &opt, r, NULL), PERP_ERR_MEMORY);
}

TEST(a_start_at_the_solution_needs_no_step)
{
    perp_problem *p = test_lcp(3, diagonal, free_velocity);
    perp_result *r = test_new_result(3);

    r->z[0] = r->z[1] = 1.0;
    OK(perp_solve(&toy, p, NULL, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, 0);
}

TEST(an_unsuitable_problem_says_what_is_missing)
{
    double mu = 0.5;
    perp_problem *p = test_cones(3, 1, diagonal, free_velocity, &mu);
    perp_options opt;
    perp_error err = {0};

    perp_options_init(&opt, &toy, NULL, NULL);
    perp_result *r = test_new_result(3);
    CU_ASSERT_EQUAL(perp_solve(&toy, p, &opt, r, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "toy takes no cone rows"));
}

TEST(bad_input_is_refused_at_the_door)
{
    perp_problem *p = test_lcp(3, diagonal, free_velocity);
    perp_options opt;
    perp_error err = {0};

    perp_options_init(&opt, &toy, NULL, NULL);
    perp_result *r = test_new_result(2);
    CU_ASSERT_EQUAL(perp_solve(&toy, p, &opt, r, &err), PERP_ERR_ARGUMENT);
    OK(perp_result_new(&r, 3, NULL));
    r->z[1] = NAN;
    CU_ASSERT_EQUAL(perp_solve(&toy, p, &opt, r, NULL), PERP_ERR_DATA);
    r->z[1] = 0.0;
    p->b[0] = INFINITY;
    CU_ASSERT_EQUAL(perp_solve(&toy, p, &opt, r, NULL), PERP_ERR_DATA);
}

TEST(a_long_history_is_thinned_not_cut)
{
    perp_problem *p = test_lcp(3, diagonal, free_velocity);
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    perp_options_set(&opt, "tolerance", "0", NULL); /* never met by halving */
    perp_options_set(&opt, "check-every", "1", NULL);
    perp_options_set(&opt, "max-iterations", "9000", NULL);
    perp_options_set(&opt, "deed", "lie", NULL);
    perp_result *r = test_new_result(3);
    perp_options_set(&opt, "deed", "creep", NULL);
    p->b[0] = -2.0 / 3.0; /* so that halving never becomes exact */
    OK(perp_solve(&toy, p, &opt, r, NULL));
    CU_ASSERT(r->history_count <= PERP_HISTORY_MAX);
    CU_ASSERT(r->history_count == 0 || r->history[0].iteration == 0);
    CU_ASSERT_EQUAL(r->history[r->history_count - 1].iteration, r->iterations);
    for (size_t i = 1; i < r->history_count; i++) {
        CU_ASSERT(r->history[i].iteration >= r->history[i - 1].iteration);
    }
}

TEST(what_ran_never_overflows)
{
    perp_result *r = test_new_result(1);

    for (int i = 0; i < 100; i++) {
        perp_result_log(r, "step %d", i);
    }
    CU_ASSERT_EQUAL(r->path.count, PERP_PATH_MAX);
    CU_ASSERT_STRING_EQUAL(r->path.step[0], "step 0");
    CU_ASSERT_STRING_EQUAL(r->path.step[PERP_PATH_MAX - 1], "and 69 more steps");
    CU_ASSERT_STRING_EQUAL(perp_outcome_text(PERP_SINGULAR_BLOCK), "singular block");
    CU_ASSERT_STRING_EQUAL(perp_outcome_text((perp_outcome)99), "unknown outcome");
}
