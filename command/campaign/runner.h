/* SPDX-License-Identifier: Apache-2.0
 * runner/runner.h: a suite run to its end, or to a signal. */
#ifndef PERP_RUNNER_RUNNER_H
#define PERP_RUNNER_RUNNER_H

#include "command/campaign/instances.h"
#include "command/campaign/journal.h"
#include "command/campaign/ranks.h"
#include "command/campaign/suite.h"
#include "command/cli/progress.h"

typedef struct runner_request {
    const suite *suite;
    size_t jobs;
    bool pin;           /**< bind each job to processors of its own */
    size_t part, parts; /**< only subjects with number = part (mod parts); parts 0: all */
    ranks *ranks;       /**< of mpiexec */
    const char *executable; /**< the program that makes each run */
    journal *journal;
    instances *instances; /**< what is known of them; NULL: they are not described */
    FILE *out;            /**< for the progress */
    bool quiet;
} runner_request;

/** Make the runs that the journal does not contain. *interrupted: a signal came. After a first
 *  SIGINT or a SIGUSR1 the runs in flight end and are recorded; a second SIGINT and SIGTERM
 *  end them, and they are repeated on a resume. */
perp_status runner_run(const runner_request *request, bool *interrupted, perp_error *err);

#endif
