/* SPDX-License-Identifier: Apache-2.0
 * linear/block_kernel.h: products and divisions of small square blocks. Private.
 *
 * Blocks are s x s, column-major, s = 3 or 6, s^2 numbers apart where there are several. Each
 * instruction set forms the same sums in the same order, so the bits are the same. */
#ifndef PERP_LINEAR_BLOCK_KERNEL_H
#define PERP_LINEAR_BLOCK_KERNEL_H

#include "core/solvers.h"

/* Before loops over the numbers of a row or column. */
#ifdef __clang__
#define BLOCK_UNROLL _Pragma("unroll")
#else
#define BLOCK_UNROLL _Pragma("GCC unroll 6")
#endif

typedef enum perp_block_machine {
    PERP_BLOCK_PLAIN, /* two numbers at once: SSE2, or what the compiler makes of it */
    PERP_BLOCK_AVX2,
    PERP_BLOCK_AVX512,
    PERP_BLOCK_MACHINES,
} perp_block_machine;

typedef struct perp_block_kernel {
    /** C[at[row[t]]] -= A[t] B^T for t < count. */
    void (*subtract)(double *C, const int32_t *at, const int32_t *row, const double *A,
                     size_t count, const double *B);
    /** C -= the sum of X[t]^T T[t] for t < count, of `rows` rows of s numbers each: those of
     *  X[t] begin at X + t stride, those of T follow one another. */
    void (*subtract_rows)(double *C, const double *X, size_t stride, const double *T,
                          size_t count, unsigned rows);
    /** T := -H X of rows of s numbers, H rows x rows column-major. */
    void (*weigh)(double *T, const double *H, const double *X, unsigned rows);
    /** X[t] := X[t] L^-T, L lower triangular with the reciprocals of its diagonal. */
    void (*divide)(double *X, size_t count, const double *L);
    /** X[t] := X[t] D^-1 for the factors L U of the rows `pivot` of D, in one block: L has a
     *  diagonal of ones, U holds the reciprocals of its own. */
    void (*divide_lu)(double *X, size_t count, const double *LU, const int32_t *pivot);
    /** y[row[t]] -= A[t] x for t < count. */
    void (*forward)(double *y, const int32_t *row, const double *A, size_t count,
                    const double *x);
    /** x -= sum of A[t]^T y[row[t]]. */
    void (*backward)(double *x, const int32_t *row, const double *A, size_t count,
                     const double *y);
} perp_block_kernel;

/** The kernels of size 3 or 6; NULL where this machine cannot execute them. */
const perp_block_kernel *perp_block_kernel_of(unsigned size, perp_block_machine machine);
/** Those of the widest instruction set that this machine has. */
const perp_block_kernel *perp_block_kernel_find(unsigned size);

#endif
