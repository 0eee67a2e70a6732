/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/share.c: what became of the problems of a set: solved, solved its approximation
 * only, failed, not applicable; one bar per solver. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "command/results/kinds/profiles.h"

/* From the left end of a bar to the right. */
enum { SHARE_SOLVED, SHARE_APPROXIMATION, SHARE_FAILED, SHARE_INAPPLICABLE, SHARE_PARTS };
static const char *const share_names[SHARE_PARTS] = {"solved", "solved its approximation",
                                                     "failed", "not applicable"};

static int share_part(const stored_run *run)
{
    if (!run->applicable) {
        return SHARE_INAPPLICABLE;
    }
    if (run->solved) {
        return SHARE_SOLVED;
    }
    return run->residual <= run->tolerance && strcmp(run->outcome, "solved") == 0
               ? SHARE_APPROXIMATION
               : SHARE_FAILED;
}

/* How many problems of solver s went which way. */
static void share_count(const run_table *t, size_t s, size_t counts[SHARE_PARTS])
{
    memset(counts, 0, SHARE_PARTS * sizeof *counts);
    for (size_t i = 0; i < t->instances.count; i++) {
        const stored_run *run = run_at(t, i, s);

        if (run != &run_left_out) {
            counts[run ? share_part(run) : SHARE_FAILED]++;
        }
    }
}

/* The pieces of one part, from the end of the part before it on. */
static void share_bars(figure_panel *panel, const run_table *t, int part)
{
    figure_series *series = NULL;

    for (size_t s = 0; s < t->labels.count; s++) {
        size_t counts[SHARE_PARTS];
        double base = 0.0, y = figure_category(&panel->y, t->labels.names[s]);

        share_count(t, s, counts);
        for (int k = 0; k < part; k++) {
            base += (double)counts[k];
        }
        if (counts[part] > 0) {
            double end = base + (double)counts[part];

            if (!series) {
                series = figure_add_series(panel, FIGURE_BARS, share_names[part]);
            }
            figure_point_full(series, (figure_point){end, y, base, end, NAN, NAN,
                                                     (double)counts[part]});
        }
    }
}

/* How many problems went each way, all solvers together. */
static void share_totals(const run_table *t, size_t totals[SHARE_PARTS])
{
    memset(totals, 0, SHARE_PARTS * sizeof *totals);
    for (size_t s = 0; s < t->labels.count; s++) {
        size_t counts[SHARE_PARTS];

        share_count(t, s, counts);
        for (int part = 0; part < SHARE_PARTS; part++) {
            totals[part] += counts[part];
        }
    }
}

static void share_add(figure_book *book, const figure_source *source,
                      const figure_order *order, const run_table *t,
                      const size_t totals[SHARE_PARTS])
{
    char number[48];
    figure *f = pick_figure(book, "share", source, order, "");
    figure_panel *panel = figure_add_panel(f, "");

    figure_axis_set(&panel->x, "problems", "", FIGURE_LINEAR);
    figure_axis_set(&panel->y, "", "", FIGURE_CATEGORIES);
    panel->x.low = 0.0;
    panel->x.high = (double)t->instances.count;
    panel->y.reversed = true; /* the first solver on top */
    for (int part = 0; part < SHARE_PARTS; part++) {
        share_bars(panel, t, part);
    }
    figure_set_caption(
        f, "What became of the %zu problem%s of set %s, tolerance %s.%s%s %s",
        t->instances.count, perp_plural(t->instances.count), t->set,
        figure_number(number, sizeof number, t->tolerance, 3),
        totals[SHARE_APPROXIMATION] > 0 ? " Solved its approximation: the pyramid or box "
                                          "that stands for the cone was "
                                          "solved, the problem as given was not."
                                        : "",
        totals[SHARE_INAPPLICABLE] > 0 ? " Not applicable: the solver does not take the "
                                         "problem, which counts neither "
                                         "as solved nor as failed."
                                       : "",
        PICK_RESIDUAL);
}

static perp_status share_make(figure_book *book, const figure_source *source,
                              const figure_order *order, perp_error *err)
{
    size_t totals[SHARE_PARTS];
    bool shows = false;
    run_table t;
    perp_status status = PERP_OK;

    profile_select(&t, source, order);
    share_totals(&t, totals);
    /* Where all is solved there is nothing to see. */
    for (int part = SHARE_SOLVED + 1; part < SHARE_PARTS; part++) {
        shows = shows || totals[part] > 0;
    }
    if (*order->kind ? t.labels.count > 0 : shows && t.instances.count >= PROFILE_LEAST) {
        share_add(book, source, order, &t, totals);
    } else {
        status = perp_fail(err, PERP_ERR_DATA,
                           "figure share: no run of set %s is as ordered", t.set);
    }
    run_table_free(&t);
    return status;
}

const figure_kind figure_kind_share = {
    .name = "share",
    .summary = "problems solved, solved as an approximation, failed, not applicable",
    .scope = FIGURE_OF_TABLE,
    .usual = true,
    .make = share_make,
};
