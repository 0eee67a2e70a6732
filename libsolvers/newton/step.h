/* SPDX-License-Identifier: Apache-2.0
 * newton/step.h: the linear systems of Newton's methods on an equation f(z, A z + b) = 0
 * that consists of one equation per block. Private.
 *
 *     J = L (A + shift I) + H,   L = df/dw, H = df/dz block diagonal,   J d = -f
 *
 * A sliding friction row has one more entry of H, in the column of its normal. J is a matrix where A
 * is stored; where A is in factors it is never formed (linear/velocity_step.h), and there are no
 * friction rows. */
#ifndef PERP_NEWTON_STEP_H
#define PERP_NEWTON_STEP_H

#include "linear/shifted.h"
#include "linear/velocity_step.h"

typedef struct newton_system {
    const perp_problem *p;
    size_t *start;    /* per block: offset of its part of L and H, dim x dim */
    double *L, *H;    /* derivatives of the blocks, filled by the caller */
    size_t *normal;   /* per block: of a friction row, the block of its normal; or NULL */
    double *coupling; /* per block: J in row i and the column of its normal; or NULL */
    double *f;        /* n: the equation, filled by the caller */
    double *d;        /* n: the step */
    double shift;     /* of A in the last perp_newton_solve */
    perp_shifted matrix; /* J, of a stored A */
    perp_velocity_step
        velocity;       /* in its place where A is in factors: velocity.d is not NULL */
    size_t *rows, kept; /* rows that are no corner, ascending */
    double *x, *y;      /* n: scratch */
    double *s, *t, *u;  /* n: scratch of perp_newton_levenberg */
} newton_system;

/** Take memory. `symmetric`: perp_newton_solve will be called with a symmetric J, too. Call
 *  perp_newton_system_close even after a failure. */
perp_status perp_newton_system_setup(newton_system *s, const perp_problem *p,
                                     bool symmetric, perp_workspace *ws, perp_error *err);
void perp_newton_system_close(newton_system *s);

/** d with J d = -f. Blocks with L = 0 leave the system: their rows of d are -f / H_ii. *done
 *  is false where J is singular or d is not finite. With `symmetric` (L = I, H diagonal,
 *  A symmetric) J is factored by Cholesky where that is possible, else by LU. In factors a
 *  singular J is no failure where f is in its range. */
perp_status perp_newton_solve(newton_system *s, double shift, bool symmetric,
                              perp_result *r, bool *done, perp_error *err);

/** The row of J whose pivot failed last, or PERP_PIVOT_NONE; in factors the row with the largest
 *  part in the null space. */
size_t perp_newton_failed_row(const newton_system *s);

/** y := J x, and y := J^T x, without the shift. */
void perp_newton_apply(newton_system *s, const double *x, double *y);
void perp_newton_apply_transposed(newton_system *s, const double *x, double *y);

/** d that nearly minimises |J d + f|^2 + lambda |J|^2 |d|^2, by conjugate gradients: a
 *  direction in which |f| falls even where J is singular. False where J^T f = 0. */
bool perp_newton_levenberg(newton_system *s, double lambda, perp_result *r);

/** After a perp_newton_solve without shift that failed: leave a certificate where a block of A
 *  is singular, not only J. */
perp_status perp_newton_certify_singular(newton_system *s, perp_result *r,
                                         perp_error *err);

/** The residual at which a method that judges itself reports its point as solved: 1 % below the
 *  tolerance, since the problem as given may be stored differently and its residual round
 *  differently. */
static inline double newton_claim(const perp_options *opt)
{
    return 0.99 * perp_options_real(opt, "tolerance");
}

#endif
