/* SPDX-License-Identifier: Apache-2.0
 * linear/block_tasks.h: an elimination forest cut into tasks for a team of threads. Private.
 *
 * Its units (columns or supernodes) are postordered. A task is a run of them: subtrees below one
 * parent, or a single unit above. A unit waits for each unit that it reads, when it reads it, so
 * that it is computed from the same numbers in the same order whichever thread computes it. */
#ifndef PERP_LINEAR_BLOCK_TASKS_H
#define PERP_LINEAR_BLOCK_TASKS_H

#include <stdatomic.h>

#include "core/solvers.h"

typedef enum perp_block_state {
    PERP_BLOCK_WAITING,
    PERP_BLOCK_READY,
    PERP_BLOCK_FAILED,  /* its own pivot */
    PERP_BLOCK_SKIPPED, /* it reads one that failed or was skipped */
} perp_block_state;

typedef struct perp_block_tasks {
    size_t count, units;
    int32_t *first;      /* count + 1: units */
    atomic_uchar *state; /* units */
    atomic_size_t next;
} perp_block_tasks;

/** Cut a forest: parent of each unit (> unit, or -1) and its cost. With `whole`, no tree is
 *  cut. The memory is of ws. */
perp_status perp_block_tasks_find(perp_block_tasks *t, size_t units,
                                  const int32_t *parent, const double *cost, bool whole,
                                  perp_workspace *ws, perp_error *err);
/** One task of all units, which one thread does in their order. */
perp_status perp_block_tasks_single(perp_block_tasks *t, size_t units, perp_workspace *ws,
                                    perp_error *err);
/** Before the members of a team work. */
void perp_block_tasks_start(perp_block_tasks *t);
/** The next task, units *first .. *end - 1; false behind the last. */
bool perp_block_tasks_take(perp_block_tasks *t, size_t *first, size_t *end);
/** Publish what has become of a unit, with all that was written before. */
void perp_block_tasks_end(perp_block_tasks *t, size_t unit, perp_block_state state);
/** Wait until a unit, of a task that has been taken, is no longer waiting. */
perp_block_state perp_block_tasks_await(perp_block_tasks *t, size_t unit);

#endif
