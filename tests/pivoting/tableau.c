/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/tableau.c: exchanges of one and of two variables against each other and
 * against the relations that they rewrite. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "linear/tableau.h"
#include "support.h"

enum { ROWS = 5, COLS = 7 };

static perp_tableau random_tableau(perp_workspace *ws, uint64_t seed)
{
    perp_tableau t;
    perp_random g = {seed};

    perp_tableau_init(&t, ROWS, COLS, ws);
    OK(perp_workspace_status(ws, NULL));
    for (size_t j = 0; j < COLS; j++) {
        for (size_t i = 0; i < ROWS; i++) {
            *perp_tableau_at(&t, i, j) = perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    return t;
}

/* basic := T nonbasic. */
static void values(const perp_tableau *t, const double *nonbasic, double *basic)
{
    for (size_t i = 0; i < ROWS; i++) {
        basic[i] = 0.0;
        for (size_t j = 0; j < COLS; j++) {
            basic[i] += *perp_tableau_at(t, i, j) * nonbasic[j];
        }
    }
}

static void exchange(double *a, double *b)
{
    double t = *a;

    *a = *b;
    *b = t;
}

/* x_basic = T x_nonbasic holds before and after for the same x; growth stays below 1e3. */
TEST(exchanged_variables_satisfy_the_same_relations)
{
    const size_t r[2] = {3, 1}, c[2] = {6, 2};

    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (int two = 0; two < 2; two++) {
            perp_tableau t;
            double nonbasic[COLS], basic[ROWS], expected[ROWS];
            perp_workspace *ws = test_new_workspace(0);

            t = random_tableau(ws, seed);
            for (size_t j = 0; j < COLS; j++) {
                nonbasic[j] = (double)(j + 1);
            }
            values(&t, nonbasic, expected);
            if (two) {
                perp_tableau_exchange_two(&t, r, c);
            } else {
                perp_tableau_exchange(&t, r[0], c[0]);
            }
            for (int k = 0; k <= two; k++) {
                exchange(&nonbasic[c[k]], &expected[r[k]]);
            }
            values(&t, nonbasic, basic);
            for (size_t i = 0; i < ROWS; i++) {
                CU_ASSERT_DOUBLE_EQUAL(basic[i], expected[i], 1e-10);
            }
        }
    }
}

/* Where both single pivots exist, two of them are the exchange of two. */
TEST(two_exchanges_are_one_of_two)
{
    const size_t r[2] = {0, 4}, c[2] = {5, 1};
    perp_tableau one, two;
    perp_workspace *ws = test_new_workspace(0);

    one = random_tableau(ws, 99);
    two = random_tableau(ws, 99);
    perp_tableau_exchange(&one, r[0], c[0]);
    perp_tableau_exchange(&one, r[1], c[1]);
    perp_tableau_exchange_two(&two, r, c);
    for (size_t j = 0; j < COLS; j++) {
        for (size_t i = 0; i < ROWS; i++) {
            CU_ASSERT_DOUBLE_EQUAL(*perp_tableau_at(&one, i, j),
                                   *perp_tableau_at(&two, i, j), 1e-11);
        }
    }
}

/* [0 1; 1 0] has no single principal pivot, but is its own inverse. */
TEST(a_pair_without_diagonal_is_exchanged_at_once)
{
    const size_t both[2] = {0, 1};
    perp_tableau t;
    perp_workspace *ws = test_new_workspace(0);

    perp_tableau_init(&t, 2, 2, ws);
    OK(perp_workspace_status(ws, NULL));
    *perp_tableau_at(&t, 0, 1) = *perp_tableau_at(&t, 1, 0) = 1.0;
    perp_tableau_exchange_two(&t, both, both);
    CU_ASSERT_EQUAL(*perp_tableau_at(&t, 0, 0), 0.0);
    CU_ASSERT_EQUAL(*perp_tableau_at(&t, 0, 1), 1.0);
    CU_ASSERT_EQUAL(*perp_tableau_at(&t, 1, 0), 1.0);
    CU_ASSERT_EQUAL(*perp_tableau_at(&t, 1, 1), 0.0);
}
