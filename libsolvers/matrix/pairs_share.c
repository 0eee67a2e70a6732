/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs_share.c: the product J M^-1 J^T z in parts that threads share.
 *
 * Runs of rows on the same two bodies are multiplied first, each for itself. A body then adds what
 * its runs give in their order: the bits are those of a product by one thread. Memory: 104 bytes
 * per run. */
#include <config.h>

#include "matrix/storages.h"

static size_t parts_count_runs(const perp_operator *A)
{
    size_t runs = 0;

    for (size_t i = 0; i < A->rows; i++) {
        runs += i == 0 || !perp_pairs_together(&A->pairs->at, i - 1, i);
    }
    return runs;
}

/* start[k + 1] moves from the first side of body k to the end. */
static void parts_list_sides(perp_pairs_parts *s)
{
    const perp_pairs *at = &s->A->pairs->at;

    for (size_t i = 0; i < 2 * s->runs; i++) {
        int32_t k = perp_pairs_body(at, s->first[i / 2])[i % 2];

        if (k >= 0) {
            s->start[k + 2]++;
        }
    }
    for (size_t k = 0; k < s->bodies; k++) {
        s->start[k + 2] += s->start[k + 1];
    }
    for (size_t i = 0; i < 2 * s->runs; i++) {
        int32_t k = perp_pairs_body(at, s->first[i / 2])[i % 2];

        if (k >= 0) {
            s->side[s->start[k + 1]++] = (uint32_t)i;
        }
    }
}

bool perp_pairs_parts_init(perp_pairs_parts *s, const perp_operator *A,
                           perp_workspace *ws)
{
    size_t run = 0;

    *s = (perp_pairs_parts){.A = A, .bodies = A->pairs->at.bodies};
    s->runs = parts_count_runs(A);
    s->first = perp_workspace_sizes(ws, s->runs + 1);
    s->start = perp_workspace_sizes(ws, s->bodies + 2);
    s->side = perp_workspace_alloc(ws, 2 * s->runs, sizeof *s->side);
    s->push = perp_workspace_raw(ws, 12 * s->runs, sizeof *s->push);
    s->v = perp_workspace_raw(ws, 6 * s->bodies, sizeof *s->v);
    if (!s->first || !s->start || !s->side || !s->push || !s->v) {
        return false;
    }
    for (size_t i = 0; i < A->rows; i++) {
        if (i == 0 || !perp_pairs_together(&A->pairs->at, i - 1, i)) {
            s->first[run++] = i;
        }
    }
    s->first[run] = A->rows;
    parts_list_sides(s);
    return true;
}

void perp_pairs_parts_push(const perp_pairs_parts *s, size_t from, size_t to,
                           const double *z)
{
    for (size_t k = from; k < to; k++) {
        perp_pairs_push(s->A, s->first[k], s->first[k + 1], z, s->push + 12 * k);
    }
}

void perp_pairs_parts_gather(const perp_pairs_parts *s, size_t from, size_t to)
{
    for (size_t body = from; body < to; body++) {
        double sum[6] = {0.0};

        for (size_t i = s->start[body]; i < s->start[body + 1]; i++) {
            const double *push = s->push + 6 * (size_t)s->side[i];

            for (size_t k = 0; k < 6; k++) {
                sum[k] += push[k];
            }
        }
        perp_pairs_divide(s->A->pairs, (int32_t)body, sum, s->v + 6 * body);
    }
}

void perp_pairs_parts_rows(const perp_pairs_parts *s, size_t first, size_t dim,
                           const double *z, double *w)
{
    const double *C = s->A->pairs->C;

    perp_pairs_rows_dot(s->A, first, dim, s->v, w + first);
    for (size_t i = first; i < first + dim; i++) {
        w[i] += C[i] * z[i];
    }
}
