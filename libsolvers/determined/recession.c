/* SPDX-License-Identifier: Apache-2.0
 * determined/recession.c: whether a linear function falls without end over an island.
 *
 *     min c.d + |d|^2/2    G^T d = 0,  d in the recession cone of K
 *
 * Its solution is the projection of -c on the directions of the set: c.d = -|d|^2, so that d is a direction
 * along which c falls, or 0. */
#include <config.h>

#include "determined.h"
#include "matrix/storages.h"

/* |d| from which it is one, for c of size 1. */
static const double direction_least = 1e-5;

/* K with bounded rows fixed at 0. */
static perp_status recession_set(const perp_program *g, perp_set **out, perp_error *err)
{
    perp_set *K = perp_workspace_alloc(g->ws, 1, sizeof *K);
    perp_block *blocks = perp_workspace_alloc(g->ws, g->K->count, sizeof *blocks);

    TRY(perp_workspace_status(g->ws, err));
    *K = *g->K;
    memcpy(blocks, K->blocks, K->count * sizeof *blocks);
    K->blocks = blocks;
    for (size_t k = 0; k < K->count; k++) {
        blocks[k].radius = 0.0;
        if (blocks[k].kind == PERP_SET_BOX) {
            blocks[k].lo = isfinite(blocks[k].lo) ? 0.0 : -INFINITY;
            blocks[k].hi = isfinite(blocks[k].hi) ? 0.0 : INFINITY;
        }
    }
    *out = K;
    return PERP_OK;
}

/* The program of directions, made once from that of points. */
static perp_status recession_make(determined_island *g, perp_error *err)
{
    const perp_operator *G = g->program.G->factored->J;
    perp_set *K = NULL;
    double *zero = perp_workspace_reals(g->program.ws, g->n);
    perp_operator *rows = NULL;
    perp_status status = perp_workspace_status(g->program.ws, err);

    if (status == PERP_OK) {
        status = recession_set(&g->program, &K, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_copy(&rows, G, err);
    }
    if (status == PERP_OK) {
        perp_arrays at = perp_operator_arrays(rows);

        for (size_t e = 0; e < at.ptr[at.rows]; e++) {
            at.x[e] *= PERP_PROGRAM_SCALE;
        }
        status = perp_program_setup(&g->recession, &at, K, zero, err);
    }
    perp_operator_free(rows);
    if (status != PERP_OK) {
        perp_program_close(&g->recession);
    }
    return status;
}

perp_status perp_determined_falls(determined_island *g, const double *c, bool *unbounded,
                                  perp_error *err)
{
    double bound = 0.0;

    *unbounded = false;
    if (!g->recession.ws) {
        TRY(recession_make(g, err));
    }
    TRY(perp_program_run(&g->recession, c, g->recession.scale, &bound, err));
    *unbounded = isfinite(bound) && perp_largest(g->n, g->recession.y) >= direction_least;
    return PERP_OK;
}
