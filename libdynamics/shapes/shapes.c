/* SPDX-License-Identifier: Apache-2.0
 * shapes/shapes.c: the registry of shape types, and what a shape owns. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "shapes/shapes.h"

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

void shape_release(perp_shape *s)
{
    for (size_t k = 0; k < s->part_count; k++) {
        perp_polytope_free(s->parts[k].polytope);
    }
    free(s->parts);
    perp_polytope_free(s->polytope);
    perp_mesh_free(s->mesh);
}
