/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/profiles.c: figures of profiles: what the four kinds of them share.
 *
 * A curve is a staircase: it stands at k of the problems taken from the k-th value on. It begins
 * at the left end of the axis and reaches to the right end, since its last share holds for every
 * larger cost; failures keep it below 1. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/profiles.h"

/* Is there a run of the order among these cells? */
static bool select_any(const run_table *t, size_t first, size_t stride, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const stored_run *run = t->cell[first + k * stride];

        if (run && run != &run_left_out) {
            return true;
        }
    }
    return false;
}

/* The rows and columns of `out`, whose cells are those of `t`, that have a run of the order. */
static void select_names(run_table *out, const run_table *t)
{
    size_t labels = t->labels.count, used = 0;

    for (size_t s = 0; s < labels; s++) {
        if (select_any(out, s, labels, t->instances.count)) {
            name_list_add(&out->labels, t->labels.names[s]);
        }
    }
    for (size_t i = 0; i < t->instances.count; i++) {
        if (!select_any(out, i * labels, 1, labels)) {
            continue;
        }
        name_list_add(&out->instances, t->instances.names[i]);
        for (size_t s = 0; s < labels; s++) {
            if (name_list_find(&out->labels, t->labels.names[s]) < out->labels.count) {
                out->cell[used++] = out->cell[i * labels + s];
            }
        }
    }
}

void profile_select(run_table *out, const figure_source *source,
                    const figure_order *order)
{
    const run_table *t = source->table;
    size_t cells = t->instances.count * t->labels.count;

    *out = *t;
    out->instances = out->labels = (name_list){.count = 0};
    out->cell = take(cells + 1, sizeof *out->cell);
    for (size_t k = 0; k < cells; k++) {
        const stored_run *run = t->cell[k];

        out->cell[k] = run && !run_fulfils(run, order->where) ? &run_left_out : run;
    }
    select_names(out, t);
}

/* The ends of the axis: a little beyond the values, and never narrower than a factor of two. */
static void profile_ends(const profile *p, const profile_look *look, double *low,
                         double *high)
{
    double least = look->relative || !(p->least > 0.0) ? 1.0 : p->least;
    double most = p->most >= least ? p->most : least;
    double beyond = fmax(pow(most / least, 0.06), 1.15);

    *low = look->relative ? 1.0 : least / beyond;
    *high = fmax(most * beyond, 2.0 * least);
}

void profile_panel(figure_panel *panel, const run_table *t, const profile *p,
                   const profile_look *look)
{
    double low, high;

    profile_ends(p, look, &low, &high);
    figure_axis_set(&panel->x, look->x, "", look->scale);
    figure_axis_set(&panel->y, "share of problems", "", FIGURE_LINEAR);
    panel->x.low = low;
    panel->x.high = high;
    panel->y.low = 0.0;
    panel->y.high = 1.0;
    panel->x.reversed = look->reversed;
    for (size_t k = 0; k < p->count; k++) {
        const profile_curve *c = &p->curves[k];
        figure_series *s = figure_add_series(panel, FIGURE_STEPS, c->label);
        const stored_run *run = NULL;

        for (size_t i = 0; i < t->instances.count && (!run || !run->applicable); i++) {
            run = run_at(t, i, c->column);
        }
        if (run) {
            figure_series_of(s, run_owner(run), run_is_warm(run));
        }
        if (c->solved == 0 || c->values[0] > low) {
            figure_point_add(s, low, 0.0);
        }
        for (size_t v = 0; v < c->solved; v++) {
            if (v + 1 == c->solved || c->values[v + 1] > c->values[v]) {
                figure_point_add(s, c->values[v], (double)(v + 1) / (double)c->taken);
            }
        }
        figure_point_add(s, high, (double)c->solved / (double)c->taken);
    }
}

char *profile_counts(const profile *p)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = take_stream(&text, &length);

    for (size_t k = 0; k < p->count; k++) {
        const profile_curve *c = &p->curves[k];

        fprintf(f, "%s%s %zu of %zu", k ? ", " : "", c->label, c->solved, c->taken);
        if (c->inapplicable > 0) {
            fprintf(f, " (%zu not applicable)", c->inapplicable);
        }
    }
    take_stream_end(f);
    return text;
}

static void profile_caption(figure *f, const profile *p, const run_table *t,
                            const profile_look *look)
{
    char *counts = profile_counts(p);
    char number[48], unsolved[FIGURE_TEXT] = "";

    if (p->unsolved > 0) {
        snprintf(unsolved, sizeof unsolved, ", of which no solver solves %zu",
                 p->unsolved);
    }
    figure_set_caption(
        f,
        "%s Set %s, %zu problem%s%s, tolerance %s. A failure is never reached, and the "
        "share is over the problems that a solver takes. Solved: %s. %s",
        look->caption, t->set, p->problems, perp_plural(p->problems), unsolved,
        figure_number(number, sizeof number, t->tolerance, 3), counts, PICK_RESIDUAL);
    free(counts);
}

/* Add the figure of a profile that was made. */
static perp_status profile_add(figure_book *book, const figure_source *source,
                               const figure_order *order, const profile_look *look,
                               const run_table *t, const profile *p, perp_error *err)
{
    figure *f = NULL;

    if (p->problems < PROFILE_LEAST) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure %s: set %s has %zu problem%s, expected at least %d",
                         look->kind, t->set, p->problems, perp_plural(p->problems),
                         PROFILE_LEAST);
    }
    if (isnan(p->most)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure %s: no solver solved a problem of set %s", look->kind,
                         t->set);
    }
    f = pick_figure(book, look->kind, source, order, "");
    profile_panel(figure_add_panel(f, ""), t, p, look);
    profile_caption(f, p, t, look);
    return PERP_OK;
}

perp_status profile_figure(figure_book *book, const figure_source *source,
                           const figure_order *order, const profile_look *look,
                           perp_error *err)
{
    const profile_request request = {.cost = look->cost, .relative = look->relative};
    run_table t;
    profile p;
    perp_status status = PERP_OK;

    profile_select(&t, source, order);
    profile_make(&p, &t, &request);
    status = profile_add(book, source, order, look, &t, &p, err);
    profile_free(&p);
    run_table_free(&t);
    return status;
}
