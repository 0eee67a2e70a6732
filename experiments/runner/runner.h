/* SPDX-License-Identifier: Apache-2.0
 * runner/runner.h: a suite run to its end, or to a SIGINT. */
#ifndef PERP_RUNNER_RUNNER_H
#define PERP_RUNNER_RUNNER_H

#include "experiments/cli/progress.h"
#include "experiments/runner/journal.h"
#include "experiments/runner/suite.h"

typedef struct runner_request {
    const suite *suite;
    size_t jobs;
    const char *executable; /**< the program that makes each run */
    journal *journal;
    FILE *out; /**< for the progress */
    bool quiet;
} runner_request;

/** Make the runs that the journal does not contain. *interrupted: a SIGINT or SIGTERM came;
 *  the runs that it stopped are not recorded and are repeated on a resume. */
perp_status runner_run(const runner_request *request, bool *interrupted, perp_error *err);

#endif
