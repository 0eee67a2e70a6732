/* SPDX-License-Identifier: Apache-2.0
 * runner/record_steps.h: the steps of a sequence in the record of a run. Private to
 * runner/record*.c. */
#ifndef PERP_RUNNER_RECORD_STEPS_H
#define PERP_RUNNER_RECORD_STEPS_H

#include "experiments/runner/record.h"

/** Open the sequence of a run and look at every step once. PERP_OK also when it cannot be
 *  opened: then p->err says why. */
perp_status record_sequence_open(record_problem *p, const suite_run *run,
                                 perp_error *err);

/** What became of the steps. */
typedef struct record_steps {
    json_t *arrays; /**< {"iterations": […], "seconds": […], "residual": […],
                         "solved": […], "outcome": […], "matched": […]} */
    bool whole;     /**< every step has a point, and all are judged */
    size_t solved;
    double worst; /**< the largest residual */
} record_steps;

/** Judge the points of an answer on the steps as this process reads them. */
perp_status record_steps_judge(record_steps *out, const record_problem *p,
                               const suite_run *run, const json_t *answer,
                               perp_error *err);

#endif
