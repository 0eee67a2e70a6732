/* SPDX-License-Identifier: Apache-2.0
 * step/stabilize.c: the methods that correct positions. */
#include <config.h>

#include "step/stepper.h"

/* clang-format off */
static const step_stabilizer *const registry[] = {
    &step_stabilize_baumgarte,
    &step_stabilize_split,
    &step_stabilize_project,
    &step_stabilize_none,
    NULL,
};
/* clang-format on */

const step_stabilizer *step_stabilizer_find(perp_stabilize method)
{
    for (size_t k = 0; registry[k]; k++) {
        if (registry[k]->method == method) {
            return registry[k];
        }
    }
    return NULL;
}
