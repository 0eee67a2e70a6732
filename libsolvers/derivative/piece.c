/* SPDX-License-Identifier: Apache-2.0
 * derivative/piece.c: a block of the equations of the modes, factored.
 *
 *     B_GG = P L U,    or    B_GG^+ = V diag(1/sigma) U^T,  sigma > rank sigma_max
 *
 * The block is scaled by the row scales of the residual, so that its condition does not depend
 * on units. It is singular where constraints are redundant: impulses are then not unique, and
 * the pseudo-inverse selects the impulses of least norm and, where the equations contradict each
 * other, the least-squares solution. Cost: 2 m^3/3 flops by LU, some 20 m^3 by singular values;
 * memory: m^2 or 2 m^2 reals. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>

#include "base/base.h"
#include "derivative.h"

static void piece_gather(const perp_piece *piece, const perp_modes *modes,
                         const double *B, double *block)
{
    for (size_t j = 0; j < piece->m; j++) {
        for (size_t i = 0; i < piece->m; i++) {
            block[i + j * piece->m] = B[piece->modes[i] + piece->modes[j] * modes->count];
        }
    }
}

/* The reciprocal condition in the 1-norm, 0 where a pivot is 0. */
static double piece_lu(perp_piece *piece, int m)
{
    double norm = 0.0;
    double rcond = 0.0;

    perp_blas_hold();
    for (int j = 0; j < m; j++) {
        norm = fmax(norm, cblas_dasum(m, piece->factors + (size_t)j * piece->m, 1));
    }
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, piece->factors, m, piece->pivots) ==
        0) {
        /* the pivots are still needed: integers of the estimate go behind them */
        LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', m, piece->factors, m, norm, &rcond,
                            piece->work, piece->pivots + m);
    }
    perp_blas_release();
    return rcond;
}

/* The first column that the ones before it nearly span. */
static size_t piece_weakest(const perp_piece *piece)
{
    size_t weakest = 0;

    for (size_t k = 1; k < piece->m; k++) {
        if (fabs(piece->factors[k + k * piece->m]) <
            fabs(piece->factors[weakest + weakest * piece->m])) {
            weakest = k;
        }
    }
    return weakest;
}

static perp_status piece_singular(const perp_piece *piece, const perp_modes *modes,
                                  double rcond, perp_error *err)
{
    const perp_problem *p = modes->p;
    const size_t row = modes->mode[piece->modes[piece_weakest(piece)]].row;
    const perp_label *label =
        p->labels ? &p->labels->at[perp_set_block_at(p->set, row)] : NULL;
    const char *name = label ? label->name : NULL;

    return perp_fail(
        err, PERP_ERR_DATA,
        "sensitivity: the block of the %zu rows that may move is singular "
        "(reciprocal condition %.1e): row %zu%s%s%s depends on those before it; "
        "least-norm accepts impulses that are not unique",
        piece->m, rcond, row, name ? ", " : "", name ? name : "", name ? "," : "");
}

/* sigma := 1/sigma where sigma is above `rank` times the largest, else 0. */
static void piece_invert_values(perp_piece *piece, double rank, double *sigma)
{
    double largest = sigma[0];

    piece->rank = 0;
    for (size_t i = 0; i < piece->m; i++) {
        bool counts = sigma[i] > 0.0 && sigma[i] > rank * largest;

        piece->rank += counts;
        sigma[i] = counts ? 1.0 / sigma[i] : 0.0;
    }
}

/* Singular values instead of LU. */
static perp_status piece_svd(perp_piece *piece, const perp_modes *modes, const double *B,
                             double rank, perp_workspace *ws, perp_error *err)
{
    size_t m = piece->m;
    size_t area = m * m;
    size_t mark = 0;
    int k = (int)m;
    double *U = perp_workspace_reals(ws, 2 * area + m);
    double *Vt = U ? U + area : NULL;
    double *sigma = U ? U + 2 * area : NULL;
    double *block = NULL;
    double *work = NULL;
    double wanted = 0.0;
    int info = 0;

    piece->pivots = NULL;
    piece->factors = U;
    mark = perp_workspace_mark(ws);
    block = perp_workspace_reals(ws, area);
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', k, k, block, k, sigma, U, k, Vt, k,
                        &wanted, -1);
    work = perp_workspace_reals(ws, (size_t)wanted);
    TRY(perp_workspace_status(ws, err));
    piece_gather(piece, modes, B, block);
    perp_blas_hold();
    info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', k, k, block, k, sigma, U, k,
                               Vt, k, work, (int)wanted);
    perp_blas_release();
    perp_workspace_release(ws, mark);
    if (info != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "sensitivity: dgesvd ended with %d",
                         info);
    }
    piece_invert_values(piece, rank, sigma);
    return PERP_OK;
}

perp_status perp_piece_factor(perp_piece *piece, const perp_modes *modes, const double *B,
                              const size_t *list, size_t m,
                              const perp_sensitivity_options *options, perp_workspace *ws,
                              perp_error *err)
{
    int narrow = 0;
    size_t mark = 0;
    double rcond = 1.0;
    perp_status status = perp_blas_int(m, &narrow, err);

    *piece = (perp_piece){.m = m, .rank = m};
    if (status != PERP_OK) {
        return status;
    }
    piece->modes = perp_workspace_sizes(ws, m);
    piece->work = perp_workspace_reals(ws, 4 * m);
    mark = perp_workspace_mark(ws);
    piece->pivots = perp_workspace_ints(ws, 2 * m);
    piece->factors = perp_workspace_alloc(ws, m, m * sizeof *piece->factors);
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK || m == 0) {
        return status;
    }
    memcpy(piece->modes, list, m * sizeof *list);
    piece_gather(piece, modes, B, piece->factors);
    rcond = piece_lu(piece, narrow);
    if (rcond >= options->rank) {
        return PERP_OK;
    }
    if (!options->least_norm) {
        return piece_singular(piece, modes, rcond, err);
    }
    perp_workspace_release(ws, mark); /* the factors by LU */
    return piece_svd(piece, modes, B, options->rank, ws, err);
}

static void piece_solve(perp_piece *piece, bool transposed, double *x)
{
    int m = (int)piece->m;
    size_t area = piece->m * piece->m;
    const double *U = piece->factors;
    const double *Vt = piece->factors + area;
    const double *inverse = piece->factors + 2 * area;

    if (m == 0) {
        return;
    }
    if (piece->pivots) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, transposed ? 'T' : 'N', m, 1,
                            piece->factors, m, piece->pivots, x, m);
        return;
    }
    cblas_dgemv(CblasColMajor, transposed ? CblasNoTrans : CblasTrans, m, m, 1.0,
                transposed ? Vt : U, m, x, 1, 0.0, piece->work, 1);
    for (int i = 0; i < m; i++) {
        piece->work[i] *= inverse[i];
    }
    cblas_dgemv(CblasColMajor, transposed ? CblasNoTrans : CblasTrans, m, m, 1.0,
                transposed ? U : Vt, m, piece->work, 1, 0.0, x, 1);
}

void perp_piece_solve(perp_piece *piece, bool transposed, double *x)
{
    perp_blas_hold();
    piece_solve(piece, transposed, x);
    perp_blas_release();
}
