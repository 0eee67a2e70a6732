/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/pgs.c: projected Gauss-Seidel on scalar rows. */
#include <config.h>

#include <string.h>

#include "answers.h"
#include "core/solver_list.h"
#include "core/solvers.h"
#include "instances.h"

/* The same rows in the opposite order, swept backward: the same numbers in the opposite
 * order, up to the order of sums; forward the same answer. */
TEST(a_permuted_problem_has_the_permuted_answer)
{
    enum { N = 24 };
    perp_operator *A = test_spd(N, 5);
    double rows[N * N], q[N];
    perp_random g = {3};

    for (int i = 0; i < N; i++) {
        q[i] = perp_random_uniform(&g, -1, 1);
        for (int j = 0; j < N; j++) {
            rows[i * N + j] = perp_operator_entry(A, (size_t)i, (size_t)j);
        }
    }
    perp_problem *p = test_lcp(N, rows, q);
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
    perp_problem *reversed = test_lcp(N, rows, q);
    perp_result *r = test_solve(p, "pgs", "tolerance=1e-13", NULL);
    perp_result *x = test_solve(reversed, "pgs", "tolerance=1e-13", NULL);
    for (int i = 0; i < N; i++) { /* eigenvalues >= 1 */
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], x->z[N - 1 - i], 1e-12);
    }
}

/* The start may lie outside the bounds: one sweep brings it in. */
TEST(takes_any_start)
{
    perp_problem *p = test_golden_problem("boxed_int_0");

    perp_result *r = test_new_result(p->n);
    for (size_t i = 0; i < p->n; i++) {
        r->z[i] = i % 2 ? 1e6 : -1e6;
    }
    OK(perp_solve(&perp_solver_pgs, p, NULL, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
}

/* pgs sweeps scalar rows of a stored matrix by its own loop, psor by the blocks of a sweep. */
TEST(the_loop_of_scalar_rows_repeats_the_sweep_of_blocks_bit_for_bit)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};

    for (uint64_t seed = 1; seed <= 5; seed++) {
        for (size_t k = 0; k < 3; k++) {
            perp_problem *p = test_boxed(24, seed);

            test_store(p, storages[k], k == 2 ? 2 : 1);
            perp_result *loop =
                test_solve(p, "pgs", "relaxation=1.2", "max-iterations=25", NULL);
            perp_result *blocks =
                test_solve(p, "psor", "relaxation=1.2", "max-iterations=25", NULL);
            CU_ASSERT_EQUAL(memcmp(loop->z, blocks->z, p->n * sizeof *loop->z), 0);
            CU_ASSERT_EQUAL(loop->iterations, blocks->iterations);
            CU_ASSERT_EQUAL(loop->work.products, blocks->work.products);
            CU_ASSERT_EQUAL(loop->work.projections, blocks->work.projections);
        }
    }
}
