/* SPDX-License-Identifier: Apache-2.0
 * collision/brute.c: every box against every other: n (n - 1)/2 tests, no memory, nothing
 * that could go wrong. What the other types are compared with; at a few boxes nothing is
 * faster. */
#include <config.h>

#include "collision/broad.h"

static perp_status brute_find(void *state, size_t n, const perp_aabb *boxes,
                              const bool *immovable, perp_box_pairs *pairs,
                              perp_error *err)
{
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const perp_aabb box = boxes[i];
        bool rests = immovable && immovable[i];

        for (size_t j = i + 1; j < n; j++) {
            if (pairs_overlap(&box, &boxes[j]) && !(rests && immovable[j]) &&
                !perp_box_pairs_add(pairs, (uint32_t)i, (uint32_t)j)) {
                return broad_no_memory(err, "brute", n);
            }
        }
    }
    return PERP_OK;
}

const perp_broad_type broad_brute = {
    .name = "brute",
    .summary = "every box against every other",
    .reference = "ericson-2005",
    .find = brute_find,
};
