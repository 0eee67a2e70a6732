/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/convergence.c: the residual of every solver during its iterations, against time
 * and against products with A; one figure per problem.
 *
 * A method whose residual was measured only at its start and end, as a direct one, is a point. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "command/results/kinds/pick.h"

enum { CONVERGENCE_FIGURES = 24 };

/* Against what the residual is drawn: a member of a sample [iteration, seconds, products,
 * residual]. */
enum { SAMPLE_SECONDS = 1, SAMPLE_PRODUCTS = 2, SAMPLE_RESIDUAL = 3 };

static double sample_member(const json_t *sample, size_t member)
{
    const json_t *value = json_array_get(sample, member);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The history holds residuals of the problem as asked. Where the solver has a formulation of its
 * own, only its last point was judged on the problem as given, which the figure shows. */
static bool judged_throughout(const stored_run *run)
{
    const json_t *options = json_object_get(run->json, "options");
    const char *own = json_string_value(json_object_get(options, "friction"));

    own = own ? own
              : json_string_value(json_object_get(options, "formulation")); /* older */

    return !own || strcmp(own, "natural") == 0;
}

/* Sample k as a point; false when there is none: x is 0 and has no place on a logarithmic axis,
 * or the residual is infinite or was not measured on the problem of the figure. */
static bool sample_point(const stored_run *run, size_t k, size_t member, double point[2])
{
    const json_t *history = json_object_get(run->json, "history");
    const json_t *sample = json_array_get(history, k);
    bool last = k + 1 == json_array_size(history);
    bool throughout = judged_throughout(run);

    point[0] = sample_member(sample, member);
    point[1] = throughout ? sample_member(sample, SAMPLE_RESIDUAL) : run->residual_given;
    return (throughout || last) && point[0] > 0.0 && isfinite(point[0]) &&
           isfinite(point[1]);
}

/* How many samples are points; the last of them. */
static size_t history_points(const stored_run *run, size_t member, double end[2])
{
    size_t samples = json_array_size(json_object_get(run->json, "history"));
    size_t count = 0;
    double point[2];

    for (size_t k = 0; k < samples; k++) {
        if (sample_point(run, k, member, point)) {
            memcpy(end, point, sizeof point);
            count++;
        }
    }
    return count;
}

/* Points closer than this ratio coincide at the size of a figure. */
static const double least_ratio = 1.03;

static void history_add(figure_series *s, const stored_run *run, size_t member)
{
    size_t samples = json_array_size(json_object_get(run->json, "history"));
    double kept[2] = {0.0, INFINITY}, point[2];

    for (size_t k = 0; k < samples; k++) {
        if (sample_point(run, k, member, point) &&
            (k + 1 == samples || point[0] > least_ratio * kept[0] ||
             point[1] < kept[1] / 2.0 || point[1] > kept[1] * 2.0)) {
            figure_point_add(s, point[0], point[1]);
            memcpy(kept, point, sizeof kept);
        }
    }
}

/* The residual of one run against one member. */
static void convergence_series(figure_panel *panel, const stored_run *run, size_t member,
                               double ends[2])
{
    double end[2] = {NAN, NAN};
    size_t count = history_points(run, member, end);
    figure_series *s = NULL;

    if (count == 0) {
        return;
    }
    s = pick_series(panel, count > 2 ? FIGURE_CURVE : FIGURE_POINTS, run->label, run);
    if (count > 2) {
        history_add(s, run, member);
    } else {
        figure_point_add(s, end[0], end[1]);
    }
    for (size_t k = 0; k < s->count; k++) {
        ends[0] = fmin(ends[0], s->points[k].x);
        ends[1] = fmax(ends[1], s->points[k].x);
    }
    if (!run->solved) {
        figure_failure_add(s, end[0]);
    }
}

/* A failed run without a point: where it ended, as far as that is known; else at the left end. */
static void convergence_lost(figure_panel *panel, const stored_run *run, size_t member,
                             const double ends[2])
{
    double x = member == SAMPLE_PRODUCTS ? run->products
               : run->seconds > 0.0      ? run->seconds
                                         : run->limit;
    double unused[2];

    if (!run->solved && history_points(run, member, unused) == 0 && ends[1] >= ends[0]) {
        figure_series *s = pick_series(panel, FIGURE_POINTS, run->label, run);

        figure_failure_add(s, x > 0.0 ? x : ends[0]);
    }
}

static void convergence_panel(figure *f, const run_pick *p, const char *instance,
                              size_t member, double tolerance)
{
    figure_panel *panel = figure_add_panel(f, "");
    figure_series *guide = NULL;
    double ends[2] = {INFINITY, 0.0};
    char number[48], name[FIGURE_NAME];

    figure_axis_set(&panel->x, member == SAMPLE_SECONDS ? "time" : "products with A",
                    member == SAMPLE_SECONDS ? "s" : "", FIGURE_LOG10);
    figure_axis_set(&panel->y, "residual", "", FIGURE_LOG10);
    for (size_t k = 0; k < p->count; k++) {
        if (strcmp(p->runs[k]->instance, instance) == 0) {
            convergence_series(panel, p->runs[k], member, ends);
        }
    }
    for (size_t k = 0; k < p->count; k++) {
        if (strcmp(p->runs[k]->instance, instance) == 0) {
            convergence_lost(panel, p->runs[k], member, ends);
        }
    }
    if (ends[1] >= ends[0]) {
        snprintf(name, sizeof name, "tolerance %s",
                 figure_number(number, sizeof number, tolerance, 3));
        guide = figure_add_series(panel, FIGURE_GUIDE, name);
        figure_point_add(guide, ends[0], tolerance);
        figure_point_add(guide, ends[1], tolerance);
    }
}

/* The figure of an instance; nothing when it has no history. */
static void convergence_figure(figure_book *book, const figure_source *source,
                               const figure_order *order, const run_pick *p,
                               const char *instance)
{
    char number[48], failures[2 * FIGURE_TEXT];
    size_t failed = 0, runs = 0;
    figure *f = pick_figure(book, "convergence", source, order,
                            *order->name && p->count < 2 ? "" : instance);

    convergence_panel(f, p, instance, SAMPLE_SECONDS, source->table->tolerance);
    convergence_panel(f, p, instance, SAMPLE_PRODUCTS, source->table->tolerance);
    for (size_t k = 0; k < p->count; k++) {
        if (strcmp(p->runs[k]->instance, instance) == 0) {
            runs++;
            failed += !p->runs[k]->solved;
        }
    }
    figure_set_caption(
        f,
        "Residual of problem %s (set %s) during the iterations, against time and against "
        "products with A, tolerance %s. A single point is a method whose residual is "
        "known only at its end, as that of a direct one.%s %s",
        instance, source->set,
        figure_number(number, sizeof number, source->table->tolerance, 3),
        pick_failures(failures, failed, runs, "where they ended"), PICK_RESIDUAL);
    if (figure_is_empty(f)) {
        figure_drop(book);
    }
}

static perp_status convergence_make(figure_book *book, const figure_source *source,
                                    const figure_order *order, perp_error *err)
{
    size_t before = book->count;
    run_pick p;
    name_list instances = {.count = 0};
    perp_status status = PERP_OK;

    pick_runs(&p, source, order);
    for (size_t k = 0; k < p.count; k++) {
        name_list_add(&instances, p.runs[k]->instance);
    }
    if (instances.count > CONVERGENCE_FIGURES) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "figure convergence: set %s has %zu problem%s, each a figure; "
                           "name some: where=instance=NAME",
                           source->set, instances.count, perp_plural(instances.count));
    }
    for (size_t k = 0; status == PERP_OK && k < instances.count; k++) {
        convergence_figure(book, source, order, &p, instances.names[k]);
    }
    if (status == PERP_OK && book->count == before) {
        status = perp_fail(
            err, PERP_ERR_DATA,
            "figure convergence: no run of set %s has a history as ordered", source->set);
    }
    name_list_clear(&instances);
    pick_free(&p);
    return status;
}

const figure_kind figure_kind_convergence = {
    .name = "convergence",
    .summary = "residual against time and products with A, one figure per problem",
    .scope = FIGURE_OF_TABLE,
    .make = convergence_make,
};
