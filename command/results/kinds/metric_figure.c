/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/metric_figure.c: any field of the runs against another one: by solver or another
 * field, in panels, with quartiles over the rest. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/medians.h"
#include "command/results/kinds/metric.h"
#include "command/results/kinds/rounding.h"

enum { METRIC_FIELDS = 6, METRIC_PANELS = 16 };

/* A run with its place in the figure. */
typedef struct metric_run {
    const stored_run *run;
    double x;
    size_t panel, series;
} metric_run;

/* A figure while it is made. */
typedef struct metric_work {
    const metric_request *m;
    const stored_runs *s;
    run_pick pick;
    char y[METRIC_FIELDS][FIELD_TEXT];
    size_t y_count;
    metric_run *runs; /* those that have a value of x */
    size_t count;
    pick_values panels, series, categories;
    bool texts;      /* x has no numbers: categories */
    bool sweep;      /* x is varied: medians; else x is a property of each run */
    double *scratch; /* twice as many numbers as runs */
    double limit;    /* of the runs of a panel */
    size_t failures, drawn, lacking;
    rounding noise; /* y that are not drawn */
} metric_work;

static bool metric_split(metric_work *w, const char *y)
{
    while (w->y_count < METRIC_FIELDS && pick_next_field(&y, w->y[w->y_count])) {
        w->y_count++;
    }
    return *y == '\0' && w->y_count > 0;
}

static bool metric_has_x(const metric_work *w, const stored_run *run)
{
    double x = run_field_number(run, w->m->x);
    char text[FIELD_TEXT];

    return w->texts ? *run_field_text(run, w->m->x, text) != '\0'
                    : isfinite(x) && (x > 0.0 || !w->m->property);
}

/* The panel and the series of a run. */
static void metric_values(const metric_work *w, const stored_run *run, pick_value *panel,
                          pick_value *series)
{
    const metric_request *m = w->m;

    memset(panel, 0, sizeof *panel);
    if (*m->panels) {
        pick_value_of(panel, w->s, run, m->panels, NULL, NULL);
    }
    pick_value_of(series, w->s, run, m->by, m->x, m->panels);
}

static double metric_x(const metric_work *w, const stored_run *run)
{
    char text[FIELD_TEXT];

    if (!w->texts) {
        return run_field_number(run, w->m->x);
    }
    run_field_text(run, w->m->x, text);
    text[FIGURE_NAME - 1] = '\0';
    return (double)pick_values_find(&w->categories, text);
}

/* The place of every run that has a value of x. */
static void metric_place(metric_work *w)
{
    w->runs = take(w->pick.count + 1, sizeof *w->runs);
    for (size_t k = 0; k < w->pick.count; k++) {
        const stored_run *run = w->pick.runs[k];
        pick_value panel, series;

        if (metric_has_x(w, run)) {
            metric_values(w, run, &panel, &series);
            w->runs[w->count++] = (metric_run){
                .run = run,
                .x = metric_x(w, run),
                .panel = pick_values_find(&w->panels, panel.text),
                .series = pick_values_find(&w->series, series.text),
            };
        }
    }
}

/* Which panels, series and categories there are, and what x is. */
static void metric_survey(metric_work *w)
{
    const char *x = w->m->x;

    w->texts = true;
    w->sweep = !w->m->property;
    for (size_t k = 0; k < w->pick.count; k++) {
        const json_t *vary = json_object_get(w->pick.runs[k]->json, "vary");

        w->texts = w->texts && !isfinite(run_field_number(w->pick.runs[k], x));
        if (isfinite(run_field_number(w->pick.runs[k], x))) {
            w->sweep =
                w->sweep && (json_object_get(vary, x) || strcmp(x, "tolerance") == 0);
        }
    }
    w->sweep = w->sweep || w->texts;
    for (size_t k = 0; k < w->pick.count; k++) {
        const stored_run *run = w->pick.runs[k];
        pick_value panel, series, category = {.number = NAN};

        if (!metric_has_x(w, run)) {
            continue;
        }
        metric_values(w, run, &panel, &series);
        pick_values_add(&w->panels, &panel);
        pick_values_add(&w->series, &series);
        if (w->texts) {
            char text[FIELD_TEXT];

            snprintf(category.text, sizeof category.text, "%.*s",
                     (int)sizeof category.text - 1, run_field_text(run, x, text));
            pick_values_add(&w->categories, &category);
        }
    }
    pick_values_sort(&w->panels);
    pick_values_sort(&w->series);
    metric_place(w);
}

/* Do all runs have the same x? */
static bool metric_one_x(const metric_work *w)
{
    bool one = true;

    for (size_t k = 1; k < w->count && one; k++) {
        one = w->runs[k].x == w->runs[0].x;
    }
    return one;
}

/* Leave out errors that are rounding in all runs. Some y remains. */
static void metric_leave_out(metric_work *w)
{
    size_t kept = 0;

    for (size_t y = 0; y < w->y_count; y++) {
        for (size_t k = 0; k < w->count; k++) {
            w->scratch[k] = run_field_number(w->runs[k].run, w->y[y]);
        }
        if (field_is_cost(w->y[y]) ||
            rounding_of(w->scratch, w->count, 1.0) == ROUNDING_NONE ||
            (kept == 0 && y + 1 == w->y_count)) {
            memmove(w->y[kept++], w->y[y], FIELD_TEXT);
        } else {
            rounding_add(&w->noise, "%s", field_label(w->y[y]));
        }
    }
    w->y_count = kept;
}

static int by_problem(const void *a, const void *b)
{
    const median_point *p = a, *q = b;
    int order = strcmp(p->problem, q->problem);

    return order ? order : (p->x > q->x) - (p->x < q->x);
}

/* Lines through the runs of each problem that has several x, without names of their own. */
static void metric_lines(figure_panel *panel, const pick_value *v, median_point *points,
                         size_t count)
{
    qsort(points, count, sizeof *points, by_problem);
    for (size_t k = 0, end = 0; k < count; k = end) {
        figure_series *line = NULL;

        for (end = k; end < count && strcmp(points[end].problem, points[k].problem) == 0;
             end++) {
        }
        if (points[end - 1].x > points[k].x) {
            line = pick_value_series(panel, FIGURE_LINE, "", v);
            for (size_t i = k; i < end; i++) {
                if (isfinite(points[i].y)) {
                    figure_point_add(line, points[i].x, points[i].y);
                }
            }
        }
    }
}

/* The runs of one series of one panel; returns how many. */
static size_t metric_points(metric_work *w, size_t in, size_t which, const char *y,
                            median_point *points)
{
    size_t count = 0;

    for (size_t k = 0; k < w->count; k++) {
        const metric_run *at = &w->runs[k];
        double value = median_value(at->run, y);

        if (at->panel == in && at->series == which) {
            points[count++] =
                (median_point){at->x, value, !at->run->solved, at->run->problem};
            limit_join(&w->limit, at->run);
            w->failures += !at->run->solved;
            w->drawn += isfinite(value);
            w->lacking += at->run->solved && isnan(value);
        }
    }
    return count;
}

/* One series of one panel; nothing where it has no run. */
static void metric_series(metric_work *w, figure_panel *panel, size_t in, size_t which,
                          const char *y)
{
    median_point *points = take(w->count + 1, sizeof *points);
    const pick_value *v = &w->series.values[which];
    figure_form form = w->texts || !w->sweep ? FIGURE_POINTS : FIGURE_CURVE;
    figure_series *series = NULL;
    size_t count = metric_points(w, in, which, y, points);

    if (count > 0) {
        series = pick_value_series(panel, form, v->text, v);
    }
    if (w->sweep && series) {
        medians_add(series, points, count, w->scratch);
    } else if (series) {
        medians_failures(series, points, count);
        for (size_t k = 0; k < count; k++) {
            if (isfinite(points[k].y)) {
                figure_point_add(series, points[k].x, points[k].y);
            }
        }
        metric_lines(panel, v, points, count);
    }
    free(points);
}

/* The scales of both axes of the panels of one y. */
static void metric_axes(metric_work *w, figure_panel *panel, const char *y)
{
    double *x_values = w->scratch, *y_values = w->scratch + w->pick.count;

    for (size_t k = 0; k < w->count; k++) {
        x_values[k] = w->runs[k].x;
        y_values[k] = median_value(w->runs[k].run, y);
    }
    pick_axis(&panel->x, w->s, w->m->x,
              w->texts ? FIGURE_CATEGORIES : pick_scale_x(w->m->x, x_values, w->count));
    pick_axis(&panel->y, w->s, y, pick_scale(y_values, w->count, true));
    for (size_t k = 0; k < w->categories.count; k++) {
        figure_category(&panel->x, w->categories.values[k].text);
    }
}

static void metric_panels(metric_work *w, figure *f)
{
    for (size_t y = 0; y < w->y_count; y++) {
        for (size_t p = 0; p < w->panels.count; p++) {
            figure_panel *panel = figure_add_panel(f, w->panels.values[p].text);

            w->limit = NAN;
            metric_axes(w, panel, w->y[y]);
            for (size_t k = 0; k < w->series.count; k++) {
                metric_series(w, panel, p, k, w->y[y]);
            }
            if (strcmp(w->y[y], "seconds") == 0 && !w->texts) {
                limit_draw(panel, w->limit);
            }
        }
    }
    /* Quantities below each other share their x. */
    f->columns = w->y_count > 1 ? w->panels.count : 0;
}

/* Costs of runs that end at other times can be compared, other measures cannot. */
static bool metric_costs_only(const metric_work *w)
{
    bool all = true;

    for (size_t k = 0; k < w->y_count; k++) {
        all = all && field_is_cost(w->y[k]);
    }
    return all;
}

static void metric_caption(const metric_work *w, figure *f, const figure_source *source)
{
    char scope[FIGURE_TEXT], labels[3 * FIGURE_TEXT] = "", left_out[2 * FIGURE_TEXT];
    char failures[2 * FIGURE_TEXT], lacking[FIGURE_TEXT], small[ROUNDING_TEXT];
    bool costs = false, others = false;

    for (size_t k = 0; k < w->y_count; k++) {
        size_t used = strlen(labels);

        snprintf(labels + used, sizeof labels - used, "%s%s",
                 k == 0                ? ""
                 : k + 1 == w->y_count ? " and "
                                       : ", ",
                 field_label(w->y[k]));
        costs = costs || field_is_cost(w->y[k]);
        others = others || !field_is_cost(w->y[k]);
    }
    figure_set_caption(
        f, "%s against %s: %s. %s%s%s%s%s",
        w->m->shows ? w->m->shows : pick_capital(labels), field_label(w->m->x),
        pick_scope(scope, source, &w->pick),
        !w->sweep ? "Each run is a point; lines join runs of one problem."
        : costs   ? MEDIANS_CAPTION
                  : "Points are medians over all other parameters, bands, drawn for at "
                    "most three curves, reach from the first to the third quartile.",
        pick_failures(
            failures, w->failures / w->y_count, w->pick.count,
            !others ? ""
            : costs ? "values that are no costs are shown of runs that went to the end"
                    : "values of runs that went to the end are shown"),
        pick_lacking(lacking, w->lacking, w->m->y), rounding_sentence(&w->noise, small),
        pick_left_out(left_out, &w->pick));
}

/* Why nothing could be drawn. */
static perp_status metric_missing(const metric_work *w, const figure_source *source,
                                  perp_error *err)
{
    const char *of = source->set ? source->set : "any set";

    if (w->pick.count == 0) {
        return perp_fail(err, PERP_ERR_DATA, "figure %s: no run of %s is as ordered",
                         w->m->kind, of);
    }
    for (int k = 0; k < 2; k++) {
        const char *field = k ? w->m->panels : w->m->by;

        if (*field && !runs_have_field(source->runs, source->set, field)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "figure %s: no run of %s has a field \"%s\"", w->m->kind, of,
                             field);
        }
    }
    if (w->series.count == 0) {
        return perp_fail(err, PERP_ERR_DATA, "figure %s: no run of %s has a value of %s",
                         w->m->kind, of, w->m->x);
    }
    if (w->panels.count * w->y_count > METRIC_PANELS) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure %s: %s has %zu values, which are too many panels",
                         w->m->kind, w->m->panels, w->panels.count);
    }
    return w->drawn > 0 ? PERP_OK
                        : perp_fail(err, PERP_ERR_DATA,
                                    "figure %s: no run of %s has a number as %s",
                                    w->m->kind, of, w->m->y);
}

static perp_status metric_draw(metric_work *w, figure_book *book,
                               const figure_source *source, const figure_order *order,
                               perp_error *err)
{
    figure *f = NULL;
    perp_status status = PERP_OK;

    metric_survey(w);
    if (w->series.count == 0 || w->panels.count * w->y_count > METRIC_PANELS) {
        return metric_missing(w, source, err);
    }
    if (!*order->kind && w->m->property && metric_one_x(w)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure %s: all runs have the same %s, expected two values",
                         w->m->kind, w->m->x);
    }
    if (w->m->errors) {
        metric_leave_out(w);
    }
    f = pick_figure(book, w->m->kind, source, order,
                    w->m->shows || *order->name ? "" : w->m->x);
    metric_panels(w, f);
    metric_caption(w, f, source);
    status = metric_missing(w, source, err);
    if (status != PERP_OK) {
        figure_drop(book);
    }
    return status;
}

perp_status metric_figure(figure_book *book, const figure_source *source,
                          const figure_order *order, const metric_request *m,
                          perp_error *err)
{
    metric_work w = {.m = m, .s = source->runs};
    perp_status status = PERP_OK;

    pick_runs(&w.pick, source, order);
    w.scratch = take(2 * w.pick.count + 1, sizeof *w.scratch);
    if (!metric_split(&w, m->y)) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "figure %s: y is \"%s\", expected 1 to %d fields joined by +",
                           m->kind, m->y, METRIC_FIELDS);
    } else if (!metric_costs_only(&w)) {
        pick_equal_times(&w.pick, m->x);
    }
    if (status == PERP_OK) {
        status = metric_draw(&w, book, source, order, err);
    }
    free(w.scratch);
    free(w.runs);
    pick_values_free(&w.panels);
    pick_values_free(&w.series);
    pick_values_free(&w.categories);
    pick_free(&w.pick);
    return status;
}
