/* SPDX-License-Identifier: Apache-2.0
 * cli/machine.c: what made the numbers: version, build, processor, BLAS, and how busy the machine
 * was. */
#include <config.h>

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/blas.h>
#include <perp/perp.h>

#include "command/cli/answer.h"
#include "command/cli/build-commit.h"
#include "command/cli/machine.h"

const char *machine_commit(void)
{
    return PERP_BUILD_COMMIT;
}

/* "model name : …" of the first processor. */
static void machine_cpu(char *text, size_t length)
{
    FILE *in = fopen("/proc/cpuinfo", "r");
    char line[512];

    snprintf(text, length, "unknown");
    while (in && fgets(line, sizeof line, in)) {
        const char *colon = strchr(line, ':');

        if (colon && strncmp(line, "model name", 10) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, length, "%s", colon + 1 + strspn(colon + 1, " "));
            break;
        }
    }
    if (in) {
        fclose(in);
    }
}

void machine_threads(void)
{
    const char *text = getenv("PERP_BLAS_THREADS");
    long threads = text ? atol(text) : 1;

    perp_set_blas_threads(threads > 1 ? (size_t)threads : 1);
    perp_blas_hold(); /* as long as the process lasts: the command uses BLAS as well */
}

/* Where the time began in which stolen ticks are counted, and their last share. A tick is a
 * hundredth of a second: a share of fewer than a hundred of them says little. */
static struct {
    machine_state since;
    double steal;
} machine_meter = {.since = {.busy = NAN}, .steal = NAN};
enum { MACHINE_TICKS = 100 };

static double machine_steal(const machine_state *now)
{
    double busy = now->busy - machine_meter.since.busy;

    if (!(busy < MACHINE_TICKS)) { /* NAN in the first call */
        machine_meter.steal = machine_stolen(&machine_meter.since, now);
        machine_meter.since = *now;
    }
    return machine_meter.steal;
}

json_t *machine_json(void)
{
    machine_state now;
    char cpu[256];

    machine_cpu(cpu, sizeof cpu);
    machine_state_read(&now, "");
    machine_steal(&now);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "version",
                     perp_version(), "commit", machine_commit(), "compiler",
                     PERP_BUILD_CC " " __VERSION__, "flags", PERP_BUILD_CFLAGS, "cpu",
                     cpu, "blas", openblas_get_config(), "threads",
                     (int)perp_blas_threads(), "at_start", machine_state_json(&now));
}

json_t *machine_now(json_t *machine)
{
    machine_state now;
    json_t *copy = json_copy(machine);
    json_t *state = NULL;

    machine_state_read(&now, "");
    state = machine_state_json(&now);
    json_object_update(copy, state);
    answer_add(copy, "steal", answer_real(machine_steal(&now)));
    json_decref(state);
    return copy;
}
