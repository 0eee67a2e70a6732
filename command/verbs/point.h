/* SPDX-License-Identifier: Apache-2.0
 * verbs/point.h: the point that a solver found, as tables. */
#ifndef PERP_VERBS_POINT_H
#define PERP_VERBS_POINT_H

#include <stdio.h>

#include <perp/perp.h>

/** z and w of a problem of at most 20 rows: the scalar rows, then the contacts with what each one
 *  does. Prints nothing of a larger problem. */
void point_print(FILE *out, const perp_problem *p, const perp_result *r);

#endif
