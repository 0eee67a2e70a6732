/* SPDX-License-Identifier: Apache-2.0
 * report/collect.c: which figures are drawn: the usual ones, or those that were ordered. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "command/cli/take.h"
#include "command/results/collect.h"
#include "command/results/kinds/kind.h"
#include "command/results/shared.h"

/* One kind, usual or ordered, while its figures are made. */
typedef struct collecting {
    figure_collection *into;
    const figure_kind *kind;
    const figure_order *order; /* NULL: usual */
    perp_error *missing;       /* what the first order without data misses; filled once */
} collecting;

/* The caption of a figure states which runs its order takes. */
static void collect_where(figure *f, const char *where)
{
    char *caption = take_text(f->caption);

    if (*where) {
        figure_set_caption(f, "%s Only runs with %s.", caption, where);
    }
    free(caption);
}

/* Note the origin of figures that were added since there were `before`, and write the title and
 * the caption of the order. */
static void collect_origins(const collecting *g, size_t before, figure_origin origin)
{
    figure_collection *c = g->into;

    for (size_t k = before; k < c->book.count; k++) {
        TAKE_ROOM(c->origins, c->room, k + 1);
        c->origins[k] = origin;
        if (g->order && *g->order->title) {
            figure_set_title(c->book.figures[k], "%s", g->order->title);
        }
        if (g->order && g->order->caption) {
            figure_set_caption(c->book.figures[k], "%s", g->order->caption);
        } else if (g->order) {
            collect_where(c->book.figures[k], g->order->where);
        }
    }
}

/* The figures of one source. What an order misses is remembered, and no failure. */
static perp_status collect_source(const collecting *g, const figure_source *source,
                                  perp_error *err)
{
    static const figure_order usual = {.tolerance = NAN};
    size_t before = g->into->book.count;
    perp_error why = {0};
    perp_status status =
        g->kind->make(&g->into->book, source, g->order ? g->order : &usual, &why);

    if (status == PERP_ERR_DATA) {
        if (g->missing->text[0] == '\0') {
            *g->missing = why;
        }
        status = PERP_OK;
    } else if (status != PERP_OK) {
        return perp_fail(err, status, "%s", why.text);
    }
    for (size_t k = before; source->runs && k < g->into->book.count; k++) {
        shared_drop(g->into->book.figures[k]);
    }
    collect_origins(
        g, before,
        (figure_origin){.set = source->set ? source->set : "",
                        .tolerance = source->table ? source->table->tolerance : NAN});
    return PERP_OK;
}

/* Of a set with more than two tolerances only the tightest has usual figures: the kind
 * work-precision shows all of them. */
static bool is_usual_table(const stored_runs *s, const run_table *t)
{
    double tightest = INFINITY;
    size_t count = 0;

    for (size_t k = 0; k < s->tolerance_count; k++) {
        bool any = false;

        for (size_t i = 0; i < s->count && !any; i++) {
            any = s->runs[i].tolerance == s->tolerances[k] &&
                  strcmp(s->runs[i].set, t->set) == 0;
        }
        tightest = any ? fmin(tightest, s->tolerances[k]) : tightest;
        count += any;
    }
    return count <= 2 || t->tolerance == tightest;
}

static perp_status collect_table(void *context, const stored_runs *s, const run_table *t,
                                 perp_error *err)
{
    const collecting *g = context;
    const figure_source source = {.runs = s, .set = t->set, .table = t};
    bool wanted = g->order
                      ? isnan(g->order->tolerance) || g->order->tolerance == t->tolerance
                      : is_usual_table(s, t);

    return wanted && t->instances.count > 0 ? collect_source(g, &source, err) : PERP_OK;
}

/* All figures of a kind from stored runs. */
static perp_status collect_kind(collecting *g, const stored_runs *s, perp_error *err)
{
    const char *set = g->order && *g->order->set ? g->order->set : NULL;
    perp_status status = PERP_OK;

    if (g->kind->scope == FIGURE_OF_TABLE) {
        return runs_visit(s, set, collect_table, g, err);
    }
    if (g->kind->scope == FIGURE_OF_REPORT) {
        const figure_source source = {.runs = s};

        return collect_source(g, &source, err);
    }
    if (g->kind->scope != FIGURE_OF_SET) {
        return g->order
                   ? perp_fail(err, PERP_ERR_OPTION,
                               "figure %s: it shows a %s, not the results of perp "
                               "compare: perp plot PATH --figure %s",
                               g->kind->name,
                               g->kind->scope == FIGURE_OF_RUN ? "simulation" : "problem",
                               g->kind->name)
                   : PERP_OK;
    }
    for (size_t k = 0; k < s->sets.count && status == PERP_OK; k++) {
        const figure_source source = {.runs = s, .set = s->sets.names[k]};

        if (!set || strcmp(set, source.set) == 0) {
            status = collect_source(g, &source, err);
        }
    }
    return status;
}

/* The set of an order is one of the runs. */
static perp_status collect_check(const figure_order *o, const stored_runs *s,
                                 perp_error *err)
{
    for (size_t k = 0; k < s->sets.count; k++) {
        if (!*o->set || strcmp(o->set, s->sets.names[k]) == 0) {
            return PERP_OK;
        }
    }
    return perp_fail(err, PERP_ERR_DATA, "figure %s: the results have no set \"%s\"",
                     o->kind, o->set);
}

/* One order; where it finds nothing to show, *missing says why. */
static perp_status collect_order(figure_collection *c, const figure_order *o,
                                 const stored_runs *s, perp_error *missing,
                                 perp_error *err)
{
    perp_error why = {0};
    size_t before = c->book.count;
    collecting g = {
        .into = c, .kind = figure_kind_find(o->kind), .order = o, .missing = &why};
    perp_status status = PERP_OK;

    if (collect_check(o, s, &why) == PERP_OK) {
        status = collect_kind(&g, s, err);
    }
    if (status == PERP_OK && c->book.count == before) {
        perp_fail(missing, PERP_ERR_DATA, "%s",
                  why.text[0] ? why.text
                              : "a figure was ordered that has nothing to show");
    }
    return status;
}

/* PERP_ERR_DATA when something is missing. */
static perp_status collect_end(const perp_error *missing, perp_status status,
                               perp_error *err)
{
    if (status == PERP_OK && missing->text[0]) {
        return perp_fail(err, PERP_ERR_DATA, "%s", missing->text);
    }
    return status;
}

perp_status collect_runs(figure_collection *c, const stored_runs *s,
                         const figure_orders *orders, perp_error *err)
{
    perp_error missing = {0}, ignored = {0};
    perp_status status = PERP_OK;

    memset(c, 0, sizeof *c);
    if (!orders || !orders->given) {
        for (size_t k = 0; figure_kinds[k] && status == PERP_OK; k++) {
            collecting g = {.into = c, .kind = figure_kinds[k], .missing = &ignored};

            status = figure_kinds[k]->usual ? collect_kind(&g, s, err) : PERP_OK;
        }
    }
    for (size_t k = 0; orders && k < orders->count && status == PERP_OK; k++) {
        status = collect_order(c, &orders->orders[k], s, &missing, err);
    }
    return collect_end(&missing, status, err);
}

/* A folder with a trajectory is that of a simulation; all else is to name a problem. */
static figure_scope path_scope(const char *path)
{
    char file[PERP_FILE_PATH_LENGTH];

    snprintf(file, sizeof file, "%s/trajectory.h5", path);
    return access(file, F_OK) == 0 ? FIGURE_OF_RUN : FIGURE_OF_PROBLEM;
}

perp_status collect_path(figure_collection *c, const char *path,
                         const figure_orders *orders, perp_error *err)
{
    const figure_source source = {.path = path};
    figure_scope scope = path_scope(path);
    perp_error missing = {0};
    perp_status status = PERP_OK;

    memset(c, 0, sizeof *c);
    for (size_t k = 0; figure_kinds[k] && status == PERP_OK; k++) {
        collecting g = {.into = c, .kind = figure_kinds[k], .missing = &missing};
        bool usual = g.kind->usual && g.kind->scope == scope;

        if (usual && (!orders || !orders->given)) {
            status = collect_source(&g, &source, err);
        }
    }
    for (size_t k = 0; orders && k < orders->count && status == PERP_OK; k++) {
        const figure_order *o = &orders->orders[k];
        collecting g = {.into = c,
                        .kind = figure_kind_find(o->kind),
                        .order = o,
                        .missing = &missing};

        status = g.kind->scope == scope
                     ? collect_source(&g, &source, err)
                     : perp_fail(err, PERP_ERR_OPTION, "figure %s: %s is a %s", o->kind,
                                 path, scope == FIGURE_OF_RUN ? "simulation" : "problem");
    }
    return collect_end(&missing, status, err);
}

void figure_collection_free(figure_collection *c)
{
    figure_book_free(&c->book);
    free(c->origins);
    memset(c, 0, sizeof *c);
}
