/* SPDX-License-Identifier: Apache-2.0
 * figures/layout.h: where everything of a figure is, in points (1/72 inch) from the lower left
 * corner. No margin is left to gnuplot. */
#ifndef PERP_FIGURES_LAYOUT_H
#define PERP_FIGURES_LAYOUT_H

#include "axis.h"
#include "draw.h"
#include "shapes.h"

typedef struct figure_box {
    double left, bottom, right, top;
} figure_box;

/** The name of a series at its end: the end, then the left middle of the text. */
typedef struct end_label {
    const figure_series *series;
    double from_x, from_y, x, y, width;
    bool leader; /**< a thin line joins the end and the text */
} end_label;

typedef struct drawn_panel {
    const figure_panel *panel;
    const figure_series *focus; /**< of small multiples: all others are grey */
    const char *title;
    drawn_axis x, y, value;
    area_stack stack;
    cell_grid grids[2];
    size_t row, column;
    bool x_texts, y_texts;         /**< ticks have texts */
    bool x_label, y_label;         /**< the axis has its label */
    bool slanted;                  /**< texts of the ticks of x */
    size_t failing;                /**< series with failures: rows of their band */
    bool counted;                  /**< a row has counts */
    figure_box box;                /**< all data: the plot and its bands */
    figure_box main;               /**< the plot */
    double failed, zero_x, zero_y; /**< sizes of the bands: on top, left, at the bottom */
    figure_box colours;            /**< of the scale of a heat map */
    end_label *labels;
    size_t label_count;
} drawn_panel;

/** The key below the figure. */
typedef struct drawn_key {
    const figure_series **entries;
    size_t count, columns, rows;
    double pitch; /**< width of a column */
    figure_box box;
} drawn_key;

/** What the request says, resolved. */
typedef struct figure_setting {
    const figure_page *page;
    const figure_terminal *terminal;
    double width, height; /**< of a panel, points; 0: by the page */
    double points;        /**< of letters */
    char face[64];
    bool titles, scripts, data;
} figure_setting;

typedef struct drawn_figure {
    const figure *figure;
    const figure_setting *setting;
    drawn_panel *panels;
    size_t count, rows, columns;
    double width, height, letter;
    bool direct;         /**< series are labelled at their ends */
    bool alone;          /**< no panel has two lines to tell apart: they are solid */
    bool same_x, same_y; /**< one label serves all panels */
    drawn_key key;
} drawn_figure;

/** Call layout_free in either case. */
void layout_new(drawn_figure *d, const figure *f, const figure_setting *setting);
void layout_free(drawn_figure *d);

/** Is the series named in the figure: neither in grey nor without a name, nor alone in a panel
 *  whose title is its name? */
bool series_is_named(const figure_panel *p, const figure_series *s);
/** Has the panel at most one line that is neither grey nor a guide? */
bool panel_is_alone(const figure_panel *p);
/** How many series of the panel are named; with or without guides. */
size_t panel_named(const figure_panel *p, bool guides);
/** panels.c: the panels, their grid, ranges and bands; the rest of the layout is layout_new's. */
void panels_new(drawn_figure *d);
/** Share of the height of the figure that the plots have. */
double layout_share(const drawn_figure *d);
/** Letters that ticks and their texts take left of a panel and below it. */
double panel_y_texts(const drawn_panel *p);
double panel_x_texts(const drawn_panel *p);
/** Where a point of the panel is on the page. */
double layout_x(const drawn_panel *p, double x);
double layout_y(const drawn_panel *p, double y);

/** ends.c: labels of the series of a panel, in the margin right of it or, where all of them
 *  fit, near the ends. */
void ends_place(drawn_figure *d, drawn_panel *p);

/** A single point: its name stands next to it. */
bool ends_is_near(const figure_series *s);

/** key.c: entries of the key, and its size at the width of the figure. */
void key_new(drawn_figure *d);

#endif
