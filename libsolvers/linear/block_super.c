/* SPDX-License-Identifier: Apache-2.0
 * linear/block_super.c: the partition of the steps into supernodes.
 *
 * A step joins the supernode before it where it is the parent of its last step in the
 * elimination tree and the panel that results has few zeros: none, or the more the narrower it
 * is, since narrow panels do not fill the kernels of BLAS [ashcraft-grimes-1989]. The rows below a
 * supernode are those below its last step. Cost: O(blocks of L). */
#include <config.h>

#include <limits.h>

#include "base/base.h"
#include "block_super.h"

/* The part of a panel of so many steps that may be zeros. */
static const struct {
    size_t steps;
    double zeros;
} super_relaxed[] = {{2, 0.5}, {4, 0.3}, {12, 0.15}, {SIZE_MAX, 0.05}};

static size_t super_below(const perp_block_order *o, size_t step)
{
    return o->ptr[step + 1] - o->ptr[step];
}

/* The steps first .. end - 1 as one panel: the part of its blocks that is zero, of which
 * `entries` are not. */
static double super_zeros(const perp_block_order *o, size_t first, size_t end,
                          double entries)
{
    double w = (double)(end - first);
    double blocks = w * (w + 1.0) / 2.0 + w * (double)super_below(o, end - 1);

    return 1.0 - entries / blocks;
}

/* Wider panels (192 columns) gain little in BLAS and leave threads without work. */
enum { super_widest = 32 };

static bool super_joins(const perp_block_order *o, size_t first, size_t middle,
                        size_t end, double entries)
{
    size_t k = 0;

    if (end - first > super_widest || o->parent[middle - 1] < (int32_t)middle ||
        o->parent[middle - 1] >= (int32_t)end) {
        return false;
    }
    while (super_relaxed[k].steps < end - first) {
        k++;
    }
    return super_zeros(o, first, end, entries) <= super_relaxed[k].zeros;
}

/* Blocks of L in the columns first .. end - 1. */
static double super_entries(const perp_block_order *o, size_t first, size_t end)
{
    return (double)(o->ptr[end] - o->ptr[first] + end - first);
}

static void super_partition(perp_supernodes *p)
{
    const perp_block_order *o = p->o;
    int32_t *first = p->first;

    p->count = 0;
    for (size_t j = 0; j < o->blocks; j++) {
        first[p->count++] = (int32_t)j;
        first[p->count] = (int32_t)j + 1;
        while (p->count > 1) {
            size_t begin = (size_t)first[p->count - 2];

            if (!super_joins(o, begin, (size_t)first[p->count - 1], j + 1,
                             super_entries(o, begin, j + 1))) {
                break;
            }
            p->count--;
            first[p->count] = (int32_t)j + 1;
        }
    }
    for (size_t k = 0; k < p->count; k++) {
        for (int32_t j = first[k]; j < first[k + 1]; j++) {
            p->of[j] = (int32_t)k;
        }
    }
    for (size_t k = 0; k < p->count; k++) {
        int32_t above = o->parent[first[k + 1] - 1];

        p->parent[k] = above < 0 ? -1 : p->of[above];
    }
}

/* Visit the runs of rows below supernode d that belong to one other: count or list them. */
static void super_visit(perp_supernodes *p, size_t d, size_t *next)
{
    const perp_block_order *o = p->o;
    size_t last = (size_t)p->first[d + 1] - 1;
    const int32_t *row = o->row + o->ptr[last];
    size_t count = super_below(o, last);
    size_t area = (size_t)p->size * p->size;

    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        size_t k = (size_t)p->of[row[begin]];

        while (end < count && (size_t)p->of[row[end]] == k) {
            end++;
        }
        if (next) {
            p->update[next[k]++] = (perp_super_update){(int32_t)d, begin};
        } else {
            size_t product = (count - begin) * (end - begin) * area;

            p->update_ptr[k + 1]++;
            p->product = product > p->product ? product : p->product;
        }
    }
}

static perp_status super_updates(perp_supernodes *p, perp_workspace *ws, size_t *next,
                                 perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t d = 0; d < p->count; d++) {
        super_visit(p, d, NULL);
    }
    for (size_t k = 0; k < p->count; k++) {
        next[k] = p->update_ptr[k];
        p->update_ptr[k + 1] += p->update_ptr[k];
    }
    p->update = perp_workspace_alloc(ws, p->update_ptr[p->count], sizeof *p->update);
    status = perp_workspace_status(ws, err);
    for (size_t d = 0; d < p->count && status == PERP_OK; d++) {
        super_visit(p, d, next);
    }
    return status;
}

static perp_status super_sizes(perp_supernodes *p, perp_error *err)
{
    size_t area = (size_t)p->size * p->size;

    p->panel[0] = 0;
    for (size_t k = 0; k < p->count; k++) {
        size_t steps = (size_t)(p->first[k + 1] - p->first[k]);
        size_t rows = steps + super_below(p->o, (size_t)p->first[k + 1] - 1);

        p->panel[k + 1] = p->panel[k] + rows * steps * area;
        p->height = rows * p->size > p->height ? rows * p->size : p->height;
    }
    if (p->height > INT_MAX) {
        return perp_fail(err, PERP_ERR_MEMORY, "a panel of %zu rows is beyond %d",
                         p->height, INT_MAX);
    }
    return PERP_OK;
}

perp_status perp_supernodes_find(perp_supernodes *p, const perp_block_order *o,
                                 unsigned size, perp_workspace *ws, perp_error *err)
{
    size_t n = o->blocks;
    size_t *next = NULL;

    *p = (perp_supernodes){.o = o, .size = size};
    p->first = perp_workspace_alloc(ws, n + 1, sizeof *p->first);
    p->of = perp_workspace_alloc(ws, n, sizeof *p->of);
    p->parent = perp_workspace_alloc(ws, n, sizeof *p->parent);
    p->panel = perp_workspace_sizes(ws, n + 1);
    p->update_ptr = perp_workspace_sizes(ws, n + 1);
    next = perp_workspace_sizes(ws, n);
    TRY(perp_workspace_status(ws, err));
    super_partition(p);
    TRY(super_sizes(p, err));
    return super_updates(p, ws, next, err);
}
