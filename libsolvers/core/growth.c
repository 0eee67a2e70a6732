/* SPDX-License-Identifier: Apache-2.0
 * core/growth.c: proofs from iterates that grow. */
#include <config.h>

#include "growth.h"

/* Steps between looks at max|z|: each look is a pass over z. */
enum { LOOK_EVERY = 16 };

/* The part of y on a block that a certificate may hold: y lies in the recession cone of K,
 * and on contacts of Coulomb's law in its normal. */
static void cut_block(const perp_problem *p, size_t k, double *y)
{
    const perp_block *block = &p->set->blocks[k];
    bool below = isfinite(block->lo);
    bool above = isfinite(block->hi);
    bool associated = p->law == PERP_LAW_ASSOCIATED && block->kind == PERP_SET_CONE;
    unsigned kept = block->dim;
    double *at = y + block->first;

    switch (block->kind) {
    case PERP_SET_FREE:
        return;
    case PERP_SET_NONNEG:
    case PERP_SET_BOX:
        if ((below && above) || (below && *at < 0.0) || (above && *at > 0.0)) {
            *at = 0.0;
        }
        return;
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        kept = associated ? block->dim : 1;
        break;
    default:
        kept = 0;
        break;
    }
    for (unsigned i = kept; i < block->dim; i++) {
        at[i] = 0.0;
    }
    if (kept > 0) {
        perp_set_project(p->set, k, y);
    }
}

bool perp_growth_proves(const perp_problem *p, double *y)
{
    for (size_t k = 0; k < p->set->count; k++) {
        cut_block(p, k, y);
    }
    return perp_certificate_infeasible(p, y);
}

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
    for (size_t i = 0; i < n; i++) {
        r->certificate[i] = r->z[i] - g->before[i];
    }
    perp_growth_reset(g, r->z);
    if (from_zero) {
        return false;
    }
    r->work.products += 1.0;
    r->has_certificate = perp_growth_proves(g->p, r->certificate);
    return r->has_certificate;
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
