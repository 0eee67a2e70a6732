/* SPDX-License-Identifier: Apache-2.0
 * collision/shape_face.c: what of a round shape looks along a direction: a point, a straight line
 * of its side, or its flat end as a regular polygon in the circle, fixed to the shape. Its sides
 * lie 0.9 % of the radius inside, so that an end supports alike in all directions up to that. */
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

/* The cosine of k/24 of a turn. */
static double face_cosine(unsigned k)
{
    static const double quarter[] = {1.0,
                                     0.96592582628906828675,
                                     0.86602540378443864676,
                                     0.70710678118654752440,
                                     0.5,
                                     0.25881904510252076235,
                                     0.0};
    const unsigned half = SHAPE_RIM / 2;
    const unsigned m = k % SHAPE_RIM < half ? k % half : half - k % half; /* 0 .. half */

    return m <= half / 2 ? quarter[m] : -quarter[half - m];
}

void shape_face_end(perp_face *face, double radius, double z, uint32_t id)
{
    const double up = z < 0.0 ? -1.0 : 1.0;

    face->count = SHAPE_RIM;
    for (unsigned k = 0; k < SHAPE_RIM; k++) {
        vec3_set(face->corner + 3 * (size_t)k, radius * face_cosine(k),
                 up * radius * face_cosine(k + 3 * SHAPE_RIM / 4), z);
        face->id[k] = id + k;
    }
    vec3_set(face->normal, 0.0, 0.0, up);
}
