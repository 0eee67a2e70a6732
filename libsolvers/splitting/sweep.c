/* SPDX-License-Identifier: Apache-2.0
 * splitting/sweep.c: solve each block for itself, the others held, in turn.
 *
 *     scalar   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *     cone     z_k <- (1 - omega) z_k + omega local(A_kk, q_k),  q_k = (A z + b)_k - A_kk z_k
 *
 * Bounds of FRICTION rows follow z[normal] as it stands. A row with A_ii <= 0 is passed by
 * as long as it asks for no step. Each pass costs one product with A, reading every block row
 * once; what the local problems need of A_kk is kept, so that W_nt is never taken for
 * W_tn^T and no symmetry is assumed. */
#include <config.h>

#include "sweep.h"

/* Reals kept of A for each block. */
static void prepare_scalar(sweep *s, size_t k)
{
    double d = perp_operator_diagonal(s->p->A, s->p->set->blocks[k].first);

    s->inv[k] = d > 0.0 ? 1.0 / d : 0.0;
    s->weight[k] = d > 0.0 ? d : 0.0;
}

static void prepare_cone(sweep *s, size_t k)
{
    const perp_block *block = &s->p->set->blocks[k];
    double D[9], trace = 0.0;

    perp_operator_diagonal_block(s->p->A, block->first, block->dim, D);
    for (unsigned i = 0; i < block->dim; i++) {
        trace += fmax(D[i + i * block->dim], 0.0);
    }
    s->weight[k] = trace / block->dim;
    local_cone_init(&s->cones[s->slot[k]], block->dim, block->mu, s->p->law, D,
                    s->proximal * trace);
}

void sweep_refresh(sweep *s)
{
    const perp_set *set = s->p->set;

    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].kind == PERP_SET_CONE) {
            prepare_cone(s, k);
        } else {
            prepare_scalar(s, k);
        }
    }
}

perp_status sweep_setup(sweep *s, const perp_problem *p, const perp_options *opt,
                        perp_workspace *ws, perp_result *r, perp_error *err)
{
    const perp_set *set = p->set;
    size_t cones = perp_set_count(set, PERP_SET_CONE);
    size_t next = 0;

    s->p = p;
    s->omega = perp_options_real(opt, "relaxation");
    s->order = (sweep_order)perp_options_choice(opt, "sweep");
    s->inv = perp_workspace_reals(ws, set->count);
    s->weight = perp_workspace_reals(ws, set->count);
    s->slot = perp_workspace_sizes(ws, set->count);
    s->guess = perp_workspace_reals(ws, cones);
    s->cones = perp_workspace_take(ws, cones, sizeof *s->cones);
    if (!s->inv || !s->weight || !s->slot || !s->guess || !s->cones) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a sweep over %zu blocks",
                         set->count);
    }
    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].kind == PERP_SET_CONE) {
            s->slot[k] = next++;
            perp_set_project(set, k, r->z); /* mixing old and new must stay in the cone */
        }
    }
    sweep_refresh(s);
    return PERP_OK;
}

/* False where a row asks for a step and has none. */
static bool scalar_step(sweep *s, size_t k, const perp_block *block, double *z)
{
    size_t i = block->first;
    double w = s->p->b[i] + perp_operator_row_dot(s->p->A, i, z);
    double lo, hi, x, dz;

    perp_block_bounds(block, z, &lo, &hi);
    x = z[i] - s->omega * s->inv[k] * w;
    x = x < lo ? lo : (x > hi ? hi : x);
    if (s->inv[k] == 0.0 && ((w < 0.0 && x < hi) || (w > 0.0 && x > lo))) {
        return false;
    }
    dz = x - z[i];
    s->change += s->weight[k] * dz * dz;
    z[i] = x;
    return true;
}

static bool cone_step(sweep *s, size_t k, const perp_block *block, double *z)
{
    const local_cone *cone = &s->cones[s->slot[k]];
    const double *b = s->p->b + block->first;
    unsigned dim = block->dim;
    double *r = z + block->first;
    double u[3], q[3], x[3] = {r[0], r[1], dim == 3 ? r[2] : 0.0};
    double change = 0.0;

    perp_operator_rows_dot(s->p->A, block->first, dim, z, u);
    for (unsigned i = 0; i < dim; i++) {
        u[i] += b[i];
    }
    if (s->local == SWEEP_EXACT || cone->inv_nn == 0.0) {
        local_cone_offset(cone, u, r, q);
        if (!local_cone_solve(cone, q, &s->guess[s->slot[k]], x)) {
            return false;
        }
    } else if (s->local == SWEEP_PROJECTION) {
        local_cone_project(cone, u, x);
    } else {
        local_cone_two_step(cone, u, x);
    }
    if (s->omega != 1.0) {
        for (unsigned i = 0; i < dim; i++) {
            x[i] = r[i] + s->omega * (x[i] - r[i]);
        }
        if (s->omega > 1.0) {
            perp_project_cone(block->mu, dim, x);
        }
    }
    for (unsigned i = 0; i < dim; i++) {
        change += (x[i] - r[i]) * (x[i] - r[i]);
        r[i] = x[i];
    }
    s->change += s->weight[k] * change;
    return true;
}

static perp_status pass(sweep *s, perp_result *r, bool backward)
{
    const perp_set *set = s->p->set;

    for (size_t i = 0; i < set->count; i++) {
        size_t k = backward ? set->count - 1 - i : i;
        const perp_block *block = &set->blocks[k];
        bool cone = block->kind == PERP_SET_CONE;

        if (!(cone ? cone_step(s, k, block, r->z) : scalar_step(s, k, block, r->z))) {
            return perp_result_refuse(r, PERP_SINGULAR_BLOCK, block->first,
                                      "the diagonal entry of a row that must move is not "
                                      "positive");
        }
    }
    r->work.products += 1.0;
    r->work.projections += (double)set->count;
    return PERP_OK;
}

perp_status sweep_run(sweep *s, perp_result *r)
{
    perp_status status;

    s->change = 0.0;
    status = pass(s, r, s->order == SWEEP_ALTERNATE && s->backward);
    if (s->order == SWEEP_SYMMETRIC && status == PERP_OK && r->outcome == PERP_RUNNING) {
        status = pass(s, r, true);
    }
    s->backward = !s->backward;
    return status;
}

size_t sweep_check_every(const perp_options *opt, const perp_solver_type *type)
{
    long every = perp_options_integer(opt, "check-every");

    return every > 0 ? (size_t)every : type->check_every;
}
