/* SPDX-License-Identifier: Apache-2.0
 * judge/residual_share.c: the residual by a team of threads, where rows act on two bodies.
 *
 * The product and the errors of blocks are computed in ranges, one after the other by whichever
 * thread is free. Of the errors only the largest counts, so that the residual and w have the bits
 * that one thread gives them. */
#include <config.h>

#include "base/threads.h"
#include "judge/judge_private.h"
#include "matrix/storages.h"

enum {
    BLOCKS_SHARED = 2000, /* fewer are not worth a team */
    RUNS_GRAIN = 512,     /* some 15 us, as the next two */
    BODIES_GRAIN = 512,
    BLOCKS_GRAIN = 512,
};

struct perp_judge_team {
    thread_team *threads;
    perp_pairs_parts product;
    perp_judge *judge;
    const double *z;
    perp_parts *parts; /* of each range of blocks */
};

perp_status perp_judge_share(perp_judge *judge, size_t threads, perp_workspace *ws,
                             perp_error *err)
{
    const perp_problem *p = judge->p;
    size_t ranges = p->set->count / BLOCKS_GRAIN + 1;
    perp_judge_team *t = NULL;
    bool taken = false;

    if (threads <= 1 || !p->A->pairs || p->set->count < BLOCKS_SHARED) {
        return PERP_OK;
    }
    t = perp_workspace_alloc(ws, 1, sizeof *t);
    if (t) {
        t->judge = judge;
        t->parts = perp_workspace_alloc(ws, ranges, sizeof *t->parts);
        t->threads = perp_workspace_team(ws, threads);
        taken = t->parts && t->threads && perp_pairs_parts_init(&t->product, p->A, ws);
    }
    judge->team = taken ? t : NULL;
    return perp_workspace_status(ws, err);
}

static void team_push(void *context, size_t from, size_t to)
{
    const perp_judge_team *t = context;

    perp_pairs_parts_push(&t->product, from, to, t->z);
}

static void team_gather(void *context, size_t from, size_t to)
{
    const perp_judge_team *t = context;

    perp_pairs_parts_gather(&t->product, from, to);
}

/* w and the errors of blocks. */
static void team_judge(void *context, size_t from, size_t to)
{
    const perp_judge_team *t = context;
    const perp_judge *judge = t->judge;
    const perp_problem *p = judge->p;
    perp_parts *sum = &t->parts[from / BLOCKS_GRAIN];

    for (size_t k = from; k < to; k++) {
        const perp_block *block = &p->set->blocks[k];

        perp_pairs_parts_rows(&t->product, block->first, block->dim, t->z, judge->w);
        for (size_t i = block->first; i < block->first + block->dim; i++) {
            judge->w[i] += p->b[i];
        }
    }
    *sum = perp_judge_no_blocks(judge);
    perp_judge_add_blocks(judge, 0.0, t->z, judge->w, p->law, from, to, sum);
}

static void team_work(void *context, size_t member)
{
    perp_judge_team *t = context;

    perp_threads_share(t->threads, member, t->product.runs, RUNS_GRAIN, team_push, t);
    perp_threads_barrier(t->threads);
    perp_threads_share(t->threads, member, t->product.bodies, BODIES_GRAIN, team_gather,
                       t);
    perp_threads_barrier(t->threads);
    perp_threads_share(t->threads, member, t->judge->p->set->count, BLOCKS_GRAIN,
                       team_judge, t);
}

void perp_judge_team_parts(perp_judge *judge, const double *z, perp_parts *sum)
{
    perp_judge_team *t = judge->team;
    size_t count = judge->p->set->count;

    t->z = z;
    perp_threads_run(t->threads, team_work, t);
    for (size_t k = 0; k * BLOCKS_GRAIN < count; k++) {
        perp_judge_join(sum, &t->parts[k]);
    }
}
