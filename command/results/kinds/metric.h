/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/metric.h: any field of the runs against another one, in panels; other kinds use it
 * with fields of their own. */
#ifndef PERP_REPORT_METRIC_H
#define PERP_REPORT_METRIC_H

#include "command/results/kinds/pick.h"

typedef struct metric_request {
    const char *kind;   /**< of the figure */
    const char *x;      /**< a field */
    const char *y;      /**< fields, one panel each: "a+b" */
    const char *by;     /**< distinguishes the series; "": solver */
    const char *panels; /**< distinguishes the panels; "": none */
    bool property; /**< x, if it is positive, is a property of each run, as its size is */
    bool
        errors; /**< y that are rounding in all runs have no panel; the caption names them */
    const char *shows; /**< first words of the caption; NULL: made from the labels */
} metric_request;

/** Add the figure. Where the suite varies x in all runs, a series is the median over the rest
 *  of the runs; else each run is a point, and lines join runs of one problem. PERP_ERR_DATA says what
 *  is missing; without an order a property x needs two values. */
perp_status metric_figure(figure_book *book, const figure_source *source,
                          const figure_order *order, const metric_request *m,
                          perp_error *err);

#endif
