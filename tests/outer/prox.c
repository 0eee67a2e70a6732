/* SPDX-License-Identifier: Apache-2.0
 * tests/outer/prox.c: singular matrices made definite, pass by pass. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* The last passes contract by eps over the smallest curvature: what is left is
 * rounding. */
static const double exact = 1e-12;

/* Four legs of a table, hyperstatic: of z = (1, 1, 1, 1) + t (1, -1, -1, 1) the start 0
 * selects t = 0. Legs at (+-1, +-1), unit mass, A = 1 + x x' + y y', b = -4 (so w =
 * 0). */
TEST(selects_the_answer_nearest_to_the_start)
{
    const double x[] = {1, 1, -1, -1};
    const double y[] = {1, -1, 1, -1};
    const double b[] = {-4, -4, -4, -4};
    double A[16];
    perp_problem *p = NULL;
    perp_result *r = NULL;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            A[4 * i + j] = 1.0 + x[i] * x[j] + y[i] * y[j];
        }
    }
    p = test_lcp(4, A, b);
    r = test_solve(p, "prox", NULL);
    test_solved(p, r, exact);
    CU_ASSERT(r->work.rounds >= 1.0 && r->work.rounds <= 5.0);
    CU_ASSERT(test_ran(r, "prox: eps"));
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], 1.0, 1e-9); /* eps^2 after two passes */
    }
    perp_result_free(r);
    perp_problem_free(p);
}

/* B B^T of rank r < n with w built so that a solution exists; every third pair
 * degenerate. A fifth of the rows FREE, a fifth boxed when `mixed`. */
static perp_problem *semidefinite(size_t n, size_t rank, bool mixed, uint64_t seed)
{
    perp_random g = {seed};
    double *B = perp_reals_new(n * rank);
    double *rows = perp_reals_new(n * n);
    double *z = perp_reals_new(n);
    double *b = perp_reals_new(n);
    perp_set *set = NULL;
    perp_problem *p = NULL;

    CU_ASSERT_FATAL(B && rows && z && b);
    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, n, NULL), PERP_OK);
    for (size_t k = 0; k < n * rank; k++) {
        B[k] = (double)perp_random_integer(&g, -3, 3);
    }
    for (size_t i = 0; i < n; i++) {
        double w = i % 2 ? (double)perp_random_integer(&g, 0, 3) : 0.0;

        z[i] = i % 2 ? 0.0 : (double)perp_random_integer(&g, 0, 2);
        if (mixed && i % 5 == 0) {
            perp_set_add_free(set);
            w = 0.0;
        } else if (mixed && i % 5 == 1) {
            perp_set_add_box(set, 0.0, 2.0);
        } else {
            perp_set_add_nonneg(set);
        }
        b[i] = w;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < rank; k++) {
                rows[i * n + j] += B[i * rank + k] * B[j * rank + k];
            }
            b[i] -= rows[i * n + j] * z[j];
        }
    }
    p = test_lcp(n, rows, b);
    test_give_set(p, set);
    free(B);
    free(rows);
    free(z);
    free(b);
    return p;
}

TEST(solves_semidefinite_problems)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t n = 4 + (size_t)(seed % 17);
        perp_problem *p = semidefinite(n, 1 + n / 3, seed % 2 == 0, seed);
        perp_result *r = test_solve(p, "prox:dantzig", NULL);

        if (!test_solved(p, r, exact)) {
            test_note("seed %d", (int)seed);
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Rank 6 of 16 rows: the block of every principal pivoting method is singular sooner or
 * later, that of the passes never. */
TEST(any_inner_solver_solves_semidefinite_goldens)
{
    static const char *const names[] = {"prox:dantzig", "prox:lemke", "prox:keller",
                                        "prox:bpp",     "prox:murty", "prox:bard",
                                        "prox:minmap",  "prox:pgs",   "prox:psor"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_problem *p = test_golden_problem("psd_int_rank6_6");
        perp_result *r = test_solve(p, names[k], "max-iterations=100000", NULL);

        if (!test_solved(p, r, 1e-8)) { /* what is asked of the slowest */
            test_note("%s", names[k]);
        }
        CU_ASSERT(r->work.rounds >= 1.0 && r->work.rounds <= 50.0); /* most passes */
        CU_ASSERT(test_ran(r, "passes, eps ="));
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Unsymmetric and semidefinite, with a feasible point and without. */
TEST(inner_solvers_that_take_it_solve_quadratic_programs)
{
    static const char *const names[] = {"prox:lemke", "prox:keller", "prox:bpp",
                                        "prox:minmap"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_problem *p = test_golden_problem("qp_kkt_40");
        perp_problem *q = test_golden_problem("qp_kkt_infeasible_41");
        perp_result *r = test_solve(p, names[k], NULL);

        if (!test_solved(p, r, exact)) {
            test_note("%s", names[k]);
        }
        perp_result_free(r);
        r = test_solve(q, names[k], NULL);
        test_infeasible(q, r);
        perp_result_free(r);
        perp_problem_free(p);
        perp_problem_free(q);
    }
}

/* Row 1 of w is -1 + z1 - z2, row 2 is -1 - z1 + z2: their sum is -2 for ever. */
TEST(proves_infeasibility_by_the_increment)
{
    const double A[] = {1, -1, -1, 1};
    const double b[] = {-1, -1};
    perp_problem *p = test_lcp(2, A, b);
    perp_result *r = test_solve(p, "prox", NULL);

    test_infeasible(p, r);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Rounding made A indefinite, -1e-5: more than eps, less than what eps may be raised to.
 * Both rows FREE, so both are factored. */
TEST(raises_eps_where_it_is_not_enough)
{
    const double A[] = {1, 1 + 1e-5, 1 + 1e-5, 1};
    const double b[] = {-1, -1};
    perp_problem *p = test_lcp(2, A, b);
    perp_set *set = NULL;
    perp_result *r = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new_uniform(&set, PERP_SET_FREE, 2, NULL), PERP_OK);
    test_give_set(p, set);
    r = test_solve(p, "prox", "crash=off", NULL);
    test_solved(p, r, exact);
    CU_ASSERT(test_ran(r, "eps raised"));
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(a_matrix_beyond_help_is_refused)
{
    const double A[] = {1, 3, 3, 1}; /* eigenvalues 4 and -2; z = (1/4, 1/4) */
    const double b[] = {-1, -1};
    const double start[] = {0.2, 0.2};
    perp_problem *p = test_lcp(2, A, b);
    perp_result *r = test_solve_from(p, start, "prox", NULL);

    CU_ASSERT(r->outcome != PERP_INFEASIBLE && r->outcome != PERP_UNBOUNDED);
    CU_ASSERT_NOT_EQUAL(r->reason[0], '\0');
    CU_ASSERT(isfinite(r->z[0]) && isfinite(r->z[1]));
    perp_result_free(r);
    perp_problem_free(p);
}

/* A = diag(1, 1e-8), both active: at eps = 1e-6 a pass gains one part in 100 in row 2. */
TEST(lowers_eps_where_passes_are_slow)
{
    const double A[] = {1, 0, 0, 1e-8};
    const double b[] = {-1, -1e-4};
    perp_problem *p = test_lcp(2, A, b);
    perp_result *r = test_solve(p, "prox", "scale=off", NULL);

    test_solved(p, r, exact);
    CU_ASSERT(test_ran(r, "eps lowered"));
    CU_ASSERT_DOUBLE_EQUAL(r->z[1], 1e4, 1e-6);
    perp_result_free(r);
    perp_problem_free(p);
}

/* A definite problem needs no wrapper, and gets the same answer inside one; and from a
 * start next to the answer. */
TEST(agrees_with_the_inner_solver_on_a_definite_problem)
{
    perp_random g = {5};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_result *r = NULL;
    perp_result *alone = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new_uniform(&set, PERP_SET_NONNEG, 30, NULL), PERP_OK);
    p = test_problem(test_spd(30, 4), set, PERP_LAW_COULOMB, &g);
    alone = test_solve(p, "dantzig", NULL);
    r = test_solve(p, "prox:dantzig", "epsilon=0.01", NULL);
    test_solved(p, r, exact);
    for (int i = 0; i < 30; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], alone->z[i], 1e-12);
        r->z[i] += r->z[i] > 0.0 ? 1e-6 : 0.0;
    }
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("prox"), p, NULL, r, NULL), PERP_OK);
    test_solved(p, r, exact);
    CU_ASSERT_EQUAL(r->work.pivots, 0.0);
    perp_result_free(alone);
    perp_result_free(r);
    perp_problem_free(p);
}

/* An inner solver that never ends by itself is judged on the shifted problem. */
TEST(wraps_a_splitting_method)
{
    const double A[] = {2, 1, 1, 2};
    const double b[] = {-1, 1};
    perp_problem *p = test_lcp(2, A, b);
    perp_result *r = test_solve(p, "prox:pgs", NULL);

    test_solved(p, r, 1e-8); /* the default tolerance */
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(the_number_of_passes_is_a_limit)
{
    const double A[] = {1, 0, 0, 1e-8};
    const double b[] = {-1, -1e-4};
    perp_problem *p = test_lcp(2, A, b);
    perp_result *r = test_solve(p, "prox", "scale=off", "passes=2", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "2 proximal passes"));
    perp_result_free(r);
    perp_problem_free(p);
}

TEST_MAIN("prox")
