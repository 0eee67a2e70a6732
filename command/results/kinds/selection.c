/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/selection.c: picked runs, each with its panel, its series and a point. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/selection.h"

/* The field of the series: that of the order, else `by` where a run has it. */
static const char *selection_by(const run_pick *pick, const figure_order *order,
                                const char *by)
{
    char text[FIELD_TEXT];

    if (*order->by) {
        return order->by;
    }
    for (size_t k = 0; k < pick->count; k++) {
        if (*run_field_text(pick->runs[k], by, text)) {
            return by;
        }
    }
    return "solver";
}

static void selection_add(selection *s, const stored_runs *all, const stored_run *run,
                          const char *x)
{
    selected_run *to = &s->runs[s->count++];
    pick_value panel = {.number = NAN}, series;

    if (*s->panels_by) {
        pick_value_of(&panel, all, run, s->panels_by, NULL, NULL);
    }
    pick_value_of(&series, all, run, s->by, x, s->panels_by);
    to->run = run;
    to->x = to->y = NAN;
    to->panel = pick_values_add(&s->panels, &panel);
    to->series = pick_values_add(&s->series, &series);
}

void selection_new(selection *s, const figure_source *source, const figure_order *order,
                   const char *by, const char *x)
{
    *s = (selection){.panels_by = order->panels};
    pick_runs(&s->pick, source, order);
    if (!field_is_cost(order->y)) {
        pick_equal_times(&s->pick, x);
    }
    s->by = selection_by(&s->pick, order, by);
    s->runs = take(s->pick.count + 1, sizeof *s->runs);
    for (size_t k = 0; k < s->pick.count; k++) {
        selection_add(s, source->runs, s->pick.runs[k], x);
    }
}

void selection_free(selection *s)
{
    pick_free(&s->pick);
    free(s->runs);
    pick_values_free(&s->panels);
    pick_values_free(&s->series);
    *s = (selection){.count = 0};
}

void selection_key(const stored_run *run, const char *const *but, char key[SELECTION_KEY])
{
    json_t *vary = json_object_get(run->json, "vary");
    const char *name = NULL;
    json_t *value = NULL;
    size_t used = (size_t)snprintf(key, SELECTION_KEY, "%.200s", run->problem);

    json_object_foreach(vary, name, value)
    {
        char text[FIELD_TEXT];
        bool skip = false;

        for (size_t k = 0; but[k]; k++) {
            skip = skip || strcmp(but[k], name) == 0;
        }
        if (!skip && used < SELECTION_KEY) {
            used += (size_t)snprintf(key + used, SELECTION_KEY - used, ",%s=%s", name,
                                     run_field_text(run, name, text));
        }
    }
}

double selection_value(const stored_run *run, const char *field)
{
    bool counts = field_is_cost(field) ? run->solved : strcmp(run->status, "ok") == 0;
    double value = counts ? run_field_number(run, field) : NAN;

    return isfinite(value) ? value : NAN;
}

void selection_axis_x(figure_axis *a, const stored_runs *runs, const char *field,
                      const selection *s, double *scratch)
{
    for (size_t k = 0; k < s->count; k++) {
        scratch[k] = s->runs[k].x;
    }
    pick_axis(a, runs, field, pick_scale(scratch, s->count, true));
}

void selection_axis_y(figure_axis *a, const stored_runs *runs, const char *field,
                      const selection *s, double *scratch)
{
    for (size_t k = 0; k < s->count; k++) {
        scratch[k] = s->runs[k].y;
    }
    pick_axis(a, runs, field, pick_scale(scratch, s->count, true));
}

char *selection_title(char title[FIGURE_TEXT], const selection *s, size_t panel,
                      size_t series)
{
    const char *of = s->panels.values[panel].text;

    snprintf(title, FIGURE_TEXT, "%.70s%s%.70s", s->series.values[series].text,
             *of ? ", " : "", of);
    return title;
}

perp_status selection_missing(const figure_source *source, const figure_order *order,
                              perp_error *err, const char *format, ...)
{
    const char *of = source->path ? source->path : source->set ? source->set : "all sets";
    char what[256];
    va_list args;

    if (!*order->kind) {
        return PERP_OK;
    }
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return perp_fail(err, PERP_ERR_DATA, "figure %s of %s: %s", order->kind, of, what);
}
