/* SPDX-License-Identifier: Apache-2.0
 * collision/crowd.c: limits of the number of pairs and contacts, and their messages.
 *
 * n shapes in one place have n (n - 1)/2 pairs, each with contacts, each with rows, and
 * all of their bodies are coupled: a factor of the matrix of their velocities costs 72
 * n^3 operations. Without a limit an error in a file would take minutes, or all memory.
 * 256 spheres in one place are the most that are allowed; a step of them takes seconds.
 * Bodies that only touch have some ten contacts each. */
#include <config.h>

#include <stdlib.h>

#include "collision/collider.h"

size_t collide_most_contacts(const perp_collider *c)
{
    return PERP_COLLIDE_CONTACTS + c->parts.count * PERP_COLLIDE_CONTACTS_PER_BOX;
}

/* The body in most of the pairs that may meet, and in how many; the first of several.
 * Body 0 in 0 pairs where there is no memory to count. */
static size_t crowd_largest(const collide_search *s, size_t *pairs)
{
    const placed *at = s->c->parts.at;
    size_t *count = calloc(s->world->body_count, sizeof *count);
    size_t most = 0;

    *pairs = 0;
    for (size_t k = 0; count && k < s->c->pairs.count; k++) {
        const placed *a = &at[s->c->pairs.at[k].i];
        const placed *b = &at[s->c->pairs.at[k].j];

        if (collide_may_meet(&s->c->joints, s->world, a->number, b->number)) {
            count[a->body]++;
            count[b->body]++;
        }
    }
    for (size_t k = 0; count && k < s->world->body_count; k++) {
        if (count[k] > *pairs) {
            most = k;
            *pairs = count[k];
        }
    }
    free(count);
    return most;
}

perp_status collide_crowded(const collide_search *s)
{
    size_t pairs = 0;
    size_t body = crowd_largest(s, &pairs);

    return perp_fail(
        s->err, PERP_ERR_DATA,
        "collide: more than %zu contacts of %zu bodies; body \"%.64s\" comes near "
        "%zu shapes; expected at most %d contacts, and %d per shape",
        s->most, s->world->body_count, s->world->name[body], pairs, PERP_COLLIDE_CONTACTS,
        PERP_COLLIDE_CONTACTS_PER_BOX);
}

perp_status collide_crowded_pairs(const collide_search *s)
{
    size_t pairs = 0;
    size_t body = crowd_largest(s, &pairs);

    return perp_fail(
        s->err, PERP_ERR_DATA,
        "collide: more than %zu pairs of %zu shapes overlap; body \"%.64s\" is in "
        "%zu of them; expected at most %d pairs, and %d per shape",
        s->c->pairs.count, s->c->parts.count, s->world->name[body], pairs,
        PERP_BROAD_PAIRS, PERP_BROAD_PAIRS_PER_BOX);
}
