/* SPDX-License-Identifier: Apache-2.0
 * base/threads.h: a team of threads that execute one task after another. Private.
 *
 * The caller is member 0. Between two tasks the other threads spin, then yield, then sleep. */
#ifndef PERP_BASE_THREADS_H
#define PERP_BASE_THREADS_H

#include <stddef.h>

#include <perp/workspace.h>

typedef struct thread_team thread_team;

/** A team of up to `members` threads, each of which calls work(context, member) in every
 *  perp_threads_run. The team is smaller where the system provides fewer threads. NULL without
 *  memory. Call perp_threads_free before the workspace is released. */
thread_team *perp_threads_new(size_t members, void (*work)(void *context, size_t member),
                              void *context, perp_workspace *ws);
void perp_threads_free(thread_team *t); /* NULL is allowed */
/** The number of threads, at least 1. */
size_t perp_threads_size(const thread_team *t);
/** Let every member do its work, and wait until all have finished. */
void perp_threads_run(thread_team *t);
/** Called by every member within its work: returns when all members have called it. */
void perp_threads_barrier(thread_team *t);

#endif
