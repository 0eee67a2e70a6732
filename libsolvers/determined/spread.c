/* SPDX-License-Identifier: Apache-2.0
 * determined/spread.c: the answer with the least largest normal impulse.
 *
 *     min t_1    r_i N_i + s_i = t_i,   t_i = t_{i+1},   s, t >= 0
 *
 * One t per normal keeps the equations sparse. */
#include <config.h>

#include "determined.h"
#include "matrix/storages.h"

/* Whether variable i is the normal of a block. */
static bool spread_normal(const perp_set *K, size_t i)
{
    const perp_block *block = &K->blocks[perp_set_block_at(K, i)];

    return block->kind == PERP_SET_NONNEG ||
           (block->kind == PERP_SET_CONE && block->first == i);
}

/* The variables of the island, then s and t of each normal, and their equations. */
static perp_status spread_equations(const determined_island *g, const double *square,
                                    size_t normals, perp_operator **out, double *y,
                                    perp_error *err)
{
    const perp_operator *G = g->program.G->factored->J;
    size_t n = g->n + 2 * normals;
    size_t entries = 0;
    size_t at = 0;
    double largest = 0.0;
    perp_operator *E = NULL;

    TRY(perp_operator_new_sparse(out, n, g->columns + 2 * normals, 1,
                                 G->ptr[g->n] + 5 * normals, err));
    E = *out;
    for (size_t i = 0; i < g->n; i++) {
        for (size_t e = G->ptr[i]; e < G->ptr[i + 1]; e++, entries++) {
            E->col[entries] = G->col[e];
            E->x[entries] = G->x[e] * PERP_PROGRAM_SCALE;
        }
        if (spread_normal(g->program.K, i)) {
            E->col[entries] = (int32_t)(g->columns + at++);
            E->x[entries++] = sqrt(square[i]);
            largest = fmax(largest, sqrt(square[i]) * g->y[i]);
        }
        E->ptr[i + 1] = entries;
    }
    at = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (spread_normal(g->program.K, i)) {
            y[g->n + at++] = largest - sqrt(square[i]) * g->y[i];
        }
        y[i] = g->y[i];
    }
    for (size_t k = 0; k < normals; k++) { /* s_k */
        E->col[entries] = (int32_t)(g->columns + k);
        E->x[entries++] = 1.0;
        E->ptr[g->n + k + 1] = entries;
    }
    for (size_t k = 0; k < normals; k++) { /* t_k */
        E->col[entries] = (int32_t)(g->columns + k);
        E->x[entries++] = -1.0;
        if (k > 0) {
            E->col[entries] = (int32_t)(g->columns + normals + k - 1);
            E->x[entries++] = -1.0;
        }
        if (k + 1 < normals) {
            E->col[entries] = (int32_t)(g->columns + normals + k);
            E->x[entries++] = 1.0;
        }
        E->ptr[g->n + normals + k + 1] = entries;
        y[g->n + normals + k] = largest;
    }
    return PERP_OK;
}

/* K and `more` rows z >= 0. */
static perp_status spread_set(const perp_set *K, size_t more, perp_set **out,
                              perp_error *err)
{
    TRY(perp_set_new(out, K->count + more, err));
    memcpy((*out)->blocks, K->blocks, K->count * sizeof *K->blocks);
    (*out)->count = K->count;
    (*out)->n = K->n;
    for (size_t k = 0; k < more; k++) { /* within the capacity */
        (void)perp_set_add_nonneg(*out);
    }
    return PERP_OK;
}

static perp_status spread_run(const determined_island *g, const perp_operator *E,
                              const perp_set *K, double *y, double *point, bool *found,
                              perp_error *err)
{
    perp_program program = {0};
    perp_arrays at = perp_operator_arrays(E);
    double bound = 0.0;
    perp_status status = perp_program_setup(&program, &at, K, y, err);

    if (status == PERP_OK) {
        memset(y, 0, E->rows * sizeof *y);
        y[g->n + (E->rows - g->n) / 2] = 1.0;
        status = perp_program_run(&program, y, NULL, &bound, err);
        *found = isfinite(bound);
        memcpy(point, program.y, g->n * sizeof *point);
    }
    perp_program_close(&program);
    return status;
}

perp_status perp_determined_spread_island(determined_island *g, const double *square,
                                          double *point, bool *found, perp_error *err)
{
    size_t normals = 0;
    perp_set *K = NULL;
    perp_operator *E = NULL;
    double *y = NULL;
    perp_status status = PERP_OK;

    *found = true;
    memcpy(point, g->y, g->n * sizeof *point);
    for (size_t i = 0; i < g->n; i++) {
        normals += spread_normal(g->program.K, i);
    }
    if (normals == 0) {
        return PERP_OK;
    }
    y = perp_reals_new(g->n + 2 * normals);
    status = spread_set(g->program.K, 2 * normals, &K, err);
    if (status == PERP_OK && !y) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu variables", g->n);
    }
    if (status == PERP_OK) {
        status = spread_equations(g, square, normals, &E, y, err);
    }
    if (status == PERP_OK) {
        status = spread_run(g, E, K, y, point, found, err);
    }
    perp_operator_free(E);
    perp_set_free(K);
    free(y);
    return status;
}
