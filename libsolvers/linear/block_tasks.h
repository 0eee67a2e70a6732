/* SPDX-License-Identifier: Apache-2.0
 * linear/block_tasks.h: an elimination forest cut into tasks for a team of threads. Private.
 *
 * Its units (columns or supernodes) are postordered. A task is a run of them: subtrees below one
 * parent, or a single unit above. It begins when the tasks below it have ended, so that
 * every unit is computed from the same numbers whichever thread computes it. */
#ifndef PERP_LINEAR_BLOCK_TASKS_H
#define PERP_LINEAR_BLOCK_TASKS_H

#include <stdatomic.h>

#include "core/solvers.h"

typedef struct perp_block_tasks {
    size_t count;
    int32_t *first;      /* count + 1: units */
    int32_t *parent;     /* the task that waits for this one, or -1 */
    int32_t *children;   /* tasks that each waits for, */
    atomic_int *wait;    /* of which so many have not ended */
    atomic_bool *failed; /* the task or one below it */
    atomic_size_t next;
} perp_block_tasks;

/** Cut a forest: parent of each unit (> unit, or -1) and its cost. With `whole`, no tree is
 *  cut. The memory is of ws. */
perp_status perp_block_tasks_find(perp_block_tasks *t, size_t units,
                                  const int32_t *parent, const double *cost, bool whole,
                                  perp_workspace *ws, perp_error *err);
/** Before the members of a team work. */
void perp_block_tasks_start(perp_block_tasks *t);
/** What each member does: run(context, member, first, end) for tasks, none of them above one
 *  for which it returned false. */
void perp_block_tasks_work(perp_block_tasks *t,
                           bool (*run)(void *context, size_t member, size_t first,
                                       size_t end),
                           void *context, size_t member);

#endif
