/* SPDX-License-Identifier: Apache-2.0
 * geometry/tree_numbers.c: which leaf has a number. Numbers are the caller's and may be any,
 * so they are looked up in a table of places, at most half of which are taken; a number
 * lies at its first place (a multiple of the golden ratio, so that runs of numbers
 * spread) or at the next free one behind it. */
#include <config.h>

#include <stdlib.h>

#include "geometry/nodes.h"

static size_t numbers_first(const perp_tree *t, uint32_t number)
{
    /* 2^64 / golden ratio; the upper half of the product is the well mixed one */
    return (size_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (t->places - 1);
}

/* The place of a number, or the free one where it would go. */
static size_t numbers_place(const perp_tree *t, uint32_t number)
{
    size_t p = numbers_first(t, number);

    while (t->place[p].node != TREE_NONE && t->place[p].number != number) {
        p = (p + 1) & (t->places - 1);
    }
    return p;
}

uint32_t tree_number_find(const perp_tree *t, uint32_t number)
{
    return t->places == 0 ? TREE_NONE : t->place[numbers_place(t, number)].node;
}

void tree_number_add(perp_tree *t, uint32_t number, uint32_t node)
{
    t->place[numbers_place(t, number)] = (tree_place){.number = number, .node = node};
}

/* An entry that was pushed beyond the place that becomes free moves up, so that no search
 * ends before it finds the entry. */
void tree_number_remove(perp_tree *t, uint32_t number)
{
    size_t mask = t->places - 1;
    size_t hole = numbers_place(t, number);

    for (size_t p = (hole + 1) & mask; t->place[p].node != TREE_NONE;
         p = (p + 1) & mask) {
        size_t first = numbers_first(t, t->place[p].number);

        if (((p - first) & mask) >= ((p - hole) & mask)) {
            t->place[hole] = t->place[p];
            hole = p;
        }
    }
    t->place[hole].node = TREE_NONE;
}

bool tree_numbers_reserve(perp_tree *t, size_t count)
{
    tree_place *old = t->place;
    size_t old_places = t->places;
    size_t places = 16;

    while (places < 2 * count) {
        places *= 2;
    }
    if (places <= old_places) {
        return true;
    }
    t->place = math_alloc(places, sizeof *t->place);
    if (!t->place) {
        t->place = old;
        return false;
    }
    t->places = places;
    memset(t->place, 0xff, places * sizeof *t->place); /* node: TREE_NONE */
    for (size_t p = 0; p < old_places; p++) {
        if (old[p].node != TREE_NONE) {
            tree_number_add(t, old[p].number, old[p].node);
        }
    }
    free(old);
    return true;
}
