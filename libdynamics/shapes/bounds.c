/* SPDX-License-Identifier: Apache-2.0
 * shapes/bounds.c: boxes along the axes of the world around shapes. */
#include <config.h>

#include "shapes/shapes.h"

void shape_bounds_about(const double x[3], const double half[3], unsigned dimension,
                        perp_aabb *box)
{
    vec3_subtract(x, half, box->lo);
    vec3_add(x, 1.0, half, box->hi);
    if (dimension == 2) {
        box->lo[2] = box->hi[2] = 0.0;
    }
}
