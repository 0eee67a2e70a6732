/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/keller.c: symmetric principal pivoting by hand, on golden instances,
 * against Lemke's method, warm, refused. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "families.h"
#include "instances.h"

/* The dictionary is built anew before the end: RES is rounding, some 100 eps here. */
static const double exact = 1e-12;

static perp_problem *made(const char *format, int seed)
{
    char call[128];
    perp_problem *p = NULL;

    snprintf(call, sizeof call, format, seed);
    CU_ASSERT_EQUAL_FATAL(perp_family_make(call, &p, NULL), PERP_OK);
    return p;
}

/* A = [2 1; 1 2], b = (-1, 1): one pivot on the first pair, z = (1/2, 0), w = (0,
 * 3/2). */
TEST(solves_a_problem_worked_by_hand)
{
    perp_problem *p = test_lcp(2, (double[]){2, 1, 1, 2}, (double[]){-1, 1});
    perp_result *r = test_solve(p, "keller", NULL);

    test_solved(p, r, exact);
    CU_ASSERT_EQUAL(r->work.pivots, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.5, 1e-15); /* one division */
    CU_ASSERT_EQUAL(r->z[1], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(r->w[1], 1.5, 1e-15);
    perp_result_free(r);
    perp_problem_free(p);
}

/* A = [0 -1; 1 0], b = (1, -2): no diagonal to pivot on. w = (1 - z2, z1 - 2): z = (2,
 * 1). */
TEST(a_zero_diagonal_takes_a_pivot_of_two_pairs)
{
    perp_problem *p = test_lcp(2, (double[]){0, -1, 1, 0}, (double[]){1, -2});
    perp_result *r = test_solve(p, "keller", NULL);

    test_solved(p, r, exact);
    CU_ASSERT_EQUAL(r->work.pivots, 2.0);
    CU_ASSERT_EQUAL(r->z[0], 2.0);
    CU_ASSERT_EQUAL(r->z[1], 1.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Rows enter by the least index: 2^n - 1 pivots on the upper triangle of 2s. */
TEST(the_worst_case_has_its_published_length)
{
    for (int n = 4; n <= 8; n += 4) {
        perp_problem *p = made("murty-upper:n=%d", n);
        perp_result *r = test_solve(p, "keller", "scale=off", NULL);

        test_solved(p, r, exact);
        CU_ASSERT_EQUAL(r->work.pivots, (double)((1 << n) - 1));
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(solves_the_circuits_and_lcps_of_the_datasets)
{
    static const char *const names[] = {
        "siconos-lcp/lcp_CPS_1.dat",       "siconos-lcp/lcp_CPS_2.dat",
        "siconos-lcp/lcp_CPS_4.dat",       "siconos-lcp/lcp_Pang_isolated_sol.dat",
        "siconos-lcp/lcp_exp_murty.dat",   "siconos-lcp/lcp_mmc.dat",
        "siconos-lcp/lcp_ortiz_block.dat", "siconos-mlcp/BuckFirstStep_mlcp.dat",
        "siconos-mlcp/PD_mlcp.dat",        "siconos-mlcp/RLCD_mlcp.dat",
        "siconos-mlcp/m3n2_mlcp.dat",      "siconos-mlcp/diodeBridge20_mlcp.dat",
        "siconos-relay/step_2x2.dat"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_problem *p = test_dataset(names[k]);
        perp_result *r = test_solve(p, "keller", NULL);

        if (!test_solved(p, r, 1e-10)) { /* entries span seven decades */
            test_note("%s", names[k]);
        }
        CU_ASSERT(r->work.pivots <= 63.0); /* exp_murty; the others far fewer */
        perp_result_free(r);
        perp_problem_free(p);
    }
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
            perp_result_free(r);
            perp_result_free(lemke);
            perp_problem_free(p);
        }
    }
}

/* Hundreds of pivots on a matrix of rank n/2: the dictionary is watched and built
 * anew. */
TEST(stays_accurate_over_hundreds_of_pivots)
{
    perp_problem *p = made("normal-contacts:n=300,seed=%d", 2);
    perp_result *r = test_solve(p, "keller", NULL);

    test_solved(p, r, 1e-10); /* condition 1e4 of the active block */
    CU_ASSERT(r->work.pivots > 100.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* M = [0 0; 0 0], b = (-1, 1): y = (1, 0). */
TEST(proves_infeasibility)
{
    perp_problem *p = test_lcp(2, (double[]){0, 0, 0, 0}, (double[]){-1, 1});
    perp_result *r = test_solve(p, "keller", NULL);

    test_infeasible(p, r);
    CU_ASSERT_EQUAL(r->certificate.y[1], 0.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Feasible, no complementary point, not row sufficient: the direction has x.Mx <= 0. */
TEST(outside_its_class_it_says_so_and_proves_it)
{
    perp_problem *p = test_golden_problem("feasible_unsolvable");
    perp_result *r = test_solve(p, "keller", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_SINGULAR);
    CU_ASSERT(perp_certificate_check(&r->certificate, p, NULL, 0));
    CU_ASSERT(strstr(r->reason, "not row sufficient") != NULL);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(a_start_near_the_solution_needs_no_pivot)
{
    perp_problem *p = made("degenerate:n=40,seed=%d", 3);
    perp_result *cold = test_solve(p, "keller", NULL);
    perp_result *warm = NULL;
    double z[40];

    test_solved(p, cold, exact);
    CU_ASSERT(cold->work.pivots >= 5.0);
    warm = test_solve_from(p, cold->z, "keller", NULL);
    CU_ASSERT_EQUAL(warm->iterations, 0);
    perp_result_free(warm);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = 1.01 * cold->z[i];
    }
    warm = test_solve_from(p, z, "keller", NULL);
    test_solved(p, warm, exact);
    CU_ASSERT_EQUAL(warm->work.pivots, 0.0);
    CU_ASSERT_EQUAL(warm->iterations, 1);
    CU_ASSERT(test_ran(warm, "from the active set of the start"));
    perp_result_free(warm);
    perp_result_free(cold);
    perp_problem_free(p);
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
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(a_limit_of_pivots_is_told)
{
    perp_problem *p = made("murty-upper:n=%d", 8);
    perp_result *r = test_solve(p, "keller", "max-pivots=20", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT(strstr(r->reason, "no end after 21 pivots") != NULL);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(too_little_memory_is_refused)
{
    perp_problem *p = made("integer-spd:n=30,seed=%d", 1);
    const perp_solver_type *type = perp_solver_find("keller");
    perp_options opt;

    perp_options_init(&opt, type, NULL);
    CU_ASSERT(test_memory_needed(p, type, &opt, "keller") >= 30 * 30 * sizeof(double));
    perp_problem_free(p);
}

TEST_MAIN("keller")
