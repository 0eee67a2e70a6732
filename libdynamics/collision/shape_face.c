/* SPDX-License-Identifier: Apache-2.0
 * collision/shape_face.c: what of a round shape looks along a direction: a point, a straight line
 * of its side, or its flat end as a square in the circle. */
#include <config.h>

#include "collision/shapes.h"
#include "world/world.h"

const double shape_looks = 0.70710678118654752; /* cos 45 degrees */

const double shape_flat_tilt = 1e-4;

void shape_lean(const double d[3], double lean[3])
{
    vec3_set(lean, d[0], d[1], 0.0);
    if (vec3_normalize(lean) <= shape_flat_tilt * fabs(d[2])) {
        vec3_set(lean, 1.0, 0.0, 0.0);
    }
}

void shape_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    double p[3];

    if (shape->type->face) {
        shape->type->face(shape, d, face);
    } else {
        shape->type->support(shape, d, p);
        shape_face_point(face, p, 0, d);
    }
}

void shape_face_point(perp_face *face, const double p[3], uint32_t id, const double d[3])
{
    face->count = 1;
    vec3_copy(face->corner, p);
    face->id[0] = id;
    vec3_copy(face->normal, d);
}

void shape_face_segment(perp_face *face, const double p[3], const double q[3],
                        uint32_t id, const double d[3])
{
    face->count = 2;
    vec3_copy(face->corner, p);
    vec3_copy(face->corner + 3, q);
    face->id[0] = id;
    face->id[1] = id + 1;
    vec3_copy(face->normal, d);
}

void shape_face_end(perp_face *face, double radius, double z, uint32_t id,
                    const double d[3])
{
    double up = z < 0.0 ? -1.0 : 1.0;
    double lean[3];

    shape_lean(d, lean);
    vec3_scale(radius, lean, lean);
    face->count = 4;
    vec3_set(face->corner, lean[0], lean[1], z);
    vec3_set(face->corner + 3, -up * lean[1], up * lean[0], z);
    vec3_set(face->corner + 6, -lean[0], -lean[1], z);
    vec3_set(face->corner + 9, up * lean[1], -up * lean[0], z);
    for (uint32_t k = 0; k < 4; k++) {
        face->id[k] = id + k;
    }
    vec3_set(face->normal, 0.0, 0.0, up);
}
