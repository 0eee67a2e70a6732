/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/enumerate.c: how many solutions, which of them, and what is refused. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "families.h"
#include "instances.h"

static const double exact = 1e-12; /* a fresh LU of at most 16 rows */

/* How many basic solutions what ran tells. */
static void check_count(const perp_problem *p, const char *name, int expected)
{
    char words[64];
    perp_result *r = test_solve(p, "enumerate", NULL);

    snprintf(words, sizeof words, " %d basic solutions", expected);
    if (!test_solved(p, r, exact) || !test_ran(r, words)) {
        test_note("%s", name);
        CU_FAIL("another number of solutions");
    }
    perp_result_free(r);
}

/* A = -I, b = 1: each row has z = 0, w = 1 or z = 1, w = 0. */
TEST(two_to_the_n_solutions_of_minus_the_identity)
{
    double A[64] = {0};
    double b[8];
    perp_problem *p = NULL;
    perp_result *r = NULL;

    for (int i = 0; i < 8; i++) {
        A[9 * i] = -1.0;
        b[i] = 1.0;
    }
    p = test_lcp(8, A, b);
    /* z = 0 is a solution and so the judge stops there; from elsewhere all are
     * counted. */
    r = test_solve_from(p, (double[]){2, 0, 0, 0, 0.4, 0.6, 0, 0}, "enumerate", NULL);
    test_solved(p, r, exact);
    CU_ASSERT(test_ran(r, "256 active sets, 256 basic solutions"));
    for (int i = 0; i < 8; i++) { /* the nearest to the start */
        CU_ASSERT_EQUAL(r->z[i], i == 0 || i == 5 ? 1.0 : 0.0);
    }
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(golden_instances_have_their_number_of_solutions)
{
    static const struct {
        const char *name;
        int count;
    } known[] = {{"three_solutions_2", 3}, {"copositive_plus_2", 3}, {"kostreva_3", 1},
                 {"skew_rotation_2", 1},   {"fathi_8", 1},           {"boxed_int_3", 1},
                 {"harker_pang_hard_7", 1}};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        perp_problem *p = test_golden_problem(known[k].name);

        check_count(p, known[k].name, known[k].count);
        perp_problem_free(p);
    }
}

TEST(instances_of_the_datasets_have_one_solution)
{
    static const char *const names[] = {
        "siconos-lcp/lcp_CPS_2.dat",     "siconos-lcp/lcp_CPS_4.dat",
        "siconos-lcp/lcp_deudeu.dat",    "siconos-lcp/lcp_Pang_isolated_sol.dat",
        "siconos-lcp/lcp_exp_murty.dat", "siconos-lcp/lcp_ortiz.dat",
        "siconos-mlcp/PD_mlcp.dat",      "siconos-mlcp/RCD_mlcp.dat",
        "siconos-mlcp/RLCD_mlcp.dat",    "siconos-mlcp/m3n2_mlcp.dat",
        "siconos-mlcp/relay2_mlcp.dat",  "siconos-relay/relay_simple2.dat",
        "siconos-relay/step_2x2.dat"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_problem *p = test_dataset(names[k]);

        check_count(p, names[k], 1);
        perp_problem_free(p);
    }
}

/* z1 + z2 = 1: the ends are basic, the middle is nearest to 0. */
TEST(a_segment_is_told_and_its_point_of_least_norm_returned)
{
    perp_problem *p = test_dataset("siconos-lcp/lcp_CPS_1.dat");
    perp_result *r = test_solve(p, "enumerate", NULL);

    test_solved(p, r, exact);
    CU_ASSERT(test_ran(r, "2 basic solutions, 1 singular blocks of which 1 hold"));
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.5, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(r->z[1], 0.5, 1e-14);
    perp_result_free(r);
    perp_problem_free(p);
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
        perp_result_free(r);
        perp_result_free(lemke);
        perp_problem_free(p);
    }
}

TEST(none_is_proven_where_the_constraints_contradict_each_other)
{
    static const char *const names[] = {"infeasible_zero", "qp_kkt_infeasible_41"};

    for (int k = 0; k < 2; k++) {
        perp_problem *p = test_golden_problem(names[k]);
        perp_result *r = test_solve(p, "enumerate", NULL);

        test_infeasible(p, r);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* There are feasible points, so no certificate: only all sets tell. */
TEST(none_is_told_where_feasible_points_exist)
{
    perp_problem *p = test_golden_problem("feasible_unsolvable");
    perp_result *r = test_solve(p, "enumerate", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT(strstr(r->reason, "none of 4 active sets gives a solution") != NULL);
    perp_result_free(r);
    perp_problem_free(p);
}

static void refused(const char *call, const char *words)
{
    perp_problem *p = NULL;
    perp_result *r = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL_FATAL(perp_family_make(call, &p, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, p->n, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find("enumerate"), p, NULL, r, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT(strstr(err.text, words) != NULL);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(what_has_too_many_sets_is_refused)
{
    refused("integer-spd:n=21", "at most 20 rows, found 21");
    refused("boxed:n=18", "at most 2^20 active sets; these 18 rows have more");
}

TEST(too_little_memory_is_refused)
{
    perp_problem *p = test_golden_problem("kostreva_3");
    const perp_solver_type *type = perp_solver_find("enumerate");
    perp_options opt;

    perp_options_init(&opt, type, NULL);
    CU_ASSERT(test_memory_needed(p, type, &opt, "enumerate") > 0);
    perp_problem_free(p);
}

TEST_MAIN("enumerate")
