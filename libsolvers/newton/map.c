/* SPDX-License-Identifier: Apache-2.0
 * newton/map.c: the equations of a block and their derivatives.
 *
 * With y = z - rho w, rows scaled each by its own step,
 *
 *     scalar       f = z - clip(y, lo, hi)
 *     Coulomb      f_n = z_n - max(y_n, 0),  f_t = z_t - P(y_t) on the disk of radius
 *                  mu max(y_n, 0) [alart-curnier-1991] or mu max(z_n, 0) [jean-moreau-1987]
 *     associated   f = z - P_K(y), one step for all rows: the natural map
 *     friction     f = z - clip(y, -R, R), R = mu max(y_n, 0) with y_n of its normal row
 *
 * f vanishes exactly at solutions. It is differentiable but for kinks, where one of the
 * adjoining derivatives is taken. In all cases df = dz - D (dz - rho dw) with the derivative
 * D of a projection, so that L = D rho, H = I - D; only the radius after Jean and Moreau adds a
 * term of its own to H. A contact that leaves (y_n <= 0) has f = z: one full step puts its
 * impulse to zero exactly. */
#include <config.h>

#include "map.h"

/* The tangential parts of a cone: where they begin, how long they are, their coefficient. */
typedef struct part {
    unsigned first, count;
    double mu, rho;
} part;

static unsigned map_parts(const perp_block *block, const newton_steps *rho, part *parts)
{
    switch (block->kind) {
    case PERP_SET_CONE:
        parts[0] = (part){1, block->dim - 1, block->mu, rho->t};
        return 1;
    case PERP_SET_ROLLING:
        parts[0] = (part){1, 2, block->mu, rho->t};
        parts[1] = (part){3, 2, block->mu_rolling, rho->m};
        return 2;
    default:
        return 0;
    }
}

/* Largest eigenvalue of the symmetric part of the 1 x 1 or 2 x 2 block of D at row i. */
static double map_largest(const double *D, unsigned dim, unsigned i, unsigned count)
{
    double a = D[i + i * dim];
    double b = 0.0;
    double c = 0.0;

    if (count == 1) {
        return a;
    }
    b = 0.5 * (D[i + 1 + i * dim] + D[i + (i + 1) * dim]);
    c = D[i + 1 + (i + 1) * dim];
    return 0.5 * (a + c) + hypot(0.5 * (a - c), b);
}

static double map_step(double stiffness, double shift, double scale)
{
    return 1.0 / (stiffness + shift > 0.0 ? stiffness + shift : scale + shift);
}

newton_steps perp_newton_map_steps(const perp_block *block, perp_law law, const double *D,
                                   double shift, double scale)
{
    newton_steps rho = {.n = map_step(D[0], shift, scale)};
    unsigned dim = block->dim;
    double trace = 0.0;

    if (block->kind == PERP_SET_DISK) {
        rho.t = map_step(map_largest(D, dim, 0, 2), shift, scale);
        return rho;
    }
    if (dim > 1) {
        rho.t = map_step(map_largest(D, dim, 1, dim == 2 ? 1 : 2), shift, scale);
    }
    if (dim == 5) {
        rho.m = map_step(map_largest(D, dim, 3, 2), shift, scale);
    }
    if (dim > 1 && law == PERP_LAW_ASSOCIATED) {
        for (unsigned i = 0; i < dim; i++) {
            trace += D[i + i * dim];
        }
        rho.n = rho.t = rho.m = map_step(trace / dim, shift, scale);
    }
    return rho;
}

/* f = z: the block is where K ends. */
static void map_corner(unsigned dim, const double *z, double *f, double *H)
{
    for (unsigned i = 0; i < dim; i++) {
        f[i] = z[i];
        H[i + i * dim] = 1.0;
    }
}

static void map_scalar(const perp_block *block, double rho, const double *z,
                       const double *w, double *f, double *L, double *H)
{
    double lo = 0.0;
    double hi = 0.0;
    double y = *z - rho * *w;

    perp_block_bounds(block, z, &lo, &hi);
    if (y > lo && y < hi) {
        *f = rho * *w;
        *L = rho;
        return;
    }
    *f = *z - (y <= lo ? lo : hi);
    *H = 1.0;
}

/* Rows of a part that is projected on a disk; e := the direction of what leaves the disk, and
 * whether anything does. */
static bool map_disk(const part *t, unsigned dim, double radius, const double *z,
                     const double *w, double *f, double *L, double *H, double *e)
{
    unsigned i0 = t->first;
    double y[2] = {0.0, 0.0};
    double a = 0.0;
    double shrink = 0.0;

    for (unsigned i = 0; i < t->count; i++) {
        y[i] = z[i0 + i] - t->rho * w[i0 + i];
    }
    a = perp_norm2(y[0], y[1]);
    if (radius > 0.0 && a <= radius) {
        for (unsigned i = 0; i < t->count; i++) {
            f[i0 + i] = t->rho * w[i0 + i];
            L[i0 + i + (i0 + i) * dim] = t->rho;
        }
        return false;
    }
    shrink = a > 0.0 ? radius / a : 0.0;
    for (unsigned i = 0; i < t->count; i++) {
        e[i] = a > 0.0 ? y[i] / a : 0.0;
    }
    for (unsigned i = 0; i < t->count; i++) {
        f[i0 + i] = z[i0 + i] - radius * e[i];
        for (unsigned j = 0; j < t->count; j++) {
            double G = shrink * ((i == j ? 1.0 : 0.0) - e[i] * e[j]);

            L[i0 + i + (i0 + j) * dim] = t->rho * G;
            H[i0 + i + (i0 + j) * dim] = (i == j ? 1.0 : 0.0) - G;
        }
    }
    return true;
}

static void map_coulomb(const perp_block *block, newton_radius rule,
                        const newton_steps *rho, const double *z, const double *w,
                        double *f, double *L, double *H)
{
    unsigned dim = block->dim;
    double y = z[0] - rho->n * w[0];
    double normal = rule == NEWTON_ALART_CURNIER ? y : fmax(z[0], 0.0);
    part parts[2];
    unsigned count = map_parts(block, rho, parts);
    double e[2] = {0.0, 0.0};

    if (!(y > rho->tie)) {
        map_corner(dim, z, f, H);
        return;
    }
    f[0] = rho->n * w[0];
    L[0] = rho->n;
    for (unsigned k = 0; k < count; k++) {
        const part *t = &parts[k];

        if (!map_disk(t, dim, t->mu * normal, z, w, f, L, H, e)) {
            continue;
        }
        for (unsigned i = 0; i < t->count; i++) { /* the radius moves with the normal */
            if (rule == NEWTON_ALART_CURNIER) {
                L[t->first + i] = t->mu * e[i] * rho->n;
                H[t->first + i] = -t->mu * e[i];
            } else {
                H[t->first + i] = z[0] > 0.0 ? -t->mu * e[i] : 0.0;
            }
        }
    }
}

/* Derivative D of the projection x = P_K(y) on a cone, x_n > 0: rows of a part that is on its
 * bound follow the normal, x_t = mu x_n e. */
static void map_cone_derivative(unsigned dim, const part *parts, unsigned count,
                                const double *x, const double *y, double *D)
{
    double slope[NEWTON_ROWS_MOST] = {1.0}; /* dx_n = slope.dy */
    double e[NEWTON_ROWS_MOST] = {0.0};
    bool bound[2] = {false, false};
    double a[2] = {0.0, 0.0};
    double total = 1.0;

    for (unsigned k = 0; k < count; k++) {
        const part *t = &parts[k];

        a[k] = t->count == 1 ? fabs(y[t->first]) : hypot(y[t->first], y[t->first + 1]);
        bound[k] = a[k] > t->mu * x[0];
        for (unsigned i = t->first; bound[k] && i < t->first + t->count; i++) {
            e[i] = y[i] / a[k];
            slope[i] = t->mu * e[i];
        }
        total += bound[k] ? t->mu * t->mu : 0.0;
    }
    for (unsigned j = 0; j < dim; j++) {
        slope[j] /= total;
        D[j * dim] = slope[j];
    }
    for (unsigned k = 0; k < count; k++) {
        const part *t = &parts[k];

        for (unsigned i = t->first; i < t->first + t->count; i++) {
            double mu_e = bound[k] ? t->mu * e[i] : 0.0;

            for (unsigned j = 0; j < dim; j++) {
                D[i + j * dim] = mu_e * slope[j];
            }
            for (unsigned j = t->first; j < t->first + t->count; j++) {
                double unit = i == j ? 1.0 : 0.0;

                D[i + j * dim] +=
                    bound[k] ? t->mu * x[0] / a[k] * (unit - e[i] * e[j]) : unit;
            }
        }
    }
}

static void map_associated(const perp_block *block, const newton_steps *rho,
                           const double *z, const double *w, double *f, double *L,
                           double *H)
{
    unsigned dim = block->dim;
    double x[NEWTON_ROWS_MOST] = {0.0};
    double y[NEWTON_ROWS_MOST] = {0.0};
    part parts[2];
    unsigned count = map_parts(block, rho, parts);

    for (unsigned i = 0; i < dim; i++) {
        x[i] = y[i] = z[i] - rho->n * w[i];
    }
    if (block->kind == PERP_SET_CONE) {
        perp_project_cone(block->mu, dim, x);
    } else {
        perp_project_rolling(block->mu, block->mu_rolling, x);
    }
    if (!(x[0] > 0.0)) {
        map_corner(dim, z, f, H);
        return;
    }
    map_cone_derivative(dim, parts, count, x, y, L);
    for (unsigned i = 0; i < dim; i++) {
        f[i] = x[i] == y[i] ? rho->n * w[i] : z[i] - x[i];
        for (unsigned j = 0; j < dim; j++) {
            H[i + j * dim] = (i == j ? 1.0 : 0.0) - L[i + j * dim];
            L[i + j * dim] *= rho->n;
        }
    }
}

void perp_newton_map_block(const perp_block *block, perp_law law, newton_radius radius,
                           const newton_steps *rho, const double *z, const double *w,
                           double *f, double *L, double *H)
{
    const part whole = {0, 2, 0.0, rho->t};
    size_t size = (size_t)block->dim * block->dim;
    double e[2];

    memset(L, 0, size * sizeof *L);
    memset(H, 0, size * sizeof *H);
    if (block->dim == 1) {
        map_scalar(block, rho->n, z, w, f, L, H);
    } else if (block->kind == PERP_SET_DISK) {
        map_disk(&whole, 2, block->radius, z, w, f, L, H, e);
    } else if (law == PERP_LAW_COULOMB) {
        map_coulomb(block, radius, rho, z, w, f, L, H);
    } else {
        map_associated(block, rho, z, w, f, L, H);
    }
}

void perp_newton_map_project(const perp_block *block, perp_law law, const double *y,
                             double *x, double *D)
{
    static const newton_steps unit = {.n = 1.0, .t = 1.0, .m = 1.0};
    static const double zero[NEWTON_ROWS_MOST];
    double w[NEWTON_ROWS_MOST];
    double H[NEWTON_BLOCK_MOST];

    for (unsigned i = 0; i < block->dim; i++) {
        w[i] = -y[i];
    }
    perp_newton_map_block(block, law, NEWTON_ALART_CURNIER, &unit, zero, w, x, D, H);
    for (unsigned i = 0; i < block->dim; i++) {
        x[i] = 0.0 - x[i];
    }
}

void perp_newton_map_friction(const perp_set *set, size_t k, size_t normal, double rho,
                              double rho_n, const double *z, const double *w, double *f,
                              double *L, double *H, double *coupling)
{
    const perp_block *block = &set->blocks[k];
    size_t i = block->first;
    size_t n = block->normal;
    double y = z[i] - rho * w[i];
    double y_n = z[n] - rho_n * w[n];
    double lo = 0.0;
    double hi = 0.0;
    double slope = 0.0;
    double radius = 0.0;

    perp_block_bounds(&set->blocks[normal], z, &lo, &hi);
    radius = block->mu * fmax(fmin(fmax(y_n, lo), hi), 0.0);
    *L = *H = *coupling = 0.0;
    if (fabs(y) < radius) {
        *f = rho * w[i];
        *L = rho;
        return;
    }
    slope = y < 0.0 ? -block->mu : block->mu;
    *H = 1.0;
    if (radius > 0.0 && y_n > lo && y_n < hi) {
        *f = z[i] - slope * z[n];
        *coupling = -slope;
    } else {
        *f = z[i] - copysign(radius, slope);
    }
}

void perp_newton_map_project_set(const perp_set *set, double *z)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < set->count; k++) {
            if ((set->blocks[k].kind == PERP_SET_FRICTION) == (pass == 1)) {
                perp_set_project(set, k, z);
            }
        }
    }
}
