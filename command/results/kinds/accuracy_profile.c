/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/accuracy_profile.c: which residuals solvers reach within their limits. */
#include <config.h>

#include "command/results/kinds/profiles.h"

static perp_status accuracy_make(figure_book *book, const figure_source *source,
                                 const figure_order *order, perp_error *err)
{
    static const profile_look look = {
        .kind = "accuracy-profile",
        .cost = PROFILE_RESIDUAL,
        .x = "residual reached",
        .scale = FIGURE_LOG10,
        .reversed = true,
        .caption = "Accuracy profile: share of problems on which the last point of a "
                   "solver has at most this residual, within the limits of time; solved "
                   "means a finite residual here.",
    };

    return profile_figure(book, source, order, &look, err);
}

const figure_kind figure_kind_accuracy_profile = {
    .name = "accuracy-profile",
    .summary = "accuracy profile: share of problems brought to a residual",
    .scope = FIGURE_OF_TABLE,
    .make = accuracy_make,
};
