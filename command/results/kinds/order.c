/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/order.c: order of convergence: error against the length of a step, with slopes.
 *
 * The error of a run is |v - v*|_2, v its "final" state and v* the "exact" one of the records, or
 * else that of the most accurate run of the same problem. Runs with steps h0 < h1 < h2, h1/h0 =
 * h2/h1, and states v0, v1, v2 whose distances d1 = |v0 - v1| and d2 = |v1 - v2| grow by q = d2/d1
 * give v* = v0 + (v0 - v1)/(q - 1) [richardson-1911], which is exact for an error C h^p. The line
 * with the least |v* - v0| supplies v*, and its finest run is not drawn.
 *
 * Only runs that end at the time of the finest run of their line are compared: a state, and
 * whatever else is measured over a run, depends on when it ended.
 *
 * With "y" the error is the size of that field. A slope is fitted over the longest run of points
 * between which the local slope is positive and changes by less than one, so that neither
 * rounding nor steps that are too long count. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/selection.h"
#include "command/results/statistics.h"

typedef struct order_plot {
    selection s;
    const char *x, *y; /* y: "" for the distance of final states */
    double *reference; /* room for the longest state */
    size_t length;     /* of the states compared now */
} order_plot;

static const json_t *order_state(const selected_run *r)
{
    return run_field(r->run, "final");
}

static double order_entry(const json_t *state, size_t i)
{
    const json_t *value = json_array_get(state, i);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double order_distance(const selected_run *a, const selected_run *b)
{
    const json_t *x = order_state(a), *y = order_state(b);
    double sum = json_array_size(x) == json_array_size(y) ? 0.0 : NAN;

    for (size_t i = 0; i < json_array_size(x); i++) {
        sum = hypot(sum, order_entry(x, i) - order_entry(y, i));
    }
    return sum;
}

/* By panel, problem, series, solver and step. */
static int order_compare(const void *a, const void *b)
{
    const selected_run *x = a, *y = b;
    int keys = strcmp(x->key, y->key);
    int solvers = strcmp(x->run->solver_label, y->run->solver_label);

    if (x->panel != y->panel) {
        return x->panel < y->panel ? -1 : 1;
    }
    if (keys) {
        return keys;
    }
    if (x->series != y->series) {
        return x->series < y->series ? -1 : 1;
    }
    return solvers ? solvers : (x->x > y->x) - (x->x < y->x);
}

static bool order_same_problem(const selected_run *a, const selected_run *b)
{
    return a->panel == b->panel && strcmp(a->key, b->key) == 0;
}

static bool order_same_line(const selected_run *a, const selected_run *b)
{
    return order_same_problem(a, b) && a->series == b->series &&
           strcmp(a->run->solver_label, b->run->solver_label) == 0;
}

/* One behind the last run of the line, or of the problem, that begins at `first`. */
static size_t order_end(const selection *s, size_t first,
                        bool (*same)(const selected_run *a, const selected_run *b))
{
    size_t end = first + 1;

    while (end < s->count && same(&s->runs[first], &s->runs[end])) {
        end++;
    }
    return end;
}

/* The factor 1/(q - 1) by which v0 - v1 is extrapolated; 0: v0 itself is the reference. */
static double order_extrapolation(const selected_run *r, size_t count)
{
    double q = 0.0;

    if (count < 3 || fabs(r[2].x / r[1].x - r[1].x / r[0].x) > 1e-6 * r[1].x / r[0].x) {
        return 0.0;
    }
    q = order_distance(&r[1], &r[2]) / order_distance(&r[0], &r[1]);
    return q > 1.5 && isfinite(q) ? 1.0 / (q - 1.0) : 0.0;
}

/* The run whose line supplies the reference, into o->reference; SIZE_MAX: the records have an
 * exact state, or no two runs can be compared (o->length is 0 then). */
static size_t order_refer(order_plot *o, size_t first, size_t end)
{
    const selected_run *runs = o->s.runs;
    const json_t *exact = run_field(runs[first].run, "exact");
    size_t best = SIZE_MAX;
    double least = INFINITY, factor = 0.0;

    o->length = json_array_size(exact);
    for (size_t i = 0; i < o->length; i++) {
        o->reference[i] = order_entry(exact, i);
    }
    for (size_t k = first, next; o->length == 0 && k < end; k = next) {
        double f = 0.0, apart = 0.0;

        next = order_end(&o->s, k, order_same_line);
        if (next - k < 2) {
            continue;
        }
        f = order_extrapolation(&runs[k], next - k);
        apart = order_distance(&runs[k], &runs[k + 1]) * (f > 0.0 ? f : 1.0);
        if (apart < least) {
            least = apart;
            best = k;
            factor = f;
        }
    }
    for (size_t i = 0; best < end && i < json_array_size(order_state(&runs[best])); i++) {
        double v0 = order_entry(order_state(&runs[best]), i);
        double v1 = order_entry(order_state(&runs[best + 1]), i);

        o->reference[i] = v0 + factor * (v0 - v1);
        o->length = i + 1;
    }
    return best;
}

static double order_error(const order_plot *o, const selected_run *r)
{
    const json_t *state = order_state(r);
    double sum = o->length > 0 && json_array_size(state) == o->length ? 0.0 : NAN;

    for (size_t i = 0; i < o->length; i++) {
        sum = hypot(sum, order_entry(state, i) - o->reference[i]);
    }
    return sum;
}

/* The error of every run, into y; NAN where it is not drawn. */
static void order_measure(order_plot *o)
{
    selection *s = &o->s;

    for (size_t first = 0, end; first < s->count; first = end) {
        size_t reference = SIZE_MAX;

        end = order_end(s, first, order_same_problem);
        if (!*o->y) {
            reference = order_refer(o, first, end);
        }
        for (size_t k = first; k < end; k++) {
            selected_run *r = &s->runs[k];

            r->y = *o->y            ? fabs(selection_value(r->run, o->y))
                   : k == reference ? NAN
                                    : order_error(o, r);
        }
    }
}

/* The longest run of points of a steady slope, as first and count. */
static size_t order_steady(const figure_series *line, size_t *first)
{
    const figure_point *p = line->points;
    size_t most = 0, from = 0;
    double before = NAN;

    for (size_t k = 1; k < line->count; k++) {
        double slope = log(p[k].y / p[k - 1].y) / log(p[k].x / p[k - 1].x);

        if (!(slope > 0.25 && isfinite(slope))) {
            from = k;
            before = NAN;
            continue;
        }
        if (fabs(slope - before) > 1.0) {
            from = k - 1;
        }
        before = slope;
        if (k + 1 - from >= most) {
            most = k + 1 - from;
            *first = from;
        }
    }
    return most;
}

/* A thin line of the slope `p` below the points first .. last of the series, with its name below
 * its left end. `apart`: a factor that is a few per cent of the axis. */
static void order_guide(figure_panel *panel, const figure_series *line, size_t first,
                        size_t last, double p, double apart)
{
    const figure_point *a = &line->points[first], *b = &line->points[last];
    figure_series *guide = figure_add_series(panel, FIGURE_GUIDE, "");
    double y = a->y / apart;

    figure_point_add(guide, a->x, y);
    figure_point_add(guide, b->x, y * pow(b->x / a->x, p));
    figure_note_add(panel, a->x, y / apart, "slope %.0f", p);
}

/* 5 % of the decades of all errors of a panel, as a factor. */
static double order_apart(const selection *s, size_t panel)
{
    double least = INFINITY, most = 0.0;

    for (size_t k = 0; k < s->count; k++) {
        double y = s->runs[k].panel == panel ? s->runs[k].y : NAN;

        if (y > 0.0 && isfinite(y)) {
            least = fmin(least, y);
            most = fmax(most, y);
        }
    }
    return most > least ? pow(most / least, 0.05) : 1.0;
}

/* Add the fitted slope to the name of the series, and a guide unless there is one (`guided` has a
 * bit for each slope). */
static void order_fit(figure_panel *panel, figure_series *line, unsigned *guided,
                      double apart)
{
    size_t first = 0, count = order_steady(line, &first), length = strlen(line->name);
    double x[64], y[64], intercept = 0.0, slope = 0.0, error = 0.0, whole = 0.0;

    count = count > 64 ? 64 : count;
    for (size_t k = 0; k < count; k++) {
        x[k] = line->points[first + k].x;
        y[k] = line->points[first + k].y;
    }
    if (!slope_of(x, y, count, &intercept, &slope, &error)) {
        return;
    }
    if (length > 0) {
        snprintf(line->name + length, sizeof line->name - length, ": %.2f", slope);
    }
    whole = round(slope);
    if (whole >= 1.0 && whole <= 8.0 && fabs(slope - whole) < 0.3 &&
        !(*guided & 1u << (unsigned)whole)) {
        *guided |= 1u << (unsigned)whole;
        order_guide(panel, line, first, first + count - 1, whole, apart);
    }
}

/* A run that did not come to its end, or has no value. */
static bool order_is_failure(const order_plot *o, const selected_run *r)
{
    return strcmp(r->run->status, "ok") != 0 ||
           (*o->y && !isfinite(selection_value(r->run, o->y)));
}

/* The line of the runs first .. end - 1; only the first line of a series has its name. */
static void order_line(order_plot *o, figure_panel *p, size_t first, size_t end,
                       bool named, unsigned *guided)
{
    const selection *s = &o->s;
    const pick_value *v = &s->series.values[s->runs[first].series];
    figure_series *line = pick_value_series(p, FIGURE_CURVE, named ? v->text : "", v);

    for (size_t k = first; k < end; k++) {
        const selected_run *r = &s->runs[k];

        if (order_is_failure(o, r)) {
            figure_failure_add(line, r->x);
        } else if (r->y > 0.0 && isfinite(r->y)) {
            figure_point_add(line, r->x, r->y);
        }
    }
    order_fit(p, line, guided, order_apart(s, s->runs[first].panel));
}

static bool order_is_named(const selection *s, size_t first)
{
    for (size_t k = 0; k < first; k++) {
        if (s->runs[k].panel == s->runs[first].panel &&
            s->runs[k].series == s->runs[first].series) {
            return false;
        }
    }
    return true;
}

static void order_draw(order_plot *o, figure *f, const figure_source *source)
{
    const selection *s = &o->s;

    for (size_t k = 0; k < s->panels.count; k++) {
        figure_panel *p = figure_add_panel(f, s->panels.values[k].text);
        const char *error = *o->y ? field_label(o->y) : "error of the final state";
        unsigned guided = 0;

        figure_axis_set(&p->x, field_label(o->x), field_unit(source->runs, o->x),
                        FIGURE_LOG10);
        figure_axis_set(&p->y, error, *o->y ? field_unit(source->runs, o->y) : "",
                        FIGURE_LOG10);
        for (size_t first = 0, end; first < s->count; first = end) {
            end = order_end(s, first, order_same_line);
            if (s->runs[first].panel == k) {
                order_line(o, p, first, end, order_is_named(s, first), &guided);
            }
        }
    }
}

static void order_caption(const order_plot *o, figure *f, const figure_source *source)
{
    char scope[FIGURE_TEXT], label[FIGURE_TEXT], left_out[2 * FIGURE_TEXT];
    char failures[2 * FIGURE_TEXT];
    size_t failed = 0;

    for (size_t k = 0; k < o->s.count; k++) {
        failed += order_is_failure(o, &o->s.runs[k]);
    }
    snprintf(label, sizeof label, "%s",
             *o->y ? field_label(o->y) : "error of the final state");
    figure_set_caption(
        f,
        "%s against %s: %s.%s The number behind a name is the slope fitted by least "
        "squares over the longest stretch of points of steady slope; thin lines have "
        "whole slopes.%s%s",
        pick_capital(label), field_label(o->x), pick_scope(scope, source, &o->s.pick),
        *o->y ? ""
              : " The error is the Euclidean distance to the exact state where the "
                "records have one, else to the extrapolation of the two finest runs of "
                "the most accurate line, whose finest run is not drawn.",
        pick_failures(failures, failed, o->s.count, ""),
        pick_left_out(left_out, &o->s.pick));
}

/* Room for the longest state; the runs that have a step, sorted. */
static void order_prepare(order_plot *o)
{
    const char *const but[] = {o->x, o->s.by, o->s.panels_by, NULL};
    size_t longest = 0, kept = 0;

    for (size_t k = 0; k < o->s.count; k++) {
        selected_run *r = &o->s.runs[k];
        size_t length = json_array_size(order_state(r));
        size_t exact = json_array_size(run_field(r->run, "exact"));

        length = exact > length ? exact : length;
        r->x = run_field_number(r->run, o->x);
        selection_key(r->run, but, r->key);
        if (r->x > 0.0 && isfinite(r->x)) {
            longest = length > longest ? length : longest;
            o->s.runs[kept++] = *r;
        }
    }
    o->s.count = kept;
    o->reference = take(longest + 1, sizeof *o->reference);
    qsort(o->s.runs, kept, sizeof *o->s.runs, order_compare);
}

static perp_status order_make(figure_book *book, const figure_source *source,
                              const figure_order *order, perp_error *err)
{
    order_plot o = {.x = *order->x ? order->x : "dt", .y = order->y};
    figure *f = NULL;
    perp_status status = PERP_OK;

    selection_new(&o.s, source, order, "integrator", o.x);
    order_prepare(&o);
    order_measure(&o);
    f = pick_figure(book, "order", source, order, "");
    order_draw(&o, f, source);
    order_caption(&o, f, source);
    if (figure_is_empty(f)) {
        figure_drop(book);
        status =
            selection_missing(source, order, err, "no two runs differ in %s and have %s",
                              o.x, *o.y ? o.y : "\"final\" states");
    }
    free(o.reference);
    selection_free(&o.s);
    return status;
}

const figure_kind figure_kind_order = {
    .name = "order",
    .summary = "error against the length of a step, with fitted orders of convergence",
    .scope = FIGURE_OF_SET,
    .members = "x|y|by|panels",
    .numbers = "y",
    .make = order_make,
};
