/* SPDX-License-Identifier: Apache-2.0
 * world/names.c: bodies, joints and materials by name, in constant time. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/joint.h>

#include "base/base.h"
#include "base/index.h"
#include "world/world.h"

enum { NAMES_KINDS = WORLD_MATERIALS + 1 };

static size_t names_count(const perp_world *w, world_named kind)
{
    return kind == WORLD_JOINTS      ? w->joint_count
           : kind == WORLD_MATERIALS ? w->material_count
                                     : w->body_count;
}

static const char *names_text(const perp_world *w, world_named kind, size_t k)
{
    return kind == WORLD_JOINTS      ? w->joints[k].name
           : kind == WORLD_MATERIALS ? w->materials[k].name
                                     : w->name[k];
}

uint64_t world_names_hash(const char *name)
{
    return perp_hash_bytes(PERP_HASH_START, name, strlen(name));
}

/* The last one of that name, or -1. */
static int32_t names_find(const perp_world *w, world_named kind, const char *name)
{
    const uint64_t hash = world_names_hash(name);
    int32_t found = -1;
    size_t probe = 0, k = 0;

    while (w->names && perp_index_next(&w->names[kind], hash, &probe, &k)) {
        if ((int32_t)k > found && strcmp(names_text(w, kind, k), name) == 0) {
            found = (int32_t)k;
        }
    }
    return found;
}

int32_t perp_world_find_body(const perp_world *w, const char *name)
{
    return names_find(w, WORLD_BODIES, name);
}

int32_t perp_world_find_joint(const perp_world *w, const char *name)
{
    return names_find(w, WORLD_JOINTS, name);
}

int32_t perp_world_find_material(const perp_world *w, const char *name)
{
    return names_find(w, WORLD_MATERIALS, name);
}

bool world_names_room(perp_world *w, world_named kind)
{
    if (!w->names) {
        w->names = calloc(NAMES_KINDS, sizeof *w->names);
    }
    return w->names && perp_index_reserve(&w->names[kind], 1);
}

void world_names_add(perp_world *w, world_named kind, size_t k)
{
    (void)perp_index_add(&w->names[kind], world_names_hash(names_text(w, kind, k)), k);
}

void world_names_refresh(perp_world *w, world_named kind)
{
    if (w->names) {
        perp_index_empty(&w->names[kind]);
    }
    for (size_t k = 0; k < names_count(w, kind); k++) {
        world_names_add(w, kind, k);
    }
}

void world_names_free(perp_world *w)
{
    for (size_t kind = 0; w->names && kind < NAMES_KINDS; kind++) {
        perp_index_clear(&w->names[kind]);
    }
    free(w->names);
    w->names = NULL;
}
