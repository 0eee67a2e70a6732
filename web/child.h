/* SPDX-License-Identifier: Apache-2.0
 * web/child.h: a program that is spoken to over a socket, and of which nothing stays: neither a
 * process nor a temporary file, even when this process is killed.
 *
 * A keeper, a process of its own, starts the program and waits for the end of this process or for
 * child_end. It then kills the program with all that the program has started, and removes the
 * leftovers. */
#ifndef PERP_WEB_CHILD_H
#define PERP_WEB_CHILD_H

#include <sys/types.h>

#include <perp/base.h>

typedef struct child_orders {
    const char *const *argv; /**< ended by NULL; argv[0] is a path */
    const int *sockets;      /**< descriptors of the program that are its end of the
                                  *   socket; ended by -1 */
    /** "NAME=value" in its environment besides those of this process, ended by NULL; NULL: none */
    const char *const *variables;
    /** Files and folders to be removed, ended by NULL; NULL: none; one that is not there counts as
     *  removed. */
    const char *const *leftover;
} child_orders;

/** Descriptors are -1 where there is none; made by child_start. */
typedef struct child {
    bool open;    /**< started, and not yet ended by child_end */
    pid_t keeper; /**< 0: none */
    int socket;   /**< both directions, does not block */
    int life;     /**< to the keeper, which reports the end of the program here */
    int log;      /**< file with what the program writes to its standard error */
    bool ended;   /**< the program has ended by itself; how is in `state` */
    int state; /**< its exit status, or minus the number of the signal that killed it */
} child;

/** CHILD_NOT_STARTED: the exit status of a program that could not be executed. */
enum { CHILD_PATH = 4096, CHILD_NOT_STARTED = 127 };

/** Find a program on the PATH; a name with a slash is a path itself. False: not there. */
bool child_find(const char *name, char path[CHILD_PATH]);

/** Start a program. After a failure `c` is as after child_end. */
perp_status child_start(child *c, const child_orders *orders, perp_error *err);
/** Send all bytes before the time `until` of perp_clock. PERP_ERR_LIBRARY: out of time, or the
 *  program does not read any more. */
perp_status child_send(child *c, const void *bytes, size_t size, double until,
                       perp_error *err);
/** Receive at least one byte; *got = 0 at the end of the stream. PERP_ERR_LIBRARY: out of time. */
perp_status child_receive(child *c, void *bytes, size_t room, double until, size_t *got,
                          perp_error *err);
/** The program reads the end of its input. */
void child_close_input(child *c);
/** Wait for the program to end by itself; false: it has not until then. */
bool child_wait(child *c, double until);
/** The last line with `word` in it that the program wrote to its standard error, else the last
 *  line, else "". */
void child_last_line(const child *c, const char *word, char *text, size_t length);
/** Kill the program if it still runs, remove the leftovers, and wait until that is done. No-op on
 *  a zeroed or ended one. */
void child_end(child *c);

#endif
