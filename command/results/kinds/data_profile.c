/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/data_profile.c: the data profile of a set at a tolerance [more-wild-2009]. */
#include <config.h>

#include "command/results/kinds/profiles.h"

static perp_status data_make(figure_book *book, const figure_source *source,
                             const figure_order *order, perp_error *err)
{
    static const profile_look look = {
        .kind = "data-profile",
        .cost = PROFILE_PRODUCTS,
        .x = "products with A",
        .scale = FIGURE_LOG10,
        .caption = "Data profile: share of problems that a solver solves with at most so "
                   "many products with A; factorisations and pivots count by their "
                   "operations.",
    };

    return profile_figure(book, source, order, &look, err);
}

const figure_kind figure_kind_data_profile = {
    .name = "data-profile",
    .summary = "data profile: share solved with a number of products with A",
    .scope = FIGURE_OF_TABLE,
    .make = data_make,
};
