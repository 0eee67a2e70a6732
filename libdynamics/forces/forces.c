/* SPDX-License-Identifier: Apache-2.0
 * forces/forces.c: the registry of force types. */
#include <config.h>

#include <string.h>

#include "forces.h"

/* clang-format off */
static const perp_force_type *const registry[] = {
    NULL,
};
/* clang-format on */

const perp_force_type *const *perp_force_types(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_force_type *perp_force_type_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}
