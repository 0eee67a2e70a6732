/* SPDX-License-Identifier: Apache-2.0
 * newton/krylov.c: GMRES with modified Gram-Schmidt and Givens rotations. */
#include <config.h>

#include <cblas.h>

#include "krylov.h"

enum { JUDGED = 3 /* steps after which one can tell whether all will suffice */ };

static const double accuracy = 0.03; /* of the residual; less saves no Newton steps */

void perp_krylov_alloc(perp_krylov *k, perp_velocity *space, bool exact,
                       perp_workspace *ws)
{
    k->space = space;
    if (exact) {
        return;
    }
    k->basis = perp_workspace_reals(ws, (PERP_KRYLOV_MOST + 1) * space->nv);
    k->rows = perp_workspace_reals(ws, space->n);
    k->forces = perp_workspace_reals(ws, space->nv);
}

/* y := S0^-1 S x */
static void krylov_product(perp_krylov *k, const double *x, double *y)
{
    perp_velocity *space = k->space;

    perp_velocity_rows(space, x, k->rows);
    perp_velocity_weigh(space, k->rows, k->rows);
    perp_velocity_forces(space, k->rows, k->forces);
    perp_velocity_mass(space, x, y);
    cblas_daxpy((int)space->nv, 1.0, k->forces, 1, y, 1);
    perp_velocity_solve_forces(space, y);
}

/* Column j of R from that of the Hessenberg matrix, and the rotated right-hand side. */
static void krylov_rotate(perp_krylov *k, size_t j)
{
    double *column = k->R[j];
    double length = 0.0;

    for (size_t i = 0; i < j; i++) {
        double a = column[i];

        column[i] = k->c[i] * a + k->s[i] * column[i + 1];
        column[i + 1] = k->c[i] * column[i + 1] - k->s[i] * a;
    }
    length = hypot(column[j], column[j + 1]);
    k->c[j] = length > 0.0 ? column[j] / length : 1.0;
    k->s[j] = length > 0.0 ? column[j + 1] / length : 0.0;
    column[j] = length;
    k->g[j + 1] = -k->s[j] * k->g[j];
    k->g[j] *= k->c[j];
}

/* Vector j + 1 of the basis and column j of R. */
static void krylov_extend(perp_krylov *k, size_t j)
{
    size_t nv = k->space->nv;
    double *next = k->basis + (j + 1) * nv;
    double length = 0.0;

    krylov_product(k, k->basis + j * nv, next);
    for (size_t i = 0; i <= j; i++) {
        const double *q = k->basis + i * nv;

        k->R[j][i] = cblas_ddot((int)nv, q, 1, next, 1);
        cblas_daxpy((int)nv, -k->R[j][i], q, 1, next, 1);
    }
    length = cblas_dnrm2((int)nv, next, 1);
    if (length > 0.0) {
        cblas_dscal((int)nv, 1.0 / length, next, 1);
    }
    k->R[j][j + 1] = length;
    krylov_rotate(k, j);
}

/* f := the combination of the first `count` vectors with the least residual. */
static void krylov_combine(perp_krylov *k, size_t count, double *f)
{
    size_t nv = k->space->nv;

    memset(f, 0, nv * sizeof *f);
    for (size_t i = count; i-- > 0;) {
        for (size_t j = i + 1; j < count; j++) {
            k->g[i] -= k->R[j][i] * k->g[j];
        }
        k->g[i] /= k->R[i][i];
        cblas_daxpy((int)nv, k->g[i], k->basis + i * nv, 1, f, 1);
    }
}

/* f := S^-1 f; false, with f as it was, where that takes too many steps. */
static bool krylov_solve(perp_krylov *k, double *f, perp_work *work)
{
    size_t nv = k->space->nv;
    double first = 0.0;

    memcpy(k->basis, f, nv * sizeof *f);
    perp_velocity_solve_forces(k->space, k->basis);
    first = cblas_dnrm2((int)nv, k->basis, 1);
    work->products += 1.0;
    if (!(first > 0.0) || !isfinite(first)) {
        return false;
    }
    cblas_dscal((int)nv, 1.0 / first, k->basis, 1);
    k->g[0] = 1.0;
    for (size_t j = 0; j < PERP_KRYLOV_MOST; j++) {
        double left = 0.0;

        krylov_extend(k, j);
        work->products += 2.0; /* a solve costs as much as a product */
        left = fabs(k->g[j + 1]);
        if (left <= accuracy && k->R[j][j] > 0.0) {
            krylov_combine(k, j + 1, f);
            cblas_dscal((int)nv, first, f, 1);
            return true;
        }
        if (j + 1 >= JUDGED &&
            !(pow(left, (double)PERP_KRYLOV_MOST / (double)(j + 1)) <= accuracy)) {
            return false;
        }
    }
    return false;
}

perp_status perp_krylov_direct(perp_krylov *k, double *f, perp_work *work, bool *done,
                               perp_error *err)
{
    perp_status status = PERP_OK;

    *done = true;
    k->stale = k->factored && k->basis && krylov_solve(k, f, work);
    if (!k->stale) {
        status = perp_velocity_factor(k->space, work, done, err);
        k->factored = status == PERP_OK && *done;
    }
    if (!k->factored) {
        return status;
    }
    if (!k->stale) {
        perp_velocity_solve_forces(k->space, f);
    }
    *done = perp_all_finite(f, k->space->nv);
    return PERP_OK;
}
