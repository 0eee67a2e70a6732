/* SPDX-License-Identifier: Apache-2.0
 * tests/core/context.c: solves in the memory of a context, when they are judged, and which point
 * they return. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "scarce.h"

static const double W[36] = {2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1,
                             1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3};
static const double contact_b[6] = {-1, 0.8, 0.1, -2, 0.1, 0.3};
static const double contact_mu[2] = {0.5, 0.3};

/* One step of pgs from 0 leads from residual 1 to z = (1, 3), w = (-6, 0). */
static const double worse[4] = {1, -2, -2, 1};
static const double worse_b[2] = {-1, -1};

static perp_result *solve_in(perp_context *context, const perp_problem *p,
                             const char *solver)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse(solver, &type, &opt, NULL));
    perp_result *r = test_new_result(p->n);
    CU_ASSERT_EQUAL(context ? perp_context_solve(context, type, p, &opt, r, NULL)
                            : perp_solve(type, p, &opt, r, NULL),
                    PERP_OK);
    return r;
}

/* Small after large after small, solvers in turn: what an earlier solve left is not seen. */
TEST(a_context_solves_to_the_bits_of_a_single_solve)
{
    static const char *const solvers[] = {"nsgs",     "auto", "nsgs+newton",
                                          "admm-ncp", "nncg", "ds:spg"};
    perp_problem *small = test_cones(3, 1, (const double[]){2, 0, 0, 0, 2, 0, 0, 0, 2},
                                     contact_b, contact_mu);
    perp_problem *large = test_cones(3, 2, W, contact_b, contact_mu);
    perp_context *context = NULL;

    OK(perp_context_new(&context, NULL));
    for (size_t k = 0; k < 24; k++) {
        const perp_problem *p = k % 3 == 1 ? large : small;
        perp_result *kept = solve_in(context, p, solvers[k % 6]);
        perp_result *alone = solve_in(NULL, p, solvers[k % 6]);

        CU_ASSERT_EQUAL(kept->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(kept->iterations, alone->iterations);
        CU_ASSERT_EQUAL(kept->bytes, alone->bytes);
        CU_ASSERT_EQUAL(memcmp(kept->z, alone->z, p->n * sizeof *kept->z), 0);
        CU_ASSERT_EQUAL(memcmp(kept->w, alone->w, p->n * sizeof *kept->w), 0);
    }
    perp_context_free(NULL);
}

TEST(a_kept_workspace_hands_out_the_same_memory_zeroed)
{
    double *second = NULL;
    perp_workspace *ws = test_new_workspace(0);

    perp_workspace_keep(ws);
    double *first = perp_workspace_reals(ws, 100);
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    first[99] = 7.0;
    perp_workspace_release(ws, 0);
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
    second = perp_workspace_reals(ws, 104); /* fits: an eighth is left */
    CU_ASSERT_PTR_EQUAL(second, first);
    CU_ASSERT_EQUAL(second[99], 0.0);
    perp_workspace_release(ws, 0);
    perp_workspace_restart(ws, 512);
    CU_ASSERT_EQUAL(perp_workspace_peak(ws), 0);
    CU_ASSERT_PTR_NULL(perp_workspace_raw(ws, 100, sizeof(double))); /* limits hold */
    CU_ASSERT_EQUAL(perp_workspace_status(ws, NULL), PERP_ERR_MEMORY);
}

static perp_status twice(void *problem, perp_error *err)
{
    const perp_problem *p = problem;
    const perp_solver_type *type = perp_solver_find("nsgs+newton");
    perp_context *context = NULL;
    perp_result *r = NULL;
    perp_status status = perp_context_new(&context, err);

    if (status == PERP_OK) {
        status = perp_result_new(&r, p->n, err);
    }
    for (int k = 0; k < 2 && status == PERP_OK; k++) {
        memset(r->z, 0, p->n * sizeof *r->z);
        status = perp_context_solve(context, type, p, NULL, r, err);
    }
    CU_ASSERT(status == PERP_OK || status == PERP_ERR_MEMORY);
    return status;
}

TEST(a_context_survives_failing_memory)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);

    scarce_everywhere(twice, p, "two solves in a context");
}

TEST(missing_arguments_are_refused)
{
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_context_new(NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_context_solve(NULL, NULL, NULL, NULL, NULL, &err),
                    PERP_ERR_ARGUMENT);
}

TEST(at_a_limit_the_answer_is_the_best_or_the_last_point)
{
    perp_problem *p = test_lcp(2, worse, worse_b);
    perp_result *best = solve_in(NULL, p, "pgs max-iterations=1");
    perp_result *last = solve_in(NULL, p, "pgs max-iterations=1 answer=last");

    CU_ASSERT_EQUAL(best->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(best->z[0], 0.0);
    CU_ASSERT_EQUAL(best->z[1], 0.0);
    CU_ASSERT_EQUAL(last->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(last->z[0], 1.0);
    CU_ASSERT_EQUAL(last->z[1], 3.0);
    CU_ASSERT_EQUAL(last->w[0], -6.0);
    CU_ASSERT_EQUAL(last->residual, perp_residual(p, last->z));
    CU_ASSERT_EQUAL(last->measures.residual, last->residual);
}

/* A = 2 I is solved by one sweep, and the last point is the solution whatever is asked for. */
TEST(sweeps_are_judged_after_1_2_4_8_of_them)
{
    const double A[4] = {2, 0, 0, 2};
    perp_problem *easy = test_lcp(2, A, worse_b);
    perp_problem *hard = test_lcp(2, worse, worse_b);
    perp_result *r = solve_in(NULL, easy, "pgs");

    CU_ASSERT_EQUAL(r->iterations, 1);
    r = solve_in(NULL, easy, "pgs check-every=3");
    CU_ASSERT_EQUAL(r->iterations, 3);
    r = solve_in(NULL, easy, "pgs max-iterations=4 answer=last");
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, 4); /* a given number is not judged in between */
    r = solve_in(NULL, hard, "pgs max-iterations=12");
    CU_ASSERT_EQUAL_FATAL(r->history_count, 7);
    for (size_t k = 0; k < 7; k++) {
        static const size_t at[] = {0, 1, 2, 4, 8, 10, 12};

        CU_ASSERT_EQUAL(r->history[k].iteration, at[k]);
    }
}

/* Entries of 4^k: scaled by 2^-k for lemke, not for sweeps, whose iterates are the same bits. */
TEST(sweeps_are_not_scaled_and_need_not_be)
{
    const double A[4] = {4096, 32, 32, 1}, unit[4] = {1, 0.5, 0.5, 1};
    const double b[2] = {-64, -3};
    perp_problem *p = test_lcp(2, A, b);
    perp_problem *one = test_lcp(2, unit, b);
    perp_result *r = solve_in(NULL, p, "pgs max-iterations=3 tolerance=0");
    perp_result *s = solve_in(NULL, one, "lemke");

    CU_ASSERT(!test_ran(r, "scaled"));
    CU_ASSERT(!test_ran(s, "scaled")); /* all factors are 1: no copy */
    s = solve_in(NULL, p, "lemke");
    CU_ASSERT(test_ran(s, "scaled by powers of two from 2^-6 to 2^0"));
    /* the same in other units: z_0 in 64ths */
    one = test_lcp(2, (const double[]){1, 0.5, 0.5, 1}, (const double[]){-1, -3});
    s = solve_in(NULL, one, "pgs max-iterations=3 tolerance=0");
    CU_ASSERT_EQUAL(r->z[0], s->z[0] / 64.0);
    CU_ASSERT_EQUAL(r->z[1], s->z[1]);
}
