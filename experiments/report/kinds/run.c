/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/run.c: a run over time: penetration, energy, residual, iterations; and the drift
 * of its joints. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "experiments/report/kinds/trace.h"

enum { RUN_CURVES = 4 };

/* A panel of the figure: metrics as curves, or their peaks as points. */
static const struct {
    const char *label, *unit;
    struct {
        const char *metric, *name;
    } curves[RUN_CURVES];
    bool peaks;    /* the largest value of a stretch, on a logarithmic axis */
    bool failures; /* of steps that were not solved */
} panels[] = {
    {.label = "penetration", .unit = "m", .curves = {{"penetration", ""}}},
    {.label = "drift of joints",
     .unit = "m",
     .curves = {{"drift-length", ""}},
     .peaks = true},
    {.label = "drift of joints",
     .unit = "rad",
     .curves = {{"drift-angle", ""}},
     .peaks = true},
    {.label = "energy",
     .unit = "J",
     .curves = {{"kinetic", "kinetic"},
                {"potential", "potential"},
                {"stored", "stored"},
                {"energy", "total"}}},
    {.label = "residual",
     .unit = "",
     .curves = {{"residual", ""}},
     .peaks = true,
     .failures = true},
    {.label = "iterations", .unit = "", .curves = {{"iterations", ""}}, .failures = true},
};
enum { RUN_PANELS = sizeof panels / sizeof *panels };

/* A curve, or the peaks, of a metric. */
static void run_curve(figure_panel *p, const trace *t, size_t panel, size_t curve,
                      const double *values, size_t *unsolved)
{
    figure_series *s =
        figure_add_series(p, FIGURE_LINE, panels[panel].curves[curve].name);

    figure_series_of(s, *s->name ? s->name : "run", false); /* one look for lone curves */
    if (panels[panel].peaks) {
        trace_peaks(t, s, values);
    } else {
        trace_curve(t, s, values);
    }
    if (panels[panel].failures) {
        *unsolved = trace_failures(t, s);
    }
}

static bool run_any(const trace *t, const double *values)
{
    for (size_t i = 0; i < t->steps; i++) {
        if (values[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* What is 0 throughout has no curve, and a panel without a curve is left out. */
static perp_status run_panel(figure *f, const trace *t, size_t k, size_t *unsolved)
{
    figure_panel *p = NULL;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < RUN_CURVES && panels[k].curves[i].metric; i++) {
        double *values = NULL;

        status = trace_read(t, panels[k].curves[i].metric, &values);
        if (status != PERP_OK) {
            return status;
        }
        if (run_any(t, values) && !p) {
            p = figure_add_panel(f, "");
            figure_axis_set(&p->x, "time", "s", FIGURE_LINEAR);
            figure_axis_set(&p->y, panels[k].label, panels[k].unit,
                            panels[k].peaks ? FIGURE_LOG10 : FIGURE_LINEAR);
        }
        if (run_any(t, values)) {
            run_curve(p, t, k, i, values, unsolved);
        }
        free(values);
    }
    return PERP_OK;
}

/* The steps that were not solved, as a sentence. */
static void run_unsolved(char text[FIGURE_TEXT], size_t unsolved)
{
    if (unsolved == 0) {
        snprintf(text, FIGURE_TEXT, "All steps were solved to the tolerance.");
    } else {
        snprintf(text, FIGURE_TEXT,
                 "%zu step%s not solved to the tolerance and marked as %s.", unsolved,
                 unsolved == 1 ? " was" : "s were",
                 unsolved == 1 ? "a failure" : "failures");
    }
}

static perp_status run_make(figure_book *book, const figure_source *source,
                            const figure_order *order, perp_error *err)
{
    trace t;
    char each[FIGURE_NAME] = "every step", failed[FIGURE_TEXT];
    size_t unsolved = 0;
    perp_status status = trace_open(&t, source->path, err);

    if (status == PERP_OK) {
        figure *f = trace_figure(book, "run", order);

        f->columns = 1;
        for (size_t k = 0; k < RUN_PANELS && status == PERP_OK; k++) {
            status = run_panel(f, &t, k, &unsolved);
        }
        run_unsolved(failed, unsolved);
        if (t.stretch > 1) {
            snprintf(each, sizeof each,
                     "the last of each %zu steps and bands their range", t.stretch);
        }
        figure_set_caption(f,
                           "The run %s over time, %zu step%s. Curves show %s; "
                           "residuals and drift are the largest, and at least 10⁻¹⁷. "
                           "What is 0 throughout has no panel. %s",
                           t.path, t.steps, perp_plural(t.steps), each, failed);
    }
    trace_close(&t);
    return status;
}

const figure_kind figure_kind_run = {
    .name = "run",
    .summary = "penetration, drift, energy, residual and iterations of a run over time",
    .scope = FIGURE_OF_RUN,
    .usual = true,
    .make = run_make,
};
