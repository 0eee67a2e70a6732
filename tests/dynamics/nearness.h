/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/nearness.h: shapes placed, and what must hold of an answer about
 * them. */
#ifndef PERP_TEST_NEARNESS_H
#define PERP_TEST_NEARNESS_H

#include <math.h>
#include <string.h>

#include <perp/dynamics/narrow.h>

#include "convex.h"

/** A hull of n points; hull_free. */
static inline perp_shape hull_of(size_t n, const double *points, unsigned dimension)
{
    perp_shape s = shape_of("hull", 0, 0, 0);
    perp_error err = {0};

    if ((dimension == 2 ? perp_polygon_new : perp_polytope_new)(&s.polytope, n, points,
                                                                &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a hull is refused");
    }
    return s;
}

/** At x, turned by q; NULL: not. */
static inline perp_placed placed_at(const perp_shape *shape, const double x[3],
                                    const double q[4])
{
    static const double straight[4] = {1, 0, 0, 0};
    perp_placed p = {.shape = shape};

    vec3_copy(p.x, x);
    perp_rotation_matrix(q ? q : straight, p.R);
    return p;
}

/** b moved by `way` along n. */
static inline perp_placed moved_by(const perp_placed *b, double way, const double n[3])
{
    perp_placed p = *b;

    vec3_add(p.x, way, n, p.x);
    return p;
}

/** The normal is unit, and p_b - p_a is gap n to `tolerance`. */
static inline void is_consistent(const perp_proximity *p, double tolerance)
{
    double d[3];

    CU_ASSERT_DOUBLE_EQUAL(vec3_length(p->normal), 1.0, 1e-14);
    CU_ASSERT_EQUAL(p->overlap, p->gap <= 0.0);
    vec3_subtract(p->p_b, p->p_a, d);
    vec3_add(d, -p->gap, p->normal, d);
    CU_ASSERT(vec3_length(d) <= tolerance);
}

/** Of the other order: the same gap, the normal turned, witnesses exchanged. */
static inline void is_swapped(const perp_proximity *p, const perp_proximity *q,
                              double tolerance, double normal_tolerance)
{
    double n[3];

    vec3_scale(-1.0, q->normal, n);
    CU_ASSERT_DOUBLE_EQUAL(p->gap, q->gap, tolerance);
    test_agree("normal", n, p->normal, 3, normal_tolerance);
}

/** A case of collision_hulls, collision_obb or collision_2d: its two shapes, placed. */
typedef struct golden_couple {
    perp_shape shape[2];
    perp_placed at[2];
    unsigned dimension;
} golden_couple;

static inline void golden_cloud(golden_couple *s, int k, const golden_case *c,
                                const char *key, size_t numbers)
{
    static const double origin[3] = {0};
    double points[3 * 256] = {0};
    double flat[3 * 256];
    size_t n = golden_count(c->in, key) / numbers;

    CU_ASSERT_FATAL(n <= 256);
    golden_reals(c->in, key, numbers * n, flat);
    for (size_t i = 0; i < n; i++) {
        memcpy(points + 3 * i, flat + numbers * i, numbers * sizeof *flat);
    }
    s->shape[k] = hull_of(n, points, numbers == 2 ? 2 : 3);
    s->at[k] = placed_at(&s->shape[k], origin, NULL);
}

static inline void golden_couple_make(golden_couple *s, const golden_case *c)
{
    memset(s, 0, sizeof *s);
    s->dimension = 3;
    if (json_object_get(c->in, "A")) {
        golden_cloud(s, 0, c, "A", 3);
        golden_cloud(s, 1, c, "B", 3);
    } else if (json_object_get(c->in, "P")) {
        s->dimension = 2;
        golden_cloud(s, 0, c, "P", 2);
        golden_cloud(s, 1, c, "Q", 2);
    } else {
        for (int k = 0; k < 2; k++) {
            char key[4] = {'c', '_', k ? 'j' : 'i', 0};
            double x[3];
            double q[4];

            s->shape[k] = shape_of("box", 0, 0, 0);
            golden_reals(c->in, key, 3, x);
            key[0] = 'q';
            golden_reals(c->in, key, 4, q);
            key[0] = 'h';
            golden_reals(c->in, key, 3, s->shape[k].size);
            s->at[k] = placed_at(&s->shape[k], x, q);
        }
    }
}

static inline void golden_couple_free(golden_couple *s)
{
    perp_polytope_free(s->shape[0].polytope);
    perp_polytope_free(s->shape[1].polytope);
}

#endif
