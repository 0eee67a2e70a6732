/* SPDX-License-Identifier: Apache-2.0
 * shapes/shapes.c: the registry of shape types. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "shapes.h"

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

void core_shapes_free(perp_world *w)
{
    for (size_t k = 0; k < w->shape_count; k++) {
        perp_polytope_free(w->shapes[k].polytope);
    }
}
