/* SPDX-License-Identifier: Apache-2.0
 * interior/kernel.h: the linear systems of an interior-point step.
 *
 *     K = A + G^T H G,   and 1e-10 d_i on the diagonal of FREE rows
 *
 * by Cholesky where A is symmetric, else by LU: no triangle of an unsymmetric A is read for
 * the whole. Where a pivot fails, K_ii (1 + shift) with shifts 1e-13 ... 1e-9; where Cholesky
 * fails even so, A is not monotone and LU takes over. A FIXED row is made stiff beyond all
 * others: it does not move, and the pattern stays. Where A is J M^-1 J^T + C in factors, K here
 * is its block diagonal part alone, and systems are solved among the velocities. Private. */
#ifndef PERP_INTERIOR_KERNEL_H
#define PERP_INTERIOR_KERNEL_H

#include "pairs.h"
#include "velocity.h"

typedef struct perp_kernel {
    const perp_problem *p;
    perp_operator *K;
    perp_velocity velocity; /* of a factored A */
    perp_operator *C;       /* of a factored A: its diagonal part */
    bool loaded;            /* K has A beside its diagonal blocks */
    perp_factor *f;
    perp_factor_kind kind;
    const double *d;        /* n: scales of the rows */
    const bool *fixed;      /* n */
    double *rest, *product; /* n: of the refinement */
    double shift;           /* that the last factorisation needed */
    size_t place;           /* row of the pivot that failed */
} perp_kernel;

/** d and fixed must outlive it. perp_kernel_close is owed in any case. */
perp_status perp_kernel_open(perp_kernel *k, const perp_problem *p, const double *d,
                             const bool *fixed, perp_workspace *ws, perp_error *err);
void perp_kernel_close(perp_kernel *k);

/** Factor K of these pairs; *done false when no shift helps. */
perp_status perp_kernel_factor(perp_kernel *k, const perp_slacks *pairs, perp_work *work,
                               bool *done, perp_error *err);
/** x := K^-1 rhs with so many steps of refinement. */
void perp_kernel_solve(perp_kernel *k, const double *rhs, size_t refine, double *x);

/** Factor A_FF, F = rows[0..rank-1] ascending, with 1e-10 d_i on its diagonal if it is to be
 *  shifted or a pivot fails. Not for an A in factors. */
perp_status perp_kernel_factor_block(perp_kernel *k, const size_t *rows, size_t rank,
                                     bool shifted, perp_work *work, bool *done,
                                     perp_error *err);

#endif
