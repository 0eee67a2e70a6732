/* SPDX-License-Identifier: Apache-2.0
 * runner/evidence.h: what stands behind a «no», in an answer and in a file.
 *
 * A direction of infeasibility speaks of the problem as given. A ray, a singular block and a
 * cycle speak of the problem as a solver saw it; that one is made again from the problem as
 * given, by the solver's name and the options that shape it. */
#ifndef PERP_RUNNER_EVIDENCE_H
#define PERP_RUNNER_EVIDENCE_H

#include <jansson.h>

#include <perp/perp.h>

typedef struct evidence {
    perp_certificate c;
    char seen_by[64]; /* the solver that saw the problem, "" for the problem as given */
    json_t *view;     /* {"option": "value"} that shape it, or NULL */
} evidence;

/** The evidence of a result as an object with "verified" and "says", or null when there is
 *  none; NULL when there is no memory. */
json_t *evidence_json(const perp_problem *p, const perp_options *opt,
                      const perp_result *r);
/** Read such an object; `path` is for messages. evidence_clear is owed in any case. */
perp_status evidence_read(evidence *e, const char *path, const json_t *object,
                          perp_error *err);
void evidence_clear(evidence *e);
/** Whether it holds for the problem as given; `why` gets the sentence. */
bool evidence_check(const evidence *e, const perp_problem *p, char *why, size_t length);

#endif
