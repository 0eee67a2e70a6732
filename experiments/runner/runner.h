/* SPDX-License-Identifier: Apache-2.0
 * runner/runner.h: a suite run to its end, or to a SIGINT. */
#ifndef PERP_RUNNER_RUNNER_H
#define PERP_RUNNER_RUNNER_H

#include "experiments/cli/progress.h"
#include "experiments/runner/journal.h"
#include "experiments/runner/suite.h"

typedef struct runner_orders {
    const suite *suite;
    size_t jobs;
    const char *executable; /**< started for each run, as `perp solve` is */
    journal *journal;
    FILE *out; /* of the progress */
    bool quiet;
} runner_orders;

/** Run what the journal does not hold. *interrupted: a SIGINT or SIGTERM came; what was
 *  under way is forgotten and comes again on a resume. */
perp_status runner_run(const runner_orders *orders, bool *interrupted, perp_error *err);

#endif
