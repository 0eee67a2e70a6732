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

bool drift_init(drift *d, size_t n, perp_workspace *ws)
{
    d->before = perp_workspace_reals(ws, n);
    d->Ay = perp_workspace_reals(ws, n);
    drift_reset(d);
    return d->before && d->Ay;
}

void drift_reset(drift *d)
{
    d->steps = 0;
    d->until = drift_first;
    d->from = d->until - drift_apart;
}

/* A proof has y.A y <= 0; where A is positive semidefinite that is 0 up to rounding. A direction
 * of small but real curvature passes for one at the tolerances of the check, and is where a
 * mass ratio of 10^8 is solved after a long way. */
static bool drift_flat(const perp_problem *p, const double *y, double *Ay)
{
    double curvature = 0.0;
    double square = 0.0;
    double most = 0.0;

    perp_operator_apply(p->A, y, Ay);
    for (size_t i = 0; i < p->n; i++) {
        curvature += y[i] * Ay[i];
        square += y[i] * y[i];
        most = fmax(most, perp_operator_diagonal(p->A, i));
    }
    return curvature <= 1e-13 * most * square;
}

bool drift_watch(drift *d, const perp_problem *p, perp_result *r)
{
    double grown = 0.0;
    double size = 0.0;

    d->steps++;
    if (d->steps == d->from) {
        memcpy(d->before, r->z, p->n * sizeof *r->z);
    }
    if (d->steps < d->until) {
        return false;
    }
    d->until *= 2;
    d->from = d->until - drift_apart;
    for (size_t i = 0; i < p->n; i++) {
        r->certificate[i] = r->z[i] - d->before[i];
        grown = fmax(grown, fabs(r->certificate[i]));
        size = fmax(size, fabs(r->z[i]));
    }
    if (!(grown > drift_least * size) || !isfinite(size)) {
        return false;
    }
    r->work.products += 2.0;
    r->has_certificate =
        perp_growth_proves(p, r->certificate) && drift_flat(p, r->certificate, d->Ay);
    return r->has_certificate;
}
