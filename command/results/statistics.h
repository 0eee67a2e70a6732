/* SPDX-License-Identifier: Apache-2.0
 * command/results/statistics.h: statistics of a solver over a set of problems. */
#ifndef PERP_REPORT_STATISTICS_H
#define PERP_REPORT_STATISTICS_H

#include "bootstrap.h"
#include "runs.h"

/** Times that differ by less are equal. */
#define STATISTICS_TIE 0.05
/** Probability below which a difference is not called chance. */
#define STATISTICS_SIGNIFICANT 0.05

/** Statistics of one solver in a table; times in seconds. Problems that the solver does not take
 *  count in `inapplicable` only.
 *
 *  Solvers are compared with a reference: the one that was chosen (run_table.against), else of those
 *  that take the most problems the one with the least mean. A comparison is over the problems that
 *  both take. Its ratio is NAN where one of the two solves none of them: its mean is that of the limits. */
typedef struct solver_statistics {
    const char *set, *label;
    double tolerance;
    size_t problems;     /* instances of the table */
    size_t inapplicable; /* of these: the solver does not take them */
    size_t taken;        /* the others */
    size_t runs, solved;
    size_t approximated; /* solved, or solved in the formulation that was asked for */
    size_t fastest;      /* problems on which no solver is faster by more than a tie */
    bootstrap_interval mean;  /* shifted geometric mean, failures at their limit */
    size_t common;            /* problems that the reference takes, too */
    bootstrap_interval ratio; /* of the mean to the reference's, over these */
    double p; /* signed ranks against the reference, corrected after Holm; NAN */
    const char *verdict; /* "best" or "reference", "tie", "faster", "slower", "unclear" */
    double median_iterations, worst_residual;
    double shift;           /* of the mean; the same for every solver of the table */
    const run_table *table; /* borrowed */
    size_t column;          /* of the solver in the table */
} solver_statistics;

/** Statistics of every solver of a table, labels.count of them, on the heap. */
solver_statistics *statistics_new(const run_table *t);

/** The shift of the means of a table: ten times the least median time; 1 s when nothing was
 *  solved. */
double statistics_shift(const run_table *t);

/** Cost of a run in a profile: its time, at least the clock's microsecond, unless repeats in a
 *  loop measured a shorter one; INFINITY for a failure. */
double run_cost(const stored_run *run);
/** ln(a/b) of their costs, 0 for a tie; a failure is slower than everything, two of them are
 *  equal. */
double run_log_ratio(const stored_run *a, const stored_run *b);
/** True when the solver takes the problem of the run; a run that is missing counts as one
 *  that failed. */
bool run_takes(const stored_run *run);

/** log10 y = intercept + slope log10 x by least squares; false with fewer than 3 points
 *  or fewer than 2 distinct x. */
bool slope_of(const double *x, const double *y, size_t count, double *intercept,
              double *slope, double *error);

/** The size of an instance, the field x of its first run that has one: contacts of a scene vary a
 *  little from solver to solver, and a run that crashed may lack it. NAN where it is of another
 *  family, or no run has one. */
double scaling_size(const run_table *t, size_t i, const char *problem, const char *x);

/** A power law y = 10^intercept x^slope, fitted to the runs of one solver over one family, at the
 *  sizes where it solves all problems that it takes. */
typedef struct scaling_fit {
    const char *problem; /**< the family: stored_run.problem; borrowed */
    double intercept, slope;
    double low, high;   /**< interval of the slope (95 %, Student) */
    double least, most; /**< range of x */
    size_t count;       /**< points */
} scaling_fit;

/** One fit for each family of the table with three or more such runs of solver s, two of
 *  different x. `x` and `y` are names of fields (fields.h): "n", "seconds"; points that are not
 *  positive are left out. The caller frees
 *  them. */
scaling_fit *scaling_fits_new(size_t *count, const run_table *t, size_t s, const char *x,
                              const char *y);

#endif
