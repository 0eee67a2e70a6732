/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/bpp.c: block exchanges and their single phase. What all methods of this kind
 * share is in active_set.c. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* The last system is solved by a new factorisation. */
static const double exact = 1e-10;

/* Not a P-matrix: the single exchanges themselves come back. */
TEST(a_cycle_of_single_exchanges_is_proven)
{
    perp_problem *p = test_golden_problem("lemke_ray_but_solvable");
    perp_result *r = test_solve(p, "bpp", "scale=off", NULL);
    char why[200] = "";

    CU_ASSERT_EQUAL(r->outcome, PERP_CYCLE);
    CU_ASSERT_EQUAL_FATAL(r->certificate.kind, PERP_CERTIFICATE_CYCLE);
    CU_ASSERT_EQUAL(r->certificate.rule, PERP_RULE_LEAST_INDEX);
    CU_ASSERT(perp_certificate_check(&r->certificate, p, why, sizeof why));
    test_note("%s: %s", r->reason, why);
    r->certificate.states[0] ^= PERP_STATE_FREE; /* another set is no such cycle */
    CU_ASSERT(!perp_certificate_check(&r->certificate, p, why, sizeof why));
}

/* Rank 12 of 30 rows, with a solution: blocks of more than 12 rows are singular but for
 * eps. What bpp does not get through, a larger eps does. */
TEST(semidefinite_contacts_are_solved_through_prox)
{
    enum { n = 30, rank = 12 };
    perp_random g = {4};
    double B[n * rank];
    double rows[n * n];
    double z[n];
    double b[n];

    for (size_t k = 0; k < n * rank; k++) {
        B[k] = (double)perp_random_integer(&g, -3, 3);
    }
    for (size_t i = 0; i < n; i++) {
        z[i] = i % 3 == 0 ? (double)perp_random_integer(&g, 1, 5) : 0.0;
        b[i] = i % 3 == 1 ? (double)perp_random_integer(&g, 1, 5) : 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            rows[i * n + j] = 0.0;
            for (size_t k = 0; k < rank; k++) {
                rows[i * n + j] += B[i * rank + k] * B[j * rank + k];
            }
            b[i] -= rows[i * n + j] * z[j];
        }
    }
    perp_problem *p = test_lcp(n, rows, b);
    perp_result *r = test_solve(p, "bpp", NULL);
    test_solved(p, r, 1e-8);
    CU_ASSERT(r->iterations < 500);
}

/* A definite matrix that a start near the solution is one step from, whatever n; and from
 * zero a few, while murty takes about one per active row. */
TEST(steps_hardly_grow_with_rows)
{
    for (size_t n = 20; n <= 320; n *= 4) {
        perp_problem *p = test_boxed(n, n);
        perp_result *block = test_solve(p, "bpp", NULL);
        perp_result *single = test_solve(p, "murty", NULL);

        test_solved(p, block, exact);
        CU_ASSERT(block->iterations <= 6);
        CU_ASSERT(single->iterations >= n / 8);
    }
}

/* B D B^T with D from 1 down to 1e-10 and b on both sides of 0: block exchanges go round, and
 * some thousand single ones are needed. */
static perp_problem *ill_conditioned(void)
{
    enum { n = 120 };
    static double B[n * n];
    static double A[n * n];
    double b[n];
    perp_random g = {7};

    for (size_t k = 0; k < (size_t)n * n; k++) {
        B[k] = perp_random_uniform(&g, -1.0, 1.0) * pow(1e-5, (double)(k % n) / n);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            A[i + j * n] = 0.0;
            for (size_t k = 0; k < n; k++) {
                A[i + j * n] += B[i * n + k] * B[j * n + k];
            }
        }
        b[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    return test_lcp(n, A, b);
}

/* A block exchange factors A_FF; a single one updates the factor. */
TEST(single_exchanges_update_the_factor)
{
    perp_problem *p = ill_conditioned();
    perp_result *r = test_solve(p, "bpp", NULL);
    perp_result *other = test_solve(p, "lemke", NULL);

    test_note("%zu steps, %g factorizations", r->iterations, r->work.factorizations);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(perp_residual(p, r->z) <= 1e-8);
    CU_ASSERT(r->iterations >= 1000);
    CU_ASSERT(r->work.factorizations <= 0.2 * (double)r->iterations);
    /* the same active set as another method: the solution is unique */
    for (size_t i = 0; i < p->n; i++) {
        CU_ASSERT_EQUAL(r->z[i] > 0.0, other->z[i] > 0.0);
    }
}

TEST(the_number_of_single_exchanges_is_a_limit)
{
    perp_problem *p = ill_conditioned();
    perp_result *r = test_solve(p, "bpp", "singles=3", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(r->reason, "after 10 block exchanges and 3 single ones"));
    test_note("%s", r->reason);
}
