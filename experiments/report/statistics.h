/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/statistics.h: statistics of a solver over a set of problems. */
#ifndef PERP_REPORT_STATISTICS_H
#define PERP_REPORT_STATISTICS_H

#include "runs.h"

/** Statistics of one solver in a table; times in seconds. */
typedef struct solver_statistics {
    const char *set, *label;
    double tolerance;
    size_t problems; /* instances of the table */
    size_t runs, solved, model_solved, won;
    double mean;  /* shifted geometric mean, failures at their limit */
    double ratio; /* of it to the best solver's */
    double median_iterations, worst_residual;
    double shift;           /* of the mean; the same for every solver of the table */
    const run_table *table; /* borrowed */
    size_t column;          /* of the solver in the table */
} solver_statistics;

/** Statistics of every solver of a table, labels.count of them, on the heap. The shift is
 *  ten times the least median time. */
perp_status statistics_new(solver_statistics **statistics, const run_table *t,
                           perp_error *err);

/** Cost of a run in a profile: its time, at least the clock's microsecond; INFINITY for a
 *  failure. */
double run_cost(const stored_run *run);
/** True when the solver takes the problem of the run; a run that is missing counts as one
 *  that failed. */
bool run_takes(const stored_run *run);

/** log10 y = intercept + slope log10 x by least squares; false with fewer than 3 points
 *  or fewer than 2 distinct x. */
bool slope_of(const double *x, const double *y, size_t count, double *intercept,
              double *slope, double *error);

#endif
