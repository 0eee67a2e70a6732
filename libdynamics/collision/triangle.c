/* SPDX-License-Identifier: Apache-2.0
 * collision/triangle.c: a triangle of a mesh as a convex shape, for the algorithms for
 * all convex shapes. It is not in the registry, since no body has one. Its corners are in
 * `corners`. */
#include <config.h>

#include "collision/triangle.h"

static double triangle_reach(const perp_shape *s)
{
    double most = 0.0;

    for (int c = 0; c < 3; c++) {
        most = fmax(most, vec3_length(s->corners + 3 * c));
    }
    return most;
}

static void triangle_support(const perp_shape *s, const double d[3], double p[3])
{
    int best = 0;

    for (int c = 1; c < 3; c++) {
        best = vec3_dot(d, s->corners + 3 * c) > vec3_dot(d, s->corners + 3 * best)
                   ? c
                   : best;
    }
    vec3_copy(p, s->corners + 3 * best);
}

/* The whole of it when d is within 45 degrees of its normal, either way; else the side
 * that d is nearly across, or the corner. */
static void triangle_face(const perp_shape *s, const double d[3], perp_face *face)
{
    static const double steep = 0.70710678118654752440;
    static const double across = 0.02; /* sine: about one degree */
    const double *p = s->corners;
    double e[3];
    double f[3];
    double n[3];
    double most = 0.0;
    double length = 0.0;
    int best = 0;

    vec3_subtract(p + 3, p, e);
    vec3_subtract(p + 6, p, f);
    vec3_cross(e, f, n);
    vec3_normalize(n);
    vec3_copy(face->normal, d);
    if (fabs(vec3_dot(n, d)) >= steep) {
        bool front = vec3_dot(n, d) > 0.0;

        face->count = 3;
        vec3_scale(front ? 1.0 : -1.0, n, face->normal);
        for (int c = 0; c < 3; c++) {
            int k = front ? c : 2 - c;

            vec3_copy(face->corner + 3 * c, p + 3 * k);
            face->id[c] = (uint32_t)k;
        }
        return;
    }
    for (int c = 1; c < 3; c++) {
        best = vec3_dot(d, p + 3 * c) > vec3_dot(d, p + 3 * best) ? c : best;
    }
    most = vec3_dot(d, p + 3 * best);
    face->count = 1;
    face->id[0] = (uint32_t)best;
    vec3_copy(face->corner, p + 3 * best);
    for (int c = 0; c < 3; c++) {
        vec3_subtract(p + 3 * best, p + 3 * c, e);
        length = vec3_length(e);
        if (c != best && face->count == 1 &&
            most - vec3_dot(d, p + 3 * c) <= across * length) {
            face->count = 2;
            face->id[1] = (uint32_t)c;
            vec3_copy(face->corner + 3, p + 3 * c);
        }
    }
}

const perp_shape_type narrow_triangle = {
    .name = "triangle",
    .summary = "a triangle of a mesh",
    .reach = triangle_reach,
    .support = triangle_support,
    .face = triangle_face,
};
