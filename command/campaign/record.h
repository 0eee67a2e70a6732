/* SPDX-License-Identifier: Apache-2.0
 * runner/record.h: one run as one JSON object, schema perp-run/1.
 *
 * The solver's own statements come from its process. The residual, which decides, and all
 * measures are computed again here from the problem as this process read it. */
#ifndef PERP_RUNNER_RECORD_H
#define PERP_RUNNER_RECORD_H

#include <jansson.h>

#include "base/process.h"
#include "command/campaign/subject.h"
#include "command/cli/progress.h"

/** The end of a run, for the line that reports it. */
typedef struct record_summary {
    char text[512]; /* "solved, 3.1e-09, 120 iterations, 1.2 ms"; else with the reason */
    progress_count count;
} record_summary;

/** The record of a run: `c` is its process, or NULL when the subject could not be opened.
 *  A new reference. */
json_t *record_make(const suite *whose, const suite_run *run, const subject *s,
                    const perp_process *c, json_t *machine, record_summary *summary);

/** The laws of friction, ended by NULL, and what a reader is told of one: "Coulomb's law". */
extern const char *const record_law_names[];
const char *record_law_words(const char *law);
/** The law of a record, one of these names; "" where it has no contacts with friction. */
const char *record_law(const json_t *record);

#endif
