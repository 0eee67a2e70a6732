/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_dominant.c: whether A is an H-matrix with a positive diagonal for certain.
 *
 *     A_ii u_i > sum over j != i of |A_ij| u_j,   u > 0
 *
 * Such matrices, and with them the triangular ones with a positive diagonal, are P-matrices
 * [cottle-pang-stone-2009, section 3.3]: an LCP or a problem with bounds has one solution for
 * every b. Sweeps raise u until the sums are below A_ii u_i by DOMINANT_LEAVE of it, which is far
 * more than they round. The sweeps alternate in their order, so that one of the first two solves a
 * triangular matrix.
 *
 * Cost: 100 sweeps over the entries of A, in CSR or with at most 1500 rows. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "judge/certificate_private.h"

enum { DOMINANT_ROWS = 1500, DOMINANT_SWEEPS = 100 };
#define DOMINANT_LEAVE 1e-3

/* The sum of |A_ij| u_j outside the diagonal of row i. */
static double dominant_sum(const perp_operator *A, const double *u, size_t i)
{
    double sum = 0.0;

    for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
        sum += (size_t)A->col[k] != i ? fabs(A->x[k]) * u[A->col[k]] : 0.0;
    }
    return sum;
}

/* One sweep, whose row `at` is row i; whether u grew. */
static bool dominant_sweep(const perp_operator *A, const double *diagonal, double *u,
                           bool back)
{
    size_t n = A->rows;
    bool grown = false;

    for (size_t at = 0; at < n; at++) {
        size_t i = back ? n - 1 - at : at;
        double need = dominant_sum(A, u, i) / diagonal[i] / (1.0 - DOMINANT_LEAVE);

        if (need * (1.0 - 0.5 * DOMINANT_LEAVE) > u[i]) {
            u[i] = need;
            grown = true;
        }
    }
    return grown;
}

/* Whether u shows it, for the rounding of n products and sums. */
static bool dominant_shows(const perp_operator *A, const double *diagonal,
                           const double *u)
{
    for (size_t i = 0; i < A->rows; i++) {
        size_t terms = A->ptr[i + 1] - A->ptr[i] + 4;
        double sum = dominant_sum(A, u, i);

        sum += (double)terms * (DBL_EPSILON * sum + DBL_MIN);
        if (!(sum < diagonal[i] * u[i] * (1.0 - 2.0 * DBL_EPSILON)) || !isfinite(u[i])) {
            return false;
        }
    }
    return true;
}

static bool dominant_csr(const perp_operator *A, const double *s, double *diagonal,
                         double *u)
{
    for (size_t i = 0; i < A->rows; i++) {
        diagonal[i] = perp_operator_diagonal(A, i);
        u[i] = 1.0 / s[i];
        if (!(diagonal[i] > 0.0)) {
            return false;
        }
    }
    for (int sweep = 0; sweep < DOMINANT_SWEEPS; sweep++) {
        if (!dominant_sweep(A, diagonal, u, sweep % 2 == 0)) {
            return dominant_shows(A, diagonal, u);
        }
    }
    return false;
}

bool perp_certificate_dominant(const perp_operator *A, const double *s)
{
    perp_operator *csr = NULL;
    double *reals = perp_reals_new(2 * A->rows);
    bool dominant = false;

    if (reals && (A->ptr || A->rows <= DOMINANT_ROWS) &&
        perp_operator_convert(&csr, A, PERP_STORAGE_CSR, 1, NULL) == PERP_OK) {
        dominant = dominant_csr(csr, s, reals, reals + A->rows);
    }
    perp_operator_free(csr);
    free(reals);
    return dominant;
}
