/* SPDX-License-Identifier: Apache-2.0
 * figures/series.c: series as blocks of data and as parts of gnuplot's plot command. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "script.h"
#include "text.h"

#define GREY  "#8c8c8c"
#define PALER "#d0d0d0"

/* Lines with more points lose those that no eye tells apart; a curve has this many markers. */
enum { MOST_POINTS = 2000, MARKERS = 6, FEW_POINTS = 12 };

/* Dash patterns by figure_look.dash, in line widths; the last is that of warm starts. */
static const double dashes[][8] = {
    {0},
    {0},
    {5.0, 2.0},
    {1.2, 1.8},
    {6.0, 1.8, 1.2, 1.8},
    {9.0, 2.5},
    {3.2, 1.4},
    {6.0, 1.6, 1.2, 1.6, 1.2, 1.6},
    {9.0, 1.6, 3.0, 1.6},
    {2.0, 1.4},
};
enum { DASHES = sizeof dashes / sizeof *dashes, WARM = DASHES - 1 };

figure_look script_look(const script *s, const figure_series *series)
{
    figure_look look =
        figure_style_find(s->style, series->owner[0] ? series->owner : series->name);

    if (series->warm) {
        look.dash = WARM;
        look.marker = look.open_marker;
    }
    if (series->form == FIGURE_GUIDE) {
        look.colour = GREY;
        look.dash = 1;
    }
    if (series->muted) {
        look.colour = PALER;
        look.dash = 1;
    }
    return look;
}

void script_text(const script *s, const char *text)
{
    figure_text_write(s->gp, text, s->d->setting->terminal->latex, false);
}

void script_line(const script *s, const figure_series *series, double width)
{
    figure_look look = script_look(s, series);
    const double *dash = dashes[look.dash < DASHES ? look.dash : 1];

    fprintf(s->gp, "lc rgb '%s' lw %g dt ", look.colour, width);
    if (dash[0] <= 0.0) {
        fputc('1', s->gp);
        return;
    }
    for (size_t k = 0; k < 8 && dash[k] > 0.0; k++) {
        fprintf(s->gp, "%s%.3g", k ? "," : "(", dash[k] / s->d->setting->terminal->dash);
    }
    fputc(')', s->gp);
}

void script_marker(const script *s, const figure_series *series)
{
    figure_look look = script_look(s, series);
    double unit = s->d->setting->terminal->marker;
    double size = 0.46 * s->d->letter / (unit > 0.0 ? unit : 0.75 * s->d->letter);

    fprintf(s->gp, "pt %d ps %.3g lw 0.8 lc rgb '%s'", look.marker, size, look.colour);
}

/* Begin a block of data and the part of the plot command that draws it. */
static void script_block(script *s, const figure_series *series)
{
    const char *name = series->name[0] ? series->name : series->owner;

    fprintf(s->gp, "%s$block%zu ", s->plotting ? ", \\\n     " : "plot ", ++s->blocks);
    s->plotting = true;
    fprintf(s->dat, "$block%zu << EOD\n# ", s->blocks);
    for (; *name; name++) {
        fputc(iscntrl((unsigned char)*name) || *name == '\\' ? ' ' : *name, s->dat);
    }
    fputc('\n', s->dat);
}

/* A row of numbers; the count may be anything up to 7. */
static void script_row(script *s, const double *row, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (isfinite(row[k])) {
            fprintf(s->dat, "%s%.9g", k ? " " : "", row[k]);
        } else {
            fprintf(s->dat, "%sNaN", k ? " " : "");
        }
    }
    fputc('\n', s->dat);
}

static void script_block_end(script *s, const figure_series *series)
{
    fputs("EOD\n\n", s->dat);
    fputs(" title ", s->gp);
    figure_text_plain(s->gp, series->name);
    fputs(" noenhanced", s->gp);
}

static bool point_shows(const drawn_panel *p, const figure_point *at)
{
    return axis_shows(p->x.axis, at->x) && axis_shows(p->y.axis, at->y);
}

static void script_point(script *s, const drawn_panel *p, const figure_point *at)
{
    const double row[] = {at->x, point_shows(p, at) ? at->y : NAN};

    script_row(s, row, 2);
}

/* The points of a line; of many that share a place along x, the first, lowest, highest, last. */
static void script_thin(script *s, const drawn_panel *p, const figure_series *series)
{
    const figure_point *points = series->points;

    for (size_t first = 0, next = 0; first < series->count; first = next) {
        double place = floor(4.0 * layout_x(p, points[first].x));
        size_t keep[4] = {first, first, first, first};

        for (next = first;
             next < series->count && floor(4.0 * layout_x(p, points[next].x)) == place;
             next++) {
            keep[1] = points[next].y < points[keep[1]].y ? next : keep[1];
            keep[2] = points[next].y > points[keep[2]].y ? next : keep[2];
            keep[3] = next;
        }
        if (next == first) { /* x is not shown */
            next++;
        }
        if (keep[1] > keep[2]) {
            size_t swap = keep[1];

            keep[1] = keep[2];
            keep[2] = swap;
        }
        for (size_t k = 0; k < 4; k++) {
            if (k == 0 || keep[k] > keep[k - 1]) {
                script_point(s, p, &points[keep[k]]);
            }
        }
    }
}

static void script_points(script *s, const drawn_panel *p, const figure_series *series)
{
    if (series->count > MOST_POINTS && series->form != FIGURE_POINTS) {
        script_thin(s, p, series);
        return;
    }
    for (size_t k = 0; k < series->count; k++) {
        script_point(s, p, &series->points[k]);
    }
    if (series->count == 0) {
        fputs("NaN NaN\n", s->dat);
    }
}

/* A ribbon where a series has intervals; their ends stay inside a logarithmic axis. */
static void script_ribbon(script *s, const drawn_panel *p, const figure_series *series)
{
    bool any = false;

    for (size_t k = 0; k < series->count; k++) {
        any =
            any || (isfinite(series->points[k].low) && isfinite(series->points[k].high));
    }
    if (!any) {
        return;
    }
    script_block(s, series);
    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];
        double low = axis_shows(p->y.axis, at->low) ? at->low : p->y.low;
        double row[] = {at->x, low, at->high};

        if (point_shows(p, at) && isfinite(at->low) && isfinite(at->high)) {
            script_row(s, row, 3);
        }
    }
    fprintf(
        s->gp,
        "using 1:2:3 with filledcurves fc rgb '%s' fs transparent solid 0.18 noborder",
        script_look(s, series).colour);
    script_block_end(s, series);
}

/* A few markers of a curve, at places that differ from those of other curves. */
static void script_markers(script *s, const drawn_panel *p, const figure_series *series,
                           size_t number)
{
    double wide = p->main.right - p->main.left;
    double shift = fmod(0.618 * (double)number, 1.0);
    double last = -INFINITY;
    bool any = false;

    script_block(s, series);
    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];
        double place = NAN;

        if (!point_shows(p, at)) {
            continue;
        }
        place = floor((layout_x(p, at->x) - p->main.left) / wide * MARKERS + shift);
        if (series->count <= FEW_POINTS || place > last) {
            /* the first one is left out when it would stand on the axis with all others */
            if (series->count <= FEW_POINTS || last > -INFINITY || shift < 0.2) {
                script_point(s, p, at);
                any = true;
            }
            last = place;
        }
    }
    if (!any) {
        fputs("NaN NaN\n", s->dat);
    }
    fputs("using 1:2 with points ", s->gp);
    script_marker(s, series);
    script_block_end(s, series);
}

static void script_curve(script *s, const drawn_panel *p, const figure_series *series,
                         size_t number)
{
    bool guide = series->form == FIGURE_GUIDE;

    script_ribbon(s, p, series);
    script_block(s, series);
    script_points(s, p, series);
    if (series->form == FIGURE_POINTS) {
        fputs("using 1:2 with points ", s->gp);
        script_marker(s, series);
        script_block_end(s, series);
        return;
    }
    fprintf(s->gp, "using 1:2 with %s ",
            series->form == FIGURE_STEPS ? "steps" : "lines");
    script_line(s, series, guide || series->muted ? 0.7 : 1.2);
    script_block_end(s, series);
    if ((series->form == FIGURE_CURVE || series->form == FIGURE_STEPS) &&
        !series->muted) {
        script_markers(s, p, series, number);
    }
}

static void script_rectangle(script *s, double x0, double x1, double y0, double y1,
                             double value)
{
    const double row[] = {0.5 * (x0 + x1), 0.5 * (y0 + y1), x0, x1, y0, y1, value};

    script_row(s, row, isnan(value) ? 6 : 7);
}

static void script_bars(script *s, const drawn_panel *p, const figure_series *series)
{
    bool lies = panel_lies(p->panel);
    double foot = axis_is_log(p->y.axis) ? p->y.low : 0.0;

    script_block(s, series);
    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];

        if (lies) {
            script_rectangle(s, at->low, at->high, at->y - 0.36, at->y + 0.36, NAN);
        } else if (axis_shows(p->y.axis, at->y)) {
            script_rectangle(s, at->low, at->high, foot, at->y, NAN);
        }
    }
    if (series->count == 0) {
        fputs("NaN NaN NaN NaN NaN NaN\n", s->dat);
    }
    fprintf(
        s->gp,
        "using 1:2:3:4:5:6 with boxxyerror lw 0.4 fc rgb '%s' fs solid 0.85 border lc "
        "rgb '#ffffff'",
        script_look(s, series).colour);
    script_block_end(s, series);
}

/* A line from one place to another: across values at the place, or along them. */
static void script_segment(script *s, bool lies, double place0, double place1,
                           double value0, double value1)
{
    const double upright[] = {place0, value0, place1 - place0, value1 - value0};
    const double lying[] = {value0, place0, value1 - value0, place1 - place0};

    script_row(s, lies ? lying : upright, 4);
}

static void script_boxes(script *s, const drawn_panel *p, const figure_series *series)
{
    bool lies = panel_lies(p->panel);
    double half = panel_box_half(p->panel);
    const char *colour = script_look(s, series).colour;

    for (int part = 0; part < 3; part++) { /* quartiles, whiskers, medians */
        script_block(s, series);
        for (size_t k = 0; k < series->count; k++) {
            const figure_point *at = &series->points[k];
            double place = lies ? at->y : at->x;
            double median = lies ? at->x : at->y;
            double low = 0.0;
            double high = 0.0;

            panel_box_borders(p->panel, place, half, &low, &high);
            if (part == 0 && lies) {
                script_rectangle(s, at->low, at->high, low, high, NAN);
            } else if (part == 0) {
                script_rectangle(s, low, high, at->low, at->high, NAN);
            } else if (part == 1) {
                script_segment(s, lies, place, place, at->least, at->low);
                script_segment(s, lies, place, place, at->high, at->most);
            } else {
                script_segment(s, lies, low, high, median, median);
            }
        }
        if (part == 0) {
            fprintf(s->gp,
                    "using 1:2:3:4:5:6 with boxxyerror lw 0.8 lc rgb '%s' fs solid 0.25 "
                    "border lc rgb '%s'",
                    colour, colour);
        } else {
            fprintf(s->gp, "using 1:2:3:4 with vectors nohead lw %s lc rgb '%s' dt 1",
                    part == 1 ? "0.8" : "1.8", colour);
        }
        script_block_end(s, series);
    }
}

/* The area of positive values, then that of negative ones, each between two edges. */
static void script_area(script *s, const drawn_panel *p, const figure_series *series,
                        size_t area)
{
    const area_stack *stack = &p->stack;
    size_t n = stack->count;

    for (int sign = 0; sign < 2; sign++) {
        const double *edges = sign == 0 ? stack->above : stack->below;
        bool any = false;

        for (size_t i = 0; i < n; i++) {
            any = any || edges[area * n + i] != (area ? edges[(area - 1) * n + i] : 0.0);
        }
        if (!any) {
            continue;
        }
        script_block(s, series);
        for (size_t i = 0; i < n; i++) {
            const double row[] = {stack->x[i], area ? edges[(area - 1) * n + i] : 0.0,
                                  edges[area * n + i]};

            script_row(s, row, 3);
        }
        fprintf(s->gp, "using 1:2:3 with filledcurves fc rgb '%s' fs solid 0.8 noborder",
                script_look(s, series).colour);
        script_block_end(s, series);
    }
}

/* Cells with a value, then those without, which are grey. */
static void script_cells(script *s, const drawn_panel *p, const figure_series *series)
{
    for (int part = 0; part < 2; part++) {
        size_t count = 0;

        for (size_t k = 0; k < series->count; k++) {
            count += axis_shows(p->value.axis, series->points[k].value) == (part == 0);
        }
        if (count == 0) {
            continue;
        }
        script_block(s, series);
        for (size_t k = 0; k < series->count; k++) {
            const figure_point *at = &series->points[k];
            double x[2] = {0.0, 0.0};
            double y[2] = {0.0, 0.0};

            if (axis_shows(p->value.axis, at->value) != (part == 0)) {
                continue;
            }
            cell_grid_borders(&p->grids[0], p->x.axis, at->x, &x[0], &x[1]);
            cell_grid_borders(&p->grids[1], p->y.axis, at->y, &y[0], &y[1]);
            script_rectangle(s, x[0], x[1], y[0], y[1], part == 0 ? at->value : NAN);
        }
        fputs(part == 0
                  ? "using 1:2:3:4:5:6:7 with boxxyerror lw 0.1 fc palette fs solid "
                    "1 noborder"
                  : "using 1:2:3:4:5:6 with boxxyerror lw 0.1 fc rgb '" PALER
                    "' fs solid 1 noborder",
              s->gp);
        script_block_end(s, series);
    }
}

/* Squares of one unit, and never smaller than 0.4 pt. */
static void script_dots(script *s, const drawn_panel *p, const figure_series *series)
{
    double units_x = (p->x.high - p->x.low) / (p->main.right - p->main.left);
    double units_y = (p->y.high - p->y.low) / (p->main.top - p->main.bottom);
    double half_x = fmax(0.47, 0.2 * units_x);
    double half_y = fmax(0.47, 0.2 * units_y);

    script_block(s, series);
    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];

        script_rectangle(s, at->x - half_x, at->x + half_x, at->y - half_y,
                         at->y + half_y, NAN);
    }
    if (series->count == 0) {
        fputs("NaN NaN NaN NaN NaN NaN\n", s->dat);
    }
    fprintf(s->gp,
            "using 1:2:3:4:5:6 with boxxyerror lw 0.1 fc rgb '%s' fs solid 1 noborder",
            series->name[0] ? script_look(s, series).colour : "#0072B2");
    script_block_end(s, series);
}

/* Points on the band of zeros of one axis or both. */
static void script_zeros(script *s, const drawn_panel *p, const figure_series *series,
                         script_band x, script_band y)
{
    bool any = false;

    for (size_t k = 0; k < series->count; k++) {
        const figure_point *at = &series->points[k];
        bool x_zero = !axis_shows(p->x.axis, at->x);
        bool y_zero = !axis_shows(p->y.axis, at->y);
        const double row[] = {x_zero ? 0.0 : at->x, y_zero ? 0.0 : at->y};

        if (!isfinite(at->x) || !isfinite(at->y) || x_zero != (x == BAND_ZERO) ||
            y_zero != (y == BAND_ZERO)) {
            continue;
        }
        if (!any) {
            script_block(s, series);
            any = true;
        }
        script_row(s, row, 2);
    }
    if (any) {
        fputs("using 1:2 with points ", s->gp);
        script_marker(s, series);
        script_block_end(s, series);
    }
}

/* Crosses of one series in its row of the band. */
static void script_failures(script *s, const drawn_panel *p, const figure_series *series,
                            script_band x, double row)
{
    bool any = false;
    figure_look look = script_look(s, series);
    double unit = s->d->setting->terminal->marker;

    for (size_t k = 0; k < series->failure_count; k++) {
        bool zero = !axis_shows(p->x.axis, series->failures[k]);
        const double at[] = {zero ? 0.0 : series->failures[k], row};

        if (zero != (x == BAND_ZERO)) {
            continue;
        }
        if (!any) {
            script_block(s, series);
            any = true;
        }
        script_row(s, at, 2);
    }
    if (any) {
        fprintf(s->gp, "using 1:2 with points pt 2 ps %.3g lw 0.9 lc rgb '%s'",
                0.5 * s->d->letter / (unit > 0.0 ? unit : 0.75 * s->d->letter),
                look.colour);
        script_block_end(s, series);
    }
}

static void script_series(script *s, const drawn_panel *p, const figure_series *series,
                          size_t number, size_t area)
{
    switch (series->form) {
    case FIGURE_BARS:
        script_bars(s, p, series);
        break;
    case FIGURE_BOXES:
        script_boxes(s, p, series);
        break;
    case FIGURE_AREA:
        script_area(s, p, series, area);
        break;
    case FIGURE_CELLS:
        script_cells(s, p, series);
        break;
    case FIGURE_DOTS:
        script_dots(s, p, series);
        break;
    default:
        script_curve(s, p, series, number);
    }
}

/* Is the series drawn in this round: what is grey, then guides, then the others? */
static bool series_round(const drawn_panel *p, const figure_series *series, int round)
{
    bool grey = series->muted || (p->focus && p->focus != series);

    return round == (series->form == FIGURE_GUIDE ? 1 : grey ? 0 : 2);
}

void script_plot(script *s, const drawn_panel *p, script_band x, script_band y)
{
    size_t row = 0;

    s->plotting = false;
    for (int round = 0; round < 3; round++) {
        for (size_t k = 0, area = 0; k < p->panel->count; k++) {
            figure_series series = *p->panel->series[k]; /* a view that may be muted */

            if (series_round(p, p->panel->series[k], round)) {
                series.muted = round == 0;
                if (y == BAND_FAILED && series.failure_count > 0 && round == 2) {
                    script_failures(s, p, &series, x, (double)row++ + 0.5);
                } else if (y != BAND_FAILED && (x == BAND_ZERO || y == BAND_ZERO) &&
                           series.form <= FIGURE_STEPS) {
                    script_zeros(s, p, &series, x, y);
                } else if (x == BAND_MAIN && y == BAND_MAIN) {
                    script_series(s, p, &series, k, area);
                }
            }
            area += series.form == FIGURE_AREA;
        }
    }
    fputs(s->plotting ? "\n" : "plot NaN notitle\n", s->gp);
}
