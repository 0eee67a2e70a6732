/* SPDX-License-Identifier: Apache-2.0
 * core/growth.c: proofs from iterates that grow. */
#include <config.h>

#include "growth.h"

/* Steps between looks at max|z|: each look is a pass over z. */
enum { LOOK_EVERY = 16 };

static double largest(size_t n, const double *z)
{
    double size = 0.0;

    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(z[i]));
    }
    return size;
}

bool perp_growth_init(perp_growth *g, const perp_problem *p, perp_workspace *ws)
{
    g->p = p;
    g->before = perp_workspace_reals(ws, p->n);
    return g->before != NULL;
}

void perp_growth_reset(perp_growth *g, const double *z)
{
    memcpy(g->before, z, g->p->n * sizeof *z);
    g->size = largest(g->p->n, z);
    g->steps = 0;
}

bool perp_growth_watch(perp_growth *g, perp_result *r)
{
    size_t n = g->p->n;
    double size = 0.0;
    bool from_zero = g->size == 0.0; /* the first doubling of nothing tells nothing */

    if (++g->steps % LOOK_EVERY != 0) {
        return false;
    }
    size = largest(n, r->z);
    if (!(size > 2.0 * g->size) || !isfinite(size)) {
        return false;
    }
    if (from_zero) {
        perp_growth_reset(g, r->z);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        g->before[i] = r->z[i] - g->before[i];
    }
    if (perp_certificate_grown(g->p, g->before, r)) {
        return true;
    }
    perp_growth_reset(g, r->z);
    return false;
}

bool perp_norm_estimate(const perp_operator *A, perp_workspace *ws, double *norm,
                        perp_result *r)
{
    size_t mark = perp_workspace_mark(ws);
    size_t room = 0;
    double *work = NULL;

    if (!perp_mul(A->rows, 2, &room) || !(work = perp_workspace_reals(ws, room))) {
        return false;
    }
    *norm = perp_operator_norm_estimate(A, work);
    r->work.products += 12.0; /* of the estimate */
    perp_workspace_release(ws, mark);
    return true;
}
