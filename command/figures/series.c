/* SPDX-License-Identifier: Apache-2.0
 * figures/series.c: series as blocks of data and as parts of gnuplot's plot command. */
#include <config.h>

#include <ctype.h>
#include <math.h>

#include "script.h"
#include "text.h"

#define GREY "#8c8c8c"

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
enum { DASHES = sizeof dashes / sizeof *dashes, WARM = DASHES - 1, GUIDE = WARM };

figure_look script_look(const script *s, const figure_series *series)
{
    figure_look look =
        figure_style_find(s->style, series->owner[0] ? series->owner : series->name);

    if (s->d->alone || (s->alone && !series->name[0])) {
        look.dash = 1;
    }
    if (series->warm) {
        look.dash = WARM;
        look.marker = look.open_marker;
    }
    if (series->form == FIGURE_GUIDE) {
        look.colour = series->owner[0] ? look.colour : GREY;
        look.dash = GUIDE;
    }
    if (series->muted) {
        look.colour = SCRIPT_PALE;
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

void script_block(script *s, const figure_series *series)
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

void script_row(script *s, const double *row, size_t count)
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

void script_block_end(script *s, const figure_series *series)
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
    if (!any || !panel_has_ribbons(p->panel)) {
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

/* Failures of one series in its row of the band: crosses of single runs, or counts of several. */
static void script_failed(script *s, const drawn_panel *p, const figure_series *series,
                          script_band x, double row, bool counts)
{
    bool any = false;
    char colour[8];
    double unit = s->d->setting->terminal->marker;

    for (size_t k = 0; k < series->failure_count; k++) {
        const figure_failure *at = &series->failures[k];
        bool zero = !axis_shows(p->x.axis, at->x);

        if (zero != (x == BAND_ZERO) || counts != (at->of > 1)) {
            continue;
        }
        if (!any) {
            script_block(s, series);
            any = true;
        }
        fprintf(s->dat, "%.9g %.9g", zero ? 0.0 : at->x, row);
        fprintf(s->dat, counts ? " %zu/%zu\n" : "\n", at->failed, at->of);
    }
    if (!any) {
        return;
    }
    script_darker(colour, script_look(s, series).colour);
    if (counts) {
        fprintf(s->gp, "using 1:2:3 with labels tc rgb '%s'", colour);
    } else {
        fprintf(s->gp, "using 1:2 with points pt 2 ps %.3g lw 0.9 lc rgb '%s'",
                0.5 * s->d->letter / (unit > 0.0 ? unit : 0.75 * s->d->letter),
                script_look(s, series).colour);
    }
    script_block_end(s, series);
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
                    script_failed(s, p, &series, x, (double)row + 0.5, false);
                    script_failed(s, p, &series, x, (double)row++ + 0.5, true);
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
