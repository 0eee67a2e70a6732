/* SPDX-License-Identifier: Apache-2.0
 * runner/workers.h: the processes that make the runs of a campaign: some of this machine, and one of
 * each further rank of mpiexec. All speak over sockets (runner/worker.h), so that the runner
 * does not distinguish them.
 *
 * A worker of this machine that dies is replaced. One of another rank is not. */
#ifndef PERP_RUNNER_WORKERS_H
#define PERP_RUNNER_WORKERS_H

#include <sys/types.h>

#include "command/campaign/pinning.h"
#include "command/campaign/queue.h"
#include "command/campaign/wire.h"
#include "command/campaign/worker.h"

/** One of them, and the run that it makes. */
typedef struct workers_seat {
    wire line;
    pid_t pid;      /* of a process of this machine; 0: of another rank */
    size_t job;     /* of this machine: which processors it has */
    bool greeted;   /* it may be given runs */
    char name[320]; /* "worker 2", "rank 3 on node7" */
    size_t run;     /* in flight, or QUEUE_NONE */
    size_t group;   /* the subject that it has open, or QUEUE_NONE */
    double started; /* its run */
} workers_seat;

typedef struct workers {
    worker_orders orders;
    const pinning *pinning;
    workers_seat *seats;
    size_t count, room;
    size_t joined; /* how many have greeted, or said why they do not */
    int listener;  /* where other ranks connect, or -1 */
    int lock;      /* a file that only the runner holds open, or -1 */
    char plan[17];
} workers;

/** What happened at a seat. */
typedef enum workers_event {
    WORKERS_NOTHING,
    WORKERS_REPORT, /* *message is about its run; a new reference */
    WORKERS_LOST,   /* it is gone; its run, if any, is not made. Call workers_drop. */
} workers_event;

/** Start a process for each job. The orders are copied, their `cores` are set here. `listener`
 *  is a socket of the caller, `lock` a file that only the caller may hold open. */
perp_status workers_open(workers *w, const worker_orders *orders, const pinning *p,
                         int listener, int lock, perp_error *err);
/** Wait until a worker writes or ends, at most `seconds`; admit those that connect. */
void workers_wait(workers *w, double seconds);
workers_event workers_next(workers *w, size_t seat, json_t **message);
/** Give a run to a worker that has none. `describe`: it shall describe the instance, too. */
void workers_give(workers *w, size_t seat, size_t run, bool describe);
/** Remove a lost worker: another one is started if it was of this machine. */
perp_status workers_drop(workers *w, size_t seat, perp_error *err);
/** End all workers and the runs in flight. */
void workers_close(workers *w);

#endif
