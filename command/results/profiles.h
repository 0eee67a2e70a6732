/* SPDX-License-Identifier: Apache-2.0
 * report/profiles.h: performance, data and accuracy profiles of the solvers of a table.
 *
 * A curve is the share of problems that a solver solves at a cost of at most x. The share is over
 * the problems that the solver takes (stored_run.applicable); a failure is never reached. */
#ifndef PERP_REPORT_PROFILES_H
#define PERP_REPORT_PROFILES_H

#include "command/results/runs.h"

/** Fewer problems make no profile. */
enum { PROFILE_LEAST = 5 };

typedef enum profile_cost {
    PROFILE_SECONDS, /**< time to the tolerance [s]: performance profiles [dolan-more-2002] */
    PROFILE_PRODUCTS, /**< products with A to the tolerance, factorisations and pivots included
                           by their flops: data profiles [more-wild-2009] */
    PROFILE_RESIDUAL, /**< residual reached within the limits: accuracy profiles */
} profile_cost;

typedef struct profile_request {
    profile_cost cost;
    bool relative; /**< divide by the least cost of the solvers shown: ratios from 1 */
    bool common;   /**< only problems that every solver shown takes */
    const size_t *columns; /**< of the table: the solvers shown; NULL: all */
    size_t count;          /**< of columns; two of them make a pairwise profile */
} profile_request;

typedef struct profile_curve {
    const char *label;    /**< borrowed */
    size_t column;        /**< in the table */
    const double *values; /**< `solved` costs or ratios, ascending, finite and positive */
    size_t solved;
    size_t
        taken; /**< problems that the solver takes: share k/taken from values[k-1] on */
    size_t inapplicable; /**< problems that it does not take */
} profile_curve;

typedef struct profile {
    profile_curve *curves;
    size_t count;
    size_t
        problems; /**< that any solver shown takes; with `common`, that all of them take */
    size_t unsolved;    /**< of these, by every solver shown */
    double least, most; /**< of all values; NAN without any */
    double *storage;    /**< of the values */
} profile;

/** Stands in a table for a run that an order leaves out: it counts nowhere. */
extern const stored_run run_left_out;

/** The cost of a run: INFINITY for a failure, and for a run that was not made. A residual is at
 *  least 1e-16 (rounding), a time at least a microsecond, products at least one. */
double profile_cost_of(const stored_run *run, profile_cost cost);

/** A curve for every solver shown that takes at least one problem, in the order of the table.
 *  There may be none; draw only where `problems` >= PROFILE_LEAST. */
void profile_make(profile *p, const run_table *t, const profile_request *request);
/** No-op on a zeroed one. */
void profile_free(profile *p);
/** The share of the curve at x: 0 before the first value. */
double profile_share(const profile_curve *curve, double x);

#endif
