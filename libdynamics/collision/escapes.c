/* SPDX-License-Identifier: Apache-2.0
 * collision/escapes.c: a tree of the ways out of triangles, searched for one that is long
 * enough in a direction. */
#include <config.h>

#include "collision/escapes.h"

void escapes_set(escapes *e, size_t k, double gap, const double n[3])
{
    escape *leaf = &e->node[e->leaves + k];

    vec3_scale(-gap, n, leaf->lo);
    vec3_copy(leaf->hi, leaf->lo);
    leaf->least = -gap;
}

void escapes_unset(escapes *e, size_t k)
{
    static const escape none = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, INFINITY};

    e->node[e->leaves + k] = none;
}

void escapes_close(escapes *e)
{
    for (size_t i = e->leaves; i-- > 1;) {
        const escape *one = &e->node[2 * i];
        const escape *two = one + 1;

        for (int k = 0; k < 3; k++) {
            e->node[i].lo[k] = fmin(one->lo[k], two->lo[k]);
            e->node[i].hi[k] = fmax(one->hi[k], two->hi[k]);
        }
        e->node[i].least = fmin(one->least, two->least);
    }
}

/* The most that the ways of a node may go along n. */
static double escapes_most_along(const escape *e, const double n[3])
{
    double most = 0.0;

    for (int k = 0; k < 3; k++) {
        most += n[k] * (n[k] > 0.0 ? e->hi[k] : e->lo[k]);
    }
    return most;
}

bool escapes_free(const escapes *e, const double n[3], double need, double most)
{
    for (size_t i = 1; i != 0;) {
        const escape *node = &e->node[i];
        bool possible = node->least < most && escapes_most_along(node, n) >= need;

        if (possible && i >= e->leaves) {
            return true;
        }
        if (possible) {
            i = 2 * i;
        } else {
            while (i & 1) {
                i >>= 1; /* up from a second node; 0 from the root */
            }
            i += i != 0;
        }
    }
    return false;
}
