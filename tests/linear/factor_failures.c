/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/factor_failures.c: a factorisation that fails names its row and gives a null vector;
 * units make none fail, nor does a failure leave anything behind. */
#include <config.h>

#include <math.h>

#include "linear/factor.h"
#include "pair.h"

/* 3 x 3 by rows, its kind, the block, and the rows that a null vector may have. */
typedef struct failure {
    const char *what;
    perp_factor_kind kind;
    double a[9];
    size_t k, F[3];
} failure;

static const failure failures[] = {
    {"zero", PERP_FACTOR_CHOLESKY, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 3, {0, 1, 2}},
    {"zero", PERP_FACTOR_LU, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 3, {0, 1, 2}},
    {"rank one", PERP_FACTOR_CHOLESKY, {1, 1, 0, 1, 1, 0, 0, 0, 1}, 3, {0, 1, 2}},
    {"rank one", PERP_FACTOR_LU, {1, 1, 0, 1, 1, 0, 0, 0, 1}, 3, {0, 1, 2}},
    {"zero corner", PERP_FACTOR_LU, {0, 1, 0, 1, 0, 0, 0, 0, 1}, 1, {0}},
    {"nilpotent", PERP_FACTOR_LU, {0, 1, 0, 0, 0, 1, 0, 0, 0}, 3, {0, 1, 2}},
    {"indefinite", PERP_FACTOR_CHOLESKY, {1, 2, 0, 2, 1, 0, 0, 0, 1}, 3, {0, 1, 2}},
    {"indefinite", PERP_FACTOR_CHOLESKY, {4, 1, 2, 1, 3, 1, 2, 1, -1}, 3, {0, 1, 2}},
    {"nearly singular",
     PERP_FACTOR_CHOLESKY,
     {1, 1, 0, 1, 1 + 4e-15, 0, 0, 0, 1},
     2,
     {0, 1}},
    {"nearly singular", PERP_FACTOR_LU, {1, 1, 0, 1, 1 + 4e-15, 0, 0, 0, 1}, 2, {0, 1}},
    {"a block", PERP_FACTOR_LU, {1, 2, 3, 0, 5, 6, 3, 0, 9}, 2, {0, 2}},
    {"a block", PERP_FACTOR_CHOLESKY, {1, 2, 3, 2, 50, 6, 3, 6, 9}, 2, {0, 2}},
};

/* x.A x <= 0, or A_FF x = 0 in the rows where x is not 0, to 1e-10 of max |x| max |A|. */
static bool proves(const failure *c, const double *x)
{
    double largest = 0.0;
    double off = 0.0;
    double quadratic = 0.0;

    for (size_t i = 0; i < 3; i++) {
        double sum = 0.0;

        for (size_t j = 0; j < 3; j++) {
            sum += c->a[3 * i + j] * x[j];
        }
        off = x[i] != 0.0 ? fmax(off, fabs(sum)) : off;
        quadratic += x[i] * sum;
        largest = fmax(largest, fabs(x[i]));
    }
    return largest > 0.0 && (off <= 1e-9 * largest ||
                             (c->kind == PERP_FACTOR_CHOLESKY && quadratic <= 0.0));
}

static void check_failure(const failure *c, perp_storage storage)
{
    perp_factor *f = NULL;
    perp_workspace *ws = pair_workspace();
    bool done = true;
    double x[3];

    test_note("%s, %s", c->what, c->kind == PERP_FACTOR_LU ? "LU" : "Cholesky");
    perp_operator *D = test_new_from_dense(3, 3, c->a, 3);
    perp_operator *A = test_transpose(D);
    D = A;
    OK(perp_operator_convert(&A, D, storage, 1, NULL));
    OK(perp_factor_new(&f, A, c->kind, ws, NULL));
    OK(perp_factor_block(f, A, c->F, c->k, &done, NULL));
    CU_ASSERT(!done);
    CU_ASSERT(perp_factor_failed_row(f) < 3);
    CU_ASSERT(perp_factor_null_vector(f, A, x));
    CU_ASSERT(proves(c, x));
    for (size_t i = 0; i < 3; i++) {
        bool inside = false;

        for (size_t j = 0; j < c->k; j++) {
            inside = inside || c->F[j] == i;
        }
        CU_ASSERT(inside || x[i] == 0.0);
    }
    perp_factor_close(f);
    pair_discard(ws);
}

TEST(a_failed_pivot_comes_with_its_vector)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        check_failure(&failures[i], PERP_STORAGE_DENSE);
        check_failure(&failures[i], PERP_STORAGE_CSR);
    }
}

/* B B^T of rank 30 is singular from the 31st pivot on, wherever that is. */
TEST(a_large_singular_matrix_comes_with_its_vector)
{
    enum { rank = 30 };
    perp_random g = {5};
    double B[PAIR_ROWS * rank];
    perp_operator *A[2] = {NULL, NULL};

    for (size_t k = 0; k < PAIR_ROWS * rank; k++) {
        B[k] = perp_random_uniform(&g, -1, 1);
    }
    OK(perp_operator_new_dense(&A[0], PAIR_ROWS, PAIR_ROWS, NULL));
    for (size_t i = 0; i < PAIR_ROWS; i++) {
        for (size_t j = 0; j < PAIR_ROWS; j++) {
            for (size_t k = 0; k < rank; k++) {
                A[0]->x[i + j * A[0]->ld] += B[i * rank + k] * B[j * rank + k];
            }
        }
    }
    OK(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL));
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            perp_factor *f = NULL;
            perp_workspace *ws = pair_workspace();
            bool done = true;
            double x[PAIR_ROWS];

            OK(perp_factor_new(&f, A[s], (perp_factor_kind)kind, ws, NULL));
            perp_factor_matrix(f, A[s], &done, NULL);
            CU_ASSERT(!done);
            CU_ASSERT(perp_factor_null_vector(f, A[s], x));
            perp_factor_close(f);
            pair_discard(ws);
        }
    }
}

/* Rows and columns in units 1e8 apart are no reason to call a matrix singular. */
TEST(units_decide_no_pivot)
{
    perp_operator *A[2];
    double left[PAIR_ROWS];
    double right[PAIR_ROWS];

    two_storages_make(A, false, 3);
    for (size_t i = 0; i < PAIR_ROWS; i++) {
        left[i] = pow(10.0, (double)(i % 17) - 8.0);
        right[i] = pow(10.0, (double)(i * 5 % 17) - 8.0);
    }
    for (int s = 0; s < 2; s++) {
        perp_factor *f = NULL;
        perp_workspace *ws = pair_workspace();
        bool done = false;

        perp_operator_scale(A[s], left, right);
        OK(perp_factor_new(&f, A[s], PERP_FACTOR_LU, ws, NULL));
        perp_factor_matrix(f, A[s], &done, NULL);
        CU_ASSERT(done);
        perp_factor_close(f);
        pair_discard(ws);
    }
}

TEST(nan_and_empty_blocks_are_survived)
{
    perp_operator *A[2];

    two_storages_make(A, true, 4);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            perp_factor *f = NULL;
            perp_workspace *ws = pair_workspace();
            bool done = false;
            double saved = A[s]->x[0];

            OK(perp_factor_new(&f, A[s], (perp_factor_kind)kind, ws, NULL));
            OK(perp_factor_block(f, A[s], NULL, 0, &done, NULL));
            CU_ASSERT(done);
            perp_factor_solve(f, NULL);
            A[s]->x[0] = NAN;
            OK(perp_factor_matrix(f, A[s], &done, NULL));
            CU_ASSERT(!done);
            A[s]->x[0] = saved;
            perp_factor_close(f);
            pair_discard(ws);
        }
    }
}
