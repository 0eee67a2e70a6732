/* SPDX-License-Identifier: Apache-2.0
 * cli/progress.h: the progress of many runs, or of the steps of one: a bar on a terminal. */
#ifndef PERP_CLI_PROGRESS_H
#define PERP_CLI_PROGRESS_H

#include <stdio.h>

#include <perp/perp.h>

/** "[======      ] 240/1000  TEXT  0:12 left", drawn over itself. */
typedef struct progress_bar {
    FILE *out; /* NULL: not a terminal, nothing is drawn */
    size_t first, total;
    double started, drawn;
} progress_bar;

/** `first` of `total` were done before. Nothing is drawn when `quiet`, or on a pipe. */
void progress_bar_start(progress_bar *bar, FILE *out, bool quiet, size_t first,
                        size_t total);
/** Draw it with `done` of them done, at most ten times per second. The text is a format. */
void progress_bar_draw(progress_bar *bar, size_t done, const char *format, ...)
    PERP_PRINTF(3, 4);
/** Erase it. */
void progress_bar_end(progress_bar *bar);

/** How a run counts. */
typedef enum progress_count {
    PROGRESS_SOLVED,
    PROGRESS_NOT_SOLVED,
    PROGRESS_UNSUITABLE, /* the solver refuses the problem */
    PROGRESS_FAILED,     /* a crash, a limit that killed it, an error */
    PROGRESS_COUNTS
} progress_count;

/** The progress of a campaign: the bar, or one line per run on a pipe. */
typedef struct progress {
    progress_bar bar;
    FILE *out;
    bool quiet;
    size_t total, done;
    size_t count[PROGRESS_COUNTS];
    double started;
} progress;

/** `skipped` runs of `total` were made before. */
void progress_start(progress *p, FILE *out, bool quiet, size_t total, size_t skipped);
/** A run has finished: its name, how it ended, how it counts. */
void progress_report(progress *p, const char *run, const char *end, progress_count count);
/** The last line. */
void progress_end(progress *p, bool interrupted);

#endif
