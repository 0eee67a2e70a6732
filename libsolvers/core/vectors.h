/* SPDX-License-Identifier: Apache-2.0
 * core/vectors.h: norms and other small functions of arrays. Private. */
#ifndef PERP_CORE_VECTORS_H
#define PERP_CORE_VECTORS_H

#include <math.h>

#include <perp/base.h>

/** |x|_2 of 2 numbers, fast, for values far from overflow. */
static inline double perp_norm2(double a, double b)
{
    return sqrt(a * a + b * b);
}

/** The same wherever |x|_2 is a double, as the judge needs it. */
static inline double perp_norm2_safe(double a, double b)
{
    double sum = a * a + b * b;

    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : hypot(a, b);
}

/** max |x_i| of n numbers. */
static inline double perp_largest(size_t n, const double *x)
{
    double largest = 0.0;

    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/** |t|_2 of 1 or 2 tangents, wherever it is a double. */
static inline double perp_tangent_norm(const double *t, unsigned count)
{
    return count == 1 ? fabs(t[0]) : perp_norm2_safe(t[0], t[1]);
}

/** c := a x b; c is neither of them. */
static inline void perp_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/** For qsort: int32_t ascending. */
static inline int perp_compare_int32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/** Is the point finite? */
bool perp_all_finite(const double *x, size_t n);

#endif
