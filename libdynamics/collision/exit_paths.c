/* SPDX-License-Identifier: Apache-2.0
 * collision/exit_paths.c: a tree of exit paths, searched for one that is long enough in a
 * direction. */
#include <config.h>

#include "collision/exit_paths.h"

void exit_paths_set(exit_paths *e, size_t k, double gap, const double n[3])
{
    exit_box *leaf = &e->node[e->leaves + k];

    vec3_scale(-gap, n, leaf->lo);
    vec3_copy(leaf->hi, leaf->lo);
    leaf->least = -gap;
}

void exit_paths_unset(exit_paths *e, size_t k)
{
    static const exit_box none = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, INFINITY};

    e->node[e->leaves + k] = none;
}

void exit_paths_close(exit_paths *e)
{
    for (size_t i = e->leaves; i-- > 1;) {
        const exit_box *one = &e->node[2 * i];
        const exit_box *two = one + 1;

        for (int k = 0; k < 3; k++) {
            e->node[i].lo[k] = fmin(one->lo[k], two->lo[k]);
            e->node[i].hi[k] = fmax(one->hi[k], two->hi[k]);
        }
        e->node[i].least = fmin(one->least, two->least);
    }
}

/* Upper bound of the paths of a node along n. */
static double exit_paths_most_along(const exit_box *e, const double n[3])
{
    double most = 0.0;

    for (int k = 0; k < 3; k++) {
        most += n[k] * (n[k] > 0.0 ? e->hi[k] : e->lo[k]);
    }
    return most;
}

bool exit_paths_any(const exit_paths *e, const double n[3], double need, double most)
{
    for (size_t i = 1; i != 0;) {
        const exit_box *node = &e->node[i];
        bool possible = node->least < most && exit_paths_most_along(node, n) >= need;

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
