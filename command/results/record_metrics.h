/* SPDX-License-Identifier: Apache-2.0
 * report/record_metrics.h: the numbers of a record of perp compare, as a list. */
#ifndef PERP_REPORT_RECORD_METRICS_H
#define PERP_REPORT_RECORD_METRICS_H

#include <jansson.h>

/** A number of a record. */
typedef struct record_metric {
    const char *name;    /**< with dots between members: "work.products" */
    const char *unit;    /**< "1": none */
    const char *meaning; /**< a noun phrase */
    const char *better;  /**< "less", "more", or "" where neither is */
} record_metric;

/** All of them, ended by one without a name. */
extern const record_metric record_metrics[];

/** Append an entry for each number to a list: {"name", "of", "kind", "unit", "summary"}. A name
 *  is that of a member of runs.jsonl, with dots between members: what figures take as x and y. */
void record_metrics_list(json_t *array);

#endif
