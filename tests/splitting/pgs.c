/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/pgs.c: projected Gauss-Seidel on scalar rows. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

/* A = [2 1; 1 2], b = (-1, 1). Row 1 active, row 2 not: z = (1/2, 0), w = (0, 3/2). */
TEST(solves_a_problem_worked_by_hand)
{
    perp_problem *p = test_lcp(2, (double[]){2, 1, 1, 2}, (double[]){-1, 1});
    perp_result *r = test_solve(p, "pgs", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.5, 0.0); /* reached in the first sweep */
    CU_ASSERT_EQUAL(r->z[1], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(r->w[1], 1.5, 1e-15);
    perp_result_free(r);
    perp_problem_free(p);
}

/* M = I, q = (-1, -2, 0), row 2 and 3 bounded by half of row 1: z = (1, 1/2, 0). */
TEST(bounds_of_friction_rows_follow_the_normal)
{
    perp_problem *p =
        test_lcp(3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){-1, -2, 0});
    perp_set *set = NULL;
    perp_result *r = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 3, NULL), PERP_OK);
    perp_set_add_nonneg(set);
    perp_set_add_friction(set, 0.5, 0);
    perp_set_add_friction(set, 0.5, 0);
    test_give_set(p, set);
    r = test_solve(p, "pgs", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 1.0);
    CU_ASSERT_EQUAL(r->z[1], 0.5);
    CU_ASSERT_EQUAL(r->z[2], 0.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Rows: free, fixed at 2, at most 1, in [-1, 1]. A = tridiag(-1, 4, -1):
 * z_2 = 2; z_3 = 1 (4 - ... pushes up); z_1 = (8 + z_2)/4 = 2.5; z_4 = z_3/4 = 0.25. */
TEST(solves_all_scalar_rows_by_hand)
{
    perp_problem *p =
        test_lcp(4, (double[]){4, -1, 0, 0, -1, 4, -1, 0, 0, -1, 4, -1, 0, 0, -1, 4},
                 (double[]){-8, 5, -9, 0});
    const double z[] = {2.5, 2, 1, 0.25};
    perp_set *set = NULL;
    perp_result *r = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 4, NULL), PERP_OK);
    perp_set_add_free(set);
    perp_set_add_box(set, 2, 2);
    perp_set_add_box(set, -INFINITY, 1);
    perp_set_add_box(set, -1, 1);
    test_give_set(p, set);
    r = test_solve(p, "pgs", "tolerance=1e-12", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(test_distance(4, r->z, z) <= 1e-11); /* |A^-1| <= 1/2 */
    perp_result_free(r);
    perp_problem_free(p);
}

/* Instances of its class: symmetric positive definite or H, with boxes and friction
 * rows. */
static const char *const solvable[] = {"spd_int_5",
                                       "spd_degenerate_9",
                                       "geiger_kanzow_16",
                                       "ahn_16",
                                       "obstacle1d_31",
                                       "journal_bearing_32",
                                       "american_put_step1_40",
                                       "boxed_int_0",
                                       "boxed_int_1",
                                       "boxed_int_2",
                                       "boxed_int_3",
                                       "findex_0",
                                       "findex_1",
                                       "findex_2",
                                       "psd_int_rank6_6",
                                       "murty_lower_4",
                                       "csizmadia_8",
                                       "fathi_4",
                                       NULL};

TEST(solves_the_golden_problems_of_its_class)
{
    for (size_t i = 0; solvable[i]; i++) {
        perp_problem *p = test_golden_problem(solvable[i]);
        perp_result *r = test_solve(p, "pgs", NULL);

        test_solved(p, r, 1e-8); /* the default tolerance */
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Where the answer is unique: |z - z*| <= cond * RES * beta_b, cond <= 1e4 here. */
TEST(reaches_the_golden_answers)
{
    const char *const unique[] = {"spd_int_5",          "geiger_kanzow_16", "ahn_16",
                                  "journal_bearing_32", "boxed_int_0",      "boxed_int_1",
                                  "boxed_int_2",        "boxed_int_3",      NULL};

    for (size_t i = 0; unique[i]; i++) {
        perp_problem *p = test_golden_problem(unique[i]);
        perp_result *r = test_solve(p, "pgs", "tolerance=1e-13", NULL);
        double away = 0.0;

        CU_ASSERT_PTR_NOT_NULL_FATAL(p->solution);
        away = test_distance(p->n, r->z, p->solution->z);
        if (!(away <= 1e-9 * fmax(1.0, test_largest(p->n, p->solution->z)))) {
            test_note("%s: z is %.2e away", unique[i], away);
            CU_FAIL("far from the golden answer");
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Bounds that agree with the normals are the fixed point of the sweeps. */
TEST(friction_rows_end_where_the_outer_loop_ends)
{
    for (int i = 0; i < 3; i++) {
        char id[32];
        perp_problem *p = NULL;
        perp_result *r = NULL;

        snprintf(id, sizeof id, "findex_%d", i);
        p = test_golden_problem(id);
        r = test_solve(p, "pgs", "tolerance=1e-12", "max-iterations=1000000", "stall=0",
                       NULL);
        CU_ASSERT(r->residual <= 1e-8);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p->solution);
        CU_ASSERT(perp_residual(p, p->solution->z) <= 1e-8);
        /* W + 1e-8 I is nearly singular: w is unique, z is not to be compared */
        for (size_t k = 0; k < p->n; k++) {
            double w = p->b[k] + perp_operator_row_dot(p->A, k, p->solution->z);

            CU_ASSERT_DOUBLE_EQUAL(r->w[k], w, 1e-6);
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* (0, 1, 1), (0, 0, 1), (1, 0, 0), ...: no sweep ever ends this; and skew parts beyond
 * the diagonal drive the iterates apart. Neither is called solved. */
TEST(says_so_when_the_sweeps_circle)
{
    const char *const ids[] = {"kostreva_3", "skew2_pgs_diverges"};

    for (int i = 0; i < 2; i++) {
        perp_problem *p = test_golden_problem(ids[i]);
        perp_result *r = NULL;

        CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, p->n, NULL), PERP_OK);
        r->z[0] = 1.0;
        CU_ASSERT_EQUAL(perp_solve(&perp_solver_pgs, p, NULL, r, NULL), PERP_OK);
        CU_ASSERT(r->outcome == PERP_STALLED || r->outcome == PERP_ITERATION_LIMIT);
        CU_ASSERT(perp_residual(p, r->z) > 1e-3);
        CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
        CU_ASSERT(r->reason[0] != '\0');
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* The rate of two bodies under one another, M/(M + m) a sweep, is 0.9995 here: 36000
 * sweeps to 1e-8, each window of 2000 gaining a factor e. */
TEST(slow_is_not_stalled)
{
    double m = 1.0, M = 2000.0;
    double a = 1.0 / m, c = 1.0 / m + 1.0 / M;
    perp_problem *p = test_lcp(2, (double[]){a, -a, -a, c}, (double[]){-0.1, 0.05});
    perp_result *r = test_solve(p, "pgs", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->iterations > 10000);
    perp_result_free(r);
    r = test_solve(p, "pgs", "stall=20", NULL); /* gains 1 % in 20: stalled */
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(refuses_a_row_without_a_diagonal)
{
    perp_problem *p =
        test_golden_problem("skew_rotation_2"); /* w_1 = -1 < 0 and A_11 = 0 */
    perp_result *r = test_solve(p, "pgs", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
    CU_ASSERT_EQUAL(r->singular_row, 0);
    perp_result_free(r);
    perp_problem_free(p);

    p = test_lcp(2, (double[]){1, 0, 0, -1}, (double[]){-1, -1});
    r = test_solve(p, "pgs", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
    CU_ASSERT_EQUAL(r->singular_row, 1);
    CU_ASSERT_EQUAL(r->work.products, 0.0); /* no sweep was finished */
    perp_result_free(r);
    perp_problem_free(p);
}

/* A = [0 0; 0 1], b = (1, -1): row 1 holds w = 1 >= 0 at z = 0 and asks for nothing. */
TEST(passes_by_a_row_that_needs_no_step)
{
    perp_problem *p = test_lcp(2, (double[]){0, 0, 0, 1}, (double[]){1, -1});
    perp_result *r = test_solve(p, "pgs", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 0.0);
    CU_ASSERT_EQUAL(r->z[1], 1.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Sums are formed in another order: rounding only, 20 sweeps of a contraction. */
TEST(sweeps_alike_in_every_storage)
{
    const perp_storage storages[] = {PERP_STORAGE_CSR, PERP_STORAGE_BSR};
    perp_problem *p = test_golden_problem("findex_2");
    perp_result *r =
        test_solve(p, "pgs", "max-iterations=20", "tolerance=0", "stall=0", NULL);

    for (int i = 0; i < 2; i++) {
        perp_problem *other = test_stored(p, storages[i], 3);
        perp_result *x =
            test_solve(other, "pgs", "max-iterations=20", "tolerance=0", "stall=0", NULL);

        CU_ASSERT_EQUAL(x->iterations, r->iterations);
        CU_ASSERT(test_distance(p->n, x->z, r->z) <=
                  1e-13 * fmax(1.0, test_largest(p->n, r->z)));
        perp_result_free(x);
        perp_problem_free(other);
    }
    perp_result_free(r);
    perp_problem_free(p);
}

/* The same rows in the opposite order, swept backward: the same numbers in the opposite
 * order, up to the order of sums; forward the same answer. */
TEST(a_permuted_problem_has_the_permuted_answer)
{
    enum { N = 24 };
    perp_operator *A = test_spd(N, 5);
    double rows[N * N], q[N];
    perp_problem *p = NULL, *reversed = NULL;
    perp_result *r = NULL, *x = NULL;
    perp_random g = {3};

    for (int i = 0; i < N; i++) {
        q[i] = perp_random_uniform(&g, -1, 1);
        for (int j = 0; j < N; j++) {
            rows[i * N + j] = perp_operator_entry(A, (size_t)i, (size_t)j);
        }
    }
    p = test_lcp(N, rows, q);
    for (int i = 0; i < N * N / 2; i++) {
        double swap = rows[i];

        rows[i] = rows[N * N - 1 - i];
        rows[N * N - 1 - i] = swap;
    }
    for (int i = 0; i < N / 2; i++) {
        double swap = q[i];

        q[i] = q[N - 1 - i];
        q[N - 1 - i] = swap;
    }
    reversed = test_lcp(N, rows, q);
    r = test_solve(p, "pgs", "tolerance=1e-13", NULL);
    x = test_solve(reversed, "pgs", "tolerance=1e-13", NULL);
    for (int i = 0; i < N; i++) { /* eigenvalues >= 1 */
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], x->z[N - 1 - i], 1e-12);
    }
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
    perp_problem_free(reversed);
    perp_operator_free(A);
}

TEST(stops_at_once_at_a_solution)
{
    perp_problem *p = test_golden_problem("boxed_int_1");
    perp_result *r = test_solve(p, "pgs", "tolerance=1e-10", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(perp_solve(&perp_solver_pgs, p, NULL, r, NULL), PERP_OK);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, 0);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(an_empty_problem_is_solved)
{
    perp_problem *p = test_lcp(0, NULL, NULL);
    perp_result *r = test_solve(p, "pgs", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->residual, 0.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* The start may lie outside the bounds: one sweep brings it in. */
TEST(takes_any_start)
{
    perp_problem *p = test_golden_problem("boxed_int_0");
    perp_result *r = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, p->n, NULL), PERP_OK);
    for (size_t i = 0; i < p->n; i++) {
        r->z[i] = i % 2 ? 1e6 : -1e6;
    }
    CU_ASSERT_EQUAL(perp_solve(&perp_solver_pgs, p, NULL, r, NULL), PERP_OK);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(two_runs_give_the_same_bits)
{
    perp_problem *p = test_golden_problem("american_put_step1_40");
    perp_result *r = test_solve(p, "pgs", "relaxation=1.3", NULL);
    perp_result *x = test_solve(p, "pgs", "relaxation=1.3", NULL);

    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
}

/* b changed and the diagonal shifted under a run: what follows is what a new run does. */
TEST(resumes_as_if_set_up_again)
{
    perp_problem *p = test_golden_problem("spd_int_5");
    perp_workspace *ws = NULL;
    perp_result *r = NULL, *x = NULL;
    perp_options opt;
    perp_run run = {0}, fresh = {0};

    perp_options_init(&opt, &perp_solver_pgs, NULL);
    CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&ws, 0, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, p->n, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&x, p->n, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_run_start(&run, &perp_solver_pgs, p, &opt, ws, r, NULL),
                    PERP_OK);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(perp_run_step(&run, NULL), PERP_OK);
    }
    p->b[3] -= 7.0;
    perp_operator_add_diagonal(p->A, 0.5);
    memcpy(x->z, r->z, p->n * sizeof *r->z);
    CU_ASSERT_EQUAL(perp_run_resume(&run, 0.5, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_run_start(&fresh, &perp_solver_pgs, p, &opt, ws, x, NULL),
                    PERP_OK);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(perp_run_step(&run, NULL), PERP_OK);
        CU_ASSERT_EQUAL(perp_run_step(&fresh, NULL), PERP_OK);
    }
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    perp_run_end(&fresh);
    perp_run_end(&run);
    perp_workspace_free(ws);
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
}

/* pgs sweeps scalar rows of a stored matrix by its own loop, psor by the blocks of a sweep. */
TEST(the_loop_of_scalar_rows_repeats_the_sweep_of_blocks_bit_for_bit)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};

    for (uint64_t seed = 1; seed <= 5; seed++) {
        for (size_t k = 0; k < 3; k++) {
            perp_problem *p = test_boxed(24, seed);
            perp_result *loop = NULL;
            perp_result *blocks = NULL;

            test_store(p, storages[k], k == 2 ? 2 : 1);
            loop = test_solve(p, "pgs", "relaxation=1.2", "max-iterations=25", NULL);
            blocks = test_solve(p, "psor", "relaxation=1.2", "max-iterations=25", NULL);
            CU_ASSERT_EQUAL(memcmp(loop->z, blocks->z, p->n * sizeof *loop->z), 0);
            CU_ASSERT_EQUAL(loop->iterations, blocks->iterations);
            CU_ASSERT_EQUAL(loop->work.products, blocks->work.products);
            CU_ASSERT_EQUAL(loop->work.projections, blocks->work.projections);
            perp_result_free(loop);
            perp_result_free(blocks);
            perp_problem_free(p);
        }
    }
}

TEST_MAIN("pgs")
