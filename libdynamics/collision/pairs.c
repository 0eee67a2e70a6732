/* SPDX-License-Identifier: Apache-2.0
 * collision/pairs.c: lists of pairs, sorted by counting the lower numbers, then for each
 * box by itself. Cost: three passes over the pairs. */
#include <config.h>

#include <stdlib.h>

#include "collision/pairs.h"

void perp_box_pairs_clear(perp_box_pairs *pairs)
{
    free(pairs->at);
    *pairs = (perp_box_pairs){0};
}

bool pairs_reserve(perp_box_pairs *pairs, size_t more)
{
    size_t room = pairs->room + pairs->room / 2 + 64;
    perp_box_pair *at = NULL;

    if (pairs->most > 0 && more > pairs->most - pairs->count) {
        pairs->full = true;
        return false;
    }
    if (pairs->room - pairs->count >= more && pairs->at) {
        return true;
    }
    if (room < pairs->count + more) {
        room = pairs->count + more;
    }
    if (room > SIZE_MAX / sizeof *at) {
        return false;
    }
    at = realloc(pairs->at, room * sizeof *at);
    if (!at) {
        return false;
    }
    pairs->at = at;
    pairs->room = room;
    return true;
}

bool perp_box_pairs_add(perp_box_pairs *pairs, uint32_t i, uint32_t j)
{
    if (!pairs_reserve(pairs, 1)) {
        return false;
    }
    pairs->at[pairs->count++] = (perp_box_pair){.i = i, .j = j};
    return true;
}

static int pairs_compare(const void *a, const void *b)
{
    const perp_box_pair *p = a;
    const perp_box_pair *q = b;

    return (p->j > q->j) - (p->j < q->j);
}

/* The pairs of one box, by j: mostly a handful, in which nothing beats insertion. */
static void pairs_sort_run(perp_box_pair *at, size_t n)
{
    const size_t few = 24;

    if (n > few) {
        qsort(at, n, sizeof *at, pairs_compare);
        return;
    }
    for (size_t k = 1; k < n; k++) {
        perp_box_pair p = at[k];
        size_t m = k;

        for (; m > 0 && at[m - 1].j > p.j; m--) {
            at[m] = at[m - 1];
        }
        at[m] = p;
    }
}

/* Counted by i into the spare list, which then changes places with the full one. */
bool pairs_sort(pairs_sorter *sorter, size_t n, perp_box_pairs *pairs)
{
    perp_box_pairs *spare = &sorter->spare;
    perp_box_pairs sorted;
    size_t begin = 0;

    spare->count = 0;
    if (pairs->count == 0) {
        return true;
    }
    if (!GROW(sorter->start, sorter->room, n + 1) ||
        !pairs_reserve(spare, pairs->count)) {
        return false;
    }
    memset(sorter->start, 0, (n + 1) * sizeof *sorter->start);
    for (size_t k = 0; k < pairs->count; k++) {
        sorter->start[pairs->at[k].i + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        sorter->start[i + 1] += sorter->start[i];
    }
    for (size_t k = 0; k < pairs->count; k++) {
        spare->at[sorter->start[pairs->at[k].i]++] = pairs->at[k];
    }
    sorted = *spare;
    spare->at = pairs->at;
    spare->room = pairs->room;
    pairs->at = sorted.at;
    pairs->room = sorted.room;
    for (size_t i = 0; i < n; i++) { /* each start has moved to the end of its run */
        pairs_sort_run(pairs->at + begin, sorter->start[i] - begin);
        begin = sorter->start[i];
    }
    return true;
}

void pairs_unique(perp_box_pairs *pairs)
{
    size_t kept = 0;

    for (size_t k = 0; k < pairs->count; k++) {
        perp_box_pair p = pairs->at[k];

        if (kept == 0 || pairs->at[kept - 1].i != p.i || pairs->at[kept - 1].j != p.j) {
            pairs->at[kept++] = p;
        }
    }
    pairs->count = kept;
}

void pairs_sorter_clear(pairs_sorter *sorter)
{
    free(sorter->start);
    perp_box_pairs_clear(&sorter->spare);
    *sorter = (pairs_sorter){0};
}
