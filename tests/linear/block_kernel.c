/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/block_kernel.c: the kernels compute what their names say, in the same bits on
 * every instruction set of this machine. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "linear/block_kernel.h"
#include "linear/block_pivot.h"
#include "support.h"

enum { most = 36, count = 5 };

/* What the kernels read: blocks A, vectors y, a factored block, and the places of the results. */
typedef struct input {
    double A[count * most], B[most], C[count * most], D[most], x[6], y[count * 6];
    int32_t at[count], row[count], pivot[6];
} input;

static input draw(unsigned size)
{
    input in = {.at = {4, 2, 0, 1, 3}, .row = {3, 0, 1, 4, 2}};
    perp_random g = {size};
    double before[most];
    double *numbers[] = {in.A, in.B, in.C, in.D, in.x, in.y};
    size_t lengths[] = {count * most, most, count * most, most, 6, count * 6};

    for (size_t k = 0; k < 6; k++) {
        for (size_t i = 0; i < lengths[k]; i++) {
            numbers[k][i] = perp_random_uniform(&g, -1, 1);
        }
    }
    for (unsigned i = 0; i < size; i++) {
        in.D[i * (size + 1)] += 8.0; /* as diagonal as rounding errors ask for */
    }
    memcpy(before, in.D, sizeof before);
    CU_ASSERT(perp_block_lu(size, in.D, before, in.pivot));
    return in;
}

/* Everything once, one after the other; the results are C, x and y. */
static void compute(const perp_block_kernel *kernel, unsigned size, input *in)
{
    kernel->subtract(in->C, in->at, in->row, in->A, count, in->B);
    kernel->weigh(in->C + (size_t)size * size, in->B, in->A, 5);
    kernel->subtract_rows(in->C, in->A, 4 * (size_t)size, in->B, 2, 3);
    kernel->divide(in->C, count - 1, in->D);
    kernel->divide_lu(in->C + (size_t)size * size, count - 1, in->D, in->pivot);
    kernel->forward(in->y, in->row, in->A, count, in->x);
    kernel->backward(in->x, in->row, in->A, count, in->y);
}

TEST(every_instruction_set_gives_the_same_bits)
{
    for (unsigned size = 3; size <= 6; size += 3) {
        input plain = draw(size);

        compute(perp_block_kernel_of(size, PERP_BLOCK_PLAIN), size, &plain);
        for (int machine = 0; machine < PERP_BLOCK_MACHINES; machine++) {
            const perp_block_kernel *kernel =
                perp_block_kernel_of(size, (perp_block_machine)machine);
            input other = draw(size);

            if (kernel) {
                compute(kernel, size, &other);
                CU_ASSERT_EQUAL(memcmp(plain.C, other.C, sizeof plain.C), 0);
                CU_ASSERT_EQUAL(memcmp(plain.x, other.x, sizeof plain.x), 0);
                CU_ASSERT_EQUAL(memcmp(plain.y, other.y, sizeof plain.y), 0);
            }
        }
        CU_ASSERT_PTR_NOT_NULL(perp_block_kernel_find(size));
    }
}

/* Sums of at most 30 numbers of size 1. */
static const double tolerance = 1e-14;

TEST(products_are_those_of_their_formulas)
{
    for (unsigned s = 3; s <= 6; s += 3) {
        const perp_block_kernel *kernel = perp_block_kernel_find(s);
        input in = draw(s);
        input out = in;

        kernel->subtract(out.C, in.at, in.row, in.A, count, in.B);
        kernel->forward(out.y, in.row, in.A, count, in.x);
        kernel->backward(out.x, in.row, in.A, count, in.y);
        for (unsigned i = 0; i < s; i++) {
            double x = in.x[i];

            for (size_t t = 0; t < count; t++) {
                const double *A = in.A + t * s * s;
                size_t to = (size_t)in.at[in.row[t]] * s * s;
                double y = in.y[(size_t)in.row[t] * s + i];

                for (unsigned j = 0; j < s; j++) {
                    double c = in.C[to + i + s * j];

                    for (unsigned k = 0; k < s; k++) {
                        c -= A[i + s * k] * in.B[j + s * k];
                    }
                    CU_ASSERT_DOUBLE_EQUAL(out.C[to + i + s * j], c, tolerance);
                    y -= A[i + s * j] * in.x[j];
                    x -= A[j + s * i] * in.y[(size_t)in.row[t] * s + j];
                }
                CU_ASSERT_DOUBLE_EQUAL(out.y[(size_t)in.row[t] * s + i], y, tolerance);
            }
            CU_ASSERT_DOUBLE_EQUAL(out.x[i], x, tolerance);
        }
    }
}

/* Rows of weights and of arms: T = -H X, and C -= X^T T over two pieces of three rows each. */
TEST(sums_over_rows_are_those_of_their_formulas)
{
    for (unsigned s = 3; s <= 6; s += 3) {
        const perp_block_kernel *kernel = perp_block_kernel_find(s);
        input in = draw(s);
        double T[6 * 6];
        double C[most];

        memcpy(C, in.C, sizeof C);
        for (unsigned rows = 1; rows <= 5; rows++) {
            kernel->weigh(T, in.B, in.A, rows);
            for (unsigned k = 0; k < rows * s; k++) {
                double sum = 0.0;

                for (unsigned q = 0; q < rows; q++) {
                    sum -= in.B[k / s + rows * q] * in.A[q * s + k % s];
                }
                CU_ASSERT_DOUBLE_EQUAL(T[k], sum, tolerance);
            }
        }
        kernel->subtract_rows(C, in.A, 4 * (size_t)s, in.B, 2, 3);
        for (unsigned k = 0; k < s * s; k++) {
            double sum = in.C[k];

            for (unsigned r = 0; r < 6; r++) {
                sum -= in.A[(r / 3 * 4 + r % 3) * s + k % s] * in.B[r * s + k / s];
            }
            CU_ASSERT_DOUBLE_EQUAL(C[k], sum, tolerance);
        }
    }
}

/* X L^-T L^T = X, and X D^-1 D = X with D put together from its factors. */
TEST(divisions_are_undone_by_products)
{
    for (unsigned s = 3; s <= 6; s += 3) {
        const perp_block_kernel *kernel = perp_block_kernel_find(s);
        input in = draw(s);
        double by_l[most], by_d[most], D[most] = {0};

        memcpy(by_l, in.A, sizeof by_l);
        memcpy(by_d, in.A, sizeof by_d);
        kernel->divide(by_l, 1, in.D);
        kernel->divide_lu(by_d, 1, in.D, in.pivot);
        for (unsigned i = 0; i < s; i++) { /* row pivot[i] of D is row i of L U */
            for (unsigned j = 0; j < s; j++) {
                for (unsigned k = 0; k <= i && k <= j; k++) {
                    double l = k == i ? 1.0 : in.D[i + s * k];
                    double u = k == j ? 1.0 / in.D[j + s * j] : in.D[k + s * j];

                    D[(unsigned)in.pivot[i] + s * j] += l * u;
                }
            }
        }
        for (unsigned i = 0; i < s; i++) {
            for (unsigned j = 0; j < s; j++) {
                double l = by_l[i + s * j] / in.D[j + s * j];
                double d = 0.0;

                for (unsigned k = 0; k < s; k++) {
                    l += k < j ? by_l[i + s * k] * in.D[j + s * k] : 0.0;
                    d += by_d[i + s * k] * D[k + s * j];
                }
                CU_ASSERT_DOUBLE_EQUAL(l, in.A[i + s * j], tolerance);
                CU_ASSERT_DOUBLE_EQUAL(d, in.A[i + s * j], tolerance);
            }
        }
    }
}
