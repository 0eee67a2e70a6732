/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/gjk.c: distances of convex shapes. An answer is proved from both sides:
 * the witnesses are points of the shapes so far apart, and planes across the normal that
 * support them are not nearer. */
#include <config.h>

#include "nearness.h"

/* In shares of the sizes: a few sums through two rotations. */
static const double rounding = 1e-14;
/* Smooth cores: the bounds agree to this. */
static const double smooth = 1e-10;

static void golden_distance(const golden_case *c)
{
    golden_couple s;
    perp_narrow_settings settings = {0};
    perp_proximity p;

    golden_couple_make(&s, c);
    settings.dimension = s.dimension;
    perp_gjk(&s.at[0], &s.at[1], NULL, &settings, &p);
    CU_ASSERT(p.converged);
    CU_ASSERT_EQUAL(p.overlap, json_is_true(json_object_get(c->out, "overlap")));
    if (json_object_get(c->out, "distance")) {
        golden_agree(c, "distance", &p.gap, 1);
        golden_agree(c, "pA", p.p_a, 3);
        golden_agree(c, "pB", p.p_b, 3);
        golden_agree(c, json_object_get(c->out, "dist_normal") ? "dist_normal" : "normal",
                     p.normal, 3);
        is_consistent(&p, c->tol);
        CU_ASSERT(p.tolerance <= c->tol);
    } else if (json_object_get(c->out, "min_overlap") && !p.overlap) {
        /* of shapes apart the best axis of their sides bounds the distance from below */
        CU_ASSERT(p.gap >= -golden_real(c->out, "min_overlap") - c->tol);
        is_consistent(&p, c->tol);
    }
    golden_couple_free(&s);
}

TEST(stored_distances_are_found)
{
    golden_each("collision_hulls", NULL, golden_distance);
    golden_each("collision_obb", NULL, golden_distance);
    golden_each("collision_2d", NULL, golden_distance);
}

/* What every answer of GJK must be; of shapes that overlap it tells only so much. */
static void check(convex *a, convex *b, const perp_proximity *p)
{
    double size = convex_reaches(a, b) + vec3_length(a->at.x) + vec3_length(b->at.x);
    double tolerance = p->tolerance + rounding * size;

    CU_ASSERT(p->converged);
    CU_ASSERT_STRING_EQUAL(p->ran, "gjk");
    CU_ASSERT(p->tolerance <= 4.0 * smooth * size);
    is_consistent(p, tolerance);
    if (p->gap > 0.0) {
        double apart = convex_apart(a, b, p->normal);

        CU_ASSERT(fabs(convex_outside(a, p->p_a)) <= tolerance);
        CU_ASSERT(fabs(convex_outside(b, p->p_b)) <= tolerance);
        CU_ASSERT(apart <= p->gap + rounding * size);
        CU_ASSERT(apart >= p->gap - tolerance);
    }
}

static void each_kind(unsigned dimension, int draws,
                      void (*visit)(convex *a, convex *b, perp_random *g))
{
    convex_each_pair(&(convex_draws){dimension, draws, 1.0, 1.5, 77}, visit);
}

static perp_proximity gjk(convex *a, convex *b, perp_gjk_cache *cache)
{
    const perp_narrow_settings settings = {.dimension = a->dimension};
    perp_proximity p;

    perp_gjk(convex_at(a), convex_at(b), cache, &settings, &p);
    return p;
}

static void wander(convex *s, double step, perp_random *g)
{
    double q[4], x[3], turn[4];
    const double w[3] = {perp_random_uniform(g, -step, step) * (s->dimension == 3),
                         perp_random_uniform(g, -step, step) * (s->dimension == 3),
                         perp_random_uniform(g, -step, step)};

    perp_quat_exp(w, q);
    perp_quat_multiply(q, s->turn, turn);
    perp_quat_normalize(turn);
    for (int k = 0; k < 3; k++) {
        x[k] = s->at.x[k] + (k < (int)s->dimension) * perp_random_uniform(g, -step, step);
    }
    convex_put(s, x, turn);
}

static unsigned cold_steps;
static unsigned warm_steps;
static unsigned same_steps; /* from the simplex of this very pose */
static unsigned same_pairs;

static void follow_pair(convex *a, convex *b, perp_random *g)
{
    perp_gjk_cache cache = {0};

    for (int step = 0; step < 8; step++) {
        perp_proximity warm = gjk(a, b, &cache);
        perp_proximity cold = gjk(a, b, NULL);

        if (cold.gap > 0.0) {
            CU_ASSERT_DOUBLE_EQUAL(warm.gap, cold.gap, warm.tolerance + cold.tolerance);
            cold_steps += cold.iterations;
            warm_steps += warm.iterations;
            same_steps += gjk(a, b, &cache).iterations;
            same_pairs++;
        }
        CU_ASSERT_EQUAL(warm.overlap, cold.overlap);
        check(a, b, &warm);
        wander(b, 1e-3, g);
    }
}

TEST(a_search_from_the_last_simplex_is_shorter_and_finds_the_same)
{
    cold_steps = warm_steps = same_steps = same_pairs = 0;
    each_kind(3, 4, follow_pair);
    CU_ASSERT(2 * warm_steps < cold_steps + warm_steps);
    CU_ASSERT_EQUAL(same_steps, same_pairs); /* which finds nothing beyond it */
    each_kind(2, 8, follow_pair);
}

TEST(a_search_from_the_simplex_of_other_shapes_finds_the_same)
{
    perp_random g = {5};
    perp_gjk_cache cache = {0};
    convex a, b;

    for (int draw = 0; draw < 400; draw++) {
        size_t k = (size_t)perp_random_integer(&g, 0, 6);
        size_t l = (size_t)perp_random_integer(&g, 0, 6);
        perp_proximity warm, cold;

        convex_draw(&a, convex_kinds[k], 3, 1.0, &g);
        convex_draw(&b, convex_kinds[l], 3, 1.0, &g);
        convex_scatter(&a, 1.0, &g);
        convex_scatter(&b, 2.0, &g);
        if (draw % 10 == 0) {
            memset(&cache, draw % 20 ? 0x7F : 0xFF, sizeof cache); /* NaN, no corners */
        }
        warm = gjk(&a, &b, &cache);
        cold = gjk(&a, &b, NULL);
        CU_ASSERT(warm.converged);
        if (cold.gap > 0.0) {
            CU_ASSERT_DOUBLE_EQUAL(warm.gap, cold.gap, warm.tolerance + cold.tolerance);
        }
        convex_free(&a);
        convex_free(&b);
    }
}

TEST(boxes_in_hard_poses_have_their_distance)
{
    /* [m]: gaps, sizes of both */
    const double gaps[] = {0.0, 1e-12, 1e-8, 1e-3, 1.0};
    const double sizes[][2] = {{1, 1}, {1e-6, 1e-6}, {1e6, 1e6}, {1, 1e-4}, {1e-4, 1}};
    /* flush, a hair off, edge on edge */
    const double turns[][4] = {
        {1, 0, 0, 0},
        {1, 1e-9, 0, 0},
        {0.92387953251128674, 0, 0.38268343236508977, 0},
        {0.70710678118654752, 0, 0, 0.70710678118654752},
    };

    for (size_t k = 0; k < 5 * 5 * 4; k++) {
        double gap = gaps[k % 5];
        const double *size = sizes[k / 5 % 5];
        double q[4];
        double x[3] = {0.2 * size[0], 0.1 * size[1], 0.0};
        perp_shape s[2] = {shape_of("box", size[0], size[0], size[0]),
                           shape_of("box", size[1], size[1], size[1])};
        perp_placed a, b;
        perp_proximity p;
        double large = size[0] + size[1];

        if (k / 25 == 1 && size[1] > size[0]) {
            continue; /* the lowest corner is beside the face */
        }
        memcpy(q, turns[k / 25], sizeof q);
        perp_quat_normalize(q);
        b = placed_at(&s[1], x, q);
        x[2] = size[0] * (1.0 + gap);
        for (int c = 0; c < 3; c++) {
            x[2] += size[1] * fabs(b.R[6 + c]);
        }
        a = placed_at(&s[0], (double[3]){0, 0, 0}, NULL);
        b = placed_at(&s[1], x, q);
        perp_gjk(&a, &b, NULL, NULL, &p);
        CU_ASSERT(p.converged);
        CU_ASSERT_DOUBLE_EQUAL(p.gap, gap * size[0], rounding * large);
        is_consistent(&p, rounding * large);
        if (gap >= 1e-8) { /* else rounding turns it */
            CU_ASSERT_DOUBLE_EQUAL(p.normal[2], 1.0, 1e-7);
        }
    }
}

TEST(nan_and_infinite_input_gives_no_distance)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    perp_random g = {9};

    for (size_t k = 0; convex_kinds[k]; k++) {
        for (size_t l = 0; convex_kinds[l]; l++) {
            for (size_t v = 0; v < 4 * 12; v++) {
                convex a, b;
                perp_gjk_cache cache = {0};
                perp_placed at;
                perp_proximity p;

                convex_draw(&a, convex_kinds[k], 3, 1.0, &g);
                convex_draw(&b, convex_kinds[l], 3, 1.0, &g);
                at = *convex_at(&b);
                (v / 4 < 9 ? at.R : at.x)[v / 4 < 9 ? v / 4 : v / 4 - 9] = bad[v % 4];
                perp_gjk(convex_at(&a), &at, &cache, NULL, &p);
                CU_ASSERT(v % 4 == 3 || !p.converged || isfinite(p.gap));
                if (v % 4 == 0 && strcmp(convex_kinds[l], "sphere") != 0) {
                    CU_ASSERT(!p.converged);
                }
                convex_free(&a);
                convex_free(&b);
            }
        }
    }
}
