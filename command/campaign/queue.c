/* SPDX-License-Identifier: Apache-2.0
 * runner/queue.c: the runs that are still to be made, handed out one by one. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/campaign/queue.h"
#include "command/cli/take.h"

void queue_open(queue *q, const suite_run *runs, size_t count)
{
    *q = (queue){.runs = take(count + 1, sizeof *q->runs),
                 .groups = take(count + 1, sizeof *q->groups),
                 .count = count};
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || runs[k].entry != runs[k - 1].entry) {
            q->groups[q->group_count++].first = k;
        }
        q->runs[k].group = q->group_count - 1;
        q->groups[q->group_count - 1].end = k + 1;
    }
}

void queue_close(queue *q)
{
    free(q->runs);
    free(q->groups);
    memset(q, 0, sizeof *q);
}

void queue_add(queue *q, size_t run)
{
    if (q->runs[run].state != QUEUE_WAITS) {
        q->runs[run].state = QUEUE_WAITS;
        q->groups[q->runs[run].group].waiting++;
        q->waiting++;
    }
}

/* The subject to go on with, when that of before has no run left. */
static size_t queue_next_group(queue *q)
{
    size_t best = 0;

    while (q->fresh < q->group_count &&
           (q->groups[q->fresh].opened || q->groups[q->fresh].waiting == 0)) {
        q->fresh++;
    }
    if (q->fresh < q->group_count) {
        return q->fresh;
    }
    for (size_t g = 1; g < q->group_count; g++) {
        best = q->groups[g].waiting > q->groups[best].waiting ? g : best;
    }
    return best;
}

size_t queue_take(queue *q, size_t *group)
{
    size_t run = QUEUE_NONE;

    if (q->waiting == 0) {
        return QUEUE_NONE;
    }
    if (*group == QUEUE_NONE || q->groups[*group].waiting == 0) {
        *group = queue_next_group(q);
    }
    for (run = q->groups[*group].first; q->runs[run].state != QUEUE_WAITS;) {
        run++;
    }
    q->runs[run].state = QUEUE_OUT;
    q->groups[*group].opened = true;
    q->groups[*group].waiting--;
    q->waiting--;
    return run;
}
