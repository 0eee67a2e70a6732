/* SPDX-License-Identifier: Apache-2.0
 * tests/support/solids.h: which points a shape holds, said by its definition, and points
 * of its surface, found by halving. */
#ifndef PERP_TEST_SOLIDS_H
#define PERP_TEST_SOLIDS_H

#include "contact_queries.h"

/** Whether p is below the plane of each face. */
static inline bool hull_holds(const perp_polytope *hull, const double p[3])
{
    for (size_t f = 0; f < hull->face_count; f++) {
        const int32_t *corner = hull->face_corner + hull->face_start[f];
        double rows[9];

        for (int k = 0; k < 3; k++) {
            vec3_subtract(hull->corner + 3 * (size_t)corner[k], p, rows + 3 * k);
        }
        if (mat3_determinant(rows) < 0.0) {
            return false;
        }
    }
    return true;
}

/** Whether the shape, a convex one, holds p, in its axes. */
static inline bool solid_holds(const perp_shape *s, const double p[3])
{
    const double *a = s->size;
    const char *name = s->type->name;
    double flat = hypot(p[0], p[1]);

    if (strcmp(name, "sphere") == 0) {
        return vec3_length(p) <= a[0];
    }
    if (strcmp(name, "box") == 0) {
        return fabs(p[0]) <= a[0] && fabs(p[1]) <= a[1] && fabs(p[2]) <= a[2];
    }
    if (strcmp(name, "cylinder") == 0) {
        return flat <= a[0] && fabs(p[2]) <= 0.5 * a[1];
    }
    if (strcmp(name, "cone") == 0) {
        return flat <= a[0] * (0.5 - p[2] / a[1]) && p[2] >= -0.5 * a[1];
    }
    if (strcmp(name, "capsule") == 0) {
        return hypot(flat, fmax(0.0, fabs(p[2]) - 0.5 * a[1])) <= a[0];
    }
    if (strcmp(name, "hull") == 0) {
        return hull_holds(s->polytope, p);
    }
    CU_ASSERT_STRING_EQUAL_FATAL(name, "ellipsoid");
    return hypot(hypot(p[0] / a[0], p[1] / a[1]), p[2] / a[2]) <= 1.0;
}

/** The point of the surface in direction u from a point inside. */
static inline void solid_surface(const perp_shape *s, const double inside[3],
                                 const double u[3], double p[3])
{
    double in = 0.0;
    double out = 4.0 * s->type->reach(s) / vec3_length(u);

    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (in + out);

        vec3_add(inside, middle, u, p);
        *(solid_holds(s, p) ? &in : &out) = middle;
    }
    vec3_add(inside, in, u, p);
}

/** A unit vector, evenly from the sphere. */
static inline void draw_direction(perp_random *g, double d[3])
{
    do {
        for (int k = 0; k < 3; k++) {
            d[k] = perp_random_uniform(g, -1.0, 1.0);
        }
    } while (vec3_length(d) > 1.0 || vec3_length(d) < 0.1);
    vec3_normalize(d);
}

/** Shapes to try, each of which holds the origin: fat and thin ones, and hulls of few and
 *  of many corners. */
enum { SPECIMENS = 12, SPECIMEN_HULL = 0 };

static inline void specimens_make(perp_shape s[SPECIMENS])
{
    const size_t corners[2] = {24, 200};

    for (int h = 0; h < 2; h++) {
        double points[600];
        perp_random g = {5 + (uint64_t)h};

        for (size_t k = 0; k < corners[h]; k++) {
            draw_direction(&g, points + 3 * k);
        }
        s[h] = hull_of(corners[h], points, 3);
    }
    s[2] = shape_of("sphere", 0.7, 0.0, 0.0);
    s[3] = shape_of("box", 0.3, 1.5, 0.8);
    s[4] = shape_of("box", 1e-6, 1.0, 1.0);
    s[5] = shape_of("cylinder", 0.6, 2.0, 0.0);
    s[6] = shape_of("cylinder", 3.0, 0.1, 0.0);
    s[7] = shape_of("capsule", 0.4, 1.2, 0.0);
    s[8] = shape_of("cone", 0.7, 1.2, 0.0);
    s[9] = shape_of("cone", 2.0, 0.5, 0.0);
    s[10] = shape_of("cone", 0.3, 3.0, 0.0);
    s[11] = shape_of("ellipsoid", 0.2, 1.0, 2.5);
}

static inline void specimens_free(perp_shape s[SPECIMENS])
{
    for (size_t k = 0; k < SPECIMENS; k++) {
        perp_polytope_free(s[k].polytope);
    }
}

#endif
