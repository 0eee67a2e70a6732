/* SPDX-License-Identifier: Apache-2.0
 * splitting/layout.c: blocks and their rows in the order of a sweep.
 *
 * Rows are copied once and stand one after the other as the sweep comes by; columns keep
 * their numbers, since z stays where it is. Memory: that of A once more. */
#include <config.h>

#include "layout.h"

/* Block rows of A that the block k has: its rows, or one where blocks agree. */
static size_t unit_rows(const perp_operator *A, const perp_block *block, size_t *first)
{
    *first = block->first / A->edge;
    return block->dim / A->edge;
}

/* The entries of `from`, by place. */
static void copy_entries(const layout *l, const perp_operator *from, perp_operator *to)
{
    size_t entry = from->edge * from->edge, next = 0;

    for (size_t place = 0; place < l->p->set->count; place++) {
        const perp_block *block = &l->p->set->blocks[l->order[place]];
        size_t first, units = unit_rows(from, block, &first);
        size_t begin = from->ptr[first], count = from->ptr[first + units] - begin;

        memcpy(to->x + next * entry, from->x + begin * entry,
               count * entry * sizeof *to->x);
        next += count;
    }
}

static bool copy_rows(const layout *l, const perp_operator *from, perp_operator *to,
                      perp_workspace *ws)
{
    size_t entry = from->edge * from->edge, next = 0, unit = 0;

    *to = *from;
    to->ptr = perp_workspace_sizes(ws, from->rows / from->edge + 1);
    to->col = perp_workspace_take(ws, from->count, sizeof *to->col);
    to->x = perp_workspace_take(ws, from->count, entry * sizeof *to->x);
    if (!to->ptr || !to->col || !to->x) {
        return false;
    }
    for (size_t place = 0; place < l->p->set->count; place++) {
        const perp_block *block = &l->p->set->blocks[l->order[place]];
        size_t first, units = unit_rows(from, block, &first);

        for (size_t k = first; k < first + units; k++) {
            size_t count = from->ptr[k + 1] - from->ptr[k];

            memcpy(to->col + next, from->col + from->ptr[k], count * sizeof *to->col);
            next += count;
            to->ptr[++unit] = next;
        }
    }
    copy_entries(l, from, to);
    return true;
}

/* What a place knows of its rows beside J and G. */
static void copy_compliance(layout *l)
{
    for (size_t place = 0, i = 0; place < l->p->set->count; place++) {
        const perp_block *block = &l->p->set->blocks[l->order[place]];

        memcpy(l->parts.C + i, l->p->A->factored->C + block->first,
               block->dim * sizeof *l->parts.C);
        for (unsigned k = 0; k < block->dim; k++) {
            unsigned run = l->p->A->factored->run[block->first + k];

            /* the rows after this block are others than in A */
            l->parts.run[i + k] =
                (unsigned char)(run < block->dim - k ? run : block->dim - k);
        }
        i += block->dim;
    }
}

static bool copy_factored(layout *l, perp_workspace *ws)
{
    const perp_operator *A = l->p->A;

    l->parts = *A->factored;
    l->parts.J = &l->J;
    l->parts.G = &l->G;
    l->parts.C = perp_workspace_reals(ws, A->rows);
    l->parts.run = perp_workspace_take(ws, A->rows, sizeof *l->parts.run);
    l->copy.factored = &l->parts;
    if (!l->parts.C || !l->parts.run || !copy_rows(l, A->factored->J, &l->J, ws) ||
        !copy_rows(l, A->factored->G, &l->G, ws)) {
        return false;
    }
    copy_compliance(l);
    return true;
}

/* Whether block rows of A are whole blocks of the set. */
static bool separable(const layout *l)
{
    const perp_operator *A = l->p->A;
    const perp_set *set = l->p->set;

    if (A->type->storage == PERP_STORAGE_DENSE) {
        return false;
    }
    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].first % A->edge != 0 || set->blocks[k].dim % A->edge != 0) {
            return false;
        }
    }
    return true;
}

static bool put_in_order(layout *l, perp_workspace *ws)
{
    const perp_set *set = l->p->set;
    perp_block *blocks = perp_workspace_take(ws, set->count, sizeof *blocks);
    size_t *row = perp_workspace_sizes(ws, set->count);
    bool copied = false;

    if (!blocks || !row) {
        return false;
    }
    for (size_t place = 0, i = 0; place < set->count; place++) {
        blocks[place] = set->blocks[l->order[place]];
        row[place] = i;
        i += blocks[place].dim;
    }
    l->blocks = blocks;
    if (!l->p->A->factored && !separable(l)) {
        return true;
    }
    l->copy = *l->p->A;
    copied =
        l->p->A->factored ? copy_factored(l, ws) : copy_rows(l, l->p->A, &l->copy, ws);
    l->rows = &l->copy;
    l->row = row;
    return copied;
}

perp_status layout_setup(layout *l, const perp_problem *p, const size_t *order,
                         perp_workspace *ws, perp_error *err)
{
    memset(l, 0, sizeof *l);
    l->p = p;
    l->order = order;
    l->blocks = p->set->blocks;
    l->rows = p->A;
    if (order && !put_in_order(l, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to copy %zu rows in order",
                         p->n);
    }
    return PERP_OK;
}

void layout_refresh(layout *l)
{
    if (l->rows == l->p->A) {
        return;
    }
    if (l->p->A->factored) {
        copy_compliance(l);
    } else {
        copy_entries(l, l->p->A, &l->copy);
    }
}
