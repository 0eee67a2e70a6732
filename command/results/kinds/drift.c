/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/drift.c: errors of energy, momentum and joints over time, of several runs.
 *
 * The records of scenes hold thinned series (simulate/series.h). Each quantity is a row of
 * panels; a run that ended early ends with a failure. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/rounding.h"
#include "command/results/kinds/selection.h"

/* What can be drawn, in the order in which it is drawn without an order. */
static const struct {
    const char *name, *label, *unit;
} quantities[] = {
    {"energy", "relative error of energy", ""},
    {"momentum", "relative error of momentum", ""},
    {"angular_momentum", "relative error of angular momentum", ""},
    {"drift", "drift of joints", "m"},
    {"angle", "drift of joints", "rad"},
    {"penetration", "penetration", "m"},
};
enum { DRIFT_QUANTITIES = sizeof quantities / sizeof *quantities };

/* Smaller errors are drawn here: they are rounding. */
static const double drift_floor = 1e-16;

static const json_t *drift_series(const stored_run *run, const char *name)
{
    return json_object_get(json_object_get(run->json, "series"), name);
}

static double drift_at(const json_t *list, size_t k)
{
    const json_t *value = json_array_get(list, k);

    return json_is_number(value) ? fabs(json_number_value(value)) : NAN;
}

/* Is this quantity ordered: "energy+drift"? */
static bool drift_ordered(const char *y, const char *name)
{
    char field[FIELD_TEXT];
    bool found = false;

    while (!found && pick_next_field(&y, field)) {
        found = strcmp(field, name) == 0;
    }
    return found;
}

/* The largest value of a run; NAN: it has no such series. */
static double drift_most(const stored_run *run, size_t q)
{
    const json_t *list = drift_series(run, quantities[q].name);
    double most = json_array_size(list) ? 0.0 : NAN;

    for (size_t i = 0; i < json_array_size(list); i++) {
        most = fmax(most, drift_at(list, i));
    }
    return most;
}

/* What exceeds rounding in some run is drawn; without an order, of momenta only those that are
 * conserved to a tenth somewhere: a contact with the ground takes them. */
static bool drift_applies(const selection *s, size_t q, const figure_order *order,
                          rounding *noise)
{
    bool ordered = *order->y;
    double most = 0.0, least = INFINITY;
    rounding_kind kind = ROUNDING_ZERO;

    if (ordered && !drift_ordered(order->y, quantities[q].name)) {
        return false;
    }
    for (size_t k = 0; k < s->count; k++) {
        double highest = drift_most(s->runs[k].run, q);

        most = fmax(most, highest); /* fmax and fmin ignore a NAN */
        least = fmin(least, highest);
    }
    kind = rounding_of(&most, 1, 1.0);
    if (kind == ROUNDING_NOISE) {
        rounding_add(noise, "%s%s%s%s", quantities[q].label,
                     *quantities[q].unit ? " [" : "", quantities[q].unit,
                     *quantities[q].unit ? "]" : "");
    }
    return kind == ROUNDING_NONE &&
           (ordered || !strstr(quantities[q].name, "momentum") || least < 0.1);
}

/* The first run of a series names it. What is rounding throughout is no curve. */
static void drift_run(figure_panel *p, const selection *s, const selected_run *r,
                      bool *named, size_t q, rounding *noise)
{
    const json_t *t = drift_series(r->run, "t");
    const json_t *list = drift_series(r->run, quantities[q].name);
    const size_t count = json_array_size(list);
    const double most = drift_most(r->run, q);
    figure_series *line = NULL;

    if (count > 0 && rounding_of(&most, 1, 1.0) != ROUNDING_NONE) {
        rounding_add(noise, "%s of %s", quantities[q].label,
                     s->series.values[r->series].text);
        return;
    }
    if (count == 0) {
        return;
    }
    line =
        pick_value_series(p, FIGURE_LINE, *named ? "" : s->series.values[r->series].text,
                          &s->series.values[r->series]);
    *named = true;
    for (size_t i = 0; i < count; i++) {
        double y = drift_at(list, i);

        if (isfinite(y)) {
            figure_point_add(line, drift_at(t, i), fmax(y, drift_floor));
        }
    }
    if (strcmp(r->run->status, "ok") != 0) {
        figure_failure_add(line, drift_at(t, count - 1));
    }
}

static void drift_panel(figure *f, const selection *s, size_t panel, size_t q,
                        rounding *noise)
{
    figure_panel *p = figure_add_panel(f, s->panels.values[panel].text);
    bool *named = take(s->series.count + 1, sizeof *named);

    figure_axis_set(&p->x, "time", "s", FIGURE_LOG10);
    figure_axis_set(&p->y, quantities[q].label, quantities[q].unit, FIGURE_LOG10);
    for (size_t k = 0; k < s->count; k++) {
        const selected_run *r = &s->runs[k];

        if (r->panel == panel) {
            drift_run(p, s, r, &named[r->series], q, noise);
        }
    }
    free(named);
}

static void drift_caption(figure *f, const selection *s, const figure_source *source,
                          const rounding *noise)
{
    char small[ROUNDING_TEXT], scope[FIGURE_TEXT], missing[64] = "",
                                                   failures[2 * FIGURE_TEXT];
    size_t without = 0, early = 0;

    for (size_t k = 0; k < s->count; k++) {
        without += json_array_size(drift_series(s->runs[k].run, "t")) == 0;
        early += strcmp(s->runs[k].run->status, "ok") != 0;
    }
    if (without > 0) {
        snprintf(missing, sizeof missing, " %zu run%s no series.", without,
                 without == 1 ? " has" : "s have");
    }
    figure_set_caption(
        f,
        "Errors over time: %s, one line per run. The error of energy is |E − E₀ − W| "
        "relative to the energy that moved, W the work of contacts, motors, dampers and "
        "loads; momenta are compared with their start and the impulse of gravity. A "
        "point is the largest value of a stretch of steps. Errors below 10⁻¹⁶ are drawn "
        "there.%s%s%s",
        pick_scope(scope, source, &s->pick),
        pick_failures(failures, early, s->count, "these are at the ends of their runs"),
        missing, rounding_sentence(noise, small));
}

static perp_status drift_make(figure_book *book, const figure_source *source,
                              const figure_order *order, perp_error *err)
{
    selection s;
    rounding noise = {""};
    figure *f = NULL;
    perp_status status = PERP_OK;

    selection_new(&s, source, order, "solver", NULL);
    f = pick_figure(book, "drift", source, order, "");
    for (size_t q = 0; q < DRIFT_QUANTITIES; q++) {
        bool applies = drift_applies(&s, q, order, &noise);

        for (size_t k = 0; applies && k < s.panels.count; k++) {
            drift_panel(f, &s, k, q, &noise);
        }
    }
    f->columns = s.panels.count > 1 ? s.panels.count : 0;
    drift_caption(f, &s, source, &noise);
    if (figure_is_empty(f)) {
        figure_drop(book);
        status = selection_missing(
            source, order, err,
            *noise.names ? "%s: rounding in all runs"
                         : "no run has \"series\" of %s, which scenes record",
            *order->y ? order->y : "errors over time");
    }
    selection_free(&s);
    return status;
}

const figure_kind figure_kind_drift = {
    .name = "drift",
    .summary =
        "errors of energy, momentum and joints over time, by solver or by another field",
    .scope = FIGURE_OF_SET,
    .members = "y|by|panels",
    .make = drift_make,
};
