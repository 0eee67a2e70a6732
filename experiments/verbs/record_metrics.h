/* SPDX-License-Identifier: Apache-2.0
 * verbs/record_metrics.h: the numbers of a record of perp compare, as a list. */
#ifndef PERP_VERBS_RECORD_METRICS_H
#define PERP_VERBS_RECORD_METRICS_H

#include <jansson.h>

/** Append an entry for each number to a list: {"name", "of", "kind", "unit", "summary"}. A name
 *  is that of a member of runs.jsonl, with dots between members: what figures take as x and y. */
void record_metrics_list(json_t *array);

#endif
