/* SPDX-License-Identifier: Apache-2.0
 * tests/admm/shifted.c: (A + D)^-1 by factors, velocities and the spectrum. */
#include <config.h>

#include "admm/shifted.h"
#include "answers.h"
#include "scarce.h"

enum { ROWS = 30, SPEEDS = 12 };

/* Of rank SPEEDS: J M^-1 J^T in factors, M^-1 in blocks of 3, symmetric or not. */
static perp_operator *in_factors(uint64_t seed, bool symmetric)
{
    perp_random g = {seed};
    perp_operator *J = NULL;
    perp_operator *Minv = NULL;
    perp_operator *A = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_operator_new_dense(&J, ROWS, SPEEDS, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_dense(&Minv, SPEEDS, SPEEDS, NULL), PERP_OK);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < 6; k++) { /* two bodies that follow one another */
            J->x[i + (i / 3 * 3 + k) % SPEEDS * J->ld] =
                perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    for (size_t i = 0; i < SPEEDS; i++) {
        Minv->x[i + i * Minv->ld] = 1.0 + perp_random_unit(&g);
        for (size_t j = i / 3 * 3; j < i; j++) {
            Minv->x[i + j * Minv->ld] = 0.3 * perp_random_unit(&g);
            Minv->x[j + i * Minv->ld] =
                (symmetric ? 1.0 : -1.0) * Minv->x[i + j * Minv->ld];
        }
    }
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_factored(&A, J, Minv, NULL, NULL), PERP_OK);
    perp_operator_free(J);
    perp_operator_free(Minv);
    return A;
}

/* Solves with three D, one of them twice, and checks (A + D) x = c each time. */
static void check(const perp_operator *A, perp_factor_kind kind, bool spectrum,
                  double factorizations)
{
    const double shift[] = {0.5, 3.0, 0.5, 1e-3};
    perp_random g = {99};
    perp_result *r = NULL;
    shifted s = {0};
    double d[ROWS], c[ROWS], x[ROWS], w[ROWS];
    bool done = false;

    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, ROWS, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_shifted_open(&s, A, kind, spectrum, NULL), PERP_OK);
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < ROWS; i++) {
            d[i] = shift[k] * (spectrum || i % 7 ? 1.0 : 0.1);
            x[i] = c[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        CU_ASSERT_EQUAL(perp_shifted_set(&s, shift[k], d, r, &done, NULL), PERP_OK);
        CU_ASSERT(done);
        perp_shifted_solve(&s, x);
        perp_operator_apply(A, x, w);
        for (size_t i = 0; i < ROWS; i++) {
            w[i] += d[i] * x[i];
        }
        /* backward error: 1e-16 |A| |x| with |A| below 50 and |x| below 1e4/shift */
        CU_ASSERT(test_distance(ROWS, w, c) <= 1e-13 * test_largest(ROWS, x) * 50.0);
    }
    CU_ASSERT_EQUAL(r->work.factorizations, factorizations);
    perp_shifted_close(&s);
    perp_result_free(r);
}

static void every_storage_and_every_way_solves_the_system(void)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};

    for (int symmetric = 0; symmetric < 2; symmetric++) {
        perp_operator *A = in_factors(7, symmetric);

        check(A, PERP_FACTOR_LU, false, 3.0); /* the first D comes back for nothing */
        for (size_t k = 0; k < 3; k++) {
            perp_operator *B = NULL;

            CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&B, A, storages[k], 3, NULL),
                                  PERP_OK);
            check(B, PERP_FACTOR_LU, false, 3.0);
            if (symmetric) {
                check(B, PERP_FACTOR_CHOLESKY, false, 3.0);
                check(B, PERP_FACTOR_LU, true, 0.0);
            }
            perp_operator_free(B);
        }
        perp_operator_free(A);
    }
}

static void a_moved_diagonal_is_factored_anew(void)
{
    perp_operator *A = in_factors(8, true);
    perp_result *r = NULL;
    double d[ROWS], c[ROWS], x[ROWS], w[ROWS];

    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, ROWS, NULL), PERP_OK);
    for (int spectrum = 0; spectrum < 2; spectrum++) {
        shifted s = {0};
        bool done = false;

        CU_ASSERT_EQUAL_FATAL(perp_shifted_open(&s, A, PERP_FACTOR_LU, spectrum, NULL),
                              PERP_OK);
        for (size_t i = 0; i < ROWS; i++) {
            d[i] = 0.1;
        }
        CU_ASSERT_EQUAL(perp_shifted_set(&s, 1.0, d, r, &done, NULL), PERP_OK);
        perp_operator_add_diagonal(A, 2.0);
        perp_shifted_moved(&s, 2.0);
        CU_ASSERT_EQUAL(perp_shifted_set(&s, 1.0, d, r, &done, NULL), PERP_OK);
        for (size_t i = 0; i < ROWS; i++) {
            x[i] = c[i] = 1.0 + (double)i;
        }
        perp_shifted_solve(&s, x);
        perp_operator_apply(A, x, w);
        for (size_t i = 0; i < ROWS; i++) {
            w[i] += d[i] * x[i];
        }
        CU_ASSERT(test_distance(ROWS, w, c) <= 1e-11); /* condition below 50 */
        perp_shifted_close(&s);
    }
    perp_result_free(r);
    perp_operator_free(A);
}

/* A = [1 2; 2 1]: A + D is definite from D = 1 on. */
static void a_system_without_factors_is_reported(void)
{
    const double rows[] = {1, 2, 2, 1};
    const double small[] = {0.5, 0.5};
    const double large[] = {2.0, 2.0};
    perp_operator *A = NULL;
    perp_result *r = NULL;
    shifted s = {0};
    double least = 0.0;
    double most = 0.0;
    double x[] = {1.0, 1.0};
    bool done = true;

    CU_ASSERT_EQUAL_FATAL(perp_operator_new_from_dense(&A, 2, 2, rows, 2, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, 2, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_shifted_extremes(A, &least, &most, NULL), PERP_OK);
    CU_ASSERT_DOUBLE_EQUAL(least, -1.0, 1e-14); /* eigenvalues 3 and -1, to rounding */
    CU_ASSERT_DOUBLE_EQUAL(most, 3.0, 1e-14);
    CU_ASSERT_EQUAL_FATAL(perp_shifted_open(&s, A, PERP_FACTOR_CHOLESKY, false, NULL),
                          PERP_OK);
    CU_ASSERT_EQUAL(perp_shifted_set(&s, 0.5, small, r, &done, NULL), PERP_OK);
    CU_ASSERT(!done);
    CU_ASSERT_EQUAL(perp_shifted_set(&s, 2.0, large, r, &done, NULL), PERP_OK);
    CU_ASSERT(done);
    perp_shifted_solve(&s, x);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 0.2, 1e-15); /* (3 + 2) x = 1 */
    perp_shifted_close(&s);
    perp_result_free(r);
    perp_operator_free(A);
}

typedef struct opening {
    const perp_operator *A;
    perp_factor_kind kind;
    bool spectrum;
} opening;

static perp_status open_one(void *context, perp_error *err)
{
    const opening *o = context;
    shifted s = {0};
    perp_status status = perp_shifted_open(&s, o->A, o->kind, o->spectrum, err);

    perp_shifted_close(&s);
    return status;
}

static void missing_memory_is_survived(void)
{
    perp_operator *A = in_factors(9, true);
    perp_operator *B = NULL;
    opening o = {A, PERP_FACTOR_LU, false};

    CU_ASSERT_EQUAL_FATAL(perp_operator_convert(&B, A, PERP_STORAGE_CSR, 1, NULL),
                          PERP_OK);
    scarce_everywhere(open_one, &o, "velocities");
    o = (opening){B, PERP_FACTOR_CHOLESKY, false};
    scarce_everywhere(open_one, &o, "cholesky");
    o = (opening){B, PERP_FACTOR_LU, true};
    scarce_everywhere(open_one, &o, "spectrum");
    perp_operator_free(A);
    perp_operator_free(B);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(every_storage_and_every_way_solves_the_system),
        TEST(a_moved_diagonal_is_factored_anew),
        TEST(a_system_without_factors_is_reported),
        TEST(missing_memory_is_survived),
        TEST_END,
    };

    return test_run(argc, argv, "shifted", cases);
}
