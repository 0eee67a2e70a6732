/* SPDX-License-Identifier: Apache-2.0
 * shapes/ray.c: a ray o + t d through an intersection of slabs, half-spaces, cylinders,
 * balls: of each the t from where it enters to where it leaves; their common part.
 *
 * Round ones about the t_0 = -o.d/d.d where the ray is nearest, e = o + t_0 d:
 *
 *     t = t_0 -+ sqrt((r^2 - e.e)/d.d),
 *
 * which loses nothing when o is far away, as the quadratic formula would. */
#include <config.h>

#include <math.h>

#include "shapes/shapes.h"

static const shape_span nothing = {.in = INFINITY, .out = -INFINITY, .side = -1};

shape_span shape_ray_all(void)
{
    return (shape_span){.in = -INFINITY, .out = INFINITY, .side = -1};
}

void shape_ray_cut(shape_span *span, double in, double out, int side)
{
    if (in > span->in) {
        span->in = in;
        span->side = side;
    }
    span->out = fmin(span->out, out);
}

void shape_ray_slab(shape_span *span, double o, double d, double lo, double hi, int side)
{
    if (d > 0.0) {
        shape_ray_cut(span, (lo - o) / d, (hi - o) / d, side + 1);
    } else if (d < 0.0) {
        shape_ray_cut(span, (hi - o) / d, (lo - o) / d, side);
    } else if (o < lo || o > hi) {
        *span = nothing;
    }
}

void shape_ray_below(shape_span *span, double rate, double height, int side)
{
    if (rate > 0.0) {
        span->out = fmin(span->out, height / rate);
    } else if (rate < 0.0) {
        shape_ray_cut(span, height / rate, INFINITY, side);
    } else if (height < 0.0) {
        *span = nothing;
    }
}

void shape_ray_round(shape_span *span, size_t n, const double *o, const double *d,
                     double radius, int side)
{
    double square = 0.0;
    double product = 0.0;
    double left = radius * radius;
    double nearest = 0.0;

    for (size_t k = 0; k < n; k++) {
        square += d[k] * d[k];
        product += o[k] * d[k];
    }
    nearest = square > 0.0 ? -product / square : 0.0;
    for (size_t k = 0; k < n; k++) {
        double e = o[k] + nearest * d[k];

        left -= e * e;
    }
    if (!(left >= 0.0)) {
        *span = nothing;
    } else if (square > 0.0) {
        double half = sqrt(left / square);

        shape_ray_cut(span, nearest - half, nearest + half, side);
    }
}

double shape_ray_enter(const shape_span *span, const double d[3], double most,
                       double n[3])
{
    if (!(span->in <= span->out) || span->out < 0.0 || span->in > most) {
        return -1.0;
    }
    if (span->in > 0.0) {
        return span->in;
    }
    vec3_scale(-1.0 / vec3_length(d), d, n);
    return 0.0;
}
