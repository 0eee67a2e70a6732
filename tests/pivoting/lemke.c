/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/lemke.c: Lemke's method by hand, on golden instances, at its limits. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "answers.h"
#include "instances.h"
#include "pivoting/lemke_kernel.h"

static const char *const forms[] = {"form=tableau", "form=kernel"};

/* Pivoting ends in a fresh factorisation: RES is rounding, 10 eps per unit of growth. */
static const double exact = 1e-12;

/* ---- golden instances ---- */

/* The matrix as rows, however it is stored in the file. */
static perp_problem *dense(perp_problem *p)
{
    test_store(p, PERP_STORAGE_DENSE, 1);
    return p;
}

static perp_problem *golden(const char *id)
{
    return dense(test_golden_problem(id));
}

static void check_expected(const json_t *expect, const perp_problem *p,
                           const perp_result *r)
{
    const char *status = json_string_value(json_object_get(expect, "status"));
    bool meets_ray = json_object_get(expect, "lemke") != NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(status);
    if (strcmp(status, "solved") == 0 && meets_ray && r->outcome == PERP_RAY) {
        return; /* outside the classes that Lemke's method is complete for */
    }
    if (strcmp(status, "solved") == 0) {
        test_solved(p, r, exact);
    } else if (strcmp(status, "infeasible") == 0) {
        test_infeasible(p, r);
    } else {
        CU_ASSERT_STRING_EQUAL(status, "no-solution");
        CU_ASSERT_EQUAL(r->outcome, PERP_RAY);
        CU_ASSERT_NOT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
    }
}

static void check_golden(const char *path, const json_t *root)
{
    perp_problem *p = dense(test_read(path, NULL, NULL));

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        check_expected(json_object_get(root, "expect"), p, r);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

TEST(every_golden_lcp_ends_as_it_should)
{
    CU_ASSERT(test_each_golden("lcp", check_golden) > 0);
}

/* The published counts are for d = e on the matrix as it stands. */
static void check_pivots(const char *path, const json_t *root)
{
    const json_t *expect = json_object_get(root, "expect");
    const json_t *pivots = json_object_get(json_object_get(expect, "pivots"), "lemke");
    perp_problem *p = dense(test_read(path, NULL, NULL));

    for (size_t k = 0; pivots && k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", "scale=off", forms[k], NULL);

        CU_ASSERT_EQUAL(r->work.pivots, json_number_value(pivots));
        perp_result_free(r);
    }
    perp_problem_free(p);
}

TEST(exponential_paths_have_their_published_length)
{
    CU_ASSERT(test_each_golden("lcp", check_pivots) > 0);
}

/* ---- by hand ---- */

/* 2 z - 4 >= 0: z0 enters with w out, then z with z0 out. */
TEST(solves_one_row)
{
    perp_problem *p = test_lcp(1, (double[]){2}, (double[]){-4});
    perp_result *r = test_solve(p, "lemke", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 2.0);
    CU_ASSERT_EQUAL(r->w[0], 0.0);
    CU_ASSERT_EQUAL(r->work.pivots, 2.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* A = [2 1; 1 2], b = (-1, 1). Row 1 active, row 2 not: z = (1/2, 0), w = (0, 3/2). */
TEST(solves_two_rows)
{
    perp_problem *p = test_lcp(2, (double[]){2, 1, 1, 2}, (double[]){-1, 1});

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(r->z[0], 0.5);
        CU_ASSERT_EQUAL(r->z[1], 0.0);
        CU_ASSERT_EQUAL(r->w[1], 1.5);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

/* The circulant with q = -e: z = e/3. All rows tie at once; taking the first of a tie
 * visits the same basis again after 6 pivots. */
TEST(breaks_ties_lexicographically)
{
    perp_problem *p =
        test_lcp(3, (double[]){1, 2, 0, 0, 1, 2, 2, 0, 1}, (double[]){-1, -1, -1});

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        test_solved(p, r, exact);
        CU_ASSERT_EQUAL(r->work.pivots, 4.0);
        CU_ASSERT_DOUBLE_EQUAL(r->z[0], 1.0 / 3.0, 4e-16); /* a few roundings */
        CU_ASSERT_DOUBLE_EQUAL(r->z[1], 1.0 / 3.0, 4e-16);
        CU_ASSERT_DOUBLE_EQUAL(r->z[2], 1.0 / 3.0, 4e-16);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

TEST(needs_no_pivot_where_q_is_nonnegative)
{
    perp_problem *p = test_lcp(2, (double[]){-1, 5, 0, -2}, (double[]){0, 3});
    const double start[] = {1.0, 0.0}; /* not a solution: w = (-1, 3) */
    perp_result *r = test_solve_from(p, start, "lemke", "warm=off", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->work.pivots, 0.0);
    CU_ASSERT_EQUAL(r->z[0], 0.0);
    CU_ASSERT_EQUAL(r->z[1], 0.0);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(solves_the_empty_problem)
{
    perp_problem *p = test_lcp(0, NULL, NULL);

    for (size_t k = 0; k < 2; k++) {
        perp_result *r = test_solve(p, "lemke", forms[k], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(r->work.pivots, 0.0);
        perp_result_free(r);
    }
    perp_problem_free(p);
}

/* ---- rays ---- */

/* Feasible, yet without a solution: every path ends on a ray, and none proves
 * anything. */
TEST(a_ray_without_proof_is_only_a_ray)
{
    perp_problem *p = golden("feasible_unsolvable");
    perp_result *r = test_solve(p, "lemke", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_RAY);
    CU_ASSERT_NOT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "entering"));
    CU_ASSERT_EQUAL(r->work.rounds, 5.0); /* six attempts */
    CU_ASSERT(r->path.count >= 6);
    /* But it is a ray: where it starts, where it goes, what covers it. */
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_RAY);
    CU_ASSERT(perp_certificate_check(&r->certificate, p, NULL, 0));
    CU_ASSERT(r->certificate.z0 > 0.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Every covering vector leads to the solution of a P-matrix, along paths of their own. */
TEST(any_covering_vector_leads_to_the_solution)
{
    static const char *const covers[] = {"cover=ones", "cover=rows", "cover=data",
                                         "cover=random"};
    perp_problem *p = golden("harker_pang_hard_7");
    perp_result *first = test_solve(p, "lemke", covers[0], NULL);

    for (int k = 1; k < 4; k++) {
        perp_result *r = test_solve(p, "lemke", covers[k], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(test_distance(p->n, r->z, first->z) <= 1e-10); /* condition 1e3 */
        perp_result_free(r);
    }
    perp_result_free(first);
    perp_problem_free(p);
}

TEST(attempts_are_the_same_for_the_same_seed)
{
    perp_problem *p = golden("lemke_ray_but_solvable");
    perp_result *a = test_solve(p, "lemke", "seed=7", NULL);
    perp_result *b = test_solve(p, "lemke", "seed=7", NULL);

    CU_ASSERT_EQUAL(a->outcome, b->outcome);
    CU_ASSERT_EQUAL(a->work.pivots, b->work.pivots);
    CU_ASSERT_EQUAL(memcmp(a->z, b->z, 2 * sizeof *a->z), 0);
    perp_result_free(a);
    perp_result_free(b);
    perp_problem_free(p);
}

/* One attempt is Lemke's path alone; each further one is in the log. */
TEST(attempts_are_limited_and_logged)
{
    perp_problem *p = golden("feasible_unsolvable");
    perp_result *r = test_solve(p, "lemke", "attempts=1", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_RAY);
    CU_ASSERT_EQUAL(r->work.rounds, 0.0);
    CU_ASSERT_FALSE(test_ran(r, "attempt"));
    perp_result_free(r);
    r = test_solve(p, "lemke", "attempts=3", NULL);
    CU_ASSERT_EQUAL(r->work.rounds, 2.0);
    CU_ASSERT(test_ran(r, "lemke: attempt 2 of 3, zero tolerance 1e-11, random"));
    CU_ASSERT(test_ran(r, "lemke: attempt 3 of 3, zero tolerance 1e-09, constant"));
    perp_result_free(r);
    perp_problem_free(p);

    p = golden("murty_lower_8");
    r = test_solve(p, "lemke", "max-pivots=3", "attempts=1", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->work.pivots, 3.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* ---- limits ---- */

TEST(limits_leave_a_finite_point)
{
    perp_problem *p = golden("murty_lower_8");
    perp_result *r = test_solve(p, "lemke", "max-iterations=20", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->work.pivots, 20.0);
    CU_ASSERT(isfinite(r->residual));
    perp_result_free(r);

    /* 256 pivots are needed on the constant covering vector; every attempt gets 3. */
    r = test_solve(p, "lemke", "max-pivots=3", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_EQUAL(r->work.rounds, 5.0);
    CU_ASSERT_EQUAL(r->work.pivots, 18.0);
    CU_ASSERT(isfinite(r->residual));
    perp_result_free(r);
    perp_problem_free(p);
}

enum { PASCAL = 11 };

/* Pascal's matrix with columns scaled by 1, 2, 3, 1, …: whole numbers, and a condition of
 * 1e8 at m = 8, 1e11 at m = 11, by columns of length ld. */
static void pascal(int m, int ld, double *K)
{
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < m; i++) {
            K[i + j * ld] =
                i == 0 || j == 0 ? 1.0 : K[i - 1 + j * ld] + K[i + (j - 1) * ld];
        }
    }
    for (int j = 0; j < m; j++) {
        cblas_dscal(m, 1.0 + j % 3, K + j * ld, 1);
    }
}

/* op(K) x = y with whole x and y. */
static void check_refined(lemke_basis *b, CBLAS_TRANSPOSE transpose)
{
    double expected[PASCAL];
    double x[PASCAL];
    double y[PASCAL];
    double before = 0.0;
    double after = 0.0;

    for (int i = 0; i < b->m; i++) {
        expected[i] = 3.0 + i * (i % 2 ? 1.0 : -1.0);
    }
    cblas_dgemv(CblasColMajor, transpose, b->m, b->m, 1.0, b->P, b->ld, expected, 1, 0.0,
                y, 1);
    lemke_basis_solve(b, transpose, y, x);
    for (int i = 0; i < b->m; i++) {
        before = fmax(before, fabs(x[i] - expected[i]));
    }
    CU_ASSERT(perp_lemke_basis_refine(b, transpose, y, x));
    for (int i = 0; i < b->m; i++) {
        after = fmax(after, fabs(x[i] - expected[i]));
    }
    /* the condition times the rounding of residuals, in place of that of the inverse */
    CU_ASSERT(before > 1e-11 && after <= before * LDBL_EPSILON / DBL_EPSILON);
}

/* Of both parities of m, since products are summed by pairs and by fours. */
TEST(refinement_has_the_digits_of_its_residuals)
{
    for (int m = 8; m <= PASCAL; m++) {
        double P[PASCAL * PASCAL];
        double G[PASCAL * PASCAL];
        double r[PASCAL];
        double dx[PASCAL];
        double work[PASCAL * PASCAL];
        long double sum[PASCAL];
        int ipiv[PASCAL];
        lemke_basis b = {.m = m, .ld = PASCAL, .P = P, .G = G, .r = r, .dx = dx};

        b.sum = sum;
        pascal(m, b.ld, P);
        memcpy(G, P, sizeof G);
        CU_ASSERT_EQUAL_FATAL(LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, G, b.ld, ipiv),
                              0);
        CU_ASSERT_EQUAL_FATAL(LAPACKE_dgetri_work(LAPACK_COL_MAJOR, m, G, b.ld, ipiv,
                                                  work, PASCAL * PASCAL),
                              0);
        check_refined(&b, CblasNoTrans);
        check_refined(&b, CblasTrans);
    }
}

TEST_MAIN("lemke")
