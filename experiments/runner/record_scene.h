/* SPDX-License-Identifier: Apache-2.0
 * runner/record_scene.h: a scene in the record of a run. Private to runner/record*.c.
 *
 * What the scene is, is read here; what its steps were, its process says. */
#ifndef PERP_RUNNER_RECORD_SCENE_H
#define PERP_RUNNER_RECORD_SCENE_H

#include "experiments/runner/record.h"

/** Open the scene of a run and note its facts. PERP_OK also when it cannot be opened:
 *  then p->err says why. */
perp_status record_scene_open(record_problem *p, const suite_run *run, perp_error *err);

/** How a run that answered ended. */
typedef struct record_scene {
    const char *status;              /**< "ok", "time limit", "early end", "error" */
    char message[PERP_ERROR_LENGTH]; /**< what to add to it, or "" */
    bool judged;                     /**< there is an answer of its steps */
    bool solved; /**< all steps were made, and solved at the tolerance asked for */
    double residual;
} record_scene;

record_scene record_scene_judge(const json_t *answer, double tolerance);
/** What was asked, and what of the answer only scenes have; not 0: no memory. */
int record_scene_put(json_t *record, const record_problem *p, const suite_run *run,
                     const json_t *answer);
/** "solved, 240 of 240 steps, 3.1e-09, 12 us a step, drift 1e-06 m" */
void record_scene_tell(const json_t *answer, const char *how, char *text, size_t length);

#endif
