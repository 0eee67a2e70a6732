/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_parts.h: parts of the data of report.html, private to page_data*.c. Each value
 * is a new reference. */
#ifndef PERP_REPORT_PAGE_DATA_PARTS_H
#define PERP_REPORT_PAGE_DATA_PARTS_H

#include <jansson.h>

#include "against.h"
#include "runs.h"

/** A number with so many digits; JSON null where it is not finite. */
json_t *page_number(double x, int digits);
/** A text on the heap that it takes over, with blanks for the ends of lines. */
json_t *page_text_take(char *text);
/** The place of a name in an ordered set of names {name: place}, where it is added if it is not
 *  there. */
size_t page_place(json_t *names, const char *name);

/** The solvers of the labels {label: place}, with the looks of the figures. */
json_t *page_solvers(const stored_runs *s, json_t *labels);
/** The endings {name: place}: what each means. */
json_t *page_endings(json_t *names);

/** The measures that any run has, the residual first. */
json_t *page_measures(const stored_runs *s);

/** The instances, and in `of` (one per run) the place of each. PERP_ERR_FORMAT: a line of
 *  instances.jsonl is no description. */
perp_status page_instances(const stored_runs *s, json_t **instances, size_t *of,
                           perp_error *err);

/** "ranking": the statistics of solvers. */
perp_status page_ranking(const stored_runs *s, json_t **ranking, perp_error *err);
/** "tables": those of the other kinds. */
perp_status page_tables(const stored_runs *s, json_t **tables, perp_error *err);
/** "columns": what they mean. */
json_t *page_columns(void);

/** "changes"; JSON null for NULL. */
json_t *page_changes(const stored_runs *s, const against *changes);

/** The block "details". */
json_t *page_details(const stored_runs *s);

#endif
