/* SPDX-License-Identifier: Apache-2.0
 * admm/penalty.c: the penalty of each row relative to that of the others. */
#include <config.h>

#include "penalty.h"

bool perp_penalty_weights(const perp_set *set, double *weight)
{
    bool uniform = true;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        bool scalar = block->kind == PERP_SET_FREE || block->kind == PERP_SET_BOX;
        bool free = scalar && !isfinite(block->lo) && !isfinite(block->hi);

        uniform = uniform && !free;
        for (unsigned i = 0; i < block->dim; i++) {
            weight[block->first + i] = free ? 1e-3 : 1.0;
        }
    }
    return uniform;
}
