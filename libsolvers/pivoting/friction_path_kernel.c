/* SPDX-License-Identifier: Apache-2.0
 * pivoting/friction_path_kernel.c: the linear system of a piece of the path, kept inverted.
 *
 *     K_qj = A_qj + sum over rows t that slip on j of +-mu A_qt,   q, j in C
 *
 * A row that changes its state changes K by a row and a column, and where it slips on a normal
 * of C, by one column more: G = K^-1 follows by bordering, deletion and updates of rank one,
 * k^2 each. The w of rows in C, which should be 0, shows when G has lost its accuracy; then K
 * is factored again. An event costs some 10 k^2 + 4 n^2 flops instead of 2/3 k^3. */
#include <config.h>

#include <cblas.h>

#include "friction_path.h"

/* Updates of G before it is computed again. */
enum { UPDATES = 200 };

/* A pivot of an update below this, relative to the terms of which it is the difference, is
 * rounding. */
static const double tiny_pivot = 1e-11;

/* A residual of the rows in C above this calls for another correction; above a thousand times
 * as much, for another G. */
static const double inaccurate = 1e-11;

static double *kernel_column_of(const friction_path *s, size_t j)
{
    return s->G + j * s->G_ld;
}

/* +-mu where row t slips, else 0. */
static double kernel_slip(const friction_path *s, size_t t)
{
    if (!friction_path_is_friction(s, t) || s->state[t] == DANTZIG_INSIDE ||
        s->state[t] == DANTZIG_FIXED) {
        return 0.0;
    }
    return (s->state[t] == DANTZIG_LOW ? -1.0 : 1.0) * s->p->set->blocks[t].mu;
}

/* out := A_Ct, in the order of C. */
static void kernel_gather(const friction_path *s, size_t t, double *out)
{
    const double *a = s->A + t * s->ld;

    for (size_t q = 0; q < s->k; q++) {
        out[q] = a[s->in[q]];
    }
}

bool perp_friction_kernel_factor(friction_path *s, perp_result *r)
{
    lapack_int k = 0;
    const lapack_int ld = (lapack_int)s->G_ld;

    s->k = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->state[i] == DANTZIG_INSIDE) {
            s->in[s->k] = i;
            s->place[i] = s->k++;
        }
    }
    for (size_t j = 0; j < s->k; j++) {
        kernel_gather(s, s->in[j], kernel_column_of(s, j));
    }
    for (size_t t = 0; t < s->n; t++) {
        size_t normal = s->p->set->blocks[t].normal;
        double mu = kernel_slip(s, t);

        if (mu != 0.0 && s->state[normal] == DANTZIG_INSIDE) {
            kernel_gather(s, t, s->column);
            cblas_daxpy((int)s->k, mu, s->column, 1,
                        kernel_column_of(s, s->place[normal]), 1);
        }
    }
    k = (lapack_int)s->k;
    s->updates = 0;
    r->work.factorizations++;
    r->work.flops_factor += 2.0 * (double)k * (double)k * (double)k;
    return k == 0 ||
           (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, s->G, ld, s->exchanges) == 0 &&
            LAPACKE_dgetri_work(LAPACK_COL_MAJOR, k, s->G, ld, s->exchanges, s->work,
                                (lapack_int)(FRICTION_PATH_BLOCK * s->n)) == 0);
}

/* G := (K + u e_p^T)^-1, u in s->column. */
static bool kernel_add_to_column(friction_path *s, size_t p)
{
    const int k = (int)s->k, ld = (int)s->G_ld;
    double pivot = 0.0;

    cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, 1.0, s->G, ld, s->column, 1, 0.0,
                s->G_column, 1);
    pivot = 1.0 + s->G_column[p];
    if (!(fabs(pivot) > tiny_pivot * (1.0 + fabs(s->G_column[p])))) {
        return false;
    }
    cblas_dcopy(k, s->G + p, ld, s->row_G, 1);
    cblas_dger(CblasColMajor, k, k, -1.0 / pivot, s->G_column, 1, s->row_G, 1, s->G, ld);
    return true;
}

/* Row i joins C. */
static bool kernel_append(friction_path *s, size_t i)
{
    const int k = (int)s->k, ld = (int)s->G_ld;
    const double *a = s->A + i * s->ld;
    double *last = kernel_column_of(s, s->k);
    double corner = a[i];
    double pivot = 0.0;

    kernel_gather(s, i, s->column);
    kernel_gather(s, i, s->column);
    for (size_t t = 0; t < s->n; t++) {
        size_t normal = s->p->set->blocks[t].normal;
        double mu = kernel_slip(s, t);

        if (mu != 0.0 && normal == i) {
            for (size_t q = 0; q < s->k; q++) {
                s->column[q] += mu * s->A[s->in[q] + t * s->ld];
            }
            corner += mu * a[t];
        } else if (mu != 0.0 && s->state[normal] == DANTZIG_INSIDE) {
            s->row[s->place[normal]] += mu * a[t];
        }
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, 1.0, s->G, ld, s->column, 1, 0.0,
                s->G_column, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, k, k, 1.0, s->G, ld, s->row, 1, 0.0, s->row_G,
                1);
    pivot = corner - cblas_ddot(k, s->row, 1, s->G_column, 1);
    if (!(fabs(pivot) > tiny_pivot * fabs(corner))) {
        return false;
    }
    cblas_dger(CblasColMajor, k, k, 1.0 / pivot, s->G_column, 1, s->row_G, 1, s->G, ld);
    for (size_t q = 0; q < s->k; q++) {
        last[q] = -s->G_column[q] / pivot;
        kernel_column_of(s, q)[s->k] = -s->row_G[q] / pivot;
    }
    last[s->k] = 1.0 / pivot;
    s->in[s->k] = i;
    s->place[i] = s->k++;
    return true;
}

/* Row i leaves C; the last takes its place. */
static bool kernel_remove(friction_path *s, size_t i)
{
    const int k = (int)s->k, ld = (int)s->G_ld;
    const size_t p = s->place[i], last = s->k - 1;
    const double pivot = kernel_column_of(s, p)[p];
    double largest = 0.0;

    memcpy(s->G_column, kernel_column_of(s, p), s->k * sizeof *s->G_column);
    cblas_dcopy(k, s->G + p, ld, s->row_G, 1);
    largest = fabs(s->G_column[cblas_idamax(k, s->G_column, 1)]);
    if (!(fabs(pivot) > tiny_pivot * largest)) {
        return false;
    }
    cblas_dger(CblasColMajor, k, k, -1.0 / pivot, s->G_column, 1, s->row_G, 1, s->G, ld);
    if (p != last) {
        memcpy(kernel_column_of(s, p), kernel_column_of(s, last), s->k * sizeof *s->G);
        cblas_dcopy(k, s->G + last, ld, s->G + p, ld);
        s->in[p] = s->in[last];
        s->place[s->in[p]] = p;
    }
    s->k = last;
    return true;
}

bool perp_friction_kernel_change(friction_path *s, perp_result *r, size_t i,
                                 perp_dantzig_state to)
{
    const perp_block *block = &s->p->set->blocks[i];
    const bool coupled =
        friction_path_is_friction(s, i) && s->state[block->normal] == DANTZIG_INSIDE;
    bool good = s->updates++ < UPDATES;

    if (good && to == DANTZIG_INSIDE && coupled) {
        kernel_gather(s, i, s->column);
        cblas_dscal((int)s->k, -kernel_slip(s, i), s->column, 1);
        good = kernel_add_to_column(s, s->place[block->normal]);
    }
    good = good && (to != DANTZIG_INSIDE || s->state[i] != DANTZIG_INSIDE);
    s->state[i] = to;
    if (good) {
        good = to == DANTZIG_INSIDE ? kernel_append(s, i) : kernel_remove(s, i);
    }
    if (good && to != DANTZIG_INSIDE && coupled) {
        kernel_gather(s, i, s->column);
        cblas_dscal((int)s->k, kernel_slip(s, i), s->column, 1);
        good = kernel_add_to_column(s, s->place[block->normal]);
    }
    r->work.flops_factor += 4.0 * (double)s->k * (double)s->k;
    return good;
}

/* z_C := z_C - G w_C with w_C in s->column; rows that slip follow. */
static void kernel_correct(friction_path *s, double *z)
{
    const int k = (int)s->k;

    cblas_dgemv(CblasColMajor, CblasNoTrans, k, k, -1.0, s->G, (int)s->G_ld, s->column, 1,
                0.0, s->G_column, 1);
    for (size_t q = 0; q < s->k; q++) {
        z[s->in[q]] += s->G_column[q];
    }
    for (size_t t = 0; t < s->n; t++) {
        size_t normal = s->p->set->blocks[t].normal;
        double mu = kernel_slip(s, t);

        if (mu != 0.0 && s->state[normal] == DANTZIG_INSIDE) {
            z[t] += mu * s->G_column[s->place[normal]];
        }
    }
}

/* w := w + A z. */
static void kernel_product(const friction_path *s, const double *z, double *w)
{
    if (s->n > 0) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->n, (int)s->n, 1.0, s->A,
                    (int)s->ld, z, 1, 1.0, w, 1);
    }
}

/* w0 := b + A z0, w1 := offset + A z1. */
static void kernel_velocities(friction_path *s, perp_result *r)
{
    memcpy(s->w0, s->p->b, s->n * sizeof *s->w0);
    memcpy(s->w1, s->offset, s->n * sizeof *s->w1);
    kernel_product(s, s->z0, s->w0);
    kernel_product(s, s->z1, s->w1);
    r->work.products += 2.0;
}

/* The bounds of the rows outside C in z0 and what t adds to them in z1; 0 in C. */
static void kernel_constants(friction_path *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->z0[i] = s->state[i] == DANTZIG_INSIDE || friction_path_is_friction(s, i) ? 0.0
                   : s->state[i] == DANTZIG_HIGH ? s->box.hi[i]
                                                 : s->box.lo[i];
        s->z1[i] = 0.0;
    }
    for (size_t i = 0; i < s->n; i++) {
        double mu = kernel_slip(s, i);

        if (mu != 0.0) {
            s->z0[i] = mu * fmax(s->z0[s->p->set->blocks[i].normal], 0.0);
            s->z1[i] = mu * s->open[i];
        }
    }
}

/* The residual of the rows in C at z0 + t z1. */
static double kernel_error(const friction_path *s)
{
    double error = 0.0;
    double size = s->box.beta;

    for (size_t q = 0; q < s->k; q++) {
        size_t i = s->in[q];

        error =
            fmax(error, fmax(fabs(s->w0[i]), fabs(s->t * s->w1[i])) / s->box.scale[i]);
    }
    for (size_t i = 0; i < s->n; i++) {
        size = fmax(size, s->box.scale[i] * fabs(s->z0[i]));
    }
    return error / size;
}

bool perp_friction_kernel_line(friction_path *s, perp_result *r)
{
    kernel_constants(s);
    for (int step = 0; step < 3; step++) {
        kernel_velocities(s, r);
        if (step > 0 && kernel_error(s) <= inaccurate) {
            break;
        }
        for (size_t q = 0; q < s->k; q++) {
            s->column[q] = s->w0[s->in[q]];
        }
        kernel_correct(s, s->z0);
        for (size_t q = 0; q < s->k; q++) {
            s->column[q] = s->w1[s->in[q]];
        }
        kernel_correct(s, s->z1);
        if (step == 2) {
            kernel_velocities(s, r);
        }
    }
    return perp_all_finite(s->z0, s->n) && perp_all_finite(s->z1, s->n) &&
           kernel_error(s) <= 1e3 * inaccurate;
}
