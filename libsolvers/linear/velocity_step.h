/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity_step.h: Newton's steps for A = J M^-1 J^T + C in factors, in the space of
 * velocities. Private.
 *
 *     (L (A + shift I) + H) x = c          L, H block diagonal, e.g. df/dw and df/dz of f(z, w)
 *
 * With T = L (C + shift I) + H, block by block,
 *
 *     S = M + J^T T^-1 L J,   S v = J^T T^-1 c,   x = T^-1 (c - L J v)
 *
 * A row of an active set, L = 1 and H = 0, has T = 0 where it has no compliance: T is taken with
 * C + 1e-9 d, d the diagonal of A, and the error is removed by iterative refinement. It falls by
 * 1e-9 d/lambda per step, lambda the eigenvalues of the matrix in units of its rows, so that two
 * or three steps end at rounding. A singular matrix whose rows agree with c gets one of its
 * solutions, the least in the norm of d to rounding; else the refinement repeats a vector of the
 * null space.
 *
 * A step costs a factorisation of S, and a solution and a product with A for each refinement. S is
 * symmetric, and factored by Cholesky, where all blocks of K have one row. */
#ifndef PERP_LINEAR_VELOCITY_STEP_H
#define PERP_LINEAR_VELOCITY_STEP_H

#include "velocity.h"

typedef struct perp_velocity_step {
    perp_velocity space;
    const double *L, *H;     /* of the last factorisation */
    double shift;            /* the same */
    double *d;               /* n: diagonal of A, or 1 */
    double *Tinv;            /* blocks, as space.start: T^-1 */
    double *weight;          /* blocks: T^-1 L */
    double *scale;           /* n: 1/(|L| d + |H|) of each row */
    double *y;               /* n: the last correction */
    double *rest, *part, *x; /* n: scratch */
    double *v;               /* nv: scratch */
} perp_velocity_step;

/** Take memory and analyse the pattern for a matrix in factors, of n = A->rows. Blocks of K have
 *  at most 5 rows. perp_velocity_step_close must be called even after a failure. */
perp_status perp_velocity_step_setup(perp_velocity_step *s, const perp_operator *A,
                                     const perp_set *set, perp_workspace *ws,
                                     perp_error *err);
void perp_velocity_step_close(
    perp_velocity_step *s); /* a zeroed one is allowed (no-op) */

/** Factor for L and H, blocks dim x dim column-major as space.start, which are read again by the
 *  solves. *done is false where S has no factors or a block T is singular. */
perp_status perp_velocity_step_factor(perp_velocity_step *s, const double *L,
                                      const double *H, double shift, perp_work *work,
                                      bool *done, perp_error *err);

/** x := (L (A + shift I) + H)^-1 x, n rows. False where the refinement leaves more than the part
 *  `most` of the rows of x, each in its own unit; then the matrix is singular to rounding and
 *  s->y nearly a null vector. */
bool perp_velocity_step_solve(perp_velocity_step *s, double most, double *x,
                              perp_work *work);
/** The row where s->y is largest in units of sqrt(d). */
size_t perp_velocity_step_failed_row(const perp_velocity_step *s);

#endif
