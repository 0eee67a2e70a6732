/* SPDX-License-Identifier: Apache-2.0
 * verbs/codes.h: lists of other codes, as JSON arrays. */
#ifndef PERP_VERBS_CODES_H
#define PERP_VERBS_CODES_H

#include <jansson.h>

/** All codes, with the version of those that were found. */
json_t *codes_list(void);
/** The solvers of all codes, and of those alone that were found. */
json_t *codes_solvers(void);
json_t *codes_solvers_found(void);

#endif
