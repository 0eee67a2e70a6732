/* SPDX-License-Identifier: Apache-2.0
 * shapes/face.c: what of a round shape looks along a direction: a point, a straight line
 * of its side, or its flat end as a regular polygon in the circle, fixed to the shape, with the
 * point farthest along the direction. Its sides lie 0.9 % of the radius inside, so that an end supports
 * alike in all directions up to that. */
#include <config.h>

#include "shapes/shapes.h"

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

static void face_put_rim(perp_face *face, const double x[2], double z, uint32_t id)
{
    vec3_set(face->corner + 3 * face->count, x[0], x[1], z);
    face->id[face->count++] = id;
}

/* Whether the rim point at the direction x lies behind corner k and before the next one, by more
 * than rounding. */
static bool face_is_between(const double x[2], unsigned k)
{
    const double slack = 1e-9;
    const unsigned quarter = 3 * SHAPE_RIM / 4;
    const double from[2] = {face_cosine(k), face_cosine(k + quarter)};
    const double to[2] = {face_cosine(k + 1), face_cosine(k + 1 + quarter)};

    return from[0] * x[1] - from[1] * x[0] > slack && x[0] * to[1] - x[1] * to[0] > slack;
}

void shape_face_end(perp_face *face, double radius, double z, uint32_t id,
                    const double d[3])
{
    const double up = z < 0.0 ? -1.0 : 1.0;
    const double across = shape_across(d);
    const bool leans = across > shape_flat_tilt * fabs(d[2]);
    const double low[2] = {leans ? d[0] / across : 0.0, leans ? up * d[1] / across : 0.0};
    double x[2];

    face->count = 0;
    for (unsigned k = 0; k < SHAPE_RIM; k++) {
        x[0] = radius * face_cosine(k);
        x[1] = up * radius * face_cosine(k + 3 * SHAPE_RIM / 4);
        face_put_rim(face, x, z, id + k);
        if (leans && face_is_between(low, k)) {
            x[0] = radius * low[0];
            x[1] = up * radius * low[1];
            face_put_rim(face, x, z, id + SHAPE_RIM);
        }
    }
    vec3_set(face->normal, 0.0, 0.0, up);
}
