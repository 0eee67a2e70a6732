/* SPDX-License-Identifier: Apache-2.0
 * splitting/blocks.c: solve one block for itself, all others being fixed.
 *
 *     scalar   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *     others   z_k <- (1 - omega) z_k + omega local(A_kk, q_k),  q_k = (A z + b)_k - A_kk z_k
 *
 * Bounds of FRICTION rows follow the current z[normal]. A row with A_ii <= 0 is skipped as long
 * as it requires no step. The local problems use all of A_kk: no symmetry is assumed. */
#include <config.h>

#include "base/base.h"
#include "blocks.h"

static void blocks_prepare(local_blocks *l, size_t position)
{
    const perp_block *block = &l->at[position];
    double D[LOCAL_DIM_MAX * LOCAL_DIM_MAX], trace = 0.0, shift = 0.0;
    size_t slot;

    if (l->elsewhere && l->elsewhere[position]) {
        return;
    }
    slot = l->slot[position];
    perp_operator_diagonal_block(l->p->A, block->first, block->dim, D);
    for (unsigned i = 0; i < block->dim; i++) {
        trace += fmax(D[i + i * block->dim], 0.0);
    }
    l->weight[position] = trace / block->dim;
    l->inv[position] = D[0] > 0.0 ? 1.0 / D[0] : 0.0;
    shift = l->proximal * trace;
    if (block->kind == PERP_SET_CONE) {
        perp_local_cone_init(&l->cones[slot], block->dim, block->mu, l->p->law, D, shift);
    } else if (block->kind == PERP_SET_ROLLING) {
        perp_local_rolling_init(&l->rollings[slot], block->mu, block->mu_rolling,
                                l->p->law, D, shift);
    } else if (block->kind == PERP_SET_DISK) {
        perp_local_disk_init(&l->disks[slot], D, 2, shift);
    }
}

void perp_local_blocks_refresh(local_blocks *l)
{
    for (size_t position = 0; position < l->count; position++) {
        blocks_prepare(l, position);
    }
}

perp_status perp_local_blocks_setup(local_blocks *l, perp_workspace *ws, perp_error *err)
{
    size_t cones = perp_set_count(l->p->set, PERP_SET_CONE);
    size_t disks = perp_set_count(l->p->set, PERP_SET_DISK);
    size_t rollings = perp_set_count(l->p->set, PERP_SET_ROLLING);
    size_t cone = 0, disk = 0, rolling = 0, elsewhere = 0, here = 0;

    for (size_t position = 0; l->elsewhere && position < l->count; position++) {
        elsewhere += l->elsewhere[position];
    }
    cones -= elsewhere;
    here = elsewhere < l->count ? l->count : 0;
    l->inv = perp_workspace_reals(ws, here);
    l->weight = perp_workspace_reals(ws, l->count);
    l->slot = perp_workspace_sizes(ws, here);
    l->guess = perp_workspace_reals(ws, cones);
    l->disk_guess = perp_workspace_reals(ws, disks);
    l->cones = perp_workspace_alloc(ws, cones, sizeof *l->cones);
    l->disks = perp_workspace_alloc(ws, disks, sizeof *l->disks);
    l->rollings = perp_workspace_alloc(ws, rollings, sizeof *l->rollings);
    if (!l->inv || !l->weight || !l->slot || !l->guess || !l->disk_guess || !l->cones ||
        !l->disks || !l->rollings) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the blocks of %zu rows",
                         l->p->n);
    }
    for (size_t position = 0; position < l->count; position++) {
        if (l->elsewhere && l->elsewhere[position]) {
            continue;
        }
        switch (l->at[position].kind) {
        case PERP_SET_CONE:
            l->slot[position] = cone++;
            break;
        case PERP_SET_DISK:
            l->slot[position] = disk++;
            break;
        case PERP_SET_ROLLING:
            l->slot[position] = rolling++;
            break;
        default:
            break;
        }
    }
    perp_local_blocks_refresh(l);
    return PERP_OK;
}

/* False where a row must move and A_ii <= 0. */
static bool blocks_step_scalar(const local_blocks *l, size_t position, double w,
                               double *z, double *dz, double *change)
{
    const perp_block *block = &l->at[position];
    size_t i = block->first;
    double lo, hi, x;

    perp_block_bounds(block, z, &lo, &hi);
    x = z[i] - l->omega * l->inv[position] * w;
    x = x < lo ? lo : (x > hi ? hi : x);
    if (l->inv[position] == 0.0 && ((w < 0.0 && x < hi) || (w > 0.0 && x > lo))) {
        return false;
    }
    *dz = x - z[i];
    *change += l->weight[position] * *dz * *dz;
    z[i] = x;
    return true;
}

/* x: in: the impulse r; out: the solution of the local problem. */
static inline bool blocks_solve_cone(const local_blocks *l, size_t position,
                                     const double *u, double *x)
{
    const local_cone *cone = &l->cones[l->slot[position]];
    double q[3];

    if (l->method == LOCAL_PROJECTION && cone->inv_nn > 0.0) {
        perp_local_cone_project(cone, u, x);
        return true;
    }
    if (l->method == LOCAL_TWO_STEP && cone->inv_nn > 0.0) {
        perp_local_cone_two_step(cone, u, x);
        return true;
    }
    perp_local_cone_offset(cone, u, x, q);
    if (l->method == LOCAL_NEWTON && cone->law == PERP_LAW_COULOMB) {
        const double mu[2] = {cone->curve.mu, 0.0};

        if (perp_local_newton(cone->dim, cone->W, mu, q, x)) {
            perp_project_cone(cone->curve.mu, cone->dim, x);
            return true;
        }
    }
    return perp_local_cone_solve(cone, q, &l->guess[l->slot[position]], x);
}

static bool blocks_solve_rolling(const local_blocks *l, size_t position, const double *u,
                                 double *x)
{
    local_rolling *rolling = &l->rollings[l->slot[position]];

    if (l->method == LOCAL_PROJECTION && rolling->inv_nn > 0.0) {
        perp_local_rolling_project(rolling, u, x);
    } else if (l->method == LOCAL_TWO_STEP && rolling->inv_nn > 0.0) {
        perp_local_rolling_two_step(rolling, u, x);
    } else {
        return perp_local_rolling_solve(rolling, u, x);
    }
    return true;
}

static bool blocks_solve_disk(const local_blocks *l, size_t position, const double *u,
                              double *x)
{
    const local_disk *disk = &l->disks[l->slot[position]];
    const double *W = disk->W;
    double *guess = &l->disk_guess[l->slot[position]];
    double q[2];

    if (l->method == LOCAL_PROJECTION || l->method == LOCAL_TWO_STEP) {
        perp_local_disk_project(disk, l->at[position].radius, u, x);
        return true;
    }
    q[0] = u[0] - (W[0] * x[0] + W[2] * x[1]);
    q[1] = u[1] - (W[1] * x[0] + W[3] * x[1]);
    perp_local_disk_solve(disk, l->at[position].radius, q, guess, x);
    return true;
}

/* Project an over-relaxed impulse on its set. */
static void blocks_project(const perp_block *block, double *x)
{
    if (block->kind == PERP_SET_CONE) {
        perp_project_cone(block->mu, block->dim, x);
    } else if (block->kind == PERP_SET_ROLLING) {
        perp_project_rolling(block->mu, block->mu_rolling, x);
    } else {
        double length = perp_norm2(x[0], x[1]);
        double keep = length > block->radius ? block->radius / length : 1.0;

        x[0] *= keep;
        x[1] *= keep;
    }
}

/* z <- z + omega (x - z) on one block; inlined for contacts in space. */
static inline void blocks_relax(const local_blocks *l, size_t position, unsigned dim,
                                double *x, double *r, double *dz, double *change)
{
    double squared = 0.0;

    if (l->omega != 1.0) {
        for (unsigned i = 0; i < dim; i++) {
            x[i] = r[i] + l->omega * (x[i] - r[i]);
        }
        if (l->omega > 1.0) {
            blocks_project(&l->at[position], x);
        }
    }
    for (unsigned i = 0; i < dim; i++) {
        dz[i] = x[i] - r[i];
        squared += dz[i] * dz[i];
        r[i] = x[i];
    }
    *change += l->weight[position] * squared;
}

bool perp_local_blocks_step(const local_blocks *l, size_t position, const double *u,
                            double *z, double *dz, double *change)
{
    const perp_block *block = &l->at[position];
    double *r = z + block->first;
    double x[LOCAL_DIM_MAX];
    unsigned dim = block->dim;

    if (dim == 1) {
        return blocks_step_scalar(l, position, u[0], z, dz, change);
    }
    if (dim == 3) {
        x[0] = r[0];
        x[1] = r[1];
        x[2] = r[2];
        if (!blocks_solve_cone(l, position, u, x)) {
            return false;
        }
        blocks_relax(l, position, 3, x, r, dz, change);
        return true;
    }
    for (unsigned i = 0; i < dim; i++) {
        x[i] = r[i];
    }
    if (!(block->kind == PERP_SET_CONE   ? blocks_solve_cone(l, position, u, x)
          : block->kind == PERP_SET_DISK ? blocks_solve_disk(l, position, u, x)
                                         : blocks_solve_rolling(l, position, u, x))) {
        return false;
    }
    blocks_relax(l, position, dim, x, r, dz, change);
    return true;
}

perp_status perp_refuse_diagonal(perp_result *r, size_t row, perp_error *err)
{
    TRY(perp_certificate_init(&r->certificate, PERP_CERTIFICATE_SINGULAR, r->n, 0, err));
    r->certificate.y[row] = 1.0; /* x.A x = A_ii <= 0 */
    return perp_result_refuse(
        r, PERP_SINGULAR_BLOCK, row,
        "the diagonal entry of a row that must move is not positive");
}
