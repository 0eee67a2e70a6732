/* SPDX-License-Identifier: Apache-2.0
 * collision/spheres.c: contacts of spheres with solids of revolution and ellipsoids. For
 * the centre c, the signed distance s to the surface (negative inside), its nearest point
 * y and the outward normal v there are computed; then
 *
 *     n = -v,   gap = s - r.
 *
 * Cylinder and cone are reduced to the half plane (rho, z) of the centre. For an
 * ellipsoid of semi-axes e the nearest point and the distance are
 *
 *     y_k = e_k^2 c_k/(t + e_k^2),   s = t |g|,   g_k = y_k/e_k^2,
 *
 * t the largest root of N(t) = 1, N^2 = sum (e_k c_k/(t + e_k^2))^2, by Newton's
 * iteration for 1/N, which is nearly straight, kept between bounds [eberly-2013]. */
#include <config.h>

#include <float.h>

#include "collision/query.h"

/* Newton's iteration takes 4 to 8 steps, and halving 60 bits always ends it. */
enum { ROOT_STEPS = 100 };
/* A share of a semi-axis whose cube does not underflow; below, the point is on the
 * plane. */
static const double on_plane = 1e-60;

/* The nearest point of a surface; all in axes of the shape. */
typedef struct surface {
    double distance;
    double at[3], normal[3];
} surface;

/* A contact of sphere a, its centre at `c` in the axes of b, with what is nearest. */
static void spheres_add_surface(contact_query *m, const surface *s)
{
    double r = m->a->at.shape->size[0];
    double gap = s->distance - r;
    double n[3];
    double point[3];

    mat3_apply(m->b->at.R, s->normal, n);
    vec3_scale(-1.0, n, n);
    mat3_apply(m->b->at.R, s->at, point);
    vec3_add(point, 1.0, m->b->at.x, point);
    vec3_add(point, -0.5 * gap, n, point);
    query_add(m, point, n, gap, 1);
}

static void spheres_center_in_b(const contact_query *m, double c[3])
{
    vec3_subtract(m->a->at.x, m->b->at.x, c);
    mat3_apply_transposed(m->b->at.R, c, c);
}

/* From (rho, z) of the half plane of c; on the axis any will do, and x is taken. */
static void spheres_revolve(const double c[3], const double at[2], const double normal[2],
                            surface *s)
{
    double across[3] = {c[0], c[1], 0.0};

    if (!(vec3_normalize(across) > 0.0)) {
        vec3_set(across, 1.0, 0.0, 0.0);
    }
    vec3_set(s->at, at[0] * across[0], at[0] * across[1], at[1]);
    vec3_set(s->normal, normal[0] * across[0], normal[0] * across[1], normal[1]);
}

/* p beyond a corner y, in the half plane; `normal` stays where they coincide but for
 * rounding, which has any direction. */
static void spheres_beyond_corner(const double p[2], const double y[2], double normal[2],
                                  surface *s)
{
    double x = p[0] - y[0];
    double z = p[1] - y[1];

    s->distance = hypot(x, z);
    if (s->distance > 1e-15 * (fabs(y[0]) + fabs(y[1]))) {
        normal[0] = x / s->distance;
        normal[1] = z / s->distance;
    }
}

void sphere_cylinder(contact_query *m)
{
    double r = m->b->at.shape->size[0];
    double half = 0.5 * m->b->at.shape->size[1];
    double c[3];
    double p[2];
    double side = 0.0;
    double cap = 0.0;
    surface s;

    spheres_center_in_b(m, c);
    p[0] = hypot(c[0], c[1]);
    p[1] = c[2];
    side = p[0] - r;
    cap = fabs(p[1]) - half;
    double y[2] = {side > cap ? r : p[0], side > cap ? p[1] : copysign(half, p[1])};
    double normal[2] = {side > cap, side > cap ? 0.0 : copysign(1.0, p[1])};

    s.distance = fmax(side, cap);
    if (side > 0.0 && cap > 0.0) {
        y[0] = r;
        y[1] = copysign(half, p[1]);
        spheres_beyond_corner(p, y, normal, &s);
    }
    spheres_revolve(c, y, normal, &s);
    spheres_add_surface(m, &s);
}

/* Its side runs from the tip (0, half) to the rim (r, -half). */
void sphere_cone(contact_query *m)
{
    double r = m->b->at.shape->size[0];
    double length = m->b->at.shape->size[1];
    double side = hypot(r, length);
    double c[3];

    spheres_center_in_b(m, c);
    const double p[2] = {hypot(c[0], c[1]), c[2]};
    double drop = 0.5 * length - p[1]; /* below the tip */
    double below = drop - length;
    double out = (length * p[0] - r * drop) / side;
    double along = fmax(0.0, fmin(1.0, (r * p[0] + length * drop) / side / side));
    double y[2] = {along * r, 0.5 * length - along * length};
    double normal[2] = {length / side, r / side};
    surface s = {.distance = out};

    if (below > 0.0 ? p[0] <= r : out <= 0.0 && below > out) {
        y[0] = p[0];
        y[1] = -0.5 * length;
        normal[0] = 0.0;
        normal[1] = -1.0;
        s.distance = below;
    } else if (along == 0.0 || along == 1.0) {
        y[1] = along == 0.0 ? 0.5 * length : -0.5 * length;
        spheres_beyond_corner(p, y, normal, &s);
    }
    spheres_revolve(c, y, normal, &s);
    spheres_add_surface(m, &s);
}

/* Of u = 1 + t/e_k^2 with the least semi-axis k: N(u), and -N N'. */
static double root_norm(const double z[3], const double beyond[3], double u, double *fall)
{
    double sum = 0.0;

    *fall = 0.0;
    for (int k = 0; k < 3; k++) {
        if (z[k] != 0.0) {
            double d = u + beyond[k];
            double term = (1.0 + beyond[k]) * z[k] / d;

            sum += term * term;
            *fall += term * term / d;
        }
    }
    return sqrt(sum);
}

/* The u of N(u) = 1 in [lo, hi]: N falls, and is at least 1 at lo. */
static double root_find(const double z[3], const double beyond[3], double lo, double hi)
{
    double u = lo;

    for (int step = 0; step < ROOT_STEPS && lo < hi; step++) {
        double fall = 0.0;
        double norm = root_norm(z, beyond, u, &fall);
        double next = u + (norm - 1.0) * norm * norm / fall;

        if (norm >= 1.0) {
            lo = u;
        } else {
            hi = u;
        }
        if (!(next > lo && next < hi)) {
            next = 0.5 * (lo + hi);
        }
        if (fabs(norm - 1.0) <= DBL_EPSILON || next == u || next <= lo || next >= hi) {
            break;
        }
        u = next;
    }
    return u;
}

/* Shares z = c/e, and beyond_k = e_k^2/e^2 - 1 with the least semi-axis e, its number
 * returned. */
static int spheres_in_shares(const double e[3], const double c[3], double z[3],
                             double beyond[3])
{
    int least = e[1] < e[0] ? 1 : 0;

    least = e[2] < e[least] ? 2 : least;
    for (int k = 0; k < 3; k++) {
        double ratio = e[k] / e[least];

        z[k] = fabs(c[k]) / e[k];
        z[k] = z[k] < on_plane ? 0.0 : z[k];
        beyond[k] = (e[k] - e[least]) / e[least] * (ratio + 1.0);
    }
    return least;
}

/* y/e of the nearest point, all >= 0, and u. */
static double spheres_nearest_share(const double e[3], const double c[3], double share[3])
{
    double z[3];
    double beyond[3];
    int least = spheres_in_shares(e, c, z, beyond);
    double within = 0.0;
    double far = 0.0;
    double u = 0.0;

    for (int k = 0; k < 3; k++) {
        double x = (1.0 + beyond[k]) * z[k];

        far = hypot(far, x);
        within += x > 0.0 && beyond[k] > 0.0 ? x * x / (beyond[k] * beyond[k]) : 0.0;
        if (x > 0.0 && beyond[k] == 0.0) {
            within = INFINITY;
        }
    }
    if (z[least] == 0.0 && within < 1.0) {
        /* near the middle plane: both sides are as near */
        for (int k = 0; k < 3; k++) {
            share[k] = z[k] > 0.0 ? (1.0 + beyond[k]) * z[k] / beyond[k] : 0.0;
        }
        share[least] = sqrt(1.0 - within);
        return 0.0;
    }
    u = root_find(z, beyond, z[least], far);
    for (int k = 0; k < 3; k++) {
        share[k] = (1.0 + beyond[k]) * z[k] / (u + beyond[k]);
    }
    return u;
}

void sphere_ellipsoid(contact_query *m)
{
    const double *e = m->b->at.shape->size;
    double least = fmin(e[0], fmin(e[1], e[2]));
    double c[3];
    double share[3];
    double u = 0.0;
    double steep = 0.0;
    surface s;

    spheres_center_in_b(m, c);
    u = spheres_nearest_share(e, c, share);
    for (int k = 0; k < 3; k++) {
        s.at[k] = copysign(e[k] * share[k], c[k]);
        s.normal[k] = copysign(least / e[k] * share[k], c[k]);
    }
    steep = vec3_normalize(s.normal);
    s.distance = (u - 1.0) * least * steep;
    spheres_add_surface(m, &s);
}
