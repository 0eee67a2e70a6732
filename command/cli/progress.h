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

/** What distinguishes a run from others. */
typedef struct progress_run {
    const char *set, *instance, *label;
    double limit; /* seconds that it may take: a measure of what it will take */
} progress_run;

/** The progress of a campaign: the bar, or one line per run on a pipe. */
typedef struct progress {
    progress_bar bar;
    FILE *out;
    bool quiet;
    size_t total, done;
    size_t count[PROGRESS_COUNTS];
    double started;
    double spent, allowed,
        ahead;    /* seconds: of the runs made, their limits, those of the rest */
    int width[3]; /* of set, instance and label of any run */
} progress;

/** `skipped` runs of `total` were made before. `lines`: one line per run on a terminal, too. */
void progress_start(progress *p, FILE *out, bool quiet, bool lines, size_t total,
                    size_t skipped);
/** A run that is to be made: call it for each of them, before the first one starts. */
void progress_expect(progress *p, const progress_run *run);
/** A run has finished: how it ended, how it counts, the seconds it took. */
void progress_report(progress *p, const progress_run *run, const char *end,
                     progress_count count, double seconds);
/** Draw the bar, with the slowest run in flight and its seconds; NULL: none is in flight.
 *  `jobs` runs are made at the same time. */
void progress_show(progress *p, const progress_run *slowest, double seconds, size_t jobs);
/** A line of its own between the others. */
void progress_say(progress *p, const char *format, ...) PERP_PRINTF(2, 3);
/** The last line. */
void progress_end(progress *p, bool interrupted);

#endif
