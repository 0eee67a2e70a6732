/* SPDX-License-Identifier: Apache-2.0
 * command/results/report.h: tables, figures and a page from stored results.
 *
 * Reads DIR/runs.jsonl and runs no solver. Writes DIR/summary.txt, DIR/tables, DIR/figures and
 * DIR/report.html. A failed run stays in every one of them, as a failure.
 *
 * Order of the files of this folder, each of which includes only earlier ones: runs and
 * run_tables (read and arrange), fields, statistics, table, table_escape and table_tex (columns
 * and formats), files (names, writing), section (a kind of table in every format), coordinates,
 * warm, race and others of that kind, against (two results), summary, orders, kinds and figures,
 * page_data (what the page holds), page, report. */
#ifndef PERP_REPORT_H
#define PERP_REPORT_H

#include "against.h"
#include "command/figures/draw.h"
#include "orders.h"

/** What is made; zeroed: tables as text and CSV, the usual figures, the page. */
typedef struct report_request {
    figure_request figures;
    const figure_orders *orders; /**< NULL: those of the suite */
    const char *set;             /**< only this set; NULL: all */
    const char *solver; /**< the label that others are compared with; NULL: the best */
    const against *against; /**< a section of the page; NULL: none */
    bool tables;            /**< tables as LaTeX, too */
    FILE *ranking;          /**< prints the ranking at the end; NULL: nothing */
} report_request;

/** Make everything in `dir` again; the request may be NULL. PERP_ERR_READ without runs,
 *  PERP_ERR_FORMAT on a line that is no run (a torn last line is left out), PERP_ERR_OPTION on a
 *  bad request, PERP_ERR_LIBRARY when gnuplot fails (everything but the figures is made),
 *  PERP_ERR_WRITE when a file cannot be written. */
perp_status report_make(const char *dir, const figure_request *request, perp_error *err);
/** The same from several folders, drawn together into `dir`, which may be one of them; the
 *  request may be NULL. The suite is that of the first. */
perp_status report_join(const char *const *folders, size_t count, const char *dir,
                        const report_request *request, perp_error *err);

#endif
