/* SPDX-License-Identifier: Apache-2.0
 * joints/joints.c: the registry of joint types. */
#include <config.h>

#include <string.h>

#include "joints/joints.h"

/* clang-format off */
static const perp_joint_type *const registry[] = {
    &joint_spherical,
    &joint_revolute,
    &joint_prismatic,
    &joint_wheel,
    &joint_universal,
    &joint_cylindrical,
    &joint_planar,
    &joint_fixed,
    &joint_angle,
    &joint_cone,
    &joint_rope,
    &joint_rod,
    &joint_user,
    NULL,
};
/* clang-format on */

const perp_joint_type *const *perp_joint_types(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_joint_type *perp_joint_type_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}
