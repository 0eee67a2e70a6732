/* SPDX-License-Identifier: Apache-2.0
 * interior/kkt.h: the reduced KKT systems of an interior-point step. Private.
 *
 *     K = A + G^T H G,   and 1e-10 d_i on the diagonal of FREE rows
 *
 * in which slacks and multipliers are eliminated, by Cholesky where A is symmetric, else by LU.
 * Where a pivot fails, the diagonal grows, K_ii (1 + shift) with shifts 1e-13 ... 1e-9; where
 * Cholesky fails even so, A is not monotone and LU takes over. A FIXED row gets a diagonal
 * entry far above all others: it does not move, and the pattern stays. For A = J M^-1 J^T + C
 * in factors the systems are solved in the space of velocities (linear/shifted.h). */
#ifndef PERP_INTERIOR_KKT_H
#define PERP_INTERIOR_KKT_H

#include "linear/shifted.h"
#include "slacks.h"

typedef struct perp_kkt {
    const perp_problem *p;
    perp_shifted K;
    const double *d;   /* n: scales of the rows */
    const bool *fixed; /* n */
    double *rest;      /* n: right-hand side of the refinement */
    double shift;      /* that the last factorisation needed */
    size_t failed_row; /* row of the pivot that failed */
} perp_kkt;

/** d and fixed must outlive it. Call perp_kkt_close even after a failure. */
perp_status perp_kkt_setup(perp_kkt *k, const perp_problem *p, const double *d,
                           const bool *fixed, perp_workspace *ws, perp_error *err);
void perp_kkt_close(perp_kkt *k);

/** Factor K for the present scaling of the slacks; *done is false where no shift helps. */
perp_status perp_kkt_factor(perp_kkt *k, const perp_slacks *slacks, perp_work *work,
                            bool *done, perp_error *err);
/** x := K^-1 rhs with `refine` steps of iterative refinement; 0 on FIXED rows. */
void perp_kkt_solve(perp_kkt *k, const double *rhs, size_t refine, double *x);

/** Whether blocks of A can be factored: A is not in factors. */
bool perp_kkt_has_blocks(const perp_kkt *k);
/** Factor A_FF, F = rows[0..rank-1] ascending, with 1e-10 d_i on its diagonal where `shifted`
 *  or where a pivot fails without. */
perp_status perp_kkt_factor_block(perp_kkt *k, const size_t *rows, size_t rank,
                                  bool shifted, perp_work *work, bool *done,
                                  perp_error *err);
/** x := A_FF^-1 x after perp_kkt_factor_block. */
void perp_kkt_solve_block(perp_kkt *k, double *x);

#endif
