/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/run.c: a run over time: penetration, energy, residual, iterations; and the drift
 * of its joints. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/result.h>

#include "base/base.h"
#include "command/results/kinds/rounding.h"
#include "command/results/kinds/trace.h"

enum { RUN_CURVES = 4 };

/* A panel of the figure: metrics as curves, or their peaks as points. */
static const struct {
    const char *label, *unit;
    struct {
        const char *metric, *name;
    } curves[RUN_CURVES];
    bool start;    /* the start has a value: nothing is solved there */
    bool peaks;    /* the largest value of a stretch, on a logarithmic axis */
    bool failures; /* of steps that were not solved */
} panels[] = {
    {.label = "penetration", .unit = "m", .curves = {{"penetration", ""}}},
    {.label = "drift of joints",
     .unit = "m",
     .curves = {{"drift-length", ""}},
     .start = true,
     .peaks = true},
    {.label = "drift of joints",
     .unit = "rad",
     .curves = {{"drift-angle", ""}},
     .start = true,
     .peaks = true},
    {.label = "energy",
     .unit = "J",
     .curves = {{"kinetic", "kinetic"},
                {"potential", "potential"},
                {"stored", "stored"},
                {"energy", "total"}},
     .start = true},
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

/* A figure while it is made. */
typedef struct run_work {
    const trace *t;
    figure *f;
    size_t unsolved;
    rounding noise, constant; /* "iterations 1" */
} run_work;

/* The size that the values of a panel are compared with. */
static double run_scale(const trace *t, size_t panel, double *const values[RUN_CURVES])
{
    double most = 0.0;

    if (strcmp(panels[panel].unit, "m") == 0) {
        return t->length;
    }
    for (size_t k = 0; k < RUN_CURVES && strcmp(panels[panel].unit, "J") == 0; k++) {
        for (size_t i = 0; values[k] && i < t->steps; i++) {
            most = fmax(most, fabs(values[k][i]));
        }
    }
    return most > 0.0 ? most : 1.0;
}

/* Is the only curve of the panel the same number in all of several steps, which were solved? */
static bool run_is_constant(const trace *t, size_t panel, const double *values)
{
    bool same = !panels[panel].curves[1].metric && t->steps > t->start + 1;

    for (size_t i = t->start; i < t->steps && same; i++) {
        same = values[i] == values[t->start] &&
               (!panels[panel].failures || t->outcome[i] == PERP_SOLVED);
    }
    return same;
}

/* A curve; what is 0 throughout has none, and what is rounding or constant is named. */
static void run_add(run_work *w, figure_panel **p, size_t k, size_t curve, double scale,
                    const double *values)
{
    const char *name = panels[k].curves[curve].name;
    rounding_kind kind = rounding_of(values, w->t->steps, scale);

    if (kind == ROUNDING_NOISE) {
        rounding_add(&w->noise, "%s%s%s%s%s%s", *name ? name : "", *name ? " " : "",
                     panels[k].label, *panels[k].unit ? " [" : "", panels[k].unit,
                     *panels[k].unit ? "]" : "");
    } else if (kind == ROUNDING_NONE && run_is_constant(w->t, k, values)) {
        char number[48];

        rounding_add(&w->constant, "%s %s%s%s", panels[k].label,
                     figure_number(number, sizeof number, values[w->t->start], 6),
                     *panels[k].unit ? " " : "", panels[k].unit);
    } else if (kind == ROUNDING_NONE) {
        if (!*p) {
            *p = trace_panel(w->f, panels[k].label, panels[k].unit,
                             panels[k].peaks ? FIGURE_LOG10 : FIGURE_LINEAR);
        }
        run_curve(*p, w->t, k, curve, values, &w->unsolved);
    }
}

/* A panel without a curve is left out. */
static perp_status run_panel(run_work *w, size_t k)
{
    figure_panel *p = NULL;
    double *values[RUN_CURVES] = {NULL};
    perp_status status = PERP_OK;
    size_t count = 0;

    while (status == PERP_OK && count < RUN_CURVES && panels[k].curves[count].metric) {
        status = trace_read(w->t, panels[k].curves[count].metric, &values[count]);
        if (status == PERP_OK && w->t->start && !panels[k].start) {
            values[count][0] = NAN;
        }
        count++;
    }
    for (size_t i = 0; i < count && status == PERP_OK; i++) {
        run_add(w, &p, k, i, run_scale(w->t, k, values), values[i]);
    }
    for (size_t i = 0; i < count; i++) {
        free(values[i]);
    }
    return status;
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

static void run_caption(const run_work *w)
{
    const trace *t = w->t;
    const size_t steps = t->steps - t->start;
    char each[FIGURE_NAME] = "every step", failed[FIGURE_TEXT], noise[ROUNDING_TEXT];

    run_unsolved(failed, w->unsolved);
    if (t->stretch > 1) {
        snprintf(each, sizeof each, "the last of each %zu steps and bands their range",
                 t->stretch);
    }
    figure_set_caption(
        w->f,
        "The run %s over time, %zu step%s. Curves show %s; residuals and drift are the "
        "largest. What is 0 throughout has no panel.%s%s%s%s %s",
        t->path, steps, perp_plural(steps), each, rounding_sentence(&w->noise, noise),
        *w->constant.names ? " Constant, and not drawn: " : "", w->constant.names,
        *w->constant.names ? "." : "", failed);
}

static perp_status run_make(figure_book *book, const figure_source *source,
                            const figure_order *order, perp_error *err)
{
    trace t;
    run_work w = {.t = &t};
    perp_status status = trace_open(&t, source->path, err);

    if (status == PERP_OK) {
        w.f = trace_figure(book, "run", order);
        w.f->columns = 1;
        for (size_t k = 0; k < RUN_PANELS && status == PERP_OK; k++) {
            status = run_panel(&w, k);
        }
        run_caption(&w);
        status = status == PERP_OK ? trace_end(&t, book, order) : status;
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
