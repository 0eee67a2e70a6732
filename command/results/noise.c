/* SPDX-License-Identifier: Apache-2.0
 * report/noise.c: was the machine quiet while the runs were made? */
#include <config.h>

#include <math.h>

#include "command/results/noise.h"

noise noise_of(const stored_runs *s)
{
    noise n = {
        .load = NAN, .cores = NAN, .steal = NAN, .mhz_least = NAN, .mhz_most = NAN};

    for (size_t i = 0; i < s->count; i++) {
        const json_t *machine = json_object_get(s->runs[i].json, "machine");
        double load = member_number(machine, "load", NAN);
        double cores = member_number(machine, "cores", NAN);
        double steal = member_number(machine, "steal", NAN);
        double mhz = member_number(machine, "mhz_most", NAN);

        n.runs += !isnan(load);
        n.loaded += load > cores;
        if (!(load <= n.load) && !isnan(load)) {
            n.load = load;
            n.cores = cores;
        }
        n.robbed += steal > NOISE_STEAL;
        n.steal = fmax(n.steal, steal); /* fmin and fmax ignore a NAN */
        n.mhz_least = fmin(n.mhz_least, mhz);
        n.mhz_most = fmax(n.mhz_most, mhz);
    }
    return n;
}

void noise_print(FILE *f, const char *prefix, const stored_runs *s)
{
    const noise n = noise_of(s);

    if (n.loaded) {
        fprintf(f,
                "%sthe machine was busy: a load of up to %.1f on %.0f core%s, above it "
                "in %zu of %zu run%s. Times are too large.\n",
                prefix, n.load, n.cores, n.cores == 1.0 ? "" : "s", n.loaded, n.runs,
                n.runs == 1 ? "" : "s");
    }
    if (n.robbed) {
        fprintf(f,
                "%sthe host gave up to %.0f %% of the time to other machines, above %.0f "
                "%% in %zu of %zu run%s. Times are too large.\n",
                prefix, 100.0 * n.steal, 100.0 * NOISE_STEAL, n.robbed, n.runs,
                n.runs == 1 ? "" : "s");
    }
    if (n.mhz_most - n.mhz_least > NOISE_FREQUENCY * n.mhz_most) {
        fprintf(f,
                "%sthe frequency of the processor varied from %.0f to %.0f MHz between "
                "the runs. Their times are not comparable.\n",
                prefix, n.mhz_least, n.mhz_most);
    }
}
