/* SPDX-License-Identifier: Apache-2.0
 * linear/block_kernel.c: products and divisions of small square blocks, per instruction set.
 *
 *     C := C - A B^T,    C := C - X^T T,    T := -H X,
 *     X := X L^-T,    X := X D^-1,    y := y - A x,    x := x - A^T y
 *
 * A column of a block is one or two registers, of which a block of 3 wastes a quarter and one
 * of 6 in AVX-512 as well. Every number is c - a b, multiplied and then subtracted, over k =
 * 0, 1, ... in all instruction sets: fused operations gain at most a twentieth of the time of a
 * factorisation with AVX2 and nothing with AVX-512, which is bound by loads. AVX-512 serves the
 * products alone: what reads numbers just written is up to twice as slow with its masked
 * columns. */
#include <config.h>

#include "block_kernel.h"

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#define BLOCK_WIDE
#endif

/* GCC would otherwise load all numbers of a loop first, and spill most of them. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-ter")
#endif

/* Two numbers that the machine may compute at once. */
typedef double block_pair __attribute__((vector_size(16)));

static inline block_pair block_load(const double *a)
{
    block_pair v;

    memcpy(&v, a, sizeof v);
    return v;
}

static inline void block_store(double *a, block_pair v)
{
    memcpy(a, &v, sizeof v);
}

typedef struct plain_6 {
    block_pair a, b, c;
} plain_6;

static inline plain_6 plain_6_load(const double *a)
{
    return (plain_6){block_load(a), block_load(a + 2), block_load(a + 4)};
}

static inline void plain_6_store(double *a, plain_6 v)
{
    block_store(a, v.a);
    block_store(a + 2, v.b);
    block_store(a + 4, v.c);
}

static inline plain_6 plain_6_all(const double *a)
{
    block_pair v = {*a, *a};

    return (plain_6){v, v, v};
}

static inline plain_6 plain_6_product(plain_6 a, plain_6 b)
{
    return (plain_6){a.a * b.a, a.b * b.b, a.c * b.c};
}

static inline plain_6 plain_6_minus(plain_6 c, plain_6 a, plain_6 b)
{
    return (plain_6){c.a - a.a * b.a, c.b - a.b * b.b, c.c - a.c * b.c};
}

#define SIZE           6
#define GROUP          3 /* nine of 16 registers */
#define NAME(function) plain_6_##function
#define TARGET
#define COLUMN plain_6
#include "block_kernel_body.h"

typedef struct plain_3 {
    block_pair a;
    double b;
} plain_3;

static inline plain_3 plain_3_load(const double *a)
{
    return (plain_3){block_load(a), a[2]};
}

static inline void plain_3_store(double *a, plain_3 v)
{
    block_store(a, v.a);
    a[2] = v.b;
}

static inline plain_3 plain_3_all(const double *a)
{
    return (plain_3){{*a, *a}, *a};
}

static inline plain_3 plain_3_product(plain_3 a, plain_3 b)
{
    return (plain_3){a.a * b.a, a.b * b.b};
}

static inline plain_3 plain_3_minus(plain_3 c, plain_3 a, plain_3 b)
{
    return (plain_3){c.a - a.a * b.a, c.b - a.b * b.b};
}

#define SIZE           3
#define GROUP          3
#define NAME(function) plain_3_##function
#define TARGET
#define COLUMN plain_3
#include "block_kernel_body.h"

#ifdef BLOCK_WIDE
#define BLOCK_AVX2   __attribute__((__target__("avx2")))
#define BLOCK_AVX512 __attribute__((__target__("avx512f,avx512vl")))

typedef struct avx2_6 {
    __m256d a;
    __m128d b;
} avx2_6;

BLOCK_AVX2 static inline avx2_6 avx2_6_load(const double *a)
{
    return (avx2_6){_mm256_loadu_pd(a), _mm_loadu_pd(a + 4)};
}

BLOCK_AVX2 static inline void avx2_6_store(double *a, avx2_6 v)
{
    _mm256_storeu_pd(a, v.a);
    _mm_storeu_pd(a + 4, v.b);
}

BLOCK_AVX2 static inline avx2_6 avx2_6_all(const double *a)
{
    __m256d v = _mm256_broadcast_sd(a);

    return (avx2_6){v, _mm256_castpd256_pd128(v)};
}

BLOCK_AVX2 static inline avx2_6 avx2_6_product(avx2_6 a, avx2_6 b)
{
    return (avx2_6){_mm256_mul_pd(a.a, b.a), _mm_mul_pd(a.b, b.b)};
}

BLOCK_AVX2 static inline avx2_6 avx2_6_minus(avx2_6 c, avx2_6 a, avx2_6 b)
{
    return (avx2_6){_mm256_sub_pd(c.a, _mm256_mul_pd(a.a, b.a)),
                    _mm_sub_pd(c.b, _mm_mul_pd(a.b, b.b))};
}

#define SIZE           6
#define GROUP          3 /* with products and broadcasts, twelve sums would not fit 16 registers */
#define NAME(function) avx2_6_##function
#define TARGET         BLOCK_AVX2
#define COLUMN         avx2_6
#include "block_kernel_body.h"

BLOCK_AVX2 static inline __m256d avx2_3_load(const double *a)
{
    return _mm256_maskload_pd(a, _mm256_setr_epi64x(-1, -1, -1, 0));
}

BLOCK_AVX2 static inline void avx2_3_store(double *a, __m256d v)
{
    _mm_storeu_pd(a, _mm256_castpd256_pd128(v));
    _mm_store_sd(a + 2, _mm256_extractf128_pd(v, 1));
}

BLOCK_AVX2 static inline __m256d avx2_3_all(const double *a)
{
    return _mm256_broadcast_sd(a);
}

BLOCK_AVX2 static inline __m256d avx2_3_product(__m256d a, __m256d b)
{
    return _mm256_mul_pd(a, b);
}

BLOCK_AVX2 static inline __m256d avx2_3_minus(__m256d c, __m256d a, __m256d b)
{
    return _mm256_sub_pd(c, _mm256_mul_pd(a, b));
}

#define SIZE           3
#define GROUP          3
#define NAME(function) avx2_3_##function
#define TARGET         BLOCK_AVX2
#define COLUMN         __m256d
#include "block_kernel_body.h"

BLOCK_AVX512 static inline __m512d avx512_6_load(const double *a)
{
    return _mm512_maskz_loadu_pd(0x3f, a);
}

BLOCK_AVX512 static inline void avx512_6_store(double *a, __m512d v)
{
    _mm512_mask_storeu_pd(a, 0x3f, v);
}

BLOCK_AVX512 static inline __m512d avx512_6_all(const double *a)
{
    return _mm512_broadcastsd_pd(_mm_load_sd(a));
}

BLOCK_AVX512 static inline __m512d avx512_6_minus(__m512d c, __m512d a, __m512d b)
{
    return _mm512_sub_pd(c, _mm512_mul_pd(a, b));
}

#define SUBTRACT_ONLY
#define SIZE           6
#define GROUP          6
#define NAME(function) avx512_6_##function
#define TARGET         BLOCK_AVX512
#define COLUMN         __m512d
#include "block_kernel_body.h"

static const perp_block_kernel avx512_6_kernel = {
    .subtract = avx512_6_subtract,
    .subtract_rows = avx512_6_subtract_rows,
    .weigh = avx2_6_weigh,
    .divide = avx2_6_divide,
    .divide_lu = avx2_6_divide_lu,
    .forward = avx2_6_forward,
    .backward = avx2_6_backward,
};

static const perp_block_kernel *block_kernel_wide(unsigned size,
                                                  perp_block_machine machine)
{
    bool wide = machine == PERP_BLOCK_AVX512;

    if (!__builtin_cpu_supports("avx2") ||
        (wide &&
         !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")))) {
        return NULL;
    }
    if (size == 3) { /* a column has no use for eight places */
        return &avx2_3_kernel;
    }
    return wide ? &avx512_6_kernel : &avx2_6_kernel;
}
#endif

const perp_block_kernel *perp_block_kernel_of(unsigned size, perp_block_machine machine)
{
    if (machine == PERP_BLOCK_PLAIN) {
        return size == 3 ? &plain_3_kernel : &plain_6_kernel;
    }
#ifdef BLOCK_WIDE
    return block_kernel_wide(size, machine);
#else
    return NULL;
#endif
}

const perp_block_kernel *perp_block_kernel_find(unsigned size)
{
    const perp_block_kernel *kernel = NULL;

    for (int machine = PERP_BLOCK_MACHINES; !kernel && machine-- > 0;) {
        kernel = perp_block_kernel_of(size, (perp_block_machine)machine);
    }
    return kernel;
}
