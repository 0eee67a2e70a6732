/* SPDX-License-Identifier: Apache-2.0
 * cli/progress.h: how far a campaign is: a bar on a terminal, one line a run on a pipe. */
#ifndef PERP_CLI_PROGRESS_H
#define PERP_CLI_PROGRESS_H

#include <stdio.h>

#include <perp/perp.h>

/** How a run counts. */
typedef enum progress_count {
    PROGRESS_SOLVED,
    PROGRESS_NOT_SOLVED,
    PROGRESS_UNSUITABLE, /* the solver does not take the problem, and says so */
    PROGRESS_FAILED,     /* a crash, a limit that killed it, an error */
    PROGRESS_COUNTS
} progress_count;

typedef struct progress {
    FILE *out;
    bool quiet, terminal;
    size_t total, done, skipped;
    size_t count[PROGRESS_COUNTS];
    double started;
} progress;

/** `skipped` runs of `total` are there already. */
void progress_start(progress *p, FILE *out, bool quiet, size_t total, size_t skipped);
/** A run has finished: what to call it, how it ended, how it counts. */
void progress_tell(progress *p, const char *run, const char *end, progress_count count);
/** The last line. */
void progress_end(progress *p, bool interrupted);

#endif
