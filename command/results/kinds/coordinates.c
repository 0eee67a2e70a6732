/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/coordinates.c: drift of joints, energy error and time per step of scenes with
 * joints against the number of links, by solver and coordinates. */
#include <config.h>

#include "command/results/kinds/metric.h"

static perp_status coordinates_make(figure_book *book, const figure_source *source,
                                    const figure_order *order, perp_error *err)
{
    static const metric_request m = {
        .kind = "coordinates",
        .x = "links",
        .y = "drift_length+energy_relative+step_seconds.median",
        .by = "",
        .panels = "",
        .property = true,
        .errors = true,
        .shows = "Largest drift of joints, largest error of energy relative to the most "
                 "energy that moved, and median time per step",
    };

    return metric_figure(book, source, order, &m, err);
}

const figure_kind figure_kind_coordinates = {
    .name = "coordinates",
    .summary = "drift, energy error and time per step of scenes against their links",
    .scope = FIGURE_OF_TABLE,
    .usual = true,
    .make = coordinates_make,
};
