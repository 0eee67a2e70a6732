/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/selection.h: picked runs, each with its panel, its series and a point. */
#ifndef PERP_REPORT_SELECTION_H
#define PERP_REPORT_SELECTION_H

#include "command/results/kinds/pick.h"

enum { SELECTION_KEY = 512 };

typedef struct selected_run {
    const stored_run *run;
    size_t panel, series;
    double x, y;             /**< for the kind's own use; NAN: none */
    char key[SELECTION_KEY]; /**< likewise: selection_key */
} selected_run;

typedef struct selection {
    run_pick pick;
    selected_run *runs; /**< as many as are picked, in the order of the suite */
    size_t count;
    pick_values panels; /**< one "" without order->panels */
    pick_values series;
    const char *by;        /**< the field that distinguishes the series */
    const char *panels_by; /**< that of the panels; "" */
} selection;

/** The runs of the source that fulfil the order. The series are distinguished by order->by; without
 *  it by the field `by`, or by solver where no run has that. `x`: see pick_value_of. Free it also
 *  after a failure. */
void selection_new(selection *s, const figure_source *source, const figure_order *order,
                   const char *by, const char *x);
void selection_free(selection *s); /* no-op when it is zero */

/** The problem of a run and all values that vary but those named (NULL ends them): what else
 *  distinguishes it. */
void selection_key(const stored_run *run, const char *const *but,
                   char key[SELECTION_KEY]);
/** A number of a run; NAN where it failed: a cost counts when the run was solved, anything else
 *  when it came to its end. */
double selection_value(const stored_run *run, const char *field);
/** An axis of the values x, or y, of all runs, logarithmic as pick_scale decides; scratch: as many
 *  reals as there are runs. */
void selection_axis_x(figure_axis *a, const stored_runs *runs, const char *field,
                      const selection *s, double *scratch);
void selection_axis_y(figure_axis *a, const stored_runs *runs, const char *field,
                      const selection *s, double *scratch);

/** "pgs, mu = 0.3": the title of a panel that has one series. Returns `title`. */
char *selection_title(char title[FIGURE_TEXT], const selection *s, size_t panel,
                      size_t series);
/** Nothing to show: PERP_OK for a usual figure; for an ordered one PERP_ERR_DATA and "figure KIND
 *  of SET: " before what is missing. */
perp_status selection_missing(const figure_source *source, const figure_order *order,
                              perp_error *err, const char *format, ...) PERP_PRINTF(4, 5);

#endif
