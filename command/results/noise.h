/* SPDX-License-Identifier: Apache-2.0
 * report/noise.h: was the machine quiet while the runs were made? */
#ifndef PERP_REPORT_NOISE_H
#define PERP_REPORT_NOISE_H

#include <stdio.h>

#include "runs.h"

/** Share of busy time given to others from which on a run is disturbed. */
#define NOISE_STEAL 0.01
/** Relative change of the frequency that is no noise. */
#define NOISE_FREQUENCY 0.05

/** What the records say of the machine; NAN where they say nothing. */
typedef struct noise {
    size_t runs;                /**< whose record has a load */
    size_t loaded;              /**< with a load beyond the cores */
    double load, cores;         /**< the largest load, and the cores of that record */
    size_t robbed;              /**< runs with a steal beyond NOISE_STEAL */
    double steal;               /**< the largest share */
    double mhz_least, mhz_most; /**< of the fastest core, over the runs */
} noise;

noise noise_of(const stored_runs *s);
/** Print a line for each kind of noise, led by `prefix`; nothing when the machine was quiet. */
void noise_print(FILE *f, const char *prefix, const stored_runs *s);

#endif
