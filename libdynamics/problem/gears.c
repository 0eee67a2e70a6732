/* SPDX-License-Identifier: Apache-2.0
 * problem/gears.c: rows of more than two bodies.
 *
 *     J = J_q - ratio J_q',   so that   E = E_q + E_2,   G = G_q + G_2
 *
 * The row of a gear is the sum of two rows of two bodies each: innovations are linear in
 * J. Both halves are written by the method of the system: of trees, of implicit forces, or,
 * in maximal coordinates, E = J and G = J M^-1 with six columns per body. Columns that both
 * halves have are added, and ascend afterwards. */
#include <config.h>

#include <limits.h>
#include <stdlib.h>

#include "problem/effective.h"
#include "problem/parts.h"

/* E = J, G = J M^-1. */
static perp_status gears_maximal(const perp_pairs *pairs, system_innovations *out,
                                 perp_error *err)
{
    size_t at = 0;

    if (pairs->bodies > INT32_MAX / 6 ||
        !system_innovations_reserve(out, pairs->rows, 12 * pairs->rows)) {
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory for %zu rows",
                         pairs->rows);
    }
    out->nv = 6 * pairs->bodies;
    out->ptr[0] = 0;
    for (size_t r = 0; r < pairs->rows; r++) {
        const int32_t *body = perp_pairs_bodies(pairs, r);
        const size_t late = body[0] > body[1]; /* columns ascend */
        double made[12];
        const double *J = perp_pairs_row(pairs, r, made);

        for (size_t s = 0; s < 2; s++) {
            const size_t side = late ? 1 - s : s;
            const int32_t k = body[side];

            if (k >= 0) {
                memcpy(out->E + at, J + 6 * side, 6 * sizeof *J);
                system_inverse(pairs->inverse_mass[k],
                               pairs->inverse_inertia + 9 * (size_t)k, J + 6 * side,
                               out->G + at);
                for (int32_t c = 0; c < 6; c++) {
                    out->col[at++] = 6 * k + c;
                }
            }
        }
        out->ptr[r + 1] = at;
        out->null_softness[r] = 0.0;
    }
    out->rows = pairs->rows;
    return PERP_OK;
}

static perp_status gears_rows(const perp_system *system, const perp_pairs *pairs,
                              system_innovations *out, perp_error *err)
{
    const system_own *own = system->own;

    return system_is_reduced(system) ? system_innovate(&own->reduced, pairs, out, err)
           : system->mass            ? effective_rows(system->mass, pairs, out, err)
                                     : gears_maximal(pairs, out, err);
}

/* Row `to` of the sum: rows a of A and b of B, whose columns ascend. B NULL: A alone. */
static void gears_add(const system_innovations *A, size_t a, const system_innovations *B,
                      size_t b, system_innovations *sum)
{
    size_t i = A->ptr[a];
    size_t j = B ? B->ptr[b] : 0;
    const size_t i_end = A->ptr[a + 1];
    const size_t j_end = B ? B->ptr[b + 1] : 0;
    size_t at = sum->ptr[a];

    while (i < i_end || j < j_end) {
        const int32_t p = i < i_end ? A->col[i] : INT32_MAX;
        const int32_t q = j < j_end ? B->col[j] : INT32_MAX;

        sum->col[at] = p < q ? p : q;
        sum->E[at] = (p <= q ? A->E[i] : 0.0) + (q <= p ? B->E[j] : 0.0);
        sum->G[at] = (p <= q ? A->G[i] : 0.0) + (q <= p ? B->G[j] : 0.0);
        i += p <= q;
        j += q <= p;
        at++;
    }
    sum->ptr[a + 1] = at;
    /* a coordinate moves the row if it moves one half */
    sum->null_softness[a] = B && B->null_softness[b] == 0.0 ? 0.0 : A->null_softness[a];
    sum->null_count += sum->null_softness[a] > 0.0;
}

/* *out := *out + the other halves, one row of `more` each. */
static perp_status gears_sum(const perp_rows *rows, const system_innovations *more,
                             system_innovations *out, perp_error *err)
{
    const size_t n = out->rows;
    const size_t count = rows->second_count;
    system_innovations sum = {.nv = out->nv};
    size_t next = 0;

    if (!system_innovations_reserve(&sum, n, out->ptr[n] + more->ptr[count])) {
        system_innovations_clear(&sum);
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory for %zu gears", count);
    }
    sum.ptr[0] = 0;
    for (size_t r = 0; r < n; r++) {
        const bool gear = next < count && rows->seconds[next].row == r;

        gears_add(out, r, gear ? more : NULL, next, &sum);
        next += gear;
    }
    sum.rows = n;
    system_innovations_clear(out);
    *out = sum;
    return PERP_OK;
}

perp_status system_rows_of(const perp_system *system, const perp_pairs *pairs,
                           system_innovations *out, perp_error *err)
{
    const perp_rows *rows = &system->rows;
    const size_t count = rows->second_count;
    perp_pairs second = *pairs;
    system_innovations more = {0};
    double *J = NULL;
    int32_t *body = NULL;
    perp_status status = gears_rows(system, pairs, out, err);

    if (status != PERP_OK || count == 0) {
        return status;
    }
    J = math_alloc(count, sizeof rows->seconds->J);
    body = math_alloc(count, sizeof rows->seconds->body);
    if (J && body) {
        for (size_t k = 0; k < count; k++) {
            memcpy(J + 12 * k, rows->seconds[k].J, sizeof rows->seconds->J);
            memcpy(body + 2 * k, rows->seconds[k].body, sizeof rows->seconds->body);
        }
        second.rows = second.frames_from = count;
        second.J = J;
        second.body = body;
        second.frames = NULL;
        status = gears_rows(system, &second, &more, err);
    } else {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "system: no memory for %zu gears", count);
    }
    if (status == PERP_OK) {
        status = gears_sum(rows, &more, out, err);
    }
    system_innovations_clear(&more);
    free(J);
    free(body);
    return status;
}
