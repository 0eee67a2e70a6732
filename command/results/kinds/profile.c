/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/profile.c: the performance profile of a set at a tolerance [dolan-more-2002]. */
#include <config.h>

#include "command/results/kinds/profiles.h"

static perp_status performance_make(figure_book *book, const figure_source *source,
                                    const figure_order *order, perp_error *err)
{
    const run_table *t = source->table;
    static const profile_look look = {
        .kind = "profile",
        .cost = PROFILE_SECONDS,
        .relative = true,
        .x = "performance ratio",
        .scale = FIGURE_LOG2,
        .caption = "Performance profile: share of problems that a solver solves within a "
                   "multiple of the least time of all solvers shown.",
    };

    /* Times of scenes in several coordinates, by several integrators, answer different
     * questions: not compared unless asked for. */
    for (size_t k = 0; !*order->kind && k < t->instances.count * t->labels.count; k++) {
        if (t->cell[k] && *member_text(t->cell[k]->json, "coordinates")) {
            return PERP_OK;
        }
    }
    return profile_figure(book, source, order, &look, err);
}

const figure_kind figure_kind_profile = {
    .name = "profile",
    .summary = "performance profile: share solved within a multiple of the least time",
    .scope = FIGURE_OF_TABLE,
    .usual = true,
    .make = performance_make,
};
