/* SPDX-License-Identifier: Apache-2.0
 * read/scene/random.c: random numbers of a scene, each from its place.
 *
 * There is no stream through the document. The number at a place is drawn from
 *
 *     mix(seed, path of the place, number of the call in the text, indices of the
 *  repetition)
 *
 * mix the finalizer of SplitMix64 [steele-lea-flood-2014], one key after the other. The
 * path has the names of items, or else their indices, so that additions elsewhere and
 * longer repetitions do not change existing numbers. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "read/scene/document.h"
#include "read/scene/quantity.h"

static uint64_t random_mix(uint64_t key, uint64_t more)
{
    perp_random g = {.state = key ^ more};

    return perp_random_next(&g);
}

static uint64_t random_mix_text(uint64_t key, const char *text)
{
    for (; *text; text++) {
        key = random_mix(key, (unsigned char)*text);
    }
    return random_mix(key,
                      256); /* no byte: texts one after the other do not run together */
}

/* The name of an item as it was written; NULL: it has none. */
static const char *random_item_name(const scene_at *at)
{
    return at->key ? NULL : json_string_value(json_object_get(at->value, "name"));
}

static uint64_t random_mix_place(uint64_t key, const scene_at *at)
{
    const char *name = random_item_name(at);

    if (!at->up) {
        return key;
    }
    key = random_mix_place(key, at->up);
    if (at->key || name) {
        return random_mix_text(key, at->key ? at->key : name);
    }
    return random_mix(key, 257 + (uint64_t)at->index); /* 257: beyond what texts mix in */
}

static perp_random random_at_indices(const scene_reader *rd, uint64_t key)
{
    for (size_t k = 0; k < rd->level_count; k++) {
        key = random_mix(key, (uint64_t)rd->levels[k].value);
    }
    return (perp_random){.state = key};
}

static uint64_t random_seed(const scene_reader *rd)
{
    const perp_scene *s = rd->scene;

    for (size_t k = 0; k < s->parameter_count; k++) {
        if (strcmp(s->parameters[k].name, "seed") == 0) {
            return random_mix(0, (uint64_t)(int64_t)s->parameters[k].value);
        }
    }
    return random_mix(0, 1); /* as if it were 1 */
}

perp_random scene_random_place(const scene_reader *rd, const scene_at *at, unsigned call)
{
    return random_at_indices(rd, random_mix(random_mix_place(random_seed(rd), at), call));
}

perp_random scene_random_shared(const scene_reader *rd, int64_t number)
{
    return random_at_indices(
        rd, random_mix(random_mix_text(random_seed(rd), "shared"), (uint64_t)number));
}

/* Uniform on the unit quaternions [shoemake-1992]. */
void scene_random_rotation(const scene_reader *rd, const scene_at *at, double q[4])
{
    const double pi = 3.14159265358979323846;
    perp_random g = scene_random_place(rd, at, 0);
    double u = perp_random_unit(&g);
    double a = 2.0 * pi * perp_random_unit(&g);
    double b = 2.0 * pi * perp_random_unit(&g);

    q[0] = sqrt(u) * cos(b);
    q[1] = sqrt(1.0 - u) * sin(a);
    q[2] = sqrt(1.0 - u) * cos(a);
    q[3] = sqrt(u) * sin(b);
    if (rd->world->dimension == 2) {
        q[0] = cos(0.5 * a);
        q[1] = q[2] = 0.0;
        q[3] = sin(0.5 * a);
    }
}
