/* SPDX-License-Identifier: Apache-2.0
 * collision/pairs.h: lists of pairs that grow, and their order. Private. */
#ifndef PERP_COLLISION_PAIRS_H
#define PERP_COLLISION_PAIRS_H

#include <perp/dynamics/broad.h>

#include "world/world.h"

/* perp_aabb_overlap of finite boxes, one branch an axis: which end of an axis decides is
 * unpredictable, whether one does is predictable. This makes brute force twice as
 * fast. */
static inline bool pairs_overlap(const perp_aabb *a, const perp_aabb *b)
{
    for (int k = 0; k < 3; k++) {
        double lo = a->lo[k] > b->lo[k] ? a->lo[k] : b->lo[k];
        double hi = a->hi[k] < b->hi[k] ? a->hi[k] : b->hi[k];

        if (lo > hi) {
            return false;
        }
    }
    return true;
}

/* Reserve memory for this many further pairs; false: no memory or full, nothing changed. */
bool pairs_reserve(perp_box_pairs *pairs, size_t more);

/* Memory that sorting keeps between calls. Zero it first. */
typedef struct pairs_sorter {
    size_t *start; /* where the pairs of a box begin */
    size_t room;
    perp_box_pairs spare;
} pairs_sorter;

/* Sort ascending by i, then by j; numbers are below n. False: no memory. */
bool pairs_sort(pairs_sorter *sorter, size_t n, perp_box_pairs *pairs);
/* Remove duplicates of a sorted list. */
void pairs_unique(perp_box_pairs *pairs);
void pairs_sorter_clear(pairs_sorter *sorter);

#endif
