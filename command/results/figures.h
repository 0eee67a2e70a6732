/* SPDX-License-Identifier: Apache-2.0
 * command/results/figures.h: the figures of stored runs, of a simulation or of a problem. */
#ifndef PERP_REPORT_FIGURES_H
#define PERP_REPORT_FIGURES_H

#include "command/figures/draw.h"
#include "command/results/orders.h"
#include "command/results/runs.h"

/** Draw the usual figures, or those of `orders` where they are given, into the folder, which is
 *  made; and figures.json, the list of them: name, kind, set, tolerance, file, title, caption.
 *  `orders` and `request` may be NULL. PERP_ERR_DATA when an order finds nothing to show: all
 *  other figures are drawn. PERP_ERR_OPTION on a bad request, PERP_ERR_LIBRARY when gnuplot
 *  fails. */
perp_status figures_make(const stored_runs *s, const figure_orders *orders,
                         const figure_request *request, const char *folder,
                         perp_error *err);
/** The same of the folder of a simulation, or of a file or call that names a problem. */
perp_status figures_make_path(const char *path, const figure_orders *orders,
                              const figure_request *request, const char *folder,
                              perp_error *err);

#endif
