/* SPDX-License-Identifier: Apache-2.0
 * command/results/summary.h: the tables of all solvers, as files. */
#ifndef PERP_REPORT_SUMMARY_H
#define PERP_REPORT_SUMMARY_H

#include "contradictions.h"
#include "section.h"

/** DIR/summary.txt: contradictions, every set at every tolerance, then sequences and scenes. */
perp_status write_summary(const stored_runs *s, const contradictions *found,
                          const char *dir, perp_error *err);
/** The solvers of every set at every tolerance, the best one first. */
perp_status summary_ranking(FILE *f, const stored_runs *s, perp_error *err);
/** DIR/tables: runs.csv, failures.csv, steps.csv and a CSV file of every section; with `tex`
 *  also its tables as LaTeX, a file per set and tolerance. */
perp_status write_tables(const stored_runs *s, const char *dir, bool tex,
                         perp_error *err);

/** The one of the statistics of solvers, which is in report_sections, too. */
extern const report_section statistics_section;
/** The statistics of solvers, of sequences and of scenes; ended by NULL. */
extern const report_section *const report_sections[];

#endif
