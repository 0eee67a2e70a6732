/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/trace.h: metrics of a simulation's folder over time, thinned for figures. */
#ifndef PERP_REPORT_TRACE_H
#define PERP_REPORT_TRACE_H

#include "command/results/kinds/kind.h"
#include "command/simulate/trajectory.h"

enum { TRACE_MOST = 400 }; /**< samples of a curve */
#define TRACE_FLOOR 1e-17  /**< below the rounding of lengths and residuals */

typedef struct trace {
    char path[1024]; /**< of trajectory.h5 */
    trajectory_file file;
    size_t steps;     /**< rows: the start, in layout 4, and at least one step */
    size_t start;     /**< 1: the first row is the start; else 0 */
    double *t;        /**< ends of the steps [s] */
    int32_t *outcome; /**< of each step */
    size_t stretch;   /**< steps that one sample stands for */
    double length; /**< scale: largest coordinate of a body at the start [m]; 1 where 0 */
    perp_error *err;
} trace;

/** Open a folder that perp simulate wrote, or its trajectory.h5. PERP_ERR_DATA: no steps. Close
 *  it also after a failure. */
perp_status trace_open(trace *t, const char *path, perp_error *err);
void trace_close(trace *t); /* no-op when it is zero */

/** A metric of all steps, on the heap. */
perp_status trace_read(const trace *t, const char *metric, double **values);
/** The rows of sample k, first to last; the start is a sample of its own. False: there is no
 *  sample k. */
bool trace_sample(const trace *t, size_t k, size_t *first, size_t *last);

/** Add a curve: the last value of each stretch, and its least and largest as an interval. A NAN is
 *  no point. */
void trace_curve(const trace *t, figure_series *s, const double *values);
/** Add the largest value of each stretch, for a logarithmic axis: at least TRACE_FLOOR. */
void trace_peaks(const trace *t, figure_series *s, const double *values);
/** Add a failure where a stretch has steps that were not solved. Returns how many steps. */
size_t trace_failures(const trace *t, figure_series *s);

/** A panel over time. */
figure_panel *trace_panel(figure *f, const char *label, const char *unit,
                          figure_scale scale);
/** The figure is complete: without a curve it is dropped, and PERP_ERR_DATA if it was ordered. */
perp_status trace_end(const trace *t, figure_book *book, const figure_order *order);
/** A figure of the run: named by the order, else by the kind. */
figure *trace_figure(figure_book *book, const char *kind, const figure_order *order);

#endif
