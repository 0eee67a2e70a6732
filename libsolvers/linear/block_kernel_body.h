/* SPDX-License-Identifier: Apache-2.0
 * linear/block_kernel_body.h: the kernels of one block size for one instruction set.
 *
 * Included by block_kernel.c once per pair, with SIZE, NAME(function), TARGET (an attribute),
 * COLUMN (the type that holds a column of a block) and its operations load, store, all (the
 * same number in all places), product (a b) and minus (c - a b), defined as NAME(operation).
 * GROUP columns of the result are kept in registers at once. With SUBTRACT_ONLY the other kernels
 * are left out. No include guard: see above. */

TARGET static void NAME(subtract)(double *C, const int32_t *at, const int32_t *row,
                                  const double *A, size_t count, const double *B)
{
    for (size_t t = 0; t < count; t++) {
        const double *a = A + t * SIZE * SIZE;
        double *c = C + (size_t)at[row[t]] * SIZE * SIZE;

        for (unsigned first = 0; first < SIZE; first += GROUP) {
            COLUMN sum[GROUP];

            BLOCK_UNROLL
            for (unsigned j = 0; j < GROUP; j++) {
                sum[j] = NAME(load)(c + SIZE * (first + j));
            }
            BLOCK_UNROLL
            for (unsigned k = 0; k < SIZE; k++) {
                COLUMN column = NAME(load)(a + SIZE * k);

                BLOCK_UNROLL
                for (unsigned j = 0; j < GROUP; j++) {
                    sum[j] =
                        NAME(minus)(sum[j], column, NAME(all)(&B[first + j + SIZE * k]));
                }
            }
            BLOCK_UNROLL
            for (unsigned j = 0; j < GROUP; j++) {
                NAME(store)(c + SIZE * (first + j), sum[j]);
            }
        }
    }
}

TARGET static void NAME(subtract_rows)(double *C, const double *X, size_t stride,
                                       const double *T, size_t count, unsigned rows)
{
    for (unsigned first = 0; first < SIZE; first += GROUP) {
        const double *row = T + first;
        COLUMN sum[GROUP];

        BLOCK_UNROLL
        for (unsigned j = 0; j < GROUP; j++) {
            sum[j] = NAME(load)(C + SIZE * (first + j));
        }
        for (size_t t = 0; t < count; t++) {
            for (unsigned r = 0; r < rows; r++, row += SIZE) {
                COLUMN x = NAME(load)(X + t * stride + SIZE * r);

                BLOCK_UNROLL
                for (unsigned j = 0; j < GROUP; j++) {
                    sum[j] = NAME(minus)(sum[j], x, NAME(all)(&row[j]));
                }
            }
        }
        BLOCK_UNROLL
        for (unsigned j = 0; j < GROUP; j++) {
            NAME(store)(C + SIZE * (first + j), sum[j]);
        }
    }
}

#ifndef SUBTRACT_ONLY
TARGET static void NAME(weigh)(double *T, const double *H, const double *X, unsigned rows)
{
    const double zero = 0.0;

    for (unsigned r = 0; r < rows; r++) {
        COLUMN sum = NAME(all)(&zero);

        for (unsigned q = 0; q < rows; q++) {
            sum = NAME(minus)(sum, NAME(load)(X + SIZE * q), NAME(all)(&H[r + rows * q]));
        }
        NAME(store)(T + SIZE * r, sum);
    }
}

/* Column by column from the left. */
TARGET static void NAME(divide)(double *X, size_t count, const double *L)
{
    for (size_t t = 0; t < count; t++) {
        double *x = X + t * SIZE * SIZE;
        COLUMN done[SIZE];

        BLOCK_UNROLL
        for (unsigned j = 0; j < SIZE; j++) {
            COLUMN sum = NAME(load)(x + SIZE * j);

            BLOCK_UNROLL
            for (unsigned k = 0; k < j; k++) {
                sum = NAME(minus)(sum, done[k], NAME(all)(&L[j + SIZE * k]));
            }
            done[j] = NAME(product)(sum, NAME(all)(&L[j + SIZE * j]));
            NAME(store)(x + SIZE * j, done[j]);
        }
    }
}

/* X U^-1 column by column from the left, then (X U^-1) L^-1 from the right, whose columns go
 * where the rows of D came from. */
TARGET static void NAME(divide_lu)(double *X, size_t count, const double *LU,
                                   const int32_t *pivot)
{
    for (size_t t = 0; t < count; t++) {
        double *x = X + t * SIZE * SIZE;
        COLUMN done[SIZE];

        BLOCK_UNROLL
        for (unsigned j = 0; j < SIZE; j++) {
            COLUMN sum = NAME(load)(x + SIZE * j);

            BLOCK_UNROLL
            for (unsigned k = 0; k < j; k++) {
                sum = NAME(minus)(sum, done[k], NAME(all)(&LU[k + SIZE * j]));
            }
            done[j] = NAME(product)(sum, NAME(all)(&LU[j + SIZE * j]));
        }
        BLOCK_UNROLL
        for (unsigned j = SIZE; j-- > 0;) {
            BLOCK_UNROLL
            for (unsigned k = j + 1; k < SIZE; k++) {
                done[j] = NAME(minus)(done[j], done[k], NAME(all)(&LU[k + SIZE * j]));
            }
            NAME(store)(x + SIZE * (size_t)pivot[j], done[j]);
        }
    }
}

TARGET static void NAME(forward)(double *y, const int32_t *row, const double *A,
                                 size_t count, const double *x)
{
    for (size_t t = 0; t < count; t++) {
        const double *a = A + t * SIZE * SIZE;
        COLUMN sum = NAME(load)(y + SIZE * (size_t)row[t]);

        BLOCK_UNROLL
        for (unsigned k = 0; k < SIZE; k++) {
            sum = NAME(minus)(sum, NAME(load)(a + SIZE * k), NAME(all)(&x[k]));
        }
        NAME(store)(y + SIZE * (size_t)row[t], sum);
    }
}

/* The products of each column are summed over the blocks first, then over its numbers. */
TARGET static void NAME(backward)(double *x, const int32_t *row, const double *A,
                                  size_t count, const double *y)
{
    COLUMN sum[SIZE];
    double total[SIZE];
    const double zero = 0.0;

    BLOCK_UNROLL
    for (unsigned k = 0; k < SIZE; k++) {
        sum[k] = NAME(all)(&zero);
    }
    for (size_t t = 0; t < count; t++) {
        const double *a = A + t * SIZE * SIZE;
        COLUMN other = NAME(load)(y + SIZE * (size_t)row[t]);

        BLOCK_UNROLL
        for (unsigned k = 0; k < SIZE; k++) {
            sum[k] = NAME(minus)(sum[k], NAME(load)(a + SIZE * k), other);
        }
    }
    BLOCK_UNROLL
    for (unsigned k = 0; k < SIZE; k++) {
        NAME(store)(total, sum[k]);
        for (unsigned i = 1; i < SIZE; i++) {
            total[0] += total[i];
        }
        x[k] += total[0];
    }
}

static const perp_block_kernel NAME(kernel) = {
    .subtract = NAME(subtract),
    .subtract_rows = NAME(subtract_rows),
    .weigh = NAME(weigh),
    .divide = NAME(divide),
    .divide_lu = NAME(divide_lu),
    .forward = NAME(forward),
    .backward = NAME(backward),
};
#endif

#undef SIZE
#undef SUBTRACT_ONLY
#undef GROUP
#undef NAME
#undef TARGET
#undef COLUMN
