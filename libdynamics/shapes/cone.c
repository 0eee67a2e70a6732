/* SPDX-License-Identifier: Apache-2.0
 * shapes/cone.c: the cone from its tip at (0, 0, L/2) to a disc of radius r about
 * (0, 0, -L/2): m = pi r^2 L rho/3, centre at -L/4, I = m diag(3/20 r^2 + 3/80 L^2,
 * the same, 3/10 r^2). */
#include <config.h>

#include <math.h>

#include <perp/dynamics/inertia.h>

#include "shapes/shapes.h"

static perp_status cone_inertia(const perp_shape *shape, double density, double *m,
                                double center[3], double inertia[9], perp_error *err)
{
    double r = shape->size[0];
    double length = shape->size[1];
    perp_status status =
        shape_weigh(shape, 2, density, VEC3_PI / 3.0 * r * r * length, m, err);

    if (status == PERP_OK) {
        vec3_set(center, 0.0, 0.0, -0.25 * length);
        perp_inertia_cone(*m, r, length, inertia);
    }
    return status;
}

static double cone_reach(const perp_shape *shape)
{
    return hypot(shape->size[0], 0.5 * shape->size[1]);
}

/* The tip, or a point of the rim; along the axis the middle of the base. */
static void cone_support(const perp_shape *shape, const double d[3], double p[3])
{
    double r = shape->size[0];
    double length = shape->size[1];
    double across = shape_across(d);
    double f = across > 0.0 ? r / across : 0.0;

    if (length * d[2] > r * across) {
        vec3_set(p, 0.0, 0.0, 0.5 * length);
    } else {
        vec3_set(p, f * d[0], f * d[1], -0.5 * length);
    }
}

/* Points of the base come first, then the line of the side, below and at the tip. */
static void cone_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    double r = shape->size[0];
    double length = shape->size[1];
    double slant = (length * shape_across(d) + r * d[2]) / hypot(r, length);
    const double tip[3] = {0.0, 0.0, 0.5 * length};
    double rim[3];

    shape_lean(d, rim);
    vec3_set(rim, r * rim[0], r * rim[1], -0.5 * length);
    if (-d[2] >= shape_looks && -d[2] >= slant) {
        shape_face_end(face, r, -0.5 * length, 0, d);
    } else if (slant >= shape_looks) {
        shape_face_segment(face, rim, tip, SHAPE_END_NAMES, d);
    } else if (length * d[2] > r * shape_across(d)) {
        shape_face_point(face, tip, SHAPE_END_NAMES + 1, d);
    } else {
        shape_face_point(face, rim, SHAPE_END_NAMES, d);
    }
}

/* Around the tip and the disc of the base. */
static void cone_bounds(const perp_shape *shape, unsigned dimension, const double R[9],
                        const double x[3], perp_aabb *box)
{
    (void)dimension;
    for (size_t k = 0; k < 3; k++) {
        double up = 0.5 * shape->size[1] * R[3 * k + 2];
        double wide = shape->size[0] * hypot(R[3 * k], R[3 * k + 1]);

        box->lo[k] = x[k] + fmin(up, -up - wide);
        box->hi[k] = x[k] + fmax(up, -up + wide);
    }
}

/* Cut by a (x^2 + y^2) <= w^2, w = r (1/2 - z/L) >= 0: a t^2 + 2 b t + c <= 0 from the
 * point where the ray is nearest to the origin, t counted from there. A ray steeper than
 * the side, a < 0, is inside beyond a root, on the side where w >= 0. */
static void cone_cut_side(shape_span *span, const double o[3], const double d[3],
                          double r, double length)
{
    double nearest = -vec3_dot(o, d) / vec3_dot(d, d);
    double e[3];
    double w[2];
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    double root = 0.0;
    double q = 0.0;
    double t[2];

    vec3_add(o, nearest, d, e);
    w[0] = r * (0.5 - e[2] / length);
    w[1] = -r * d[2] / length;
    a = d[0] * d[0] + d[1] * d[1] - w[1] * w[1];
    b = e[0] * d[0] + e[1] * d[1] - w[0] * w[1];
    c = e[0] * e[0] + e[1] * e[1] - w[0] * w[0];
    root = sqrt(fmax(0.0, b * b - a * c));
    q = b > 0.0 ? -b - root : root - b;
    t[0] = q / a;
    t[1] = q != 0.0 ? c / q : -w[0] / w[1]; /* along a line of the side */
    if (a > 0.0) {
        double in = fmin(t[0], t[1]);
        double out = fmax(t[0], t[1]);
        bool misses = b * b < a * c || w[0] + 0.5 * (in + out) * w[1] < 0.0;

        shape_ray_cut(span, misses ? INFINITY : nearest + in, nearest + out, 0);
    } else if (w[1] > 0.0) { /* down to wherever it is wider */
        shape_ray_cut(span, nearest + (a < 0.0 ? fmax(t[0], t[1]) : t[1]), INFINITY, 0);
    } else {
        span->out = fmin(span->out, nearest + (a < 0.0 ? fmin(t[0], t[1]) : t[1]));
    }
}

static double cone_cast(const perp_shape *shape, unsigned dimension, const double o[3],
                        const double d[3], double most, double n[3], size_t *part)
{
    double r = shape->size[0];
    double length = shape->size[1];
    shape_span span = shape_ray_all();
    double t = 0.0;

    (void)dimension;
    *part = 0;
    cone_cut_side(&span, o, d, r, length);
    shape_ray_below(&span, -d[2], 0.5 * length + o[2], 1);
    t = shape_ray_enter(&span, d, most, n);
    if (t > 0.0 && span.side == 0) {
        double across = 0.0;

        vec3_add(o, t, d, n);
        across = shape_across(n);
        vec3_set(n, length * n[0], length * n[1], r * across);
        if (vec3_normalize(n) == 0.0) { /* at the tip */
            n[2] = 1.0;
        }
    } else if (t > 0.0) {
        vec3_set(n, 0.0, 0.0, -1.0);
    }
    return t;
}

const perp_shape_type shape_cone = {
    .name = "cone",
    .summary = "a cone along z with radius and length [m], origin at half its length",
    .sizes = 2,
    .size_name = {"radius", "length"},
    .inertia = cone_inertia,
    .reach = cone_reach,
    .support = cone_support,
    .face = cone_face,
    .bounds = cone_bounds,
    .cast = cone_cast,
};
