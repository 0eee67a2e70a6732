/* SPDX-License-Identifier: Apache-2.0
 * judge/growth.c: proofs from iterates that grow. */
#include <config.h>

#include "growth.h"

/* Steps between looks at max|z|: each look is a pass over z. */
enum { LOOK_EVERY = 16 };

/* y_k := what the recession cone of a block leaves of a direction that points into it; of
 * contacts of Coulomb's law, its normal. */
static void cut_block(const perp_problem *p, const perp_block *block, double *y)
{
    bool scalar = block->dim == 1 && block->kind != PERP_SET_FRICTION;
    bool cone = block->kind == PERP_SET_CONE || block->kind == PERP_SET_ROLLING;

    if (scalar) {
        y[0] = isfinite(block->lo) ? fmax(y[0], 0.0) : y[0];
        y[0] = isfinite(block->hi) ? fmin(y[0], 0.0) : y[0];
    } else if (p->law == PERP_LAW_ASSOCIATED && block->kind == PERP_SET_CONE) {
        perp_project_cone(block->mu, block->dim, y);
    } else {
        y[0] = cone ? fmax(y[0], 0.0) : 0.0;
        for (unsigned i = 1; i < block->dim; i++) {
            y[i] = 0.0;
        }
    }
}

static void cut(const perp_problem *p, double *y)
{
    for (size_t k = 0; k < p->set->count; k++) {
        cut_block(p, &p->set->blocks[k], y + p->set->blocks[k].first);
    }
}

/* A proof has y.A y <= 0; where A is positive semidefinite that is 0 up to rounding. A direction
 * of small but real curvature looks like one at the tolerances of the check, and is where a
 * mass ratio of 10^8 is solved after a long way. */
static bool is_flat(const perp_problem *p, const double *y, double *Ay)
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

bool perp_certificate_grown(const perp_problem *p, double *y, perp_result *r)
{
    cut(p, y);
    r->work.products += 2.0;
    r->has_certificate =
        is_flat(p, y, r->certificate) && perp_certificate_infeasible(p, y);
    if (r->has_certificate) {
        memcpy(r->certificate, y, p->n * sizeof *y);
    }
    return r->has_certificate;
}

bool perp_has_grown(size_t n, const double *z, double *y, double least)
{
    double size = perp_largest(n, z);

    for (size_t i = 0; i < n; i++) {
        y[i] = z[i] - y[i];
    }
    return isfinite(size) && perp_largest(n, y) > least * size;
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
    g->size = perp_largest(g->p->n, z);
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
    size = perp_largest(n, r->z);
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
