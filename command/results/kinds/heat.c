/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/heat.c: a field z over two others as cells, one panel per solver. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/pick.h"

enum { HEAT_PANELS = 12 };

/* A run with its cell. */
typedef struct heat_run {
    double z;
    size_t x, y, panel; /* SIZE_MAX: it has no value */
} heat_run;

typedef struct heat_work {
    const stored_runs *s;
    const figure_order *order;
    run_pick pick;
    pick_values x, y, panels;
    heat_run *runs;  /* one per run */
    double *scratch; /* twice as many numbers as runs */
} heat_work;

/* What the cells show: costs of solved runs only. */
static double heat_value(const heat_work *w, const stored_run *run)
{
    const char *z = w->order->z;

    return run->solved || !field_is_cost(z) ? run_field_number(run, z) : NAN;
}

/* The value as the name of a row or column: "0.3", without the name of the field. */
static void heat_place(const heat_work *w, const stored_run *run, const char *field,
                       pick_value *v)
{
    char text[FIELD_TEXT];

    pick_value_of(v, w->s, run, field, NULL, NULL);
    if (isfinite(v->number)) {
        figure_number(v->text, sizeof v->text, v->number, 4);
    } else {
        snprintf(v->text, sizeof v->text, "%.*s", (int)sizeof v->text - 1,
                 run_field_text(run, field, text));
    }
}

/* The row, the column and the panel of a run. */
static void heat_values(const heat_work *w, const stored_run *run, pick_value *x,
                        pick_value *y, pick_value *panel)
{
    const figure_order *o = w->order;

    heat_place(w, run, o->x, x);
    heat_place(w, run, o->y, y);
    pick_value_of(panel, w->s, run, *o->panels ? o->panels : o->by, o->x, o->y);
}

/* The cell of every run. */
static void heat_place_runs(heat_work *w)
{
    for (size_t k = 0; k < w->pick.count; k++) {
        const stored_run *run = w->pick.runs[k];
        pick_value x, y, panel;

        heat_values(w, run, &x, &y, &panel);
        w->runs[k] = (heat_run){.z = heat_value(w, run),
                                .x = pick_values_find(&w->x, x.text),
                                .y = pick_values_find(&w->y, y.text),
                                .panel = pick_values_find(&w->panels, panel.text)};
    }
}

static void heat_survey(heat_work *w)
{
    for (size_t k = 0; k < w->pick.count; k++) {
        pick_value x, y, panel;

        heat_values(w, w->pick.runs[k], &x, &y, &panel);
        if (*x.text && *y.text) {
            pick_values_add(&w->x, &x);
            pick_values_add(&w->y, &y);
            pick_values_add(&w->panels, &panel);
        }
    }
    pick_values_sort(&w->x);
    pick_values_sort(&w->y);
    pick_values_sort(&w->panels);
    heat_place_runs(w);
}

/* The cell of a place in a panel: the median, where a run without a value is infinite; a cross
 * where it is the median. */
static void heat_cell(heat_work *w, figure_panel *panel, figure_series *cells,
                      size_t which, size_t i, size_t j)
{
    size_t count = 0;
    double median = NAN;

    for (size_t k = 0; k < w->pick.count; k++) {
        const heat_run *at = &w->runs[k];

        if (at->x == i && at->y == j && at->panel == which) {
            w->scratch[count++] = isfinite(at->z) ? at->z : INFINITY;
        }
    }
    median = quartiles_of(w->scratch, count).median;
    if (isfinite(median)) {
        figure_point_full(
            cells, (figure_point){(double)i, (double)j, NAN, NAN, NAN, NAN, median});
    } else if (count > 0) {
        figure_note_add(panel, (double)i, (double)j, "×");
    }
}

static void heat_panel(heat_work *w, figure *f, size_t p)
{
    const pick_value *which = &w->panels.values[p];
    figure_panel *panel = figure_add_panel(f, w->panels.count > 1 ? which->text : "");
    figure_series *cells = pick_value_series(panel, FIGURE_CELLS, "", which);

    pick_axis(&panel->x, w->s, w->order->x, FIGURE_CATEGORIES);
    pick_axis(&panel->y, w->s, w->order->y, FIGURE_CATEGORIES);
    for (size_t k = 0; k < w->x.count; k++) {
        figure_category(&panel->x, w->x.values[k].text);
    }
    for (size_t k = 0; k < w->y.count; k++) {
        figure_category(&panel->y, w->y.values[k].text);
    }
    for (size_t i = 0; i < w->x.count; i++) {
        for (size_t j = 0; j < w->y.count; j++) {
            heat_cell(w, panel, cells, p, i, j);
        }
    }
}

/* One scale of values for all panels. */
static void heat_scale(heat_work *w, figure *f)
{
    double least = INFINITY, most = -INFINITY;
    size_t count = 0;
    figure_scale scale = FIGURE_LINEAR;

    for (size_t p = 0; p < f->count; p++) {
        const figure_panel *panel = f->panels[p];

        for (size_t k = 0; panel->count > 0 && k < panel->series[0]->count; k++) {
            w->scratch[count] = panel->series[0]->points[k].value;
            least = fmin(least, w->scratch[count]);
            most = fmax(most, w->scratch[count++]);
        }
    }
    scale = pick_scale(w->scratch, count, false);
    for (size_t p = 0; p < f->count; p++) {
        pick_axis(&f->panels[p]->value, w->s, w->order->z, scale);
        f->panels[p]->value.low = least;
        f->panels[p]->value.high = most;
    }
}

static perp_status heat_draw(heat_work *w, figure_book *book, const figure_source *source,
                             perp_error *err)
{
    char scope[FIGURE_TEXT];
    const figure_order *o = w->order;
    figure *f = NULL;

    heat_survey(w);
    if (w->x.count < 2 || w->y.count < 2 || w->panels.count > HEAT_PANELS) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure heat: set %s has %zu value%s of %s, %zu of %s and %zu "
                         "panel%s, expected two values or more and at most %d panels",
                         source->set, w->x.count, perp_plural(w->x.count), o->x,
                         w->y.count, o->y, w->panels.count, perp_plural(w->panels.count),
                         HEAT_PANELS);
    }
    f = pick_figure(book, "heat", source, o, *o->name ? "" : o->z);
    for (size_t p = 0; p < w->panels.count; p++) {
        heat_panel(w, f, p);
    }
    if (figure_is_empty(f)) {
        figure_drop(book);
        return perp_fail(err, PERP_ERR_DATA,
                         "figure heat: no run of set %s has a number as %s", source->set,
                         o->z);
    }
    heat_scale(w, f);
    figure_set_caption(
        f,
        "%s over %s and %s: %s. A cell is the median over the rest of the runs, where a "
        "failure is infinite. A cross is a cell where more than half of the runs failed; "
        "an empty cell has no run of a solver that takes the problem.",
        field_label(o->z), field_label(o->x), field_label(o->y),
        pick_scope(scope, source, &w->pick));
    return PERP_OK;
}

static perp_status heat_make(figure_book *book, const figure_source *source,
                             const figure_order *order, perp_error *err)
{
    heat_work w = {.s = source->runs, .order = order};
    perp_status status = PERP_OK;

    if (!*order->x || !*order->y || !*order->z) {
        return perp_fail(err, PERP_ERR_DATA, "figure heat: expected x, y and z");
    }
    pick_runs(&w.pick, source, order);
    w.scratch = take(w.pick.count + 1, sizeof *w.scratch);
    w.runs = take(w.pick.count + 1, sizeof *w.runs);
    status = heat_draw(&w, book, source, err);
    free(w.scratch);
    free(w.runs);
    pick_values_free(&w.x);
    pick_values_free(&w.y);
    pick_values_free(&w.panels);
    pick_free(&w.pick);
    return status;
}

const figure_kind figure_kind_heat = {
    .name = "heat",
    .summary = "any field z as colour over two fields x and y, one panel per solver",
    .scope = FIGURE_OF_SET,
    .members = "x|y|z|by|panels",
    .numbers = "z",
    .make = heat_make,
};
