/* SPDX-License-Identifier: Apache-2.0
 * geometry/bounds.c: boxes, balls and capsules around points, and whether two meet. */
#include <config.h>

#include "core/core.h"

#include <perp/dynamics/geometry.h>

void perp_aabb_of_points(size_t n, const double *points, perp_aabb *out)
{
    vec3_set(out->lo, INFINITY, INFINITY, INFINITY);
    vec3_set(out->hi, -INFINITY, -INFINITY, -INFINITY);
    for (size_t k = 0; k < n; k++) {
        for (int d = 0; d < 3; d++) {
            out->lo[d] = fmin(out->lo[d], points[3 * k + (size_t)d]);
            out->hi[d] = fmax(out->hi[d], points[3 * k + (size_t)d]);
        }
    }
}
