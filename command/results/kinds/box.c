/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/box.c: box plots of a field by solver or by a varied parameter.
 *
 * A box is the quartiles with the median, whiskers reach to the furthest values within 1.5
 * times their distance [tukey-1977], or that of their logarithms; values beyond are points. */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/selection.h"

/* The values of the runs of a panel, a series and a category, ascending; failures are added to
 * `failures` where it is given. */
static size_t box_values(const selection *s, size_t panel, size_t series, double category,
                         double *values, figure_series *failures)
{
    size_t count = 0;

    for (size_t k = 0; k < s->count; k++) {
        const selected_run *r = &s->runs[k];

        if (r->panel != panel || r->series != series || r->x != category) {
            continue;
        }
        if (isfinite(r->y)) {
            values[count++] = r->y;
        } else if (failures) {
            figure_failure_add(failures, category);
        }
    }
    gsl_sort(values, 1, count);
    return count;
}

/* Of values that are drawn on a logarithmic axis the distances are those of their logarithms. */
static void box_add(figure_series *boxes, double x, const double *sorted, size_t count,
                    bool logarithmic)
{
    figure_point p = {
        .x = x,
        .y = gsl_stats_median_from_sorted_data(sorted, 1, count),
        .low = gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.25),
        .high = gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.75),
        .least = INFINITY,
        .most = -INFINITY,
        .value = NAN,
    };
    double spread = logarithmic ? pow(p.high / p.low, 1.5) : 1.5 * (p.high - p.low);
    double lowest = logarithmic ? p.low / spread : p.low - spread;
    double highest = logarithmic ? p.high * spread : p.high + spread;

    for (size_t k = 0; k < count; k++) {
        if (sorted[k] >= lowest && sorted[k] <= highest) {
            p.least = fmin(p.least, sorted[k]);
            p.most = fmax(p.most, sorted[k]);
        }
    }
    /* Quartiles are interpolated and may lie beyond the values that are near. */
    p.least = fmin(p.least, p.low);
    p.most = fmax(p.most, p.high);
    figure_point_full(boxes, p);
}

static void box_outliers(figure_series *points, const figure_series *boxes, double x,
                         const double *sorted, size_t count)
{
    const figure_point *box = boxes->count ? &boxes->points[boxes->count - 1] : NULL;

    for (size_t k = 0; box && k < count; k++) {
        if (sorted[k] < box->least || sorted[k] > box->most) {
            figure_point_add(points, x, sorted[k]);
        }
    }
}

static void box_series(figure_panel *p, const selection *s, size_t panel, size_t series,
                       const pick_value *v, double *values)
{
    figure_series *boxes = pick_value_series(p, FIGURE_BOXES, "", v);
    figure_series *points = pick_value_series(p, FIGURE_POINTS, "", v);

    for (size_t c = 0; c < p->x.name_count; c++) {
        size_t count = box_values(s, panel, series, (double)c, values, boxes);

        if (count > 0) {
            box_add(boxes, (double)c, values, count,
                    p->y.scale == FIGURE_LOG10 && values[0] > 0.0);
            box_outliers(points, boxes, (double)c, values, count);
        }
    }
}

/* The place of a value of x on the axis. */
static double box_category(figure_panel *p, const stored_run *run, const char *x)
{
    char text[FIELD_TEXT];
    double number = run_field_number(run, x);

    if (isfinite(number)) {
        figure_number(text, sizeof text, number, 6);
    } else {
        run_field_text(run, x, text);
    }
    return figure_category(&p->x, text);
}

/* Every panel has all categories: numbers ascending, texts in the order of the runs. */
static void box_axis(figure_panel *p, const selection *s, const char *x)
{
    double last = -INFINITY, next = INFINITY;

    do {
        const stored_run *least = NULL;

        next = INFINITY;
        for (size_t k = 0; k < s->count; k++) {
            double value = run_field_number(s->runs[k].run, x);

            if (value > last && value < next) {
                next = value;
                least = s->runs[k].run;
            }
        }
        if (least) {
            box_category(p, least, x);
        }
        last = next;
    } while (isfinite(next));
}

static figure_panel *box_panel(figure *f, selection *s, const char *title,
                               const figure_source *source, const char *x, const char *y,
                               double *scratch)
{
    figure_panel *p = figure_add_panel(f, title);

    selection_axis_y(&p->y, source->runs, y, s, scratch);
    figure_axis_set(&p->x, strcmp(x, "solver") == 0 ? "" : field_label(x),
                    field_unit(source->runs, x), FIGURE_CATEGORIES);
    box_axis(p, s, x);
    for (size_t k = 0; k < s->count; k++) {
        s->runs[k].x = box_category(p, s->runs[k].run, x);
    }
    return p;
}

/* Series that are the categories share a panel, and only solvers have looks of their own then;
 * other series have a panel each. */
static void box_panels(figure *f, selection *s, size_t panel, const figure_source *source,
                       const char *x, const char *y, double *scratch)
{
    static const pick_value plain = {.owner = "box"};
    const bool solvers = strcmp(s->by, "solver") == 0;
    const bool apart = strcmp(s->by, x) != 0 && s->series.count > 1;
    figure_panel *p = NULL;
    char title[FIGURE_TEXT];

    for (size_t k = 0; k < s->series.count; k++) {
        const pick_value *v = &s->series.values[k];

        if (k == 0 || apart) {
            p = box_panel(f, s,
                          apart ? selection_title(title, s, panel, k)
                                : s->panels.values[panel].text,
                          source, x, y, scratch);
        }
        box_series(p, s, panel, k, apart || solvers ? v : &plain, scratch);
    }
}

static void box_caption(figure *f, const selection *s, const figure_source *source,
                        const char *y)
{
    char scope[FIGURE_TEXT], left_out[2 * FIGURE_TEXT], failures[2 * FIGURE_TEXT];
    size_t failed = 0;

    for (size_t k = 0; k < s->count; k++) {
        failed += !isfinite(s->runs[k].y);
    }
    figure_set_caption(
        f,
        "Box plots of %s, %s: median, quartiles, whiskers to the furthest value within "
        "1.5 interquartile ranges (of the logarithms on a logarithmic axis), points "
        "beyond.%s%s",
        field_label(y), pick_scope(scope, source, &s->pick),
        pick_failures(failures, failed, s->count, "they are not in the boxes"),
        pick_left_out(left_out, &s->pick));
}

static perp_status box_make(figure_book *book, const figure_source *source,
                            const figure_order *order, perp_error *err)
{
    const char *x = *order->x ? order->x : "solver";
    const char *y = *order->y ? order->y : "seconds";
    selection s;
    perp_status status = PERP_OK;
    double *values = NULL;
    figure *f = NULL;
    size_t found = 0;

    selection_new(&s, source, order, x, NULL);
    values = take(s.count + 1, sizeof *values);
    for (size_t k = 0; k < s.count; k++) {
        s.runs[k].y = selection_value(s.runs[k].run, y);
        found += isfinite(s.runs[k].y);
    }
    if (found == 0) {
        status = selection_missing(source, order, err, "no solved run has %s", y);
    } else {
        f = pick_figure(book, "box", source, order, "");
        for (size_t k = 0; k < s.panels.count; k++) {
            box_panels(f, &s, k, source, x, y, values);
        }
        box_caption(f, &s, source, y);
    }
    free(values);
    selection_free(&s);
    return status;
}

const figure_kind figure_kind_box = {
    .name = "box",
    .summary = "box plots of a field (y) by solver or by a varied parameter (x)",
    .scope = FIGURE_OF_SET,
    .members = "x|y|by|panels",
    .numbers = "y",
    .make = box_make,
};
