/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/factor.c: factorisations solve what they factored, and their memory is counted. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/block_shift.h"
#include "linear/factor.h"
#include "pair.h"
#include "scarce.h"

/* The condition is at most about 40 and a solve errs by some 40 * 40 eps = 4e-13. */
static const double solve_tolerance = 1e-11;

/* max |(A_FF x - b)_i| */
static double block_error(const perp_operator *A, const size_t *F, size_t k,
                          const double *x, const double *b)
{
    double worst = 0.0;

    for (size_t i = 0; i < k; i++) {
        double sum = -b[i];

        for (size_t j = 0; j < k; j++) {
            sum += perp_operator_entry(A, F[i], F[j]) * x[j];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

/* Blocks of every seventh to every row, then the whole. */
static void check_blocks(const perp_operator *A, perp_factor_kind kind)
{
    perp_factor *f = NULL;
    perp_workspace *ws = pair_workspace();
    perp_random g = {7};

    OK(perp_factor_new(&f, A, kind, ws, NULL));
    for (size_t stride = 7; stride-- > 0;) {
        size_t F[PAIR_ROWS];
        size_t k = 0;
        bool done = false;
        double x[PAIR_ROWS];
        double b[PAIR_ROWS];

        for (size_t i = 0; i < PAIR_ROWS; i += stride + 1) {
            F[k] = i;
            b[k] = x[k] = perp_random_uniform(&g, -1, 1);
            k++;
        }
        CU_ASSERT_EQUAL(stride > 0 ? perp_factor_block(f, A, F, k, &done, NULL)
                                   : perp_factor_matrix(f, A, &done, NULL),
                        PERP_OK);
        CU_ASSERT(done);
        CU_ASSERT(perp_factor_flops(f) > 0.0);
        perp_factor_solve(f, x);
        CU_ASSERT(block_error(A, F, k, x, b) <= solve_tolerance);
    }
    perp_factor_close(f);
    pair_discard(ws);
}

TEST(principal_blocks_are_solved_in_both_storages)
{
    perp_operator *A[2];

    for (uint64_t seed = 1; seed <= 5; seed++) {
        test_note("seed %d", (int)seed);
        two_storages_make(A, true, seed);
        for (int s = 0; s < 2; s++) {
            check_blocks(A[s], PERP_FACTOR_CHOLESKY);
            check_blocks(A[s], PERP_FACTOR_LU);
        }
        two_storages_make(A, false, seed);
        for (int s = 0; s < 2; s++) {
            check_blocks(A[s], PERP_FACTOR_LU);
        }
    }
}

/* Chains of 2 to 5 rows, each coupled one way to the next: several blocks in the
 * triangular form, with entries above them that a principal block may lack. */
TEST(blocks_of_a_reducible_matrix_are_solved)
{
    perp_operator *A[2];

    two_storages_make(A, false, 12);
    for (size_t i = 0; i < PAIR_ROWS; i++) {
        for (size_t j = 0; j < i; j++) {
            if (j / 5 != i / 5) {
                A[0]->x[i + j * A[0]->ld] = 0.0;
                A[0]->x[j + i * A[0]->ld] = j % 3 == 0 ? 0.5 : 0.0;
            }
        }
        A[0]->x[i + i * A[0]->ld] = (double)PAIR_ROWS;
    }
    OK(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL));
    for (int s = 0; s < 2; s++) {
        check_blocks(A[s], PERP_FACTOR_LU);
    }
}

/* The upper triangle may hold anything. */
TEST(cholesky_reads_the_lower_triangle_alone)
{
    perp_operator *A[2];
    perp_operator *spoilt = NULL;

    two_storages_make(A, true, 11);
    for (int s = 0; s < 2; s++) {
        double x[PAIR_ROWS];
        double y[PAIR_ROWS];
        bool done[2] = {false, false};
        perp_factor *f = NULL;
        perp_workspace *ws = pair_workspace();

        OK(perp_operator_copy(&spoilt, A[s], NULL));
        for (size_t i = 0; i < PAIR_ROWS; i++) {
            for (size_t j = i + 1; s == 0 && j < PAIR_ROWS; j++) {
                spoilt->x[i + j * spoilt->ld] = 9.0;
            }
            for (size_t k = s ? spoilt->ptr[i] : 0; s && k < spoilt->ptr[i + 1]; k++) {
                spoilt->x[k] = (size_t)spoilt->col[k] > i ? 9.0 : spoilt->x[k];
            }
            x[i] = y[i] = (double)i - 7.0;
        }
        OK(perp_factor_new(&f, A[s], PERP_FACTOR_CHOLESKY, ws, NULL));
        perp_factor_matrix(f, A[s], &done[0], NULL);
        perp_factor_solve(f, x);
        perp_factor_matrix(f, spoilt, &done[1], NULL);
        perp_factor_solve(f, y);
        CU_ASSERT(done[0] && done[1]);
        CU_ASSERT_EQUAL(memcmp(x, y, sizeof x), 0);
        perp_factor_close(f);
        pair_discard(ws);
    }
}

typedef struct attempt {
    const perp_operator *A;
    perp_factor_kind kind;
} attempt;

static perp_status factor_once(void *context, perp_error *err)
{
    const attempt *a = context;
    perp_workspace *ws = NULL;
    perp_factor *f = NULL;
    perp_operator *K = NULL;
    bool done = false;
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = perp_block_shift_new(&K, a->A, NULL, ws, err);
    }
    if (status == PERP_OK) {
        perp_block_shift_load(K, a->A);
        status = perp_factor_new(&f, K, a->kind, ws, err);
    }
    if (status == PERP_OK) {
        status = perp_factor_matrix(f, K, &done, err);
    }
    perp_factor_close(f);
    return status;
}

TEST(failing_memory_is_survived)
{
    perp_operator *A[2];

    two_storages_make(A, true, 6);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            attempt a = {A[s], (perp_factor_kind)kind};

            scarce_everywhere(factor_once, &a, "factor");
        }
    }
}

/* Every limit below what a factorisation needs is an error of memory. */
static void check_limits(const attempt *a, size_t needed)
{
    for (size_t limit = 64; limit < needed; limit += needed / 20) {
        perp_factor *f = NULL;
        perp_error err = {0};
        bool done = false;
        perp_workspace *ws = test_new_workspace(limit);
        perp_status status = perp_factor_new(&f, a->A, a->kind, ws, &err);

        if (status == PERP_OK) {
            status = perp_factor_matrix(f, a->A, &done, &err);
        }
        CU_ASSERT_EQUAL(status, PERP_ERR_MEMORY);
        CU_ASSERT(strstr(err.text, "allowed") != NULL);
        perp_factor_close(f);
        pair_discard(ws);
    }
}

/* 40 x 40 reals dense; L has an entry per entry of the lower triangle at least. */
TEST(factors_are_counted_and_refused_beyond_the_limit)
{
    perp_operator *A[2];

    two_storages_make(A, true, 9);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            attempt a = {A[s], (perp_factor_kind)kind};
            size_t least =
                sizeof(double) * (s ? A[1]->ptr[PAIR_ROWS] / 2 : PAIR_ROWS * PAIR_ROWS);
            perp_workspace *ws = pair_workspace();
            perp_factor *f = NULL;
            bool done = false;

            OK(perp_factor_new(&f, A[s], a.kind, ws, NULL));
            OK(perp_factor_matrix(f, A[s], &done, NULL));
            CU_ASSERT(perp_workspace_bytes(ws) >= least);
            check_limits(&a, perp_workspace_peak(ws));
            perp_factor_close(f);
            pair_discard(ws);
        }
    }
}

/* LU starts after a Cholesky factorisation, while others use the workspace. */
TEST(a_factor_changes_its_kind_at_any_time)
{
    perp_operator *A[2];

    two_storages_make(A, true, 10);
    for (int s = 0; s < 2; s++) {
        perp_workspace *ws = pair_workspace();
        perp_factor *f = NULL;
        size_t mark = 0;
        double x[3][PAIR_ROWS];

        OK(perp_factor_new(&f, A[s], PERP_FACTOR_CHOLESKY, ws, NULL));
        for (int k = 0; k < 3; k++) {
            bool done = false;

            CU_ASSERT_EQUAL(
                perp_factor_set_kind(
                    f, A[s], k == 1 ? PERP_FACTOR_LU : PERP_FACTOR_CHOLESKY, NULL),
                PERP_OK);
            perp_workspace_release(ws, mark);
            OK(perp_factor_matrix(f, A[s], &done, NULL));
            CU_ASSERT(done);
            for (size_t i = 0; i < PAIR_ROWS; i++) {
                x[k][i] = (double)i - 7.0;
            }
            perp_factor_solve(f, x[k]);
        }
        for (size_t i = 0; i < PAIR_ROWS; i++) {
            CU_ASSERT_DOUBLE_EQUAL(x[0][i], x[1][i], solve_tolerance);
        }
        CU_ASSERT_EQUAL(memcmp(x[0], x[2], sizeof *x), 0);
        perp_factor_close(f);
        pair_discard(ws);
    }
}
