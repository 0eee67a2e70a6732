/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/variants.c: jacobi, psor, spgs, nncg and anderson, and the orders of a sweep. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

static const char *const solvers[] = {"jacobi", "pgs",  "psor",     "spgs",
                                      "nncg",   "nsgs", "anderson", NULL};
static const char *const orders[] = {"order=natural", "order=alternating",
                                     "order=shuffled", "order=colored", NULL};

/* anderson takes orders that are the same in every sweep. */
static bool takes_order(const char *solver, const char *order)
{
    return strcmp(solver, "anderson") != 0 || (strcmp(order, "order=alternating") != 0 &&
                                               strcmp(order, "order=shuffled") != 0);
}

/* Strictly diagonally dominant with both signs and unsymmetric: an H-matrix. Omega up to
 * 1 is proved for all of them; each converges in at most log(1e-8)/log(rho), rho <=
 * 0.8. */
TEST(converge_on_an_h_matrix)
{
    enum { N = 40 };
    perp_random g = {11};
    perp_operator *A = test_new_dense(N, N);

    for (size_t i = 0; i < N; i++) {
        double sum = 0.0;

        for (size_t j = 0; j < N; j++) {
            double x = i == j ? 0.0 : perp_random_uniform(&g, -1.0, 1.0);

            A->x[i + j * A->ld] = x;
            sum += fabs(x);
        }
        A->x[i + i * A->ld] = 1.25 * sum;
    }
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, N);
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    for (size_t i = 0; solvers[i]; i++) {
        perp_result *r = test_solve(p, solvers[i], "relaxation=1", NULL);

        test_solved(p, r, 1e-8);
        CU_ASSERT(r->iterations <= 100);
    }
}

/* Infinitely long bearing: H = 1 + 0.8 cos x on (0, 2 pi), n inner points. */
static perp_problem *journal_bearing(size_t n)
{
    double d = 2.0 * 3.14159265358979323846 / (double)(n + 1);
    double *b = test_reals(n);

    perp_operator *A = test_new_dense(n, n);
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);
    for (size_t i = 0; i < n; i++) {
        double x = d * (double)(i + 1);
        double right = 1.0 + 0.8 * cos(x + d / 2);
        double left = 1.0 + 0.8 * cos(x - d / 2);

        A->x[i + i * A->ld] = right * right * right + left * left * left;
        if (i + 1 < n) {
            A->x[i + (i + 1) * A->ld] = A->x[i + 1 + i * A->ld] = -right * right * right;
        }
        b[i] = d * (right - left);
    }
    return test_new_problem(A, b, set, PERP_LAW_COULOMB);
}

static void check_count(const perp_problem *p, const char *solver, const char *setting,
                        size_t expected)
{
    perp_result *r = test_solve(p, solver, "tolerance=1e-10", setting, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    if (r->iterations < expected / 2 || r->iterations > expected * 2) {
        test_note("%s %s: %zu iterations, expected %zu", solver, setting, r->iterations,
                  expected);
    }
    CU_ASSERT(r->iterations >= expected / 2 && r->iterations <= expected * 2);
}

/* Counts of another code to RES 1e-10, to be met within a factor 2. The pressure peaks at
 * 2.5292 on 64 points. */
TEST(take_the_known_numbers_of_sweeps_on_the_bearing)
{
    perp_problem *p = journal_bearing(64);
    perp_result *r = test_solve(p, "nncg", "tolerance=1e-10", NULL);

    CU_ASSERT_DOUBLE_EQUAL(test_largest(p->n, r->z), 2.5292, 5e-5); /* as printed */
    check_count(p, "pgs", "relaxation=1", 1307);
    check_count(p, "psor", "relaxation=1.5", 429);
    check_count(p, "spgs", "relaxation=1", 661);
    check_count(p, "nncg", "relaxation=1", 874);
}

/* Over-relaxed by 1.3 the bearing needs about (2 - 1.3)/1.3 of the sweeps. */
TEST(psor_overtakes_pgs_on_an_m_matrix)
{
    perp_problem *p = journal_bearing(32);
    perp_result *plain = test_solve(p, "pgs", NULL);
    perp_result *relaxed = test_solve(p, "psor", NULL);

    test_solved(p, relaxed, 1e-8);
    CU_ASSERT(3 * relaxed->iterations < 2 * plain->iterations);
}

TEST(spgs_counts_a_product_for_each_direction)
{
    perp_problem *p = journal_bearing(16);
    perp_result *one = test_solve(p, "pgs", NULL);
    perp_result *two = test_solve(p, "spgs", NULL);

    CU_ASSERT_EQUAL(one->work.products, (double)one->iterations);
    CU_ASSERT_EQUAL(two->work.products, 2.0 * (double)two->iterations);
    CU_ASSERT_EQUAL(two->work.projections, 32.0 * (double)two->iterations);
}

/* One sweep forth and one back by turns is the symmetric sweep: 2k of one are k of the
 * other, bit for bit. */
TEST(alternating_sweeps_are_symmetric_ones_in_two_steps)
{
    perp_problem *p = journal_bearing(16);
    perp_result *two = test_solve(p, "pgs", "order=alternating", "max-iterations=14",
                                  "tolerance=0", NULL);
    perp_result *one = test_solve(p, "spgs", "max-iterations=7", "tolerance=0", NULL);

    CU_ASSERT_EQUAL(memcmp(one->z, two->z, p->n * sizeof *one->z), 0);
}

/* The eigenvalues of tridiag(-1, 2, -1)/2 lie below 2: of 0.9 * 2/lambda little is lost,
 * and two sweeps of Jacobi do about what one of Gauss-Seidel does. */
TEST(jacobi_finds_its_relaxation)
{
    perp_problem *p = test_golden_problem("obstacle1d_31");
    perp_result *r = test_solve(p, "jacobi", NULL);
    perp_result *x = test_solve(p, "pgs", NULL);

    test_solved(p, r, 1e-8);
    CU_ASSERT(test_ran(r, "jacobi: relaxation 0.9"));
    CU_ASSERT(r->iterations < 5 * x->iterations);
    CU_ASSERT(r->iterations > x->iterations);

    r = test_solve(p, "jacobi", "relaxation=1.9", NULL); /* beyond 2/lambda */
    CU_ASSERT(r->outcome == PERP_STALLED || r->outcome == PERP_ITERATION_LIMIT);
}

/* The golden contacts, each order to the answer of the natural one: u is unique. */
TEST(every_order_ends_at_the_same_velocities)
{
    perp_problem *p = test_golden_problem("arch12_thin");
    perp_result *r = test_solve(p, "nsgs", "tolerance=1e-11", NULL);

    for (size_t k = 0; orders[k]; k++) {
        for (size_t i = 1; solvers[i]; i++) {
            perp_result *x =
                test_solve(p, solvers[i],
                           takes_order(solvers[i], orders[k]) ? orders[k] : "order=local",
                           "tolerance=1e-11", NULL);

            if (!test_solved(p, x, 1e-11) ||
                test_distance(p->n, r->w, x->w) > 1e-8) { /* RES cond(W) beta_b */
                test_note("%s %s: %.2e", solvers[i], orders[k],
                          test_distance(p->n, r->w, x->w));
                CU_FAIL("another velocity");
            }
        }
    }
}

TEST(the_seed_decides_how_sweeps_are_shuffled)
{
    perp_problem *p = test_golden_problem("rand_fc_12");
    perp_result *r[3] = {NULL};
    const char *const seeds[] = {"seed=1", "seed=1", "seed=2"};

    for (int i = 0; i < 3; i++) {
        r[i] = test_solve(p, "nsgs", "order=shuffled", "max-iterations=3", "tolerance=0",
                          seeds[i], NULL);
    }
    CU_ASSERT_EQUAL(memcmp(r[0]->z, r[1]->z, p->n * sizeof *r[0]->z), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(r[0]->z, r[2]->z, p->n * sizeof *r[0]->z), 0);
}

/* From the solution of a problem whose b differs by a thousandth. */
TEST(a_near_start_saves_sweeps)
{
    perp_problem *p = test_golden_problem("wall_2x2");

    for (size_t i = 0; solvers[i]; i++) {
        perp_result *r = test_solve(p, solvers[i], "tolerance=1e-10", NULL), *x = NULL;
        size_t cold = r->iterations;

        x = test_solve_from(p, r->z, solvers[i], "tolerance=1e-9", NULL);
        CU_ASSERT_EQUAL(x->iterations, 0);
        for (size_t k = 0; k < p->n; k++) {
            r->z[k] *= 1.0 + 1e-6 * (double)(k % 3);
        }
        x = test_solve_from(p, r->z, solvers[i], "tolerance=1e-10", NULL);
        if (x->iterations >= cold) {
            test_note("%s: %zu cold, %zu warm", solvers[i], cold, x->iterations);
        }
        CU_ASSERT(x->iterations < cold);
    }
}

TEST(every_refusal_of_memory_is_an_error)
{
    perp_problem *p = test_golden_problem("incline_slip");

    for (size_t i = 0; solvers[i]; i++) {
        for (size_t k = 0; orders[k]; k++) {
            const perp_solver_type *type = perp_solver_find(solvers[i]);
            perp_options opt;

            perp_options_init(&opt, type, NULL, NULL);
            if (strcmp(solvers[i], "jacobi") != 0) {
                CU_ASSERT_EQUAL(
                    perp_options_set(&opt, "order", strchr(orders[k], '=') + 1, NULL),
                    takes_order(solvers[i], orders[k]) ? PERP_OK : PERP_ERR_OPTION);
            }
            CU_ASSERT(test_memory_needed(p, type, &opt, "no memory") > 0);
        }
    }
}

/* b changed and the diagonal shifted under a run: what follows is what a new run does. */
TEST(resume_as_if_set_up_again)
{
    for (size_t i = 0; solvers[i]; i++) {
        const perp_solver_type *type = perp_solver_find(solvers[i]);
        perp_problem *p = test_golden_problem("spd_int_5");
        perp_options opt;
        perp_run run = {0}, fresh = {0};

        perp_options_init(&opt, type, NULL, NULL);
        perp_workspace *ws = test_new_workspace(0);
        perp_result *r = test_new_result(p->n);
        perp_result *x = test_new_result(p->n);
        OK(perp_run_start(&run, type, p, &opt, ws, r, NULL));
        for (int k = 0; k < 5; k++) {
            OK(perp_run_step(&run, NULL));
        }
        p->b[3] -= 7.0;
        perp_operator_add_diagonal(p->A, 0.5);
        memcpy(x->z, r->z, p->n * sizeof *r->z);
        OK(perp_run_resume(&run, 0.5, NULL));
        OK(perp_run_start(&fresh, type, p, &opt, ws, x, NULL));
        for (int k = 0; k < 5; k++) {
            OK(perp_run_step(&run, NULL));
            OK(perp_run_step(&fresh, NULL));
        }
        CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
        perp_run_end(&fresh);
        perp_run_end(&run);
    }
}
