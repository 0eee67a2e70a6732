/* SPDX-License-Identifier: Apache-2.0
 * cli/progress.h: how far a campaign is: a bar on a terminal, one line a run on a pipe. */
#ifndef PERP_CLI_PROGRESS_H
#define PERP_CLI_PROGRESS_H

#include <stdio.h>

#include <perp/perp.h>

typedef struct progress {
    FILE *out;
    bool quiet, terminal;
    size_t total, done, skipped, solved, failed;
    double started;
} progress;

/** `skipped` runs of `total` are there already. */
void progress_start(progress *p, FILE *out, bool quiet, size_t total, size_t skipped);
/** A run has finished: what to call it, how it ended, whether it counts as solved and
 *  whether as failed. */
void progress_tell(progress *p, const char *run, const char *end, bool solved,
                   bool failed);
/** The last line. */
void progress_end(progress *p, bool interrupted);

#endif
