/* SPDX-License-Identifier: Apache-2.0
 * tests/core/operator.c: the three explicit storages agree on the same matrix. */
#include <config.h>

#include <math.h>

#include "support.h"

typedef struct shape {
    size_t rows, cols, block_size;
    double fill; /* chance of an entry */
} shape;

/* square and not, with block sizes that have their own code and others, empty and full */
static const shape shapes[] = {
    {0, 0, 1, 0.0},    {0, 6, 3, 0.0},    {6, 0, 2, 0.0},    {1, 1, 1, 1.0},
    {12, 12, 3, 0.4},  {12, 12, 2, 0.4},  {10, 25, 5, 0.3},  {21, 9, 3, 0.5},
    {8, 14, 2, 0.2},   {30, 30, 3, 0.05}, {17, 23, 1, 0.35}, {4, 4, 4, 0.0},
    {63, 63, 3, 0.97},
};
enum { shape_count = sizeof shapes / sizeof shapes[0] };

/* |computed - exact| of a sum of at most 63 products of numbers below 1 in any order is
 * below 63 * 63 * 2^-53 < 1e-12 */
static const double sum_tolerance = 1e-12;

/* Dense, from values drawn in order; entries that are not drawn are exact zeros. */
static perp_operator *random_dense(const shape *s, uint64_t seed)
{
    perp_random g = {seed};
    perp_operator *A = test_new_dense(s->rows, s->cols);

    for (size_t i = 0; i < s->rows; i++) {
        for (size_t j = 0; j < s->cols; j++) {
            bool there = perp_random_uniform(&g, 0.0, 1.0) < s->fill;
            double a = perp_random_uniform(&g, -1.0, 1.0);

            A->x[i + j * A->ld] = there ? a : 0.0;
        }
    }
    return A;
}

/* A[0..2] := dense, CSR, BSR of one random matrix. */
static void three_storages(perp_operator **A, const shape *s, uint64_t seed)
{
    A[0] = random_dense(s, seed);
    OK(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL));
    OK(perp_operator_convert(&A[2], A[0], PERP_STORAGE_BSR, s->block_size, NULL));
    CU_ASSERT_EQUAL(A[1]->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_EQUAL(A[2]->type->storage, PERP_STORAGE_BSR);
}

static double exact_row(const perp_operator *D, size_t i, const double *x)
{
    double sum = 0.0;

    for (size_t j = 0; j < D->cols; j++) {
        sum += D->x[i + j * D->ld] * x[j];
    }
    return sum;
}

TEST(every_storage_forms_the_same_products)
{
    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];
        perp_random g = {s + 100};
        double x[64];
        double y[64];
        size_t rows = shapes[s].rows;
        size_t cols = shapes[s].cols;

        three_storages(A, &shapes[s], s);
        for (int k = 0; k < 64; k++) {
            x[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (int k = 0; k < 3; k++) {
            for (int m = 0; m < 64; m++) {
                y[m] = NAN; /* must be overwritten, and touched nowhere else */
            }
            perp_operator_apply(A[k], x, y);
            for (size_t i = 0; i < rows; i++) {
                CU_ASSERT(fabs(y[i] - exact_row(A[0], i, x)) <= sum_tolerance);
                CU_ASSERT(fabs(y[i] - perp_operator_row_dot(A[k], i, x)) <=
                          sum_tolerance);
            }
            CU_ASSERT(isnan(y[rows]));
            for (int m = 0; m < 64; m++) {
                y[m] = NAN;
            }
            perp_operator_apply_transposed(A[k], x, y);
            for (size_t j = 0; j < cols; j++) {
                double sum = 0.0;

                for (size_t i = 0; i < rows; i++) {
                    sum += A[0]->x[i + j * A[0]->ld] * x[i];
                }
                CU_ASSERT(fabs(y[j] - sum) <= sum_tolerance);
            }
            CU_ASSERT(isnan(y[cols]));
        }
    }
}

TEST(any_range_of_rows_gives_the_rows_of_the_product)
{
    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];
        perp_random g = {s + 200};
        double x[64];

        three_storages(A, &shapes[s], s);
        for (int k = 0; k < 64; k++) {
            x[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (size_t first = 0; first < shapes[s].rows; first++) {
            for (size_t dim = 0; dim <= 7 && first + dim <= shapes[s].rows; dim++) {
                for (int k = 0; k < 3; k++) {
                    double y[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

                    perp_operator_rows_dot(A[k], first, dim, x, y);
                    for (size_t i = 0; i < dim; i++) {
                        CU_ASSERT(fabs(y[i] - exact_row(A[0], first + i, x)) <=
                                  sum_tolerance);
                    }
                    CU_ASSERT(isnan(y[dim]));
                }
            }
        }
    }
}

/* Blocks of three are multiplied by the widest instructions the machine has. */
TEST(block_rows_have_the_bits_of_their_rows_one_by_one)
{
    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];
        perp_random g = {s + 300};
        double x[64], y[64];

        three_storages(A, &shapes[s], s);
        for (int k = 0; k < 64; k++) {
            x[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_operator_apply(A[2], x, y);
        for (size_t i = 0; i < shapes[s].rows; i++) {
            CU_ASSERT(y[i] == perp_operator_row_dot(A[2], i, x));
        }
    }
}

typedef struct visited {
    size_t last;
    bool ascending;
    double sum; /* of (j + 1) a */
} visited;

static void visit(void *context, size_t j, double a)
{
    visited *v = context;

    v->ascending = v->ascending && (v->last == SIZE_MAX || j > v->last);
    v->last = j;
    v->sum += (double)(j + 1) * a;
}

TEST(entries_rows_and_norms_agree)
{
    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];
        double D[25];
        double largest = 0.0;

        three_storages(A, &shapes[s], s);
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < shapes[s].rows; i++) {
                double out[64] = {0};
                double row_largest = 0.0;
                double sum = 0.0;
                visited v = {SIZE_MAX, true, 0.0};

                perp_operator_row_visit(A[k], i, visit, &v);
                perp_operator_row_add(A[k], i, -2.0, out);
                for (size_t j = 0; j < shapes[s].cols; j++) {
                    double a = A[0]->x[i + j * A[0]->ld];

                    CU_ASSERT_EQUAL(perp_operator_entry(A[k], i, j), a);
                    CU_ASSERT_EQUAL(out[j], -2.0 * a);
                    row_largest = fmax(row_largest, fabs(a));
                    sum += (double)(j + 1) * a;
                }
                CU_ASSERT(v.ascending);
                CU_ASSERT_EQUAL(v.sum, sum); /* the same terms in the same order */
                CU_ASSERT_EQUAL(perp_operator_row_max(A[k], i), row_largest);
                largest = fmax(largest, row_largest);
            }
            CU_ASSERT_EQUAL(perp_operator_max(A[k]), largest);
            for (size_t i = 0; i + 5 <= shapes[s].rows && i + 5 <= shapes[s].cols; i++) {
                perp_operator_diagonal_block(A[k], i, 5, D);
                CU_ASSERT_EQUAL(D[0], perp_operator_diagonal(A[k], i));
                CU_ASSERT_EQUAL(D[1 + 3 * 5], perp_operator_entry(A[0], i + 1, i + 3));
            }
        }
    }
}

TEST(conversions_there_and_back_keep_every_bit)
{
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                            PERP_STORAGE_BSR};

    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];

        three_storages(A, &shapes[s], s);
        for (int k = 0; k < 3; k++) {
            for (int to = 0; to < 3; to++) {
                perp_operator *there =
                    test_convert(A[k], storages[to], shapes[s].block_size);
                perp_operator *dense = test_convert(there, PERP_STORAGE_DENSE, 1);
                perp_operator *copy = test_copy_operator(there);

                CU_ASSERT(perp_operator_same(dense, A[0]));
                CU_ASSERT(perp_operator_same(there, copy));
                CU_ASSERT(k == 2 || to == 1 || perp_operator_same(there, A[to]));
            }
        }
    }
}

TEST(transpose_and_symmetric_part_agree_entry_by_entry)
{
    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];

        three_storages(A, &shapes[s], s);
        for (int k = 0; k < 3; k++) {
            perp_operator *S = NULL;
            bool square = shapes[s].rows == shapes[s].cols;
            perp_operator *T = test_transpose(A[k]);

            CU_ASSERT_PTR_EQUAL(T->type, A[k]->type);
            if (square) {
                OK(perp_operator_symmetric_part(&S, A[k], NULL));
                CU_ASSERT_PTR_EQUAL(S->type, A[k]->type);
                CU_ASSERT_EQUAL(perp_operator_asymmetry(S), 0.0);
                CU_ASSERT(perp_operator_is_symmetric(S));
            }
            for (size_t i = 0; i < shapes[s].rows; i++) {
                for (size_t j = 0; j < shapes[s].cols; j++) {
                    double a = perp_operator_entry(A[0], i, j);

                    CU_ASSERT_EQUAL(perp_operator_entry(T, j, i), a);
                    if (square) {
                        CU_ASSERT_EQUAL(perp_operator_entry(S, i, j),
                                        0.5 * (a + perp_operator_entry(A[0], j, i)));
                    }
                }
            }
        }
    }
}

TEST(asymmetry_is_the_largest_gap_over_the_largest_entry)
{
    /* [4 1 0; 3 0 0; 0 -1 0]: gaps |1-3| = 2 and 1, largest entry 4 */
    const double x[] = {4, 3, 0, 1, 0, -1, 0, 0, 0};
    perp_operator *A[3];

    OK(perp_operator_new_from_dense(&A[0], 3, 3, x, 3, PERP_COPY, NULL));
    OK(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL));
    OK(perp_operator_convert(&A[2], A[0], PERP_STORAGE_BSR, 3, NULL));
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(perp_operator_asymmetry(A[k]), 0.5);
        CU_ASSERT(!perp_operator_is_symmetric(A[k]));
        A[k]->x[0] = NAN;
        CU_ASSERT(!perp_operator_is_symmetric(A[k]));
    }
    perp_operator *zero = test_new_dense(3, 3);
    CU_ASSERT_EQUAL(perp_operator_asymmetry(zero), 0.0);
}

TEST(scaling_multiplies_rows_and_columns)
{
    for (size_t s = 0; s < shape_count; s++) {
        perp_operator *A[3];
        perp_operator *old = random_dense(&shapes[s], s);
        double left[64];
        double right[64];

        three_storages(A, &shapes[s], s);
        for (int m = 0; m < 64; m++) {
            left[m] = ldexp(1.0, m % 5 - 2); /* powers of two: exact in any order */
            right[m] = ldexp(1.0, m % 7 - 3);
        }
        for (int k = 0; k < 3; k++) {
            perp_operator_scale(A[k], left, right);
            for (size_t i = 0; i < shapes[s].rows; i++) {
                for (size_t j = 0; j < shapes[s].cols; j++) {
                    CU_ASSERT_EQUAL(perp_operator_entry(A[k], i, j),
                                    left[i] * right[j] * old->x[i + j * old->ld]);
                }
            }
        }
    }
}

TEST(the_first_number_that_is_not_finite_is_found)
{
    const shape s = {12, 12, 3, 1.0};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    perp_operator *A[3];
    size_t i = 0;
    size_t j = 0;

    for (int k = 0; k < 3; k++) {
        three_storages(A, &s, 5);
        CU_ASSERT(!perp_operator_find_nonfinite(A[k], &i, &j));
        /* row 7, column 2 comes before row 8, column 1, whatever the storage */
        A[0]->x[8 + 1 * A[0]->ld] = NAN;
        A[0]->x[7 + 2 * A[0]->ld] = bad[k];
        A[1]->x[8 * 12 + 1] = NAN;
        A[1]->x[7 * 12 + 2] = bad[k];
        A[2]->x[2 * 4 * 9 + 2 + 1 * 3] = NAN;
        A[2]->x[2 * 4 * 9 + 1 + 2 * 3] = bad[k];
        for (int storage = 0; storage < 3; storage++) {
            CU_ASSERT(perp_operator_find_nonfinite(A[storage], &i, &j));
            CU_ASSERT_EQUAL(i, 7);
            CU_ASSERT_EQUAL(j, 2);
        }
    }
}
