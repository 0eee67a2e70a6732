/* SPDX-License-Identifier: Apache-2.0
 * cli/machine.h: what made the numbers: version, build, processor, BLAS, and how busy the machine
 * was. */
#ifndef PERP_CLI_MACHINE_H
#define PERP_CLI_MACHINE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/** One BLAS thread, whatever OPENBLAS_NUM_THREADS says: the same bits for the same input, and no
 *  second thread that waits in a loop while small matrices are multiplied. PERP_BLAS_THREADS asks
 *  for more. */
void machine_threads(void);

/** {"version","commit","compiler","flags","cpu","blas","threads","at_start"}; no name of the host.
 *  `at_start` is the state of the machine now. A new reference. */
json_t *machine_json(void);
/** A copy of machine_json with the members of the state of the machine now, and "steal": the share
 *  of the last second or more of busy time that the host gave to others; null in the first second.
 *  A new reference. */
json_t *machine_now(json_t *machine);
/** The commit this was built from, "unknown" outside a repository. */
const char *machine_commit(void);

/** The state of the machine at a moment; NAN and "" where the system does not state it. */
typedef struct machine_state {
    size_t cores; /**< that are online */
    double load;  /**< mean number of processes that want to run, last minute */
    double mhz_least, mhz_most; /**< over the cores */
    double busy, stolen; /**< ticks since the start of the system, stolen included */
    char governor[32];   /**< of the frequency of the first core: "performance" */
} machine_state;

/** Read it from the files below `root`: "" for those of the system, a folder for tests. */
void machine_state_read(machine_state *state, const char *root);
/** Share of the busy time that the host gave to others between two states; NAN when no time
 *  was busy. */
double machine_stolen(const machine_state *before, const machine_state *now);
/** {"cores","load","mhz_least","mhz_most","governor"}; null for what is not stated. */
json_t *machine_state_json(const machine_state *state);

#endif
