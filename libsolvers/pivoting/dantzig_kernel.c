/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_kernel.c: the linear system of a path of coupled friction, kept inverted.
 *
 *     K_qj = A_qj + sum over rows t that slip on j of +-mu A_qt,   q, j in C
 *
 * A row that turns changes K by a row and column, and where it slips on a normal of C, by
 * one column more: G = K^-1 follows by bordering, deletion and updates of rank one, k^2
 * each. The w of rows in C, which should be 0, tells when G has drifted; then K is factored
 * afresh. Cost of an event: some 10 k^2 + 4 n^2 flops instead of 2/3 k^3. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>

#include "dantzig.h"

/* A pivot of an update below this, relative to what it is the difference of, is rounding. */
static const double tiny_pivot = 1e-11;

/* RES of the rows in C beyond this says that G has drifted. */
static const double drifted = 1e-11;

static double *column_of(const dantzig *s, size_t j)
{
    return s->panel + j * s->panel_ld;
}

/* +-mu where row t slips, else 0. */
static double slip(const dantzig *s, size_t t)
{
    if (!dantzig_is_friction(s, t) || s->trial[t] == ROW_IN || s->trial[t] == ROW_FIXED) {
        return 0.0;
    }
    return (s->trial[t] == ROW_LOW ? -1.0 : 1.0) * s->p->set->blocks[t].mu;
}

/* out := A_Ct, in the order of C. */
static void gather(const dantzig *s, size_t t, double *out)
{
    const double *a = s->A + t * s->ld;

    for (size_t q = 0; q < s->k; q++) {
        out[q] = a[s->in[q]];
    }
}

bool dantzig_kernel_factor(dantzig *s, perp_result *r)
{
    lapack_int k = 0;
    const lapack_int ld = (lapack_int)s->panel_ld;

    s->k = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->trial[i] == ROW_IN) {
            s->in[s->k] = i;
            s->place[i] = s->k++;
        }
    }
    for (size_t j = 0; j < s->k; j++) {
        gather(s, s->in[j], column_of(s, j));
        column_of(s, j)[j] += s->shift;
    }
    for (size_t t = 0; t < s->n; t++) {
        size_t normal = s->p->set->blocks[t].normal;
        double mu = slip(s, t);

        if (mu != 0.0 && s->trial[normal] == ROW_IN) {
            gather(s, t, s->y);
            cblas_daxpy((int)s->k, mu, s->y, 1, column_of(s, s->place[normal]), 1);
        }
    }
    k = (lapack_int)s->k;
    s->updates = 0;
    r->work.factorizations++;
    r->work.flops_factor += 2.0 * (double)k * (double)k * (double)k;
    return k == 0 ||
           (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, s->panel, ld, s->pivoting) == 0 &&
            LAPACKE_dgetri_work(LAPACK_COL_MAJOR, k, s->panel, ld, s->pivoting, s->work,
                                (lapack_int)(DANTZIG_BLOCK * s->n)) == 0);
}

/* G := (K + u e_p^T)^-1, u in s->y. */
static bool kernel_column(dantzig *s, size_t p)
{
    const int k = (int)s->k, ld = (int)s->panel_ld;
    double pivot = 0.0;

    cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, 1.0, s->panel, ld, s->y, 1, 0.0, s->dz,
                1);
    pivot = 1.0 + s->dz[p];
    if (!(fabs(pivot) > tiny_pivot * (1.0 + fabs(s->dz[p])))) {
        return false;
    }
    cblas_dcopy(k, s->panel + p, ld, s->dz_slot, 1);
    cblas_dger(CblasColMajor, k, k, -1.0 / pivot, s->dz, 1, s->dz_slot, 1, s->panel, ld);
    return true;
}

/* Row i joins C. */
static bool kernel_border(dantzig *s, size_t i)
{
    const int k = (int)s->k, ld = (int)s->panel_ld;
    const double *a = s->A + i * s->ld;
    double *last = column_of(s, s->k);
    double corner = a[i] + s->shift;
    double pivot = 0.0;

    /* y: the column, column: the row. */
    gather(s, i, s->y);
    gather(s, i, s->column);
    for (size_t t = 0; t < s->n; t++) {
        size_t normal = s->p->set->blocks[t].normal;
        double mu = slip(s, t);

        if (mu != 0.0 && normal == i) {
            for (size_t q = 0; q < s->k; q++) {
                s->y[q] += mu * s->A[s->in[q] + t * s->ld];
            }
            corner += mu * a[t];
        } else if (mu != 0.0 && s->trial[normal] == ROW_IN) {
            s->column[s->place[normal]] += mu * a[t];
        }
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, 1.0, s->panel, ld, s->y, 1, 0.0, s->dz,
                1);
    cblas_dgemv(CblasColMajor, CblasTrans, k, k, 1.0, s->panel, ld, s->column, 1, 0.0,
                s->dz_slot, 1);
    pivot = corner - cblas_ddot(k, s->column, 1, s->dz, 1);
    if (!(fabs(pivot) > tiny_pivot * fabs(corner))) {
        return false;
    }
    cblas_dger(CblasColMajor, k, k, 1.0 / pivot, s->dz, 1, s->dz_slot, 1, s->panel, ld);
    for (size_t q = 0; q < s->k; q++) {
        last[q] = -s->dz[q] / pivot;
        column_of(s, q)[s->k] = -s->dz_slot[q] / pivot;
    }
    last[s->k] = 1.0 / pivot;
    s->in[s->k] = i;
    s->place[i] = s->k++;
    return true;
}

/* Row i leaves C; the last takes its place. */
static bool kernel_shrink(dantzig *s, size_t i)
{
    const int k = (int)s->k, ld = (int)s->panel_ld;
    const size_t p = s->place[i], last = s->k - 1;
    const double pivot = column_of(s, p)[p];
    double largest = 0.0;

    memcpy(s->dz, column_of(s, p), s->k * sizeof *s->dz);
    cblas_dcopy(k, s->panel + p, ld, s->dz_slot, 1);
    largest = fabs(s->dz[cblas_idamax(k, s->dz, 1)]);
    if (!(fabs(pivot) > tiny_pivot * largest)) {
        return false;
    }
    cblas_dger(CblasColMajor, k, k, -1.0 / pivot, s->dz, 1, s->dz_slot, 1, s->panel, ld);
    if (p != last) {
        memcpy(column_of(s, p), column_of(s, last), s->k * sizeof *s->panel);
        cblas_dcopy(k, s->panel + last, ld, s->panel + p, ld);
        s->in[p] = s->in[last];
        s->place[s->in[p]] = p;
    }
    s->k = last;
    return true;
}

bool dantzig_kernel_turn(dantzig *s, perp_result *r, size_t i, int to)
{
    const perp_block *block = &s->p->set->blocks[i];
    const bool coupled = dantzig_is_friction(s, i) && s->trial[block->normal] == ROW_IN;
    bool good = s->updates++ < DANTZIG_UPDATES;

    if (good && to == ROW_IN && coupled) {
        gather(s, i, s->y);
        cblas_dscal((int)s->k, -slip(s, i), s->y, 1);
        good = kernel_column(s, s->place[block->normal]);
    }
    good = good && (to != ROW_IN || s->trial[i] != ROW_IN);
    s->trial[i] = to;
    if (good) {
        good = to == ROW_IN ? kernel_border(s, i) : kernel_shrink(s, i);
    }
    if (good && to != ROW_IN && coupled) {
        gather(s, i, s->y);
        cblas_dscal((int)s->k, slip(s, i), s->y, 1);
        good = kernel_column(s, s->place[block->normal]);
    }
    r->work.flops_factor += 4.0 * (double)s->k * (double)s->k;
    return good;
}

/* z_C := z_C - G w_C with w in s->y; rows that slip follow. */
static void kernel_correct(dantzig *s, double *z)
{
    const int k = (int)s->k;

    cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, -1.0, s->panel, (int)s->panel_ld, s->y,
                1, 0.0, s->dz, 1);
    for (size_t q = 0; q < s->k; q++) {
        z[s->in[q]] += s->dz[q];
    }
    for (size_t t = 0; t < s->n; t++) {
        size_t normal = s->p->set->blocks[t].normal;
        double mu = slip(s, t);

        if (mu != 0.0 && s->trial[normal] == ROW_IN) {
            z[t] += mu * s->dz[s->place[normal]];
        }
    }
}

/* w0 := b + A z0, w1 := lean + A z1, with the shift. */
static void kernel_w(dantzig *s, perp_result *r)
{
    memcpy(s->w0, s->p->b, s->n * sizeof *s->w0);
    memcpy(s->w1, s->lean, s->n * sizeof *s->w1);
    dantzig_times(s, s->z0, s->w0);
    dantzig_times(s, s->z1, s->w1);
    for (size_t i = 0; i < s->n && s->shift > 0.0; i++) {
        s->w0[i] += s->shift * (s->z0[i] - s->center[i]);
        s->w1[i] += s->shift * s->z1[i];
    }
    dantzig_count(s, r, s->n, 2 * s->n);
}

/* RES of the rows in C on the line, as far as z has come on it. */
static double kernel_error(const dantzig *s)
{
    double error = 0.0;
    double size = s->beta_b;

    for (size_t q = 0; q < s->k; q++) {
        size_t i = s->in[q];

        error = fmax(error, fmax(fabs(s->w0[i]), fabs(s->t * s->w1[i])) / s->scale[i]);
    }
    for (size_t i = 0; i < s->n; i++) {
        size = fmax(size, s->scale[i] * fabs(s->z0[i]));
    }
    return error / size;
}

bool dantzig_kernel_line(dantzig *s, perp_result *r)
{
    dantzig_line_constants(s, s->z0, s->z1);
    for (int step = 0; step < 3; step++) {
        kernel_w(s, r);
        if (step > 0 && kernel_error(s) <= drifted) {
            break;
        }
        for (size_t q = 0; q < s->k; q++) {
            s->y[q] = s->w0[s->in[q]];
        }
        kernel_correct(s, s->z0);
        for (size_t q = 0; q < s->k; q++) {
            s->y[q] = s->w1[s->in[q]];
        }
        kernel_correct(s, s->z1);
        if (step == 2) {
            kernel_w(s, r);
        }
    }
    return perp_all_finite(s->z0, s->n) && perp_all_finite(s->z1, s->n) &&
           kernel_error(s) <= 1e3 * drifted;
}
