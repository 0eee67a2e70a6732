/* SPDX-License-Identifier: Apache-2.0
 * command/results/race.h: auto against the best of the other solvers of a set, situation by
 * situation, in the summary, as CSV and LaTeX, and in the page. */
#ifndef PERP_REPORT_RACE_H
#define PERP_REPORT_RACE_H

#include "section.h"

/** Auto and the best of the others over the instances of one situation. Instances that no
 *  solver solves count in `problems` only; a failure of auto counts with its time limit. */
typedef struct race_row {
    const char *set;
    double tolerance;
    const char
        *situation; /* as auto names it in the path of its result; "" without a path */
    size_t problems;
    size_t solvable;              /* by any solver of the set */
    size_t solved;                /* by auto */
    double mean, best_mean;       /* shifted geometric means [s] */
    double ratio;                 /* mean/best_mean, both with the shift */
    double ratio_low, ratio_high; /* its bootstrap interval; NAN of fewer than two */
    double within; /* share of the solvable that auto solves in 5 times the best */
    double worst;  /* largest ratio on one instance; INFINITY where auto fails */
    const char *worst_instance,
        *worst_best; /* that instance and the solver that is best */
} race_row;

/** Seconds by which the means are shifted: below that, differences are those of the clock. */
#define RACE_SHIFT 1e-5
/** Ratio up to which auto counts as near the best. */
#define RACE_NEAR 5.0

/** The situation of instance i, whose runs of auto are in column s. */
const char *race_situation(const run_table *t, size_t i, size_t s);
/** The row of the situation of instance `first`; *made is false where an instance before it has
 *  the same situation. */
void race_row_make(race_row *row, bool *made, const run_table *t, size_t first, size_t s);

/** The table of situations. */
extern const report_section race_section;

#endif
