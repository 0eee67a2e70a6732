/* SPDX-License-Identifier: Apache-2.0
 * runner/record.h: one run as one JSON object, schema perp-run/1.
 *
 * What the solver says about itself comes from its process; what decides, the residual and
 * all measures, is recomputed here from the problem as this process read it. */
#ifndef PERP_RUNNER_RECORD_H
#define PERP_RUNNER_RECORD_H

#include <jansson.h>

#include "experiments/cli/progress.h"
#include "experiments/runner/process.h"
#include "experiments/runner/suite.h"

/** An instance, a sequence or a scene that this process holds while its runs go on. */
typedef struct record_problem {
    instance *in;                 /* NULL when it could not be opened, or is a sequence */
    perp_judge *judge;            /* of in->problem */
    perp_sequence *sequence;      /* or NULL */
    json_t *facts;                /* of a scene, for its records; or NULL */
    perp_error err;               /* why it could not be opened */
    size_t steps;                 /* 1 of an instance; 0: it could not be opened */
    uint64_t hash;                /* of a sequence: of those of its steps */
    size_t n, nonzeros, contacts; /* of a sequence: the most of any step */
    const char *kind, *law;       /* of a sequence: of its last step */
} record_problem;

perp_status record_problem_open(record_problem *p, const suite_run *run, perp_error *err);
void record_problem_close(record_problem *p); /* harmless on a zeroed one */

/** Solves, each of them with the limit of time, that a run may make before it is killed. */
double record_solves(const record_problem *p, const suite_run *run);

/** What became of a run, for the line that tells of it. */
typedef struct record_tale {
    char end[512]; /* "solved, 3.1e-09, 120 iterations, 1.2 ms"; else with the reason */
    progress_count count;
} record_tale;

/** The record of a run: `c` is its process, or NULL when the problem could not be opened.
 *  A new reference, or NULL when there is no memory. */
json_t *record_make(const suite *s, const suite_run *run, record_problem *p,
                    const process *c, json_t *machine, record_tale *tale);

#endif
