/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/pareto.c: error against cost, and the front of runs that no other run beats in
 * both.
 *
 * A point is a run; where a panel has several problems it is the median over them of the runs
 * with one solver, one tolerance and the same varied values (or, with z, one value of that
 * field), and a failure when more than half of them failed. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/selection.h"

/* Runs of one key, and their medians. */
typedef struct pareto_point {
    size_t panel, series;
    double x, y; /* NAN: failed */
} pareto_point;

typedef struct pareto_plot {
    selection s;
    const char *x, *y;
    pareto_point *points;
    size_t count;
    double *scratch; /* 2 s.count */
} pareto_plot;

/* What makes runs the same point; the problem belongs to it where the panel has only one. */
static void pareto_key(selected_run *r, const figure_order *order, bool one_problem)
{
    static const char *const none[] = {NULL};
    char value[FIELD_TEXT], key[SELECTION_KEY];

    if (*order->z) {
        snprintf(r->key, sizeof r->key, "%zu|%zu|%s", r->panel, r->series,
                 run_field_text(r->run, order->z, value));
        return;
    }
    selection_key(r->run, none, key);
    snprintf(r->key, sizeof r->key, "%zu|%zu|%g|%.150s|%.250s", r->panel, r->series,
             r->run->tolerance, r->run->label,
             one_problem ? key : key + strlen(r->run->problem));
}

static bool pareto_one_problem(const selection *s, size_t panel)
{
    const char *first = NULL;

    for (size_t k = 0; k < s->count; k++) {
        if (s->runs[k].panel == panel) {
            first = first ? first : s->runs[k].run->problem;
            if (strcmp(first, s->runs[k].run->problem) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* The medians of the runs first .. end - 1, which are sorted by key. */
static void pareto_median(pareto_plot *o, size_t first, size_t end)
{
    const selected_run *r = &o->s.runs[first];
    double *x = o->scratch, *y = o->scratch + o->s.count;
    size_t good = 0;
    pareto_point *to = &o->points[o->count++];

    *to = (pareto_point){r->panel, r->series, NAN, NAN};
    for (size_t k = first; k < end; k++) {
        bool counts = isfinite(o->s.runs[k].x) && isfinite(o->s.runs[k].y);

        x[k - first] = counts ? o->s.runs[k].x : INFINITY;
        if (counts) {
            y[good++] = o->s.runs[k].y;
        }
    }
    to->x = quartiles_of(x, end - first).median;
    to->y = quartiles_of(y, good).median;
}

static int pareto_by_key(const void *a, const void *b)
{
    return strcmp(((const selected_run *)a)->key, ((const selected_run *)b)->key);
}

static int pareto_by_cost(const void *a, const void *b)
{
    const pareto_point *p = a, *q = b;

    if (p->panel != q->panel) {
        return p->panel < q->panel ? -1 : 1;
    }
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static void pareto_gather(pareto_plot *o, const figure_order *order)
{
    selection *s = &o->s;

    for (size_t panel = 0; panel < s->panels.count; panel++) {
        bool one = pareto_one_problem(s, panel);

        for (size_t k = 0; k < s->count; k++) {
            selected_run *r = &s->runs[k];

            if (r->panel == panel) {
                r->x = selection_value(r->run, o->x);
                r->y = fabs(selection_value(r->run, o->y));
                pareto_key(r, order, one);
            }
        }
    }
    qsort(s->runs, s->count, sizeof *s->runs, pareto_by_key);
    for (size_t first = 0, end; first < s->count; first = end) {
        end = first + 1;
        while (end < s->count && strcmp(s->runs[first].key, s->runs[end].key) == 0) {
            end++;
        }
        pareto_median(o, first, end);
    }
    qsort(o->points, o->count, sizeof *o->points, pareto_by_cost);
}

/* Points of a series. A failure has no cost; its mark stands at the right end. */
static void pareto_series(const pareto_plot *o, figure_panel *p, size_t panel,
                          size_t series, double right)
{
    const pick_value *v = &o->s.series.values[series];
    figure_series *points = pick_value_series(p, FIGURE_POINTS, v->text, v);

    for (size_t k = 0; k < o->count; k++) {
        const pareto_point *at = &o->points[k];

        if (at->panel != panel || at->series != series) {
            continue;
        }
        if (isfinite(at->x)) {
            figure_point_add(points, at->x, at->y);
        } else {
            figure_failure_add(points, right);
        }
    }
}

/* Steps down along the cheapest run of each error; the last one reaches to the right end. */
static void pareto_front(const pareto_plot *o, figure_panel *p, size_t panel,
                         double right)
{
    figure_series *front = figure_add_series(p, FIGURE_STEPS, "");
    double least = INFINITY, last = NAN;

    snprintf(front->owner, sizeof front->owner, "front");
    front->muted = true;
    for (size_t k = 0; k < o->count; k++) {
        const pareto_point *at = &o->points[k];

        if (at->panel == panel && isfinite(at->x) && at->y < least) {
            least = at->y;
            last = at->x;
            figure_point_add(front, at->x, at->y);
        }
    }
    if (last < right) {
        figure_point_add(front, right, least);
    }
}

static void pareto_panel(const pareto_plot *o, figure *f, size_t panel,
                         const figure_source *source)
{
    figure_panel *p = figure_add_panel(f, o->s.panels.values[panel].text);
    double right = 0.0;

    for (size_t k = 0; k < o->count; k++) {
        if (o->points[k].panel == panel && isfinite(o->points[k].x)) {
            right = fmax(right, o->points[k].x);
        }
    }
    selection_axis_x(&p->x, source->runs, o->x, &o->s, o->scratch);
    selection_axis_y(&p->y, source->runs, o->y, &o->s, o->scratch);
    pareto_front(o, p, panel, right);
    for (size_t k = 0; k < o->s.series.count; k++) {
        pareto_series(o, p, panel, k, right);
    }
}

static perp_status pareto_draw(pareto_plot *o, figure_book *book,
                               const figure_source *source, const figure_order *order,
                               perp_error *err)
{
    char scope[FIGURE_TEXT], label[FIGURE_TEXT];
    char left_out[2 * FIGURE_TEXT], failures[2 * FIGURE_TEXT];
    size_t failed = 0;
    figure *f = NULL;

    for (size_t k = 0; k < o->count; k++) {
        failed += !isfinite(o->points[k].x);
    }
    if (failed == o->count) {
        return selection_missing(source, order, err, "no run has both %s and %s", o->x,
                                 o->y);
    }
    f = pick_figure(book, "pareto", source, order, "");
    snprintf(label, sizeof label, "%s", field_label(o->y));
    for (size_t k = 0; k < o->s.panels.count; k++) {
        pareto_panel(o, f, k, source);
    }
    figure_set_caption(
        f,
        "%s against %s: %s. The grey steps are the Pareto front: no point is below and "
        "to the left of it. Where a panel has several problems, a point is at the median "
        "cost over them, where a failure costs infinitely much, and at the median error "
        "of those that did not fail.%s%s",
        pick_capital(label), field_label(o->x), pick_scope(scope, source, &o->s.pick),
        pick_failures(failures, failed, o->count, "these are at the right end"),
        pick_left_out(left_out, &o->s.pick));
    return PERP_OK;
}

static perp_status pareto_make(figure_book *book, const figure_source *source,
                               const figure_order *order, perp_error *err)
{
    pareto_plot o = {.x = *order->x ? order->x : "seconds",
                     .y = *order->y ? order->y : "residual_given"};
    perp_status status = PERP_OK;

    selection_new(&o.s, source, order, "solver", NULL);
    o.points = take(o.s.count + 1, sizeof *o.points);
    o.scratch = take(2 * o.s.count + 1, sizeof *o.scratch);
    pareto_gather(&o, order);
    status = pareto_draw(&o, book, source, order, err);
    free(o.points);
    free(o.scratch);
    selection_free(&o.s);
    return status;
}

const figure_kind figure_kind_pareto = {
    .name = "pareto",
    .summary = "error (y) against cost (x), with the Pareto front",
    .scope = FIGURE_OF_SET,
    .members = "x|y|z|by|panels",
    .numbers = "xy",
    .make = pareto_make,
};
