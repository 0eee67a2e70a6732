/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/bpp.c: block exchanges, their single phase, and the real instances, also
 * through prox. What all methods of this kind share is in active_set.c. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* As published for these instances: every answer below 1e-10, most of them exact. */
static const double exact = 1e-10;

typedef struct known {
    const char *file;
    size_t steps; /* most that bpp needs; 0: it meets a singular block */
} known;

/* Steps as counted for a plain implementation of the method; relay1 and deltasigma from
 * minmap's first guess. */
static const known instances[] = {
    {"siconos-lcp/lcp_CPS_1.dat", 0},
    {"siconos-lcp/lcp_CPS_2.dat", 0},
    {"siconos-lcp/lcp_CPS_4.dat", 0},
    {"siconos-lcp/lcp_Pang_isolated_sol.dat", 0},
    {"siconos-lcp/lcp_deudeu.dat", 1},
    {"siconos-lcp/lcp_deudeu_block.dat", 1},
    {"siconos-lcp/lcp_exp_murty.dat", 6},
    {"siconos-lcp/lcp_mmc.dat", 5},
    {"siconos-lcp/lcp_ortiz.dat", 1},
    {"siconos-lcp/lcp_ortiz_block.dat", 1},
    {"siconos-lcp/lcp_trivial_block.dat", 1},
    {"siconos-relay/relay1.dat", 7},
    {"siconos-relay/relay_simple2.dat", 2},
    {"siconos-relay/step_2x2.dat", 1},
    {"siconos-mlcp/BuckFirstStep_mlcp.dat", 2},
    {"siconos-mlcp/PD_mlcp.dat", 0},
    {"siconos-mlcp/RCD_mlcp.dat", 2},
    {"siconos-mlcp/RLCD_mlcp.dat", 2},
    {"siconos-mlcp/deltasigma_mlcp.dat", 3},
    {"siconos-mlcp/diodeBridge20_mlcp.dat", 0},
    {"siconos-mlcp/m3n2_mlcp.dat", 3},
    {"siconos-mlcp/relay2_mlcp.dat", 0},
};
enum { instance_count = sizeof instances / sizeof *instances };

TEST(the_real_instances_are_solved_in_few_steps)
{
    for (size_t k = 0; k < instance_count; k++) {
        perp_problem *p = test_dataset(instances[k].file);
        perp_result *r = test_solve(p, "bpp", NULL);

        test_note("%s: %zu steps", instances[k].file, r->iterations);
        test_solved(p, r, exact);
        if (instances[k].steps > 0) {
            CU_ASSERT(r->iterations <= instances[k].steps);
        } else {
            CU_ASSERT(test_ran(r, "is singular"));
            CU_ASSERT(test_ran(r, "prox: eps"));
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* deltasigma is far from monotone: not even its blocks plus eps I are regular enough. */
TEST(the_real_instances_are_solved_through_prox)
{
    for (size_t k = 0; k < instance_count; k++) {
        perp_problem *p = NULL;

        if (strstr(instances[k].file, "deltasigma")) {
            continue;
        }
        p = test_dataset(instances[k].file);
        for (int m = 0; m < 2; m++) {
            perp_result *r = test_solve(p, m ? "prox:minmap" : "prox:bpp", NULL);

            test_note("%s: %zu steps", instances[k].file, r->iterations);
            test_solved(p, r, exact);
            CU_ASSERT(r->work.rounds <= 10.0); /* of the 50 it may take */
            perp_result_free(r);
        }
        perp_problem_free(p);
    }
}

/* The circulant [1 3 0; 0 1 3; 3 0 1] is a P-matrix; b = 1, so z = 0. From F = {1} the
 * block exchanges go round {1}, {3}, {2} for ever; single ones end it. */
TEST(single_exchanges_end_what_block_exchanges_do_not)
{
    const double A[] = {1, 3, 0, 0, 1, 3, 3, 0, 1};
    const double b[] = {1, 1, 1};
    const double start[] = {0, -1, 0}; /* z - w = (2, -2, -1): F = {1} */
    perp_problem *p = test_lcp(3, A, b);
    perp_result *r = test_solve_from(p, start, "minmap", "scale=off", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_CYCLE);
    perp_result_free(r);
    for (int patience = 0; patience < 12; patience += 4) {
        char option[32];

        snprintf(option, sizeof option, "patience=%d", patience);
        r = test_solve_from(p, start, "bpp", option, "scale=off", NULL);
        test_solved(p, r, 0.0);
        CU_ASSERT(r->iterations > 3 + (size_t)patience / 2); /* it did go round */
        perp_result_free(r);
    }
    perp_problem_free(p);
}

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
    perp_result_free(r);
    perp_problem_free(p);
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
    perp_problem *p = NULL;
    perp_result *r = NULL;

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
    p = test_lcp(n, rows, b);
    r = test_solve(p, "bpp", NULL);
    test_solved(p, r, 1e-8);
    CU_ASSERT(r->iterations < 500);
    perp_result_free(r);
    perp_problem_free(p);
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
        perp_result_free(block);
        perp_result_free(single);
        perp_problem_free(p);
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
    perp_result_free(other);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(the_number_of_single_exchanges_is_a_limit)
{
    perp_problem *p = ill_conditioned();
    perp_result *r = test_solve(p, "bpp", "singles=3", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(r->reason, "after 10 block exchanges and 3 single ones"));
    test_note("%s", r->reason);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST_MAIN("bpp")
