/* SPDX-License-Identifier: Apache-2.0
 * splitting/layout.c: blocks and their rows in the order of a sweep.
 *
 * Rows are copied once, in the order of the sweep; columns keep their numbers, since z is not
 * reordered. Memory: that of A once more. */
#include <config.h>

#include "layout.h"

/* Block rows of A that the block k has: its rows, or one where blocks agree. */
static size_t layout_unit_rows(const perp_operator *A, const perp_block *block,
                               size_t *first)
{
    *first = block->first / A->block_size;
    return block->dim / A->block_size;
}

void perp_layout_moving(const perp_operator *A, unsigned char *moves)
{
    const perp_operator *G = A->factored->G;

    memset(moves, 0, G->cols * sizeof *moves);
    for (size_t k = 0; k < G->ptr[G->rows]; k++) {
        moves[G->col[k]] |= G->x[k] != 0.0;
    }
}

/* Copies block row k of `from` to the end of `to`, which has `next` entries; velocities that
 * never change are left out, so that they are never written. */
static size_t layout_copy_row(const perp_operator *from, size_t k,
                              const unsigned char *moves, perp_operator *to, size_t next)
{
    size_t entry = from->block_size * from->block_size;

    for (size_t e = from->ptr[k]; e < from->ptr[k + 1]; e++) {
        if (!moves || moves[from->col[e]]) {
            to->col[next] = from->col[e];
            memcpy(to->x + next * entry, from->x + e * entry, entry * sizeof *to->x);
            next++;
        }
    }
    return next;
}

static void layout_copy_all(const layout *l, const perp_operator *from,
                            const unsigned char *moves, perp_operator *to)
{
    size_t next = 0, unit = 0;

    for (size_t position = 0; position < l->p->set->count; position++) {
        const perp_block *block = &l->p->set->blocks[l->order[position]];
        size_t first, units = layout_unit_rows(from, block, &first);

        for (size_t k = first; k < first + units; k++) {
            next = layout_copy_row(from, k, moves, to, next);
            to->ptr[++unit] = next;
        }
    }
    to->count = next;
}

static bool layout_copy_rows(const layout *l, const perp_operator *from,
                             const unsigned char *moves, perp_operator *to,
                             perp_workspace *ws)
{
    *to = *from;
    to->ptr = perp_workspace_sizes(ws, from->rows / from->block_size + 1);
    to->col = perp_workspace_alloc(ws, from->count, sizeof *to->col);
    to->x = perp_workspace_alloc(ws, from->count,
                                 from->block_size * from->block_size * sizeof *to->x);
    if (!to->ptr || !to->col || !to->x) {
        return false;
    }
    layout_copy_all(l, from, moves, to);
    return true;
}

/* C and the runs of rows, by position. */
static void layout_copy_compliance(layout *l)
{
    for (size_t position = 0, i = 0; position < l->p->set->count; position++) {
        const perp_block *block = &l->p->set->blocks[l->order[position]];

        memcpy(l->parts.C + i, l->p->A->factored->C + block->first,
               block->dim * sizeof *l->parts.C);
        for (unsigned k = 0; k < block->dim; k++) {
            unsigned run = l->p->A->factored->run[block->first + k];

            /* the rows after this block differ from those in A */
            l->parts.run[i + k] =
                (unsigned char)(run < block->dim - k ? run : block->dim - k);
        }
        i += block->dim;
    }
}

static void layout_copy_b(layout *l)
{
    for (size_t position = 0, i = 0; position < l->p->set->count; position++) {
        const perp_block *block = &l->p->set->blocks[l->order[position]];

        memcpy(l->b_copy + i, l->p->b + block->first, block->dim * sizeof *l->b_copy);
        i += block->dim;
    }
}

static bool layout_copy_factored(layout *l, perp_workspace *ws)
{
    const perp_operator *A = l->p->A;
    unsigned char *moves = perp_workspace_alloc(ws, A->factored->G->cols, sizeof *moves);

    l->parts = *A->factored;
    l->parts.J = &l->J;
    l->parts.G = &l->G;
    l->parts.C = perp_workspace_reals(ws, A->rows);
    l->parts.run = perp_workspace_alloc(ws, A->rows, sizeof *l->parts.run);
    l->copy.factored = &l->parts;
    if (!moves || !l->parts.C || !l->parts.run) {
        return false;
    }
    perp_layout_moving(A, moves);
    if (!layout_copy_rows(l, A->factored->J, moves, &l->J, ws) ||
        !layout_copy_rows(l, A->factored->G, moves, &l->G, ws)) {
        return false;
    }
    layout_copy_compliance(l);
    return true;
}

/* Whether block rows of A are whole blocks of the set. */
static bool layout_separable(const layout *l)
{
    const perp_operator *A = l->p->A;
    const perp_set *set = l->p->set;

    if (A->type->storage == PERP_STORAGE_DENSE) {
        return false;
    }
    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].first % A->block_size != 0 ||
            set->blocks[k].dim % A->block_size != 0) {
            return false;
        }
    }
    return true;
}

static bool layout_reorder(layout *l, perp_workspace *ws)
{
    const perp_set *set = l->p->set;
    perp_block *blocks = perp_workspace_alloc(ws, set->count, sizeof *blocks);
    size_t *row = perp_workspace_sizes(ws, set->count);
    bool copied = false;

    if (!blocks || !row) {
        return false;
    }
    for (size_t position = 0, i = 0; position < set->count; position++) {
        blocks[position] = set->blocks[l->order[position]];
        row[position] = i;
        i += blocks[position].dim;
    }
    l->blocks = blocks;
    if (l->p->A->pairs || (!l->p->A->factored && !layout_separable(l))) {
        return true; /* not copied */
    }
    l->copy = *l->p->A;
    copied = l->p->A->factored ? layout_copy_factored(l, ws)
                               : layout_copy_rows(l, l->p->A, NULL, &l->copy, ws);
    l->rows = &l->copy;
    l->row = row;
    l->b_copy = perp_workspace_reals(ws, l->p->n);
    if (!copied || !l->b_copy) {
        return false;
    }
    layout_copy_b(l);
    l->b = l->b_copy;
    return true;
}

perp_status perp_layout_setup(layout *l, const perp_problem *p, const size_t *order,
                              perp_workspace *ws, perp_error *err)
{
    memset(l, 0, sizeof *l);
    l->p = p;
    l->order = order;
    l->blocks = p->set->blocks;
    l->rows = p->A;
    l->b = p->b;
    if (order && !layout_reorder(l, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to copy %zu rows in order",
                         p->n);
    }
    return PERP_OK;
}

void perp_layout_refresh(layout *l, bool matrix)
{
    if (l->rows == l->p->A) {
        return;
    }
    layout_copy_b(l);
    if (matrix && l->p->A->factored) {
        layout_copy_compliance(l);
    } else if (matrix) {
        layout_copy_all(l, l->p->A, NULL, &l->copy);
    }
}
