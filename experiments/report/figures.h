/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/figures.h: data files, scripts and figures of stored runs. */
#ifndef PERP_REPORT_FIGURES_H
#define PERP_REPORT_FIGURES_H

#include "gnuplot.h"
#include "runs.h"

/** Draw every figure into DIR/figures. PERP_ERR_OPTION on a bad style, PERP_ERR_LIBRARY
 *  when gnuplot fails. */
perp_status write_figures(const stored_runs *s, const char *dir,
                          const report_style *style, perp_error *err);

#endif
