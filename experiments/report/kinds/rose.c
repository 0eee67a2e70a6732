/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/rose.c: a field against a direction, in polar coordinates: is it the same in all
 * directions?
 *
 * A value r at the angle a is drawn at (r cos a, r sin a). A series is closed where its
 * directions go all round without a gap of more than a quarter turn. Its anisotropy is
 * (largest - least)/mean. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/kinds/selection.h"

static const double full_turn = 2.0 * 3.14159265358979323846;

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

static void rose_point(figure_series *s, double r, double angle)
{
    figure_point_add(s, r * cos(angle), r * sin(angle));
}

/* Circles at round radii, the outer one at or beyond all values, and spokes each 45 degrees. */
static double rose_guides(figure_panel *p, double most, const char *unit)
{
    const double step = rose_round(most / 2.0);
    const size_t rings = (size_t)ceil(most / step * (1.0 - 1e-12));
    const double outer = step * (double)rings;
    char text[32];

    for (size_t k = 1; k <= rings; k++) {
        figure_series *ring = figure_add_series(p, FIGURE_GUIDE, "");
        double r = step * (double)k;

        for (size_t i = 0; i <= 72; i++) {
            rose_point(ring, r, full_turn * (double)i / 72.0);
        }
        figure_note_add(p, r * cos(full_turn / 16.0), r * sin(full_turn / 16.0), "%s%s%s",
                        figure_number(text, sizeof text, r, 3), *unit ? " " : "", unit);
    }
    for (size_t k = 0; k < 8; k++) {
        figure_series *spoke = figure_add_series(p, FIGURE_GUIDE, "");

        rose_point(spoke, 0.0, 0.0);
        rose_point(spoke, outer, full_turn * (double)k / 8.0);
    }
    return outer;
}

/* The curve of the runs first .. end - 1, which are sorted by angle. */
static void rose_curve(figure_panel *p, const selection *s, size_t first, size_t end,
                       double outer)
{
    const selected_run *runs = s->runs;
    const pick_value *v = &s->series.values[runs[first].series];
    double least = INFINITY, most = 0.0, sum = 0.0, gap = 0.0, last = NAN, start = NAN;
    size_t count = 0;
    char name[FIELD_TEXT];
    figure_series *curve = NULL;

    curve = selection_series(p, FIGURE_LINE, "", v);
    for (size_t k = first; k < end; k++) {
        if (!isfinite(runs[k].y)) {
            figure_failure_add(curve, outer * cos(runs[k].x));
            continue;
        }
        rose_point(curve, runs[k].y, runs[k].x);
        gap = isnan(last) ? gap : fmax(gap, runs[k].x - last);
        start = isnan(start) ? runs[k].x : start;
        last = runs[k].x;
        least = fmin(least, runs[k].y);
        most = fmax(most, runs[k].y);
        sum += runs[k].y;
        count++;
    }
    gap = fmax(gap, full_turn - (last - start));
    if (count > 2 && gap <= full_turn / 4.0 * (1.0 + 1e-9) &&
        last - start < full_turn - 1e-9) {
        figure_point_add(curve, curve->points[0].x, curve->points[0].y);
    }
    snprintf(name, sizeof name, "%s", v->text);
    if (count > 1 && sum > 0.0) {
        char text[32];

        snprintf(name, sizeof name, "%s (%s %%)", v->text,
                 figure_number(text, sizeof text,
                               100.0 * (most - least) * (double)count / sum, 2));
    }
    snprintf(curve->name, sizeof curve->name, "%.90s", name);
}

static void rose_panel(figure *f, const selection *s, size_t panel, const char *unit)
{
    figure_panel *p = figure_add_panel(f, s->panels.values[panel].text);
    double most = 0.0, outer = 1.0;

    for (size_t k = 0; k < s->count; k++) {
        if (s->runs[k].panel == panel && isfinite(s->runs[k].y)) {
            most = fmax(most, s->runs[k].y);
        }
    }
    p->equal = true;
    if (most > 0.0) {
        outer = rose_guides(p, most, unit);
    }
    p->x.low = p->y.low = -outer;
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
    char name[FIGURE_NAME], scope[FIGURE_TEXT];
    figure *f = NULL;
    size_t failed = 0;

    for (size_t k = 0; k < s->count; k++) {
        failed += !isfinite(s->runs[k].y);
    }
    pick_name(name, "rose", source, order, "");
    f = figure_add(book, "rose", name);
    for (size_t k = 0; k < s->panels.count; k++) {
        rose_panel(f, s, k, field_unit(source->runs, order->y));
    }
    figure_set_caption(
        f,
        "%s (distance from the centre) against %s (angle), %s. The number "
        "behind a name is the anisotropy, the difference of the largest "
        "and the least value relative to the mean: 0 for a circle. %zu runs "
        "failed; their directions are marked as failures.",
        field_label(order->y), field_label(order->x), pick_scope(scope, source, &s->pick),
        failed);
}

static perp_status rose_make(figure_book *book, const figure_source *source,
                             const figure_order *order, perp_error *err)
{
    selection s = {0};
    size_t kept = 0, found = 0;
    perp_status status = PERP_OK;

    if (!order || !order->x[0] || !order->y[0]) {
        return selection_missing(source, order, err,
                                 "x (a field that is an angle) and y are needed");
    }
    status = selection_new(&s, source, order, "formulation", order->x, err);
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
    if (status == PERP_OK && found == 0) {
        status = selection_missing(source, order, err, "no run has both %s and %s",
                                   order->x, order->y);
    } else if (status == PERP_OK) {
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
    .make = rose_make,
};
