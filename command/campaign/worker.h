/* SPDX-License-Identifier: Apache-2.0
 * runner/worker.h: a process that makes runs, one after another, as it is told over a socket.
 *
 * A run is a process of its own with limits. The worker opens the subject, starts the run,
 * judges its answer and sends the record back. Its first message greets:
 *
 *     worker:  {"token": "…", "rank": 2, "host": "node7", "plan": "8d3…", "pid": 4711}
 *     runner:  {"run": 17}                      the place of the run in the plan
 *     worker:  {"run": 17, "count": 0, "summary": "solved, …", "record": {…}}
 *     worker:  {"run": 17, "error": "…", "status": 3}    instead: it cannot go on
 *
 * A closed socket ends the worker, and the run that it makes. */
#ifndef PERP_RUNNER_WORKER_H
#define PERP_RUNNER_WORKER_H

#include "command/campaign/suite.h"
#include "command/cores/cores.h"

/** What a worker is made with. */
typedef struct worker_orders {
    const suite *suite;
    const suite_run *runs; /**< the plan */
    size_t count;
    const char *executable;  /**< the program that makes each run */
    const char *token;       /**< what the runner expects in the greeting */
    int rank;                /**< of mpiexec; 0: a process of this machine */
    const perp_cores *cores; /**< the processors of its runs; count 0: any */
} worker_orders;

/** What identifies a plan: two processes that read the same suite agree on it. */
void worker_plan_name(const suite_run *runs, size_t count, char name[17]);
/** Make runs until the socket is closed; closes it. */
void worker_serve(const worker_orders *orders, int file);

#endif
