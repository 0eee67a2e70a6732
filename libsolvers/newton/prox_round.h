/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_round.h: one round of the proximal point method, solved in velocities. Private.
 *
 *     u + E (r - c) and r solve the law,   u = u_c + J v + C (r - c),   M v = L^T (r - c)
 *
 * around a center c with the velocities u_c. With the metric Q = C + E, one number each for
 * the normal, the tangents and the moments of a block, r is a function of v alone:
 *
 *     r(v) = P(c - Q^-1 (u_c + J v)),   F(v) = M v - L^T (r(v) - c) = 0
 *     F' = S = M + L^T H J,             H = P' Q^-1, block diagonal
 *
 * v is the change of the velocities in this round, which goes to zero as the rounds converge;
 * so do its rounding errors, which H enlarges by Q^-1. */
#ifndef PERP_NEWTON_PROX_ROUND_H
#define PERP_NEWTON_PROX_ROUND_H

#include "judge/judge.h"
#include "krylov.h"

/** Velocities v with all that depends on them. */
typedef struct prox_point {
    double *v, *Jv; /* nv; n */
    double *r;      /* n: r(v) */
    double *F, *a;  /* nv: F(v), M^-1 F */
    double merit;   /* F.M^-1 F */
} prox_point;

typedef struct prox_round {
    const perp_problem *p;
    const perp_judge *judge;
    perp_velocity space;
    perp_krylov krylov;
    /* blocks of H: those of K, but a normal with the friction rows that follow it is one; group
     * g has the blocks head[g] .. head[g + 1] - 1 of K */
    perp_set groups;
    size_t *head;
    bool symmetric;       /* P' and S are */
    perp_block *blocks;   /* K for the impulses Q^1/2 r */
    double *root;         /* n: Q^1/2 */
    double *start;        /* n: Q^1/2 c - Q^-1/2 u_c */
    const double *center; /* n: c */
    double *velocity;     /* n: u_c */
    double *D, *H;        /* P' for the impulses Q^1/2 r; H; as space.H */
    double *dv, *Jdv;     /* nv; n: the step */
    double *x, *f;        /* n; nv: scratch */
    prox_point at, trial;
    double error;    /* |J M^-1 F|, scaled as the residual */
    double residual; /* of r(v) */
    bool predict;    /* the first step has the P' of the round before */
    bool reuse;      /* the factors, those of the last S, are worth another step */
} prox_round;

/** Take memory. Call perp_prox_round_close even after a failure. */
perp_status perp_prox_round_setup(prox_round *s, const perp_problem *p,
                                  perp_workspace *ws, perp_error *err);
void perp_prox_round_close(prox_round *s);

/** Begin a round at v = 0: a center (n, borrowed), its velocities w (n) and the proximal term
 *  eps, in units of the scales of the judge. `follows`: the center is where the last round
 *  converged. */
void perp_prox_round_start(prox_round *s, const perp_judge *judge, const double *center,
                           const double *w, double eps, bool follows, perp_work *work);

/** One Newton step with a line search; where `reuse` allows it, with the last S. *done is false
 *  where S has no factors or the step is not finite. */
perp_status perp_prox_round_step(prox_round *s, perp_work *work, bool *done,
                                 perp_error *err);

#endif
