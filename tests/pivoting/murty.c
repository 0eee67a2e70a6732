/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/murty.c: single exchanges by murty and bard: known pivot counts, cycles
 * and what guards against them. What all methods of this kind share is in
 * active_set.c. */
#include <config.h>

#include "answers.h"
#include "instances.h"

/* The answers are whole numbers and the pivots are 1: no rounding at all. */
static const double exact = 1e-14;

static const char *const methods[] = {"murty", "bard"};

static void solve_and_count(const perp_problem *p, const char *name, size_t pivots)
{
    perp_result *r = test_solve(p, name, "scale=off", NULL);

    test_solved(p, r, exact);
    CU_ASSERT_EQUAL(r->work.pivots, (double)pivots);
    CU_ASSERT_EQUAL(r->iterations, pivots + 1); /* each set has one iterate */
}

/* Upper triangle of 2s with b = -1: each of the 2^n sets is met once [murty-1978]. For
 * its transpose the first pivot is the only one. */
TEST(murtys_matrices_take_all_sets_or_one_pivot)
{
    for (size_t n = 1; n <= 10; n++) {
        double A[100];
        double b[10];

        for (int lower = 0; lower < 2; lower++) {

            for (size_t i = 0; i < n; i++) {
                b[i] = -1.0;
                for (size_t j = 0; j < n; j++) {
                    A[i * n + j] = i == j ? 1.0 : (j > i) != lower ? 2.0 : 0.0;
                }
            }
            perp_problem *p = test_lcp(n, A, b);
            for (int m = 0; m < 2; m++) {
                solve_and_count(p, methods[m], lower ? 1 : ((size_t)1 << n) - 1);
                test_store(p, PERP_STORAGE_CSR, 1);
            }
        }
    }
}

/* The six sets of that cycle are a certificate of the worst-row rule, and of no other. */
TEST(the_cycle_of_the_worst_row_follows_its_rule)
{
    static const unsigned char sets[] = {1, 0, 0, 1, 0, 1, 0, 0, 1,
                                         0, 1, 1, 0, 1, 0, 1, 1, 0};
    const double A[] = {1, 3, 0, 0, 1, 3, 3, 0, 1};
    const double b[] = {1, 1, 1};
    perp_problem *p = test_lcp(3, A, b);
    perp_result *r = test_new_result(3);

    for (int rule = PERP_RULE_MINMAP; rule <= PERP_RULE_BLOCK; rule++) {
        OK(perp_result_certify_cycle(r, (perp_rule)rule, 6, sets, NULL));
        CU_ASSERT_EQUAL(perp_certificate_check(&r->certificate, p, NULL, 0),
                        rule == PERP_RULE_MOST_NEGATIVE);
    }
}

/* [-1 1; -1 0] is no P-matrix: from z = 0 the first violated row leads to and fro. */
TEST(cycles_outside_the_class_are_proven)
{
    perp_problem *p = test_golden_problem("lemke_ray_but_solvable");

    for (int m = 0; m < 2; m++) {
        perp_result *r = test_solve(p, methods[m], "scale=off", NULL);
        char why[200] = "";

        CU_ASSERT_EQUAL(r->outcome, PERP_CYCLE);
        CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_CYCLE);
        CU_ASSERT_EQUAL(r->certificate.rule, PERP_RULE_LEAST_INDEX);
        CU_ASSERT_EQUAL(r->certificate.steps, 2);
        CU_ASSERT(perp_certificate_check(&r->certificate, p, why, sizeof why));
        test_note("%s: %s", r->reason, why);
    }
}

/* 60 rows, half of them active: about one exchange each, not two to the power of them;
 * the worst row first saves some. Single exchanges keep one factorisation, finished by a
 * second. */
TEST(definite_problems_take_about_one_exchange_a_row)
{
    perp_problem *p = test_boxed(60, 17);
    perp_result *first = test_solve(p, "murty", NULL);
    perp_result *worst = test_solve(p, "bard", NULL);

    test_solved(p, first, 1e-12);
    test_solved(p, worst, 1e-12);
    CU_ASSERT(first->work.pivots >= 10.0 && first->work.pivots <= 120.0);
    CU_ASSERT(worst->work.pivots <= first->work.pivots);
    CU_ASSERT(first->work.factorizations <= 3.0);
}
