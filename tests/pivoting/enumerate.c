/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/enumerate.c: which of several solutions is returned. */
#include <config.h>

#include <stdio.h>

#include "answers.h"
#include "families.h"

static const double exact = 1e-12; /* a fresh LU of at most 16 rows */

/* A = -I, b = 1: each row has z = 0, w = 1 or z = 1, w = 0; the last row has z = 1. */
TEST(two_to_the_n_solutions_of_minus_the_identity)
{
    double A[81] = {0};
    double b[9];
    perp_problem *p = NULL;
    perp_result *r = NULL;

    for (int i = 0; i < 9; i++) {
        A[10 * i] = i < 8 ? -1.0 : 1.0;
        b[i] = -A[10 * i];
    }
    p = test_lcp(9, A, b);
    r = test_solve_from(p, (double[]){2, 0, 0, 0, 0.4, 0.6, 0, 0, 0}, "enumerate", NULL);
    test_solved(p, r, exact);
    CU_ASSERT(test_ran(r, "512 active sets, 256 basic solutions"));
    for (int i = 0; i < 8; i++) { /* the nearest to the start */
        CU_ASSERT_EQUAL(r->z[i], i == 0 || i == 5 ? 1.0 : 0.0);
    }
}

TEST(a_solution_of_all_other_pivoting_methods_is_among_them)
{
    for (int seed = 1; seed <= 6; seed++) {
        char call[64];
        perp_problem *p = NULL;
        perp_result *r = NULL;
        perp_result *lemke = NULL;

        snprintf(call, sizeof call, "integer-spd:n=12,seed=%d", seed);
        CU_ASSERT_EQUAL_FATAL(perp_family_make(call, &p, NULL), PERP_OK);
        r = test_solve(p, "enumerate", NULL);
        lemke = test_solve(p, "lemke", NULL);
        test_solved(p, r, exact);
        CU_ASSERT(test_distance(p->n, r->z, lemke->z) <=
                  1e-10); /* unique, condition 1e4 */
        perp_problem_free(p);
    }
}

TEST_MAIN("enumerate")
