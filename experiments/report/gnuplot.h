/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/gnuplot.h: the style of figures, their scripts, and gnuplot itself. */
#ifndef PERP_REPORT_GNUPLOT_H
#define PERP_REPORT_GNUPLOT_H

#include <stdio.h>

#include <perp/base.h>

/** Style of figures; NULL fields are the defaults: pdf, svg and png, 3.4x2.6 inches, Sans
 *  7. */
typedef struct report_style {
    const char *terminal; /**< a gnuplot terminal; figures are drawn for this one only */
    const char *size;     /**< "WIDTHxHEIGHT" in inches */
    const char *font;     /**< "NAME,SIZE" */
} report_style;

/** The .gp scripts of the installation, copied to DIR/figures/gp. */
perp_status copy_scripts(const char *dir, perp_error *err);
/** Head of make.gp: terminals, size and font. PERP_ERR_OPTION on a bad style. */
perp_status write_style(FILE *f, const report_style *style, perp_error *err);

/** Draw figures/make.gp of `dir` with gnuplot, whose messages go to figures/gnuplot.log.
 *  The new figures replace the old ones when all of them are whole. */
perp_status gnuplot_run(const char *dir, perp_error *err);

#endif
