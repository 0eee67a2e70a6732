/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_index.c: numbers of entries by the hash of a text, with linear probing. */
#include <config.h>

#include <stdlib.h>

#include "experiments/runner/suite_index.h"

static void index_put(suite_place *table, size_t places, suite_place place)
{
    size_t at = (size_t)place.hash & (places - 1);

    while (table[at].entry) {
        at = (at + 1) & (places - 1);
    }
    table[at] = place;
}

/* Room for one more entry. */
static bool index_room(suite_index *index)
{
    size_t places = index->places > 0 ? 2 * index->places : 16;
    suite_place *table = NULL;

    if (2 * (index->count + 1) <= index->places) {
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

bool suite_index_add(suite_index *index, uint64_t hash, size_t entry)
{
    if (!index_room(index)) {
        return false;
    }
    index_put(index->table, index->places, (suite_place){hash, entry + 1});
    index->count++;
    return true;
}

bool suite_index_next(const suite_index *index, uint64_t hash, size_t *probe,
                      size_t *entry)
{
    const size_t mask = index->places - 1;

    while (index->places > 0) {
        const suite_place *place = &index->table[((size_t)hash + (*probe)++) & mask];

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

void suite_index_clear(suite_index *index)
{
    free(index->table);
    *index = (suite_index){.count = 0};
}
