/* SPDX-License-Identifier: Apache-2.0
 * gradient/faces.c: faces of a product of intervals, Coulomb cones and disks.
 *
 * Projections as in core/set.c, for points that are known to be far from overflow (the problem
 * is scaled): sqrt in place of hypot, and comparisons of squares. */
#include <config.h>

#include "faces.h"

enum { SHAPE_INTERVAL, SHAPE_CONE2, SHAPE_CONE3, SHAPE_DISK };

/* A cone's point with mu n - |t| within this part of mu n lies on the boundary: the rounding
 * of a projection leaves 4 eps, a hundred CG steps along the boundary some 1e-14. */
static const double face_margin = 1e-13;

#define FACE_INLINE static inline __attribute__((__always_inline__))

/* Vectors of 1 to 3 numbers. `dim` is a constant after inlining, so no loop and no branch is
 * left; the compiler does not unroll short loops at -O2. */

FACE_INLINE double dot_of(unsigned dim, const double *x, const double *y)
{
    return x[0] * y[0] + (dim > 1 ? x[1] * y[1] : 0.0) + (dim > 2 ? x[2] * y[2] : 0.0);
}

/* y := x + scale v */
FACE_INLINE void combine(unsigned dim, const double *x, double scale, const double *v,
                         double *y)
{
    y[0] = x[0] + scale * v[0];
    if (dim > 1) {
        y[1] = x[1] + scale * v[1];
    }
    if (dim > 2) {
        y[2] = x[2] + scale * v[2];
    }
}

/* y := scale x */
FACE_INLINE void multiple(unsigned dim, double scale, const double *x, double *y)
{
    y[0] = scale * x[0];
    if (dim > 1) {
        y[1] = scale * x[1];
    }
    if (dim > 2) {
        y[2] = scale * x[2];
    }
}

void perp_faces_read(perp_faces *f, const perp_set *set)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *from = &set->blocks[k];
        perp_face_block *to = &f->block[k];

        to->dim = (unsigned char)from->dim;
        switch (from->kind) {
        case PERP_SET_CONE:
            to->shape = from->dim == 2 ? SHAPE_CONE2 : SHAPE_CONE3;
            to->lo = from->mu;
            to->hi = from->mu * from->mu;
            to->shrink = 1.0 / (1.0 + to->hi);
            break;
        case PERP_SET_DISK:
            to->shape = SHAPE_DISK;
            to->lo = from->radius;
            to->hi = from->radius * from->radius;
            break;
        default:
            to->shape = SHAPE_INTERVAL;
            perp_block_bounds(from, NULL, &to->lo, &to->hi);
            break;
        }
    }
}

bool perp_faces_init(perp_faces *f, const perp_set *set, perp_workspace *ws)
{
    f->n = set->n;
    f->count = set->count;
    f->block = perp_workspace_alloc(ws, set->count, sizeof *f->block);
    if (f->block) {
        perp_faces_read(f, set);
    }
    return f->block != NULL;
}

/* The face of a cone's point inside or on it, from its normal part and |t|^2. */
FACE_INLINE perp_face cone_face(const perp_face_block *k, double n, double t2)
{
    if (n <= 0.0) {
        return PERP_FACE_POINT;
    }
    return t2 < k->hi * n * n * (1.0 - 2.0 * face_margin) ? PERP_FACE_INSIDE
                                                          : PERP_FACE_RAY;
}

/* v := P(v) for a cone; returns the face of the result. `dim` is a constant after inlining. */
FACE_INLINE perp_face cone_project(const perp_face_block *k, unsigned dim, double *v)
{
    double n = v[0];
    double t2 = v[1] * v[1] + (dim == 3 ? v[2] * v[2] : 0.0);
    double t = 0.0;
    double factor = 0.0;

    if (n >= 0.0 && t2 <= k->hi * n * n) {
        return cone_face(k, n, t2);
    }
    if (n <= 0.0 && k->hi * t2 <= n * n) {
        v[0] = v[1] = 0.0;
        if (dim == 3) {
            v[2] = 0.0;
        }
        return PERP_FACE_POINT;
    }
    t = sqrt(t2);
    v[0] = (n + k->lo * t) * k->shrink;
    factor = k->lo * v[0] / t;
    v[1] *= factor;
    if (dim == 3) {
        v[2] *= factor;
    }
    return v[0] > 0.0 ? PERP_FACE_RAY : PERP_FACE_POINT;
}

FACE_INLINE perp_face disk_project(const perp_face_block *k, double *v)
{
    double t2 = v[0] * v[0] + v[1] * v[1];

    if (t2 > k->hi) {
        double factor = k->lo / sqrt(t2);

        v[0] *= factor;
        v[1] *= factor;
        return PERP_FACE_POINT;
    }
    return t2 < k->hi * (1.0 - 2.0 * face_margin) ? PERP_FACE_INSIDE : PERP_FACE_POINT;
}

FACE_INLINE perp_face interval_project(const perp_face_block *k, double *v)
{
    if (*v <= k->lo) {
        *v = k->lo;
        return PERP_FACE_POINT;
    }
    if (*v >= k->hi) {
        *v = k->hi;
        return PERP_FACE_POINT;
    }
    return PERP_FACE_INSIDE;
}

FACE_INLINE perp_face block_project(const perp_face_block *k, unsigned shape, double *v)
{
    switch (shape) {
    case SHAPE_CONE3:
        return cone_project(k, 3, v);
    case SHAPE_CONE2:
        return cone_project(k, 2, v);
    case SHAPE_DISK:
        return disk_project(k, v);
    default:
        return interval_project(k, v);
    }
}

FACE_INLINE void block_step(perp_face_block *k, unsigned shape, unsigned dim, double a,
                            const double *dir, double *x, double *move)
{
    double v[3];

    combine(dim, x, -a, dir, v);
    k->was = k->face;
    k->face = (unsigned char)block_project(k, shape, v);
    combine(dim, v, -1.0, x, move);
    multiple(dim, 1.0, v, x);
}

void perp_faces_step(perp_faces *f, double a, const double *dir, double *x, double *move)
{
    size_t i = 0;

    for (size_t b = 0; b < f->count; b++) {
        perp_face_block *k = &f->block[b];

        switch (k->shape) {
        case SHAPE_CONE3:
            block_step(k, SHAPE_CONE3, 3, a, dir + i, x + i, move + i);
            break;
        case SHAPE_CONE2:
            block_step(k, SHAPE_CONE2, 2, a, dir + i, x + i, move + i);
            break;
        case SHAPE_DISK:
            block_step(k, SHAPE_DISK, 2, a, dir + i, x + i, move + i);
            break;
        default:
            block_step(k, SHAPE_INTERVAL, 1, a, dir + i, x + i, move + i);
            break;
        }
        i += k->dim;
    }
}

/* Where a CG step took a block. A RAY stays one until it reaches the apex, since a step along
 * it cannot leave it sideways but by rounding. */
FACE_INLINE void block_reface(perp_face_block *k, unsigned shape, const double *x,
                              perp_split *sums)
{
    double size2 = 0.0;

    if (shape == SHAPE_INTERVAL) {
        if (k->face == PERP_FACE_INSIDE && !(x[0] > k->lo && x[0] < k->hi)) {
            sums->outside |= x[0] < k->lo || x[0] > k->hi;
            sums->changed = true;
            k->face = PERP_FACE_POINT;
        }
        return;
    }
    if (k->face == PERP_FACE_POINT) {
        return;
    }
    if (shape == SHAPE_DISK) {
        size2 = x[0] * x[0] + x[1] * x[1];
        if (!(size2 < k->hi * (1.0 - 2.0 * face_margin))) {
            sums->outside |= size2 > k->hi * (1.0 + 2.0 * face_margin);
            sums->changed = true;
            k->face = PERP_FACE_POINT;
        }
        return;
    }
    if (!(x[0] > 0.0)) {
        sums->outside |= x[0] < 0.0;
        sums->changed = true;
        k->face = PERP_FACE_POINT;
    } else if (k->face == PERP_FACE_INSIDE) {
        size2 = x[1] * x[1] + (shape == SHAPE_CONE3 ? x[2] * x[2] : 0.0);
        if (cone_face(k, x[0], size2) != PERP_FACE_INSIDE) {
            sums->outside |= size2 > k->hi * x[0] * x[0] * (1.0 + 2.0 * face_margin);
            sums->changed = true;
            k->face = PERP_FACE_RAY;
        }
    }
}

FACE_INLINE void block_split(perp_face_block *k, unsigned shape, unsigned dim, double a,
                             const double *x, const double *g, double *phi, double *beta,
                             perp_split *sums)
{
    double v[3];
    double kept = 0.0; /* part of x that the step along phi takes, on a RAY */

    k->was = k->face;
    block_reface(k, shape, x, sums);
    combine(dim, x, -a, g, v);
    block_project(k, shape, v);
    combine(dim, x, -1.0, v, v);
    if (k->face == PERP_FACE_INSIDE) {
        multiple(dim, 1.0, g, phi);
        sums->free += dot_of(dim, v, g);
        if (beta) {
            multiple(dim, 0.0, g, beta);
        }
        return;
    }
    if (k->face == PERP_FACE_RAY) {
        double gx = dot_of(dim, g, x);
        double c = gx / dot_of(dim, x, x);

        kept = fmin(1.0, a * c);
        sums->free += kept * gx;
        multiple(dim, c, x, phi);
    } else {
        multiple(dim, 0.0, x, phi);
    }
    combine(dim, v, -kept, x, v);
    sums->chopped += dot_of(dim, v, v);
    if (beta) {
        multiple(dim, 1.0, v, beta);
    }
}

void perp_faces_split(perp_faces *f, double a, const double *x, const double *g,
                      double *phi, double *beta, perp_split *sums)
{
    perp_split sum = {0};
    size_t i = 0;

    for (size_t b = 0; b < f->count; b++) {
        perp_face_block *k = &f->block[b];
        double *at = beta ? beta + i : NULL;

        switch (k->shape) {
        case SHAPE_CONE3:
            block_split(k, SHAPE_CONE3, 3, a, x + i, g + i, phi + i, at, &sum);
            break;
        case SHAPE_CONE2:
            block_split(k, SHAPE_CONE2, 2, a, x + i, g + i, phi + i, at, &sum);
            break;
        case SHAPE_DISK:
            block_split(k, SHAPE_DISK, 2, a, x + i, g + i, phi + i, at, &sum);
            break;
        default:
            block_split(k, SHAPE_INTERVAL, 1, a, x + i, g + i, phi + i, at, &sum);
            break;
        }
        i += k->dim;
    }
    *sums = sum;
}

void perp_faces_restore(perp_faces *f)
{
    for (size_t b = 0; b < f->count; b++) {
        f->block[b].face = f->block[b].was;
    }
}

/* First positive root of C - 2 B t + A t^2 with C >= 0, without cancellation. */
static double faces_first_root(double A, double B, double C)
{
    double root = sqrt(fmax(B * B - A * C, 0.0));

    if (A >= 0.0 && B <= 0.0) {
        return INFINITY;
    }
    return B > 0.0 ? C / (B + root) : (B - root) / A; /* A < 0 where B <= 0 */
}

static double faces_cone_length(const perp_face_block *k, const double *x,
                                const double *p)
{
    unsigned rest = k->dim - 1u;
    double xp = dot_of(rest, x + 1, p + 1);
    double xx = dot_of(rest, x + 1, x + 1);
    double pp = dot_of(rest, p + 1, p + 1);

    if (k->face == PERP_FACE_RAY) { /* p is a multiple of x */
        return p[0] > 0.0 ? x[0] / p[0] : INFINITY;
    }
    return faces_first_root(k->hi * p[0] * p[0] - pp, k->hi * x[0] * p[0] - xp,
                            fmax(k->hi * x[0] * x[0] - xx, 0.0));
}

static double faces_block_length(const perp_face_block *k, const double *x,
                                 const double *p)
{
    if (k->face == PERP_FACE_POINT) {
        return INFINITY;
    }
    switch (k->shape) {
    case SHAPE_CONE3:
    case SHAPE_CONE2:
        return faces_cone_length(k, x, p);
    case SHAPE_DISK:
        return faces_first_root(-(p[0] * p[0] + p[1] * p[1]),
                                -(x[0] * p[0] + x[1] * p[1]),
                                fmax(k->hi - x[0] * x[0] - x[1] * x[1], 0.0));
    default:
        if (p[0] > 0.0) {
            return (x[0] - k->lo) / p[0];
        }
        return p[0] < 0.0 ? (x[0] - k->hi) / p[0] : INFINITY;
    }
}

double perp_faces_step_length(const perp_faces *f, const double *x, const double *p)
{
    double room = INFINITY;
    size_t i = 0;

    for (size_t b = 0; b < f->count; b++) {
        room = fmin(room, faces_block_length(&f->block[b], x + i, p + i));
        i += f->block[b].dim;
    }
    return room;
}
