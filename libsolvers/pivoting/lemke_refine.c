/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_refine.c: accurate solutions with an inaccurate inverse of the kernel.
 *
 *     x := op(G) y,   then   x := x + op(G) (y - op(K) x)   until nothing changes
 *
 * with residuals in long double. Where z0 nears zero on a problem of deficient rank, the
 * condition of K grows as 1 / z0 while the path still has a fifth of its pivots to go. Its
 * turns are decided by rates and values of which G alone knows half of the digits; refined,
 * their errors are the condition times 1e-19 instead of 1e-16. A step reads G and K once,
 * and computes with the 80 bits of the x87 where there is one; steps are made only while
 * the kernel is delicate. */
#include <config.h>

#include <cblas.h>

#include "lemke_kernel.h"

enum {
    steps = 4,    /* more do not help where the fourth is needed */
    columns = 16, /* of K that are read together, one cache line of each */
};

/* Corrections below this, relative to the largest entry, are rounding. */
static const double rounding = 1e-15;

/* A step that reduces the correction by less has an inverse that is none. */
static const double contraction = 0.1;

/* But below this, relative to the largest entry, it is the residual that is rounding. */
static const double stagnation = 1e-7;

/* sum (m) := sum + columns from..to of K times x. */
static void refine_add_columns(const lemke_basis *b, const double *x, int from, int to,
                               long double *sum)
{
    int i = 0;

    for (; i + 4 <= b->m; i += 4) {
        const double *K = b->P + (size_t)from * (size_t)b->ld + i;
        long double s0 = sum[i], s1 = sum[i + 1], s2 = sum[i + 2], s3 = sum[i + 3];

        for (int j = from; j < to; j++, K += b->ld) {
            const long double x_j = x[j];

            s0 += K[0] * x_j;
            s1 += K[1] * x_j;
            s2 += K[2] * x_j;
            s3 += K[3] * x_j;
        }
        sum[i] = s0;
        sum[i + 1] = s1;
        sum[i + 2] = s2;
        sum[i + 3] = s3;
    }
    for (; i < b->m; i++) {
        const double *K = b->P + (size_t)from * (size_t)b->ld + i;

        for (int j = from; j < to; j++, K += b->ld) {
            sum[i] += *K * (long double)x[j];
        }
    }
}

/* r := y - K x, by blocks of columns whose cache lines are met again soon. */
static void refine_residual(const lemke_basis *b, const double *y, const double *x,
                            double *r)
{
    for (int i = 0; i < b->m; i++) {
        b->sum[i] = 0.0L;
    }
    for (int j = 0; j < b->m; j += columns) {
        const int to = b->m - j < columns ? b->m : j + columns;

        refine_add_columns(b, x, j, to, b->sum);
    }
    for (int i = 0; i < b->m; i++) {
        r[i] = (double)(y[i] - b->sum[i]);
    }
}

/* r := y - K^T x */
static void refine_residual_transposed(const lemke_basis *b, const double *y,
                                       const double *x, double *r)
{
    for (int j = 0; j < b->m; j++) {
        const double *K_j = b->P + (size_t)j * (size_t)b->ld;
        long double even = 0.0L, odd = 0.0L;
        int i = 0;

        for (; i + 1 < b->m; i += 2) {
            even += K_j[i] * (long double)x[i];
            odd += K_j[i + 1] * (long double)x[i + 1];
        }
        if (i < b->m) {
            even += K_j[i] * (long double)x[i];
        }
        r[j] = (double)(y[j] - (even + odd));
    }
}

bool perp_lemke_basis_refine(lemke_basis *b, CBLAS_TRANSPOSE transpose, const double *y,
                             double *x)
{
    double last = INFINITY;

    for (int step = 0; step < steps && b->m > 0; step++) {
        double size = 0.0, change = 0.0;

        if (transpose == CblasTrans) {
            refine_residual_transposed(b, y, x, b->r);
        } else {
            refine_residual(b, y, x, b->r);
        }
        lemke_basis_solve(b, transpose, b->r, b->dx);
        size = fabs(x[cblas_idamax(b->m, x, 1)]);
        change = fabs(b->dx[cblas_idamax(b->m, b->dx, 1)]);
        b->error = change;
        if (!(change <= contraction * (step == 0 ? size : last))) {
            return change <= stagnation * size;
        }
        cblas_daxpy(b->m, 1.0, b->dx, 1, x, 1);
        b->error = change * (change / (step == 0 ? size : last));
        if (!(b->error > rounding * size)) {
            break;
        }
        last = change;
    }
    return true;
}
