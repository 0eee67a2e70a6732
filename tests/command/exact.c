/* SPDX-License-Identifier: Apache-2.0
 * tests/command/exact.c: solutions of LCPs and boxes proved in rational numbers. Answers come
 * from arithmetic by hand and from a search over all active sets in 128-bit integers. A build
 * without FLINT refuses, and that is all there is to test. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "interop/exact/exact.h"
#include "tests/support/support.h"

#if defined HAVE_ARB_MAT_H || defined HAVE_FLINT_ARB_MAT_H

/* The verdict on z, whose proof stays in *proof until the next call. */
static exact_verdict verdict_on(const perp_problem *p, const double *z,
                                exact_proof *proof)
{
    perp_error err = {0};

    OK(exact_solution(p, z, 60.0, proof, &err));
    CU_ASSERT_STRING_EQUAL(proof->method, "rational");
    return proof->verdict;
}

static perp_problem *box_of(size_t n, const double *rows, const double *q,
                            const double *lo, const double *hi)
{
    perp_problem *p = test_lcp(n, rows, q);
    perp_set *set = test_new_set(n);

    for (size_t i = 0; i < n; i++) {
        perp_set_add_box(set, lo[i], hi[i]);
    }
    test_give_set(p, set);
    return p;
}

/* A = [2 1; 1 2], b = (-1, 1): z = (1/2, 0), w = (0, 3/2). */
static const double two_rows[4] = {2, 1, 1, 2};
static const double two_b[2] = {-1, 1};

TEST(an_exact_answer_is_proved_without_a_distance)
{
    exact_proof proof = {0};

    CU_ASSERT_EQUAL(verdict_on(test_lcp(2, two_rows, two_b), (double[]){0.5, 0}, &proof),
                    EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    CU_ASSERT_EQUAL(proof.distance[1], 0.0);
    CU_ASSERT(proof.unique);
    CU_ASSERT_EQUAL(proof.changes, 0);
    CU_ASSERT_STRING_EQUAL(proof.says, "this is an exact solution (2 rows; unique)");
    exact_proof_clear(&proof);
}

/* 3 z = 1: the double next to 1/3 is (1 - 2^-54)/3, so the distance is 2^-54/3. */
TEST(a_distance_is_the_least_double_above_the_exact_one)
{
    double third = 1.0 / 3.0, exact = 0x1p-54 / 3.0;
    exact_proof proof = {0};

    CU_ASSERT_EQUAL(
        verdict_on(test_lcp(1, (double[]){3}, (double[]){-1}), &third, &proof),
        EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta,
                    nextafter(exact, 1.0)); /* exact is rounded down: 2^-54/3 */
    CU_ASSERT_EQUAL(proof.distance[0], proof.delta);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "within 1.9e-17 of this one"));
    exact_proof_clear(&proof);
}

TEST(another_active_set_is_refuted_with_the_row_and_the_number)
{
    exact_proof proof = {0};

    CU_ASSERT_EQUAL(verdict_on(test_lcp(2, two_rows, two_b), (double[]){0, 0}, &proof),
                    EXACT_REFUTED);
    CU_ASSERT_EQUAL(proof.row, 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(proof.says, "row 0: w = -1 < 0 at the exact point of its active set"));
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "the only exact solution"));
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says,
                                  "a point within 0.0e+00 solves the problem with b "
                                  "changed by at most 1.0e+00 in 1 row"));
    CU_ASSERT_PTR_NULL(proof.distance);
    exact_proof_clear(&proof);
    /* With b = (-3, -1) the solution is (3/2, 0); both rows free give (5/3, -1/3). */
    CU_ASSERT_EQUAL(verdict_on(test_lcp(2, two_rows, (double[]){-3, -1}),
                               (double[]){0.8, 0.3}, &proof),
                    EXACT_REFUTED);
    CU_ASSERT_EQUAL(proof.row, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "row 1: z = -0.333333 < 0"));
    exact_proof_clear(&proof);
}

/* b_0 = 0 exactly: z_0 = w_0 = 0. */
TEST(a_degenerate_row_may_have_either_state)
{
    const double b[2] = {0, -1};
    const double points[3][2] = {{0, 1}, {1e-17, 1}, {0, 1 + 1e-15}};
    exact_proof proof = {0};

    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(
            verdict_on(test_lcp(2, (double[]){1, 0, 0, 1}, b), points[k], &proof),
            EXACT_PROVED);
        CU_ASSERT(proof.delta <= 2e-15);
        CU_ASSERT(proof.unique);
        exact_proof_clear(&proof);
    }
}

/* b_0 = 1e-17 > 0, but z_0 = 3e-17 > w_0/d would make the row free: x_0 = -1e-17. */
TEST(a_row_that_rounding_decides_changes_its_state)
{
    exact_proof proof = {0};

    CU_ASSERT_EQUAL(
        verdict_on(test_lcp(2, (double[]){1, -1, -1, 2}, (double[]){1 + 0x1p-52, -1}),
                   (double[]){1e-17, 0.5}, &proof),
        EXACT_PROVED);
    exact_proof_clear(&proof);
    CU_ASSERT_EQUAL(
        verdict_on(test_lcp(2, (double[]){1, 0, 0, 1}, (double[]){-1e-17, -1}),
                   (double[]){0, 1}, &proof),
        EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.changes, 1);
    CU_ASSERT_EQUAL(proof.distance[0], 1e-17);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "1 undecided row changed"));
    exact_proof_clear(&proof);
}

/* A = ones, b = (-1, -1): all z >= 0 with z_0 + z_1 = 1 are solutions. */
TEST(dependent_rows_are_kept_where_they_agree)
{
    const double ones[4] = {1, 1, 1, 1};
    exact_proof proof = {0};

    CU_ASSERT_EQUAL(
        verdict_on(test_lcp(2, ones, (double[]){-1, -1}), (double[]){0.3, 0.7}, &proof),
        EXACT_PROVED);
    CU_ASSERT(proof.delta > 0.0 && proof.delta < 1e-16);
    CU_ASSERT_FALSE(proof.unique);
    exact_proof_clear(&proof);
    /* With b_1 = -1 - 2^-52 only z = (0, 1 + 2^-52) is one, far from here. */
    CU_ASSERT_EQUAL(verdict_on(test_lcp(2, ones, (double[]){-1, -1 - 0x1p-52}),
                               (double[]){0.5, 0.5}, &proof),
                    EXACT_OPEN);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "1 of 2 free rows depend on others"));
    exact_proof_clear(&proof);
}

TEST(boxes_have_two_bounds_and_infinite_ones)
{
    const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-5, 5, -2};
    const double lo[3] = {0, -1, -INFINITY}, hi[3] = {2, 1, INFINITY};
    exact_proof proof = {0};
    perp_problem *p = box_of(3, eye, b, lo, hi);

    /* w = (-3, 4, 0) at z = (2, -1, 2). */
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){2, -1, 2 + 0x1p-51}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0x1p-51);
    CU_ASSERT(proof.unique);
    exact_proof_clear(&proof);
    p = box_of(1, eye, b + 1, (double[]){-INFINITY}, (double[]){-7});
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){-7}, &proof),
                    EXACT_PROVED); /* w = -2 <= 0 */
    exact_proof_clear(&proof);
    /* On the upper bound w = -1 would have to be positive: lo <= z <= hi, w = z - 5. */
    p = box_of(2, two_rows, two_b, (double[]){-3, -3}, (double[]){3, 3});
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){1, -1}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    exact_proof_clear(&proof);
    p = box_of(1, eye, (double[]){1}, (double[]){4},
               (double[]){4}); /* fixed: w is free */
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){4}, &proof), EXACT_PROVED);
    exact_proof_clear(&proof);
}

/* w = (2 z_0 + z_1 - 3, z_0 + 2 z_1) with z_0 <= 1.6: both rows free give (2, -1). */
TEST(a_point_beyond_an_upper_bound_is_refuted)
{
    exact_proof proof = {0};
    perp_problem *p = box_of(2, two_rows, (double[]){-3, 0},
                             (double[]){-INFINITY, -INFINITY}, (double[]){1.6, INFINITY});

    CU_ASSERT_EQUAL(verdict_on(p, (double[]){1.5, -0.1}, &proof), EXACT_REFUTED);
    CU_ASSERT_EQUAL(proof.row, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "row 0: z = 2 > 1.6"));
    exact_proof_clear(&proof);
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){1.6, -0.8}, &proof), EXACT_PROVED);
    exact_proof_clear(&proof);
}

TEST(numbers_at_the_ends_of_the_range_are_numbers)
{
    exact_proof proof = {0};

    CU_ASSERT_EQUAL(verdict_on(test_lcp(1, (double[]){1e300}, (double[]){-1e300}),
                               (double[]){1}, &proof),
                    EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    exact_proof_clear(&proof);
    /* w = -2^-1074 < 0 at z = 0, but z = 2^-1074/1e300 is within the least double. */
    CU_ASSERT_EQUAL(verdict_on(test_lcp(1, (double[]){1e300}, (double[]){-0x1p-1074}),
                               (double[]){0}, &proof),
                    EXACT_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "row 0: w = -4.94066e-324 < 0"));
    exact_proof_clear(&proof);
    CU_ASSERT_EQUAL(
        verdict_on(test_lcp(1, (double[]){1}, (double[]){-1}), (double[]){NAN}, &proof),
        EXACT_REFUTED);
    exact_proof_clear(&proof);
}

/* w = -z/4 - 1 < 0 on the upper bound 2^-1074, where s (z - lo) = z/2 underflows to 0. */
TEST(a_solution_whose_slack_underflows_is_exact)
{
    const double least = 0x1p-1074;
    exact_proof proof = {0};
    perp_problem *p =
        box_of(1, (double[]){-0.25}, (double[]){-1}, (double[]){0}, (double[]){least});

    CU_ASSERT_EQUAL(verdict_on(p, &least, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    CU_ASSERT_EQUAL(proof.changes, 0);
    CU_ASSERT_FALSE(proof.unique); /* 0 is none, but A is no P-matrix */
    CU_ASSERT_STRING_EQUAL(proof.says, "this is an exact solution (1 row)");
    exact_proof_clear(&proof);
    /* w = 0 on the upper bound; one step below it s^2 (hi - z) = -w */
    p = box_of(1, (double[]){0x1p-4}, (double[]){-0x1p-1074}, (double[]){0},
               (double[]){16 * least});
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){16 * least}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    CU_ASSERT(proof.unique);
    exact_proof_clear(&proof);
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){15 * least}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, least);
    CU_ASSERT_EQUAL(proof.changes, 0);
    exact_proof_clear(&proof);
}

/* w = 5 - z > 0 all over the box [0, 2^-40]: the nearer bound is no solution. */
TEST(the_sign_of_w_chooses_the_bound_of_a_narrow_box)
{
    exact_proof proof = {0};
    perp_problem *p =
        box_of(1, (double[]){-1}, (double[]){5}, (double[]){0}, (double[]){0x1p-40});

    CU_ASSERT_EQUAL(verdict_on(p, (double[]){0x1.8p-41}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0x1.8p-41);
    exact_proof_clear(&proof);
}

/* w_0 = z_1 - 2^-20 z_0 < 0 on the box [2, 8] with z_1 = 0, so that only its upper bound is a solution.
 * The free point of the answer is 0, and the search goes from there to the lower bound and back. */
TEST(a_search_that_repeats_starts_again_on_the_near_bounds)
{
    exact_proof proof = {0};
    perp_problem *p = box_of(2, (double[]){-0x1p-20, 1, 0, 1}, (double[]){0, 1},
                             (double[]){2, 0}, (double[]){8, INFINITY});

    CU_ASSERT_EQUAL(verdict_on(p, (double[]){8 - 0x1p-10, 0}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0x1p-10);
    CU_ASSERT_EQUAL(proof.changes, 1);
    exact_proof_clear(&proof);
    CU_ASSERT_EQUAL(verdict_on(p, (double[]){4, 0}, &proof), EXACT_REFUTED);
    exact_proof_clear(&proof);
}

/* w = (z_0 - z_1 + 1/4, -w_0): a segment of solutions, of which z is one. */
TEST(a_solution_between_the_bounds_of_dependent_rows_is_exact)
{
    exact_proof proof = {0};
    perp_problem *p = box_of(2, (double[]){1, -1, -1, 1}, (double[]){0.25, -0.25},
                             (double[]){0, 0}, (double[]){1, 1});

    CU_ASSERT_EQUAL(verdict_on(p, (double[]){0.25, 0.5}, &proof), EXACT_PROVED);
    CU_ASSERT_EQUAL(proof.delta, 0.0);
    CU_ASSERT_STRING_EQUAL(proof.says, "this is an exact solution (2 rows)");
    exact_proof_clear(&proof);
}

/* The only solution is 2^1074; the row is free there and at z = 1. */
TEST(a_distance_beyond_the_largest_double_is_left_open)
{
    exact_proof proof = {0};
    perp_problem *p = test_lcp(1, (double[]){0x1p-1074}, (double[]){-1});

    CU_ASSERT_EQUAL(verdict_on(p, (double[]){1}, &proof), EXACT_OPEN);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "farther away than the largest double"));
    exact_proof_clear(&proof);
}

/* w overflows: the rows are on no infinite bound. The only solution of the second is -1e500. */
TEST(an_infinite_w_proves_nothing)
{
    exact_proof proof = {0};
    perp_problem *p = test_lcp(1, (double[]){-1e-300}, (double[]){-1e200});

    CU_ASSERT_NOT_EQUAL(verdict_on(p, (double[]){1}, &proof), EXACT_PROVED);
    exact_proof_clear(&proof);
    p = box_of(1, (double[]){1e-300}, (double[]){1e200}, (double[]){-INFINITY},
               (double[]){INFINITY});
    CU_ASSERT_NOT_EQUAL(verdict_on(p, (double[]){1}, &proof), EXACT_PROVED);
    exact_proof_clear(&proof);
    /* z = 1e320 is the only solution: no double tells how far it is */
    CU_ASSERT_NOT_EQUAL(verdict_on(test_lcp(1, (double[]){1e-320}, (double[]){-1}),
                                   (double[]){0}, &proof),
                        EXACT_PROVED);
    exact_proof_clear(&proof);
}

TEST(the_time_ends_a_proof)
{
    perp_problem *p = test_boxed(40, 3);
    double *z = test_reals(40);
    exact_proof proof = {0};

    OK(exact_solution(p, z, 0.0, &proof, NULL));
    CU_ASSERT_EQUAL(proof.verdict, EXACT_OPEN);
    CU_ASSERT_PTR_NOT_NULL(strstr(proof.says, "time"));
    exact_proof_clear(&proof);
}

/* A triangular matrix with a positive diagonal is an H-matrix; [1 3; -3 1] has a symmetric part I,
 * and [1 -2; -2 1] is no P-matrix. */
TEST(uniqueness_is_claimed_of_p_matrices_only)
{
    const double rows[4][4] = {{1, 0, 9, 1}, {1, 3, -3, 1}, {1, -2, -2, 1}, {0, 1, 1, 0}};
    exact_proof proof = {0};

    for (size_t k = 0; k < 4; k++) {
        perp_problem *p = test_lcp(2, rows[k], (double[]){1, 1});

        CU_ASSERT_EQUAL(verdict_on(p, (double[]){0, 0}, &proof), EXACT_PROVED);
        CU_ASSERT_EQUAL(proof.unique, k < 2);
        exact_proof_clear(&proof);
    }
}

/* Determinant of a matrix of order n <= 3, in whole numbers. */
static __int128 determinant(size_t n, __int128 a[3][3])
{
    return n == 0   ? 1
           : n == 1 ? a[0][0]
           : n == 2 ? a[0][0] * a[1][1] - a[0][1] * a[1][0]
                    : a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                          a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                          a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* By Cramer's rule: x_i = x[i]/den of the set F (bits); false where A_FF is singular or the point
 * is no solution. */
static bool solves(const int A[3][3], const int b[3], unsigned F, __int128 x[3],
                   __int128 *den)
{
    size_t rows[3], count = 0;
    __int128 sub[3][3] = {{0}}, with[3][3];

    for (size_t i = 0; i < 3; i++) {
        x[i] = 0;
        if (F >> i & 1) {
            rows[count++] = i;
        }
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t c = 0; c < count; c++) {
            sub[r][c] = A[rows[r]][rows[c]];
        }
    }
    *den = determinant(count, sub);
    for (size_t c = 0; c < count && *den != 0; c++) {
        memcpy(with, sub, sizeof with);
        for (size_t r = 0; r < count; r++) {
            with[r][c] = -b[rows[r]];
        }
        x[rows[c]] = determinant(count, with) * (*den < 0 ? -1 : 1);
    }
    *den = *den < 0 ? -*den : *den;
    for (size_t i = 0; i < 3 && *den != 0; i++) {
        __int128 w = *den * b[i];

        for (size_t j = 0; j < 3; j++) {
            w += A[i][j] * x[j];
        }
        if (x[i] < 0 || w < 0) {
            return false;
        }
    }
    return *den != 0;
}

static int draw(perp_random *g, int most)
{
    return (int)perp_random_integer(g, -most, most);
}

/* Every vertex solution of small random LCPs is proved from its rounded point, and a proof of any
 * other point is true: one of the solutions, or a segment between two, is within its distances. */
TEST(all_solutions_of_small_random_problems_are_proved)
{
    perp_random g = {0};
    size_t proved = 0, others = 0;

    g.state = 11;
    for (size_t t = 0; t < 500; t++) {
        int A[3][3], b[3];
        double rows[9], q[3], z[3];
        size_t mark = test_mark();

        for (size_t i = 0; i < 3; i++) {
            b[i] = draw(&g, 6);
            q[i] = b[i];
            for (size_t j = 0; j < 3; j++) {
                A[i][j] = draw(&g, 4);
                rows[3 * i + j] = A[i][j];
            }
        }
        perp_problem *p = test_lcp(3, rows, q);
        for (unsigned F = 0; F < 8; F++) {
            exact_proof proof = {0};
            __int128 x[3], den = 0;
            bool exact = solves(A, b, F, x, &den);

            for (size_t i = 0; i < 3; i++) {
                z[i] = exact ? (double)x[i] / (double)den : 0.5 * draw(&g, 3) + 1.5;
            }
            if (verdict_on(p, z, &proof) == EXACT_PROVED) {
                others += !exact;
                CU_ASSERT(!exact || proof.delta < 1e-13);
                CU_ASSERT(proof.delta >= 0.0);
            }
            if (exact && proof.verdict != EXACT_PROVED) {
                test_note("case %zu set %u: %s", t, F, proof.says);
            }
            CU_ASSERT(!exact || proof.verdict == EXACT_PROVED);
            proved += exact;
            exact_proof_clear(&proof);
        }
        test_release(mark);
    }
    CU_ASSERT(proved > 200);
    CU_ASSERT(others < 4000);
}

/* A proved point x is within distance of z, so residuals of z are small: w_i >= -sum |A| d. */
TEST(what_is_proved_of_random_boxes_is_within_its_distances)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        perp_problem *p = test_boxed(30, seed);
        perp_result *r = test_solve(p, "murty", NULL);
        exact_proof proof = {0};

        CU_ASSERT_EQUAL(verdict_on(p, r->z, &proof), EXACT_PROVED);
        CU_ASSERT(proof.delta < 1e-12);
        CU_ASSERT(proof.unique);
        /* 1e-7 away, on the same active set: the distance is 1e-7 as well. */
        for (size_t i = 0; i < p->n; i++) {
            r->z[i] += proof.distance[i] > 0.0 ? 1e-7 : 0.0;
        }
        exact_proof_clear(&proof);
        CU_ASSERT_EQUAL(verdict_on(p, r->z, &proof), EXACT_PROVED);
        CU_ASSERT(fabs(proof.delta - 1e-7) < 1e-11);
        exact_proof_clear(&proof);
    }
}

TEST(printed_bounds_are_rounded_to_the_safe_side)
{
    char room[PERP_NUMBER_LENGTH];
    perp_random g = {0};

    g.state = 5;
    for (size_t t = 0; t < 2000; t++) {
        double x = ldexp(1.0 + perp_random_unit(&g), (int)(t % 2000) - 1000);

        CU_ASSERT(strtod(perp_number_above(room, x), NULL) >= x);
        CU_ASSERT(strtod(room, NULL) <= 1.11 * x);
        CU_ASSERT(strtod(perp_number_below(room, x), NULL) <= x);
        CU_ASSERT(strtod(room, NULL) >= 0.89 * x);
    }
    CU_ASSERT_STRING_EQUAL(perp_number_above(room, 0.0), "0.0e+00");
    CU_ASSERT_STRING_EQUAL(perp_number_above(room, 2.0), "2.0e+00");
    CU_ASSERT_STRING_EQUAL(perp_number_above(room, 9.95), "1.0e+01");
    /* The double next to 0.1 is above it, that next to 0.3 below; "4.9e-324" is below 2^-1074. */
    CU_ASSERT_STRING_EQUAL(perp_number_above(room, 0.1), "1.1e-01");
    CU_ASSERT_STRING_EQUAL(perp_number_below(room, 0.1), "1.0e-01");
    CU_ASSERT_STRING_EQUAL(perp_number_above(room, 0.3), "3.0e-01");
    CU_ASSERT_STRING_EQUAL(perp_number_below(room, 0.3), "2.9e-01");
    CU_ASSERT_STRING_EQUAL(perp_number_above(room, 0x1p-1074), "5.0e-324");
    CU_ASSERT_STRING_EQUAL(perp_number_below(room, DBL_MAX), "1.7e+308");
    CU_ASSERT_STRING_EQUAL(perp_number_below(room, INFINITY), "inf");
}

#else

TEST(a_build_without_flint_refuses)
{
    exact_proof proof = {0};
    perp_error err = {0};
    double z = 0.0;

    CU_ASSERT_EQUAL(
        exact_solution(test_lcp(1, (double[]){1}, (double[]){1}), &z, 1.0, &proof, &err),
        PERP_ERR_LIBRARY);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "this build has no exact arithmetic"));
}

#endif
