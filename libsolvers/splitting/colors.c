/* SPDX-License-Identifier: Apache-2.0
 * splitting/colors.c: greedy colours of the blocks, those with the most conflicts first.
 *
 * Two blocks conflict when one writes what the other reads or writes
 * (splitting/access.h). Each resource keeps a bit for every colour among its readers and its
 * writers, so that a colour costs one pass over the rows and no graph is stored. Blocks
 * without a free bit among 64 belong to the tail, and so do small colours. In dense storage every
 * block reads every other one, and all belong to the tail. */
#include <config.h>

#include "colors.h"

#include "access.h"

enum { NO_COLOR = COLORS_MAX };

typedef enum colors_action {
    COLORS_TALLY,
    COLORS_DEGREE,
    COLORS_FORBID,
    COLORS_ASSIGN
} colors_action;

typedef struct coloring {
    access_map access;
    uint64_t *readers, *writers; /* of each resource: a bit for each colour */
    size_t *tally;               /* of each resource: number of accesses */
    colors_action action;
    uint64_t forbidden; /* for the current block */
    uint64_t bit;       /* its colour */
    size_t degree;      /* accesses to what it writes, by all blocks */
} coloring;

typedef struct colors_ranked {
    size_t degree, block;
} colors_ranked;

static void colors_access(void *context, size_t resource, bool writes)
{
    coloring *g = context;

    switch (g->action) {
    case COLORS_TALLY:
        g->tally[resource]++;
        break;
    case COLORS_DEGREE:
        g->degree += writes ? g->tally[resource] : 0;
        break;
    case COLORS_FORBID:
        g->forbidden |= g->writers[resource] | (writes ? g->readers[resource] : 0);
        break;
    case COLORS_ASSIGN:
        *(writes ? &g->writers[resource] : &g->readers[resource]) |= g->bit;
        break;
    }
}

static void colors_visit(coloring *g, size_t k, colors_action what)
{
    g->action = what;
    perp_access_visit(&g->access, k, colors_access, g);
}

static int colors_by_degree(const void *a, const void *b)
{
    const colors_ranked *x = a, *y = b;

    if (x->degree != y->degree) {
        return x->degree < y->degree ? 1 : -1;
    }
    return x->block < y->block ? -1 : 1;
}

static void colors_rank(coloring *g, colors_ranked *ranks)
{
    size_t count = g->access.p->set->count;

    for (size_t k = 0; k < count; k++) {
        colors_visit(g, k, COLORS_TALLY);
    }
    for (size_t k = 0; k < count; k++) {
        g->degree = 0;
        colors_visit(g, k, COLORS_DEGREE);
        ranks[k] = (colors_ranked){g->degree, k};
    }
    qsort(ranks, count, sizeof *ranks, colors_by_degree);
}

static unsigned colors_choose(coloring *g, size_t k)
{
    unsigned color = 0;

    g->forbidden = 0;
    colors_visit(g, k, COLORS_FORBID);
    if (g->forbidden == UINT64_MAX) {
        return NO_COLOR;
    }
    while (g->forbidden >> color & 1) {
        color++;
    }
    g->bit = UINT64_C(1) << color;
    colors_visit(g, k, COLORS_ASSIGN);
    return color;
}

/* Places from colours: large colours one after the other, then the tail. */
static void colors_sort(colors *c, const unsigned char *color, size_t count, size_t least)
{
    size_t size[COLORS_MAX + 1] = {0}, next[COLORS_MAX + 1], position = 0;

    for (size_t k = 0; k < count; k++) {
        size[color[k]]++;
    }
    for (unsigned a = 0; a < COLORS_MAX; a++) {
        next[a] = SIZE_MAX; /* the tail */
        if (size[a] >= least && size[a] > 0) {
            next[a] = position;
            c->from[c->count++] = position;
            position += size[a];
        }
    }
    next[NO_COLOR] = SIZE_MAX;
    c->from[c->count] = position;
    for (size_t k = 0; k < count; k++) {
        size_t *to = next[color[k]] == SIZE_MAX ? &position : &next[color[k]];

        c->order[(*to)++] = k;
    }
}

perp_status perp_colors_make(colors *c, const perp_problem *p, size_t least,
                             perp_workspace *ws, perp_error *err)
{
    size_t count = p->set->count, resources = 0, mark = 0;
    coloring g = {.bit = 0};
    colors_ranked *ranks = NULL;
    unsigned char *color = NULL;
    bool taken = false;

    memset(c, 0, sizeof *c);
    c->order = perp_workspace_sizes(ws, count);
    mark = perp_workspace_mark(ws);
    taken = perp_access_setup(&g.access, p, ws);
    resources = g.access.resources;
    g.tally = perp_workspace_sizes(ws, resources);
    g.readers = perp_workspace_alloc(ws, resources, sizeof *g.readers);
    g.writers = perp_workspace_alloc(ws, resources, sizeof *g.writers);
    ranks = perp_workspace_alloc(ws, count, sizeof *ranks);
    color = perp_workspace_alloc(ws, count, sizeof *color);
    if (!c->order || !taken || !g.tally || !g.readers || !g.writers || !ranks || !color) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to colour %zu blocks", count);
    }
    memset(color, NO_COLOR, count * sizeof *color);
    if (p->A->type->storage != PERP_STORAGE_DENSE) {
        colors_rank(&g, ranks);
        for (size_t i = 0; i < count; i++) {
            color[ranks[i].block] = (unsigned char)colors_choose(&g, ranks[i].block);
        }
    }
    colors_sort(c, color, count, least);
    perp_workspace_release(ws, mark);
    return PERP_OK;
}
