/* SPDX-License-Identifier: Apache-2.0
 * judge/natural_map.c: z - P_K(z - u/d) of one block.
 *
 * No form computes z - u/d first: a large z absorbs a small step, and a diverging iterate would
 * appear to be a solution. For a cone with x = z - t and a = |x_T| - mu z_N
 *     x in K:      z - P(x) = t
 *     x in -K*:    z - P(x) = z
 *     else:        z - P(x) = (t_N - mu a, t_T (1 + mu^2) + (a + mu t_N) x_T/|x_T|)/(1 + mu^2)
 * where a is summed from differences of squares, so that its error is relative to a and t. */
#include <config.h>

#include "judge/judge_private.h"
#include "judge/pair.h"

double perp_block_norm(const double *x, unsigned dim)
{
    double largest = fabs(x[0]);
    double unit = 0.0;
    double sum = 0.0;

    for (unsigned i = 1; i < dim; i++) {
        largest = perp_larger(largest, fabs(x[i]));
    }
    if (dim == 1 || largest == 0.0 || !isfinite(largest)) {
        return largest;
    }
    if (largest > 1e-140 && largest < 1e140) {
        for (unsigned i = 0; i < dim; i++) {
            sum += x[i] * x[i];
        }
        return sqrt(sum);
    }
    unit = largest;
    for (unsigned i = 0; i < dim; i++) {
        sum += x[i] / unit * (x[i] / unit);
    }
    return unit * sqrt(sum);
}

double perp_de_saxce_shift(const perp_block *block, const double *w)
{
    switch (block->kind) {
    case PERP_SET_CONE:
        return block->mu * (block->dim == 2 ? fabs(w[1]) : perp_norm2_safe(w[1], w[2]));
    case PERP_SET_ROLLING:
        return block->mu * hypot(w[1], w[2]) + block->mu_rolling * hypot(w[3], w[4]);
    default:
        return 0.0;
    }
}

/* |z| - factor bound, of 1 or 2 numbers. */
static double excess(const double *z, unsigned count, double factor, double bound)
{
    double size = perp_tangent_norm(z, count), most = factor * bound;
    double lost = fma(factor, bound, -most);
    perp_pair squares = {0};

    if (!(most > 0.0) || !(size + most > 1e-140 && size + most < 1e140)) {
        return size - most;
    }
    for (unsigned i = 0; i < count; i++) {
        perp_pair_add(&squares, z[i], z[i]);
    }
    perp_pair_add(&squares, -most, most);
    return (squares.high + squares.low) / (size + most) - lost;
}

/* |z - t| - |z|, of 1 or 2 numbers. */
static double change_of_norm(const double *z, const double *t, unsigned count)
{
    double x[2] = {0}, after = 0.0, before = perp_tangent_norm(z, count), sum = 0.0;

    for (unsigned i = 0; i < count; i++) {
        x[i] = z[i] - t[i];
        sum += t[i] * (t[i] - 2.0 * z[i]);
    }
    after = perp_tangent_norm(x, count);
    if (!(after + before > 1e-140 && after + before < 1e140)) {
        return after - before;
    }
    return sum / (after + before);
}

/* z - P(z - t) of the tangents, with the excess v of their length: t + x/|x| v. */
static void tangents_beyond(const double *z, const double *t, unsigned count, double v,
                            double *out)
{
    double x[2] = {0}, size = 0.0;

    for (unsigned i = 0; i < count; i++) {
        x[i] = z[i] - t[i];
    }
    size = perp_tangent_norm(x, count);
    for (unsigned i = 0; i < count; i++) {
        out[i] = t[i] + (size > 0.0 ? x[i] / size * v : 0.0);
    }
}

/* The bound mu z_N is not rounded: where it is large, an error hides in its rounding. */
static double friction_map(const perp_block *block, double z, double step, double normal)
{
    double at = normal > 0.0 ? normal : 0.0, bound = block->mu * at;
    double lost = isfinite(bound) ? fma(block->mu, at, -bound) : 0.0;
    double above = (z - bound) - lost, below = (z + bound) + lost;

    if (step > below) {
        return fabs(below);
    }
    return step < above ? fabs(above) : fabs(step);
}

static double cone_map(const perp_block *block, const double *z, const double *t)
{
    unsigned tangents = block->dim - 1;
    double mu = block->mu, normal = z[0] - t[0];
    double a = change_of_norm(z + 1, t + 1, tangents) + excess(z + 1, tangents, mu, z[0]);
    double x[2] = {0}, out[3];

    if (a + mu * t[0] <= 0.0 && normal >= 0.0) {
        return perp_block_norm(t, block->dim);
    }
    for (unsigned i = 0; i < tangents; i++) {
        x[i] = z[1 + i] - t[1 + i];
    }
    if (mu * perp_tangent_norm(x, tangents) <= -normal) {
        return perp_block_norm(z, block->dim);
    }
    out[0] = (t[0] - mu * a) / (1.0 + mu * mu);
    tangents_beyond(z + 1, t + 1, tangents, (a + mu * t[0]) / (1.0 + mu * mu), out + 1);
    return perp_block_norm(out, block->dim);
}

static double disk_map(const perp_block *block, const double *z, const double *t)
{
    double v = change_of_norm(z, t, 2) + excess(z, 2, 1.0, block->radius);
    double out[2];

    if (v <= 0.0) {
        return perp_block_norm(t, 2);
    }
    tangents_beyond(z, t, 2, v, out);
    return perp_block_norm(out, 2);
}

/* The projection has no short form: on the boundary the step may be lost in z - t. */
static double rolling_map(const perp_block *block, const double *z, const double *t)
{
    perp_block local = *block;
    perp_set one = {.n = block->dim, .count = 1, .blocks = &local};
    double x[5], y[5];

    local.first = 0;
    for (unsigned i = 0; i < block->dim; i++) {
        x[i] = y[i] = z[i] - t[i];
    }
    perp_set_project(&one, 0, x);
    if (memcmp(x, y, sizeof x) == 0) {
        return perp_block_norm(t, block->dim);
    }
    for (unsigned i = 0; i < block->dim; i++) {
        x[i] = z[i] - x[i];
    }
    return perp_block_norm(x, block->dim);
}

/* Of a block of several rows, z and w its own. */
static double map_of_rows(const perp_block *block, perp_law law, double d,
                          const double *z, const double *w)
{
    double step[5] = {0}; /* the largest block is a rolling contact */

    for (unsigned i = 0; i < block->dim; i++) {
        step[i] = w[i] / d;
    }
    step[0] += law == PERP_LAW_COULOMB ? perp_de_saxce_shift(block, w) / d : 0.0;
    switch (block->kind) {
    case PERP_SET_CONE:
        return cone_map(block, z, step);
    case PERP_SET_DISK:
        return disk_map(block, z, step);
    default:
        return rolling_map(block, z, step);
    }
}

/* The same where squares and products with mu may not be numbers: in other units. */
static double map_in_units(const perp_block *block, perp_law law, double d,
                           const double *z, const double *w, double unit)
{
    perp_block local = *block;
    double z_unit[5], w_unit[5], size = 0.0;

    local.radius *= unit;
    for (unsigned i = 0; i < block->dim; i++) {
        z_unit[i] = unit * z[i];
        w_unit[i] = unit * w[i];
    }
    size = map_of_rows(&local, law, d, z_unit, w_unit) / unit;
    return isnan(size) ? INFINITY : size;
}

double perp_natural_map(const perp_block *block, perp_law law, double d, const double *z,
                        const double *w)
{
    const double far = 1e100;
    size_t row = block->first;
    double size = 0.0;

    if (block->kind == PERP_SET_FRICTION) {
        return friction_map(block, z[row], w[row] / d, z[block->normal]);
    }
    if (block->dim == 1) {
        return perp_scalar_map(z[row], w[row] / d, block->lo, block->hi);
    }
    z += block->first;
    w += block->first;
    for (unsigned i = 0; i < block->dim; i++) {
        size = perp_larger(size, perp_larger(fabs(z[i]), fabs(w[i] / d)));
    }
    if (size > far) {
        return map_in_units(block, law, d, z, w, 0x1p-600);
    }
    return size < 1.0 / far && size > 0.0 ? map_in_units(block, law, d, z, w, 0x1p600)
                                          : map_of_rows(block, law, d, z, w);
}
