/* SPDX-License-Identifier: Apache-2.0
 * admm/growth.c: the difference of late points of a run as a certificate. */
#include <config.h>

#include "growth.h"

enum {
    growth_apart = 20, /* steps between the two points: their spread averages out */
    growth_first = 80  /* steps before the first test; later 160, 320, ... */
};

/* Growth in growth_apart steps, as a part of |z|, that is still growth: after the last test of
 * a run of 10^5 steps, steady growth is twice this. */
static const double growth_least = 1e-4;

perp_status growth_open(growth *g, size_t n, perp_workspace *ws, perp_error *err)
{
    g->before = perp_workspace_reals(ws, n);
    growth_reset(g);
    return g->before ? PERP_OK
                     : perp_fail(err, PERP_ERR_MEMORY, "admm: no memory for %zu rows", n);
}

void growth_reset(growth *g)
{
    g->steps = 0;
    g->until = growth_first;
    g->from = g->until - growth_apart;
}

bool growth_watch(growth *g, const perp_problem *p, const double *z, perp_result *r)
{
    double grown = 0.0;
    double size = 0.0;

    g->steps++;
    if (g->steps == g->from) {
        memcpy(g->before, z, p->n * sizeof *z);
    }
    if (g->steps < g->until) {
        return false;
    }
    g->until *= 2;
    g->from = g->until - growth_apart;
    for (size_t i = 0; i < p->n; i++) {
        g->before[i] = z[i] - g->before[i];
        grown = fmax(grown, fabs(g->before[i]));
        size = fmax(size, fabs(z[i]));
    }
    return grown > growth_least * size && isfinite(size) &&
           perp_certificate_grown(p, g->before, r);
}
