/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/keller.c: symmetric principal pivoting against Lemke's method, warm. */
#include <config.h>

#include <stdio.h>

#include "answers.h"
#include "families.h"

/* The dictionary is built anew before the end: RES is rounding, some 100 eps here. */
static const double exact = 1e-12;

static perp_problem *made(const char *format, int seed)
{
    char call[128];
    perp_problem *p = NULL;

    snprintf(call, sizeof call, format, seed);
    OK(perp_family_make(call, &p, NULL));
    return test_keep(p, test_free_problem);
}

/* Semidefinite of low rank, degenerate, and quadratic programs with and without a
 * feasible point: the verdicts of the two methods agree, and each «no» proves itself. */
TEST(agrees_with_lemke)
{
    static const char *const calls[] = {
        "integer-psd:n=14,rank=5,seed=%d",
        "degenerate:n=15,seed=%d",
        "qp-kkt:variables=6,constraints=7,seed=%d",
        "qp-kkt-infeasible:variables=6,constraints=7,seed=%d",
        "normal-contacts:n=40,rank=0.4,seed=%d",
    };

    for (int k = 0; k < 5; k++) {
        for (int seed = 1; seed <= 25; seed++) {
            perp_problem *p = made(calls[k], seed);
            perp_result *r = test_solve(p, "keller", NULL);
            perp_result *lemke = test_solve(p, "lemke", NULL);

            CU_ASSERT_EQUAL(r->outcome, lemke->outcome);
            if (lemke->outcome == PERP_INFEASIBLE) {
                test_infeasible(p, r);
            } else if (!test_solved(p, r, exact)) {
                test_note("family %d, seed %d", k, seed);
            }
        }
    }
}

TEST(a_start_near_the_solution_needs_no_pivot)
{
    perp_problem *p = made("degenerate:n=40,seed=%d", 3);
    perp_result *cold = test_solve(p, "keller", NULL);
    double z[40];

    test_solved(p, cold, exact);
    CU_ASSERT(cold->work.pivots >= 5.0);
    perp_result *warm = test_solve_from(p, cold->z, "keller", NULL);
    CU_ASSERT_EQUAL(warm->iterations, 0);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = 1.01 * cold->z[i];
    }
    warm = test_solve_from(p, z, "keller", NULL);
    test_solved(p, warm, exact);
    CU_ASSERT_EQUAL(warm->work.pivots, 0.0);
    CU_ASSERT_EQUAL(warm->iterations, 1);
    CU_ASSERT(test_ran(warm, "from the active set of the start"));
}

/* The support of the start is a singular block: what has a pivot is taken, the rest
 * waits. */
TEST(a_singular_start_does_no_harm)
{
    perp_problem *p =
        test_lcp(3, (double[]){1, 1, 0, 1, 1, 0, 0, 0, 2}, (double[]){-1, -1, -1});
    perp_result *r = test_solve_from(p, (double[]){3, 3, 3}, "keller", NULL);

    test_solved(p, r, exact);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0] + r->z[1], 1.0, 1e-15);
}

TEST(too_little_memory_is_refused)
{
    perp_problem *p = made("integer-spd:n=30,seed=%d", 1);
    const perp_solver_type *type = perp_solver_find("keller");
    perp_options opt;

    perp_options_init(&opt, type, NULL, NULL);
    CU_ASSERT(test_memory_needed(p, type, &opt, "keller") >= 30 * 30 * sizeof(double));
}
