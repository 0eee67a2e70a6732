/* SPDX-License-Identifier: Apache-2.0
 * tests/core/lcp.c: an LCP in one call, the progress of a solve, and NULL arguments. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "scarce.h"

/* M = [2 1; -1 1], column-major, and q = (-2, 1/2). */
static const double M[4] = {2, -1, 1, 1};
static const double q[2] = {-2, 0.5};

/* z = (1, 0): w = (0, -1 + 0.5) is negative, so both are active: 2 x + y = 2, -x + y =
 * -1/2 give x = 5/6, y = 1/3. With M by rows the solution would be another: 2 x - y =
 * 2, x + y = -1/2 has none with both active, and z = (1, 0), w = (0, 3/2) solves it. */
TEST(solves_an_lcp_by_columns)
{
    double z[2] = {0, 0};
    perp_error err;

    OK(perp_lcp_solve(2, M, q, z, NULL, &err));
    CU_ASSERT_DOUBLE_EQUAL(z[0], 5.0 / 6.0, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(z[1], 1.0 / 3.0, 1e-8);
    OK(perp_lcp_solve(0, NULL, NULL, NULL, NULL, NULL));
}

TEST(uses_the_solver_of_the_options)
{
    double z[2] = {0, 0};
    perp_options opt;
    perp_error err;

    OK(perp_solver_parse("pgs max-iterations=1", NULL, &opt, NULL));
    CU_ASSERT_EQUAL(perp_lcp_solve(2, M, q, z, &opt, &err), PERP_ERR_NOT_SOLVED);
    CU_ASSERT_EQUAL(strncmp(err.text, "iteration limit: pgs: ", 22), 0);
    CU_ASSERT_NOT_EQUAL(z[0], 0.0); /* the best point */
    OK(perp_options_set(&opt, "max-iterations", "1000", NULL));
    OK(perp_lcp_solve(2, M, q, z, &opt, &err));
    CU_ASSERT_DOUBLE_EQUAL(z[1], 1.0 / 3.0, 1e-7);
}

/* M = 0, q = -1 has no solution. */
TEST(an_lcp_without_a_solution_is_not_solved)
{
    const double zero = 0.0;
    const double minus = -1.0;
    double z = 0.0;
    perp_error err;

    CU_ASSERT_EQUAL(perp_lcp_solve(1, &zero, &minus, &z, NULL, &err),
                    PERP_ERR_NOT_SOLVED);
    CU_ASSERT(err.text[0]);
    CU_ASSERT_STRING_EQUAL(perp_status_text(PERP_ERR_NOT_SOLVED), "not solved");
}

TEST(bad_data_and_null_have_statuses_of_their_own)
{
    const double bad[2] = {-2, NAN};
    double z[2] = {0, 0};
    perp_error err;

    CU_ASSERT_EQUAL(perp_lcp_solve(2, M, bad, z, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_lcp_solve(2, NULL, q, z, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_lcp_solve(2, M, NULL, z, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_lcp_solve(2, M, q, NULL, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(z[0], 0.0);
}

TEST(null_arguments_of_a_solve_give_a_status)
{
    perp_problem *p = test_lcp(2, M, q);
    perp_problem *view = NULL;
    perp_set *set = NULL;
    perp_error err;
    perp_result *r = test_new_result(2);

    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("lemk"), p, NULL, r, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "perp_solve: the solver type is NULL, expected one of perp_solvers()");
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("pgs"), NULL, NULL, r, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("pgs"), p, NULL, NULL, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_solver_view(NULL, p, NULL, &view, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_problem_check(NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_problem_copy(&view, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_problem_new(NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_set_new(NULL, 1, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_set_new_uniform(&set, PERP_SET_CONE, 3, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_set_new_cones(&set, 4, 1, q, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_set_new_cones(&set, 2, 1, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_set_copy(&set, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_solver_registry_new(NULL, &err), PERP_ERR_ARGUMENT);
}

TEST(a_cone_of_another_dimension_is_bad_data)
{
    const double mu = 0.5;
    const double identity[4] = {1, 0, 0, 1};
    perp_problem *p = test_cones(2, 1, identity, q, &mu);
    perp_error err;
    perp_set *set = test_new_set(1);

    perp_set_add_cone(set, 4, mu);
    test_give_set(p, set);
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "cone 0 has dimension 4, expected 2 or 3");
}

/* What the callback saw. */
typedef struct watch {
    size_t calls, last, stop_at; /* stop_at 0: never */
    double residual, seconds;
    bool ordered;
} watch;

static bool watch_progress(void *context, size_t iteration, double residual,
                           double seconds)
{
    watch *w = context;

    w->ordered = w->ordered && iteration > w->last && seconds >= w->seconds;
    w->calls++;
    w->last = iteration;
    w->residual = residual;
    w->seconds = seconds;
    return w->stop_at == 0 || iteration < w->stop_at;
}

TEST(progress_is_reported_and_can_stop_a_solve)
{
    perp_problem *p = test_boxed(30, 7);
    watch w = {.ordered = true};
    perp_options opt;

    OK(perp_solver_parse("pgs check-every=1 tolerance=0,max-iterations=8", NULL, &opt,
                         NULL));
    opt.progress = watch_progress;
    opt.progress_context = &w;
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(opt.solver, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT(w.ordered);
    CU_ASSERT_EQUAL(w.calls, 7); /* the 8th judgement is that of the limit */
    w = (watch){.ordered = true, .stop_at = 5};
    memset(r->z, 0, p->n * sizeof *r->z);
    OK(perp_solve(opt.solver, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
    CU_ASSERT_EQUAL(r->iterations, 5);
    CU_ASSERT_EQUAL(w.residual, r->residual);
}

TEST(progress_stops_a_chain)
{
    perp_problem *p = test_boxed(80, 7);
    watch w = {.ordered = true, .stop_at = 1};
    perp_options opt;

    OK(perp_solver_parse("auto check-every=1", NULL, &opt, NULL));
    opt.progress = watch_progress;
    opt.progress_context = &w;
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(opt.solver, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_INTERRUPTED);
    CU_ASSERT_EQUAL(w.calls, 1);
}

static perp_status lcp_once(void *context, perp_error *err)
{
    double z[2] = {0, 0};

    (void)context;
    return perp_lcp_solve(2, M, q, z, NULL, err);
}

TEST(an_lcp_survives_without_memory)
{
    scarce_everywhere(lcp_once, NULL, "perp_lcp_solve");
}
