/* SPDX-License-Identifier: Apache-2.0
 * runner/process.h: one run in a process of its own, with a time and a memory limit. */
#ifndef PERP_RUNNER_PROCESS_H
#define PERP_RUNNER_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

#include <perp/perp.h>

enum { PROCESS_TAIL = 512 };

/** How a process ended. */
typedef enum process_end {
    PROCESS_RUNS,
    PROCESS_EXITED,      /* by itself; its status is in `code` */
    PROCESS_SIGNALLED,   /* by a signal; its number is in `code` */
    PROCESS_OUT_OF_TIME, /* killed at its deadline */
    PROCESS_TOO_LONG,    /* killed for too much output */
} process_end;

/** A process and its output. Zero it before the first start. */
typedef struct process {
    pid_t pid; /* 0: none */
    int out, error;
    process_end end;
    int code;
    char *text; /* its standard output, ended by 0 */
    size_t length, room;
    char tail[PROCESS_TAIL]; /* the last of its standard error */
    size_t tail_length;
    double started, deadline, wall; /* seconds of the monotonic clock; wall: it took */
    double peak;                    /* MiB resident at most */
} process;

/** Start argv in a process group of its own: killed after `seconds`, refused more than
 *  `megabytes` of address space; 0: no limit. */
perp_status process_start(process *c, const char *const *argv, double seconds,
                          double megabytes, perp_error *err);
/** Wait until one of `count` processes writes something or ends, at most `seconds`; read
 *  their output, kill those whose time is over, and note how they ended. */
void process_wait(process *set, size_t count, double seconds);
/** Kill the process with its group; no-op when none runs. */
void process_kill(process *c);
/** Free the output; ready for the next start. */
void process_clear(process *c);

#endif
