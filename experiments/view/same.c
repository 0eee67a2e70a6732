/* SPDX-License-Identifier: Apache-2.0
 * view/same.c: a table by hash with open addresses, at most half full. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "experiments/view/same.h"

bool view_same_new(view_same *s, size_t count)
{
    size_t room = 16;

    while (room / 2 < count && room <= SIZE_MAX / 4) {
        room *= 2;
    }
    s->mask = room - 1;
    s->slot = (size_t *)calloc(room, sizeof *s->slot);
    return s->slot != NULL;
}

void view_same_free(view_same *s)
{
    free(s->slot);
    memset(s, 0, sizeof *s);
}

size_t view_same_first(view_same *s, size_t now, uint64_t hash, view_equal equal,
                       const void *things)
{
    size_t at = (size_t)(hash ^ hash >> 32) & s->mask;

    while (s->slot[at] != 0) {
        const size_t first = s->slot[at] - 1;

        if (equal(things, first, now)) {
            return first;
        }
        at = (at + 1) & s->mask;
    }
    s->slot[at] = now + 1;
    return now;
}
