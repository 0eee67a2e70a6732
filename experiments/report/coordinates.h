/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/coordinates.h: the cost and the errors of scenes in maximal and in
 * reduced coordinates, in the summary, as CSV and LaTeX, in the page and in a figure of every
 * set. */
#ifndef PERP_REPORT_COORDINATES_H
#define PERP_REPORT_COORDINATES_H

#include <stdio.h>

#include "section.h"

/** True for a run of a scene; false for NULL. */
bool run_is_scene(const stored_run *run);
/** A number of a record, such as "step_seconds.median"; NAN where there is none. */
double scene_value(const json_t *record, const char *path);
/** The error of energy over the most energy that moved; 0 of 0, whatever moved. */
double scene_energy(const json_t *record);

/** The table of scenes and solvers. */
extern const report_section coordinates_section;

/** Number of runs of solver s in the figure: scenes with joints. `links`, the least and
 *  the largest number of links, is widened by theirs. */
size_t coordinates_points(const run_table *t, size_t s, double links[2]);
/** Decades that hold all points of each panel, as assignments for the script. */
void coordinates_decades(FILE *f, const run_table *t);
/** Three blocks of a solver, lines "links drift energy seconds": its solved runs under
 *  the label; the same runs family by family (scenes that differ by parameters only and
 *  have several numbers of links); and the runs that failed, those without a number at
 *  the top. An exact 0 is drawn at the lower end of the axis. */
perp_status coordinates_block(FILE *f, const run_table *t, size_t s, perp_error *err);

#endif
