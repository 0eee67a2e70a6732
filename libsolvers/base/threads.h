/* SPDX-License-Identifier: Apache-2.0
 * base/threads.h: a team of threads that execute one task after another. Private.
 *
 * The caller is member 0. Between two tasks the other threads spin, then yield, then sleep. A team
 * executes one task at a time: a member does not start another one within its work. NULL is a team of the caller alone. */
#ifndef PERP_BASE_THREADS_H
#define PERP_BASE_THREADS_H

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
/** Called by every member within its work, at most once between two barriers: they call
 *  work(context, first, last) for ranges of `grain` numbers, the last one shorter, that cover
 *  0 .. count - 1. A member takes its own part first, the same in every call, so that its
 *  caches know it, then what others have not begun. */
void perp_threads_share(thread_team *t, size_t member, size_t count, size_t grain,
                        void (*work)(void *context, size_t first, size_t last),
                        void *context);

#endif
