/* SPDX-License-Identifier: Apache-2.0
 * geometry/inertia_hull.c: mass, centre and inertia of polyhedra and polygons of uniform
 * density.
 *
 * A solid is the signed sum of tetrahedra from one inner point o to the triangles of its
 * surface. With V = det(a, b, c)/6 for corners a, b, c seen from o,
 *
 *     m = rho V,   m c = rho V (a + b + c)/4,   C = rho V T^T S T,   S = (1 1^T + E)/20
 *
 * on the four corners T (o itself is 0), and I = tr(C) E - C, shifted to the centre. A
 * polygon is the same with triangles: A = (a x b)/2, second moment A (a.a + a.b + b.b)/6.
 * Seen from an inner point the terms of a convex solid have one sign,
 * so that nothing cancels. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/inertia.h>

#include "base/base.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Volumes below this share of that of a ball of the same extent are rounding. */
static const double flat_tolerance = 1e-12;

typedef struct moments {
    double volume, first[3], second[9]; /* about the inner point */
    double reach;                       /* greatest distance from it */
} moments;

/* Add the tetrahedron (0, a, b, c). */
static void moments_add(moments *m, const double a[3], const double b[3],
                        const double c[3])
{
    double cross[3];
    double sum[3];
    double volume = 0.0;

    vec3_cross(b, c, cross);
    volume = vec3_dot(a, cross) / 6.0;
    vec3_add(a, 1.0, b, sum);
    vec3_add(sum, 1.0, c, sum);
    m->volume += volume;
    vec3_add(m->first, 0.25 * volume, sum, m->first);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m->second[3 * i + j] +=
                volume / 20.0 *
                (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
        }
    }
    m->reach = fmax(m->reach, vec3_length(a));
}

/* Mass, centre and inertia about it out of the moments about o. */
static perp_status moments_finish(const moments *s, double density, const double o[3],
                                  double *m, double center[3], double inertia[9],
                                  perp_error *err)
{
    double ball = s->reach * s->reach * s->reach;
    double c[3];
    double trace = 0.0;

    if (!(s->volume > flat_tolerance * ball)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "inertia: volume is %g, expected a positive number [m^3]: "
                         "corners counter-clockwise from outside",
                         s->volume);
    }
    vec3_scale(1.0 / s->volume, s->first, c);
    *m = density * s->volume;
    vec3_add(o, 1.0, c, center);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inertia[3 * i + j] =
                density * (s->volume * c[i] * c[j] - s->second[3 * i + j]);
        }
        trace -= inertia[4 * i];
    }
    for (int i = 0; i < 3; i++) {
        inertia[4 * i] += trace;
    }
    return PERP_OK;
}

static perp_status hull_check_density(double density, perp_error *err)
{
    if (density > 0.0 && isfinite(density)) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "inertia: density is %g, expected a positive number", density);
}

perp_status perp_inertia_mesh(double density, const double *points, size_t triangles,
                              const int32_t *corners, double *m, double center[3],
                              double inertia[9], perp_error *err)
{
    moments s = {0};
    double o[3] = {0.0, 0.0, 0.0};

    TRY(hull_check_density(density, err));
    for (size_t k = 0; k < 3 * triangles; k++) {
        const double *p = points + 3 * (size_t)corners[k];

        if (!math_finite(p, 3)) {
            return perp_fail(err, PERP_ERR_DATA, "inertia: corner %d is not finite",
                             (int)corners[k]);
        }
        vec3_add(o, 1.0 / (3.0 * (double)triangles), p, o);
    }
    for (size_t k = 0; k < triangles; k++) {
        double x[9];

        for (int c = 0; c < 3; c++) {
            vec3_subtract(points + 3 * (size_t)corners[3 * k + (size_t)c], o, x + 3 * c);
        }
        moments_add(&s, x, x + 3, x + 6);
    }
    return moments_finish(&s, density, o, m, center, inertia, err);
}

perp_status perp_inertia_hull(double density, size_t n, const double *points, double *m,
                              double center[3], double inertia[9], perp_error *err)
{
    perp_polytope *hull = NULL;
    perp_status status = perp_polytope_new(&hull, n, points, err);

    if (status == PERP_OK) {
        status = polytope_inertia(hull, density, m, center, inertia, err);
    }
    perp_polytope_free(hull);
    return status;
}

perp_status perp_inertia_polygon(double density, size_t n, const double *corners,
                                 double *m, double center[2], double *inertia,
                                 perp_error *err)
{
    double area = 0.0;
    double first[2] = {0.0, 0.0};
    double second = 0.0;
    double reach = 0.0;

    TRY(hull_check_density(density, err));
    if (n < 3 || !math_finite(corners, 2 * n)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "inertia: polygon of %zu corners, expected at least three, all finite", n);
    }
    for (size_t k = 1; k + 1 < n; k++) { /* triangles from corner 0 */
        double ax = corners[2 * k] - corners[0];
        double ay = corners[2 * k + 1] - corners[1];
        double bx = corners[2 * k + 2] - corners[0];
        double by = corners[2 * k + 3] - corners[1];
        double part = 0.5 * (ax * by - ay * bx);

        area += part;
        first[0] += part / 3.0 * (ax + bx);
        first[1] += part / 3.0 * (ay + by);
        second +=
            part / 6.0 * (ax * ax + ay * ay + ax * bx + ay * by + bx * bx + by * by);
        reach = fmax(reach, fmax(ax * ax + ay * ay, bx * bx + by * by));
    }
    if (!(area > flat_tolerance * reach)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "inertia: area is %g, expected a positive number [m^2]: corners "
                         "counter-clockwise",
                         area);
    }
    *m = density * area;
    center[0] = corners[0] + first[0] / area;
    center[1] = corners[1] + first[1] / area;
    *inertia = density * (second - (first[0] * first[0] + first[1] * first[1]) / area);
    return PERP_OK;
}
