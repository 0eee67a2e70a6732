/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_index.h: numbers of entries by the hash of a text, so that each new entry is
 * compared with few of the earlier ones. Private to suite_entries.c and suite.c. */
#ifndef PERP_RUNNER_SUITE_INDEX_H
#define PERP_RUNNER_SUITE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct suite_place {
    uint64_t hash;
    size_t entry; /**< its number plus one; 0: an empty place */
} suite_place;

/** A hash table, at most half full. Zero it before its first use. */
typedef struct suite_index {
    suite_place *table;
    size_t count, places;
} suite_index;

/** Add an entry; false: no memory. */
bool suite_index_add(suite_index *index, uint64_t hash, size_t entry);
/** The entries with that hash, one per call: set *probe to 0 before the first call. False: there
 *  is no other one. */
bool suite_index_next(const suite_index *index, uint64_t hash, size_t *probe,
                      size_t *entry);
void suite_index_clear(suite_index *index); /**< frees the memory and zeroes the struct */

#endif
