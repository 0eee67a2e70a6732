/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/warm.h: what a start near the answer is worth on sequences.
 *
 * An arm is compared with the cold one, step by step: iterations and time over the steps that
 * both solved; a start hurt where it took more iterations, or failed where cold solved. */
#ifndef PERP_REPORT_WARM_H
#define PERP_REPORT_WARM_H

#include "runs.h"

/** Append the table to summary.txt; nothing without sequences. */
perp_status warm_summary(const stored_runs *s, FILE *f, perp_error *err);
/** tables/warm.csv, tables/warm_SET_….tex and tables/steps.csv; none without sequences. */
perp_status warm_tables(const stored_runs *s, const char *dir, perp_error *err);
/** The table of a set at a tolerance, as HTML. */
perp_status warm_page(FILE *f, const stored_runs *s, const run_table *t, perp_error *err);

/** Steps that a run has in the figure of its sequence; 0 of NULL and of an instance. */
size_t warm_points(const stored_run *run);
/** Lines "step iterations" under the label, then a block of the steps that failed. */
void warm_block(FILE *f, const stored_run *run, const char *label);

#endif
