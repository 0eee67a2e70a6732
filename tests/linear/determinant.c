/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/determinant.c: factorisations know the sign of the determinant: that which
 * LAPACK finds for the dense matrix. */
#include <config.h>

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "linear/shifted.h"
#include "pair.h"

/* A (n x n, column-major) is overwritten. */
static bool dense_is_negative(double *A, size_t n)
{
    lapack_int *pivot = test_alloc(n, sizeof *pivot);
    bool negative = false;

    CU_ASSERT_EQUAL_FATAL(LAPACKE_dgetrf(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)n,
                                         A, (lapack_int)n, pivot),
                          0);
    for (size_t i = 0; i < n; i++) {
        negative ^= A[i + i * n] < 0.0;
        negative ^= pivot[i] != (lapack_int)i + 1;
    }
    return negative;
}

/* Whether det S is negative, by one way. */
static bool blocks_are_negative(const perp_block_matrix *S, perp_block_factor_way way)
{
    perp_workspace *ws = blocks_workspace();
    perp_block_factor *f = NULL;
    bool done = false;

    OK(perp_block_factor_new_by(&f, S, way, ws, NULL));
    OK(perp_block_factor_matrix(f, S, PERP_BLOCK_LDU, &done, NULL));
    CU_ASSERT_FATAL(done);
    bool negative = perp_block_factor_negative(f);
    perp_block_factor_close(f);
    blocks_discard(ws);
    return negative;
}

/* One entry on the diagonal of each block gets another sign and size. */
TEST(block_factors_know_the_sign)
{
    graph g = blocks_drawn(12, 0.3, 8);
    perp_random random = {3};
    size_t count = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        perp_block_matrix S = blocks_pattern(&g, seed % 2 ? 6 : 3, seed % 4 < 2);

        blocks_fill_matrix(&S, 1.0, seed);
        for (size_t j = 0; j < S.blocks; j++) {
            S.lower[blocks_entry_of(&S, j, j) * S.size * S.size] *=
                perp_random_uniform(&random, -2.0, 1.0);
        }
        double *A = blocks_dense(&S);
        bool negative = dense_is_negative(A, S.blocks * S.size);
        count += negative;
        CU_ASSERT_EQUAL(blocks_are_negative(&S, PERP_BLOCK_BY_COLUMNS), negative);
        CU_ASSERT_EQUAL(blocks_are_negative(&S, PERP_BLOCK_BY_SUPERNODES), negative);
        blocks_discard_matrix(&S);
    }
    CU_ASSERT(count >= 10 && count <= 30);
}

/* Rows exchanged and signs drawn. */
static void scramble(perp_operator *A, uint64_t seed)
{
    perp_random random = {seed};

    for (size_t i = A->rows; i-- > 1;) {
        size_t other = (size_t)(perp_random_next(&random) % (i + 1));
        double sign = perp_random_uniform(&random, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;

        for (size_t j = 0; j < A->cols; j++) {
            double a = A->x[i + j * A->ld];

            A->x[i + j * A->ld] = sign * A->x[other + j * A->ld];
            A->x[other + j * A->ld] = a;
        }
    }
}

static bool factor_is_negative(const perp_operator *A, const size_t *rows, size_t k)
{
    perp_workspace *ws = pair_workspace();
    perp_factor *f = NULL;
    bool done = false;

    OK(perp_factor_new(&f, A, PERP_FACTOR_LU, ws, NULL));
    OK(perp_factor_block(f, A, rows, k, &done, NULL));
    CU_ASSERT_FATAL(done);
    bool negative = perp_factor_negative(f);
    perp_factor_close(f);
    pair_discard(ws);
    return negative;
}

static bool principal_block_is_negative(const perp_operator *A, const size_t *rows,
                                        size_t k)
{
    double B[PAIR_ROWS * PAIR_ROWS];

    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < k; i++) {
            B[i + j * k] = perp_operator_entry(A, rows[i], rows[j]);
        }
    }
    return dense_is_negative(B, k);
}

/* The whole of a matrix with its rows exchanged, and principal blocks of one with signs alone. */
TEST(factors_know_the_sign)
{
    size_t all[PAIR_ROWS];
    size_t count = 0;

    for (size_t i = 0; i < PAIR_ROWS; i++) {
        all[i] = i;
    }
    for (uint64_t seed = 1; seed <= 40; seed++) {
        perp_operator *A[2];
        size_t k = seed % 2 ? PAIR_ROWS : PAIR_ROWS - 1 - seed / 2;

        two_storages_make(A, false, seed);
        if (seed % 2) {
            scramble(A[0], seed);
        } else {
            for (size_t j = 0; j < PAIR_ROWS; j++) {
                A[0]->x[seed % 7 + j * A[0]->ld] *= -1.0;
            }
        }
        OK(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL));
        bool negative = principal_block_is_negative(A[0], all, k);
        count += negative;
        for (int s = 0; s < 2; s++) {
            CU_ASSERT_EQUAL(factor_is_negative(A[s], all, k), negative);
        }
    }
    CU_ASSERT(count >= 10 && count < 40);
}

/* Those of Cholesky are positive. */
TEST(a_positive_definite_matrix_has_a_positive_determinant)
{
    perp_operator *A[2];
    bool done = false;

    two_storages_make(A, true, 5);
    for (int s = 0; s < 2; s++) {
        perp_workspace *ws = pair_workspace();
        perp_factor *f = NULL;

        OK(perp_factor_new(&f, A[s], PERP_FACTOR_CHOLESKY, ws, NULL));
        OK(perp_factor_matrix(f, A[s], &done, NULL));
        CU_ASSERT_FALSE(perp_factor_negative(f));
        perp_factor_close(f);
        pair_discard(ws);
    }
}
