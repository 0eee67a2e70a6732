/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/summary.h: the tables of all solvers, as files. */
#ifndef PERP_REPORT_SUMMARY_H
#define PERP_REPORT_SUMMARY_H

#include "runs.h"
#include "statistics.h"
#include "table.h"

/** DIR/summary.txt: every set at every tolerance, then sequences and scenes. */
perp_status write_summary(const stored_runs *s, const char *dir, perp_error *err);
/** DIR/tables: runs.csv, summary.csv, failures.csv and SET_TOLERANCE.tex; the tables of
 *  sequences (warm.h) and of scenes (coordinates.h). */
perp_status write_tables(const stored_runs *s, const char *dir, perp_error *err);

/** The statistics of a table, without a caption. */
perp_status print_statistics(FILE *f, table_format format, const solver_statistics *of,
                             size_t count, perp_error *err);

#endif
