/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_velocity.h: prox-newton of matrices in factors. Private. */
#ifndef PERP_NEWTON_PROX_VELOCITY_H
#define PERP_NEWTON_PROX_VELOCITY_H

#include "prox_round.h"

typedef struct prox_velocity {
    const perp_problem *p;
    prox_round round;
    perp_judge *judge;           /* of p */
    double *center, *before;     /* n: of this round, of the one before */
    double *best, *kept;         /* n: the best of all rounds, of this round */
    double *scratch;             /* 2n */
    double residual;             /* of the center */
    double best_residual;        /* of the best point */
    double shown;                /* of r->z, from the velocities of the steps */
    double kept_error, first;    /* of this round: least error, that of its start */
    double target;               /* error at which this round has converged */
    double mark;                 /* best residual when `fruitless` was 0 */
    double tolerance, eps_asked; /* options */
    double eps;                  /* proximal term, in units of the judge's scales */
    double floor, decay;         /* least eps; its least factor from round to round */
    size_t rounds, converged;    /* in all; since the last that failed */
    size_t failures;             /* rounds in a row */
    size_t step, fruitless;      /* of this round; without half the best residual */
} prox_velocity;

/** From the start in r->z. Call perp_prox_velocity_close even after a failure. */
perp_status perp_prox_velocity_setup(prox_velocity *s, const perp_problem *p,
                                     double tolerance, double eps, perp_workspace *ws,
                                     perp_result *r, perp_error *err);
/** After a change of b or of the diagonal of A. */
perp_status perp_prox_velocity_resume(prox_velocity *s, perp_result *r, perp_error *err);
/** One step, and what follows at the end of a round. */
perp_status perp_prox_velocity_iterate(prox_velocity *s, perp_result *r, perp_error *err);
void perp_prox_velocity_close(prox_velocity *s); /* a zeroed one is allowed (no-op) */

#endif
