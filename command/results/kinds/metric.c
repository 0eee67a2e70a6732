/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/metric.c: any field of the runs against another one; without an order, time against
 * the parameter that a suite varies first. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/results/kinds/metric.h"

/* Not drawn without being ordered: a seed, and sizes, which the kinds scaling and coordinates
 * show. */
static bool metric_is_usual(const char *field)
{
    static const char *const others[] = {"seed", "n", "contacts", "links", "bodies"};

    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(field, others[k]) == 0) {
            return false;
        }
    }
    return true;
}

/* Time against the parameter that the suite varies first in this set, if it has three numbers;
 * NULL: there is none. */
static const char *metric_usual_x(const figure_source *source)
{
    name_list varied = {.count = 0};
    const char *found = NULL;

    varied_fields(source->runs, &varied);
    for (size_t k = 0; k < varied.count && !found; k++) {
        double seen[3];
        size_t count = 0;

        for (size_t i = 0; i < source->runs->count && count < 3; i++) {
            const stored_run *run = &source->runs->runs[i];
            double x = run_field_number(run, varied.names[k]);
            bool is_new = isfinite(x) && strcmp(run->set, source->set) == 0;

            for (size_t j = 0; j < count && is_new; j++) {
                is_new = seen[j] != x;
            }
            if (is_new) {
                seen[count++] = x;
            }
        }
        found = count == 3 && metric_is_usual(varied.names[k]) ? varied.names[k] : NULL;
    }
    name_list_clear(&varied);
    return found; /* the name belongs to a record */
}

static const char *metric_usual_y(const figure_source *source)
{
    for (size_t i = 0; i < source->runs->count; i++) {
        const stored_run *run = &source->runs->runs[i];

        if (strcmp(run->set, source->set) == 0 &&
            isfinite(run_field_number(run, "step_seconds.median"))) {
            return "step_seconds.median";
        }
    }
    return "seconds";
}

static perp_status metric_make(figure_book *book, const figure_source *source,
                               const figure_order *order, perp_error *err)
{
    metric_request m = {.kind = "metric", .by = order->by, .panels = order->panels};

    m.x = *order->x ? order->x : metric_usual_x(source);
    m.y = *order->y ? order->y : metric_usual_y(source);
    if (!m.x) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure metric: %s varies no number, and x is not given",
                         source->set);
    }
    return metric_figure(book, source, order, &m, err);
}

const figure_kind figure_kind_metric = {
    .name = "metric",
    .summary = "any field y against any field x, by solver or another field, in panels",
    .scope = FIGURE_OF_SET,
    .usual = true,
    .members = "x|y|by|panels",
    .make = metric_make,
};
