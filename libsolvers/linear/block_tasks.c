/* SPDX-License-Identifier: Apache-2.0
 * linear/block_tasks.c: an elimination forest cut into tasks for a team of threads.
 *
 * A unit whose subtree costs more than a thirty-second of the whole is a task of its own;
 * the subtrees below are gathered, neighbours with the same parent, up to that cost. Tasks are
 * taken in their order, and a unit reads only units before it: a member that waits, waits for
 * one that works. Units above subtract what is ready while others compute the rest, as in a
 * pipeline. The cut does not depend on the number of threads. */
#include <config.h>

#include <sched.h>

#include "base/base.h"
#include "block_tasks.h"

/* Small enough that sixteen threads can share what lies below, large enough that taking a task
 * (100 ns) counts for nothing. */
#define TASKS_SHARE (1.0 / 32.0)

/* Some microseconds, in which most columns end. */
enum { tasks_spins = 1000 };

/* What the cut needs. */
typedef struct tasks_cut {
    const int32_t *parent;
    double *cost; /* units: of the subtree */
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
            t->count++;
        }
        begin = k + 1;
        t->first[t->count] = (int32_t)k + 1;
    }
}

perp_status perp_block_tasks_find(perp_block_tasks *t, size_t units,
                                  const int32_t *parent, const double *cost, bool whole,
                                  perp_workspace *ws, perp_error *err)
{
    tasks_cut c = {.parent = parent, .whole = whole};

    t->units = units;
    t->first = perp_workspace_alloc(ws, units + 1, sizeof *t->first);
    t->state = perp_workspace_alloc(ws, units, sizeof *t->state);
    c.cost = perp_workspace_reals(ws, units);
    TRY(perp_workspace_status(ws, err));
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

perp_status perp_block_tasks_single(perp_block_tasks *t, size_t units, perp_workspace *ws,
                                    perp_error *err)
{
    perp_status status = PERP_OK;

    t->units = units;
    t->count = 1;
    t->first = perp_workspace_alloc(ws, 2, sizeof *t->first);
    t->state = perp_workspace_alloc(ws, units, sizeof *t->state);
    status = perp_workspace_status(ws, err);
    if (status == PERP_OK) {
        t->first[1] = (int32_t)units;
    }
    return status;
}

void perp_block_tasks_start(perp_block_tasks *t)
{
    atomic_store(&t->next, 0);
    for (size_t k = 0; k < t->units; k++) {
        atomic_store_explicit(&t->state[k], PERP_BLOCK_WAITING, memory_order_relaxed);
    }
}

bool perp_block_tasks_take(perp_block_tasks *t, size_t *first, size_t *end)
{
    size_t i = atomic_fetch_add(&t->next, 1);

    if (i >= t->count) {
        return false;
    }
    *first = (size_t)t->first[i];
    *end = (size_t)t->first[i + 1];
    return true;
}

void perp_block_tasks_end(perp_block_tasks *t, size_t unit, perp_block_state state)
{
    atomic_store_explicit(&t->state[unit], (unsigned char)state, memory_order_release);
}

perp_block_state perp_block_tasks_await(perp_block_tasks *t, size_t unit)
{
    for (int spin = 0;; spin += spin < tasks_spins) {
        unsigned char state = atomic_load_explicit(&t->state[unit], memory_order_acquire);

        if (state != PERP_BLOCK_WAITING) {
            return (perp_block_state)state;
        }
        if (spin == tasks_spins) {
            sched_yield();
        }
    }
}
