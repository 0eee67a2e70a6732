/* SPDX-License-Identifier: Apache-2.0
 * figures/script.h: a figure as a script of gnuplot and its data. */
#ifndef PERP_FIGURES_SCRIPT_H
#define PERP_FIGURES_SCRIPT_H

#include <stdio.h>

#include "layout.h"

/** Where a value is drawn: in the plot, on the band of zeros, or on that of failures. */
typedef enum script_band { BAND_MAIN, BAND_ZERO, BAND_FAILED } script_band;

typedef struct script {
    const drawn_figure *d;
    const figure_style_table *style;
    FILE *gp, *dat;
    size_t blocks; /**< of data so far */
    bool plotting; /**< a plot command is open */
} script;

/** Write NAME.gp and NAME.dat; write errors stay on the streams. */
void script_write(const drawn_figure *d, const figure_style_table *style, FILE *gp,
                  FILE *dat);

/** series.c: all that belongs to this part of the panel, as one plot command. */
void script_plot(script *s, const drawn_panel *p, script_band x, script_band y);

/** The look of a series: a colour as "#rrggbb", a dash pattern, a marker. */
figure_look script_look(const script *s, const figure_series *series);
/** "lc rgb '#0072B2' lw 1.2 dt (5,2)" */
void script_line(const script *s, const figure_series *series, double width);
/** "pt 7 ps 0.5 lw 0.8 lc rgb '#0072B2'" */
void script_marker(const script *s, const figure_series *series);
/** A text as a string for the terminal. */
void script_text(const script *s, const char *text);

#endif
