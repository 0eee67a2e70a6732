/* SPDX-License-Identifier: Apache-2.0
 * splitting/access.c: what the step of a block reads and writes.
 *
 * It writes its own impulse and reads the impulses of the blocks j for which A_kj is stored, and
 * the normal of a FRICTION row. In factored form it reads velocities instead, the columns of J_k,
 * and writes those of M^-1 J_k^T. Velocities of bodies that cannot move are never written, and
 * are not visited. */
#include <config.h>

#include "access.h"

#include "layout.h"
#include "matrix/storages.h"

typedef struct visitor {
    const access_map *t;
    access_visit *visit;
    void *context;
} visitor;

/* The blocks, or the velocities, in which rows of a sparse matrix have entries. Stored zeros
 * count, since they are read while another thread may write. */
static void access_visit_rows(const visitor *v, const perp_operator *X,
                              const perp_block *block, bool writes)
{
    const access_map *t = v->t;
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

/* The same for rows that act on two bodies, which are read and written. */
static void access_visit_pair(const visitor *v, const perp_pair_rows *pairs,
                              const perp_block *block)
{
    const int32_t *body = perp_pairs_body(&pairs->at, block->first);

    for (size_t side = 0; side < 2; side++) {
        if (perp_pairs_moves(pairs, body[side])) {
            v->visit(v->context, v->t->p->set->count + (size_t)body[side], true);
        }
    }
}

void perp_access_visit(const access_map *t, size_t k, access_visit *visit, void *context)
{
    const perp_operator *A = t->p->A;
    const perp_block *block = &t->p->set->blocks[k];
    const visitor v = {t, visit, context};

    visit(context, k, true);
    if (A->pairs) {
        access_visit_pair(&v, A->pairs, block);
    } else if (A->factored) {
        access_visit_rows(&v, A->factored->G, block, true);
        access_visit_rows(&v, A->factored->J, block, false);
    } else {
        access_visit_rows(&v, A, block, false);
    }
    if (block->kind == PERP_SET_FRICTION) {
        visit(context, t->block_of[block->normal], false);
    }
}

bool perp_access_setup(access_map *t, const perp_problem *p, perp_workspace *ws)
{
    const perp_operator *A = p->A;
    size_t velocities = A->pairs ? A->pairs->at.bodies : perp_operator_velocities(A);

    *t = (access_map){.p = p, .resources = p->set->count + velocities};
    t->block_of = perp_workspace_sizes(ws, p->n);
    t->moves = perp_workspace_alloc(ws, velocities, sizeof *t->moves);
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
