/* SPDX-License-Identifier: Apache-2.0
 * report/noise.c: was the machine quiet while the runs were made? */
#include <config.h>

#include <math.h>

#include "experiments/report/noise.h"

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

static void noise_start(FILE *f, table_format format)
{
    fputs(format == TABLE_AS_HTML ? "<p><strong>Warning:</strong> " : "Warning: ", f);
}

static void noise_end(FILE *f, table_format format)
{
    fputs(format == TABLE_AS_HTML ? "</p>\n" : "\n", f);
}

void noise_print(FILE *f, table_format format, const stored_runs *s)
{
    const noise n = noise_of(s);

    if (n.loaded) {
        noise_start(f, format);
        fprintf(
            f,
            "the machine was busy: a load of up to %.1f on %.0f core%s, above it in %zu "
            "of %zu run%s. Times are too large.",
            n.load, n.cores, n.cores == 1.0 ? "" : "s", n.loaded, n.runs,
            n.runs == 1 ? "" : "s");
        noise_end(f, format);
    }
    if (n.robbed) {
        noise_start(f, format);
        fprintf(
            f,
            "the host gave up to %.0f %% of the time to other machines, above %.0f %% "
            "in %zu of %zu run%s. Times are too large.",
            100.0 * n.steal, 100.0 * NOISE_STEAL, n.robbed, n.runs,
            n.runs == 1 ? "" : "s");
        noise_end(f, format);
    }
    if (n.mhz_most - n.mhz_least > NOISE_FREQUENCY * n.mhz_most) {
        noise_start(f, format);
        fprintf(f,
                "the frequency of the processor varied from %.0f to %.0f MHz between the "
                "runs. Their times are not comparable.",
                n.mhz_least, n.mhz_most);
        noise_end(f, format);
    }
}
