/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/pair_profile.c: performance profiles of two solvers each. The order of two solvers
 * in a joint profile may change when a third is left out; here it cannot. */
#include <config.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "command/results/kinds/profiles.h"

enum { PAIR_SOLVERS = 5 };

static const profile_look pair_look = {
    .kind = "pair-profile",
    .cost = PROFILE_SECONDS,
    .relative = true,
    .x = "performance ratio",
    .scale = FIGURE_LOG2,
};

/* The column of a label; SIZE_MAX: there is none. */
static size_t pair_column(const run_table *t, const char *label)
{
    for (size_t k = 0; k < t->labels.count; k++) {
        if (strcmp(t->labels.names[k], label) == 0) {
            return k;
        }
    }
    return SIZE_MAX;
}

/* A panel with two solvers, over the problems that both take; none with too few of them. */
static void pair_panel(figure *f, const run_table *t, size_t a, size_t b)
{
    const size_t columns[] = {a, b};
    const profile_request request = {.cost = PROFILE_SECONDS,
                                     .relative = true,
                                     .common = true,
                                     .columns = columns,
                                     .count = 2};
    profile p;

    profile_make(&p, t, &request);
    if (p.problems >= PROFILE_LEAST && !isnan(p.most)) {
        char title[FIGURE_TEXT];

        snprintf(title, sizeof title, "%zu problem%s", p.problems,
                 perp_plural(p.problems));
        profile_panel(figure_add_panel(f, title), t, &p, &pair_look);
    }
    profile_free(&p);
}

/* The pair of the order, or every pair. */
static perp_status pair_panels(figure *f, const run_table *t, const figure_order *order,
                               perp_error *err)
{
    bool all = !*order->x;
    size_t first = all ? 0 : pair_column(t, order->x);
    size_t second = all ? 0 : pair_column(t, order->y);

    if (first == SIZE_MAX || second == SIZE_MAX) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure pair-profile: set %s has no solver \"%s\"", t->set,
                         first == SIZE_MAX ? order->x : order->y);
    }
    if (!all) {
        pair_panel(f, t, first, second);
        return PERP_OK;
    }
    if (t->labels.count > PAIR_SOLVERS) {
        return perp_fail(err, PERP_ERR_DATA,
                         "figure pair-profile: set %s has %zu solver%s; name two of "
                         "them: x=SOLVER,y=SOLVER",
                         t->set, t->labels.count, perp_plural(t->labels.count));
    }
    for (size_t a = 0; a < t->labels.count; a++) {
        for (size_t b = a + 1; b < t->labels.count; b++) {
            pair_panel(f, t, a, b);
        }
    }
    return PERP_OK;
}

static perp_status pair_make(figure_book *book, const figure_source *source,
                             const figure_order *order, perp_error *err)
{
    char number[48];
    figure *f = NULL;
    run_table t;
    perp_status status = PERP_OK;

    profile_select(&t, source, order);
    f = pick_figure(book, "pair-profile", source, order, "");
    status = pair_panels(f, &t, order, err);
    figure_set_caption(
        f,
        "Performance profiles of pairs of solvers: share of the problems that both take "
        "which a solver solves within a multiple of the lesser time of the two. Set %s, "
        "tolerance %s. A failure is never reached. %s",
        t.set, figure_number(number, sizeof number, t.tolerance, 3), PICK_RESIDUAL);
    if (status == PERP_OK && f->count == 0) {
        status = perp_fail(
            err, PERP_ERR_DATA,
            "figure pair-profile: no two solvers of set %s take the same %d problems",
            t.set, PROFILE_LEAST);
    }
    if (status != PERP_OK) {
        figure_drop(book);
    }
    run_table_free(&t);
    return status;
}

const figure_kind figure_kind_pair_profile = {
    .name = "pair-profile",
    .summary =
        "performance profiles of two solvers each (x=SOLVER,y=SOLVER), or every pair",
    .scope = FIGURE_OF_TABLE,
    .members = "x|y",
    .make = pair_make,
};
