/* SPDX-License-Identifier: Apache-2.0
 * base/process.h: a program in a process of its own, with a time and a memory limit. */
#ifndef PERP_BASE_PROCESS_H
#define PERP_BASE_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

#include <perp/base.h>

enum { PERP_PROCESS_TAIL = 512 };

/** How a process ended. */
typedef enum perp_process_end {
    PERP_PROCESS_RUNS,
    PERP_PROCESS_EXITED,      /* by itself; its status is in `code` */
    PERP_PROCESS_SIGNALLED,   /* by a signal; its number is in `code` */
    PERP_PROCESS_OUT_OF_TIME, /* killed at its deadline */
    PERP_PROCESS_TOO_LONG,    /* killed for too much output */
    PERP_PROCESS_STARVED,     /* killed: this process has no memory for its output */
} perp_process_end;

/** A process and its output. Zero it before the first start. */
typedef struct perp_process {
    pid_t pid; /* 0: none */
    int out, error;
    perp_process_end end;
    int code;
    char *text; /* its standard output, ended by 0 */
    size_t length, room;
    char tail[PERP_PROCESS_TAIL]; /* the last of its standard error */
    size_t tail_length;
    double started, deadline, wall; /* seconds of the monotonic clock; wall: it took */
    double peak;                    /* MiB resident at most; 0: not known */
} perp_process;

/** What to start, and its limits. */
typedef struct perp_process_orders {
    const char *const *argv;        /* ended by NULL; argv[0] is a path */
    const char *const *environment; /* ended by NULL; NULL: that of this process */
    double seconds;                 /* after which it is killed; 0: no limit */
    double megabytes; /* of address space; 0: no limit. At most the hard limit of
                                     * this process (perp_process_megabytes) */
    bool quiet;       /* its standard output is discarded */
} perp_process_orders;

/** The limit of address space that a child gets when it is asked for: not above the hard limit of
 *  this process (ulimit -Hv). */
double perp_process_megabytes(double asked);
/** Start a program in a process group of its own. */
perp_status perp_process_start(perp_process *c, const perp_process_orders *orders,
                               perp_error *err);
/** Wait until one of `count` processes writes something or ends, at most `seconds`; read
 *  their output, kill those whose time is over, and note how they ended. */
void perp_process_wait(perp_process *set, size_t count, double seconds);
/** Kill the process with its group; no-op when none runs. */
void perp_process_kill(perp_process *c);
/** The last line of its standard error, as much of it as fits. */
void perp_process_last_line(const perp_process *c, char *text, size_t length);
/** Free the output; ready for the next start. */
void perp_process_clear(perp_process *c);

#endif
