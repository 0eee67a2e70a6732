/* SPDX-License-Identifier: Apache-2.0
 * splitting/threads.h: threads that work on one thing together, again and again. Private.
 *
 * The caller is member 0. Between two tasks the others wait: they look for a while, then let
 * others run, then sleep. */
#ifndef PERP_SPLITTING_TEAM_H
#define PERP_SPLITTING_TEAM_H

#include <stddef.h>

#include <perp/workspace.h>

typedef struct thread_team thread_team;

/** A team of up to `members`, each of which calls work(context, member) for each team_run.
 *  Where the system gives fewer threads the team is smaller. NULL without memory. Owed to
 *  team_free before the workspace is released. */
thread_team *perp_threads_new(size_t members, void (*work)(void *context, size_t member),
                              void *context, perp_workspace *ws);
void perp_threads_free(thread_team *t); /* takes NULL */
/** How many they are, at least 1. */
size_t perp_threads_size(const thread_team *t);
/** Let every member work, and wait until all are done. */
void perp_threads_run(thread_team *t);
/** Called by every member within its work: none goes on until all have come. */
void perp_threads_barrier(thread_team *t);

#endif
