/* SPDX-License-Identifier: Apache-2.0
 * admm/drift.h: points that run away, watched for a proof that there is no solution. Private.
 *
 * Without a solution ADMM's steps tend, at last geometrically, to a direction that proves it
 * [banjac-goulart-stellato-boyd-2019]; impulses grow by the same every step, not by the same
 * factor, so the change of a few late steps is tested, each time the number of steps has
 * doubled: the tests cost a few products in all. */
#ifndef PERP_ADMM_DRIFT_H
#define PERP_ADMM_DRIFT_H

#include "core/solvers.h"

typedef struct drift {
    double *before; /* n: the point at the step `from` */
    size_t steps, from, until;
} drift;

/** False when there is no memory. */
bool perp_drift_init(drift *d, size_t n, perp_workspace *ws);
/** Begin to count anew. */
void perp_drift_reset(drift *d);
/** After each step to r->z: true when r holds a certificate. */
bool perp_drift_watch(drift *d, const perp_problem *p, perp_result *r);

#endif
