/* SPDX-License-Identifier: Apache-2.0
 * linear/spectrum.c: eigenvalues of the symmetric part by LAPACK's divide and conquer. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>

#include "spectrum.h"

/* Q := (A + A^T)/2: the only place where an asymmetric matrix is symmetrised. */
static void spectrum_load(perp_spectrum *s, const perp_operator *A)
{
    size_t n = s->n;

    for (size_t i = 0; i < n; i++) {
        perp_operator_row_add(A, i, 1.0, s->Q + i * n);
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++) {
            double mean = 0.5 * (s->Q[i + j * n] + s->Q[j + i * n]);

            s->Q[i + j * n] = s->Q[j + i * n] = mean;
        }
    }
}

/* T, and for job 'V' the vectors in Q. Scratch is released before it returns. */
static perp_status spectrum_decompose(perp_spectrum *s, char job, perp_workspace *ws,
                                      perp_error *err)
{
    size_t mark = perp_workspace_mark(ws);
    lapack_int n = (lapack_int)s->n;
    lapack_int integers = 0;
    double reals = 0.0;
    double *work = NULL;
    lapack_int *iwork = NULL;
    lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', n, s->Q, n, s->T,
                                          &reals, -1, &integers, -1);
    perp_status status = PERP_OK;

    if (info == 0) {
        work = perp_workspace_reals(ws, (size_t)reals);
        iwork = perp_workspace_alloc(ws, (size_t)integers, sizeof *iwork);
        status = perp_workspace_status(ws, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    if (info == 0) {
        info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', n, s->Q, n, s->T, work,
                                   (lapack_int)reals, iwork, integers);
    }
    perp_workspace_release(ws, mark);
    return info == 0 ? PERP_OK
                     : perp_fail(err, PERP_ERR_LIBRARY, "dsyevd failed with info %d",
                                 (int)info);
}

static perp_status spectrum_alloc(perp_spectrum *s, const perp_operator *A, char job,
                                  perp_workspace *ws, perp_error *err)
{
    int narrow = 0;
    perp_status status = perp_blas_int(A->rows, &narrow, err);

    *s = (perp_spectrum){.n = A->rows};
    if (status != PERP_OK) {
        return status;
    }
    s->Q = perp_workspace_alloc(ws, s->n, s->n * sizeof *s->Q);
    s->T = perp_workspace_reals(ws, s->n);
    s->c = perp_workspace_reals(ws, s->n);
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK || s->n == 0) {
        return status;
    }
    spectrum_load(s, A);
    return spectrum_decompose(s, job, ws, err);
}

perp_status perp_spectrum_setup(perp_spectrum *s, const perp_operator *A,
                                perp_workspace *ws, perp_error *err)
{
    return spectrum_alloc(s, A, 'V', ws, err);
}

void perp_spectrum_solve(perp_spectrum *s, double tau, double *x)
{
    int n = (int)s->n;

    if (n == 0) {
        return;
    }
    cblas_dgemv(CblasColMajor, CblasTrans, n, n, 1.0, s->Q, n, x, 1, 0.0, s->c, 1);
    for (size_t i = 0; i < s->n; i++) {
        s->c[i] /= s->T[i] + tau;
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, s->Q, n, s->c, 1, 0.0, x, 1);
}

perp_status perp_spectrum_extremes(const perp_operator *A, double *least, double *most,
                                   perp_workspace *ws, perp_error *err)
{
    size_t mark = perp_workspace_mark(ws);
    perp_spectrum s;
    perp_status status = spectrum_alloc(&s, A, 'N', ws, err);

    *least = *most = 0.0;
    if (status != PERP_OK) {
        return status;
    }
    if (s.n > 0) {
        *least = s.T[0];
        *most = s.T[s.n - 1];
    }
    perp_workspace_release(ws, mark);
    return PERP_OK;
}
