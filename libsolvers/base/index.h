/* SPDX-License-Identifier: Apache-2.0
 * base/index.h: numbers of entries by a hash, so that each new entry is compared with few of the
 * earlier ones. */
#ifndef PERP_BASE_INDEX_H
#define PERP_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct perp_index_place {
    uint64_t hash;
    size_t entry; /**< its number plus one; 0: an empty place */
} perp_index_place;

/** A hash table, at most half full. Zero it before its first use. */
typedef struct perp_index {
    perp_index_place *table;
    size_t count, places;
} perp_index;

/** Are the entries `a` and `b` the same? Then they have one hash. */
typedef bool (*perp_index_equal)(const void *entries, size_t a, size_t b);

/** Make room for `more` entries; false: no memory. */
bool perp_index_reserve(perp_index *index, size_t more);
/** Add an entry; false: no memory. */
bool perp_index_add(perp_index *index, uint64_t hash, size_t entry);
/** The entries with that hash, one per call: set *probe to 0 before the first call. False: there
 *  is no other one. */
bool perp_index_next(const perp_index *index, uint64_t hash, size_t *probe,
                     size_t *entry);
/** The entry that is the same as `entry`: an earlier one, or `entry` itself, which is added then, in
 *  room that was reserved. */
size_t perp_index_first(perp_index *index, uint64_t hash, size_t entry,
                        perp_index_equal equal, const void *entries);
void perp_index_empty(perp_index *index); /**< keeps the memory */
void perp_index_clear(perp_index *index); /**< frees the memory and zeroes the struct */

#endif
