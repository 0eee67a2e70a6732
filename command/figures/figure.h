/* SPDX-License-Identifier: Apache-2.0
 * figures/figure.h: a figure as data: panels, axes, series. It knows nothing of gnuplot, of
 * solvers or of runs; draw.h lays it out and draws it.
 *
 * All texts are plain UTF-8 without markup; draw.h writes them as a terminal needs them, LaTeX
 * included. Numbers in texts come from figure_number: "10⁻⁸", "0.3", "2.5×10⁶". A part that a
 * function adds belongs to the figure. */
#ifndef PERP_FIGURES_FIGURE_H
#define PERP_FIGURES_FIGURE_H

#include <stddef.h>
#include <stdio.h>

#include <perp/base.h>

enum { FIGURE_NAME = 96, FIGURE_TEXT = 160, FIGURE_UNIT = 24 };

typedef enum figure_scale {
    FIGURE_LINEAR,
    FIGURE_LOG10,
    FIGURE_LOG2,
    FIGURE_CATEGORIES, /**< positions 0, 1, 2 … with names */
} figure_scale;

typedef struct figure_axis {
    char label[FIGURE_TEXT]; /**< "time" */
    char unit[FIGURE_UNIT];  /**< "s"; "" without */
    figure_scale scale;
    double low, high; /**< NAN: from the data */
    bool reversed;
    char (*names)[FIGURE_NAME]; /**< of categories; added by figure_category */
    size_t name_count, name_room;
} figure_axis;

/** How a series is drawn, and which of its columns it reads. */
typedef enum figure_form {
    FIGURE_LINE,   /**< x, y: joined */
    FIGURE_CURVE,  /**< x, y: joined, with a few markers */
    FIGURE_POINTS, /**< x, y: markers only */
    FIGURE_STEPS,  /**< x, y: y holds from x to the next x */
    FIGURE_BARS, /**< x, y, low, high: a bar of the height y from x = low to high; where y
                        has categories, a lying bar from x = low to high at y */
    FIGURE_BOXES, /**< x, y, low, high, least, most: median, quartiles, whiskers of y; where
                        y has categories, of x */
    FIGURE_AREA, /**< x, y: stacked on the areas before it, those of positive y upwards */
    FIGURE_CELLS, /**< x, y, value: of a heat map; the panel has the scale of values */
    FIGURE_DOTS,  /**< x, y: many small squares: a sparsity pattern */
    FIGURE_GUIDE, /**< x, y: a thin grey line that explains: a slope, a tolerance */
} figure_form;

typedef struct figure_point {
    double x, y;
    double low,
        high; /**< of FIGURE_LINE and CURVE: an interval, drawn as a ribbon; NAN: none */
    double least, most; /**< of boxes */
    double value;       /**< of cells */
} figure_point;

/** Failures at one x: a cross, or "6/8" where there were several runs. */
typedef struct figure_failure {
    double x;
    size_t failed, of;
} figure_failure;

typedef struct figure_series {
    char name[FIGURE_NAME]; /**< shown; "" : neither labelled nor in the key */
    char
        owner[FIGURE_NAME]; /**< decides colour, dash, marker (style.h); "" : by `name` */
    bool warm;  /**< drawn in the hue of its owner, dashed with open markers */
    bool muted; /**< drawn in grey, behind the others, not labelled */
    figure_form form;
    figure_point *points;
    size_t count, room;
    figure_failure *failures; /**< drawn on a band above the plot, never left out */
    size_t failure_count, failure_room;
} figure_series;

/** A text inside a panel: "slope −1.98 ± 0.03". */
typedef struct figure_note {
    double x, y; /**< in the axes' units */
    char text[FIGURE_TEXT];
} figure_note;

typedef struct figure_panel {
    char title[FIGURE_TEXT]; /**< what distinguishes it: "μ = 0.3"; may be "" */
    figure_axis x, y;
    figure_axis value; /**< of cells: the colour box */
    bool equal;        /**< one unit is as long in x as in y: roses, patterns */
    figure_series **series;
    size_t count, room;
    figure_note *notes;
    size_t note_count, note_room;
} figure_panel;

typedef struct figure {
    char kind[FIGURE_NAME]; /**< "profile" */
    char
        name[FIGURE_NAME]; /**< of its files, without extension: letters, digits, . _ - */
    char title[FIGURE_TEXT]; /**< drawn only when asked for */
    char *caption; /**< one paragraph: what is shown, over what, how failures count */
    figure_panel **panels;
    size_t count, room;
    size_t columns; /**< of panels; 0: as many as fit */
} figure;

/** All figures of a report or of a command; figures are freed with it. */
typedef struct figure_book {
    figure **figures;
    size_t count, room;
} figure_book;

/** A new figure of the book; a name that is taken gets "-2" and so on. */
figure *figure_add(figure_book *book, const char *kind, const char *name);
void figure_book_free(figure_book *book);
/** Take the last figure back: it turned out to be empty. */
void figure_drop(figure_book *book);

void figure_set_title(figure *f, const char *format, ...) PERP_PRINTF(2, 3);
void figure_set_caption(figure *f, const char *format, ...) PERP_PRINTF(2, 3);

figure_panel *figure_add_panel(figure *f, const char *title);
void figure_axis_set(figure_axis *a, const char *label, const char *unit,
                     figure_scale scale);
/** The position of a category, which is added when it is new. */
double figure_category(figure_axis *a, const char *name);

figure_series *figure_add_series(figure_panel *p, figure_form form, const char *name);
/** `owner` as in figure_series. */
void figure_series_of(figure_series *s, const char *owner, bool warm);
void figure_point_add(figure_series *s, double x, double y);
void figure_point_full(figure_series *s, figure_point point);
void figure_failure_add(figure_series *s, double x);
/** `failed` of `of` runs at x. */
void figure_failures_add(figure_series *s, double x, size_t failed, size_t of);
void figure_note_add(figure_panel *p, double x, double y, const char *format, ...)
    PERP_PRINTF(4, 5);

/** True when no series has a point or a failure. */
bool figure_is_empty(const figure *f);
/** "10⁻⁸", "0.3", "2.5×10⁶": at most `digits` significant ones. Returns `text`. */
char *figure_number(char *text, size_t length, double x, int digits);
/** "10⁻⁸", "2¹⁰". Returns `text`. */
char *figure_power(char *text, size_t length, int base, int exponent);

/** The series of all panels as tidy CSV: figure, panel, series, form, x, y, low, high, value,
 *  failed; the header names the axes with their units. A row of failures has their count as
 *  `failed`, and as `value` out of how many runs. */
perp_status figure_write_csv(const figure *f, FILE *out, perp_error *err);

#endif
