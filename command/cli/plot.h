/* SPDX-License-Identifier: Apache-2.0
 * cli/plot.h: curves and patterns drawn in characters.
 *
 * A character of a canvas holds 2 x 4 dots in braille, and 1 x 2 in ASCII: ' . and : */
#ifndef PERP_CLI_PLOT_H
#define PERP_CLI_PLOT_H

#include <stdio.h>

#include <perp/perp.h>

typedef struct plot_canvas {
    size_t columns, rows; /**< characters */
    bool unicode;
    unsigned char
        *dots;  /**< columns x rows: the dots of a character, as braille counts them */
    char *over; /**< a character in place of the dots; 0: none */
} plot_canvas;

/** An empty canvas. Close it also after a failure. */
void plot_open(plot_canvas *c, size_t columns, size_t rows, bool unicode);
void plot_close(plot_canvas *c); /* no-op when it is zero */
/** Dots of a whole row and of a whole column. */
size_t plot_width(const plot_canvas *c);
size_t plot_height(const plot_canvas *c);
/** A dot, from the top left; no-op outside the canvas. */
void plot_dot(plot_canvas *c, size_t x, size_t y);
void plot_line(plot_canvas *c, size_t x0, size_t y0, size_t x1, size_t y1);
/** A text in place of dots, as far as the canvas reaches. */
void plot_text(plot_canvas *c, size_t column, size_t row, const char *text);
/** Print a row of characters, without a newline and without the blanks at its end unless
 *  `whole`. */
void plot_print(const plot_canvas *c, size_t row, bool whole, FILE *out);

/** A curve over a logarithmic axis. */
typedef struct plot_curve {
    /** count; y <= floor is drawn at the lower edge, y = inf at the upper one. */
    const double *x, *y;
    double floor; /**< >= 0 */
    size_t count;
    const char *x_name, *y_name;
    double level; /**< a horizontal line; NAN: none */
    const char *level_name;
    /** Samples where a part of the curve begins, ascending from 0: a vertical line and the
     *  letter of the part, A, B, …; NULL: one part without a letter. */
    const size_t *part;
    size_t part_count;
    size_t width, height; /**< characters of the whole, and of the curve alone */
    bool unicode;
} plot_curve;

/** Print the curve with its axes; nothing where no y is positive. */
void plot_curve_print(FILE *out, const plot_curve *curve);
/** The letter of a part: A to Z, then from A again. */
char plot_letter(size_t part);

#endif
