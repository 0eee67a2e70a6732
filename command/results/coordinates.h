/* SPDX-License-Identifier: Apache-2.0
 * command/results/coordinates.h: the cost and the errors of scenes in maximal and in
 * reduced coordinates, in the summary, as CSV and LaTeX and in the page. */
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

#endif
