/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/broad.h: the broad phase: pairs of axis-aligned boxes that overlap.
 *
 * All types find the same pairs in the same order, independent of earlier calls: i < j,
 * ascending by i, then by j. Data kept from the last call make a call faster without
 * changing its result. */
#ifndef PERP_DYNAMICS_BROAD_H
#define PERP_DYNAMICS_BROAD_H

#include <perp/dynamics/tree.h>

PERP_BEGIN_DECLS

/** Two boxes that overlap, by their numbers, i < j. */
typedef struct perp_box_pair {
    uint32_t i, j;
} perp_box_pair;

/** A growing list of pairs. Zero the struct before its first use. */
typedef struct perp_box_pairs {
    size_t count, room;
    perp_box_pair *at;
    size_t most; /**< largest count; 0: any */
    bool full;   /**< more were to be added than `most` allows */
} perp_box_pairs;

void perp_box_pairs_clear(perp_box_pairs *pairs); /* frees the memory and zeroes the
                                                   * struct */
/** Append a pair; false: no memory, or the list is full. */
bool perp_box_pairs_add(perp_box_pairs *pairs, uint32_t i, uint32_t j);

/** An algorithm that finds the pairs of boxes that overlap. */
typedef struct perp_broad_type {
    const char *name;      /**< "bvh" */
    const char *summary;   /**< one line */
    const char *reference; /**< a key of paper/references.bib */
    size_t state_size;     /**< bytes; zeroed before the first call of find */
    bool rested; /**< pairs of the last call are tested again if the boxes hardly moved */
    /** Append all pairs of n finite boxes that overlap, in any order, except pairs of two
     *  `immovable` boxes; the caller sorts them. */
    perp_status (*find)(void *state, size_t n, const perp_aabb *boxes,
                        const bool *immovable, perp_box_pairs *pairs, perp_error *err);
    void (*close)(void *state); /**< free what the state holds; NULL: nothing */
} perp_broad_type;

/** All types, *count of them (count may be NULL), terminated by NULL; the first is the
 *  default. The type with this name, or NULL. */
const perp_broad_type *const *perp_broad_types(size_t *count);
const perp_broad_type *perp_broad_find(const char *name);

enum {
    PERP_BROAD_PAIRS = 1 << 24,     /**< n boxes may form PERP_BROAD_PAIRS + */
    PERP_BROAD_PAIRS_PER_BOX = 1024 /**< n PERP_BROAD_PAIRS_PER_BOX pairs */
};

/** Such an algorithm at work, with its memory. */
typedef struct perp_broad perp_broad;

/** type NULL: the first of the registry. */
perp_status perp_broad_new(perp_broad **broad, const perp_broad_type *type,
                           perp_error *err);
void perp_broad_free(perp_broad *broad); /* NULL is allowed (no-op) */
const perp_broad_type *perp_broad_type_of(const perp_broad *broad);
/** Find the pairs of n boxes that overlap; they replace those in `pairs` and are sorted.
 *  `immovable` (NULL: none) marks boxes that form no pairs with each other. A box may be
 *  unbounded (+-INFINITY); a box with NaN or an empty one (lo > hi) overlaps nothing.
 *  PERP_ERR_ARGUMENT: more than UINT32_MAX boxes; PERP_ERR_MEMORY: `pairs` is empty;
 *  PERP_ERR_DATA: more pairs than the limit above, of which `pairs` has some. */
perp_status perp_broad_run(perp_broad *broad, size_t n, const perp_aabb *boxes,
                           const bool *immovable, perp_box_pairs *pairs, perp_error *err);

PERP_END_DECLS

#endif
