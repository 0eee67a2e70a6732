/* SPDX-License-Identifier: Apache-2.0
 * core/names.c: bodies by name, in constant time.
 *
 * A table of numbers of bodies, at most half full, with linear probing from the FNV-1a
 * hash of the name; 0 is an empty place, k + 1 stands for body k. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "core.h"

static size_t names_hash(const char *name)
{
    return (size_t)perp_hash_bytes(PERP_HASH_START, name, strlen(name));
}

/* The place of `name`, or the empty one where it would go. The table is not full. */
static size_t names_place(const perp_world *w, const char *name)
{
    size_t mask = w->name_places - 1;
    size_t at = names_hash(name) & mask;

    while (w->name_table[at] != 0 && strcmp(w->name[w->name_table[at] - 1], name) != 0) {
        at = (at + 1) & mask;
    }
    return at;
}

int32_t perp_world_find_body(const perp_world *w, const char *name)
{
    return w->name_places ? (int32_t)w->name_table[names_place(w, name)] - 1 : -1;
}

bool core_names_room(perp_world *w)
{
    size_t places = w->name_places ? 2 * w->name_places : 16;
    uint32_t *table = NULL;

    if (2 * (w->body_count + 1) <= w->name_places) {
        return true;
    }
    table = calloc(places, sizeof *table);
    if (!table) {
        return false;
    }
    free(w->name_table);
    w->name_table = table;
    w->name_places = places;
    core_names_renew(w);
    return true;
}

void core_names_add(perp_world *w, size_t k)
{
    w->name_table[names_place(w, w->name[k])] = (uint32_t)(k + 1);
}

void core_names_renew(perp_world *w)
{
    memset(w->name_table, 0, w->name_places * sizeof *w->name_table);
    for (size_t k = 0; k < w->body_count; k++) {
        core_names_add(w, k);
    }
}
