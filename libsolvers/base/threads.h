/* SPDX-License-Identifier: Apache-2.0
 * base/threads.h: a team of threads that execute one task after another. Private.
 *
 * The caller is member 0. Between two tasks the other threads spin, then yield, then sleep. A team
 * executes one task at a time: a member does not start another one within its work. */
#ifndef PERP_BASE_THREADS_H
#define PERP_BASE_THREADS_H

#include <stdatomic.h>
#include <stddef.h>

#include <perp/workspace.h>

typedef struct thread_team thread_team;

/** A team of up to `members` threads, smaller where the system provides fewer. NULL without
 *  memory. Call perp_threads_free before the workspace is released. */
thread_team *perp_threads_new(size_t members, perp_workspace *ws);
void perp_threads_free(thread_team *t); /* NULL is allowed */
/** The number of threads, at least 1. */
size_t perp_threads_size(const thread_team *t);
/** Let every member call work(context, member), and wait until all have finished. */
void perp_threads_run(thread_team *t, void (*work)(void *context, size_t member),
                      void *context);
/** Called by every member within its work: returns when all members have called it. */
void perp_threads_barrier(thread_team *t);
/** Called by every member within its work: work(context, first, last) for ranges of at most `grain`
 *  numbers that cover 0 .. count - 1, one after another by whichever member is free. *taken was 0
 *  before the first of them. */
void perp_threads_share(atomic_size_t *taken, size_t count, size_t grain,
                        void (*work)(void *context, size_t first, size_t last),
                        void *context);

#endif
