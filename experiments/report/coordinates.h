/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/coordinates.h: scenes in systems of coordinates: what each costs and
 * loses, in the summary, as CSV and TeX, in the page and in a figure of every set. */
#ifndef PERP_REPORT_COORDINATES_H
#define PERP_REPORT_COORDINATES_H

#include "runs.h"

/** Is it a run of a scene? NULL is none. */
bool run_is_scene(const stored_run *run);
/** A number of a record, such as "step_seconds.median"; NAN where there is none. */
double scene_value(const json_t *record, const char *path);
/** The error of energy over the most energy that moved; 0 of 0, whatever moved. */
double scene_energy(const json_t *record);

/** Append the tables to summary.txt; nothing without scenes. */
perp_status coordinates_summary(const stored_runs *s, FILE *f, perp_error *err);
/** tables/coordinates.csv and tables/coordinates_SET_….tex; none without scenes. */
perp_status coordinates_tables(const stored_runs *s, const char *dir, perp_error *err);
/** The table of a set at a tolerance, as HTML; nothing without scenes. */
void coordinates_page(FILE *f, const run_table *t);

/** Runs of solver s that have a place in the figure: scenes with joints. `links`, least
 *  and most of them, is widened by theirs. */
size_t coordinates_points(const run_table *t, size_t s, double links[2]);
/** Decades that hold all points of each panel, as assignments for the script. */
void coordinates_decades(FILE *f, const run_table *t);
/** Three blocks of a solver, lines "links drift energy seconds": its solved runs under
 *  the label, the same of each family as a line (scenes that differ by parameters alone
 *  and have several numbers of links), and the runs that failed, where there is no number
 *  at the top. An exact 0 stands at the foot of the axis. */
perp_status coordinates_block(FILE *f, const run_table *t, size_t s, perp_error *err);

#endif
