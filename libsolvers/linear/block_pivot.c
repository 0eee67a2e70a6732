/* SPDX-License-Identifier: Apache-2.0
 * linear/block_pivot.c: factorisations of one diagonal block.
 *
 *     D = L L^T,    or    P D = L U
 *
 * The rows of LU are exchanged by scaled partial pivoting: a row counts by the largest entry it
 * had before elimination, since the rows of a body have different units. A pivot fails below
 * 1e-14 of the diagonal entry before elimination (Cholesky), or of the largest scaled entry of
 * its column (LU): it is then mostly rounding. */
#include <config.h>

#include "block_pivot.h"
#include "factor_sparse.h"

/* Sizes are constants where these are called, so that the loops have fixed lengths. */
static inline bool pivot_cholesky(unsigned s, double *D, const double *before)
{
    for (unsigned j = 0; j < s; j++) {
        double d = D[j + s * j];

        for (unsigned k = 0; k < j; k++) {
            d -= D[j + s * k] * D[j + s * k];
        }
        if (!(d > PERP_PIVOT_TOLERANCE * before[j + s * j]) ||
            !isfinite(d)) { /* or NaN */
            return false;
        }
        d = 1.0 / sqrt(d);
        for (unsigned i = j + 1; i < s; i++) {
            double a = D[i + s * j];

            for (unsigned k = 0; k < j; k++) {
                a -= D[i + s * k] * D[j + s * k];
            }
            D[i + s * j] = a * d;
        }
        D[j + s * j] = d;
    }
    return true;
}

bool perp_block_cholesky(unsigned size, double *D, const double *before)
{
    return size == 6 ? pivot_cholesky(6, D, before) : pivot_cholesky(3, D, before);
}

static inline void pivot_forward(unsigned s, const double *L, double *x)
{
    for (unsigned j = 0; j < s; j++) {
        x[j] *= L[j + s * j];
        for (unsigned i = j + 1; i < s; i++) {
            x[i] -= L[i + s * j] * x[j];
        }
    }
}

void perp_block_cholesky_forward(unsigned size, const double *L, double *x)
{
    if (size == 6) {
        pivot_forward(6, L, x);
    } else {
        pivot_forward(3, L, x);
    }
}

static inline void pivot_backward(unsigned s, const double *L, double *x)
{
    for (unsigned j = s; j-- > 0;) {
        for (unsigned i = j + 1; i < s; i++) {
            x[j] -= L[i + s * j] * x[i];
        }
        x[j] *= L[j + s * j];
    }
}

void perp_block_cholesky_backward(unsigned size, const double *L, double *x)
{
    if (size == 6) {
        pivot_backward(6, L, x);
    } else {
        pivot_backward(3, L, x);
    }
}

/* The reciprocal of the largest entry of each row, and the largest scaled entry of each
 * column. */
static inline void pivot_scales(unsigned s, const double *before, double *scale,
                                double *largest)
{
    for (unsigned i = 0; i < s; i++) {
        double most = 0.0;

        for (unsigned j = 0; j < s; j++) {
            most = fmax(most, fabs(before[i + s * j]));
        }
        scale[i] = most > 0.0 ? 1.0 / most : 1.0;
    }
    for (unsigned j = 0; j < s; j++) {
        largest[j] = 0.0;
        for (unsigned i = 0; i < s; i++) {
            largest[j] = fmax(largest[j], fabs(before[i + s * j]) * scale[i]);
        }
    }
}

static inline void pivot_exchange(unsigned s, double *D, int32_t *pivot, double *scale,
                                  unsigned i, unsigned j)
{
    int32_t p = pivot[i];
    double c = scale[i];

    pivot[i] = pivot[j];
    pivot[j] = p;
    scale[i] = scale[j];
    scale[j] = c;
    for (unsigned k = 0; k < s; k++) {
        double a = D[i + s * k];

        D[i + s * k] = D[j + s * k];
        D[j + s * k] = a;
    }
}

static inline bool pivot_lu(unsigned s, double *D, const double *before, int32_t *pivot)
{
    double scale[PERP_BLOCK_MOST];
    double largest[PERP_BLOCK_MOST];

    pivot_scales(s, before, scale, largest);
    for (unsigned i = 0; i < s; i++) {
        pivot[i] = (int32_t)i;
    }
    for (unsigned j = 0; j < s; j++) {
        unsigned best = j;

        for (unsigned i = j + 1; i < s; i++) {
            if (fabs(D[i + s * j]) * scale[i] > fabs(D[best + s * j]) * scale[best]) {
                best = i;
            }
        }
        if (!(fabs(D[best + s * j]) * scale[best] > PERP_PIVOT_TOLERANCE * largest[j]) ||
            !isfinite(D[best + s * j])) { /* or NaN */
            return false;
        }
        if (best != j) {
            pivot_exchange(s, D, pivot, scale, best, j);
        }
        D[j + s * j] = 1.0 / D[j + s * j];
        for (unsigned i = j + 1; i < s; i++) {
            D[i + s * j] *= D[j + s * j];
        }
        for (unsigned k = j + 1; k < s; k++) {
            for (unsigned i = j + 1; i < s; i++) {
                D[i + s * k] -= D[i + s * j] * D[j + s * k];
            }
        }
    }
    return true;
}

bool perp_block_lu(unsigned size, double *D, const double *before, int32_t *pivot)
{
    return size == 6 ? pivot_lu(6, D, before, pivot) : pivot_lu(3, D, before, pivot);
}

static inline void pivot_lu_solve(unsigned s, const double *LU, const int32_t *pivot,
                                  double *x)
{
    double y[PERP_BLOCK_MOST];

    for (unsigned i = 0; i < s; i++) {
        y[i] = x[pivot[i]];
    }
    for (unsigned j = 0; j < s; j++) {
        for (unsigned i = j + 1; i < s; i++) {
            y[i] -= LU[i + s * j] * y[j];
        }
    }
    for (unsigned j = s; j-- > 0;) {
        y[j] *= LU[j + s * j];
        for (unsigned i = 0; i < j; i++) {
            y[i] -= LU[i + s * j] * y[j];
        }
    }
    memcpy(x, y, s * sizeof *x);
}

void perp_block_lu_solve(unsigned size, const double *LU, const int32_t *pivot, double *x)
{
    if (size == 6) {
        pivot_lu_solve(6, LU, pivot, x);
    } else {
        pivot_lu_solve(3, LU, pivot, x);
    }
}

bool perp_block_lu_negative(unsigned size, const double *LU, const int32_t *pivot)
{
    bool negative = false;

    for (unsigned i = 0; i < size; i++) {
        negative ^= LU[i * (size + 1)] < 0.0;
        for (unsigned j = 0; j < i; j++) {
            negative ^= pivot[j] > pivot[i]; /* an inversion of the order */
        }
    }
    return negative;
}
