/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/medians.h: costs of several runs at one x: their median over all runs, where a
 * failure is infinite, and the count of failures. */
#ifndef PERP_REPORT_MEDIANS_H
#define PERP_REPORT_MEDIANS_H

#include "command/results/kinds/pick.h"

/** A run as a point of one series. */
typedef struct median_point {
    double x;
    double y; /**< INFINITY: a cost of a failure; NAN: the record has no such field */
    bool failed;
    const char *problem;
} median_point;

/** The value of y that counts: of a cost INFINITY where the run failed, else the number of the
 *  record, NAN where it lacks the field. */
double median_value(const stored_run *run, const char *field);
/** One point for each x, at the median with quartiles, infinite where more than half failed, and
 *  the failures there. Sorts the points; scratch: `count` reals. */
void medians_add(figure_series *s, median_point *points, size_t count, double *scratch);
/** The failures alone, counted for each x. Sorts the points. */
void medians_failures(figure_series *s, median_point *points, size_t count);

/** The limit of time of a run joins those before it: NAN at first, INFINITY where they differ. */
void limit_join(double *limit, const stored_run *run);
/** A dashed line at the limit over the range of the panel, where a run failed. */
void limit_draw(figure_panel *panel, double limit);

/** For captions. */
#define MEDIANS_CAPTION                                                                  \
    "Points are medians over all problems that the solver takes, where a failure costs " \
    "infinitely much: a curve ends where more than half fail. Bands, drawn for at most " \
    "three curves, reach from the first to the third quartile."

#endif
