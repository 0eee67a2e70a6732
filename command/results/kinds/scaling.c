/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/scaling.c: cost against size, one panel per family of problems: medians, and a power
 * law fitted for each solver. Problems of several families are never fitted together. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/kinds/medians.h"
#include "command/results/kinds/profiles.h"
#include "command/results/statistics.h"

enum { SCALING_SIZES = 3, SCALING_PANELS = 12 };

typedef struct scaling_work {
    const stored_runs *s;
    const run_table *t;
    const char *x, *y;
    double spread; /* of the sizes: a factor */
    size_t failures, runs, lacking;
    double limit;         /* of the runs of a panel */
    median_point *points; /* of one solver */
    double *scratch;
} scaling_work;

/* True when the instances of a problem have at least three sizes, over a factor of `spread`. */
static bool scaling_has_sizes(const scaling_work *w, const char *problem, double spread)
{
    double seen[SCALING_SIZES], least = INFINITY, most = 0.0;
    size_t count = 0;

    for (size_t i = 0; i < w->t->instances.count; i++) {
        double x = scaling_size(w->t, i, problem, w->x);
        bool is_new = x > 0.0 && count < SCALING_SIZES;

        for (size_t j = 0; j < count && is_new; j++) {
            is_new = seen[j] != x;
        }
        if (is_new) {
            seen[count++] = x;
        }
        least = fmin(least, x); /* fmin and fmax ignore a NAN */
        most = fmax(most, x);
    }
    return count == SCALING_SIZES && most >= spread * least;
}

/* The fitted line over the sizes of its runs, and its slope for the name of the curve. */
static void scaling_line(figure_panel *panel, const stored_run *run,
                         const scaling_fit *fit, figure_series *curve)
{
    figure_series *line = pick_series(panel, FIGURE_GUIDE, "", run);
    const double ends[] = {fit->least, fit->most};
    size_t length = strlen(curve->name);

    for (size_t k = 0; k < 2; k++) {
        figure_point_add(line, ends[k],
                         pow(10.0, fit->intercept + fit->slope * log10(ends[k])));
    }
    snprintf(curve->name + length, sizeof curve->name - length, " %.2f±%.2f", fit->slope,
             (fit->high - fit->low) / 2.0);
}

/* The runs of solver s on the problems of one family; *first is one of them. */
static size_t scaling_points(scaling_work *w, size_t s, const char *problem,
                             const stored_run **first)
{
    size_t count = 0;

    for (size_t i = 0; i < w->t->instances.count; i++) {
        const stored_run *run = run_at(w->t, i, s);
        double x = scaling_size(w->t, i, problem, w->x);
        double y = run ? median_value(run, w->y) : NAN;

        if (!run || !run->applicable || strcmp(run->problem, problem) != 0 ||
            !(x > 0.0)) {
            continue;
        }
        *first = *first ? *first : run;
        limit_join(&w->limit, run);
        w->runs++;
        w->failures += !run->solved;
        w->lacking += run->solved && !(y > 0.0);
        w->points[count++] =
            (median_point){x, y > 0.0 ? y : NAN, !run->solved, run->problem};
    }
    return count;
}

static void scaling_series(scaling_work *w, figure_panel *panel, size_t s,
                           const char *problem)
{
    const stored_run *first = NULL;
    size_t points = scaling_points(w, s, problem, &first), count = 0;
    scaling_fit *fits = NULL;
    figure_series *series = NULL;

    fits = scaling_fits_new(&count, w->t, s, w->x, w->y);
    if (first) {
        series = pick_series(panel, FIGURE_CURVE, w->t->labels.names[s], first);
        medians_add(series, w->points, points, w->scratch);
    }
    for (size_t k = 0; k < count && series; k++) {
        if (strcmp(fits[k].problem, problem) == 0) {
            scaling_line(panel, first, &fits[k], series);
        }
    }
    free(fits);
}

static void scaling_panels(scaling_work *w, figure *f, const name_list *problems)
{
    for (size_t k = 0; k < problems->count; k++) {
        figure_panel *panel = NULL;

        if (f->count == SCALING_PANELS ||
            !scaling_has_sizes(w, problems->names[k], w->spread)) {
            continue;
        }
        panel = figure_add_panel(f, problems->names[k]);
        pick_axis(&panel->x, w->s, w->x, FIGURE_LOG10);
        pick_axis(&panel->y, w->s, w->y, FIGURE_LOG10);
        w->limit = NAN;
        for (size_t s = 0; s < w->t->labels.count; s++) {
            scaling_series(w, panel, s, problems->names[k]);
        }
        if (strcmp(w->y, "seconds") == 0) {
            limit_draw(panel, w->limit);
        }
    }
    if (f->count == 1) {
        f->panels[0]->title[0] = '\0'; /* the caption names it */
    }
}

/* The first of these that runs have, of several sizes: rows of a problem, contacts, bodies or
 * links of a scene. */
static const char *scaling_usual_x(const scaling_work *w, const name_list *problems)
{
    static const char *const fields[] = {"n", "contacts_mean", "bodies", "links"};

    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        scaling_work with = *w;

        with.x = fields[k];
        for (size_t i = 0; i < problems->count; i++) {
            if (scaling_has_sizes(&with, problems->names[i], w->spread)) {
                return fields[k];
            }
        }
    }
    return "n";
}

/* Time per step where runs have one: of scenes. */
static const char *scaling_usual_y(const run_table *t)
{
    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        if (t->cell[k] && isfinite(run_field_number(t->cell[k], "step_seconds.median"))) {
            return "step_seconds.median";
        }
    }
    return "seconds";
}

static void scaling_caption(const scaling_work *w, figure *f, const name_list *problems)
{
    char number[48], label[FIGURE_TEXT], failures[2 * FIGURE_TEXT], lacking[FIGURE_TEXT];

    snprintf(label, sizeof label, "%s", field_label(w->y));
    figure_set_caption(
        f,
        "%s against %s: set %s, one family of problems per panel%s%s, tolerance "
        "%s. " MEDIANS_CAPTION "%s%s Dashed lines in the colour of a solver are power "
        "laws, fitted by least squares to the runs at the sizes where it solves all "
        "problems; the number after a name is the exponent with its 95 %% interval.",
        pick_capital(label), field_label(w->x), w->t->set, f->count == 1 ? ": " : "",
        f->count == 1 ? problems->names[0] : "",
        figure_number(number, sizeof number, w->t->tolerance, 3),
        pick_failures(failures, w->failures, w->runs, ""),
        pick_lacking(lacking, w->lacking, w->y));
}

static perp_status scaling_draw(scaling_work *w, figure_book *book,
                                const figure_source *source, const figure_order *order,
                                const name_list *problems, perp_error *err)
{
    figure *f = NULL;

    /* What varies little is no size, unless it was asked for. */
    w->spread = *order->kind ? 1.0 : 4.0;
    w->x = *order->x ? order->x : scaling_usual_x(w, problems);
    w->y = *order->y ? order->y : scaling_usual_y(w->t);
    f = pick_figure(book, "scaling", source, order, "");
    scaling_panels(w, f, problems);
    scaling_caption(w, f, problems);
    if (f->count == 0 || w->failures + w->lacking == w->runs) {
        bool none = f->count == 0;

        figure_drop(book);
        if (none && !runs_have_field(w->s, w->t->set, w->x)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "figure scaling: no run of set %s has a field \"%s\"",
                             w->t->set, w->x);
        }
        return perp_fail(
            err, PERP_ERR_DATA,
            none ? "figure scaling: no problem of set %s has three values of %s; sizes "
                   "of one problem are one entry of the suite, with \"vary\""
                 : "figure scaling: no solved run of set %s has a number as %s",
            w->t->set, none ? w->x : w->y);
    }
    return PERP_OK;
}

static perp_status scaling_make(figure_book *book, const figure_source *source,
                                const figure_order *order, perp_error *err)
{
    run_table t;
    scaling_work w = {.s = source->runs, .t = &t};
    name_list problems = {.count = 0};
    perp_status status = PERP_OK;

    profile_select(&t, source, order);
    w.points = take(t.instances.count + 1, sizeof *w.points);
    w.scratch = take(t.instances.count + 1, sizeof *w.scratch);
    for (size_t k = 0; k < t.instances.count * t.labels.count; k++) {
        if (t.cell[k]) {
            name_list_add(&problems, t.cell[k]->problem);
        }
    }
    status = scaling_draw(&w, book, source, order, &problems, err);
    free(w.points);
    free(w.scratch);
    name_list_clear(&problems);
    run_table_free(&t);
    return status;
}

const figure_kind figure_kind_scaling = {
    .name = "scaling",
    .summary = "time (y) against rows or contacts (x) with fitted power laws, by family",
    .scope = FIGURE_OF_TABLE,
    .usual = true,
    .members = "x|y",
    .make = scaling_make,
};
