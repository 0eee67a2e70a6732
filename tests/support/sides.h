/* SPDX-License-Identifier: Apache-2.0
 * tests/support/sides.h: placed boxes and hulls, and what proves their distance. */
#ifndef PERP_TEST_SIDES_H
#define PERP_TEST_SIDES_H

#include "contact_queries.h"
#include "reference.h"

/** The hull of n points drawn on the ball of a radius: all are corners. */
static inline perp_shape draw_hull(perp_random *g, size_t n, double radius)
{
    double points[3 * 256];

    CU_ASSERT_FATAL(n <= 256);
    for (size_t k = 0; k < n; k++) {
        double *p = points + 3 * k;

        do {
            vec3_set(p, perp_random_uniform(g, -1, 1), perp_random_uniform(g, -1, 1),
                     perp_random_uniform(g, -1, 1));
        } while (vec3_length(p) > 1.0);
        vec3_normalize(p);
        vec3_scale(radius, p, p);
    }
    return hull_of(n, points, 3);
}

static inline perp_placed place(const perp_shape *shape, const double pose[7])
{
    return placed_at(shape, pose, pose + 3);
}

static inline perp_proximity near_by(const char *name, const perp_placed *a,
                                     const perp_placed *b, unsigned dimension)
{
    const perp_narrow_settings settings = {.dimension = dimension};
    perp_proximity out = {0};
    perp_error err = {0};

    CU_ASSERT_FATAL(perp_proximity_find(perp_narrow_find(name), a, b, &settings, &out,
                                        &err) == PERP_OK);
    return out;
}

/** The greatest n.p of a placed shape. */
static inline double highest(const perp_placed *s, const double n[3])
{
    double d[3];
    double p[3];

    mat3_apply_transposed(s->R, n, d);
    s->shape->type->support(s->shape, d, p);
    return vec3_dot(d, p) + vec3_dot(n, s->x);
}

/** How far the two are apart along n: a bound of their distance, or of minus their
 *  depth. */
static inline double apart_along(const perp_placed *a, const perp_placed *b,
                                 const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};

    return -highest(b, back) - highest(a, n);
}

/** How far a world point is outside of a box or hull. */
static inline double outside(const perp_placed *s, const double x[3])
{
    double p[3];
    double most = -INFINITY;

    vec3_subtract(x, s->x, p);
    mat3_apply_transposed(s->R, p, p);
    if (s->shape->polytope) {
        return perp_polytope_outside(s->shape->polytope, p);
    }
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(p[k]) - s->shape->size[k]);
    }
    return most;
}

/** What an answer must be, but for that a depth is the least one: witnesses on the
 *  shapes, the normal unit, the gap that along it. Of shapes apart this proves the
 *  distance. */
static inline bool holds(const perp_placed *a, const perp_placed *b,
                         const perp_proximity *p, double tolerance)
{
    double d[3];
    double along = apart_along(a, b, p->normal);

    vec3_subtract(p->p_b, p->p_a, d);
    if (fabs(vec3_length(p->normal) - 1.0) <= 1e-14 && outside(a, p->p_a) <= tolerance &&
        outside(b, p->p_b) <= tolerance && fabs(along - p->gap) <= tolerance &&
        fabs(vec3_length(d) - fabs(p->gap)) <= tolerance &&
        fabs(vec3_dot(d, p->normal) - p->gap) <= tolerance) {
        return true;
    }
    test_note(
        "gap %.17g, along the normal %.17g, of the witnesses %.17g and %.17g, which "
        "are %g and %g outside, normal %.17g",
        p->gap, along, vec3_dot(d, p->normal), vec3_length(d), outside(a, p->p_a),
        outside(b, p->p_b), vec3_length(p->normal));
    return false;
}

#endif
