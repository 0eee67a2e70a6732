/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/report.h: tables, figures and a page from stored results.
 *
 * Reads DIR/runs.jsonl and runs no solver. Writes DIR/summary.txt, DIR/tables, DIR/figures and
 * DIR/report.html. A failed run stays in every one of them, as a failure.
 *
 * Order of the files of this folder, each of which includes only earlier ones: runs (read and
 * arrange), statistics, table (columns and formats), files (names, writing), section (a kind
 * of table in every format), coordinates and warm, summary, kinds (of figures), collect and
 * figures, page, report. */
#ifndef PERP_REPORT_H
#define PERP_REPORT_H

#include "experiments/figures/draw.h"

/** Make everything in `dir` again. PERP_ERR_READ without runs, PERP_ERR_FORMAT on a line
 *  that is no run (a torn last line is left out), PERP_ERR_OPTION on a bad style,
 *  PERP_ERR_LIBRARY when gnuplot fails (everything but the figures is made),
 *  PERP_ERR_WRITE when a file cannot be written. */
perp_status report_make(const char *dir, const figure_request *request, perp_error *err);

#endif
