/* SPDX-License-Identifier: Apache-2.0
 * matrix/bsr.c: block compressed sparse rows with square blocks.
 *
 *     block row I:  block (I, J) = x[k*e*e ..] column-major, J = col[k],
 *                   k = ptr[I] .. ptr[I+1]-1,  J ascending,  e = edge
 *
 * A contact's rows are one block row: its three sums are formed in one pass, which is the
 * inner loop of every sweep over contacts. Edges 2 and 3 have code of their own; edge 3 has
 * it twice, where the machine adds four numbers at once: the same sums in the same order,
 * so the same bits. */
#include <config.h>

#include "matrix/storages.h"

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#define BSR_WIDE __attribute__((__target__("avx2")))
#endif

/* Two doubles side by side; the machine may do them at once, the results are the same. */
typedef double bsr_pair __attribute__((vector_size(16)));

static inline bsr_pair bsr_load(const double *a)
{
    bsr_pair v;

    memcpy(&v, a, sizeof v);
    return v;
}

static inline void bsr_block_row_2(const perp_operator *A, size_t I, const double *z,
                                   double *y)
{
    const double *a = A->x + A->ptr[I] * 4;
    bsr_pair sum = {0.0, 0.0};

    for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++, a += 4) {
        const double *x = z + 2 * (size_t)A->col[k];

        sum += bsr_load(a) * x[0] + bsr_load(a + 2) * x[1];
    }
    memcpy(y, &sum, sizeof sum);
}

static inline void bsr_block_row_3(const perp_operator *A, size_t I, const double *z,
                                   double *y)
{
    const double *a = A->x + A->ptr[I] * 9;
    bsr_pair sum = {0.0, 0.0};
    double last = 0.0;

    for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++, a += 9) {
        const double *x = z + 3 * (size_t)A->col[k];

        sum += bsr_load(a) * x[0] + bsr_load(a + 3) * x[1] + bsr_load(a + 6) * x[2];
        last += a[2] * x[0] + a[5] * x[1] + a[8] * x[2];
    }
    memcpy(y, &sum, sizeof sum);
    y[2] = last;
}

#ifdef BSR_WIDE
static inline bool bsr_is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}

/* A column of the block fills three lanes; what stands in the fourth is dropped. */
BSR_WIDE static inline __m256d bsr_block_row_wide(const perp_operator *A, size_t I,
                                                  const double *z)
{
    const double *a = A->x + A->ptr[I] * 9;
    __m256d sum = _mm256_setzero_pd();

    for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++, a += 9) {
        const double *x = z + 3 * (size_t)A->col[k];
        __m256d last = _mm256_permute4x64_pd(_mm256_loadu_pd(a + 5), 0xf9); /* 6, 7, 8 */
        __m256d column = _mm256_mul_pd(_mm256_loadu_pd(a), _mm256_broadcast_sd(x));

        column = _mm256_add_pd(
            column, _mm256_mul_pd(_mm256_loadu_pd(a + 3), _mm256_broadcast_sd(x + 1)));
        column = _mm256_add_pd(column, _mm256_mul_pd(last, _mm256_broadcast_sd(x + 2)));
        sum = _mm256_add_pd(sum, column);
    }
    return sum;
}

BSR_WIDE static inline void bsr_store_wide(double *y, __m256d sum)
{
    _mm_storeu_pd(y, _mm256_castpd256_pd128(sum));
    _mm_store_sd(y + 2, _mm256_extractf128_pd(sum, 1));
}

BSR_WIDE static void bsr_block_row_3_wide(const perp_operator *A, size_t I,
                                          const double *z, double *y)
{
    bsr_store_wide(y, bsr_block_row_wide(A, I, z));
}

BSR_WIDE static void bsr_apply_3_wide(const perp_operator *A, const double *x, double *y)
{
    for (size_t I = 0; I < A->rows / 3; I++) {
        bsr_store_wide(y + 3 * I, bsr_block_row_wide(A, I, x));
    }
}
#endif

static inline void bsr_block_row_any(const perp_operator *A, size_t I, const double *z,
                                     double *y)
{
    size_t e = A->block_size;
    const double *a = A->x + A->ptr[I] * e * e;

    memset(y, 0, e * sizeof(double));
    for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++, a += e * e) {
        const double *x = z + e * (size_t)A->col[k];

        for (size_t i = 0; i < e; i++) {
            double dot = a[i] * x[0];

            for (size_t j = 1; j < e; j++) {
                dot += a[i + j * e] * x[j];
            }
            y[i] += dot;
        }
    }
}

static inline void bsr_block_row(const perp_operator *A, size_t I, const double *z,
                                 double *y)
{
    if (A->block_size == 3) {
#ifdef BSR_WIDE
        if (bsr_is_wide()) {
            bsr_block_row_3_wide(A, I, z, y);
            return;
        }
#endif
        bsr_block_row_3(A, I, z, y);
    } else if (A->block_size == 2) {
        bsr_block_row_2(A, I, z, y);
    } else {
        bsr_block_row_any(A, I, z, y);
    }
}

static void bsr_apply(const perp_operator *A, const double *x, double *y)
{
    size_t block_rows = A->rows / A->block_size;

#ifdef BSR_WIDE
    if (A->block_size == 3 && bsr_is_wide()) {
        bsr_apply_3_wide(A, x, y);
        return;
    }
#endif
    for (size_t I = 0; I < block_rows; I++) {
        bsr_block_row(A, I, x, y + I * A->block_size);
    }
}

/* One row, summed in the order of the block row that holds it. */
static double bsr_row(const perp_operator *A, size_t i, const double *z)
{
    size_t e = A->block_size;
    size_t I = i / e;
    double sum = 0.0;

    for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++) {
        const double *a = A->x + k * e * e + i % e;
        const double *x = z + e * (size_t)A->col[k];
        double dot = a[0] * x[0];

        for (size_t j = 1; j < e; j++) {
            dot += a[j * e] * x[j];
        }
        sum += dot;
    }
    return sum;
}

static void bsr_rows_dot(const perp_operator *A, size_t first, size_t dim,
                         const double *z, double *y)
{
    size_t e = A->block_size;

    if (e == 3 && dim == 3 && first % 3 == 0) { /* a sweep asks for nothing else */
        bsr_block_row(A, first / 3, z, y);
        return;
    }
    for (size_t i = 0; i < dim;) {
        if ((first + i) % e == 0 && dim - i >= e) {
            bsr_block_row(A, (first + i) / e, z, y + i);
            i += e;
        } else {
            y[i] = bsr_row(A, first + i, z);
            i++;
        }
    }
}

static void bsr_row_add(const perp_operator *A, size_t i, double scale, double *out)
{
    size_t e = A->block_size;

    for (size_t k = A->ptr[i / e]; k < A->ptr[i / e + 1]; k++) {
        const double *a = A->x + k * e * e + i % e;
        double *o = out + e * (size_t)A->col[k];

        for (size_t j = 0; j < e; j++) {
            o[j] += scale * a[j * e];
        }
    }
}

static void bsr_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    memset(y, 0, A->cols * sizeof(double));
    for (size_t i = 0; i < A->rows; i++) {
        bsr_row_add(A, i, x[i], y);
    }
}

static double bsr_entry(const perp_operator *A, size_t i, size_t j)
{
    size_t e = A->block_size;
    size_t I = i / e;
    size_t J = j / e;
    size_t from = A->ptr[I];
    size_t to = A->ptr[I + 1];

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if ((size_t)A->col[middle] < J) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    if (from == A->ptr[I + 1] || (size_t)A->col[from] != J) {
        return 0.0;
    }
    return A->x[from * e * e + i % e + (j % e) * e];
}

static void bsr_row_visit(const perp_operator *A, size_t i,
                          void (*visit)(void *context, size_t j, double a), void *context)
{
    size_t e = A->block_size;

    for (size_t k = A->ptr[i / e]; k < A->ptr[i / e + 1]; k++) {
        const double *a = A->x + k * e * e + i % e;

        for (size_t j = 0; j < e; j++) {
            visit(context, e * (size_t)A->col[k] + j, a[j * e]);
        }
    }
}

static void bsr_scale(perp_operator *A, const double *left, const double *right)
{
    size_t e = A->block_size;

    for (size_t I = 0; I < A->rows / e; I++) {
        for (size_t k = A->ptr[I]; k < A->ptr[I + 1]; k++) {
            double *a = A->x + k * e * e;

            for (size_t m = 0; m < e * e; m++) {
                a[m] = left[I * e + m % e] * a[m] * right[(size_t)A->col[k] * e + m / e];
            }
        }
    }
}

static const perp_operator_methods bsr_methods = {
    .apply = bsr_apply,
    .apply_transposed = bsr_apply_transposed,
    .rows_dot = bsr_rows_dot,
    .entry = bsr_entry,
    .row_add = bsr_row_add,
    .row_visit = bsr_row_visit,
    .scale = bsr_scale,
};

const perp_operator_type perp_operator_bsr = {
    .storage = PERP_STORAGE_BSR,
    .name = "bsr",
    .methods = &bsr_methods,
};
