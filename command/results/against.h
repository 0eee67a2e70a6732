/* SPDX-License-Identifier: Apache-2.0
 * report/against.h: what has changed between two results of one suite: what became faster,
 * slower, broke or healed.
 *
 * Runs are matched by what was asked: set, instance, solver (its label) and tolerance.
 *
 *   broke, healed   solved before and not now, or the other way round
 *   slower          the interval of the ratio of the times is beyond 1.05 (bootstrap.h), and
 *                   every repeat took longer than every repeat before, which m and n repeats do
 *                   by chance once in binomial(m + n, n) runs: the number of compared runs over
 *                   this is at most 0.05. faster: likewise
 *   slower?         the same interval, but too few repeats for so many runs
 *
 * A solver on a set at a tolerance is slower when the interval of its mean ratio over at least
 * five problems, which both results solve, is beyond 1.05. Times of different machines are not
 * compared unless asked, nor is a run that ended at its time limit there. */
#ifndef PERP_REPORT_AGAINST_H
#define PERP_REPORT_AGAINST_H

#include "bootstrap.h"
#include "runs.h"

typedef enum against_verdict {
    AGAINST_SAME,
    AGAINST_FASTER,
    AGAINST_PERHAPS_FASTER,
    AGAINST_PERHAPS_SLOWER,
    AGAINST_SLOWER,
    AGAINST_HEALED,
    AGAINST_BROKE,
    AGAINST_NEW,  /**< asked only now */
    AGAINST_GONE, /**< asked only before */
    AGAINST_VERDICTS,
} against_verdict;

/** A run now and before; one of them may be NULL. */
typedef struct against_run {
    const char *set, *instance, *label;
    double tolerance;
    const stored_run *now, *before;
    const char *ending_now, *ending_before;
    bootstrap_interval ratio; /**< of the times, now over before; NAN: not compared */
    bool apart;               /**< the repeats do not overlap */
    double chance;            /**< that repeats do not overlap without a cause */
    against_verdict verdict;
} against_run;

/** A solver on a set at a tolerance. */
typedef struct against_solver {
    const char *set, *label;
    double tolerance;
    size_t pairs;             /**< problems that both solve */
    bootstrap_interval ratio; /**< of the geometric means over these */
    size_t runs[AGAINST_VERDICTS];
    against_verdict verdict; /**< faster, slower or the same */
} against_solver;

typedef struct against {
    char *before; /**< the folders */
    char *after;
    against_run *runs;
    size_t count, timed;
    against_solver *solvers;
    size_t solver_count;
    size_t verdicts[AGAINST_VERDICTS]; /**< of runs */
    size_t slower_solvers;
    bool machines;         /**< made by different machines */
    bool times;            /**< times are compared */
    char differences[600]; /**< "commit a, before b; …"; "": none */
    stored_runs then;
    stored_runs now;
} against;

/** Compare the results of two folders. `times`: also of different machines. Released by
 *  against_free in any case. */
perp_status against_make(against *a, const char *now, const char *before, bool times,
                         perp_error *err);
void against_free(against *a);
/** Something broke, or became slower. */
bool against_regressed(const against *a);

/** "faster", "slower?", "broke", … */
const char *against_text(against_verdict verdict);
/** What has changed, for a terminal. */
void against_print(const against *a, FILE *f);
/** Every run, as DIR/against.csv. */
perp_status against_write(const against *a, const char *dir, perp_error *err);
/** What the columns of against.csv mean: the k-th name and its text; NULL behind the last. */
const char *against_column(size_t k, const char **text);

#endif
