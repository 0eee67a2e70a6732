/* SPDX-License-Identifier: Apache-2.0
 * trees/speeds.c: other rates at the same coordinates.
 *
 * Poses, S and the factors of H depend on q alone: they are what they were to the bit. */
#include <config.h>

#include "trees/articulated.h"

perp_status articulated_speeds(perp_articulation *tree, perp_error *err)
{
    articulated_own *own = articulated_of(tree);
    const bool factored = own->factored;
    const bool turned = own->turned;
    const bool switch_chart = tree->switch_chart;
    perp_status status = PERP_OK;

    tree->switch_chart = false; /* q stays */
    status = perp_articulation_update(tree, err);
    tree->switch_chart = switch_chart;
    if (status == PERP_OK) {
        own->factored = factored;
        own->turned = turned;
    }
    return status;
}
