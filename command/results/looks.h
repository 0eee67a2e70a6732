/* SPDX-License-Identifier: Apache-2.0
 * report/looks.h: the looks of the solvers of stored runs. */
#ifndef PERP_REPORT_LOOKS_H
#define PERP_REPORT_LOOKS_H

#include "command/figures/style.h"
#include "command/results/runs.h"

/** One look for each solver in all figures of a report. Solvers that meet in a set get different
 *  colours, in the sets of the fewest solvers first. */
void looks_of_runs(figure_style_table *style, const stored_runs *s);

#endif
