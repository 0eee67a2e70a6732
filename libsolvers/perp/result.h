/* SPDX-License-Identifier: Apache-2.0
 * perp/result.h: the answer of a solver, how it was found, and what it cost. */
#ifndef PERP_RESULT_H
#define PERP_RESULT_H

#include <perp/certificate.h>
#include <perp/residual.h>

PERP_BEGIN_DECLS

/** What a solver found, and the words for it. */
#define PERP_OUTCOME_LIST(X)                                                             \
    X(PERP_RUNNING, "running") /* no outcome yet */                                      \
    X(PERP_SOLVED, "solved")   /* decided by the judge only */                           \
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

/** "solved", "iteration limit", …. */
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

/** Add the counts of b to a. */
void perp_work_add(perp_work *a, const perp_work *b);

/** One judgement of an iterate. */
typedef struct perp_history_sample {
    size_t iteration;
    double seconds; /**< of the solver's clock; judging is excluded */
    double products;
    double residual;
} perp_history_sample;

enum { PERP_PATH_MAX = 32, PERP_PATH_LENGTH = 160, PERP_HISTORY_MAX = 2048 };

/** The solution path: reformulations, solvers and fallbacks in the order in which they were
 *  executed, and nothing else. Beyond PERP_PATH_MAX steps the last entry counts the rest. */
typedef struct perp_solution_path {
    size_t count;
    char step[PERP_PATH_MAX][PERP_PATH_LENGTH];
    size_t more;
} perp_solution_path;

/** Up to this factor of the tolerance a missed claim may be one of the norm. */
enum { PERP_MISSED = 10 };
enum { PERP_FOREIGN_WORD = 64, PERP_FOREIGN_TEXT = 160 };

/** What another code says about its run (perp/external.h). Nothing of it is trusted: the judge
 *  decides. Zeroed where no other code has run. */
typedef struct perp_foreign {
    bool ran;                        /**< a program of another code was started */
    char claim[PERP_FOREIGN_WORD];   /**< "solved", "failed", …; "": it says nothing */
    char version[PERP_FOREIGN_WORD]; /**< of the code */
    char reformulation[PERP_FOREIGN_TEXT]; /**< what the program made of the problem */
    double seconds;      /**< of its own call, as it says; 0: not said */
    double wall_seconds; /**< from the start of the program to its end */
    /** Files, and the start and the end of the program: not part of the seconds of the
     *  result. */
    double overhead_seconds;
    double factor; /**< of the tolerance, asked for in the last call; 0: not called */
    size_t calls;  /**< of the program, each with a smaller factor than the one before */
    double search_seconds; /**< of all calls but the last; not in those of the result */
    /** Where it claims "solved" and the judge does not confirm it: the residual over the
     *  tolerance; else 0. Up to PERP_MISSED the norm of the code may explain it. */
    double missed;
    bool false_claim; /**< missed by more */
} perp_foreign;

/** What the loop and the running solver tell each other (<perp/solver_type.h>). */
typedef struct perp_run_info {
    double best_residual;  /**< least residual so far, of the problem as asked */
    size_t best_iteration; /**< the iteration at which it was found */
    bool warm;             /**< the start is not zero; known from setup and resume on */
    /** Set by the solver: the iteration of its last restart; the stall rule begins there again. */
    size_t restarted;
} perp_run_info;

/** The starting point, the answer, and how it was found. */
typedef struct perp_result {
    size_t n;
    double *z; /**< n: in: the starting point. out: the best point found */
    double *w; /**< n: A z + b of the problem as given */
    perp_outcome outcome;
    char
        reason[256]; /**< one sentence for a person: what stopped the solver, and where */

    double residual;       /**< of the problem as asked: after a formulation */
    double residual_given; /**< of the problem as given; the same without a formulation */
    perp_measures measures; /**< of the problem as asked */
    size_t iterations;
    perp_work work;
    double seconds; /**< preparing, setup and iterations; never judging */
    double
        prepare_seconds;  /**< part of `seconds`: reformulations, scaling, conversions */
    double setup_seconds; /**< part of `seconds`: the solver's setup */
    double judge_seconds; /**< in addition to `seconds` */
    size_t bytes;         /**< peak of the workspace */

    perp_foreign foreign; /**< of a solver that is another code */

    perp_solution_path path;
    /** history_count judgements; every second one is dropped when the array is full */
    perp_history_sample *history;
    size_t history_count, history_stride;

    /** The certificate of a negative answer, checked by the loop. INFEASIBLE speaks of the
     *  problem as given; RAY, SINGULAR and CYCLE of perp_solver_view() of the solver. */
    perp_certificate certificate;
    char certificate_solver[64]; /**< the solver that left it, for perp_solver_parse() */
    size_t singular_row;         /**< of a SINGULAR_BLOCK: a row of the block */

    perp_run_info run; /**< of the running solver and its loop; not part of the answer */
} perp_result;

/** A result for n rows; z = 0, the cold start. */
perp_status perp_result_new(perp_result **r, size_t n, perp_error *err);
void perp_result_free(perp_result *r); /* NULL is allowed */
/** Discard the answer and keep z as the start of the next solve. */
void perp_result_restart(perp_result *r);

PERP_END_DECLS

#endif
