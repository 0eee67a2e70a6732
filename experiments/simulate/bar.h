/* SPDX-License-Identifier: Apache-2.0
 * simulate/bar.h: how far a run is: a bar on a terminal, nothing on a pipe. */
#ifndef PERP_SIMULATE_BAR_H
#define PERP_SIMULATE_BAR_H

#include <stdio.h>

#include <perp/perp.h>

typedef struct sim_bar {
    FILE *out; /* NULL: no bar */
    size_t first, total;
    double started, told;
} sim_bar;

/** `first` of `total` steps are there already. */
void sim_bar_start(sim_bar *bar, FILE *out, bool quiet, size_t first, size_t total);
/** Step `done` is made; at most ten times a second something is drawn. */
void sim_bar_tell(sim_bar *bar, size_t done, double t, size_t solved);
/** Erase it. */
void sim_bar_end(sim_bar *bar);

#endif
