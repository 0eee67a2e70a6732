/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/work_precision.c: work against the residual reached: one point per tolerance, each
 * a fresh run; the median over the problems, of which a failure costs infinitely much. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/pick.h"

/* Residuals below the unit roundoff are zero up to rounding, and are drawn there. */
static const double roundoff = 0x1p-53;

typedef struct precision_work {
    const stored_runs *s;
    const char *by;
    run_pick pick;
    pick_values series;
    double *costs, *residuals; /* one per run */
    size_t *which;             /* the series of each run */
} precision_work;

/* The point of a series at a tolerance: the median residual of its solved runs, and the median of
 * the costs; a cross where more than half of the runs failed. */
static void precision_point(const precision_work *w, figure_series *s, size_t which,
                            const char *y, double tolerance)
{
    size_t taken = 0, solved = 0;
    quartiles cost;
    double residual = NAN;
    bool same = false;

    for (size_t k = 0; k < w->pick.count; k++) {
        const stored_run *run = w->pick.runs[k];
        double x = run_field_number(run, y);

        if (run->tolerance != tolerance || w->which[k] != which ||
            (run->solved && !isfinite(x))) {
            continue;
        }
        w->costs[taken++] = run->solved ? x : INFINITY;
        if (run->solved) {
            w->residuals[solved++] = fmax(run->residual_given, roundoff);
        }
    }
    if (taken == 0) {
        return;
    }
    cost = quartiles_of(w->costs, taken);
    residual = quartiles_of(w->residuals, solved).median;
    /* A method that no tolerance steers has one point. */
    same = s->count > 0 && s->points[s->count - 1].x == residual &&
           s->points[s->count - 1].y == cost.median;
    if (isfinite(cost.median) && !same) {
        bool whole = isfinite(cost.high);

        figure_point_full(s, (figure_point){residual, cost.median, whole ? cost.low : NAN,
                                            whole ? cost.high : NAN, NAN, NAN, NAN});
    } else if (!isfinite(cost.median)) {
        figure_failure_add(s, tolerance);
    }
}

/* Residuals of one size are no curve: a direct method. */
static figure_form precision_form(const figure_series *s)
{
    double least = INFINITY, most = 0.0;

    for (size_t k = 0; k < s->count; k++) {
        least = fmin(least, s->points[k].x);
        most = fmax(most, s->points[k].x);
    }
    return s->count < 2 || most < 10.0 * least ? FIGURE_POINTS : FIGURE_CURVE;
}

static void precision_panel(const precision_work *w, figure *f, const char *y)
{
    figure_panel *panel = figure_add_panel(f, "");

    figure_axis_set(&panel->x, "residual reached", "", FIGURE_LOG10);
    panel->x.reversed = true;
    pick_axis(&panel->y, w->s, y, FIGURE_LOG10);
    for (size_t k = 0; k < w->series.count; k++) {
        const pick_value *v = &w->series.values[k];
        figure_series *s = pick_value_series(panel, FIGURE_CURVE, v->text, v);
        for (size_t i = 0; i < w->s->tolerance_count; i++) {
            precision_point(w, s, k, y, w->s->tolerances[i]);
        }
        s->form = precision_form(s);
    }
}

/* How many tolerances the runs have. */
static size_t precision_tolerances(const precision_work *w)
{
    size_t count = 0;

    for (size_t i = 0; i < w->s->tolerance_count; i++) {
        bool any = false;

        for (size_t k = 0; k < w->pick.count && !any; k++) {
            any = w->pick.runs[k]->tolerance == w->s->tolerances[i];
        }
        count += any;
    }
    return count;
}

static void precision_add(const precision_work *w, figure_book *book,
                          const figure_source *source, const figure_order *order)
{
    char scope[FIGURE_TEXT], field[FIELD_TEXT];
    figure *f = pick_figure(book, "work-precision", source, order, "");
    const char *y = *order->y ? order->y : "seconds+work.products";

    while (pick_next_field(&y, field)) {
        precision_panel(w, f, field);
    }
    figure_set_caption(
        f,
        "Work against precision: %s. A point is a tolerance, solved afresh: the median "
        "work over the problems that the solver takes, where a failure costs infinitely "
        "much, at the median residual of the solved ones; bands reach from the first to "
        "the third quartile. A cross in the strip above the plot is a tolerance at which "
        "more than half of the problems fail. A solved run without the number of a panel "
        "is left out there. Residuals below 1.1×10⁻¹⁶ are drawn there. %zu run%s not "
        "applicable. %s",
        pick_scope(scope, source, &w->pick), w->pick.inapplicable,
        w->pick.inapplicable == 1 ? " was" : "s were", PICK_RESIDUAL);
}

static perp_status precision_draw(precision_work *w, figure_book *book,
                                  const figure_source *source, const figure_order *order,
                                  perp_error *err)
{
    bool solved = false;
    size_t least = *order->kind ? 2 : 3;

    for (size_t k = 0; k < w->pick.count; k++) {
        pick_value v;

        pick_value_of(&v, w->s, w->pick.runs[k], w->by, "tolerance", NULL);
        w->which[k] = pick_values_add(&w->series, &v);
        solved = solved || w->pick.runs[k]->solved;
    }
    if (precision_tolerances(w) < least || !solved) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "figure work-precision: set %s has %zu tolerance%s%s, expected at least %zu",
            source->set, precision_tolerances(w), perp_plural(precision_tolerances(w)),
            solved ? "" : " and no solved run", least);
    }
    precision_add(w, book, source, order);
    return PERP_OK;
}

static perp_status precision_make(figure_book *book, const figure_source *source,
                                  const figure_order *order, perp_error *err)
{
    precision_work w = {.s = source->runs, .by = order->by};
    perp_status status = PERP_OK;

    pick_runs(&w.pick, source, order);
    w.costs = take(2 * w.pick.count + 1, sizeof *w.costs);
    w.which = take(w.pick.count + 1, sizeof *w.which);
    w.residuals = w.costs + w.pick.count;
    status = precision_draw(&w, book, source, order, err);
    free(w.costs);
    free(w.which);
    pick_values_free(&w.series);
    pick_free(&w.pick);
    return status;
}

const figure_kind figure_kind_work_precision = {
    .name = "work-precision",
    .summary =
        "time and products with A (y) against the residual reached, over tolerances",
    .scope = FIGURE_OF_SET,
    .usual = true,
    .members = "y|by",
    .numbers = "y",
    .make = precision_make,
};
