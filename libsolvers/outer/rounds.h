/* SPDX-License-Identifier: Apache-2.0
 * outer/rounds.h: what loops of convex problems share: how well a round is solved, how the
 * proximal term vanishes, when a loop that circles is damped, when the rounds are over.
 *
 *     |inner residual| <= max(min(1e-2, kappa RES), 0.2 tolerance)
 *     d_k = |S| max(proximal 0.3^(k-1), 1e-7)
 *
 * A convex problem is solved only as well as its round deserves, since the next one moves the
 * data; exact solutions cost three to ten times the products. Private. */
#ifndef PERP_OUTER_ROUNDS_H
#define PERP_OUTER_ROUNDS_H

#include "judge/judge.h"

/** The rounds of a loop. */
typedef struct perp_rounds {
    const char *name; /**< of the loop */
    double tolerance, kappa, proximal;
    double norm, d;     /**< |S|, d_k */
    double kappa_least; /**< less does not hasten the rounds */
    double damping;     /**< part of what is new that is taken: at first `undamped` */
    double undamped;
    double residual, best_residual;
    double mark; /**< residual of the last good progress */
    size_t most, round, growing, circling, refused;
    size_t ran; /**< our line in what ran */
    bool skew;  /**< A is not symmetric */
} perp_rounds;

/** A convex problem of the rounds and the solver at work on it. */
typedef struct perp_inner {
    perp_problem p;    /**< owns A alone */
    perp_judge *judge; /**< of p */
    perp_result *r;    /**< its z is the point at work */
    perp_run run;
    double tolerance; /**< of this round */
    double share;     /**< of a product with the whole A that one with p.A costs */
    size_t steps, next_check, cap;
} perp_inner;

/** The options every such loop has. */
#define PERP_ROUNDS_OPTIONS(rounds, kappa, proximal)                                     \
    PERP_INTEGER("rounds", rounds, 1, 1e6, "at most this many rounds"),                  \
        PERP_REAL_OPEN(                                                                  \
            "kappa", kappa, 0.0, 1.0,                                                    \
            "residual asked of a convex problem, times that of the last round"),         \
        PERP_REAL_CLOSED("proximal", proximal, 0.0, 1.0,                                 \
                         "first proximal term, times |A|; it decays")

/** From the options; without a kappa every problem is solved to a fifth of the tolerance. */
void perp_rounds_init(perp_rounds *o, const char *name, double kappa_least,
                      const perp_options *opt);
/** d_k of the round that comes. */
double perp_rounds_proximal(const perp_rounds *o);
/** Residual asked of the convex problems of the round that comes. */
double perp_rounds_tolerance(const perp_rounds *o);
/** Our line in what ran: how many rounds around which solver. */
void perp_rounds_tell(perp_rounds *o, const perp_solver_type *inner, perp_result *r);
/** After a round that ended at z with o->residual: keep the best point in r->z, and end when
 *  solved, when not finite, after the last round, or when `from` refused too often. */
perp_status perp_rounds_close(perp_rounds *o, const double *z, const perp_result *from,
                              perp_result *r);
/** Rules for the next round: damp what grows or circles, ask for more where progress is slow;
 *  `before` is the residual of the round before. */
void perp_rounds_steer(perp_rounds *o, double before);
/** End as infeasible where the change from z_before (overwritten) to z certifies that p has no
 *  solution. */
perp_status perp_rounds_certify(const perp_rounds *o, const perp_problem *p,
                                const double *z, double *z_before, perp_result *r,
                                perp_error *err);

/** Refuse an A whose skew part would lead the rounds astray; o->skew is known then. */
perp_status perp_rounds_check(perp_rounds *o, const perp_operator *A, perp_error *err);
/** S + 0 I as an operator of its own, in the storage of A, S its symmetric part. */
perp_status perp_rounds_split(const perp_rounds *o, perp_operator **S,
                              const perp_operator *A, perp_error *err);

/** The judge and the result of the inner problem; residuals in the scale of `beta_b`. */
perp_status perp_inner_init(perp_inner *in, double beta_b, perp_error *err);
/** A round begins: count its steps, ask for this residual. */
void perp_inner_begin(perp_inner *in, double tolerance);
/** One step of the inner solver; *over when it has done enough for this round. The product
 *  A z + b of the inner problem is then in its judge. */
perp_status perp_inner_step(perp_inner *in, perp_result *r, bool *over, perp_error *err);
/** What the inner solver has done since the last call becomes ours. */
void perp_inner_take_work(perp_inner *in, perp_result *r);
void perp_inner_close(perp_inner *in);

#endif
