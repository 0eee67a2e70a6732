/* SPDX-License-Identifier: Apache-2.0
 * cli/nearest.c: the known name nearest to one that is not known. */
#include <config.h>

#include "base/base.h"
#include "experiments/cli/nearest.h"

void nearest_start(nearest *best, const char *typed)
{
    best->typed = typed;
    best->name = "";
    best->distance = SIZE_MAX;
}

void nearest_offer(nearest *best, const char *name)
{
    size_t distance = perp_edit_distance(best->typed, name);

    if (distance < best->distance) {
        best->distance = distance;
        best->name = name;
    }
}

void nearest_offer_options(nearest *best, const perp_options *opt)
{
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            nearest_offer(best, o->name);
        }
    }
}
