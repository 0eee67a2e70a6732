/* SPDX-License-Identifier: Apache-2.0
 * tests/core/triplets.c: sparse matrices that are collected entry by entry. */
#include <config.h>

#include <limits.h>
#include <string.h>

#include "scarce.h"

/* [0 5 0; 4 0 0], the entry 5 in two parts, one place an explicit zero. */
TEST(entries_come_in_any_order_and_equal_places_are_summed)
{
    perp_triplets t;
    perp_operator *A = NULL;

    perp_triplets_init(&t, 2, 3, 2);
    perp_triplets_add(&t, 1, 2, 0.0);
    perp_triplets_add(&t, 0, 1, 2.0);
    perp_triplets_add(&t, 1, 0, 4.0); /* beyond the capacity that was asked for */
    perp_triplets_add(&t, 0, 1, 3.0);
    CU_ASSERT_EQUAL(t.count, 4);
    OK(perp_triplets_status(&t, NULL));
    OK(perp_triplets_finish(&A, &t, NULL));
    CU_ASSERT_EQUAL(A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_EQUAL(perp_operator_nonzeros(A), 3);
    CU_ASSERT_EQUAL(perp_operator_entry(A, 0, 1), 5.0);
    CU_ASSERT_EQUAL(perp_operator_entry(A, 1, 0), 4.0);
    CU_ASSERT_EQUAL(perp_operator_entry(A, 1, 2), 0.0);
    perp_triplets_free(&t);
    CU_ASSERT_PTR_NULL(t.x);
}

TEST(many_entries_make_room_for_themselves)
{
    enum { MANY = 1000 };
    perp_triplets t;
    perp_operator *A = NULL;
    size_t wrong = 0;

    perp_triplets_init(&t, MANY, MANY, 0);
    for (size_t k = 0; k < MANY; k++) {
        perp_triplets_add(&t, k * 7 % MANY, k, (double)k);
    }
    OK(perp_triplets_finish(&A, &t, NULL));
    for (size_t k = 0; k < MANY; k++) {
        wrong += perp_operator_entry(A, k * 7 % MANY, k) != (double)k;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(perp_operator_nonzeros(A), MANY);
    perp_triplets_free(&t);
}

TEST(the_first_entry_out_of_range_is_reported)
{
    perp_triplets t;
    perp_operator *A = NULL;
    perp_error err = {0};

    perp_triplets_init(&t, 2, 3, 8);
    perp_triplets_add(&t, 1, 2, 1.0);
    perp_triplets_add(&t, 2, 0, 1.0);
    perp_triplets_add(&t, 0, 3, 1.0);
    perp_triplets_add(&t, 0, 0, 1.0); /* ignored too */
    CU_ASSERT_EQUAL(t.count, 1);
    CU_ASSERT_EQUAL(perp_triplets_finish(&A, &t, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(A);
    CU_ASSERT_STRING_EQUAL(err.text, "entry 1 at row 2, column 0 (from 0) lies outside "
                                     "the 2 x 3 matrix");
    perp_triplets_free(&t);
}

TEST(extents_beyond_int_and_absurd_capacities_are_refused)
{
    perp_triplets t;
    perp_error err = {0};

    perp_triplets_init(&t, (size_t)INT_MAX + 1, 3, 8);
    perp_triplets_add(&t, 0, 0, 1.0);
    CU_ASSERT_EQUAL(perp_triplets_status(&t, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "extents beyond 2147483647"));
    perp_triplets_free(&t);

    perp_triplets_init(&t, 3, 3, SIZE_MAX);
    perp_triplets_add(&t, 0, 0, 1.0);
    CU_ASSERT_EQUAL(perp_triplets_status(&t, NULL), PERP_ERR_MEMORY);
    CU_ASSERT_EQUAL(t.count, 0);
    perp_triplets_free(&t);
}

TEST(nothing_and_a_zeroed_struct_are_empty)
{
    perp_triplets t = {0};
    perp_operator *A = NULL;

    OK(perp_triplets_finish(&A, &t, NULL));
    CU_ASSERT(A->rows == 0 && A->cols == 0);
    perp_triplets_free(&t);
    perp_triplets_free(NULL);
    perp_triplets_init(&t, 4, 4, 0);
    OK(perp_triplets_finish(&A, &t, NULL));
    CU_ASSERT_EQUAL(perp_operator_nonzeros(A), 0);
    perp_triplets_free(&t);
}

static perp_status collect(void *context, perp_error *err)
{
    perp_triplets t;
    perp_operator *A = NULL;

    (void)context;
    perp_triplets_init(&t, 10, 10, 4);
    for (size_t k = 0; k < 200; k++) {
        perp_triplets_add(&t, k % 10, k / 20, 1.0);
    }
    perp_status status = perp_triplets_finish(&A, &t, err);
    perp_triplets_free(&t);
    return status;
}

TEST(missing_memory_is_reported)
{
    scarce_everywhere(collect, NULL, "triplets");
}

TEST(triplets_are_sorted_and_duplicates_summed_in_their_order)
{
    /* 1e16 + 1 - 1e16 is 0 in this order, and 1 in another */
    const int32_t i[] = {2, 0, 2, 2, 0, 2, 3};
    const int32_t j[] = {1, 4, 1, 0, 2, 1, 3};
    const double x[] = {1e16, 5.0, 1.0, 6.0, 0.0, -1e16, 8.0};
    const size_t ptr[] = {0, 2, 2, 4, 5, 5};
    const int32_t col[] = {2, 4, 0, 1, 3};
    const double value[] = {0.0, 5.0, 6.0, 0.0, 8.0};
    perp_operator *A = NULL;

    OK(perp_operator_new_from_triplets(&A, 5, 5, 7, i, j, x, NULL));
    CU_ASSERT_EQUAL(A->count, 5);
    CU_ASSERT_EQUAL(perp_operator_nonzeros(A), 5); /* explicit zeros stay */
    CU_ASSERT_EQUAL(memcmp(A->ptr, ptr, sizeof ptr), 0);
    CU_ASSERT_EQUAL(memcmp(A->col, col, sizeof col), 0);
    CU_ASSERT_EQUAL(memcmp(A->x, value, sizeof value), 0);
}

TEST(a_triplet_outside_the_matrix_is_named)
{
    const int32_t i[] = {0, 2};
    const int32_t j[] = {0, -1};
    const double x[] = {1.0, 2.0};
    perp_operator *A = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_operator_new_from_triplets(&A, 3, 3, 2, i, j, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(A);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "row 2, column -1"));
}
