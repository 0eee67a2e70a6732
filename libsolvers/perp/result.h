/* SPDX-License-Identifier: Apache-2.0
 * perp/result.h: the answer and its story. */
#ifndef PERP_RESULT_H
#define PERP_RESULT_H

#include <perp/certificate.h>
#include <perp/residual.h>

PERP_BEGIN_DECLS

/** What a solver found, and how that reads. */
#define PERP_OUTCOME_LIST(X)                                                             \
    X(PERP_RUNNING, "running") /* no outcome yet */                                      \
    X(PERP_SOLVED, "solved")   /* only the judge says so */                              \
    X(PERP_ITERATION_LIMIT, "iteration limit")                                           \
    X(PERP_TIME_LIMIT, "time limit")                                                     \
    X(PERP_STALLED, "stalled")       /* no progress, or NaN */                           \
    X(PERP_RAY, "ray")               /* secondary ray without a certificate */           \
    X(PERP_INFEASIBLE, "infeasible") /* only with a certificate that checks */           \
    X(PERP_UNBOUNDED, "unbounded")                                                       \
    X(PERP_CYCLE, "cycle")                                                               \
    X(PERP_SINGULAR_BLOCK, "singular block")                                             \
    X(PERP_INTERRUPTED, "interrupted")

typedef enum perp_outcome {
#define PERP_ENUM(name, text) name,
    PERP_OUTCOME_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_outcome;

const char *perp_outcome_text(perp_outcome outcome);

/** Work in units that methods share. Doubles, so that they never overflow. */
typedef struct perp_work {
    double products;       /**< with A, sweeps counted as one each */
    double factorizations; /**< of any size */
    double flops_factor;   /**< flops spent in them */
    double pivots;
    double projections; /**< of one block */
    double rounds;      /**< of an outer loop, restarts */
} perp_work;

/** One judgement on the way. */
typedef struct perp_history_sample {
    size_t iteration;
    double seconds; /**< of the solver's clock, judging excluded */
    double products;
    double residual;
} perp_history_sample;

enum { PERP_PATH_MAX = 32, PERP_PATH_LENGTH = 160, PERP_HISTORY_MAX = 2048 };

/** What ran: the path of reformulations, solver and fallbacks, in order, and nothing else.
 *  When more than PERP_PATH_MAX steps ran, the last entry counts the rest. */
typedef struct perp_solution_path {
    size_t count;
    char step[PERP_PATH_MAX][PERP_PATH_LENGTH];
    size_t more;
} perp_solution_path;

typedef struct perp_result {
    size_t n;
    double *z; /**< n: in: where to start. out: the best point found */
    double *w; /**< n: A z + b of the problem as asked */
    perp_outcome outcome;
    char reason[256]; /**< one sentence for a person: what stopped, where and why */

    double residual;        /**< RES of the problem as asked (after a formulation) */
    perp_measures measures; /**< of the problem as asked */
    double
        original_residual; /**< RES of the problem as given, where a formulation changed
                                     the physics; else the same */
    size_t iterations;
    perp_work work;
    double seconds;         /**< preparing, setup and iterations; never judging */
    double prepare_seconds; /**< of it: reformulations, scaling, conversions */
    double setup_seconds;   /**< of it: the solver's setup */
    double judge_seconds;   /**< beside it */
    size_t bytes;           /**< peak of the workspace */

    perp_solution_path path;
    perp_history_sample
        *history; /**< history_count judgements; thinned by half when full */
    size_t history_count, history_stride;

    double *certificate; /**< n: y of perp_certificate_infeasible, valid when has_… */
    bool has_certificate;
    perp_certificate
        proof;       /**< of another «no»: ray, singular block, cycle; checked by the
                                 loop, and about perp_solver_view() of the solver */
    char prover[64]; /**< that left it: a name for perp_solver_parse() */
    size_t place;    /**< row or block of a SINGULAR_BLOCK */

    /* Kept by the loop for the solver at work; residuals of the problem as asked. */
    double best_residual;
    size_t best_iteration;
} perp_result;

/** A result for n rows; z = 0, the cold start. */
perp_status perp_result_new(perp_result **r, size_t n, perp_error *err);
void perp_result_free(perp_result *r); /* takes NULL */
/** Forget the answer, keep z as the start of another solve. */
void perp_result_restart(perp_result *r);

/* For solvers. */

/** Append a step to what ran. */
void perp_result_log(perp_result *r, const char *format, ...) PERP_PRINTF(2, 3);
/** End with an outcome and the sentence that says why. */
perp_status perp_result_end(perp_result *r, perp_outcome outcome, const char *format, ...)
    PERP_PRINTF(3, 4);
/** End because row or block `place` allows no step. */
perp_status perp_result_refuse(perp_result *r, perp_outcome outcome, size_t place,
                               const char *why);

/* What a solver leaves behind its «no», on the problem it saw; called just before the end.
 * They allocate: PERP_ERR_MEMORY. Where the way back to the problem as given cannot carry
 * it, the loop drops it. */

/** The secondary ray (z, z0) + t (dz, dz0) of Lemke's path with covering vector d. */
perp_status perp_result_certify_ray(perp_result *r, const double *z, double z0,
                                    const double *dz, double dz0, const double *cover,
                                    perp_error *err);
/** x (n, 0 outside a block F) with A_FF x = 0 or x.A x <= 0. */
perp_status perp_result_certify_singular(perp_result *r, const double *x,
                                         perp_error *err);
/** `steps` active sets (steps x n states), each following from the one before by the rule,
 *  the first from the last. */
perp_status perp_result_certify_cycle(perp_result *r, perp_rule rule, size_t steps,
                                      const unsigned char *states, perp_error *err);

PERP_END_DECLS

#endif
