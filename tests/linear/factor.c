/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/factor.c: factorisations solve what they factored, and report where they
 * cannot; their memory is counted. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/block_shift.h"
#include "linear/factor.h"
#include "scarce.h"

enum { rows = 40 };

/* Diagonally dominant by 1 in rows and columns, so the condition is at most about 40 and
 * a solve errs by some 40 * 40 eps = 4e-13. */
static const double solve_tolerance = 1e-11;

static perp_workspace *workspace(void)
{
    perp_workspace *ws = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&ws, 0, NULL), PERP_OK);
    return ws;
}

/* All that was charged must have been discharged. */
static void discard(perp_workspace *ws)
{
    perp_workspace_release(ws, 0);
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
    perp_workspace_free(ws);
}

/* Tridiagonal with some entries far off, symmetric or not, in both storages. */
static void make_pair(perp_operator *A[2], bool symmetric, uint64_t seed)
{
    perp_random g = {seed};
    perp_operator *D = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_operator_new_dense(&D, rows, rows, NULL), PERP_OK);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < i; j++) {
            if (i - j == 1 || perp_random_uniform(&g, 0, 1) < 0.05) {
                double a = perp_random_uniform(&g, -1, 1);

                D->x[i + j * D->ld] = a;
                D->x[j + i * D->ld] = symmetric ? a : perp_random_uniform(&g, -1, 1);
            }
        }
    }
    for (size_t i = 0; i < rows; i++) {
        double sum = 1.0;

        for (size_t j = 0; j < rows; j++) {
            sum += fmax(fabs(D->x[i + j * D->ld]), fabs(D->x[j + i * D->ld]));
        }
        D->x[i + i * D->ld] = sum;
    }
    A[0] = D;
    CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&A[1], D, PERP_STORAGE_CSR, 1, NULL),
                          PERP_OK);
}

static void free_pair(perp_operator *A[2])
{
    perp_operator_free(A[0]);
    perp_operator_free(A[1]);
}

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
    perp_workspace *ws = workspace();
    perp_random g = {7};

    CU_ASSERT_EQUAL_FATAL(perp_factor_new(&f, A, kind, ws, NULL), PERP_OK);
    for (size_t stride = 7; stride-- > 0;) {
        size_t F[rows];
        size_t k = 0;
        bool done = false;
        double x[rows];
        double b[rows];

        for (size_t i = 0; i < rows; i += stride + 1) {
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
    discard(ws);
}

static void principal_blocks_are_solved_in_both_storages(void)
{
    perp_operator *A[2];

    for (uint64_t seed = 1; seed <= 5; seed++) {
        test_note("seed %d", (int)seed);
        make_pair(A, true, seed);
        for (int s = 0; s < 2; s++) {
            check_blocks(A[s], PERP_FACTOR_CHOLESKY);
            check_blocks(A[s], PERP_FACTOR_LU);
        }
        free_pair(A);
        make_pair(A, false, seed);
        for (int s = 0; s < 2; s++) {
            check_blocks(A[s], PERP_FACTOR_LU);
        }
        free_pair(A);
    }
}

/* Chains of 2 to 5 rows, each coupled one way to the next: several blocks in the
 * triangular form, with entries above them that a principal block may lack. */
static void blocks_of_a_reducible_matrix_are_solved(void)
{
    perp_operator *A[2];

    make_pair(A, false, 12);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < i; j++) {
            if (j / 5 != i / 5) {
                A[0]->x[i + j * A[0]->ld] = 0.0;
                A[0]->x[j + i * A[0]->ld] = j % 3 == 0 ? 0.5 : 0.0;
            }
        }
        A[0]->x[i + i * A[0]->ld] = (double)rows;
    }
    perp_operator_free(A[1]);
    CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL),
                          PERP_OK);
    for (int s = 0; s < 2; s++) {
        check_blocks(A[s], PERP_FACTOR_LU);
    }
    free_pair(A);
}

/* The upper triangle may hold anything. */
static void cholesky_reads_the_lower_triangle_alone(void)
{
    perp_operator *A[2];
    perp_operator *spoilt = NULL;

    make_pair(A, true, 11);
    for (int s = 0; s < 2; s++) {
        double x[rows];
        double y[rows];
        bool done[2] = {false, false};
        perp_factor *f = NULL;
        perp_workspace *ws = workspace();

        CU_ASSERT_EQUAL_FATAL(perp_operator_copy(&spoilt, A[s], NULL), PERP_OK);
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = i + 1; s == 0 && j < rows; j++) {
                spoilt->x[i + j * spoilt->ld] = 9.0;
            }
            for (size_t k = s ? spoilt->ptr[i] : 0; s && k < spoilt->ptr[i + 1]; k++) {
                spoilt->x[k] = (size_t)spoilt->col[k] > i ? 9.0 : spoilt->x[k];
            }
            x[i] = y[i] = (double)i - 7.0;
        }
        CU_ASSERT_EQUAL_FATAL(perp_factor_new(&f, A[s], PERP_FACTOR_CHOLESKY, ws, NULL),
                              PERP_OK);
        perp_factor_matrix(f, A[s], &done[0], NULL);
        perp_factor_solve(f, x);
        perp_factor_matrix(f, spoilt, &done[1], NULL);
        perp_factor_solve(f, y);
        CU_ASSERT(done[0] && done[1]);
        CU_ASSERT_EQUAL(memcmp(x, y, sizeof x), 0);
        perp_factor_close(f);
        discard(ws);
        perp_operator_free(spoilt);
    }
    free_pair(A);
}

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
    perp_operator *D = NULL;
    perp_operator *A = NULL;
    perp_factor *f = NULL;
    perp_workspace *ws = workspace();
    bool done = true;
    double x[3];

    test_note("%s, %s", c->what, c->kind == PERP_FACTOR_LU ? "LU" : "Cholesky");
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_from_dense(&D, 3, 3, c->a, 3, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_operator_transpose(&A, D, NULL), PERP_OK);
    perp_operator_free(D);
    D = A;
    CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&A, D, storage, 1, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_factor_new(&f, A, c->kind, ws, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_factor_block(f, A, c->F, c->k, &done, NULL), PERP_OK);
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
    discard(ws);
    perp_operator_free(A);
    perp_operator_free(D);
}

static void a_failed_pivot_comes_with_its_vector(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        check_failure(&failures[i], PERP_STORAGE_DENSE);
        check_failure(&failures[i], PERP_STORAGE_CSR);
    }
}

/* B B^T of rank 30 is singular from the 31st pivot on, wherever that is. */
static void a_large_singular_matrix_comes_with_its_vector(void)
{
    enum { rank = 30 };
    perp_random g = {5};
    double B[rows * rank];
    perp_operator *A[2] = {NULL, NULL};

    for (size_t k = 0; k < rows * rank; k++) {
        B[k] = perp_random_uniform(&g, -1, 1);
    }
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_dense(&A[0], rows, rows, NULL), PERP_OK);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < rows; j++) {
            for (size_t k = 0; k < rank; k++) {
                A[0]->x[i + j * A[0]->ld] += B[i * rank + k] * B[j * rank + k];
            }
        }
    }
    CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&A[1], A[0], PERP_STORAGE_CSR, 1, NULL),
                          PERP_OK);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            perp_factor *f = NULL;
            perp_workspace *ws = workspace();
            bool done = true;
            double x[rows];

            CU_ASSERT_EQUAL_FATAL(
                perp_factor_new(&f, A[s], (perp_factor_kind)kind, ws, NULL), PERP_OK);
            perp_factor_matrix(f, A[s], &done, NULL);
            CU_ASSERT(!done);
            CU_ASSERT(perp_factor_null_vector(f, A[s], x));
            perp_factor_close(f);
            discard(ws);
        }
    }
    free_pair(A);
}

/* Rows and columns in units 1e8 apart are no reason to call a matrix singular. */
static void units_decide_no_pivot(void)
{
    perp_operator *A[2];
    double left[rows];
    double right[rows];

    make_pair(A, false, 3);
    for (size_t i = 0; i < rows; i++) {
        left[i] = pow(10.0, (double)(i % 17) - 8.0);
        right[i] = pow(10.0, (double)(i * 5 % 17) - 8.0);
    }
    for (int s = 0; s < 2; s++) {
        perp_factor *f = NULL;
        perp_workspace *ws = workspace();
        bool done = false;

        perp_operator_scale(A[s], left, right);
        CU_ASSERT_EQUAL_FATAL(perp_factor_new(&f, A[s], PERP_FACTOR_LU, ws, NULL),
                              PERP_OK);
        perp_factor_matrix(f, A[s], &done, NULL);
        CU_ASSERT(done);
        perp_factor_close(f);
        discard(ws);
    }
    free_pair(A);
}

static void nan_and_empty_blocks_are_survived(void)
{
    perp_operator *A[2];

    make_pair(A, true, 4);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            perp_factor *f = NULL;
            perp_workspace *ws = workspace();
            bool done = false;
            double saved = A[s]->x[0];

            CU_ASSERT_EQUAL_FATAL(
                perp_factor_new(&f, A[s], (perp_factor_kind)kind, ws, NULL), PERP_OK);
            CU_ASSERT_EQUAL(perp_factor_block(f, A[s], NULL, 0, &done, NULL), PERP_OK);
            CU_ASSERT(done);
            perp_factor_solve(f, NULL);
            A[s]->x[0] = NAN;
            CU_ASSERT_EQUAL(perp_factor_matrix(f, A[s], &done, NULL), PERP_OK);
            CU_ASSERT(!done);
            A[s]->x[0] = saved;
            perp_factor_close(f);
            discard(ws);
        }
    }
    free_pair(A);
}

/* K = L (A + H), entry by entry. */
static void check_system(const perp_operator *A, const perp_set *set)
{
    static const double L[9] = {1, 2, 0, -1, 1, 3, 0.5, 0, 2};
    static const double H[9] = {4, 1, 2, 0, 5, 1, 1, 0, 6};
    double want[6][6];
    perp_operator *K = NULL;
    perp_workspace *ws = workspace();

    CU_ASSERT_EQUAL_FATAL(perp_block_shift_new(&K, A, set, ws, NULL), PERP_OK);
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
    discard(ws);
}

static void systems_hold_blocks_that_the_matrix_lacks(void)
{
    static const int32_t at[4][2] = {{0, 0}, {1, 4}, {3, 3}, {5, 1}};
    static const double values[4] = {2, -1, 3, 7};
    static const double mu[2] = {0.5, 0.5};
    int32_t i[4];
    int32_t j[4];
    perp_operator *A = NULL;
    perp_set *set = NULL;

    for (size_t k = 0; k < 4; k++) {
        i[k] = at[k][0];
        j[k] = at[k][1];
    }
    CU_ASSERT_EQUAL_FATAL(perp_set_new_cones(&set, 3, 2, mu, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(
        perp_operator_new_from_triplets(&A, 6, 6, 4, i, j, values, NULL), PERP_OK);
    for (int k = 0; k < 3; k++) {
        static const perp_storage storages[3] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                                 PERP_STORAGE_BSR};
        perp_operator *B = NULL;

        CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&B, A, storages[k], 3, NULL),
                              PERP_OK);
        check_system(B, set);
        perp_operator_free(B);
    }
    perp_operator_free(A);
    perp_set_free(set);
}

/* A chain of 40 rows is far from full, with and without blocks. */
static void sparse_systems_stay_sparse(void)
{
    perp_operator *A[2];
    perp_operator *K = NULL;
    perp_workspace *ws = workspace();

    make_pair(A, true, 8);
    CU_ASSERT_EQUAL_FATAL(perp_block_shift_new(&K, A[1], NULL, ws, NULL), PERP_OK);
    CU_ASSERT_EQUAL(K->type->storage, PERP_STORAGE_CSR);
    perp_block_shift_load(K, A[1]);
    CU_ASSERT(perp_operator_same(K, A[1]));
    perp_block_shift_add(K, 5, 1, &(double){2.5});
    CU_ASSERT_EQUAL(perp_operator_diagonal(K, 5), perp_operator_diagonal(A[1], 5) + 2.5);
    discard(ws);
    free_pair(A);
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
    perp_workspace_free(ws);
    return status;
}

static void failing_memory_is_survived(void)
{
    perp_operator *A[2];

    make_pair(A, true, 6);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            attempt a = {A[s], (perp_factor_kind)kind};

            scarce_everywhere(factor_once, &a, "factor");
        }
    }
    free_pair(A);
}

/* Every limit below what a factorisation needs is an error of memory. */
static void check_limits(const attempt *a, size_t needed)
{
    for (size_t limit = 64; limit < needed; limit += needed / 20) {
        perp_workspace *ws = NULL;
        perp_factor *f = NULL;
        perp_error err = {0};
        bool done = false;
        perp_status status = PERP_OK;

        CU_ASSERT_EQUAL_FATAL(perp_workspace_new(&ws, limit, NULL), PERP_OK);
        status = perp_factor_new(&f, a->A, a->kind, ws, &err);
        if (status == PERP_OK) {
            status = perp_factor_matrix(f, a->A, &done, &err);
        }
        CU_ASSERT_EQUAL(status, PERP_ERR_MEMORY);
        CU_ASSERT(strstr(err.text, "allowed") != NULL);
        perp_factor_close(f);
        discard(ws);
    }
}

/* 40 x 40 reals dense; L has an entry per entry of the lower triangle at least. */
static void factors_are_counted_and_refused_beyond_the_limit(void)
{
    perp_operator *A[2];

    make_pair(A, true, 9);
    for (int s = 0; s < 2; s++) {
        for (int kind = PERP_FACTOR_LU; kind <= PERP_FACTOR_CHOLESKY; kind++) {
            attempt a = {A[s], (perp_factor_kind)kind};
            size_t least = sizeof(double) * (s ? A[1]->ptr[rows] / 2 : rows * rows);
            perp_workspace *ws = workspace();
            perp_factor *f = NULL;
            bool done = false;

            CU_ASSERT_EQUAL_FATAL(perp_factor_new(&f, A[s], a.kind, ws, NULL), PERP_OK);
            CU_ASSERT_EQUAL(perp_factor_matrix(f, A[s], &done, NULL), PERP_OK);
            CU_ASSERT(perp_workspace_bytes(ws) >= least);
            check_limits(&a, perp_workspace_peak(ws));
            perp_factor_close(f);
            discard(ws);
        }
    }
    free_pair(A);
}

/* LU starts after a Cholesky factorisation, while others use the workspace. */
static void a_factor_changes_its_kind_at_any_time(void)
{
    perp_operator *A[2];

    make_pair(A, true, 10);
    for (int s = 0; s < 2; s++) {
        perp_workspace *ws = workspace();
        perp_factor *f = NULL;
        size_t mark = 0;
        double x[3][rows];

        CU_ASSERT_EQUAL_FATAL(perp_factor_new(&f, A[s], PERP_FACTOR_CHOLESKY, ws, NULL),
                              PERP_OK);
        for (int k = 0; k < 3; k++) {
            bool done = false;

            CU_ASSERT_EQUAL(
                perp_factor_set_kind(
                    f, A[s], k == 1 ? PERP_FACTOR_LU : PERP_FACTOR_CHOLESKY, NULL),
                PERP_OK);
            perp_workspace_release(ws, mark);
            CU_ASSERT_EQUAL(perp_factor_matrix(f, A[s], &done, NULL), PERP_OK);
            CU_ASSERT(done);
            for (size_t i = 0; i < rows; i++) {
                x[k][i] = (double)i - 7.0;
            }
            perp_factor_solve(f, x[k]);
        }
        for (size_t i = 0; i < rows; i++) {
            CU_ASSERT_DOUBLE_EQUAL(x[0][i], x[1][i], solve_tolerance);
        }
        CU_ASSERT_EQUAL(memcmp(x[0], x[2], sizeof *x), 0);
        perp_factor_close(f);
        discard(ws);
    }
    free_pair(A);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(principal_blocks_are_solved_in_both_storages),
        TEST(blocks_of_a_reducible_matrix_are_solved),
        TEST(cholesky_reads_the_lower_triangle_alone),
        TEST(a_failed_pivot_comes_with_its_vector),
        TEST(a_large_singular_matrix_comes_with_its_vector),
        TEST(units_decide_no_pivot),
        TEST(nan_and_empty_blocks_are_survived),
        TEST(systems_hold_blocks_that_the_matrix_lacks),
        TEST(sparse_systems_stay_sparse),
        TEST(failing_memory_is_survived),
        TEST(factors_are_counted_and_refused_beyond_the_limit),
        TEST(a_factor_changes_its_kind_at_any_time),
        TEST_END,
    };

    return test_run(argc, argv, "factor", cases);
}
