/* SPDX-License-Identifier: Apache-2.0
 * world/names.c: bodies, joints and materials by name, in constant time.
 *
 * A hash table of their numbers, at most half full, with linear probing from the FNV-1a
 * hash of the name; 0 is an empty place, k + 1 is number k. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/joint.h>

#include "base/base.h"
#include "world/world.h"

/* The table of one kind. */
typedef struct names {
    uint32_t **table;
    size_t *places;
    size_t count;
} names;

static names names_of(perp_world *w, world_named kind)
{
    switch (kind) {
    case WORLD_JOINTS:
        return (names){&w->joint_table, &w->joint_places, w->joint_count};
    case WORLD_MATERIALS:
        return (names){&w->material_table, &w->material_places, w->material_count};
    case WORLD_BODIES:
        break;
    }
    return (names){&w->name_table, &w->name_places, w->body_count};
}

static const char *names_text(const perp_world *w, world_named kind, size_t k)
{
    switch (kind) {
    case WORLD_JOINTS:
        return w->joints[k].name;
    case WORLD_MATERIALS:
        return w->materials[k].name;
    case WORLD_BODIES:
        break;
    }
    return w->name[k];
}

uint64_t world_names_hash(const char *name)
{
    return perp_hash_bytes(PERP_HASH_START, name, strlen(name));
}

/* The place of `name`, or the empty place for it. The table is not full. */
static size_t names_place(const perp_world *w, world_named kind, const uint32_t *table,
                          size_t places, const char *name)
{
    size_t mask = places - 1;
    size_t at = (size_t)world_names_hash(name) & mask;

    while (table[at] != 0 && strcmp(names_text(w, kind, table[at] - 1), name) != 0) {
        at = (at + 1) & mask;
    }
    return at;
}

int32_t perp_world_find_body(const perp_world *w, const char *name)
{
    const uint32_t *table = w->name_table;

    return table ? (int32_t)table[names_place(w, WORLD_BODIES, table, w->name_places,
                                              name)] -
                       1
                 : -1;
}

int32_t perp_world_find_joint(const perp_world *w, const char *name)
{
    const uint32_t *table = w->joint_table;

    return table ? (int32_t)table[names_place(w, WORLD_JOINTS, table, w->joint_places,
                                              name)] -
                       1
                 : -1;
}

int32_t perp_world_find_material(const perp_world *w, const char *name)
{
    const uint32_t *table = w->material_table;

    return table ? (int32_t)table[names_place(w, WORLD_MATERIALS, table,
                                              w->material_places, name)] -
                       1
                 : -1;
}

bool world_names_room(perp_world *w, world_named kind)
{
    names n = names_of(w, kind);
    size_t places = *n.places ? 2 * *n.places : 16;
    uint32_t *table = NULL;

    if (2 * (n.count + 1) <= *n.places) {
        return true;
    }
    table = calloc(places, sizeof *table);
    if (!table) {
        return false;
    }
    free(*n.table);
    *n.table = table;
    *n.places = places;
    world_names_refresh(w, kind);
    return true;
}

void world_names_add(perp_world *w, world_named kind, size_t k)
{
    names n = names_of(w, kind);

    (*n.table)[names_place(w, kind, *n.table, *n.places, names_text(w, kind, k))] =
        (uint32_t)(k + 1);
}

void world_names_refresh(perp_world *w, world_named kind)
{
    names n = names_of(w, kind);

    if (*n.table) {
        memset(*n.table, 0, *n.places * sizeof **n.table);
    }
    for (size_t k = 0; k < n.count; k++) {
        world_names_add(w, kind, k);
    }
}
