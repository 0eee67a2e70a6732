/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_shift.c: A + D as a matrix, in all storages. */
#include <config.h>

#include "linear/block_shift.h"
#include "pair.h"

/* K = L (A + H), entry by entry. */
static void check_system(const perp_operator *A, const perp_set *set)
{
    static const double L[9] = {1, 2, 0, -1, 1, 3, 0.5, 0, 2};
    static const double H[9] = {4, 1, 2, 0, 5, 1, 1, 0, 6};
    double want[6][6];
    perp_operator *K = NULL;
    perp_workspace *ws = pair_workspace();

    OK(perp_block_shift_new(&K, A, set, ws, NULL));
    for (int twice = 0; twice < 2; twice++) {
        perp_block_shift_load(K, A);
        for (size_t first = 0; first < 6; first += 3) {
            perp_block_shift_add(K, first, 3, H);
            perp_block_shift_scale_rows(K, first, 3, L);
        }
    }
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 6; j++) {
            size_t first = i / 3 * 3;

            want[i][j] = 0.0;
            for (size_t k = 0; k < 3; k++) {
                double a = perp_operator_entry(A, first + k, j);

                a += j / 3 == i / 3 ? H[k + j % 3 * 3] : 0.0;
                want[i][j] += L[i % 3 + 3 * k] * a;
            }
            /* three products of small numbers in another order */
            CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(K, i, j), want[i][j], 1e-13);
        }
    }
    pair_discard(ws);
}

TEST(systems_hold_blocks_that_the_matrix_lacks)
{
    static const int32_t at[4][2] = {{0, 0}, {1, 4}, {3, 3}, {5, 1}};
    static const double values[4] = {2, -1, 3, 7};
    static const double mu[2] = {0.5, 0.5};
    int32_t i[4];
    int32_t j[4];
    perp_operator *A = NULL;

    for (size_t k = 0; k < 4; k++) {
        i[k] = at[k][0];
        j[k] = at[k][1];
    }
    perp_set *set = test_new_cones(3, 2, mu);
    OK(perp_operator_new_from_triplets(&A, 6, 6, 4, i, j, values, NULL));
    for (int k = 0; k < 3; k++) {
        static const perp_storage storages[3] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                                 PERP_STORAGE_BSR};

        perp_operator *B = test_convert(A, storages[k], 3);
        check_system(B, set);
    }
}

/* A chain of 40 rows is far from full, with and without blocks. */
TEST(sparse_systems_stay_sparse)
{
    perp_operator *A[2];
    perp_operator *K = NULL;
    perp_workspace *ws = pair_workspace();

    two_storages_make(A, true, 8);
    OK(perp_block_shift_new(&K, A[1], NULL, ws, NULL));
    CU_ASSERT_EQUAL(K->type->storage, PERP_STORAGE_CSR);
    perp_block_shift_load(K, A[1]);
    CU_ASSERT(perp_operator_same(K, A[1]));
    perp_block_shift_add(K, 5, 1, &(double){2.5});
    CU_ASSERT_EQUAL(perp_operator_diagonal(K, 5), perp_operator_diagonal(A[1], 5) + 2.5);
    pair_discard(ws);
}
