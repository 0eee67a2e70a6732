/* SPDX-License-Identifier: Apache-2.0
 * gradient/vectors.h: sums and updates of vectors, two numbers at a time. Private.
 *
 * A dot product has four sums, so that the additions are independent; the order of the sums is fixed,
 * and so are the bits. */
#ifndef PERP_GRADIENT_VECTORS_H
#define PERP_GRADIENT_VECTORS_H

#include "core/solvers.h"

/** Two doubles; the results are those of one operation after the other. */
typedef double vec_pair __attribute__((vector_size(16)));

static inline vec_pair vec_load(const double *x)
{
    vec_pair v;

    memcpy(&v, x, sizeof v);
    return v;
}

static inline void vec_store(double *x, vec_pair v)
{
    memcpy(x, &v, sizeof v);
}

/** x.y */
static inline double vec_dot(size_t n, const double *x, const double *y)
{
    vec_pair s = {0.0, 0.0};
    vec_pair t = {0.0, 0.0};
    double rest = 0.0;
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        s += vec_load(x + i) * vec_load(y + i);
        t += vec_load(x + i + 2) * vec_load(y + i + 2);
    }
    for (; i < n; i++) {
        rest += x[i] * y[i];
    }
    s += t;
    return s[0] + s[1] + rest;
}

/** z := x + scale y; z may be x or y. */
static inline void vec_combine(size_t n, const double *x, double scale, const double *y,
                               double *z)
{
    size_t i = 0;

    for (; i + 2 <= n; i += 2) {
        vec_store(z + i, vec_load(x + i) + scale * vec_load(y + i));
    }
    for (; i < n; i++) {
        z[i] = x[i] + scale * y[i];
    }
}

/** y := y + scale x */
static inline void vec_add(size_t n, double scale, const double *x, double *y)
{
    vec_combine(n, y, scale, x, y);
}

/** d := d - x; returns d.d, and g.d in *gd. */
static inline double vec_subtract(size_t n, const double *x, const double *g, double *d,
                                  double *gd)
{
    vec_pair s = {0.0, 0.0};
    vec_pair t = {0.0, 0.0};
    double rest_s = 0.0;
    double rest_t = 0.0;
    size_t i = 0;

    for (; i + 2 <= n; i += 2) {
        vec_pair v = vec_load(d + i) - vec_load(x + i);

        vec_store(d + i, v);
        s += v * v;
        t += v * vec_load(g + i);
    }
    for (; i < n; i++) {
        d[i] -= x[i];
        rest_s += d[i] * d[i];
        rest_t += d[i] * g[i];
    }
    *gd = t[0] + t[1] + rest_t;
    return s[0] + s[1] + rest_s;
}

/** d.d of d = x - y, and d.(u - v) in *change. */
static inline double vec_differences(size_t n, const double *x, const double *y,
                                     const double *u, const double *v, double *change)
{
    vec_pair s = {0.0, 0.0};
    vec_pair t = {0.0, 0.0};
    double rest_s = 0.0;
    double rest_t = 0.0;
    size_t i = 0;

    for (; i + 2 <= n; i += 2) {
        vec_pair d = vec_load(x + i) - vec_load(y + i);

        s += d * d;
        t += d * (vec_load(u + i) - vec_load(v + i));
    }
    for (; i < n; i++) {
        double d = x[i] - y[i];

        rest_s += d * d;
        rest_t += d * (u[i] - v[i]);
    }
    *change = t[0] + t[1] + rest_t;
    return s[0] + s[1] + rest_s;
}

/** x.y, and y.y in *yy. */
static inline double vec_dots(size_t n, const double *x, const double *y, double *yy)
{
    vec_pair s = {0.0, 0.0};
    vec_pair t = {0.0, 0.0};
    double rest_s = 0.0;
    double rest_t = 0.0;
    size_t i = 0;

    for (; i + 2 <= n; i += 2) {
        vec_pair v = vec_load(y + i);

        s += vec_load(x + i) * v;
        t += v * v;
    }
    for (; i < n; i++) {
        rest_s += x[i] * y[i];
        rest_t += y[i] * y[i];
    }
    *yy = t[0] + t[1] + rest_t;
    return s[0] + s[1] + rest_s;
}

#endif
