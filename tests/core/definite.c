/* SPDX-License-Identifier: Apache-2.0
 * tests/core/definite.c: what is said to be positive definite is so, and then no direction
 * certifies that there is no solution. Matrices with conditions from 1e2 to 1e18. */
#include <config.h>

#include <math.h>

#include "judge/certificate_private.h"
#include "support.h"

enum { MOST = 50, DRAWS = 400, WIDE = 2000 };

/* Cholesky in 64 bits of mantissa: whether A is positive definite to n^2 2^-64 of its trace, far
 * below what a certificate in doubles can leave to chance. */
static bool holds(const double *A, size_t n)
{
    static long double L[MOST * MOST];

    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            long double sum = 0.5L * ((long double)A[i + j * n] + A[j + i * n]);

            for (size_t k = 0; k < j; k++) {
                sum -= L[i + k * n] * L[j + k * n];
            }
            if (i == j && !(sum > 0.0L)) {
                return false;
            }
            L[i + j * n] = i == j ? sqrtl(sum) : sum / L[j + j * n];
        }
    }
    return true;
}

/* A := H D H for a reflection H and D from 1 to 1/condition; `shift` is taken from its diagonal. */
static void draw(double *A, size_t n, double condition, double shift, double skew,
                 perp_random *g)
{
    double v[MOST], length = 0.0;

    for (size_t i = 0; i < n; i++) {
        v[i] = perp_random_uniform(g, -1.0, 1.0);
        length += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;

            for (size_t k = 0; k < n; k++) {
                double d = n > 1 ? pow(condition, -(double)k / (double)(n - 1)) : 1.0;
                double h_ik = (i == k) - 2.0 * v[i] * v[k] / length;
                double h_kj = (k == j) - 2.0 * v[k] * v[j] / length;

                sum += h_ik * d * h_kj;
            }
            A[i + j * n] = sum - (i == j ? shift : 0.0) +
                           (i < j   ? skew
                            : i > j ? -skew
                                    : 0);
        }
    }
}

/* What the test says of A (n x n, by columns) in that storage, with scales from the diagonal. */
static bool holds_in(const double *A, size_t n, perp_storage storage,
                     bool (*test)(const perp_operator *A, const double *s))
{
    double s[MOST];

    for (size_t i = 0; i < n; i++) {
        s[i] = A[i + i * n] > 0.0 ? sqrt(A[i + i * n]) : 1.0;
    }
    perp_operator *dense = test_new_from_dense(n, n, A, n);
    perp_operator *stored = test_convert(dense, storage, 1);
    return test(stored, s);
}

static bool certified(const double *A, size_t n, perp_storage storage)
{
    return holds_in(A, n, storage, perp_certificate_definite);
}

static bool dominant(const double *A, size_t n)
{
    return holds_in(A, n, PERP_STORAGE_DENSE, perp_certificate_dominant);
}

TEST(no_matrix_is_said_to_be_definite_that_is_not)
{
    static double A[MOST * MOST];
    perp_random g = {11};
    size_t said = 0, not = 0;

    for (size_t k = 0; k < DRAWS; k++) {
        size_t n = (size_t)perp_random_integer(&g, 2, k % 8 ? 12 : MOST);
        double condition = pow(10.0, perp_random_uniform(&g, 2.0, 18.0));
        double shift = k % 3 ? 0.0 : perp_random_uniform(&g, 0.5, 2.0) / condition;
        double skew = k % 5 ? 0.0 : pow(10.0, perp_random_uniform(&g, -3.0, 12.0));

        draw(A, n, condition, shift, skew, &g);
        bool yes = certified(A, n, k % 2 ? PERP_STORAGE_DENSE : PERP_STORAGE_CSR);
        said += yes;
        if (!holds(A, n)) {
            not ++;
            CU_ASSERT_FALSE(yes);
        }
        /* what is far from singular and symmetric is recognised */
        if (condition < 1e10 && shift == 0.0 && skew == 0.0) {
            CU_ASSERT(yes);
        }
    }
    test_note("%zu of %d said to be definite, %zu are not", said, DRAWS, not );
    CU_ASSERT(said > DRAWS / 4);
    CU_ASSERT(not > DRAWS / 16);
}

/* (A + A^T)/2 is [1 2; 2 1], then the identity. */
TEST(the_symmetric_part_decides)
{
    const double big = 0x1p54, no[4] = {1.0, -big, big + 4.0, 1.0};
    const double yes[4] = {1.0, -big, big, 1.0};

    CU_ASSERT_FALSE(certified(no, 2, PERP_STORAGE_DENSE));
    CU_ASSERT_FALSE(certified(no, 2, PERP_STORAGE_CSR));
    CU_ASSERT(certified(yes, 2, PERP_STORAGE_DENSE));
}

/* The second difference has a least eigenvalue of (pi/n)^2: 2.5e-6; with 1.9999 on the diagonal
 * it is negative. More rows than those that are factored as dense matrices. */
TEST(a_large_sparse_matrix_has_a_sparse_factor)
{
    static const double diagonals[] = {2.0, 1.9999};

    for (size_t k = 0; k < 2; k++) {
        perp_triplets t;
        perp_operator *A = NULL;
        double *s = test_reals(WIDE);

        perp_triplets_init(&t, WIDE, WIDE, 3 * (size_t)WIDE);
        for (size_t i = 0; i < WIDE; i++) {
            s[i] = sqrt(2.0);
            perp_triplets_add(&t, i, i, diagonals[k]);
            if (i + 1 < WIDE) {
                perp_triplets_add(&t, i, i + 1, -1.0);
                perp_triplets_add(&t, i + 1, i, -1.0);
            }
        }
        OK(perp_triplets_finish(&A, &t, NULL));
        CU_ASSERT_EQUAL(perp_certificate_definite(A, s), k == 0);
        perp_triplets_free(&t);
    }
}

/* [1 -1; -1 1 + 2^-42]: y = (1, 1) misses a sign by 2^-42 and would exclude s|z| < 4e12. */
TEST(no_direction_certifies_where_a_is_definite)
{
    const double rows[4] = {1.0, -1.0, -1.0, 1.0 + 0x1p-42}, q[2] = {-1.0, 0.0};
    const double y[2] = {1.0, 1.0};
    perp_problem *p = test_lcp(2, rows, q);

    CU_ASSERT_EQUAL(perp_certificate_radius(p, y), 0.0);
}

/* [1 -1; -1 1 + 16 eps]: the determinant is 16 eps, which the bound of doubles does not see; with
 * 1 - eps/2 it is negative. */
TEST(pairs_of_doubles_tell_a_matrix_from_a_singular_one)
{
    const double yes[4] = {1.0, -1.0, -1.0, 1.0 + 0x1p-48};
    const double eps[4] = {1.0, -1.0, -1.0, 1.0 + DBL_EPSILON};
    const double singular[4] = {1.0, -1.0, -1.0, 1.0};
    const double no[4] = {1.0, -1.0, -1.0, 1.0 - 0x1p-53};

    CU_ASSERT(certified(yes, 2, PERP_STORAGE_DENSE));
    CU_ASSERT(certified(eps, 2, PERP_STORAGE_CSR));
    CU_ASSERT_FALSE(certified(singular, 2, PERP_STORAGE_DENSE));
    CU_ASSERT_FALSE(certified(no, 2, PERP_STORAGE_DENSE));
}

/* Column-major. A triangular matrix with a positive diagonal is one whatever its entries are; with
 * both off-diagonal entries c it is one for c < 1. */
TEST(dominance_by_hand)
{
    const double upper[4] = {1.0, 0.0, -1e15, 1.0}, lower[4] = {1e-150, 1e150, 0.0, 1.0};
    const double below[4] = {1.0, 0.99, -0.99, 1.0}, one[4] = {1.0, 1.0, -1.0, 1.0};
    const double zero[4] = {1.0, 0.0, -1.0, 0.0}, huge[4] = {1e-300, 0.0, 1e300, 1e-300};
    const double cyclic[9] = {2.0, 1.0, 0.0, 0.0, 2.0, 1e3, 7e-4, 0.0, 2.0};

    CU_ASSERT(dominant(upper, 2));
    CU_ASSERT(dominant(lower, 2));
    CU_ASSERT(dominant(below, 2));
    CU_ASSERT_FALSE(dominant(one, 2));
    CU_ASSERT_FALSE(dominant(zero, 2));
    CU_ASSERT_FALSE(dominant(huge, 2)); /* no u in the range of doubles */
    CU_ASSERT(dominant(cyclic, 3));     /* 1 1e3 7e-4 < 2 2 2 */
}

/* [1 -1e15; 0 1], b = (0, -1): z = (1e15, 1) solves it, and y = (1e-15, 1) excludes less. */
TEST(no_direction_certifies_where_a_is_triangular)
{
    const double rows[4] = {1.0, -1e15, 0.0, 1.0}, q[2] = {0.0, -1.0},
                 y[2] = {1e-15, 1.0};
    perp_problem *p = test_lcp(2, rows, q);

    CU_ASSERT_EQUAL(perp_certificate_radius(p, y), 0.0);
}

/* w_0 = -1 + 1e-14 z_1: y = e_0 excludes z_1 < 1e14. */
TEST(radius_and_margin_by_hand)
{
    const double rows[4] = {0.0, 1e-14, 0.0, 1.0}, q[2] = {-1.0, 1.0}, y[2] = {1.0, 0.0};
    perp_problem *p = test_lcp(2, rows, q);
    double s[2], radius = 0.0, margin = 0.0, beta = 0.0;

    OK(perp_row_scales(p, s, NULL));
    beta = fmax(1.0 / s[0], 1.0 / s[1]);
    perp_certificate_measure(p, y, &radius, &margin);
    CU_ASSERT_DOUBLE_EQUAL(radius, 1e14 * s[1], 1e3 * s[1]);
    CU_ASSERT_DOUBLE_EQUAL(margin * beta, 1.0 / (2e-14 / s[1] + s[0]),
                           1e-10 / (2e-14 / s[1] + s[0]));
}

/* -value/misses overflows: z = (-1, 1e284) is a solution, so the radius is finite. */
TEST(a_radius_that_overflows_stays_finite)
{
    const double rows[4] = {-1e150, -1e-310, -1e300, -1e16}, y[2] = {1, 0};
    perp_problem *p = test_lcp(2, rows, (double[]){-1e-16, -1e-16});
    double radius = 0.0, margin = 0.0;
    perp_set *set = test_new_set(2);

    perp_set_add_box(set, -1, -1);
    perp_set_add_free(set);
    test_give_set(p, set);
    for (int sign = -1; sign <= 1; sign += 2) {
        perp_certificate_measure(p, (double[]){0, sign * y[0]}, &radius, &margin);
        CU_ASSERT(isfinite(radius) && isfinite(margin));
        perp_certificate_measure(p, (double[]){sign * y[0], 0}, &radius, &margin);
        CU_ASSERT(isfinite(radius) && isfinite(margin));
    }
}

/* 1000 bounds of -60 beside one of -2^60: each sum of them rounds 60 away. z = lo is a solution, as
 * w_0 = 30048 shows. */
TEST(sums_of_bounds_count_their_rounding)
{
    enum { SMALL = 1000, N = SMALL + 2 };
    const double big = 0x1p60;
    double *A = test_reals((size_t)N * N), *b = test_reals(N), *y = test_reals(N);
    perp_set *set = test_new_set(N);

    for (size_t j = 0; j < N; j++) {
        double lo = j == 0 ? 0.0 : j <= SMALL ? -60.0 : -(big - 29952.0);

        A[j] = -1.0;
        A[j * N + j] = j == 0 ? -1.0 : 1.0;
        b[j] = j == 0 ? -big : -lo;
        perp_set_add_box(set, lo, INFINITY);
    }
    y[0] = 1.0;
    perp_problem *p = test_lcp(N, A, b);
    test_give_set(p, set);
    CU_ASSERT_EQUAL(perp_certificate_radius(p, y), 0.0);
}
