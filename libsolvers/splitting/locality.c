/* SPDX-License-Identifier: Apache-2.0
 * splitting/locality.c: blocks in the order of a walk through the resources that they share.
 *
 * Bodies (velocities of a factored A, blocks of a sparse one) are numbered breadth first from an
 * end of the graph, which is where a first walk has ended; the numbers are then reversed, so that
 * the order begins near the beginning of storage [cuthill-mckee-1969]. Blocks are sorted by the
 * smaller number of their bodies, then by the larger one, then by their own. Hence a block uses
 * data that were used recently, in whatever order blocks and bodies are stored. Every resource is
 * walked over twice and blocks are sorted by counting: the cost is O(n), and the order is
 * deterministic. */
#include <config.h>

#include "locality.h"

#include "access.h"
#include "matrix/storages.h"

typedef struct walk {
    access_map access;
    size_t least;  /* resources below are not walked over: impulses, if factored */
    size_t *start; /* resources + 1: blocks that use resource k: */
    int32_t *list; /* list[start[k]] .. list[start[k+1]-1], ascending */
    unsigned char *visited; /* of each block, in the current walk */
    size_t *queue, *rank;   /* resources in the order of the walk; index of each */
    size_t met;
    size_t *low, *high; /* of each block: least and largest rank of its resources */
    size_t block;       /* the current one */
} walk;

static void locality_count(void *context, size_t resource, bool writes)
{
    walk *w = context;

    (void)writes;
    w->start[resource + 1] += resource >= w->least;
}

static void locality_list(void *context, size_t resource, bool writes)
{
    walk *w = context;

    (void)writes;
    if (resource >= w->least) {
        w->list[w->start[resource]++] = (int32_t)w->block;
    }
}

static void locality_enqueue(void *context, size_t resource, bool writes)
{
    walk *w = context;

    (void)writes;
    if (resource >= w->least && w->rank[resource] == SIZE_MAX) {
        w->rank[resource] = w->met;
        w->queue[w->met++] = resource;
    }
}

static void locality_bound(void *context, size_t resource, bool writes)
{
    walk *w = context;

    (void)writes;
    if (resource >= w->least) {
        size_t rank = w->met - 1 - w->rank[resource];

        w->low[w->block] = rank < w->low[w->block] ? rank : w->low[w->block];
        w->high[w->block] = rank > w->high[w->block] ? rank : w->high[w->block];
    }
}

static void locality_visit_all(walk *w, access_visit *visit)
{
    for (w->block = 0; w->block < w->access.p->set->count; w->block++) {
        perp_access_visit(&w->access, w->block, visit, w);
    }
}

/* Lists of the blocks that use each resource. */
static bool locality_list_blocks(walk *w, perp_workspace *ws)
{
    size_t resources = w->access.resources;

    w->start = perp_workspace_sizes(ws, resources + 1);
    if (!w->start) {
        return false;
    }
    locality_visit_all(w, locality_count);
    for (size_t k = 0; k < resources; k++) {
        w->start[k + 1] += w->start[k];
    }
    w->list = perp_workspace_alloc(ws, w->start[resources], sizeof *w->list);
    if (!w->list) {
        return false;
    }
    locality_visit_all(w, locality_list); /* moves each start to its end */
    memmove(w->start + 1, w->start, resources * sizeof *w->start);
    w->start[0] = 0;
    return true;
}

/* Meet all neighbours of a resource. */
static void locality_visit_neighbours(walk *w, size_t resource)
{
    if (w->least == 0) {
        perp_access_visit(&w->access, resource, locality_enqueue, w);
        return;
    }
    for (size_t e = w->start[resource]; e < w->start[resource + 1]; e++) {
        size_t block = (size_t)w->list[e];

        if (!w->visited[block]) {
            w->visited[block] = true;
            perp_access_visit(&w->access, block, locality_enqueue, w);
        }
    }
}

/* From each root that no earlier walk has reached. */
static void locality_walk(walk *w, const size_t *roots, size_t count)
{
    size_t at = 0;

    memset(w->visited, 0, w->access.p->set->count * sizeof *w->visited);
    for (size_t k = 0; k < w->access.resources; k++) {
        w->rank[k] = SIZE_MAX;
    }
    w->met = 0;
    for (size_t i = 0; i < count; i++) {
        locality_enqueue(w, roots[i], false);
        while (at < w->met) {
            locality_visit_neighbours(w, w->queue[at++]);
        }
    }
}

/* Of each part of the graph the last that was met comes before the others. */
static void locality_walk_twice(walk *w, size_t *roots)
{
    size_t count = 0;

    for (size_t k = w->least; k < w->access.resources; k++) {
        roots[count++] = k;
    }
    locality_walk(w, roots, count);
    for (size_t i = 0; i < count; i++) {
        roots[i] = w->queue[count - 1 - i];
    }
    locality_walk(w, roots, count);
}

/* Stable: `to` has the blocks of `from` by key, a number up to `most`; at: most + 2. */
static void locality_sort_by(const size_t *key, size_t most, const size_t *from,
                             size_t *to, size_t count, size_t *at)
{
    memset(at, 0, (most + 2) * sizeof *at);
    for (size_t k = 0; k < count; k++) {
        at[key[k] + 1]++;
    }
    for (size_t k = 0; k < most; k++) {
        at[k + 1] += at[k];
    }
    for (size_t i = 0; i < count; i++) {
        to[at[key[from[i]]]++] = from[i];
    }
}

/* By the bodies of each; blocks that move nothing come last. */
static void locality_sort_blocks(walk *w, size_t *order, size_t *middle, size_t *at)
{
    size_t count = w->access.p->set->count, most = w->met;

    for (size_t k = 0; k < count; k++) {
        w->low[k] = most;
        w->high[k] = 0;
        middle[k] = k;
    }
    locality_visit_all(w, locality_bound);
    locality_sort_by(w->high, most, middle, order, count, at);
    memcpy(middle, order, count * sizeof *middle);
    locality_sort_by(w->low, most, middle, order, count, at);
}

static bool locality_setup(walk *w, const perp_problem *p, perp_workspace *ws)
{
    size_t count = p->set->count, resources = 0;
    bool taken = perp_access_setup(&w->access, p, ws);

    w->least = perp_operator_in_factors(p->A) ? count : 0;
    resources = w->access.resources;
    w->visited = perp_workspace_alloc(ws, count, sizeof *w->visited);
    w->queue = perp_workspace_sizes(ws, resources);
    w->rank = perp_workspace_sizes(ws, resources);
    w->low = perp_workspace_sizes(ws, count);
    w->high = perp_workspace_sizes(ws, count);
    return taken && w->visited && w->queue && w->rank && w->low && w->high &&
           (w->least == 0 || locality_list_blocks(w, ws));
}

perp_status perp_locality_order(const perp_problem *p, size_t **order, perp_workspace *ws,
                                perp_error *err)
{
    walk w = {.least = 0};
    size_t count = p->set->count, mark = 0, *middle = NULL, *scratch = NULL;
    bool taken = false;

    *order = NULL;
    if (p->A->type->storage == PERP_STORAGE_DENSE) {
        return PERP_OK;
    }
    *order = perp_workspace_sizes(ws, count);
    mark = perp_workspace_mark(ws);
    taken = locality_setup(&w, p, ws);
    middle = perp_workspace_sizes(ws, count);
    scratch = perp_workspace_sizes(ws, w.access.resources + 2);
    if (!*order || !taken || !middle || !scratch) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a walk over %zu blocks",
                         count);
    }
    locality_walk_twice(&w, scratch);
    if (w.least == 0) {
        for (size_t i = 0; i < count; i++) {
            (*order)[i] = w.queue[count - 1 - i];
        }
    } else {
        locality_sort_blocks(&w, *order, middle, scratch);
    }
    perp_workspace_release(ws, mark);
    return PERP_OK;
}

/* The smaller and the larger of the bodies that a block moves; false where there is none. */
static bool locality_ends(const perp_pair_rows *pairs, const perp_block *block,
                          double *end)
{
    const int32_t *body = perp_pairs_body(&pairs->at, block->first);
    bool first = perp_pairs_moves(pairs, body[0]);
    bool second = perp_pairs_moves(pairs, body[1]);
    double a = first ? body[0] : body[1], b = second ? body[1] : body[0];

    end[0] = fmin(a, b);
    end[1] = fmax(a, b);
    return first || second;
}

double perp_locality_jump(const perp_problem *p)
{
    const perp_pair_rows *pairs = p->A->pairs;
    double sum = 0.0, last[2], next[2];
    size_t steps = 0;
    bool begun = false;

    for (size_t k = 0; pairs && k < p->set->count; k++) {
        if (!locality_ends(pairs, &p->set->blocks[k], next)) {
            continue;
        }
        if (begun) {
            sum += 0.5 * (fabs(next[0] - last[0]) + fabs(next[1] - last[1]));
            steps++;
        }
        memcpy(last, next, sizeof last);
        begun = true;
    }
    return steps > 0 ? sum / ((double)steps * (double)pairs->at.bodies) : 0.0;
}
