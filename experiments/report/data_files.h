/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/data_files.h: the parts of figures.c that know one kind of figure. */
#ifndef PERP_REPORT_DATA_FILES_H
#define PERP_REPORT_DATA_FILES_H

#include "runs.h"

/** Draw figures/make.gp of `dir` by gnuplot, what it says going to figures/gnuplot.log; the
 *  figures take their places when all of them are whole. */
perp_status gnuplot_run(const char *dir, perp_error *err);

/** The label by which a block of a data file begins, in quotes, with `more` after it. */
void print_label(FILE *f, const char *label, const char *more);

/** Least positive time of a judgement of any run on instance i, seconds. */
double first_time(const run_table *t, size_t i);
/** Points that a run has in the figure of its residual; 0 of NULL. */
size_t history_points(const stored_run *run);
/** Lines "seconds products residual" under the label, and one line more, marked, where the
 *  run ended without success. Writes nothing for a run without points. */
void history_block(FILE *f, const stored_run *run, const char *label);

/** Do the instances come in at least three sizes? */
bool table_has_sizes(const run_table *t);
/** Three blocks of a solver: its label with the slope and solved points, its failures, the
 *  fitted line. */
perp_status scaling_block(FILE *f, const run_table *t, size_t s, perp_error *err);

/** The .gp scripts of the installation, copied to DIR/figures/gp. */
perp_status copy_scripts(const char *dir, perp_error *err);
/** Head of make.gp: terminals, size and font; checks the style. */
perp_status write_style(FILE *f, const report_style *style, perp_error *err);

#endif
