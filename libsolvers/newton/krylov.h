/* SPDX-License-Identifier: Apache-2.0
 * newton/krylov.h: directions of Newton's method in velocities by the factors of an earlier S.
 * Private.
 *
 *     S x = f   by GMRES on   S0^-1 S x = S0^-1 f                    [saad-schultz-1986]
 *
 * S0, which was factored, differs from S in the blocks of those contacts whose status has
 * changed since. GMRES ends after about as many steps as that difference has ranks, and a step
 * costs a solve with the factors of S0 and a product with S. Where it would take more steps than
 * a factorisation costs, S is factored. Tried without gain: S S0^-1 in the norm of M^-1. */
#ifndef PERP_NEWTON_KRYLOV_H
#define PERP_NEWTON_KRYLOV_H

#include "linear/velocity.h"

enum { PERP_KRYLOV_MOST = 12 /* steps; a factorisation costs 5 to 10 of them */ };

typedef struct perp_krylov {
    perp_velocity *space; /* its H is that of S, its factors are those of S0 */
    double *basis;        /* (PERP_KRYLOV_MOST + 1) nv; NULL: exact */
    double *rows;         /* n: scratch */
    double *forces;       /* nv: scratch */
    double R[PERP_KRYLOV_MOST][PERP_KRYLOV_MOST + 1]; /* column j: R[j] */
    double c[PERP_KRYLOV_MOST], s[PERP_KRYLOV_MOST];  /* Givens rotations */
    double g[PERP_KRYLOV_MOST + 1];                   /* the rotated right-hand side */
    bool factored; /* there is an S0; false: factor at the next direction */
    bool stale;    /* it is not S */
} perp_krylov;

/** Take memory; the caller asks for the status of the workspace. `space` is borrowed. `exact`:
 *  factor at every direction. */
void perp_krylov_alloc(perp_krylov *k, perp_velocity *space, bool exact,
                       perp_workspace *ws);

/** f (nv) := S^-1 f for the present H of the space, to a part of 3 in 100 where by GMRES. *done is
 *  false where S has no factors or f is not finite. */
perp_status perp_krylov_direct(perp_krylov *k, double *f, perp_work *work, bool *done,
                               perp_error *err);

#endif
