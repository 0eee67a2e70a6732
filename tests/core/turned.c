/* SPDX-License-Identifier: Apache-2.0
 * tests/core/turned.c: rows of a factored matrix without the memory for the transpose
 * that makes them fast: the same numbers, row by row. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "matrix/storages.h"
#include "scarce.h"

enum { ROWS = 24, SPEEDS = 30 };

/* Rows on three to six velocities each, the last on none; masses all 2; C = 0.5. */
static perp_operator *factored(void)
{
    perp_random g = {5};
    double C[ROWS];
    perp_operator *J = test_new_dense(ROWS, SPEEDS);
    perp_operator *Minv = test_new_dense(SPEEDS, SPEEDS);

    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < 6 && i + 1 < ROWS; k++) {
            size_t column = (i / 3 * 7 + k * k) % SPEEDS; /* three rows the same ones */

            J->x[i + column * J->ld] = perp_random_uniform(&g, -1.0, 1.0);
        }
        C[i] = 0.5;
    }
    for (size_t i = 0; i < SPEEDS; i++) {
        Minv->x[i + i * Minv->ld] = 0.5;
    }
    return test_new_factored(J, Minv, C);
}

typedef struct seen {
    size_t count;
    int32_t col[ROWS];
    double a[ROWS];
} seen;

static void see(void *context, size_t j, double a)
{
    seen *s = context;

    s->col[s->count] = (int32_t)j;
    s->a[s->count++] = a;
}

TEST(rows_are_the_same_without_memory_for_the_transpose)
{
    perp_operator *scarce = factored();
    perp_operator *plain = factored();
    double z[ROWS], sum[2][ROWS] = {{0}};

    for (size_t i = 0; i < ROWS; i++) {
        z[i] = 0.1 * (double)i - 1.0;
    }
    for (size_t i = 0; i < ROWS; i++) {
        double y[2][3];
        size_t dim = i + 3 <= ROWS ? 3 : 1;
        seen a = {0}, b = {0};

        scarce_begin(0);
        perp_operator_rows_dot(scarce, i, dim, z, y[0]);
        CU_ASSERT(scarce_end());
        perp_operator_rows_dot(plain, i, dim, z, y[1]);
        for (size_t k = 0; k < dim; k++) { /* a dozen terms below 2, in other orders */
            CU_ASSERT_DOUBLE_EQUAL(y[0][k], y[1][k], 1e-14);
        }
        scarce_begin(0);
        perp_operator_row_visit(scarce, i, see, &a);
        CU_ASSERT(scarce_end());
        perp_operator_row_visit(plain, i, see, &b);
        CU_ASSERT_EQUAL_FATAL(a.count, b.count);
        CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0); /* to the bit */
        scarce_begin(0);
        perp_operator_row_add(scarce, i, z[i], sum[0]);
        CU_ASSERT(scarce_end());
        perp_operator_row_add(plain, i, z[i], sum[1]);
    }
    for (size_t i = 0; i < ROWS; i++) {
        CU_ASSERT_DOUBLE_EQUAL(sum[0][i], sum[1][i], 1e-13);
    }
    CU_ASSERT_PTR_NULL(scarce->factored->Gt);
    CU_ASSERT_PTR_NOT_NULL(plain->factored->Gt);
    CU_ASSERT(perp_factored_ensure_transpose(scarce));
    CU_ASSERT(perp_operator_same(scarce->factored->Gt, plain->factored->Gt));
}
