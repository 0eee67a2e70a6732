/* SPDX-License-Identifier: Apache-2.0
 * splitting/touches.c: what the step of a block reads and writes.
 *
 * Its own impulse (writes), the impulses of the blocks j for which A_kj is stored (reads), the
 * normal of a FRICTION row (reads); in factored form not the others' impulses but velocities:
 * the columns of J_k (reads) and of M^-1 J_k^T (writes). A body that cannot move is written by
 * nobody, and what nobody writes is not visited. */
#include <config.h>

#include "touches.h"

#include "layout.h"
#include "matrix/storages.h"

typedef struct visitor {
    const touches *t;
    touches_visit *visit;
    void *context;
} visitor;

/* The blocks, or the velocities, in which rows of a sparse matrix have entries. What is stored
 * counts, be it 0: it is read, and may be read half written. */
static void visit_rows(const visitor *v, const perp_operator *X, const perp_block *block,
                       bool writes)
{
    const touches *t = v->t;
    size_t first = block->first / X->block_size;
    size_t last = (block->first + block->dim - 1) / X->block_size;

    for (size_t k = X->ptr[first]; k < X->ptr[last + 1]; k++) {
        size_t from = (size_t)X->col[k] * X->block_size;

        if (t->p->A->factored) {
            if (t->moves[from]) {
                v->visit(v->context, t->p->set->count + from, writes);
            }
            continue;
        }
        for (size_t j = from; j < from + X->block_size; j++) {
            if (j == from || t->block_of[j] != t->block_of[j - 1]) {
                v->visit(v->context, t->block_of[j], writes);
            }
        }
    }
}

/* The same of rows that act on two bodies: what is read is written too. */
static void visit_pair(const visitor *v, const perp_pair_rows *pairs,
                       const perp_block *block)
{
    const int32_t *body = pairs->at.body + 2 * block->first;

    for (size_t side = 0; side < 2; side++) {
        if (perp_pairs_moves(pairs, body[side])) {
            v->visit(v->context, v->t->p->set->count + (size_t)body[side], true);
        }
    }
}

void perp_touches_of(const touches *t, size_t k, touches_visit *visit, void *context)
{
    const perp_operator *A = t->p->A;
    const perp_block *block = &t->p->set->blocks[k];
    const visitor v = {t, visit, context};

    visit(context, k, true);
    if (A->pairs) {
        visit_pair(&v, A->pairs, block);
    } else if (A->factored) {
        visit_rows(&v, A->factored->G, block, true);
        visit_rows(&v, A->factored->J, block, false);
    } else {
        visit_rows(&v, A, block, false);
    }
    if (block->kind == PERP_SET_FRICTION) {
        visit(context, t->block_of[block->normal], false);
    }
}

bool perp_touches_setup(touches *t, const perp_problem *p, perp_workspace *ws)
{
    const perp_operator *A = p->A;
    size_t velocities = A->pairs ? A->pairs->at.bodies : perp_operator_velocities(A);

    *t = (touches){.p = p, .resources = p->set->count + velocities};
    t->block_of = perp_workspace_sizes(ws, p->n);
    t->moves = perp_workspace_take(ws, velocities, sizeof *t->moves);
    if (!t->block_of || !t->moves) {
        return false;
    }
    for (size_t k = 0; k < p->set->count; k++) {
        for (unsigned i = 0; i < p->set->blocks[k].dim; i++) {
            t->block_of[p->set->blocks[k].first + i] = k;
        }
    }
    if (A->factored) {
        perp_layout_moving(A, t->moves);
    }
    return true;
}
