/* SPDX-License-Identifier: Apache-2.0
 * cli/plot_curve.c: a curve over a logarithmic axis, with its axes, drawn in characters. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/cli/plot.h"

enum {
    LABEL = 6,
    LEAST_COLUMNS = 16
}; /* characters left of the axis, and of the curve */

/* A curve and where its numbers lie on the canvas. */
typedef struct curve_frame {
    const plot_curve *curve;
    plot_canvas canvas;
    double x[2], y[2]; /* ends of the axes; y in decades */
    double step;       /* between two numbers of the x-axis */
    int decades;       /* between two numbers of the y-axis */
} curve_frame;

char plot_letter(size_t part)
{
    return (char)('A' + part % 26);
}

static void curve_widen(double range[2], double x)
{
    range[0] = fmin(range[0], x);
    range[1] = fmax(range[1], x);
}

/* The least of 1, 2, 5 times a power of ten that is at least `least`. */
static double curve_round_up(double least)
{
    static const double factors[] = {1.0, 2.0, 5.0, 10.0};
    double power = pow(10.0, floor(log10(least)));

    for (size_t k = 0; k < 4; k++) {
        if (factors[k] * power >= least * (1.0 - 1e-9)) {
            return factors[k] * power;
        }
    }
    return 10.0 * power;
}

/* The ends of the axes; false where no y is positive. */
static bool curve_measure(curve_frame *f)
{
    const plot_curve *c = f->curve;

    f->y[0] = f->x[0] = INFINITY;
    f->y[1] = f->x[1] = -INFINITY;
    for (size_t k = 0; k < c->count; k++) {
        curve_widen(f->x, c->x[k]);
        if (c->y[k] > c->floor && isfinite(c->y[k])) {
            curve_widen(f->y, log10(c->y[k]));
        }
    }
    if (!isfinite(f->y[0]) || !isfinite(f->x[0])) {
        return false;
    }
    if (c->level > 0.0) {
        curve_widen(f->y, log10(c->level));
    }
    f->y[0] = floor(f->y[0] + 1e-9);
    f->y[1] = fmax(ceil(f->y[1] - 1e-9), f->y[0] + 1.0);
    f->x[1] = f->x[1] > f->x[0] ? f->x[1] : f->x[0] + 1.0;
    return true;
}

/* Numbers every two rows at most, and every twelve columns left of the name of the axis. */
static void curve_divide(curve_frame *f)
{
    double columns = (double)f->canvas.columns, name = (double)strlen(f->curve->x_name);
    double share = fmax(columns - name - 2.0, columns / 2.0) / columns;
    double most = fmax(1.0, (double)(f->canvas.rows / 2));
    double numbers = fmax(2.0, floor(share * columns / 12.0));

    f->decades = (int)fmax(1.0, ceil((f->y[1] - f->y[0]) / most));
    f->step = curve_round_up((f->x[1] - f->x[0]) * share / numbers);
}

/* The dot of a place between two ends. */
static size_t curve_place(double x, const double ends[2], size_t dots)
{
    double share = (x - ends[0]) / (ends[1] - ends[0]);

    return (size_t)lround(fmin(fmax(share, 0.0), 1.0) * (double)(dots - 1));
}

static size_t curve_x(const curve_frame *f, double x)
{
    return curve_place(x, f->x, plot_width(&f->canvas));
}

/* From the top; of a positive number. */
static size_t curve_y(const curve_frame *f, double y)
{
    size_t last = plot_height(&f->canvas) - 1;

    if (!(y > 0.0)) {
        return isnan(y) ? 0 : last;
    }
    return last - curve_place(log10(y), f->y, last + 1);
}

static size_t curve_row(const curve_frame *f, double y)
{
    return curve_y(f, y) * f->canvas.rows / plot_height(&f->canvas);
}

static void curve_draw_level(curve_frame *f)
{
    const plot_curve *c = f->curve;
    size_t apart = f->canvas.unicode ? 3 : 2;

    if (!(c->level > 0.0)) {
        return;
    }
    for (size_t x = 0; x < plot_width(&f->canvas); x += apart) {
        plot_dot(&f->canvas, x, curve_y(f, c->level));
    }
    plot_text(&f->canvas, 1, curve_row(f, c->level), c->level_name);
}

static void curve_draw_parts(curve_frame *f)
{
    const plot_curve *c = f->curve;
    size_t per_column = plot_width(&f->canvas) / f->canvas.columns;

    for (size_t k = 0; c->part && k < c->part_count; k++) {
        char letter[2] = {plot_letter(k), '\0'};
        size_t x = curve_x(f, c->x[c->part[k]]);

        for (size_t y = 0; k > 0 && y < plot_height(&f->canvas); y += 2) {
            plot_dot(&f->canvas, x, y);
        }
        plot_text(&f->canvas, x / per_column, 0, letter);
    }
}

static void curve_draw(curve_frame *f)
{
    const plot_curve *c = f->curve;
    size_t part = 0;

    curve_draw_level(f);
    for (size_t k = 0; k < c->count; k++) {
        bool first = k == 0;

        while (c->part && part < c->part_count && c->part[part] <= k) {
            first = first || c->part[part] == k;
            part++;
        }
        plot_line(&f->canvas, curve_x(f, c->x[first ? k : k - 1]),
                  curve_y(f, c->y[first ? k : k - 1]), curve_x(f, c->x[k]),
                  curve_y(f, c->y[k]));
    }
    curve_draw_parts(f);
}

/* The number of a row of the y-axis, where it has one. */
static void curve_print_label(const curve_frame *f, size_t row, FILE *out)
{
    const char *bar = f->canvas.unicode ? "\xe2\x94\x82" : "|";   /* U+2502 */
    const char *cross = f->canvas.unicode ? "\xe2\x94\xa4" : "+"; /* U+2524 */

    for (double y = f->y[1]; y >= f->y[0]; y -= f->decades) {
        if (curve_row(f, pow(10.0, y)) == row) {
            fprintf(out, "%*.0e %s", LABEL, pow(10.0, y), cross);
            return;
        }
    }
    fprintf(out, "%*s %s", LABEL, "", bar);
}

/* The line below the curve and the numbers below the line. */
static void curve_print_axis(const curve_frame *f, FILE *out)
{
    const plot_curve *c = f->curve;
    size_t columns = f->canvas.columns, at = 0, name = strlen(c->x_name);
    size_t per_column = plot_width(&f->canvas) / columns;

    fprintf(out, "%*s %s", LABEL, "", f->canvas.unicode ? "\xe2\x94\x94" : "+");
    for (size_t k = 0; k < columns; k++) {
        fputs(f->canvas.unicode ? "\xe2\x94\x80" : "-", out);
    }
    fprintf(out, "\n%*s", LABEL + 2, "");
    for (double x = ceil(f->x[0] / f->step) * f->step; x <= f->x[1]; x += f->step) {
        char number[32];
        size_t length = (size_t)snprintf(number, sizeof number, "%.6g", x);
        size_t column = curve_x(f, x) / per_column;

        column = column > length / 2 ? column - length / 2 : 0;
        if (column >= at && column + length + name + 2 <= columns) {
            fprintf(out, "%*s%s", (int)(column - at), "", number);
            at = column + length;
            fputs(x + f->step > f->x[1] ? "" : " ", out);
            at += x + f->step > f->x[1] ? 0 : 1;
        }
    }
    fprintf(out, "%*s%s\n", (int)(columns > at + name ? columns - at - name : 1), "",
            c->x_name);
}

void plot_curve_print(FILE *out, const plot_curve *curve)
{
    curve_frame f = {.curve = curve};
    size_t margin = LABEL + 2;
    size_t columns =
        curve->width > margin + LEAST_COLUMNS ? curve->width - margin : LEAST_COLUMNS;

    if (!curve_measure(&f)) {
        return;
    }
    plot_open(&f.canvas, columns, curve->height, curve->unicode);
    curve_divide(&f);
    curve_draw(&f);
    fprintf(out, "%s\n", curve->y_name);
    for (size_t row = 0; row < f.canvas.rows; row++) {
        curve_print_label(&f, row, out);
        plot_print(&f.canvas, row, false, out);
        fputc('\n', out);
    }
    curve_print_axis(&f, out);
    plot_close(&f.canvas);
}
