/* SPDX-License-Identifier: Apache-2.0
 * admm/drift.c: the change of a few late steps as a certificate. */
#include <config.h>

#include "drift.h"

enum {
    drift_apart = 20, /* steps between the two points: what swings averages out */
    drift_first = 80  /* steps before the first test; later 160, 320, ... */
};

/* Growth in drift_apart steps, as a part of |z|, that is still growth: after the last test of
 * a run of 10^5 steps, steady growth is twice this. */
static const double drift_least = 1e-4;

bool perp_drift_init(drift *d, size_t n, perp_workspace *ws)
{
    d->before = perp_workspace_reals(ws, n);
    perp_drift_reset(d);
    return d->before != NULL;
}

void perp_drift_reset(drift *d)
{
    d->steps = 0;
    d->until = drift_first;
    d->from = d->until - drift_apart;
}

bool perp_drift_watch(drift *d, const perp_problem *p, perp_result *r)
{
    d->steps++;
    if (d->steps == d->from) {
        memcpy(d->before, r->z, p->n * sizeof *r->z);
    }
    if (d->steps < d->until) {
        return false;
    }
    d->until *= 2;
    d->from = d->until - drift_apart;
    return perp_has_grown(p->n, r->z, d->before, drift_least) &&
           perp_certificate_grown(p, d->before, r);
}
