/* SPDX-License-Identifier: Apache-2.0
 * splitting/colors.c: greedy colours of the blocks, the most entangled first.
 *
 * A step of block k reads and writes: its own impulse (writes), the impulses of the blocks j
 * for which A_kj is stored (reads), the normal of a FRICTION row (reads); in factored form not the
 * others' impulses but velocities: the columns of J_k (reads) and of M^-1 J_k^T (writes). Two
 * blocks conflict when one writes what the other reads or writes; a body that cannot move is
 * written by nobody. Each resource keeps a bit for every colour among its readers and its
 * writers, so that a colour costs one pass over the rows and no graph is stored. What finds
 * no free bit among 64 goes to the tail, and so do small colours. In dense storage every block
 * reads every other: all is tail. */
#include <config.h>

#include "colors.h"

#include "core/operators.h"
#include "layout.h"

enum { NO_COLOR = COLORS_MAX };

typedef enum errand { TALLY, DEGREE, FORBID, PAINT } errand;

typedef struct painter {
    const perp_problem *p;
    size_t *block_of;            /* n: the block of a row */
    uint64_t *readers, *writers; /* of each resource: a bit for each colour */
    unsigned char *moves;        /* of each velocity: it ever changes */
    size_t *tally;               /* of each resource: how often it is touched */
    errand errand;
    bool writes;        /* what is visited is written */
    uint64_t forbidden; /* to the block at work */
    uint64_t bit;       /* its colour */
    size_t degree;      /* touches of what it writes, by whomever */
} painter;

typedef struct ranked {
    size_t degree, block;
} ranked;

static void touch(painter *g, size_t resource)
{
    switch (g->errand) {
    case TALLY:
        g->tally[resource]++;
        break;
    case DEGREE:
        g->degree += g->writes ? g->tally[resource] : 0;
        break;
    case FORBID:
        g->forbidden |= g->writers[resource] | (g->writes ? g->readers[resource] : 0);
        break;
    case PAINT:
        *(g->writes ? &g->writers[resource] : &g->readers[resource]) |= g->bit;
        break;
    }
}

/* The blocks, or the velocities, in which rows of a sparse matrix have entries. What is stored
 * counts, be it 0: it is read, and may be read half written. */
static void touch_rows(painter *g, const perp_operator *X, const perp_block *block)
{
    size_t first = block->first / X->edge;
    size_t last = (block->first + block->dim - 1) / X->edge;

    for (size_t k = X->ptr[first]; k < X->ptr[last + 1]; k++) {
        size_t from = (size_t)X->col[k] * X->edge;

        if (g->p->A->factored) { /* velocities come after the impulses */
            if (g->moves[from]) {
                touch(g, g->p->set->count + from);
            }
            continue;
        }
        for (size_t j = from; j < from + X->edge; j++) {
            if (j == from || g->block_of[j] != g->block_of[j - 1]) {
                touch(g, g->block_of[j]);
            }
        }
    }
}

/* The same of rows that act on two bodies: one velocity stands for the six of a body. */
static void touch_pair(painter *g, const int32_t *body)
{
    for (size_t side = 0; side < 2; side++) {
        if (perp_pairs_moves(g->p->A->factored->pairs, body[side])) {
            touch(g, g->p->set->count + 6 * (size_t)body[side]);
        }
    }
}

static void visit_block(painter *g, size_t k, errand what)
{
    const perp_block *block = &g->p->set->blocks[k];
    const perp_factored *factored = g->p->A->factored;

    g->errand = what;
    g->writes = true;
    touch(g, k);
    if (factored && factored->pairs) { /* what is read is written too */
        touch_pair(g, factored->pairs->at.body + 2 * block->first);
    } else if (factored) {
        touch_rows(g, factored->G, block);
    }
    g->writes = false;
    if (!factored || !factored->pairs) {
        touch_rows(g, factored ? factored->J : g->p->A, block);
    }
    if (block->kind == PERP_SET_FRICTION) {
        touch(g, g->block_of[block->normal]);
    }
}

static int by_degree(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->degree != y->degree) {
        return x->degree < y->degree ? 1 : -1;
    }
    return x->block < y->block ? -1 : 1;
}

static void rank(painter *g, ranked *ranks)
{
    size_t count = g->p->set->count;

    for (size_t k = 0; k < count; k++) {
        visit_block(g, k, TALLY);
    }
    for (size_t k = 0; k < count; k++) {
        g->degree = 0;
        visit_block(g, k, DEGREE);
        ranks[k] = (ranked){g->degree, k};
    }
    qsort(ranks, count, sizeof *ranks, by_degree);
}

static unsigned choose(painter *g, size_t k)
{
    unsigned color = 0;

    g->forbidden = 0;
    visit_block(g, k, FORBID);
    if (g->forbidden == UINT64_MAX) {
        return NO_COLOR;
    }
    while (g->forbidden >> color & 1) {
        color++;
    }
    g->bit = UINT64_C(1) << color;
    visit_block(g, k, PAINT);
    return color;
}

/* Places from colours: large colours one after the other, then the tail. */
static void sort_places(colors *c, const unsigned char *color, size_t count, size_t least)
{
    size_t size[COLORS_MAX + 1] = {0}, next[COLORS_MAX + 1], place = 0;

    for (size_t k = 0; k < count; k++) {
        size[color[k]]++;
    }
    for (unsigned a = 0; a < COLORS_MAX; a++) {
        next[a] = SIZE_MAX; /* the tail */
        if (size[a] >= least && size[a] > 0) {
            next[a] = place;
            c->from[c->count++] = place;
            place += size[a];
        }
    }
    next[NO_COLOR] = SIZE_MAX;
    c->from[c->count] = place;
    for (size_t k = 0; k < count; k++) {
        size_t *to = next[color[k]] == SIZE_MAX ? &place : &next[color[k]];

        c->order[(*to)++] = k;
    }
}

perp_status colors_make(colors *c, const perp_problem *p, size_t least,
                        perp_workspace *ws, perp_error *err)
{
    size_t count = p->set->count;
    size_t velocities = p->A->factored ? p->A->factored->nv : 0;
    size_t resources = count + velocities;
    painter g = {.p = p};
    ranked *ranks = NULL;
    unsigned char *color = NULL;
    size_t mark = 0;

    memset(c, 0, sizeof *c);
    c->order = perp_workspace_sizes(ws, count);
    mark = perp_workspace_mark(ws);
    g.block_of = perp_workspace_sizes(ws, p->n);
    g.moves = perp_workspace_take(ws, velocities, sizeof *g.moves);
    g.tally = perp_workspace_sizes(ws, resources);
    g.readers = perp_workspace_take(ws, resources, sizeof *g.readers);
    g.writers = perp_workspace_take(ws, resources, sizeof *g.writers);
    ranks = perp_workspace_take(ws, count, sizeof *ranks);
    color = perp_workspace_take(ws, count, sizeof *color);
    if (!c->order || !g.block_of || !g.moves || !g.tally || !g.readers || !g.writers ||
        !ranks || !color) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to colour %zu blocks", count);
    }
    for (size_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < p->set->blocks[k].dim; i++) {
            g.block_of[p->set->blocks[k].first + i] = k;
        }
    }
    if (p->A->factored && !p->A->factored->pairs) {
        layout_moving(p->A, g.moves);
    }
    memset(color, NO_COLOR, count * sizeof *color);
    if (p->A->type->storage != PERP_STORAGE_DENSE) {
        rank(&g, ranks);
        for (size_t i = 0; i < count; i++) {
            color[ranks[i].block] = (unsigned char)choose(&g, ranks[i].block);
        }
    }
    sort_places(c, color, count, least);
    perp_workspace_release(ws, mark);
    return PERP_OK;
}
