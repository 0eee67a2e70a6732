/* SPDX-License-Identifier: Apache-2.0
 * verbs/codes.h: lists of other codes, as JSON arrays. */
#ifndef PERP_VERBS_CODES_H
#define PERP_VERBS_CODES_H

#include <stdio.h>

#include <jansson.h>

/** All codes, with the version of those that were found. */
json_t *codes_list(void);
/** The names of the solvers of each code, in columns. */
void codes_print_names(FILE *out);
/** The solvers of the codes that were found. */
json_t *codes_solvers_found(void);

#endif
