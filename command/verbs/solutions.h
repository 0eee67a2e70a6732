/* SPDX-License-Identifier: Apache-2.0
 * command/verbs/solutions.h: the list of all solutions, of perp solve --all. */
#ifndef PERP_VERBS_SOLUTIONS_H
#define PERP_VERBS_SOLUTIONS_H

#include <jansson.h>

#include <perp/solutions.h>

json_t *solutions_json(const perp_solutions *s);
void solutions_print(const perp_solutions *s, FILE *f);

#endif
