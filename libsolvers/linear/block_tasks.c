/* SPDX-License-Identifier: Apache-2.0
 * linear/block_tasks.c: an elimination forest cut into tasks for a team of threads.
 *
 * A unit whose subtree costs more than a thirty-second of the whole is a task of its own;
 * the subtrees below are gathered, neighbours with the same parent, up to that cost. Tasks are
 * taken in their order. Those below a task come before it, so that a member which waits for them
 * waits for members that work. The cut does not depend on the number of threads. */
#include <config.h>

#include <sched.h>

#include "block_tasks.h"

/* Small enough that sixteen threads can share what lies below, large enough that taking a task
 * (100 ns) counts for nothing. */
#define TASKS_SHARE (1.0 / 32.0)

/* What the cut needs. */
typedef struct tasks_cut {
    const int32_t *parent;
    double *cost;  /* units: of the subtree */
    int32_t *task; /* units */
    double limit;
    bool whole;
} tasks_cut;

/* Is unit k a task of its own? */
static bool tasks_above(const tasks_cut *c, size_t k)
{
    return !c->whole && c->cost[k] > c->limit;
}

/* Is unit k the root of a subtree that is not cut? */
static bool tasks_root(const tasks_cut *c, size_t k)
{
    return !tasks_above(c, k) &&
           (c->parent[k] < 0 || tasks_above(c, (size_t)c->parent[k]));
}

/* End a task, or the subtree of its last unit, behind unit k. */
static void tasks_cut_units(perp_block_tasks *t, tasks_cut *c, size_t units)
{
    double gathered = 0.0;
    size_t begin = 0;

    t->count = 0;
    for (size_t k = 0; k < units; k++) {
        bool above = tasks_above(c, k);

        if (!above && !tasks_root(c, k)) {
            continue;
        }
        if (!above && t->count > 0 && !tasks_above(c, begin - 1) &&
            c->parent[begin - 1] == c->parent[k] && gathered + c->cost[k] <= c->limit) {
            gathered += c->cost[k]; /* with the subtree before */
        } else {
            gathered = c->cost[k];
            t->parent[t->count++] = c->parent[k];
        }
        for (; begin <= k; begin++) {
            c->task[begin] = (int32_t)t->count - 1;
        }
        t->first[t->count] = (int32_t)k + 1;
    }
    for (size_t i = 0; i < t->count; i++) { /* a unit so far */
        t->parent[i] = t->parent[i] < 0 ? -1 : c->task[t->parent[i]];
        if (t->parent[i] >= 0) {
            t->children[t->parent[i]]++;
        }
    }
}

perp_status perp_block_tasks_find(perp_block_tasks *t, size_t units,
                                  const int32_t *parent, const double *cost, bool whole,
                                  perp_workspace *ws, perp_error *err)
{
    tasks_cut c = {.parent = parent, .whole = whole};
    perp_status status = PERP_OK;

    t->first = perp_workspace_alloc(ws, units + 1, sizeof *t->first);
    t->parent = perp_workspace_alloc(ws, units, sizeof *t->parent);
    t->children = perp_workspace_alloc(ws, units, sizeof *t->children);
    t->wait = perp_workspace_alloc(ws, units, sizeof *t->wait);
    t->failed = perp_workspace_alloc(ws, units, sizeof *t->failed);
    c.cost = perp_workspace_reals(ws, units);
    c.task = perp_workspace_alloc(ws, units, sizeof *c.task);
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK) {
        return status;
    }
    for (size_t k = 0; k < units; k++) {
        c.cost[k] += cost[k];
        c.limit += TASKS_SHARE * cost[k];
        if (parent[k] >= 0) {
            c.cost[parent[k]] += c.cost[k];
        }
    }
    tasks_cut_units(t, &c, units);
    return PERP_OK;
}

void perp_block_tasks_start(perp_block_tasks *t)
{
    atomic_store(&t->next, 0);
    for (size_t i = 0; i < t->count; i++) {
        atomic_store_explicit(&t->wait[i], t->children[i], memory_order_relaxed);
        atomic_store_explicit(&t->failed[i], false, memory_order_relaxed);
    }
}

static void tasks_await(perp_block_tasks *t, size_t i)
{
    while (atomic_load_explicit(&t->wait[i], memory_order_acquire) > 0) {
        sched_yield();
    }
}

void perp_block_tasks_work(perp_block_tasks *t,
                           bool (*run)(void *context, size_t member, size_t first,
                                       size_t end),
                           void *context, size_t member)
{
    size_t i = 0;

    while ((i = atomic_fetch_add(&t->next, 1)) < t->count) {
        tasks_await(t, i);
        if (!t->failed[i] &&
            !run(context, member, (size_t)t->first[i], (size_t)t->first[i + 1])) {
            t->failed[i] = true;
        }
        if (t->parent[i] >= 0) {
            size_t parent = (size_t)t->parent[i];

            if (t->failed[i]) {
                t->failed[parent] = true;
            }
            atomic_fetch_sub_explicit(&t->wait[parent], 1, memory_order_acq_rel);
        }
    }
}
