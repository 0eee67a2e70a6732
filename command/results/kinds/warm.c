/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/warm.c: what warm starts save: iterations of each step relative to the cold start
 * of the same solver. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/pick.h"
#include "command/results/warm.h"

/* A solver with a policy over the sequences of a table. */
typedef struct saving {
    double *ratios; /* of the steps that both solved */
    size_t count, room, steps, failed;
    double warm, cold; /* iterations over these steps */
} saving;

/* Add the steps of a run to those of its solver. */
static void saving_add(saving *v, const stored_run *run, const stored_run *cold)
{
    TAKE_ROOM(v->ratios, v->room, v->count + run->steps + 1);
    v->steps += run->steps;
    for (size_t i = 0; i < run->steps; i++) {
        double mine = NAN, base = NAN;
        bool solved = warm_step(run, i, &mine);
        bool both = cold && warm_step(cold, i, &base) && solved;

        v->failed += !solved;
        if (both && base > 0.0 && mine >= 0.0) {
            v->ratios[v->count++] = mine / base;
            v->warm += mine;
            v->cold += base;
        }
    }
}

/* The box of a solver: median, quartiles and extremes of its steps. */
static void saving_box(figure_panel *panel, const stored_run *run, saving *v)
{
    figure_series *s = figure_add_series(panel, FIGURE_BOXES, "");
    double y = figure_category(&panel->y, run->solver_label);

    figure_series_of(s, run_owner(run), true);
    if (v->count > 0) {
        quartiles q = quartiles_of(v->ratios, v->count); /* sorts them */
        double least = v->ratios[0], most = v->ratios[v->count - 1];

        figure_point_full(s, (figure_point){q.median, y, isnan(q.low) ? least : q.low,
                                            isnan(q.high) ? most : q.high, least, most,
                                            v->warm / v->cold});
    }
}

/* The box of the solver and policy of a run, unless an earlier run of the table had it. `totals`:
 * steps, and those that failed; `lost`: by which solvers. */
static void warm_series(figure_panel *panel, const figure_source *source,
                        const run_pick *p, size_t k, size_t totals[2],
                        char lost[FIGURE_TEXT])
{
    const stored_run *run = p->runs[k];
    saving v = {.ratios = NULL};

    for (size_t i = 0; i < k; i++) {
        if (strcmp(p->runs[i]->label, run->label) == 0) {
            return;
        }
    }
    for (size_t i = k; i < p->count; i++) {
        if (strcmp(p->runs[i]->label, run->label) == 0) {
            saving_add(&v, p->runs[i], warm_cold_of(source->runs, p->runs[i]));
        }
    }
    saving_box(panel, run, &v);
    totals[0] += v.steps;
    totals[1] += v.failed;
    if (v.failed > 0) {
        size_t used = strlen(lost);

        snprintf(lost + used, FIGURE_TEXT - used, "%s%s %zu", used ? ", " : "",
                 run->solver_label, v.failed);
    }
    free(v.ratios);
}

static perp_status warm_draw(figure_book *book, const figure_source *source,
                             const figure_order *order, const run_pick *p,
                             perp_error *err)
{
    char number[48];
    figure *f = pick_figure(book, "warm", source, order, "");
    figure_panel *panel = figure_add_panel(f, "");
    figure_series *guide = figure_add_series(panel, FIGURE_GUIDE, "");
    size_t totals[2] = {0, 0};
    char lost[FIGURE_TEXT] = "";

    figure_axis_set(&panel->x, "iterations, warm / cold", "", FIGURE_LINEAR);
    figure_axis_set(&panel->y, "", "", FIGURE_CATEGORIES);
    panel->x.low = 0.0;
    panel->y.reversed = true; /* the first solver on top */
    for (size_t k = 0; k < p->count; k++) {
        if (run_is_warm(p->runs[k])) {
            warm_series(panel, source, p, k, totals, lost);
        }
    }
    figure_point_add(guide, 1.0, -0.5);
    figure_point_add(guide, 1.0, (double)panel->y.name_count - 0.5);
    figure_set_caption(
        f,
        "Iterations of a step started from the previous solution, relative to the same "
        "step started from zero by the same solver: median, quartiles and extremes over "
        "the steps that both solved. Set %s, tolerance %s. Of %zu step%s started warm "
        "%zu failed%s%s.",
        source->set, figure_number(number, sizeof number, source->table->tolerance, 3),
        totals[0], perp_plural(totals[0]), totals[1], *lost ? ": " : "", lost);
    if (figure_is_empty(f)) {
        figure_drop(book);
        return perp_fail(
            err, PERP_ERR_DATA,
            "figure warm: set %s has no sequence with the policies warm and cold",
            source->set);
    }
    return PERP_OK;
}

static perp_status warm_make(figure_book *book, const figure_source *source,
                             const figure_order *order, perp_error *err)
{
    run_pick p;
    perp_status status = PERP_OK;

    pick_runs(&p, source, order);
    status = warm_draw(book, source, order, &p, err);
    pick_free(&p);
    return status;
}

const figure_kind figure_kind_warm = {
    .name = "warm",
    .summary = "iterations of warm steps relative to cold ones, by solver",
    .scope = FIGURE_OF_TABLE,
    .usual = true,
    .make = warm_make,
};
