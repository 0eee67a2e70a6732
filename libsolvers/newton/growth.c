/* SPDX-License-Identifier: Apache-2.0
 * newton/growth.c: the growth of a point as a proof that there is no solution.
 *
 * On a problem without solution the points of a convergent method run to infinity, in the end
 * along a direction in which w cannot become what K asks [rockafellar-1976]. Rows that may
 * not be part of a certificate are cut from the step; what is left proves or does not. */
#include <config.h>

#include "growth.h"

static const double growth = 0.1; /* of |z|, before a proof is looked for */

/* The largest y a certificate may hold next to the step in y. */
static void growth_cut(const perp_problem *p, double *y)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double *x = y + block->first;
        bool convex = p->law == PERP_LAW_ASSOCIATED && block->kind == PERP_SET_CONE;

        switch (block->kind) {
        case PERP_SET_FREE:
            break;
        case PERP_SET_NONNEG:
            *x = fmax(*x, 0.0);
            break;
        case PERP_SET_BOX:
            *x = isfinite(block->lo)   ? (isfinite(block->hi) ? 0.0 : fmax(*x, 0.0))
                 : isfinite(block->hi) ? fmin(*x, 0.0)
                                       : *x;
            break;
        case PERP_SET_CONE:
        case PERP_SET_ROLLING:
            if (convex) {
                perp_project_cone(block->mu, block->dim, x);
                break;
            }
            *x = fmax(*x, 0.0);
            memset(x + 1, 0, (block->dim - 1) * sizeof *x);
            break;
        case PERP_SET_FRICTION:
        case PERP_SET_DISK:
            memset(x, 0, block->dim * sizeof *x);
            break;
        }
    }
}

bool newton_certifies(const perp_problem *p, const double *y, perp_result *r)
{
    if (y != r->certificate) {
        memcpy(r->certificate, y, p->n * sizeof *y);
    }
    growth_cut(p, r->certificate);
    r->work.products += 1.0;
    r->has_certificate = perp_certificate_infeasible(p, r->certificate);
    return r->has_certificate;
}

bool newton_proves_infeasible(const perp_problem *p, const double *before,
                              const double *after, perp_result *r)
{
    double *y = r->certificate;
    double grown = 0.0;
    double size = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        y[i] = after[i] - before[i];
        grown = fmax(grown, fabs(y[i]));
        size = fmax(size, fabs(after[i]));
    }
    return grown > growth * size && isfinite(size) && newton_certifies(p, y, r);
}
