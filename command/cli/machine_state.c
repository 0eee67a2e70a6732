/* SPDX-License-Identifier: Apache-2.0
 * cli/machine_state.c: how busy the machine is, from the files of Linux. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/cli/answer.h"
#include "command/cli/machine.h"

static FILE *state_open(const char *root, const char *file)
{
    char path[1024];

    snprintf(path, sizeof path, "%s%s", root, file);
    return fopen(path, "r");
}

/* The first number of a file; NAN without. */
static double state_number(const char *root, const char *file)
{
    FILE *f = state_open(root, file);
    double x = NAN;

    if (f) {
        x = fscanf(f, "%lf", &x) == 1 ? x : NAN;
        fclose(f);
    }
    return x;
}

static void state_mhz(machine_state *state, double mhz)
{
    if (mhz > 0.0) { /* fmin and fmax ignore a NAN */
        state->mhz_least = fmin(state->mhz_least, mhz);
        state->mhz_most = fmax(state->mhz_most, mhz);
    }
}

/* Frequencies as the driver states them, else as the processor does. */
static void state_frequencies(machine_state *state, const char *root)
{
    char line[512];
    FILE *f = NULL;

    for (size_t k = 0; k < state->cores; k++) {
        snprintf(line, sizeof line,
                 "/sys/devices/system/cpu/cpu%zu/cpufreq/scaling_cur_freq", k);
        state_mhz(state, 1e-3 * state_number(root, line));
    }
    f = isnan(state->mhz_most) ? state_open(root, "/proc/cpuinfo") : NULL;
    while (f && fgets(line, sizeof line, f)) {
        double mhz = NAN;

        if (sscanf(line, "cpu MHz : %lf", &mhz) == 1) {
            state_mhz(state, mhz);
        }
    }
    if (f) {
        fclose(f);
    }
}

/* "cpu user nice system idle iowait irq softirq steal": what is neither idle nor waiting. */
static void state_ticks(machine_state *state, const char *root)
{
    FILE *f = state_open(root, "/proc/stat");
    double t[8];

    if (f) {
        if (fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3],
                   &t[4], &t[5], &t[6], &t[7]) == 8) {
            state->busy = t[0] + t[1] + t[2] + t[5] + t[6] + t[7];
            state->stolen = t[7];
        }
        fclose(f);
    }
}

void machine_state_read(machine_state *state, const char *root)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    FILE *f = NULL;

    *state = (machine_state){.cores = cores > 0 ? (size_t)cores : 1,
                             .load = state_number(root, "/proc/loadavg"),
                             .mhz_least = NAN,
                             .mhz_most = NAN,
                             .busy = NAN,
                             .stolen = NAN};
    state_frequencies(state, root);
    state_ticks(state, root);
    f = state_open(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (f) {
        if (fscanf(f, "%31s", state->governor) != 1) {
            state->governor[0] = '\0';
        }
        fclose(f);
    }
}

double machine_stolen(const machine_state *before, const machine_state *now)
{
    double busy = now->busy - before->busy;

    return busy > 0.0 ? (now->stolen - before->stolen) / busy : NAN;
}

json_t *machine_state_json(const machine_state *state)
{
    json_t *o = json_object();

    answer_add(o, "cores", json_integer((json_int_t)state->cores));
    answer_add(o, "load", answer_real(state->load));
    answer_add(o, "mhz_least", answer_real(state->mhz_least));
    answer_add(o, "mhz_most", answer_real(state->mhz_most));
    answer_add(o, "governor", answer_text(state->governor));
    return o;
}
