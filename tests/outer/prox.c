/* SPDX-License-Identifier: Apache-2.0
 * tests/outer/prox.c: singular matrices made definite, pass by pass. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "answers.h"

/* The last passes contract by eps over the smallest curvature: what is left is
 * rounding. */
static const double exact = 1e-12;

/* B B^T of rank r < n with w built so that a solution exists; every third pair
 * degenerate. A fifth of the rows FREE, a fifth boxed when `mixed`. */
static perp_problem *semidefinite(size_t n, size_t rank, bool mixed, uint64_t seed)
{
    perp_random g = {seed};
    double *B = test_reals(n * rank);
    double *rows = test_reals(n * n);
    double *z = test_reals(n);
    double *b = test_reals(n);

    perp_set *set = test_new_set(n);
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
    perp_problem *p = test_lcp(n, rows, b);
    test_give_set(p, set);
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
    }
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
}

/* A definite problem needs no wrapper, and gets the same answer inside one; and from a
 * start next to the answer. */
TEST(agrees_with_the_inner_solver_on_a_definite_problem)
{
    perp_random g = {5};
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, 30);
    perp_problem *p = test_problem(test_spd(30, 4), set, PERP_LAW_COULOMB, &g);
    perp_result *alone = test_solve(p, "dantzig", NULL);
    perp_result *r = test_solve(p, "prox:dantzig", "epsilon=0.01", NULL);

    test_solved(p, r, exact);
    for (int i = 0; i < 30; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], alone->z[i], 1e-12);
        r->z[i] += r->z[i] > 0.0 ? 1e-6 : 0.0;
    }
    OK(perp_solve(perp_solver_find("prox"), p, NULL, r, NULL));
    test_solved(p, r, exact);
    CU_ASSERT_EQUAL(r->work.pivots, 0.0);
}
