/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/report.h: tables, figures and a page from stored results.
 *
 * Reads DIR/runs.jsonl, never runs a solver. Writes DIR/summary.txt, DIR/tables,
 * DIR/figures and DIR/report.html. A failed run stays in every one of them, as a failure. */
#ifndef PERP_REPORT_H
#define PERP_REPORT_H

#include <perp/base.h>

/** How figures look; NULL fields are the defaults: pdf, svg and png, 3.4x2.6 inches, Sans 7. */
typedef struct report_style {
    const char *terminal; /**< a gnuplot terminal; only this one is drawn */
    const char *size;     /**< "WIDTHxHEIGHT" in inches */
    const char *font;     /**< "NAME,SIZE" */
} report_style;

/** Make everything in `dir` again. PERP_ERR_READ without runs, PERP_ERR_FORMAT on a line that
 *  is no run (a torn last line is left out), PERP_ERR_OPTION on a bad style, PERP_ERR_LIBRARY
 *  when gnuplot fails, PERP_ERR_WRITE when the folder does not take the files. */
perp_status report_make(const char *dir, const report_style *style, perp_error *err);

#endif
