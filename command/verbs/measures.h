/* SPDX-License-Identifier: Apache-2.0
 * verbs/measures.h: the measures of a solution, as a table and as a list. */
#ifndef PERP_VERBS_MEASURES_H
#define PERP_VERBS_MEASURES_H

#include <jansson.h>
#include <stdio.h>

#include <perp/perp.h>

/** Print the measures of a point of `p` that apply to its sets. */
void measures_print(const perp_problem *p, const perp_measures *m, FILE *out);
/** Append an entry for each measure to a list: {"name", "of", "kind", "unit", "summary"}. */
void measures_list(json_t *array);

#endif
