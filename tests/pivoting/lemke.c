/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/lemke.c: Lemke's method on golden instances, its covering vectors and attempts. */
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
    }
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
    }
}

TEST(exponential_paths_have_their_published_length)
{
    CU_ASSERT(test_each_golden("lcp", check_pivots) > 0);
}

/* ---- rays ---- */

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
    }
}

TEST(attempts_are_the_same_for_the_same_seed)
{
    perp_problem *p = golden("lemke_ray_but_solvable");
    perp_result *a = test_solve(p, "lemke", "seed=7", NULL);
    perp_result *b = test_solve(p, "lemke", "seed=7", NULL);

    CU_ASSERT_EQUAL(a->outcome, b->outcome);
    CU_ASSERT_EQUAL(a->work.pivots, b->work.pivots);
    CU_ASSERT_EQUAL(memcmp(a->z, b->z, 2 * sizeof *a->z), 0);
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

/* Matching pennies with costs 1 and 2: both play 1/2, 1/2, and pay 3/2. Costs with a zero are no game. */
TEST(lemke_howson_takes_games_alone)
{
    static const double M[16] = {0, 0, 1, 2, 0, 0, 2, 1, 2, 1, 0, 0, 1, 2, 0, 0};
    static const double q[4] = {-1, -1, -1, -1};
    perp_problem *p = test_lcp(4, M, q);
    perp_result *r = test_solve(p, "lemke rule=lemke-howson", NULL);

    test_solved(p, r, exact);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], 1.0 / 3.0, 1e-15);
    }
    p->A->x[2 * p->A->ld] = 0.0;
    {
        const perp_solver_type *type = NULL;
        perp_options opt;
        perp_error err = {0};

        OK(perp_solver_parse("lemke rule=lemke-howson", &type, &opt, NULL));
        CU_ASSERT_EQUAL(perp_solve(type, p, &opt, r, &err), PERP_ERR_UNSUITABLE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "takes bimatrix games"));
    }
}
