/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/kkt.c: velocities and impulses of equality rows from one symmetric system.
 *
 *     [ M  -J^T ] [ v      ]   [ M v_n + dt f ]
 *     [ -J  -D  ] [ lambda ] = [ -bias        ]
 *
 * the conditions of  min (v - v_n)^T M (v - v_n)/(2 dt) - f.v  subject to J v = bias,
 * softened by D: J v + D lambda = bias. Indefinite, so it is factored as L B L^T with
 * blocks of 1 and 2 [bunch-kaufman-1977]. Rows and columns are scaled alike until the
 * largest entry of each is about 1: units then do not make a matrix look singular.
 * Cost: (n + rows)^3/3. */
#include <config.h>

#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <perp/blas.h>

#include "math/math.h"
#include "reference.h"

typedef struct kkt_work {
    size_t size;   /* n + rows */
    double *K;     /* size x size, column-major, lower triangle */
    double *scale; /* size */
    double *x;     /* size: right-hand side, then the answer */
    lapack_int *pivots;
} kkt_work;

static void kkt_close(kkt_work *k)
{
    free(k->K);
    free(k->scale);
    free(k->x);
    free(k->pivots);
}

/* The lower triangle. */
static void kkt_fill(kkt_work *k, size_t n, const double *M, size_t rows, const double *J,
                     const double *D)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            k->K[i + j * k->size] = M[i + j * n];
        }
        for (size_t i = 0; i < rows; i++) {
            k->K[n + i + j * k->size] = -J[i + j * rows];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        k->K[(n + i) * (k->size + 1)] = D ? -D[i] : 0.0;
    }
}

/* Powers of two that bring the largest entry of each row near 1: exact to undo. */
static void kkt_scale(kkt_work *k)
{
    const size_t n = k->size;

    for (size_t i = 0; i < n; i++) {
        k->scale[i] = 1.0;
    }
    for (int round = 0; round < 4; round++) { /* each halves the spread's logarithm */
        for (size_t i = 0; i < n; i++) {
            double most = 0.0;

            for (size_t j = 0; j < n; j++) {
                double a = i >= j ? k->K[i + j * n] : k->K[j + i * n];

                most = fmax(most, fabs(k->scale[i] * a * k->scale[j]));
            }
            if (most > 0.0 && isfinite(most)) {
                k->scale[i] *= exp2(-rint(log2(most) / 2.0));
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            k->K[i + j * n] *= k->scale[i] * k->scale[j];
        }
    }
}

static void kkt_right(kkt_work *k, size_t n, const double *M, size_t rows,
                      const double *v_n, const double *f, const double *bias, double dt)
{
    for (size_t i = 0; i < n; i++) {
        k->x[i] = dt * f[i];
        for (size_t j = 0; j < n; j++) {
            k->x[i] += M[i + j * n] * v_n[j];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        k->x[n + i] = -bias[i];
    }
    for (size_t i = 0; i < k->size; i++) {
        k->x[i] *= k->scale[i];
    }
}

/* Factor and solve; refuse what is singular to working precision. */
static perp_status kkt_factor(kkt_work *k, perp_error *err)
{
    const lapack_int n = (lapack_int)k->size;
    double norm = 0.0;
    double rcond = 0.0;
    lapack_int info = 0;

    /* asked here: LAPACKE takes a NaN for a wrong argument */
    if (!math_finite(k->K, k->size * k->size) || !math_finite(k->x, k->size)) {
        return perp_fail(err, PERP_ERR_DATA, "kkt: an entry is not finite");
    }
    perp_blas_hold();
    norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', n, k->K, n);
    info = LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', n, k->K, n, k->pivots);
    if (info == 0) {
        info = LAPACKE_dsycon(LAPACK_COL_MAJOR, 'L', n, k->K, n, k->pivots, norm, &rcond);
    }
    perp_blas_release();
    if (info < 0) {
        return info <= LAPACK_WORK_MEMORY_ERROR
                   ? perp_fail(err, PERP_ERR_MEMORY, "kkt: no memory for LAPACK")
                   : perp_fail(err, PERP_ERR_LIBRARY, "kkt: LAPACK failed with %d",
                               (int)info);
    }
    if (info > 0 || rcond < DBL_EPSILON) {
        return perp_fail(err, PERP_ERR_DATA,
                         "kkt: the matrix is singular, reciprocal condition %.1e, "
                         "expected independent rows of J",
                         rcond);
    }
    perp_blas_hold();
    LAPACKE_dsytrs(LAPACK_COL_MAJOR, 'L', n, 1, k->K, n, k->pivots, k->x, n);
    perp_blas_release();
    return PERP_OK;
}

perp_status perp_kkt_solve(size_t n, const double *M, size_t rows, const double *J,
                           const double *D, const double *v_n, const double *f,
                           const double *bias, double dt, double *v, double *lambda,
                           perp_error *err)
{
    kkt_work k = {.size = n + rows};
    perp_status status = PERP_OK;

    if (k.size == 0) {
        return PERP_OK;
    }
    if (k.size > INT_MAX / 2 || k.size > SIZE_MAX / sizeof(double) / k.size) {
        return perp_fail(err, PERP_ERR_DATA, "kkt: %zu unknowns are too many", k.size);
    }
    k.K = math_alloc(k.size * k.size, sizeof(double));
    k.scale = math_alloc(k.size, sizeof(double));
    k.x = math_alloc(k.size, sizeof(double));
    k.pivots = math_alloc(k.size, sizeof *k.pivots);
    if (!k.K || !k.scale || !k.x || !k.pivots) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "kkt: no memory for %zu unknowns", k.size);
    } else {
        kkt_fill(&k, n, M, rows, J, D);
        kkt_scale(&k);
        kkt_right(&k, n, M, rows, v_n, f, bias, dt);
        status = kkt_factor(&k, err);
    }
    for (size_t i = 0; i < k.size && status == PERP_OK; i++) {
        *(i < n ? v + i : lambda + (i - n)) = k.x[i] * k.scale[i];
    }
    kkt_close(&k);
    return status;
}
