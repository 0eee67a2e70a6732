/* SPDX-License-Identifier: Apache-2.0
 * cli/nearest.h: the known name nearest to one that is not known. */
#ifndef PERP_CLI_NEAREST_H
#define PERP_CLI_NEAREST_H

#include <perp/perp.h>

/** A search: start with what was typed, offer the known names, read `name`. */
typedef struct nearest {
    const char *typed;
    const char *name; /* the best so far; "" when none was offered */
    size_t distance;
} nearest;

void nearest_start(nearest *best, const char *typed);
void nearest_offer(nearest *best, const char *name);
/** Every option of every table. */
void nearest_offer_options(nearest *best, const perp_options *opt);

#endif
