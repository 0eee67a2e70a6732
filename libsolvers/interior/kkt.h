/* SPDX-License-Identifier: Apache-2.0
 * interior/kkt.h: the reduced KKT systems of an interior-point step. Private.
 *
 *     K = A + E^T H G,   and 1e-10 d_i on the diagonal of FREE rows
 *
 * in which slacks and multipliers are eliminated, by Cholesky where A and E^T H G are symmetric,
 * else by LU.
 * Where a pivot fails, the diagonal grows, K_ii (1 + shift) with shifts 1e-13 ... 1e-9; where
 * Cholesky fails even so, A is not monotone and LU takes over. A FIXED row gets a diagonal
 * entry far above all others: it does not move, and the pattern stays.
 *
 * For A = J M^-1 J^T + C in factors the unknowns are velocities v (linear/velocity.h). With P and
 * k as in slacks.h and R = (I + P C)^-1:
 *
 *     dz = R k - H (rd + J v),   H = R P,   M v = L^T dz,   y = J v + C dz + rd
 *
 * where S = M + L^T H J is factored, by Cholesky where it is symmetric, else by LDU. Neither P
 * nor H is inverted, so that no digits are lost as P becomes singular: the error of a solve is
 * one of M v = L^T dz alone, which refinement and the next step reduce. FREE rows have P = 1e7 /
 * d_i; FIXED ones P = 0. */
#ifndef PERP_INTERIOR_KKT_H
#define PERP_INTERIOR_KKT_H

#include "linear/shifted.h"
#include "slacks.h"

typedef struct perp_ipm_kkt {
    const perp_problem *p;
    perp_shifted K;
    const double *d;        /* n: scales of the rows */
    const bool *fixed;      /* n, of the slacks */
    double *rest;           /* n: right-hand side of the refinement */
    perp_velocity velocity; /* velocity.A is not NULL: A is in factors */
    double *P, *R, *H;      /* blocks as velocity.H */
    bool symmetric;         /* H is */
    double *v, *f, *dv;     /* velocities */
    double shift;           /* that the last factorisation needed */
    size_t failed_row;      /* row of the pivot that failed */
} perp_ipm_kkt;

/** d and the slacks must outlive it. Call perp_ipm_kkt_close even after a failure. */
perp_status perp_ipm_kkt_setup(perp_ipm_kkt *k, const perp_problem *p, const double *d,
                               const perp_slacks *slacks, perp_workspace *ws,
                               perp_error *err);
void perp_ipm_kkt_close(perp_ipm_kkt *k);

/** Factor K for the present scaling of the slacks; *done is false where no shift helps. */
perp_status perp_ipm_kkt_factor(perp_ipm_kkt *k, const perp_slacks *slacks,
                                perp_work *work, bool *done, perp_error *err);
/** x := K^-1 rhs with `refine` steps of iterative refinement; 0 on FIXED rows. */
void perp_ipm_kkt_solve(perp_ipm_kkt *k, const double *rhs, size_t refine, double *x);

/** The same for A in factors: dz and y from k and rd, of n each; k is overwritten,
 *  y may be rd. */
void perp_ipm_kkt_solve_velocity(perp_ipm_kkt *k, double *impulse, const double *rd,
                                 size_t refine, double *dz, double *y);

/** Whether det K is negative, by the last factorisation, which was done. */
bool perp_ipm_kkt_negative(const perp_ipm_kkt *k);

/** Whether blocks of A can be factored: A is not in factors. */
bool perp_ipm_kkt_has_blocks(const perp_ipm_kkt *k);
/** Factor A_FF, F = rows[0..rank-1] ascending, with 1e-10 d_i on its diagonal where `shifted`
 *  or where a pivot fails without. */
perp_status perp_ipm_kkt_factor_block(perp_ipm_kkt *k, const size_t *rows, size_t rank,
                                      bool shifted, perp_work *work, bool *done,
                                      perp_error *err);
/** x := A_FF^-1 x after perp_ipm_kkt_factor_block. */
void perp_ipm_kkt_solve_block(perp_ipm_kkt *k, double *x);

#endif
