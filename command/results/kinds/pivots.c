/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/pivots.c: histograms of pivots or iterations over instances, a panel per solver.
 *
 * All panels have the same bins: where the largest value is more than 30 times the median, from a
 * power of two to the next one; else of whole width from the least value on, as many as the rule
 * of Freedman and Diaconis [freedman-diaconis-1981] gives for all values, 5 to 40 if that is
 * possible. */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "command/results/kinds/selection.h"

enum { PIVOTS_BINS = 40, PIVOTS_ROOM = 64 };

typedef struct pivots_bins {
    double from, width; /* of powers of two: the width is a factor, 2 */
    bool powers;
    size_t count;
} pivots_bins;

/* Where bin k begins. */
static double pivots_edge(const pivots_bins *b, size_t k)
{
    return b->powers ? b->from * pow(b->width, (double)k)
                     : b->from + b->width * (double)k;
}

/* The bin of a value that is in the range of all; of powers, 0 is in the first. */
static size_t pivots_place(const pivots_bins *b, double value)
{
    size_t k = 0;

    while (k + 1 < b->count && value >= pivots_edge(b, k + 1)) {
        k++;
    }
    return k;
}

/* From sorted values. */
static pivots_bins pivots_choose(const double *sorted, size_t count)
{
    const double least = sorted[0], most = sorted[count - 1];
    const double spread = gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.75) -
                          gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.25);
    pivots_bins b = {.powers = most > 30.0 * fmax(1.0, gsl_stats_median_from_sorted_data(
                                                           sorted, 1, count))};

    if (b.powers) {
        b.width = 2.0;
        b.from = least < 1.0 ? 0.5 : pow(2.0, floor(log2(least)));
        b.count = (size_t)floor(log2(most / b.from)) + 1;
    } else {
        b.width = 2.0 * spread / cbrt((double)count);
        b.width = fmin(fmax(b.width, (most - least) / PIVOTS_BINS), (most - least) / 5.0);
        b.width = fmax(1.0, ceil(b.width));
        b.from = floor(least);
        b.count = (size_t)((most - b.from) / b.width) + 1;
    }
    b.count = b.count < PIVOTS_ROOM ? b.count : PIVOTS_ROOM;
    return b;
}

/* The panel of a series: bars of counts, failures where they stopped. */
static void pivots_panel(figure *f, const selection *s, size_t panel, size_t series,
                         const pivots_bins *b, const char *label)
{
    const pick_value *v = &s->series.values[series];
    char title[FIGURE_TEXT];
    figure_panel *p = NULL;
    figure_series *bars = NULL;
    size_t counts[PIVOTS_ROOM] = {0};

    p = figure_add_panel(f, selection_title(title, s, panel, series));
    figure_axis_set(&p->x, label, "", b->powers ? FIGURE_LOG10 : FIGURE_LINEAR);
    figure_axis_set(&p->y, "runs", "", FIGURE_LINEAR);
    p->x.low = b->from;
    p->x.high = pivots_edge(b, b->count);
    p->y.low = 0.0;
    bars = pick_value_series(p, FIGURE_BARS, "", v);
    for (size_t k = 0; k < s->count; k++) {
        const selected_run *r = &s->runs[k];

        if (r->panel == panel && r->series == series && isfinite(r->y)) {
            counts[pivots_place(b, r->y)]++;
        } else if (r->panel == panel && r->series == series) {
            double at = isfinite(r->x) ? r->x : p->x.high;

            figure_failure_add(bars, fmin(fmax(at, p->x.low), p->x.high));
        }
    }
    for (size_t k = 0; k < b->count; k++) {
        double low = pivots_edge(b, k), high = pivots_edge(b, k + 1);

        figure_point_full(bars,
                          (figure_point){b->powers ? sqrt(low * high) : (low + high) / 2,
                                         (double)counts[k], low, high, NAN, NAN, NAN});
    }
}

/* Does the panel have runs of the series? One that never pivots has no histogram. */
static bool pivots_has(const selection *s, size_t panel, size_t series)
{
    for (size_t k = 0; k < s->count; k++) {
        if (s->runs[k].panel == panel && s->runs[k].series == series &&
            s->runs[k].x > 0.0) {
            return true;
        }
    }
    return false;
}

/* Pivots where some solver makes any, else iterations. */
static const char *pivots_field(const selection *s, const figure_order *order)
{
    if (*order->x) {
        return order->x;
    }
    for (size_t k = 0; k < s->count; k++) {
        if (run_field_number(s->runs[k].run, "work.pivots") > 0.0) {
            return "work.pivots";
        }
    }
    return "iterations";
}

static void pivots_draw(figure *f, const selection *s, const figure_source *source,
                        const pivots_bins *b, const char *field, size_t failed)
{
    char scope[FIGURE_TEXT], bins[64], left_out[2 * FIGURE_TEXT];
    char failures[2 * FIGURE_TEXT];

    for (size_t k = 0; k < s->panels.count; k++) {
        for (size_t i = 0; i < s->series.count; i++) {
            if (pivots_has(s, k, i)) {
                pivots_panel(f, s, k, i, b, field_label(field));
            }
        }
    }
    if (b->powers) {
        snprintf(bins, sizeof bins, "from a power of two to the next, 0 in the first");
    } else {
        snprintf(bins, sizeof bins, "of width %g", b->width);
    }
    figure_set_caption(f,
                       "Histograms of %s of solved runs: %s; bins %s, the same in all "
                       "panels. Solvers that make none have no panel.%s%s",
                       field_label(field), pick_scope(scope, source, &s->pick), bins,
                       pick_failures(failures, failed, s->count,
                                     "they are where they stopped, or at the right end"),
                       pick_left_out(left_out, &s->pick));
}

static perp_status pivots_make(figure_book *book, const figure_source *source,
                               const figure_order *order, perp_error *err)
{
    const char *field = NULL;
    pivots_bins bins;
    selection s;
    size_t count = 0;
    perp_status status = PERP_OK;
    double *values = NULL;

    selection_new(&s, source, order, "solver", NULL);
    values = take(s.count + 1, sizeof *values);
    field = pivots_field(&s, order);
    for (size_t k = 0; k < s.count; k++) {
        selected_run *r = &s.runs[k];

        r->x = run_field_number(r->run, field);
        r->y = r->run->solved ? r->x : NAN;
        if (isfinite(r->y)) {
            values[count++] = r->y;
        }
    }
    if (count == 0) {
        status = selection_missing(source, order, err, "no solved run has %s", field);
    } else {
        figure *f = NULL;

        gsl_sort(values, 1, count);
        bins = pivots_choose(values, count);
        f = pick_figure(book, "pivots", source, order, "");
        pivots_draw(f, &s, source, &bins, field, s.count - count);
    }
    free(values);
    selection_free(&s);
    return status;
}

const figure_kind figure_kind_pivots = {
    .name = "pivots",
    .summary = "histograms of pivots, or of another field (x), over instances",
    .scope = FIGURE_OF_SET,
    .members = "x|by|panels",
    .numbers = "x",
    .make = pivots_make,
};
