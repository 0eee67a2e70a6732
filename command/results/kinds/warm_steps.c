/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/warm_steps.c: iterations of each step of a sequence, cold and warm: one figure per
 * sequence, one panel per solver. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/results/kinds/pick.h"
#include "command/results/warm.h"

static void steps_series(figure_panel *panel, const stored_run *run)
{
    figure_series *s = pick_series(panel, FIGURE_LINE, run->policy, run);

    for (size_t i = 0; i < run->steps; i++) {
        double iterations = NAN;

        if (!warm_step(run, i, &iterations)) {
            figure_failure_add(s, (double)i);
        } else if (isfinite(iterations)) {
            figure_point_add(s, (double)i, iterations);
        }
    }
}

/* The panel of a solver: every policy of the sequence. */
static void steps_panel(figure *f, const run_pick *p, const stored_run *of)
{
    figure_panel *panel = figure_add_panel(f, of->solver_label);

    figure_axis_set(&panel->x, "step", "", FIGURE_LINEAR);
    figure_axis_set(&panel->y, "iterations", "", FIGURE_LINEAR);
    panel->y.low = 0.0;
    for (size_t k = 0; k < p->count; k++) {
        if (strcmp(p->runs[k]->instance, of->instance) == 0 &&
            strcmp(p->runs[k]->solver_label, of->solver_label) == 0) {
            steps_series(panel, p->runs[k]);
        }
    }
}

/* The figure of a sequence, from its first run on. */
static void steps_figure(figure_book *book, const figure_source *source,
                         const figure_order *order, const run_pick *p, size_t first)
{
    const char *sequence = p->runs[first]->instance;
    char number[48];
    figure *f = pick_figure(book, "warm-steps", source, order, sequence);

    for (size_t k = first; k < p->count; k++) {
        bool shown = strcmp(p->runs[k]->instance, sequence) != 0;

        for (size_t i = first; i < k && !shown; i++) {
            shown = strcmp(p->runs[i]->instance, sequence) == 0 &&
                    strcmp(p->runs[i]->solver_label, p->runs[k]->solver_label) == 0;
        }
        if (!shown) {
            steps_panel(f, p, p->runs[k]);
        }
    }
    figure_set_caption(
        f,
        "Iterations at each step of the sequence %s (set %s), tolerance %s, one panel "
        "per solver: started from zero (cold) and from the previous solution (warm). "
        "Steps that were not solved are crosses in the strip above the plot.",
        sequence, source->set,
        figure_number(number, sizeof number, source->table->tolerance, 3));
    if (figure_is_empty(f)) {
        figure_drop(book);
    }
}

static perp_status steps_make(figure_book *book, const figure_source *source,
                              const figure_order *order, perp_error *err)
{
    size_t before = book->count;
    run_pick p;
    perp_status status = PERP_OK;

    pick_runs(&p, source, order);
    for (size_t k = 0; status == PERP_OK && k < p.count; k++) {
        bool shown = p.runs[k]->steps == 0;

        for (size_t i = 0; i < k && !shown; i++) {
            shown = strcmp(p.runs[i]->instance, p.runs[k]->instance) == 0;
        }
        if (!shown) {
            steps_figure(book, source, order, &p, k);
        }
    }
    if (status == PERP_OK && book->count == before) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "figure warm-steps: set %s has no sequence as ordered",
                           source->set);
    }
    pick_free(&p);
    return status;
}

const figure_kind figure_kind_warm_steps = {
    .name = "warm-steps",
    .summary = "iterations at each step of a sequence, cold and warm, by solver",
    .scope = FIGURE_OF_TABLE,
    .make = steps_make,
};
