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
    bool alone;    /**< the panel at work has one line */
} script;

/** Write NAME.gp and NAME.dat; write errors stay on the streams. */
void script_write(const drawn_figure *d, const figure_style_table *style, FILE *gp,
                  FILE *dat);

/** series.c: all that belongs to this part of the panel, as one plot command. */
void script_plot(script *s, const drawn_panel *p, script_band x, script_band y);

/** The look of a series: a colour as "#rrggbb", a dash pattern, a marker. */
figure_look script_look(const script *s, const figure_series *series);
/** "#0072B2" somewhat darker, so that thin letters are legible. */
void script_darker(char out[8], const char *colour);
/** "lc rgb '#0072B2' lw 1.2 dt (5,2)" */
void script_line(const script *s, const figure_series *series, double width);
/** "pt 7 ps 0.5 lw 0.8 lc rgb '#0072B2'" */
void script_marker(const script *s, const figure_series *series);
/** Cells without a value, and what is muted. */
#define SCRIPT_PALE "#d0d0d0"

/** Begin a block of data and the part of the plot command that draws it; a row of numbers; end
 *  the block. Between them "using 1:2 with …" is written to gp. */
void script_block(script *s, const figure_series *series);
void script_row(script *s, const double *row, size_t count);
void script_block_end(script *s, const figure_series *series);

/** fills.c: the filled forms. */
void script_bars(script *s, const drawn_panel *p, const figure_series *series);
void script_boxes(script *s, const drawn_panel *p, const figure_series *series);
void script_area(script *s, const drawn_panel *p, const figure_series *series,
                 size_t area);
void script_cells(script *s, const drawn_panel *p, const figure_series *series);
void script_dots(script *s, const drawn_panel *p, const figure_series *series);

/** A text as a string for the terminal. */
void script_text(const script *s, const char *text);

#endif
