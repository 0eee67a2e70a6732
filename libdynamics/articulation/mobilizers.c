/* SPDX-License-Identifier: Apache-2.0
 * articulation/mobilizers.c: the registry of mobilizers. */
#include <config.h>

#include <string.h>

#include "articulation/mobilizers.h"

/* clang-format off */
static const perp_mobilizer *const registry[] = {
    &mobilizer_revolute,
    &mobilizer_prismatic,
    &mobilizer_cylindrical,
    &mobilizer_universal,
    &mobilizer_spherical,
    &mobilizer_spherical_euler,
    &mobilizer_planar,
    &mobilizer_translational,
    &mobilizer_free,
    &mobilizer_fixed,
    NULL,
};
/* clang-format on */

const perp_mobilizer *const *perp_mobilizers(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_mobilizer *perp_mobilizer_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}
