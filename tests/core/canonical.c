/* SPDX-License-Identifier: Apache-2.0
 * tests/core/canonical.c: one form for equal problems: storage, zeros, signs of zeros, hashes. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "support.h"

/* A 6 x 6 matrix of two contacts that stores zeros: a 0 and a -0 off the diagonal. */
static perp_operator *with_zeros(double coupling)
{
    const int32_t i[] = {0, 1, 2, 3, 4, 5, 0, 3, 1}, j[] = {0, 1, 2, 3, 4, 5, 3, 0, 5};
    const double x[] = {2, 3, 0, 2, 3, 4, coupling, coupling, -0.0};
    perp_operator *A = NULL;

    OK(perp_operator_new_from_triplets(&A, 6, 6, 9, i, j, x, NULL));
    return A;
}

static perp_problem *of(perp_operator *A, perp_storage storage, bool cones)
{
    const double mu[] = {0.5, 0.25};
    perp_set *set = NULL;
    double *b = test_reals(A->rows);
    perp_operator *stored = test_convert(A, storage, 3);

    CU_ASSERT_EQUAL_FATAL(
        cones ? perp_set_new_cones(&set, 3, 2, mu, NULL)
              : perp_set_new_uniform(&set, PERP_SET_NONNEG, A->rows, NULL),
        PERP_OK);
    b[0] = storage == PERP_STORAGE_CSR ? -0.0 : 0.0;
    b[1] = -1.0;
    return test_new_problem(stored, b, set, PERP_LAW_COULOMB);
}

static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                        PERP_STORAGE_BSR};

/* All storages of A become one, to the bit. */
static void expect(perp_operator *A, bool cones, perp_storage storage)
{
    perp_problem *first = NULL;

    for (size_t k = 0; k < 3; k++) {
        perp_problem *p = of(A, storages[k], cones);
        uint64_t hash = perp_problem_hash(p);

        OK(perp_problem_canonical(p, NULL));
        CU_ASSERT_EQUAL(p->A->type->storage, storage);
        CU_ASSERT_EQUAL(perp_problem_hash(p), hash);
        OK(perp_problem_seal(p, NULL));
        if (!first) {
            first = p;
            continue;
        }
        CU_ASSERT(perp_operator_same(first->A, p->A));
        CU_ASSERT_EQUAL(memcmp(first->b, p->b, p->n * sizeof *p->b), 0);
        CU_ASSERT_EQUAL(perp_problem_hash(first), hash);
    }
    perp_problem_free(first);
    perp_operator_free(A);
}

/* 5 + 2 entries of 36 are not 0. */
TEST(few_entries_are_stored_in_csr_where_blocks_would_be_mostly_zeros)
{
    expect(with_zeros(1.0), false, PERP_STORAGE_CSR);
    expect(with_zeros(1.0), true, PERP_STORAGE_CSR);
}

/* Two contacts of ten with full blocks: 18 of 900 entries, and a diagonal that is 0 besides. */
TEST(contacts_with_full_blocks_are_stored_in_blocks)
{
    const double mu[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    perp_operator *first = NULL;

    for (size_t k = 0; k < 3; k++) {
        perp_operator *A = test_new_dense(30, 30);

        for (size_t i = 0; i < 30; i++) {
            for (size_t j = i / 3 * 3; j < i / 3 * 3 + 3; j++) {
                A->x[i + j * A->ld] = 1.0 + (double)(i + j);
            }
        }
        perp_operator *stored = test_convert(A, storages[k], 3);
        perp_set *set = test_new_cones(3, 10, mu);
        perp_problem *p =
            test_new_problem(stored, perp_reals_new(30), set, PERP_LAW_COULOMB);
        OK(perp_problem_canonical(p, NULL));
        CU_ASSERT_EQUAL_FATAL(p->A->type->storage, PERP_STORAGE_BSR);
        CU_ASSERT_EQUAL(p->A->count, 10);
        CU_ASSERT(!first || perp_operator_same(first, p->A));
        if (!first) {
            first = p->A;
            p->A = NULL;
        }
    }
    perp_operator_free(first);
}

TEST(many_entries_are_stored_dense)
{
    perp_operator *A = test_spd(6, 3);

    expect(A, true, PERP_STORAGE_DENSE);
}

TEST(a_row_without_a_diagonal_entry_gets_one)
{
    const int32_t i[] = {0, 9}, j[] = {9, 0};
    const double x[] = {1, 1}, b[10] = {0};
    perp_operator *A = NULL;
    perp_problem *p = NULL;

    OK(perp_operator_new_from_triplets(&A, 10, 10, 2, i, j, x, NULL));
    OK(perp_problem_new_csr(&p, 10, A->ptr, A->col, A->x, b, NULL, PERP_LAW_COULOMB,
                            PERP_COPY, NULL));
    OK(perp_problem_canonical(p, NULL));
    CU_ASSERT_EQUAL(p->A->ptr[10], 12);
    CU_ASSERT_FALSE(p->sealed);
    OK(perp_problem_seal(p, NULL));
    OK(perp_problem_canonical(p, NULL)); /* nothing to do */
    CU_ASSERT(p->sealed);
}

TEST(a_matrix_in_factors_stays_so_and_has_another_hash)
{
    perp_problem *p = test_boxed(8, 1);

    test_store_as_factors(p);
    uint64_t hash = perp_problem_hash(p);
    p->sealed = false;
    OK(perp_problem_canonical(p, NULL));
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_FACTORED);
    CU_ASSERT_EQUAL(perp_problem_hash(p), hash);
    test_store(p, PERP_STORAGE_DENSE, 1);
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), hash);
}

TEST(parts_of_the_caller_are_not_changed)
{
    const double A[] = {1.0}, b[] = {-0.0};
    perp_problem *p = NULL;
    perp_error err = {0};

    OK(perp_problem_new_dense(&p, 1, A, 1, b, NULL, PERP_LAW_COULOMB, PERP_BORROW, NULL));
    CU_ASSERT_EQUAL(perp_problem_canonical(p, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT(signbit(b[0]));
}
