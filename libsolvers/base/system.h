/* SPDX-License-Identifier: Apache-2.0
 * base/system.h: what the libraries ask of the operating system beyond POSIX.1-2008. Each function
 * has a plain fallback, which PERP_POSIX_ONLY chooses on Linux too. */
#ifndef PERP_BASE_SYSTEM_H
#define PERP_BASE_SYSTEM_H

#include <stdio.h>
#include <sys/types.h>

#include <perp/base.h>

extern char **environ; /* POSIX leaves the declaration to the program */

/** What a stream does with its bytes: as write(2), lseek(2) and close(2), except that write returns
 *  how many bytes were taken, less than `size` after an error. */
typedef struct perp_stream_calls {
    ssize_t (*write)(void *cookie, const char *bytes, size_t size);
    int (*seek)(void *cookie, off_t *offset, int whence);
    int (*close)(void *cookie);
} perp_stream_calls;

/** A stream of own calls; NULL: no memory. ENOSYS in errno: there are no such streams. */
FILE *perp_stream_open(void *cookie, const perp_stream_calls *calls);

/** pipe(2) whose ends a program that is started does not inherit. */
int perp_pipe(int ends[2]);
/** Start a process that calls `become`, which executes a program and returns only where it cannot;
 *  *error is then its errno, else 0. Until then the process may borrow the memory of this one.
 *  -1: there is no process. */
pid_t perp_child_start(void (*become)(const void *orders), const void *orders,
                       int *error);
/** In a child: it does not outlive its parent. Fallback: it does. */
void perp_child_bind(void);
/** waitpid(2) without options; *megabytes: most MiB resident, 0 where it is not known. */
pid_t perp_child_reap(pid_t pid, int *status, double *megabytes);
/** Whether an existing process has ended and its parent has not noticed. Fallback: false. */
bool perp_process_ended(long pid);
/** The path of the running program; "" where it is not known. */
void perp_process_program(char *path, size_t length);

/** Call `visit` with every entry of an open folder, "." and ".." included; true when one of the calls
 *  returned true. On Linux it needs no memory, so that a signal handler can empty a folder. */
bool perp_folder_visit(int fd,
                       bool (*visit)(int fd, const char *name, const void *context),
                       const void *context);

/** realpath(3) on the heap, which glibc hides from programs of plain POSIX. */
char *perp_path_real(const char *path);
/** Give rand(3) a state of its own, where it shares that of random(3), as in glibc; returns the state
 *  for perp_random_restore. */
char *perp_random_replace(char *state, size_t size);
void perp_random_restore(char *before);

#endif
