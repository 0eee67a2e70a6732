/* SPDX-License-Identifier: Apache-2.0
 * collision/shapes.c: the registry of shape types. */
#include <config.h>

#include <string.h>

#include "collision/shapes.h"
#include "world/world.h"

/* clang-format off */
static const perp_shape_type *const registry[] = {
    &shape_sphere,
    &shape_box,
    &shape_cylinder,
    &shape_capsule,
    &shape_cone,
    &shape_ellipsoid,
    &shape_hull,
    &shape_plane,
    &shape_mesh,
    &shape_compound,
    NULL,
};
/* clang-format on */

const perp_shape_type *const *perp_shape_types(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_shape_type *perp_shape_type_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}
