/* SPDX-License-Identifier: Apache-2.0
 * tests/core/arrays.c: problems made from arrays of the caller, copied and borrowed. */
#include <config.h>

#include "support.h"

/* A = [2 1; 1 2], b = (-1, 1) in three storages, copied and borrowed. */
TEST(problems_are_made_from_arrays_of_the_caller)
{
    const double x[4] = {2, 1, 1, 2};
    const size_t ptr[3] = {0, 2, 4};
    const size_t block_ptr[2] = {0, 1};
    const int32_t col[4] = {0, 1, 0, 1};

    for (int k = 0; k < 6; k++) {
        const perp_ownership ownership = k % 2 ? PERP_BORROW : PERP_COPY;
        const double b[2] = {-1, 1};
        perp_problem *p = NULL;
        perp_problem *expected = test_lcp(2, x, b);
        perp_status status =
            k / 2 == 0   ? perp_problem_new_dense(&p, 2, x, 2, b, NULL, PERP_LAW_COULOMB,
                                                  ownership, NULL)
            : k / 2 == 1 ? perp_problem_new_csr(&p, 2, ptr, col, x, b, NULL,
                                                PERP_LAW_COULOMB, ownership, NULL)
                         : perp_problem_new_bsr(&p, 2, 2, block_ptr, col, x, b, NULL,
                                                PERP_LAW_COULOMB, ownership, NULL);

        OK(status);
        CU_ASSERT(p->sealed);
        CU_ASSERT_EQUAL(p->A->x == x, ownership == PERP_BORROW);
        CU_ASSERT_EQUAL(p->b == b, ownership == PERP_BORROW);
        CU_ASSERT_EQUAL(perp_problem_hash(p), perp_problem_hash(expected));
        CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    }
}

TEST(a_set_is_copied_or_borrowed_with_the_arrays)
{
    const double x[4] = {2, 1, 1, 2};
    const double b[2] = {-1, 1};
    perp_problem *p = NULL;
    perp_error err = {0};
    perp_set *set = test_new_set(1);

    perp_set_add_cone(set, 2, 0.5);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(perp_problem_new_dense(&p, 2, x, 2, b, set,
                                                     PERP_LAW_ASSOCIATED,
                                                     k ? PERP_BORROW : PERP_COPY, NULL),
                              PERP_OK);
        CU_ASSERT_EQUAL(p->set == set, k == 1);
        CU_ASSERT_EQUAL(p->law, PERP_LAW_ASSOCIATED);
    }
    set->blocks[0].mu = -0.5;
    CU_ASSERT_EQUAL(
        perp_problem_new_dense(&p, 2, x, 2, b, set, PERP_LAW_COULOMB, PERP_BORROW, &err),
        PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(p);
}

TEST(arrays_that_are_no_matrix_are_refused)
{
    const double x[4] = {2, 1, 1, 2};
    const double b[2] = {-1, 1};
    const size_t good[3] = {0, 2, 4}, late[3] = {1, 2, 4}, back[3] = {0, 3, 2};
    const int32_t twice[4] = {0, 0, 0, 1}, beyond[4] = {0, 1, 0, 2}, below[4] = {-1};
    const int32_t col[4] = {0, 1, 0, 1};
    const struct {
        const size_t *ptr;
        const int32_t *col;
        const char *message;
    } bad[] = {
        {late, col, "sparse matrix: ptr[0] is 1, expected 0"},
        {back, col,
         "sparse matrix: col[2] is 0, expected columns of row 0 that ascend "
         "below 2"},
        {good, twice,
         "sparse matrix: col[1] is 0, expected columns of row 0 that ascend "
         "below 2"},
        {good, beyond,
         "sparse matrix: col[3] is 2, expected columns of row 1 that ascend "
         "below 2"},
        {good, below,
         "sparse matrix: col[0] is -1, expected columns of row 0 that "
         "ascend below 2"},
    };
    const size_t falls[3] = {0, 2, 1};
    perp_problem *p = NULL;
    perp_operator *A = NULL;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        perp_error err = {0};

        CU_ASSERT_EQUAL(perp_problem_new_csr(&p, 2, bad[k].ptr, bad[k].col, x, b, NULL,
                                             PERP_LAW_COULOMB, PERP_COPY, &err),
                        PERP_ERR_DATA);
        CU_ASSERT_PTR_NULL(p);
        CU_ASSERT_STRING_EQUAL(err.text, bad[k].message);
    }
    CU_ASSERT_EQUAL(
        perp_operator_new_from_csr(&A, 2, 2, falls, col, x, PERP_BORROW, NULL),
        PERP_ERR_DATA);
    CU_ASSERT_EQUAL(
        perp_operator_new_from_bsr(&A, 2, 2, 0, good, col, x, PERP_BORROW, NULL),
        PERP_ERR_DATA);
    CU_ASSERT_EQUAL(
        perp_operator_new_from_bsr(&A, 3, 3, 2, good, col, x, PERP_BORROW, NULL),
        PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_operator_new_from_dense(&A, 2, 2, x, 1, PERP_BORROW, NULL),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(A);
    CU_ASSERT_EQUAL(perp_problem_new_dense(&p, 2, x, 2, NULL, NULL, PERP_LAW_COULOMB,
                                           PERP_COPY, NULL),
                    PERP_ERR_ARGUMENT);
}
