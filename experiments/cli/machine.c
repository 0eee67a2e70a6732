/* SPDX-License-Identifier: Apache-2.0
 * cli/machine.c: what made the numbers: version, build, processor, BLAS. */
#include <config.h>

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/perp.h>

#include "experiments/cli/build-commit.h"
#include "experiments/cli/machine.h"

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
    if (!getenv("OPENBLAS_NUM_THREADS")) {
        openblas_set_num_threads(1);
    }
}

json_t *machine_json(void)
{
    /* Runs are started with this, so that they do not compete for the cores. */
    const char *threads = getenv("OPENBLAS_NUM_THREADS");
    char cpu[256];

    machine_cpu(cpu, sizeof cpu);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i}", "version", perp_version(),
                     "commit", machine_commit(), "compiler",
                     PERP_BUILD_CC " " __VERSION__, "flags", PERP_BUILD_CFLAGS, "cpu",
                     cpu, "blas", openblas_get_config(), "threads",
                     threads ? atoi(threads) : openblas_get_num_threads());
}
