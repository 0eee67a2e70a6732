/* SPDX-License-Identifier: Apache-2.0
 * verbs/convergence.h: the residual during a solve, drawn in characters or as a table. */
#ifndef PERP_VERBS_CONVERGENCE_H
#define PERP_VERBS_CONVERGENCE_H

#include <stdio.h>

#include <perp/perp.h>

/** What stands below the curve. */
#define CONVERGENCE_AXES "iterations|seconds|products"

typedef struct convergence_request {
    bool draw;        /**< else a table with a row per sample */
    const char *axis; /**< one of CONVERGENCE_AXES */
    double tolerance;
} convergence_request;

/** Samples of a history without the repeated last one of each solver, and where each solver
 *  of a chain begins. */
typedef struct convergence {
    perp_history_sample *sample; /**< count */
    size_t count;
    size_t *part; /**< part_count: the first sample of each solver */
    size_t part_count;
} convergence;

/** Samples at the same iteration are those of two solvers, unless they are equal: a loop
 *  records its end twice. Clear it also after a failure. */
void convergence_of(convergence *c, const perp_history_sample *history, size_t count);
void convergence_clear(convergence *c); /* no-op when it is zero */
/** The solver that ended k-th, by the solution path: "spg"; false: the path names fewer. */
bool convergence_name(const perp_solution_path *path, size_t k, char *name,
                      size_t length);

/** Print the history of a result. */
void convergence_print(FILE *out, const perp_result *r, const convergence_request *q);

#endif
