/* SPDX-License-Identifier: Apache-2.0
 * admm/growth.h: points that run away, watched for a proof that there is no solution. Private.
 *
 * Without a solution ADMM's steps tend to a direction that proves it
 * [banjac-goulart-stellato-boyd-2019]. A difference of two points some steps apart is tested
 * each time the number of steps has doubled, so that the tests cost a few products in all. */
#ifndef PERP_ADMM_GROWTH_H
#define PERP_ADMM_GROWTH_H

#include "solvers.h"

typedef struct growth {
    double *before; /* n: the point at the step `from` */
    size_t steps, from, until;
} growth;

perp_status growth_open(growth *g, size_t n, perp_workspace *ws, perp_error *err);
/** Begin to count anew. */
void growth_reset(growth *g);
/** After each step to z: true when r holds a certificate. */
bool growth_watch(growth *g, const perp_problem *p, const double *z, perp_result *r);

#endif
