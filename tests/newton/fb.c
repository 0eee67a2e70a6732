/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/fb.c: semismooth Newton on the Fischer-Burmeister equation. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

/* A = [2 1; 1 2], b = (-1, 1). Row 1 active, row 2 not: z = (1/2, 0). */
TEST(solves_a_problem_worked_by_hand)
{
    const double M[] = {2, 1, 1, 2};
    perp_problem *p = test_lcp(2, M, (double[]){-1, 1});
    perp_result *r = test_solve(p, "fb", "tolerance=1e-13", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.5, 1e-13); /* 1/2 of the residual */
    CU_ASSERT_DOUBLE_EQUAL(r->z[1], 0.0, 1e-13);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Every square instance, with the steps another code took. Half as many for the last
 * steps of the min-map; twice as many at most. */
TEST(takes_the_known_numbers_of_steps_on_real_instances)
{
    const struct {
        const char *path;
        size_t steps;
    } known[] = {
        {"siconos-lcp/lcp_CPS_1.dat", 6},
        {"siconos-lcp/lcp_CPS_2.dat", 9},
        {"siconos-lcp/lcp_CPS_4.dat", 9},
        {"siconos-lcp/lcp_Pang_isolated_sol.dat", 6},
        {"siconos-lcp/lcp_deudeu.dat", 6},
        {"siconos-lcp/lcp_deudeu_block.dat", 6},
        {"siconos-lcp/lcp_exp_murty.dat", 8},
        {"siconos-lcp/lcp_mmc.dat", 14},
        {"siconos-lcp/lcp_ortiz.dat", 6},
        {"siconos-lcp/lcp_ortiz_block.dat", 6},
        {"siconos-lcp/lcp_trivial_block.dat", 6},
        {"siconos-relay/relay1.dat", 13},
        {"siconos-relay/relay_simple2.dat", 5},
        {"siconos-relay/step_2x2.dat", 4},
        {"siconos-mlcp/BuckFirstStep_mlcp.dat", 13},
        {"siconos-mlcp/PD_mlcp.dat", 6},
        {"siconos-mlcp/RCD_mlcp.dat", 6},
        {"siconos-mlcp/RLCD_mlcp.dat", 6},
        {"siconos-mlcp/deltasigma_mlcp.dat", 150},
        {"siconos-mlcp/diodeBridge20_mlcp.dat", 6},
        {"siconos-mlcp/m3n2_mlcp.dat", 7},
        {"siconos-mlcp/relay2_mlcp.dat", 9},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        perp_problem *p = test_dataset(known[i].path);
        perp_result *r = test_solve(p, "fb", NULL);

        if (!test_solved(p, r, asked) || r->iterations > 2 * known[i].steps) {
            test_note("%s: %zu steps, expected %zu", known[i].path, r->iterations,
                      known[i].steps);
            CU_FAIL("not solved in time");
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Steps on the catalogue: 6 to 14 on most, 29 where A is singular. Lemke's ray is none
 * for a method that may start again. */
TEST(solves_the_golden_problems)
{
    const char *const ids[] = {"ahn_16",
                               "american_put_step1_40",
                               "boxed_int_0",
                               "boxed_int_1",
                               "boxed_int_2",
                               "boxed_int_3",
                               "copositive_plus_2",
                               "csizmadia_8",
                               "csizmadia_alt_8",
                               "fathi_8",
                               "geiger_kanzow_16",
                               "harker_pang_easy_8",
                               "harker_pang_hard_7",
                               "hilbert_6",
                               "journal_bearing_32",
                               "kostreva_3",
                               "lemke_ray_but_solvable",
                               "murty_lower_8",
                               "murty_upper_8",
                               "obstacle1d_31",
                               "psd_int_rank6_6",
                               "qp_kkt_40",
                               "skew2_pgs_diverges",
                               "skew_rotation_2",
                               "spd_degenerate_9",
                               "spd_int_5",
                               "st_pyramid_rand8",
                               "three_solutions_2"};

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        perp_problem *p = test_golden_problem(ids[i]);
        perp_result *r = test_solve(p, "fb", NULL);

        if (!test_solved(p, r, asked)) {
            test_note("%s: %zu steps", ids[i], r->iterations);
        }
        CU_ASSERT(r->iterations <= 30 || strstr(ids[i], "lemke_ray"));
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Rows of all kinds, symmetric (Cholesky) and not (LU), in every storage. */
TEST(solves_rows_of_all_kinds_in_every_storage)
{
    enum { ROWS = 24 };

    for (int turn = 0; turn < 6; turn++) {
        perp_set *set = NULL;
        perp_random g = {(uint64_t)turn};
        perp_operator *A = test_spd(ROWS, 31 + (uint64_t)turn);
        perp_problem *p = NULL;
        perp_result *r = NULL;

        CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, ROWS, NULL), PERP_OK);
        for (int i = 0; i < ROWS; i += 4) {
            perp_set_add_free(set);
            perp_set_add_nonneg(set);
            perp_set_add_box(set, -0.1, 0.2);
            perp_set_add_box(set, i % 8 ? -INFINITY : 0.1, i % 8 ? -0.1 : 0.1);
        }
        for (size_t i = 0; turn % 2 && i + 1 < ROWS; i++) { /* a skew part */
            A->x[i + (i + 1) * A->ld] += 0.3;
            A->x[i + 1 + i * A->ld] -= 0.3;
        }
        p = test_problem(A, set, PERP_LAW_COULOMB, &g);
        test_store(p, turn < 2 ? PERP_STORAGE_DENSE : PERP_STORAGE_CSR, 1);
        r = test_solve(p, "fb", "tolerance=1e-12", NULL);
        test_solved(p, r, 1e-12);
        perp_result_free(r);
        r = test_solve(p, "fb", "tolerance=1e-12", "lambda=1", NULL);
        test_solved(p, r, 1e-12);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(agrees_with_lemke)
{
    perp_problem *p = test_golden_problem("harker_pang_easy_8");
    perp_result *r = test_solve(p, "fb", "tolerance=1e-12", NULL);
    perp_result *x = test_solve(p, "lemke", NULL);

    /* positive definite: one solution; 1e-12 times the condition */
    CU_ASSERT(test_distance(p->n, r->z, x->z) <= 1e-9 * (1.0 + test_largest(p->n, x->z)));
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
}

TEST(what_has_no_solution_is_proven_so)
{
    const char *const ids[] = {"infeasible_zero", "qp_kkt_infeasible_41"};

    for (size_t i = 0; i < 2; i++) {
        perp_problem *p = test_golden_problem(ids[i]);
        perp_result *r = test_solve(p, "fb", NULL);

        test_infeasible(p, r);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Feasible, and yet no point is complementary: no certificate exists, the end is a
 * sentence. */
TEST(what_cannot_be_proven_ends_with_a_sentence)
{
    perp_problem *p = test_golden_problem("feasible_unsolvable");
    perp_result *r = test_solve(p, "fb", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "starts"));
    CU_ASSERT(test_ran(r, "start 6"));
    CU_ASSERT_NOT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(restarts_are_the_same_every_time)
{
    perp_problem *p = test_golden_problem("lemke_ray_but_solvable");
    perp_result *r = test_solve(p, "fb", NULL);
    perp_result *x = test_solve(p, "fb", NULL);

    CU_ASSERT(test_ran(r, "start 2"));
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
}

TEST(a_start_near_the_solution_saves_steps)
{
    perp_problem *p = test_golden_problem("csizmadia_8");
    perp_result *cold = test_solve(p, "fb", NULL);
    perp_result *near = test_solve_from(p, cold->z, "fb", NULL);

    CU_ASSERT_EQUAL(near->iterations, 0);
    perp_result_free(near);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-3;
    }
    near = test_solve_from(p, cold->z, "fb", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(2 * near->iterations <= cold->iterations);
    perp_result_free(near);
    perp_result_free(cold);
    perp_problem_free(p);
}

/* The last steps square the residual, without the min-map to help: a tolerance it does
 * not reach keeps the history going. */
TEST(converges_quickly_at_the_end)
{
    perp_problem *p = test_golden_problem("spd_int_5");
    perp_result *r = test_solve(p, "fb", "history=on", "tolerance=1e-13", NULL);
    size_t last = r->history_count;

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_FATAL(last >= 3);
    CU_ASSERT(r->history[last - 1].residual <=
              100.0 * r->history[last - 2].residual * r->history[last - 2].residual +
                  1e-13);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(no_rows_is_no_problem)
{
    perp_problem *p = test_lcp(0, NULL, NULL);
    perp_result *r = test_solve(p, "fb", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST_MAIN("fb")
