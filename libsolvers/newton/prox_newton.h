/* SPDX-License-Identifier: Apache-2.0
 * newton/prox_newton.h: the rounds of prox-newton and the systems that they solve. Private. */
#ifndef PERP_NEWTON_PROX_NEWTON_H
#define PERP_NEWTON_PROX_NEWTON_H

#include "judge/judge.h"

typedef struct prox_newton prox_newton;

/** The equation of a round in one form of A, and the rules for its proximal term. */
typedef struct prox_system {
    const char *unit;         /* of eps, for the message */
    const char *idle;         /* what s->idle counts */
    size_t idle_most, rounds; /* idle ones and rounds until the end */
    size_t steps;             /* of one round */
    double eps_certify;       /* above it the rounds may still converge */
    /** Take memory for s->state and what belongs to it. */
    perp_status (*setup)(prox_newton *s, const perp_options *opt, perp_workspace *ws,
                         perp_result *r, perp_error *err);
    /** The first center, near s->center, its residual and eps; A and b may have changed. */
    void (*begin)(prox_newton *s, bool warm, perp_result *r);
    /** A round around s->center. `follows`: the last one converged there. */
    void (*start_round)(prox_newton *s, bool follows, perp_result *r);
    /** One Newton step to s->x, with s->error. *done is false where there is none. */
    perp_status (*step)(prox_newton *s, perp_result *r, bool *done, perp_error *err);
    /** The round will not converge. */
    bool (*stuck)(prox_newton *s);
    /** The next center and eps after a round that has converged at s->kept, from a center
     *  with the residual `before`; true where impulses seem to grow without bound. */
    bool (*advance)(prox_newton *s, double before, perp_result *r);
    /** The same after a round that has failed. */
    void (*retreat)(prox_newton *s, double before, perp_result *r);
    void (*close)(prox_newton *s); /* even after a setup that failed */
} prox_system;

extern const prox_system perp_prox_matrix;   /* A stored */
extern const prox_system perp_prox_velocity; /* A in factors */

struct prox_newton {
    const perp_problem *p;
    const prox_system *system;
    void *state; /* of the system, or NULL */
    perp_judge *judge;
    double *center, *before; /* n: z_k of this round, of the one before */
    double *best, *kept;     /* n: the best of all rounds, of this round */
    double *x;               /* n: after the last step, not projected */
    double *scratch;         /* 2n */
    double residual;         /* of the center; at the end of a round, of kept */
    double best_residual;
    double mark;                 /* best_residual when `idle` was 0 */
    double error, kept_error;    /* of the equation at x, at kept */
    double target;               /* error at which this round has converged */
    double tolerance, eps_asked; /* options */
    double norm;                 /* |A|, or 0 where it is not known */
    double eps;                  /* proximal term */
    double decay;                /* its factor from round to round */
    size_t round, step, idle;    /* idle: without half the best residual */
};

/** The residual of z. */
double perp_prox_judge(prox_newton *s, const double *z, perp_result *r);
/** Count `idle` from 0 where the best residual has halved. */
void perp_prox_count(prox_newton *s);
/** Keep the point z, of residual s->residual, if it is the best. */
void perp_prox_keep_best(prox_newton *s, const double *z);

#endif
