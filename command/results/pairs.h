/* SPDX-License-Identifier: Apache-2.0
 * report/pairs.h: two solvers on the problems that both take. */
#ifndef PERP_REPORT_PAIRS_H
#define PERP_REPORT_PAIRS_H

#include "bootstrap.h"
#include "section.h"

/** A solver and another one, on the problems of a table. */
typedef struct solver_pair {
    const char *set, *solver, *against;
    double tolerance;
    size_t common;                 /**< problems that both take */
    size_t solved, against_solved; /**< of these */
    size_t both;                   /**< solved by both */
    size_t ahead,
        behind; /**< of these: where the solver is faster, slower, by more than a tie */
    /** Geometric mean, over these, of the times of `solver` to those of `against`; NAN without. */
    bootstrap_interval ratio;
    double p; /**< Wilcoxon's signed ranks over these, of this pair alone; NAN without */
} solver_pair;

void pair_make(solver_pair *pair, const run_table *t, size_t solver, size_t against);
/** One sentence to paste: "fista solved 28 of 32, nsgs 23; on the 22 that both solve nsgs takes 4.8 times
 *  as long (95 % 2.4 to 9.4), Wilcoxon p = 5e-4". */
void pair_sentence(const solver_pair *pair, FILE *f);

/** tables/pairs.csv: every pair of solvers of a set. */
extern const report_section pairs_section;

/** Below the table of solvers as text, where a reference is chosen: a sentence per solver, and the
 *  matrix of all pairs. */
void pairs_print(FILE *f, const run_table *t);

#endif
