/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/around.c: boxes, balls and capsules around points.
 *
 * Ball: that of [ritter-1990] grows from two far points to each point left out; then its
 * centre walks towards the point farthest from it, in steps that shrink whenever the
 * radius grows, and the least of all balls is taken. Oriented box and capsule: along the
 * eigenvectors of the points' covariance. */
#include <config.h>

#include <perp/dynamics/inertia.h>

#include "base/base.h"
#include "math/math.h"
#include "reference.h"

/* Steps of the centre: of 200 clouds of up to 16 points 64 leave the worst ball 0.1 % too
 * large, 32 with a larger shrink 5 %. */
enum { BALL_STEPS = 64 };

/* The point farthest from x; its distance. */
static double around_farthest(size_t n, const double *points, const double x[3],
                              size_t *which)
{
    double most = -1.0;

    for (size_t k = 0; k < n; k++) {
        double d[3];

        vec3_subtract(points + 3 * k, x, d);
        if (vec3_length(d) > most) {
            most = vec3_length(d);
            *which = k;
        }
    }
    return most;
}

/* From two far points, grown to each point outside. */
static void around_ball_grow(size_t n, const double *points, perp_sphere *ball)
{
    size_t p = 0;
    size_t q = 0;
    double d[3];

    around_farthest(n, points, points, &p);
    ball->radius = 0.5 * around_farthest(n, points, points + 3 * p, &q);
    vec3_subtract(points + 3 * q, points + 3 * p, d);
    vec3_add(points + 3 * p, 0.5, d, ball->x);
    for (size_t k = 0; k < n; k++) {
        double distance = 0.0;

        vec3_subtract(points + 3 * k, ball->x, d);
        distance = vec3_length(d);
        if (distance > ball->radius) {
            double radius = 0.5 * (ball->radius + distance);

            vec3_add(ball->x, (distance - radius) / distance, d, ball->x);
            ball->radius = radius;
        }
    }
}

void perp_sphere_of_points(size_t n, const double *points, perp_sphere *out)
{
    double step = 0.15; /* of the way to the farthest point */
    double x[3];
    double before = INFINITY;

    around_ball_grow(n, points, out);
    vec3_copy(x, out->x);
    out->radius = INFINITY;
    for (int k = 0; k < BALL_STEPS; k++) {
        size_t far = 0;
        double radius = around_farthest(n, points, x, &far);
        double d[3];

        if (radius < out->radius) {
            out->radius = radius;
            vec3_copy(out->x, x);
        }
        step *= radius < before ? 1.0 : 0.85;
        before = radius;
        vec3_subtract(points + 3 * far, x, d);
        vec3_add(x, step, d, x);
    }
}

/* Mean and covariance of the points over the square of their size. */
static double around_covariance(size_t n, const double *points, double mean[3],
                                double C[9])
{
    double size = 0.0;
    perp_aabb box;

    perp_aabb_of_points(n, points, &box);
    for (int d = 0; d < 3; d++) {
        size = fmax(size, box.hi[d] - box.lo[d]);
        mean[d] = 0.0;
    }
    for (size_t k = 0; k < n; k++) {
        vec3_add(mean, 1.0 / (double)n, points + 3 * k, mean);
    }
    memset(C, 0, 9 * sizeof *C);
    for (size_t k = 0; size > 0.0 && k < n; k++) {
        double d[3];

        vec3_subtract(points + 3 * k, mean, d);
        vec3_scale(1.0 / size, d, d);
        for (int i = 0; i < 9; i++) {
            C[i] += d[i / 3] * d[i % 3] / (double)n;
        }
    }
    return size;
}

perp_status perp_obb_of_points(size_t n, const double *points, perp_obb *out,
                               perp_error *err)
{
    double mean[3];
    double C[9];
    double moments[3];
    double lo[3] = {INFINITY, INFINITY, INFINITY};
    double hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double middle[3];

    if (n == 0 || !math_finite(points, 3 * n)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "box: %zu point%s, expected at least one, all finite", n,
                         perp_plural(n));
    }
    around_covariance(n, points, mean, C);
    TRY(perp_inertia_principal(C, moments, out->R, err));
    for (size_t k = 0; k < n; k++) {
        double d[3];

        vec3_subtract(points + 3 * k, mean, d);
        mat3_apply_transposed(out->R, d, d);
        for (int i = 0; i < 3; i++) {
            lo[i] = fmin(lo[i], d[i]);
            hi[i] = fmax(hi[i], d[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * (lo[i] + hi[i]);
        out->half[i] = 0.5 * (hi[i] - lo[i]);
    }
    mat3_apply(out->R, middle, out->x);
    vec3_add(out->x, 1.0, mean, out->x);
    return PERP_OK;
}

/* Of the longest axis through the middle of the box: the greatest distance of a point is
 * the radius; each end goes no farther than some cap asks. */
perp_status perp_capsule_of_points(size_t n, const double *points, perp_capsule *out,
                                   perp_error *err)
{
    perp_obb box;
    int axis = 0;
    double a[3];
    double low = INFINITY;
    double high = -INFINITY;

    TRY(perp_obb_of_points(n, points, &box, err));
    for (int k = 1; k < 3; k++) {
        axis = box.half[k] > box.half[axis] ? k : axis;
    }
    vec3_set(a, box.R[axis], box.R[3 + axis], box.R[6 + axis]);
    out->radius = 0.0;
    for (int pass = 0; pass < 2; pass++) { /* the radius, then the ends */
        for (size_t k = 0; k < n; k++) {
            double d[3];
            double along = 0.0;
            double across = 0.0;
            double cap = 0.0;

            vec3_subtract(points + 3 * k, box.x, d);
            along = vec3_dot(d, a);
            vec3_add(d, -along, a, d);
            across = vec3_length(d);
            if (pass == 0) {
                out->radius = fmax(out->radius, across);
                continue;
            }
            cap = sqrt(fmax(out->radius * out->radius - across * across, 0.0));
            low = fmin(low, along + cap);
            high = fmax(high, along - cap);
        }
    }
    /* low <= high: the point that is `radius` off the axis has no cap */
    vec3_add(box.x, low, a, out->p);
    vec3_add(box.x, high, a, out->q);
    return PERP_OK;
}
