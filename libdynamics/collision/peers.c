/* SPDX-License-Identifier: Apache-2.0
 * collision/peers.c: lists, for each part, the parts that its box overlaps and that are
 * rigidly connected with others: shapes of one body, parts of a compound, shapes of
 * static bodies. */
#include <config.h>

#include <stdlib.h>

#include "collision/collider.h"

void collide_peers_clear(collide_peers *p)
{
    free(p->start);
    free(p->peer);
    free(p->shared);
    memset(p, 0, sizeof *p);
}

static bool peers_reserve(collide_peers *p, size_t parts, size_t bodies, size_t pairs)
{
    return GROW(p->start, p->start_room, parts + 2) &&
           GROW(p->shared, p->shared_room, bodies) &&
           GROW(p->peer, p->peer_room, 2 * pairs);
}

/* Of each body how many parts move as one with its first; those of all static bodies are
 * one. Whether there are two anywhere. */
static bool peers_count_shared(const perp_collider *c, const perp_world *w,
                               uint32_t *shared)
{
    const collide_parts *p = &c->parts;
    uint32_t still = 0;
    bool any = false;

    memset(shared, 0, w->body_count * sizeof *shared);
    for (size_t k = 0; k < p->count; k++) {
        size_t body = (size_t)p->at[k].body;
        uint32_t *count = world_stays(w, body) ? &still : &shared[body];

        *count += 1;
        any = any || *count > 1;
    }
    for (size_t k = 0; k < w->body_count && any; k++) {
        shared[k] = world_stays(w, k) ? still : shared[k];
    }
    return any;
}

bool collide_peers_list(perp_collider *c, const perp_world *w)
{
    collide_peers *p = &c->peers;
    const perp_box_pair *pair = c->pairs.at;

    p->any = false;
    if (!peers_reserve(p, c->parts.count, w->body_count, c->pairs.count)) {
        return false;
    }
    p->any = peers_count_shared(c, w, p->shared);
    if (!p->any) {
        return true;
    }
    memset(p->start, 0, (c->parts.count + 2) * sizeof *p->start);
    for (size_t k = 0; k < c->pairs.count; k++) {
        p->start[pair[k].i + 2] += p->shared[c->parts.at[pair[k].j].body] > 1;
        p->start[pair[k].j + 2] += p->shared[c->parts.at[pair[k].i].body] > 1;
    }
    for (size_t k = 2; k < c->parts.count + 2; k++) {
        p->start[k] += p->start[k - 1];
    }
    for (size_t k = 0; k < c->pairs.count; k++) {
        if (p->shared[c->parts.at[pair[k].j].body] > 1) {
            p->peer[p->start[pair[k].i + 1]++] = pair[k].j;
        }
        if (p->shared[c->parts.at[pair[k].i].body] > 1) {
            p->peer[p->start[pair[k].j + 1]++] = pair[k].i;
        }
    }
    return true;
}
