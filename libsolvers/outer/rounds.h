/* SPDX-License-Identifier: Apache-2.0
 * outer/rounds.h: what loops of convex problems share: the accuracy of a round, the decay of
 * the proximal term, the damping of a loop that cycles, and the end of the rounds.
 *
 *     |inner residual| <= max(min(1e-2, kappa residual), 0.2 tolerance)
 *     d_k = |S| max(proximal 0.3^(k-1), 1e-7)
 *
 * A convex problem is solved only to the accuracy that its round can use, since the next round
 * changes its data; exact solutions cost three to ten times the products. Private. */
#ifndef PERP_OUTER_ROUNDS_H
#define PERP_OUTER_ROUNDS_H

#include "judge/judge.h"

/** The rounds of a loop. */
typedef struct perp_rounds {
    const char *name; /**< of the loop */
    double tolerance, kappa, proximal;
    double norm, d;     /**< |S|, d_k */
    double kappa_least; /**< a smaller kappa saves no rounds */
    double damping;     /**< part of a change that is applied; `undamped` at first */
    double undamped;
    double residual, best_residual;
    double mark; /**< residual at the last good progress */
    size_t most, round, growing, circling, refused;
    size_t log_line; /**< of the loop in the solution path */
    bool skew;       /**< A is not symmetric */
} perp_rounds;

/** A convex problem of the rounds and the solver that runs on it. */
typedef struct perp_inner {
    perp_problem p;    /**< owns A alone */
    perp_judge *judge; /**< of p */
    perp_result *r;    /**< its z is the current point */
    perp_run run;
    double tolerance; /**< of this round */
    double share;     /**< cost of a product with p.A, relative to one with the whole A */
    size_t steps, next_check, cap;
} perp_inner;

/** Rows of the option table of such a loop. */
#define PERP_ROUNDS_OPTIONS(rounds, kappa, proximal)                                     \
    PERP_INTEGER("rounds", rounds, 1, 1e6, "limit of the number of rounds"),             \
        PERP_REAL_OPEN(                                                                  \
            "kappa", kappa, 0.0, 1.0,                                                    \
            "accuracy of a convex problem, relative to the residual of the last round"), \
        PERP_REAL_CLOSED("proximal", proximal, 0.0, 1.0,                                 \
                         "first proximal term, relative to |A|; it decays")

/** From the options; without a kappa every problem is solved to a fifth of the tolerance. */
void perp_rounds_init(perp_rounds *o, const char *name, double kappa_least,
                      const perp_options *opt);
/** d_k of the next round. */
double perp_rounds_proximal(const perp_rounds *o);
/** Accuracy of the convex problems of the next round. */
double perp_rounds_tolerance(const perp_rounds *o);
/** Update the line of the loop in the solution path: the number of rounds and the solver. */
void perp_rounds_log(perp_rounds *o, const perp_solver_type *inner, perp_result *r);
/** After a round that has ended at z with o->residual: keep the best point in r->z, and end when
 *  solved, when not finite, at the limit of rounds, or when `from` has refused too often. */
perp_status perp_rounds_close(perp_rounds *o, const double *z, const perp_result *from,
                              perp_result *r);
/** Parameters of the next round: damp growth and cycles, raise the accuracy where progress is
 *  slow; `before` is the residual of the previous round. */
void perp_rounds_adapt(perp_rounds *o, double before);
/** End as infeasible where the change from z_before (overwritten) to z certifies that p has no
 *  solution. */
perp_status perp_rounds_certify(const perp_rounds *o, const perp_problem *p,
                                const double *z, double *z_before, perp_result *r,
                                perp_error *err);

/** Refuse an A whose skew part is too large for the rounds to converge; sets o->skew. */
perp_status perp_rounds_check(perp_rounds *o, const perp_operator *A, perp_error *err);
/** A copy of the symmetric part S in the storage of A, with a complete diagonal. */
perp_status perp_rounds_split(const perp_rounds *o, perp_operator **S,
                              const perp_operator *A, perp_error *err);

/** Make the judge and the result of the inner problem; residuals are relative to `beta_b`. */
perp_status perp_inner_init(perp_inner *in, double beta_b, perp_error *err);
/** Start a round with this accuracy. */
void perp_inner_start_round(perp_inner *in, double tolerance);
/** One step of the inner solver; *over when its accuracy suffices for this round. The judge of
 *  the inner problem then holds its A z + b. */
perp_status perp_inner_step(perp_inner *in, perp_result *r, bool *over, perp_error *err);
/** Add the work of the inner solver since the last call to that of r. */
void perp_inner_collect_work(perp_inner *in, perp_result *r);
void perp_inner_close(perp_inner *in);

#endif
