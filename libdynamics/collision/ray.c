/* SPDX-License-Identifier: Apache-2.0
 * collision/ray.c: a ray of the world in the axes of a shape, and where it hits back in the
 * world:
 *
 *     o' = R^T (o - x),   d' = R^T d/|d|,   t = t'/|d| */
#include <config.h>

#include <perp/dynamics/collide.h>

#include "world/world.h"

bool perp_ray_cast(const perp_placed *placed, unsigned dimension, const double origin[3],
                   const double direction[3], double most, perp_ray_hit *hit)
{
    double length = hypot(hypot(direction[0], direction[1]), direction[2]);
    double o[3];
    double d[3];
    double t = 0.0;

    vec3_subtract(origin, placed->x, o);
    mat3_apply_transposed(placed->R, o, o);
    vec3_set(d, direction[0] / length, direction[1] / length, direction[2] / length);
    mat3_apply_transposed(placed->R, d, d);
    *hit = (perp_ray_hit){.t = 0.0};
    if (!placed->shape->type->cast) {
        return false;
    }
    t = placed->shape->type->cast(placed->shape, dimension, o, d, most * length,
                                  hit->normal, &hit->part);
    if (!(t >= 0.0)) {
        return false;
    }
    hit->t = t / length;
    mat3_apply(placed->R, hit->normal, hit->normal);
    vec3_add(origin, hit->t, direction, hit->point);
    return true;
}
