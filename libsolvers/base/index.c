/* SPDX-License-Identifier: Apache-2.0
 * base/index.c: numbers of entries by a hash, with linear probing. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

static void index_put(perp_index_place *table, size_t places, perp_index_place place)
{
    size_t at = (size_t)place.hash & (places - 1);

    while (table[at].entry) {
        at = (at + 1) & (places - 1);
    }
    table[at] = place;
}

bool perp_index_reserve(perp_index *index, size_t more)
{
    size_t places = index->places > 0 ? index->places : 16;
    perp_index_place *table = NULL;

    if (more > SIZE_MAX / 8 - index->count) {
        return false;
    }
    while (places < 2 * (index->count + more)) {
        places *= 2;
    }
    if (places == index->places) {
        return true;
    }
    table = calloc(places, sizeof *table);
    if (!table) {
        return false;
    }
    for (size_t k = 0; k < index->places; k++) {
        if (index->table[k].entry) {
            index_put(table, places, index->table[k]);
        }
    }
    free(index->table);
    index->table = table;
    index->places = places;
    return true;
}

bool perp_index_add(perp_index *index, uint64_t hash, size_t entry)
{
    if (!perp_index_reserve(index, 1)) {
        return false;
    }
    index_put(index->table, index->places, (perp_index_place){hash, entry + 1});
    index->count++;
    return true;
}

bool perp_index_next(const perp_index *index, uint64_t hash, size_t *probe, size_t *entry)
{
    const size_t mask = index->places - 1;

    while (index->places > 0) {
        const perp_index_place *place = &index->table[((size_t)hash + (*probe)++) & mask];

        if (place->entry == 0) {
            return false;
        }
        if (place->hash == hash) {
            *entry = place->entry - 1;
            return true;
        }
    }
    return false;
}

size_t perp_index_first(perp_index *index, uint64_t hash, size_t entry,
                        perp_index_equal equal, const void *entries)
{
    size_t probe = 0, earlier = 0;

    while (perp_index_next(index, hash, &probe, &earlier)) {
        if (equal(entries, earlier, entry)) {
            return earlier;
        }
    }
    (void)perp_index_add(index, hash, entry);
    return entry;
}

void perp_index_empty(perp_index *index)
{
    if (index->table) {
        memset(index->table, 0, index->places * sizeof *index->table);
    }
    index->count = 0;
}

void perp_index_clear(perp_index *index)
{
    free(index->table);
    *index = (perp_index){.count = 0};
}
