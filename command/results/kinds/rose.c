/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/rose.c: a field against a direction, in polar coordinates: is it the same in all
 * directions?
 *
 * A value r at the angle a is drawn at (r cos a, r sin a). Between directions that are at most a
 * quarter turn apart the radius is linear in the angle. The anisotropy of a series is
 * (largest - least)/mean. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/results/kinds/selection.h"

static const double full_turn = 2.0 * 3.14159265358979323846;
/* A wider gap between directions is not bridged. */
static const double rose_gap = 0.5 * 3.1415926535898;

/* By panel, series and angle. */
static int rose_compare(const void *a, const void *b)
{
    const selected_run *p = a, *q = b;

    if (p->panel != q->panel) {
        return p->panel < q->panel ? -1 : 1;
    }
    if (p->series != q->series) {
        return p->series < q->series ? -1 : 1;
    }
    return (p->x > q->x) - (p->x < q->x);
}

/* Angles in radians; those of a field in degrees are converted. */
static double rose_angle(const selected_run *r, const char *field, const char *unit)
{
    double angle = run_field_number(r->run, field);
    bool degrees = strncmp(unit, "deg", 3) == 0 || strcmp(unit, "°") == 0;

    return degrees ? angle * full_turn / 360.0 : angle;
}

/* A round number of at most `most`: 1, 2 or 5 times a power of ten. */
static double rose_round(double most)
{
    double power = pow(10.0, floor(log10(most)));
    double head = most / power;

    return power * (head >= 5.0 ? 5.0 : head >= 2.0 ? 2.0 : 1.0);
}

/* What part of the circle is shown: a quarter or a half where all angles are in it. */
static double rose_sector(const selection *s)
{
    const double more = 1.0 + 1e-9;
    double most = 0.0, least = 0.0;

    for (size_t k = 0; k < s->count; k++) {
        most = fmax(most, s->runs[k].x);
        least = fmin(least, s->runs[k].x);
    }
    return least < -1e-9                  ? full_turn
           : most <= full_turn / 4 * more ? full_turn / 4
           : most <= full_turn / 2 * more ? full_turn / 2
                                          : full_turn;
}

static void rose_point(figure_series *s, double r, double angle)
{
    figure_point_add(s, r * cos(angle), r * sin(angle));
}

static figure_series *rose_guide(figure_panel *p)
{
    figure_series *guide = figure_add_series(p, FIGURE_GUIDE, "");

    guide->muted = true;
    return guide;
}

/* Circles at round radii, the outer one at or beyond all values, and spokes each 45 degrees. */
static double rose_guides(figure_panel *p, double most, double sector, const char *unit)
{
    const double step = rose_round(most / 2.0);
    const size_t rings = (size_t)ceil(most / step * (1.0 - 1e-12));
    const size_t spokes = (size_t)round(8.0 * sector / full_turn);
    const double outer = step * (double)rings;
    char text[32];

    for (size_t k = 1; k <= rings; k++) {
        figure_series *ring = rose_guide(p);

        for (size_t i = 0; i <= 72; i++) {
            rose_point(ring, step * (double)k, sector * (double)i / 72.0);
        }
        figure_note_add(p, step * (double)k, -0.04 * outer, "%s%s%s",
                        figure_number(text, sizeof text, step * (double)k, 3),
                        *unit && k == rings ? " " : "", k == rings ? unit : "");
    }
    for (size_t k = 0; k <= spokes; k++) {
        figure_series *spoke = rose_guide(p);

        rose_point(spoke, 0.0, 0.0);
        rose_point(spoke, outer, full_turn * (double)k / 8.0);
    }
    return outer;
}

/* A curve from one value to the next, between which the radius is linear in the angle, so that
 * equal values are an arc of a circle. */
static void rose_arc(figure_series *curve, const selected_run *from,
                     const selected_run *to, double turned)
{
    const size_t pieces = (size_t)ceil(turned / full_turn * 144.0);

    for (size_t i = 1; i <= pieces; i++) {
        double part = (double)i / (double)pieces;

        rose_point(curve, from->y + part * (to->y - from->y), from->x + part * turned);
    }
}

/* Name of a series with its anisotropy, which is NAN for less than two values. */
static void rose_name(figure_series *curve, const pick_value *v, double anisotropy)
{
    double percent = 100.0 * anisotropy;

    if (isnan(percent)) {
        snprintf(curve->name, sizeof curve->name, "%s", v->text);
    } else {
        snprintf(curve->name, sizeof curve->name, "%.75s (%.2g %%)", v->text,
                 percent < 0.005 ? 0.0 : percent);
    }
}

/* The curve and the points of the runs first .. end - 1, which are sorted by angle. */
static void rose_curve(figure_panel *p, const selection *s, size_t first, size_t end,
                       double outer)
{
    const selected_run *runs = s->runs, *start = NULL, *last = NULL;
    const pick_value *v = &s->series.values[runs[first].series];
    figure_series *curve = pick_value_series(p, FIGURE_LINE, "", v);
    figure_series *points = pick_value_series(p, FIGURE_POINTS, "", v);
    double least = INFINITY, most = 0.0, sum = 0.0;

    for (size_t k = first; k < end; k++) {
        if (!isfinite(runs[k].y)) {
            figure_failure_add(points, outer * cos(runs[k].x));
            continue;
        }
        if (last && runs[k].x - last->x <= rose_gap) {
            rose_arc(curve, last, &runs[k], runs[k].x - last->x);
        } else if (!last) {
            rose_point(curve, runs[k].y, runs[k].x);
        }
        rose_point(points, runs[k].y, runs[k].x);
        start = start ? start : &runs[k];
        last = &runs[k];
        least = fmin(least, runs[k].y);
        most = fmax(most, runs[k].y);
        sum += runs[k].y;
    }
    if (points->count > 2 && full_turn - (last->x - start->x) <= rose_gap) {
        rose_arc(curve, last, start, full_turn - (last->x - start->x));
    }
    rose_name(curve, v,
              points->count > 1 && sum > 0.0
                  ? (most - least) * (double)points->count / sum
                  : NAN);
}

static void rose_panel(figure *f, const selection *s, size_t panel, const char *label,
                       const char *unit)
{
    const char *title = s->panels.values[panel].text;
    const double sector = rose_sector(s);
    figure_panel *p = figure_add_panel(f, *title ? title : label);
    double most = 0.0, outer = 1.0;

    for (size_t k = 0; k < s->count; k++) {
        if (s->runs[k].panel == panel && isfinite(s->runs[k].y)) {
            most = fmax(most, s->runs[k].y);
        }
    }
    p->equal = true;
    if (most > 0.0) {
        outer = rose_guides(p, most, sector, unit);
    }
    p->x.low = sector < full_turn / 3 ? 0.0 : -outer;
    p->y.low = sector < full_turn ? -0.08 * outer : -outer;
    p->x.high = p->y.high = outer;
    for (size_t first = 0, end; first < s->count; first = end) {
        end = first + 1;
        while (end < s->count && s->runs[end].panel == s->runs[first].panel &&
               s->runs[end].series == s->runs[first].series) {
            end++;
        }
        if (s->runs[first].panel == panel) {
            rose_curve(p, s, first, end, outer);
        }
    }
}

static void rose_draw(figure_book *book, const selection *s, const figure_source *source,
                      const figure_order *order)
{
    char scope[FIGURE_TEXT], label[FIGURE_TEXT];
    char left_out[2 * FIGURE_TEXT], failures[2 * FIGURE_TEXT];
    figure *f = NULL;
    size_t failed = 0;

    for (size_t k = 0; k < s->count; k++) {
        failed += !isfinite(s->runs[k].y);
    }
    f = pick_figure(book, "rose", source, order, "");
    for (size_t k = 0; k < s->panels.count; k++) {
        rose_panel(f, s, k, field_label(order->y), field_unit(source->runs, order->y));
    }
    snprintf(label, sizeof label, "%s", field_label(order->y));
    figure_set_caption(
        f,
        "%s (distance from the centre) against %s (angle): %s. The number behind a name "
        "is the anisotropy, the difference of the largest and the least value relative "
        "to the mean: 0 for a circle.%s%s",
        pick_capital(label), field_label(order->x), pick_scope(scope, source, &s->pick),
        pick_failures(failures, failed, s->count, ""), pick_left_out(left_out, &s->pick));
}

static perp_status rose_make(figure_book *book, const figure_source *source,
                             const figure_order *order, perp_error *err)
{
    selection s = {0};
    size_t kept = 0, found = 0;
    perp_status status = PERP_OK;

    if (!*order->x || !*order->y) {
        return selection_missing(source, order, err,
                                 "x (a field that is an angle) and y are needed");
    }
    selection_new(&s, source, order, "formulation", order->x);
    for (size_t k = 0; k < s.count; k++) {
        selected_run *r = &s.runs[k];

        r->x = rose_angle(r, order->x, field_unit(source->runs, order->x));
        r->y = fabs(selection_value(r->run, order->y));
        found += isfinite(r->x) && isfinite(r->y);
        if (isfinite(r->x)) {
            s.runs[kept++] = *r;
        }
    }
    s.count = kept;
    if (found == 0) {
        status = selection_missing(source, order, err, "no run has both %s and %s",
                                   order->x, order->y);
    } else {
        qsort(s.runs, s.count, sizeof *s.runs, rose_compare);
        rose_draw(book, &s, source, order);
    }
    selection_free(&s);
    return status;
}

const figure_kind figure_kind_rose = {
    .name = "rose",
    .summary = "a field (y) against a direction (x, an angle), in polar coordinates",
    .scope = FIGURE_OF_SET,
    .members = "x|y|by|panels",
    .numbers = "xy",
    .make = rose_make,
};
