/* SPDX-License-Identifier: Apache-2.0
 * broad/pairs.c: lists of pairs. */
#include <config.h>

#include <stdlib.h>

#include "pairs.h"

void perp_box_pairs_clear(perp_box_pairs *pairs)
{
    free(pairs->at);
    *pairs = (perp_box_pairs){0};
}

bool pairs_reserve(perp_box_pairs *pairs, size_t more)
{
    size_t room = pairs->room + pairs->room / 2 + 64;
    perp_box_pair *at = NULL;

    if (pairs->room - pairs->count >= more && pairs->at) {
        return true;
    }
    if (room < pairs->count + more) {
        room = pairs->count + more;
    }
    if (room > SIZE_MAX / sizeof *at) {
        return false;
    }
    at = realloc(pairs->at, room * sizeof *at);
    if (!at) {
        return false;
    }
    pairs->at = at;
    pairs->room = room;
    return true;
}

bool perp_box_pairs_add(perp_box_pairs *pairs, uint32_t i, uint32_t j)
{
    if (!pairs_reserve(pairs, 1)) {
        return false;
    }
    pairs->at[pairs->count++] = (perp_box_pair){.i = i, .j = j};
    return true;
}
