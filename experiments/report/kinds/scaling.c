/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/scaling.c: cost against size, one panel per family of problems, with a power law
 * fitted for each solver. Problems of several families are never fitted together. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/kinds/profiles.h"
#include "experiments/report/statistics.h"

enum { SCALING_SIZES = 3, SCALING_PANELS = 12 };

typedef struct scaling_work {
    const stored_runs *s;
    const run_table *t;
    const char *x, *y;
    double spread; /* of the sizes: a factor */
    size_t failures, runs;
} scaling_work;

/* The size of an instance: that of its first run that has one. Contacts of a scene vary a little
 * from solver to solver, which makes no sizes. */
static double scaling_size(const scaling_work *w, size_t i, const char *problem)
{
    for (size_t s = 0; s < w->t->labels.count; s++) {
        const stored_run *run = run_at(w->t, i, s);
        double x = run ? run_field_number(run, w->x) : NAN;

        if (x > 0.0 && strcmp(run->problem, problem) == 0) {
            return x;
        }
    }
    return NAN;
}

/* True when the instances of a problem have at least three sizes, over a factor of `spread`. */
static bool scaling_has_sizes(const scaling_work *w, const char *problem, double spread)
{
    double seen[SCALING_SIZES], least = INFINITY, most = 0.0;
    size_t count = 0;

    for (size_t i = 0; i < w->t->instances.count; i++) {
        double x = scaling_size(w, i, problem);
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

/* The fitted line over the sizes of its runs, and its slope for the name of the points. */
static void scaling_line(figure_panel *panel, const stored_run *run,
                         const scaling_fit *fit, char *slope, size_t length)
{
    figure_series *line = figure_add_series(panel, FIGURE_LINE, "");
    const double ends[] = {fit->least, fit->most};

    figure_series_of(line, run_owner(run), run_is_warm(run));
    for (size_t k = 0; k < 2; k++) {
        figure_point_add(line, ends[k],
                         pow(10.0, fit->intercept + fit->slope * log10(ends[k])));
    }
    snprintf(slope, length, " %.2f±%.2f", fit->slope, (fit->high - fit->low) / 2.0);
}

/* The runs of solver s on the problems of one family. */
static perp_status scaling_series(scaling_work *w, figure_panel *panel, size_t s,
                                  const char *problem, perp_error *err)
{
    const run_table *t = w->t;
    figure_series *series = NULL;
    const stored_run *first = NULL;
    scaling_fit *fits = NULL;
    size_t count = 0;
    char slope[48] = "";
    perp_status status = scaling_fits_new(&fits, &count, t, s, w->x, w->y, err);

    for (size_t i = 0; i < t->instances.count && status == PERP_OK; i++) {
        const stored_run *run = run_at(t, i, s);
        double x = run && run->applicable ? run_field_number(run, w->x) : NAN;
        double y = run ? run_field_number(run, w->y) : NAN;

        if (!(x > 0.0) || strcmp(run->problem, problem) != 0) {
            continue;
        }
        if (!series) {
            first = run;
            series = figure_add_series(panel, FIGURE_POINTS, t->labels.names[s]);
            figure_series_of(series, run_owner(run), run_is_warm(run));
        }
        w->runs++;
        if (run->solved && y > 0.0) {
            figure_point_add(series, x, y);
        } else {
            figure_failure_add(series, x);
            w->failures++;
        }
    }
    for (size_t k = 0; k < count && series; k++) {
        if (strcmp(fits[k].problem, problem) == 0) {
            size_t length = strlen(series->name);

            scaling_line(panel, first, &fits[k], slope, sizeof slope);
            snprintf(series->name + length, sizeof series->name - length, "%s", slope);
        }
    }
    free(fits);
    return status;
}

static perp_status scaling_panels(scaling_work *w, figure *f, const name_list *problems,
                                  perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < problems->count && status == PERP_OK; k++) {
        figure_panel *panel = NULL;

        if (f->count == SCALING_PANELS ||
            !scaling_has_sizes(w, problems->names[k], w->spread)) {
            continue;
        }
        panel = figure_add_panel(f, problems->names[k]);
        pick_axis(&panel->x, w->s, w->x, FIGURE_LOG10);
        pick_axis(&panel->y, w->s, w->y, FIGURE_LOG10);
        for (size_t s = 0; s < w->t->labels.count && status == PERP_OK; s++) {
            status = scaling_series(w, panel, s, problems->names[k], err);
        }
    }
    if (f->count == 1) {
        f->panels[0]->title[0] = '\0'; /* the caption names it */
    }
    return status;
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

static perp_status scaling_draw(scaling_work *w, figure_book *book,
                                const figure_source *source, const figure_order *order,
                                const name_list *problems, perp_error *err)
{
    char name[FIGURE_NAME], number[48], label[FIGURE_TEXT], failures[2 * FIGURE_TEXT];
    figure *f = NULL;
    perp_status status = PERP_OK;

    /* What varies little is no size, unless it was asked for. */
    w->spread = order ? 1.0 : 4.0;
    w->x = order && *order->x ? order->x : scaling_usual_x(w, problems);
    w->y = order && *order->y       ? order->y
           : strcmp(w->x, "n") == 0 ? "seconds"
                                    : "step_seconds.median";
    f = figure_add(book, "scaling", pick_name(name, "scaling", source, order, ""));
    status = scaling_panels(w, f, problems, err);
    snprintf(label, sizeof label, "%s", field_label(w->y));
    figure_set_caption(
        f,
        "%s against %s: set %s, one family of problems per panel%s%s, tolerance %s. A "
        "point is a solved run.%s Lines are power laws fitted to the points by least "
        "squares; the number after a name is the exponent with its 95 %% interval.",
        pick_capital(label), field_label(w->x), w->t->set, f->count == 1 ? ": " : "",
        f->count == 1 ? problems->names[0] : "",
        figure_number(number, sizeof number, w->t->tolerance, 3),
        pick_failures(failures, w->failures, w->runs, ""));
    if (status == PERP_OK && figure_is_empty(f)) {
        figure_drop(book);
        return order
                   ? perp_fail(err, PERP_ERR_DATA,
                               "figure scaling: no problem of set %s has three values of "
                               "%s, with numbers as %s",
                               w->t->set, w->x, w->y)
                   : PERP_OK;
    }
    return status;
}

static perp_status scaling_make(figure_book *book, const figure_source *source,
                                const figure_order *order, perp_error *err)
{
    run_table t;
    scaling_work w = {.s = source->runs, .t = &t};
    name_list problems = {.count = 0};
    bool good = true;
    perp_status status = profile_select(&t, source, order, err);

    if (status != PERP_OK) {
        return status;
    }
    for (size_t k = 0; k < t.instances.count * t.labels.count && good; k++) {
        good = !t.cell[k] || name_list_add(&problems, t.cell[k]->problem);
    }
    status = good
                 ? scaling_draw(&w, book, source, order, &problems, err)
                 : perp_fail(err, PERP_ERR_MEMORY, "no memory for the names of problems");
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
