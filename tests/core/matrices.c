/* SPDX-License-Identifier: Apache-2.0
 * tests/core/matrices.c: what is known of a matrix: its largest entry, asymmetry, norm; its diagonal;
 * shapes that are refused. */
#include <config.h>

#include <math.h>

#include "support.h"

TEST(impossible_shapes_are_refused)
{
    perp_operator *A = NULL;
    const double x[4] = {0};

    CU_ASSERT_EQUAL(perp_operator_new_dense(&A, (size_t)1 << 31, 0, NULL), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(A);
    CU_ASSERT_EQUAL(perp_operator_new_sparse(&A, 0, (size_t)1 << 31, 1, 0, NULL),
                    PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_operator_new_sparse(&A, 7, 6, 3, 0, NULL), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_operator_new_sparse(&A, 6, 6, 0, 0, NULL), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_operator_new_sparse(&A, 3, 3, 3, SIZE_MAX / 2, NULL),
                    PERP_ERR_MEMORY);
    CU_ASSERT_EQUAL(perp_operator_new_from_dense(&A, 2, 2, x, 1, PERP_COPY, NULL),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(A);
    OK(perp_operator_new_dense(&A, 4, 6, NULL));
    {
        perp_operator *B = NULL;

        CU_ASSERT_EQUAL(perp_operator_convert(&B, A, PERP_STORAGE_BSR, 3, NULL),
                        PERP_ERR_DATA);
        CU_ASSERT_EQUAL(perp_operator_symmetric_part(&B, A, NULL), PERP_ERR_DATA);
        CU_ASSERT_EQUAL(perp_operator_asymmetry(A), INFINITY);
        CU_ASSERT_PTR_NULL(B);
    }
    perp_operator_free(NULL);
}

/* Odd and even extents, below and above a tile of 64, with the gap in every corner; NaN where an
 * entry is none. */
TEST(a_dense_matrix_is_measured_to_its_last_entry)
{
    static const size_t extents[] = {1, 2, 3, 5, 8, 63, 64, 65, 67, 130};

    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++) {
        size_t n = extents[e];
        size_t at[] = {0, n / 2, n - 1};
        perp_operator *A = test_spd(n, e + 1);
        double largest = 0.0;

        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) {
                largest = fmax(largest, fabs(perp_operator_entry(A, i, j)));
            }
        }
        CU_ASSERT_EQUAL(perp_operator_max(A), largest);
        CU_ASSERT_EQUAL(perp_operator_asymmetry(A), 0.0);
        for (size_t k = 0; k < 9; k++) {
            size_t i = at[k / 3], j = at[k % 3];
            double old = A->x[i + j * A->ld];

            A->x[i + j * A->ld] = -2.0 * largest;
            CU_ASSERT_EQUAL(perp_operator_max(A), 2.0 * largest);
            CU_ASSERT_EQUAL(perp_operator_asymmetry(A),
                            i == j ? 0.0 : (2.0 * largest + old) / (2.0 * largest));
            A->x[i + j * A->ld] = NAN;
            CU_ASSERT(isnan(perp_operator_asymmetry(A)));
            A->x[i + j * A->ld] = INFINITY;
            CU_ASSERT(!perp_operator_is_symmetric(A));
            A->x[i + j * A->ld] = old;
        }
    }
}

TEST(a_full_diagonal_can_be_added_and_raised)
{
    const int32_t i[] = {0, 3, 5};
    const int32_t j[] = {4, 3, 0};
    const double x[] = {1.0, 2.0, 3.0};
    perp_operator *A = NULL;
    perp_operator *full[2];

    OK(perp_operator_new_from_triplets(&A, 6, 6, 3, i, j, x, NULL));
    perp_operator *B = test_convert(A, PERP_STORAGE_BSR, 2);
    OK(perp_operator_with_diagonal(&full[0], A, NULL));
    OK(perp_operator_with_diagonal(&full[1], B, NULL));
    CU_ASSERT_EQUAL(full[0]->count, 8);
    CU_ASSERT_EQUAL(full[1]->count, 5); /* (0,2) (2,0) and three on the diagonal */
    for (int k = 0; k < 2; k++) {
        perp_operator_add_diagonal(full[k], 0.5);
        for (size_t r = 0; r < 6; r++) {
            for (size_t c = 0; c < 6; c++) {
                CU_ASSERT_EQUAL(perp_operator_entry(full[k], r, c),
                                perp_operator_entry(A, r, c) + (r == c ? 0.5 : 0.0));
            }
        }
    }
}

TEST(the_norm_estimate_bounds_a_known_spectrum)
{
    /* 2 on the diagonal, -1 next to it: the largest eigenvalue is 2 + 2 cos(pi/(n+1)) */
    enum { n = 30 };
    double work[2 * n];
    double largest = 2.0 + 2.0 * cos(acos(-1.0) / (n + 1));
    perp_operator *A = test_new_dense(n, n);

    CU_ASSERT_EQUAL(perp_operator_norm_estimate(A, work), 0.0);
    for (size_t i = 0; i < n; i++) {
        A->x[i + i * A->ld] = 2.0;
        if (i > 0) {
            A->x[i + (i - 1) * A->ld] = A->x[i - 1 + i * A->ld] = -1.0;
        }
    }
    double found = perp_operator_norm_estimate(A, work);
    CU_ASSERT(
        found >=
        0.95 * largest); /* eigenvalues close to the largest: 12 steps reach about 5 % */
    CU_ASSERT(found <= 1.05 * largest * (1.0 + 1e-14));
}

TEST(sameness_sees_the_sign_of_zero_and_the_pattern)
{
    const int32_t i[] = {0, 1};
    const int32_t j[] = {0, 1};
    const double x[] = {1.0, 0.0};
    perp_operator *A = NULL;
    perp_operator *B = NULL;

    OK(perp_operator_new_from_triplets(&A, 2, 2, 2, i, j, x, NULL));
    OK(perp_operator_new_from_triplets(&B, 2, 2, 1, i, j, x, NULL));
    CU_ASSERT(!perp_operator_same(A, B));
    OK(perp_operator_copy(&B, A, NULL));
    CU_ASSERT(perp_operator_same(A, B));
    B->x[1] = -0.0;
    CU_ASSERT(!perp_operator_same(A, B));
}

TEST(dense_zeros_are_dropped_off_the_diagonal_only)
{
    const double x[] = {0, 0, 3, 0, 0, 0, 0, 4, 0}; /* columns of a 3 x 3 */

    perp_operator *D = test_new_from_dense(3, 3, x, 3);
    perp_operator *S = test_convert(D, PERP_STORAGE_CSR, 1);
    CU_ASSERT_EQUAL(S->count, 5); /* 3 on the diagonal, (2,0) and (1,2) */
    perp_operator_add_diagonal(S, 7.0);
    CU_ASSERT_EQUAL(perp_operator_entry(S, 1, 1), 7.0);
    CU_ASSERT_EQUAL(perp_operator_entry(S, 2, 0), 3.0);
}
