/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/minmap.c: Newton steps on the min map: where they end, how many there are,
 * and the cycles they are known for. What active set methods share is in
 * pivoting/active_set.c. */
#include <config.h>

#include <string.h>

#include "answers.h"
#include "instances.h"

static const double exact = 1e-10;

/* Tridiagonal (-1, 2, -1), b = -load + obstacle force: an M-matrix, where sets grow and
 * every start ends, after at most n + 1 steps. */
TEST(every_start_ends_for_an_m_matrix)
{
    enum { n = 40 };
    perp_random g = {6};
    perp_operator *A = test_new_dense(n, n);

    for (size_t i = 0; i < n; i++) {
        A->x[i + i * A->ld] = 2.0;
        if (i > 0) {
            A->x[i + (i - 1) * A->ld] = A->x[i - 1 + i * A->ld] = -1.0;
        }
    }
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    test_store(p, PERP_STORAGE_CSR, 1);
    for (int turn = 0; turn < 20; turn++) {
        double z[n];

        for (size_t i = 0; i < n; i++) {
            z[i] = perp_random_uniform(&g, -5.0, 5.0);
        }
        perp_result *r = test_solve_from(p, z, "minmap", NULL);
        test_solved(p, r, exact);
        CU_ASSERT(r->iterations <= n + 1);
    }
}

/* The circulant [1 3 0; 0 1 3; 3 0 1] is a P-matrix; b = 1, so z = 0. From z = (0, -1,
 * 0), z - w = (2, -2, -1), the sets go {1}, {3}, {2}, {1}. A row w_4 = z_4 - 1 by itself is right from
 * the start; without it nothing would act, and 0 would be the answer. */
TEST(a_cycle_ends_with_its_sets)
{
    static const unsigned char sets[] = {1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1};
    const double A[] = {1, 3, 0, 0, 0, 1, 3, 0, 3, 0, 1, 0, 0, 0, 0, 1};
    const double b[] = {1, 1, 1, -1};
    perp_problem *p = test_lcp(4, A, b);
    perp_result *r =
        test_solve_from(p, (const double[]){0, -1, 0, 1}, "minmap", "scale=off", NULL);
    char why[200] = "";

    CU_ASSERT_EQUAL(r->outcome, PERP_CYCLE);
    CU_ASSERT_EQUAL_FATAL(r->certificate.kind, PERP_CERTIFICATE_CYCLE);
    CU_ASSERT_EQUAL(r->certificate.rule, PERP_RULE_MINMAP);
    CU_ASSERT_EQUAL_FATAL(r->certificate.steps, 3);
    CU_ASSERT_EQUAL(memcmp(r->certificate.states, sets, sizeof sets), 0);
    CU_ASSERT(perp_certificate_check(&r->certificate, p, why, sizeof why));
    test_note("%s: %s", r->reason, why);
    r->certificate.steps = 2; /* the first does not follow from the second */
    CU_ASSERT(!perp_certificate_check(&r->certificate, p, why, sizeof why));
}

/* The same with a row w_4 = z_4 + 6 z_1 + 3 in [-1, 1], which is -4 at the lower bound
 * when z_1 = -1 and 4 at the upper one when z_1 = 0, so that it crosses its box in one
 * step; and a fixed one, w_5 = z_5 + 3 z_1 + 1, whose w changes sign on the way. */
TEST(a_cycle_through_both_bounds_ends_with_its_sets)
{
    const double A[] = {1, 3, 0, 0, 0, 0, 1, 3, 0, 0, 3, 0, 1,
                        0, 0, 6, 0, 0, 1, 0, 3, 0, 0, 0, 1};
    const double b[] = {1, 1, 1, 3, 1};
    perp_problem *p = test_lcp(5, A, b);
    size_t upper = 0;
    size_t lower = 0;
    char why[200] = "";
    perp_set *set = test_set("nonneg,nonneg,nonneg,-1.0..1.0,0.0..0.0");

    test_give_set(p, set);
    perp_result *r = test_solve_from(p, (const double[]){0, -1, 0, -1, 0}, "minmap",
                                     "scale=off", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_CYCLE);
    CU_ASSERT(perp_certificate_check(&r->certificate, p, why, sizeof why));
    test_note("%s: %s", r->reason, why);
    for (size_t t = 0; t < r->certificate.steps; t++) {
        upper += r->certificate.states[5 * t + 3] == PERP_STATE_UPPER;
        lower += r->certificate.states[5 * t + 3] == PERP_STATE_LOWER;
    }
    CU_ASSERT(upper > 0 && lower > 0);
    CU_ASSERT_EQUAL(upper + lower, r->certificate.steps); /* never between */
}
