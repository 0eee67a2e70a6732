/* SPDX-License-Identifier: Apache-2.0
 * linear/ldlt.c: L D L^T of a symmetric positive definite matrix under change.
 *
 *     add:      y = L^-1 m,  l = y/d,  d_new = m_new - y.l;  append the row (l, 1)    O(k^2)
 *     remove q: with l = L[q+1:, q], a = d_q, the rows after q become
 *               L33 D33 L33^T + a l l^T:
 *               p_j = l_j; d'_j = d_j + a p_j^2; b_j = a p_j/d'_j; a := a d_j/d'_j
 *               for t > j:  l_t -= p_j L_tj;  L_tj += b_j l_t                  O((k - q)^2)
 *
 * Removing is an update, never a downdate, hence stable for positive definite matrices
 * [gill-golub-murray-saunders-1974]. It is done row by row here, which is the
 * same arithmetic in another order and streams through the rows. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "base/base.h"
#include "linear/ldlt.h"

/* Sixteen doubles are two cache lines, and long enough for a product of BLAS to pay. */
enum { GROUP = 16 };

static double *ldlt_row(const perp_ldlt *f, size_t i)
{
    size_t g = i / GROUP;

    return f->L + GROUP * GROUP / 2 * g * (g + 1) + (i % GROUP) * GROUP * (g + 1);
}

void perp_ldlt_new(perp_ldlt *f, size_t capacity, perp_workspace *ws)
{
    size_t groups = capacity / GROUP + 1;
    size_t reals = 0;

    memset(f, 0, sizeof *f);
    if (!perp_mul(groups, groups + 1, &reals) ||
        !perp_mul(reals, GROUP * GROUP / 2, &reals)) {
        reals = SIZE_MAX; /* which the workspace refuses */
    }
    f->L = perp_workspace_reals(ws, reals);
    f->d = perp_workspace_reals(ws, capacity);
    f->p = perp_workspace_reals(ws, capacity);
    f->b = perp_workspace_reals(ws, capacity);
}

size_t perp_ldlt_factor(perp_ldlt *f, size_t k, double *X, size_t ld, double smallest)
{
    int info = 0;

    f->k = 0;
    for (size_t i = 0; i < k; i++) {
        f->d[i] = X[i + i * ld];
    }
    /* The rows of a lower triangle are the columns of an upper one. */
    info = k ? LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (int)k, X, (int)ld) : 0;
    if (info != 0) {
        return info > 0 ? (size_t)info - 1 : 0;
    }
    for (size_t i = 0; i < k; i++) {
        double pivot = X[i + i * ld] * X[i + i * ld];

        if (!(pivot > smallest * f->d[i])) {
            return i;
        }
        f->d[i] = pivot;
        f->b[i] = 1.0 / X[i + i * ld];
    }
    for (size_t i = 0; i < k; i++) {
        double *row = ldlt_row(f, i);

        for (size_t j = 0; j < i; j++) {
            row[j] = X[j + i * ld] * f->b[j];
        }
    }
    f->k = k;
    return k;
}

void perp_ldlt_forward(const perp_ldlt *f, size_t from, double *x)
{
    for (size_t i = from; i < f->k;) {
        size_t first = i / GROUP * GROUP;
        size_t last = first + GROUP < f->k ? first + GROUP : f->k;

        if (first) {
            cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)(last - i), (int)first, -1.0,
                        ldlt_row(f, i), (int)(first + GROUP), x, 1, 1.0, x + i, 1);
        }
        for (; i < last; i++) {
            const double *row = ldlt_row(f, i);
            double sum = x[i];

            for (size_t j = first; j < i; j++) {
                sum -= row[j] * x[j];
            }
            x[i] = sum;
        }
    }
}

void perp_ldlt_backward(const perp_ldlt *f, double *x)
{
    for (size_t last = f->k; last > 0;) {
        size_t first = (last - 1) / GROUP * GROUP;

        for (size_t i = last; i-- > first;) {
            const double *row = ldlt_row(f, i);

            for (size_t j = first; j < i; j++) {
                x[j] -= row[j] * x[i];
            }
        }
        if (first) {
            cblas_dgemv(CblasRowMajor, CblasTrans, (int)(last - first), (int)first, -1.0,
                        ldlt_row(f, first), (int)(first + GROUP), x + first, 1, 1.0, x,
                        1);
        }
        last = first;
    }
}

void perp_ldlt_solve(const perp_ldlt *f, double *x)
{
    perp_ldlt_forward(f, 0, x);
    for (size_t i = 0; i < f->k; i++) {
        x[i] /= f->d[i];
    }
    perp_ldlt_backward(f, x);
}

double perp_ldlt_pivot(const perp_ldlt *f, const double *y, double diagonal)
{
    double sum = 0.0;

    for (size_t i = 0; i < f->k; i++) {
        sum += y[i] * y[i] / f->d[i];
    }
    return diagonal - sum;
}

void perp_ldlt_add(perp_ldlt *f, const double *y, double pivot)
{
    double *row = ldlt_row(f, f->k);

    for (size_t j = 0; j < f->k; j++) {
        row[j] = y[j] / f->d[j];
    }
    f->d[f->k++] = pivot;
}

double perp_ldlt_row_dot(const perp_ldlt *f, size_t row, const double *x)
{
    return row ? cblas_ddot((int)row, ldlt_row(f, row), 1, x, 1) : 0.0;
}

void perp_ldlt_remove(perp_ldlt *f, size_t q)
{
    double a = f->d[q];

    for (size_t t = q + 1; t < f->k; t++) {
        const double *from = ldlt_row(f, t);
        double *to = ldlt_row(f, t - 1);
        double l = from[q];
        double d = 0.0;

        memcpy(to, from, q * sizeof *to);
        for (size_t j = q + 1; j < t; j++) {
            double x = from[j];

            l -= f->p[j] * x;
            to[j - 1] = x + f->b[j] * l;
        }
        d = f->d[t] + a * l * l;
        f->p[t] = l;
        f->b[t] = a * l / d;
        a *= f->d[t] / d;
        f->d[t - 1] = d;
    }
    f->k--;
}
