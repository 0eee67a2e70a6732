/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/ldlt.c: rows in and out of L D L^T, judged by multiplying back. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "linear/ldlt.h"
#include "support.h"

enum { MOST = 70 };

/* A factor of the rows `in` of A, and the workspace that holds it. */
typedef struct fixture {
    perp_operator *A;
    perp_workspace *ws;
    perp_ldlt f;
    size_t in[MOST];
    double x[MOST], y[MOST];
} fixture;

static void open_fixture(fixture *t, size_t n)
{
    OK(perp_workspace_new(&t->ws, 0, NULL));
    t->A = test_spd(n, 5);
    perp_ldlt_new(&t->f, n, t->ws);
    OK(perp_workspace_status(t->ws, NULL));
}

static void add(fixture *t, size_t row)
{

    for (size_t j = 0; j < t->f.k; j++) {
        t->y[j] = perp_operator_entry(t->A, t->in[j], row);
    }
    perp_ldlt_forward(&t->f, 0, t->y);
    double pivot = perp_ldlt_pivot(&t->f, t->y, perp_operator_diagonal(t->A, row));
    CU_ASSERT(pivot > 0.0);
    t->in[t->f.k] = row;
    perp_ldlt_add(&t->f, t->y, pivot);
}

static void take_out(fixture *t, size_t place)
{
    perp_ldlt_remove(&t->f, place);
    memmove(t->in + place, t->in + place + 1, (t->f.k - place) * sizeof *t->in);
}

/* max |A_CC x - e| for the solution x of A_CC x = e, over a vector of ones. */
static double solve_error(fixture *t)
{
    double worst = 0.0;

    for (size_t i = 0; i < t->f.k; i++) {
        t->x[i] = 1.0;
    }
    perp_ldlt_solve(&t->f, t->x);
    for (size_t i = 0; i < t->f.k; i++) {
        double sum = -1.0;

        for (size_t j = 0; j < t->f.k; j++) {
            sum += perp_operator_entry(t->A, t->in[i], t->in[j]) * t->x[j];
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

/* [4 2; 2 5]: l = 1/2, d = (4, 4). Without its first row: [5]. */
TEST(factors_two_rows_by_hand)
{
    fixture t = {0};

    open_fixture(&t, 2);
    t.A->x[0] = 4.0;
    t.A->x[1] = t.A->x[t.A->ld] = 2.0;
    t.A->x[1 + t.A->ld] = 5.0;
    add(&t, 0);
    add(&t, 1);
    CU_ASSERT_EQUAL(t.f.d[0], 4.0);
    CU_ASSERT_EQUAL(t.f.d[1], 4.0);
    t.x[0] = 8.0;
    CU_ASSERT_EQUAL(perp_ldlt_row_dot(&t.f, 1, t.x), 4.0); /* l times 8 */
    take_out(&t, 0);
    CU_ASSERT_EQUAL(t.f.k, 1);
    CU_ASSERT_EQUAL(t.f.d[0], 5.0);
}

/* Rows at random in and out 400 times; A has condition below 3, so an exact factor leaves
 * some eps, and drift would show. */
TEST(does_not_drift_over_400_changes)
{
    fixture t = {0};
    perp_random g = {11};

    open_fixture(&t, 25);
    for (int change = 0; change < 400; change++) {
        bool inside[25] = {false};
        size_t row = (size_t)perp_random_integer(&g, 0, 24);

        for (size_t j = 0; j < t.f.k; j++) {
            inside[t.in[j]] = true;
        }
        if (inside[row]) {
            take_out(&t, (size_t)perp_random_integer(&g, 0, (long)t.f.k - 1));
        } else {
            add(&t, row);
        }
        CU_ASSERT(solve_error(&t) <= 1e-14); /* 25 terms of size 1, 2e-16 each */
    }
}

/* Across the groups of 16: all rows in, then out from the front, the middle, the end. */
TEST(removes_rows_across_groups)
{
    fixture t = {0};

    open_fixture(&t, MOST);
    for (size_t i = 0; i < MOST; i++) {
        add(&t, i);
    }
    CU_ASSERT(solve_error(&t) <= 1e-13); /* 70 terms, a few eps each */
    while (t.f.k > 0) {
        take_out(&t, t.f.k % 3 == 0 ? 0 : (t.f.k % 3 == 1 ? t.f.k / 2 : t.f.k - 1));
        CU_ASSERT(solve_error(&t) <= 1e-13);
    }
}

TEST(a_block_gives_the_factor_of_its_rows)
{
    fixture t = {0};
    fixture u = {0};

    open_fixture(&t, MOST);
    open_fixture(&u, MOST);
    double *X = perp_workspace_reals(t.ws, MOST * MOST);
    CU_ASSERT_PTR_NOT_NULL_FATAL(X);
    for (size_t i = 0; i < MOST; i++) {
        add(&u, i);
        t.in[i] = i;
        for (size_t j = 0; j <= i; j++) {
            X[j + i * MOST] = perp_operator_entry(t.A, i, j);
        }
    }
    CU_ASSERT_EQUAL(perp_ldlt_factor(&t.f, MOST, X, MOST, 1e-12), MOST);
    for (size_t i = 0; i < MOST; i++) {
        CU_ASSERT_DOUBLE_EQUAL(t.f.d[i], u.f.d[i], 1e-13);
    }
    CU_ASSERT(solve_error(&t) <= 1e-13);
    take_out(&t, 3);
    CU_ASSERT(solve_error(&t) <= 1e-13);
}

/* [1 1; 1 1 + 1e-14]: positive definite by a hair, and refused at 1e-12. */
TEST(a_block_refuses_a_small_pivot)
{
    fixture t = {0};
    double X[] = {1.0, 0.0, 1.0, 1.0 + 1e-14};
    double indefinite[] = {1.0, 0.0, 2.0, 1.0};

    open_fixture(&t, 2);
    CU_ASSERT_EQUAL(perp_ldlt_factor(&t.f, 2, X, 2, 1e-12), 1);
    CU_ASSERT_EQUAL(t.f.k, 0);
    CU_ASSERT_EQUAL(perp_ldlt_factor(&t.f, 2, indefinite, 2, 1e-12), 1);
    CU_ASSERT_EQUAL(perp_ldlt_factor(&t.f, 0, X, 2, 1e-12), 0);
}
