/* SPDX-License-Identifier: Apache-2.0
 * runner/queue.h: the runs that are still to be made, handed out one by one.
 *
 * The runs of a subject are consecutive in the plan. A worker that has opened a subject is
 * given its other runs first; then those of one that no worker has opened; then some of the
 * subject with the most runs left. */
#ifndef PERP_RUNNER_QUEUE_H
#define PERP_RUNNER_QUEUE_H

#include "command/campaign/suite.h"

/** Nothing to hand out; no subject. */
#define QUEUE_NONE SIZE_MAX

typedef enum queue_state {
    QUEUE_DONE, /* recorded, or left to another part */
    QUEUE_WAITS,
    QUEUE_OUT, /* in flight */
} queue_state;

/** A run of the plan. */
typedef struct queue_run {
    queue_state state;
    unsigned char losses; /* how often the worker that made it has ended */
    size_t group;         /* of its subject */
} queue_run;

/** The runs of a subject. */
typedef struct queue_group {
    size_t first, end; /* in the plan */
    size_t waiting;
    bool opened;    /* a worker was given one */
    bool described; /* its instance is described, or a worker was asked to do so */
} queue_group;

typedef struct queue {
    queue_run *runs;
    queue_group *groups;
    size_t count, group_count;
    size_t waiting; /* runs */
    size_t fresh;   /* all groups before this one were opened */
} queue;

/** A queue of the `count` runs of a plan, none of which waits yet. */
void queue_open(queue *q, const suite_run *runs, size_t count);
void queue_close(queue *q); /* no-op when it is zero */
/** A run that is to be made; also one that was handed out and is lost. */
void queue_add(queue *q, size_t run);
/** Hand out a run to a worker that has the subject *group open, QUEUE_NONE if none; *group becomes
 *  that of the run. QUEUE_NONE when no run waits. */
size_t queue_take(queue *q, size_t *group);

#endif
