/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/data_files.h: blocks of the data files that figures are drawn from. */
#ifndef PERP_REPORT_DATA_FILES_H
#define PERP_REPORT_DATA_FILES_H

#include <stdio.h>

#include "runs.h"

/** The label at the start of a block, in quotes, with `more` after it. */
void print_label(FILE *f, const char *label, const char *more);

/** Least positive time of a history sample of any run on instance i, seconds. */
double first_time(const run_table *t, size_t i);
/** Number of points of a run in the figure of its residual; 0 of NULL. */
size_t history_points(const stored_run *run);
/** Lines "seconds products residual" under the label, and one line more, marked, where
 *  the run ended without success. Writes nothing for a run without points. */
void history_block(FILE *f, const stored_run *run, const char *label);

/** True when the instances have at least three sizes. */
bool table_has_sizes(const run_table *t);
/** Three blocks of a solver: its label with the slope and solved points, its failures,
 *  the fitted line. */
perp_status scaling_block(FILE *f, const run_table *t, size_t s, perp_error *err);

#endif
