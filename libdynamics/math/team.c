/* SPDX-License-Identifier: Apache-2.0
 * math/team.c: ranges of independent work by several threads. */
#include <config.h>

#include <stdlib.h>

#include "base/threads.h"
#include "math/team.h"

struct math_team {
    size_t wanted; /* threads; there may be fewer */
    perp_workspace *ws;
    thread_team *threads;
    size_t count, grain;
    void (*work)(void *context, size_t first, size_t last);
    void *context;
};

static void team_work(void *context, size_t member)
{
    const math_team *t = context;

    perp_threads_share(t->threads, member, t->count, t->grain, t->work, t->context);
}

void math_team_free(math_team *t)
{
    if (t) {
        perp_threads_free(t->threads);
        perp_workspace_free(t->ws);
        free(t);
    }
}

bool math_team_prepare(math_team **team, size_t threads)
{
    math_team *t = *team;

    if ((t ? t->wanted : 1) == (threads > 1 ? threads : 1)) {
        return true;
    }
    math_team_free(t);
    *team = NULL;
    if (threads <= 1) {
        return true;
    }
    t = calloc(1, sizeof *t);
    if (t && perp_workspace_new(&t->ws, 0, NULL) == PERP_OK) {
        t->wanted = threads;
        t->threads = perp_threads_new(threads, t->ws);
    }
    if (!t || !t->threads) {
        math_team_free(t);
        return false;
    }
    *team = t;
    return true;
}

void math_team_run(math_team *t, size_t count, size_t grain,
                   void (*work)(void *context, size_t first, size_t last), void *context)
{
    if (!t || count <= grain) {
        work(context, 0, count);
        return;
    }
    t->count = count;
    t->grain = grain;
    t->work = work;
    t->context = context;
    perp_threads_run(t->threads, team_work, t);
}
