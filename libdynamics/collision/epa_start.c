/* SPDX-License-Identifier: Apache-2.0
 * collision/epa_start.c: a first simplex of M = A (-) B that has a volume, or in the plane
 * an area, around what GJK left: a point, a segment, a triangle that the origin is on.
 *
 * To n points comes the one farthest from them along the directions that stand on all of
 * them. Where even that is no farther than rounding, M itself is flat, as of two segments
 * that cross, and the depth is 0 across it. */
#include <config.h>

#include "collision/difference.h"

/* Directions across what n points span, into d; how many. */
static unsigned epa_start_across(const difference_point *p, unsigned n, bool flat,
                                 double d[6][3])
{
    double e[3];
    double f[3];

    if (n == 1) {
        for (unsigned k = 0; k < 6; k++) {
            vec3_set(d[k], 0.0, 0.0, 0.0);
            d[k][k / 2] = k % 2 ? -1.0 : 1.0;
        }
        return flat ? 4 : 6;
    }
    vec3_subtract(p[1].w, p[0].w, e);
    vec3_normalize(e);
    if (n == 2 && !flat) {
        vec3_tangents(e, d[0], d[2]);
        vec3_scale(-1.0, d[0], d[1]);
        vec3_scale(-1.0, d[2], d[3]);
        return 4;
    }
    if (n == 2) {
        vec3_set(d[0], e[1], -e[0], 0.0);
    } else {
        vec3_subtract(p[2].w, p[0].w, f);
        vec3_cross(e, f, d[0]);
        vec3_normalize(d[0]);
    }
    vec3_scale(-1.0, d[0], d[1]);
    return 2;
}

bool difference_span(const difference *m, difference_point *p, unsigned *count,
                     double n[3])
{
    double thin = 8.0 * m->noise;
    double d[6][3];

    while (*count < (m->flat ? 3u : 4u)) {
        unsigned directions = epa_start_across(p, *count, m->flat, d);
        double far = 0.0;

        for (unsigned k = 0; k < directions; k++) {
            difference_point w;
            double e[3];

            difference_support(m, d[k], &w);
            vec3_subtract(w.w, p[0].w, e);
            if (vec3_dot(e, d[k]) > far) {
                far = vec3_dot(e, d[k]);
                p[*count] = w;
            }
        }
        if (!(far > thin)) {
            if (*count > 1) {
                vec3_scale(vec3_dot(n, d[0]) < 0.0 ? -1.0 : 1.0, d[0], n);
            }
            return false;
        }
        ++*count;
    }
    return true;
}
