/* SPDX-License-Identifier: Apache-2.0
 * tests/command/exact_infeasible.c: directions of infeasibility in rational numbers: examples
 * by hand, random problems of every kind of block compared with the judge and with points of
 * K. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interop/exact/exact.h"
#include "tests/support/support.h"

#if defined HAVE_ARB_MAT_H || defined HAVE_FLINT_ARB_MAT_H

static double radius_of(const perp_problem *p, const double *y, exact_verdict verdict)
{
    exact_proof proof = {0};
    double radius = -1.0;

    OK(exact_infeasible(p, y, &radius, &proof, NULL));
    CU_ASSERT_EQUAL(proof.verdict, verdict);
    if (proof.verdict != verdict) {
        test_note("radius %g: %s", radius, proof.says);
    }
    exact_proof_clear(&proof);
    return radius;
}

TEST(a_direction_without_misses_denies_all)
{
    CU_ASSERT(isinf(radius_of(test_lcp(1, (double[]){0}, (double[]){-1}), (double[]){0.3},
                              EXACT_PROVED)));
    CU_ASSERT_EQUAL(radius_of(test_lcp(1, (double[]){0}, (double[]){1}), (double[]){1},
                              EXACT_REFUTED),
                    0.0);
    CU_ASSERT_EQUAL(radius_of(test_lcp(1, (double[]){0}, (double[]){-1}), (double[]){-1},
                              EXACT_REFUTED),
                    0.0);
    CU_ASSERT_EQUAL(radius_of(test_lcp(1, (double[]){0}, (double[]){-1}), (double[]){0},
                              EXACT_REFUTED),
                    0.0);
}

/* A = 4, b = -1, s = 2: y w = 4 z - 1 < 0 below z = 1/4, s z = 1/2; the radius is just below. */
TEST(a_radius_is_rounded_down)
{
    double radius = radius_of(test_lcp(1, (double[]){4}, (double[]){-1}), (double[]){1},
                              EXACT_REFUTED);

    CU_ASSERT_EQUAL(radius, nextafter(0.5, 0.0));
}

/* The trace of the contact overflows. Its scale is sqrt(1.2e308), so that the direction misses
 * z = (1e300/1.2e308, 0, 0), a solution, which an infinite scale would hide. */
TEST(a_trace_that_overflows_denies_nothing)
{
    const double d = 1.2e308, mu = 0.5, A[9] = {d, 0, 0, 0, d, 0, 0, 0, d};
    perp_problem *p = test_cones(3, 1, A, (double[]){-1e300, 0, 0}, &mu);
    double s[3];

    OK(perp_row_scales(p, s, NULL));
    CU_ASSERT_DOUBLE_EQUAL(s[0] / sqrt(d), 1.0, 1e-15);
    CU_ASSERT(radius_of(p, (double[]){1, 0, 0}, EXACT_REFUTED) < 1e300 / sqrt(d));
}

/* w_0 = 1e-40 z_1 - z_2 - b < 0 below z_1 = 1e40 b: both sentences print a radius of at most that. z_2
 * gives row 0 the scale 1. */
TEST(a_printed_radius_is_rounded_down)
{
    const char *before = "s|z| <= ";

    for (double b = 1.0; b < 10.0; b *= 1.01) {
        perp_problem *p =
            test_lcp(3, (double[]){0, 1e-40, -1, 0, 1, 0, 0, 0, 1}, (double[]){-b, 0, 0});
        perp_certificate c = {
            .kind = PERP_CERTIFICATE_INFEASIBLE, .n = 3, .y = (double[]){1, 0, 0}};
        double radius = 0.0, judged = perp_certificate_radius(p, c.y);
        exact_proof proof = {0};
        char says[200];

        OK(exact_infeasible(p, c.y, &radius, &proof, NULL));
        CU_ASSERT_EQUAL_FATAL(proof.verdict, EXACT_PROVED);
        CU_ASSERT(strtod(strstr(proof.says, before) + strlen(before), NULL) <= radius);
        CU_ASSERT_FATAL(perp_certificate_check(&c, p, says, sizeof says));
        CU_ASSERT(strtod(strstr(says, before) + strlen(before), NULL) <= judged);
        CU_ASSERT(strtod(strstr(says, before) + strlen(before), NULL) >= 0.9 * judged);
        exact_proof_clear(&proof);
    }
}

/* The column (1e10, 1e-7, -1e10) sums to 1e-7, which doubles lose: z = (1e7, 1e7, 0) solves. */
TEST(a_column_that_cancels_is_summed_exactly)
{
    const double rows[9] = {1e10, -1e10, 0, 1e-7, 0, 0, -1e10, 1e10, 0},
                 q[3] = {0, -1, 0};
    perp_problem *p = test_lcp(3, rows, q);
    double radius = radius_of(p, (double[]){1, 1, 1}, EXACT_REFUTED), s[3];

    OK(perp_row_scales(p, s, NULL));
    CU_ASSERT(radius <= s[0] * 1.0000001e7 && radius > s[0] * 0.9999999e7);
    CU_ASSERT(perp_certificate_radius(p, (double[]){1, 1, 1}) <= radius);
}

/* z = (64, 64, 0) solves it exactly. */
TEST(a_large_solution_bounds_the_radius)
{
    const double m = 17179869184.0, rows[9] = {m, -m, -m, 0x1p-6, 0, m, -m, m, -m};
    perp_problem *p = test_lcp(3, rows, (double[]){0, -1, 0});
    double s[3], radius = radius_of(p, (double[]){1, 1, 1}, EXACT_REFUTED);

    OK(perp_row_scales(p, s, NULL));
    CU_ASSERT(radius < 64.0 * fmax(s[0], s[1]));
}

/* A contact, v = A^T y = (-5, 3, 4) on the boundary of the cone with mu = 1: by squares there is no
 * miss; with 4 + 2^-50 in place of 4 there is. */
TEST(the_boundary_of_a_cone_is_decided_by_squares)
{
    double rows[9] = {-5, 3, 4, 0, 1, 0, 0, 0, 1};
    const double b[3] = {-1, 0, 0}, y[3] = {1, 0, 0}, mu = 1.0;

    CU_ASSERT(isinf(radius_of(test_cones(3, 1, rows, b, &mu), y, EXACT_PROVED)));
    rows[2] = 4 + 0x1p-50;
    CU_ASSERT(isfinite(radius_of(test_cones(3, 1, rows, b, &mu), y, EXACT_PROVED)));
}

/* v = (-5, 3, 0, 2, 0): |v_T| + |v_R| = 5 is on the boundary of a rolling contact. */
TEST(the_boundary_of_a_rolling_contact_is_decided_by_squares)
{
    double rows[25] = {-5, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 1,
                       0,  0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    const double b[5] = {-1, 0, 0, 0, 0}, y[5] = {1, 0, 0, 0, 0};

    for (int t = 0; t < 2; t++) {
        perp_problem *p = NULL;
        perp_set *set = test_new_set(1);

        perp_set_add_rolling(set, 1.0, 1.0);
        rows[15] = t == 0 ? 2.0 : 2.0 + 0x1p-50; /* by columns */
        OK(perp_problem_new_dense(&p, 5, rows, 5, b, set, PERP_LAW_COULOMB, PERP_COPY,
                                  NULL));
        CU_ASSERT_EQUAL(isinf(radius_of(p, y, EXACT_PROVED)) != 0, t == 0);
    }
}

/* v = (-2, 2), z_0 >= 1 and |z_1| <= z_0/2: v.z <= -2 z_0 + z_0 is -1 at most. */
TEST(friction_counts_at_the_bound_of_its_normal)
{
    for (int t = 0; t < 2; t++) {
        const double rows[4] = {-2, 0, 2, 1},
                     b[2] = {t == 0 ? 0.5 : 1.5, 0}; /* by columns */
        perp_problem *p = NULL;
        perp_set *set = test_new_set(2);

        perp_set_add_box(set, 1.0, INFINITY);
        perp_set_add_friction(set, 0.5, 0);
        OK(perp_problem_new_dense(&p, 2, rows, 2, b, set, PERP_LAW_COULOMB, PERP_COPY,
                                  NULL));
        CU_ASSERT_EQUAL(
            radius_of(p, (double[]){1, 0}, t == 0 ? EXACT_PROVED : EXACT_REFUTED),
            t == 0 ? INFINITY : 0.0);
    }
}

/* Blocks of all kinds, one after the other. */
static perp_set *set_of(perp_random *g, size_t *n)
{
    perp_set *set = test_new_set(9);

    perp_set_add_free(set);
    perp_set_add_nonneg(set);
    perp_set_add_friction(set, perp_random_unit(g), 1);
    perp_set_add_box(set, -1.0, perp_random_unit(g));
    perp_set_add_box(set, perp_random_uniform(g, -1, 1), INFINITY);
    perp_set_add_box(set, -INFINITY, perp_random_uniform(g, -1, 1));
    perp_set_add_cone(set, 3, perp_random_unit(g));
    perp_set_add_rolling(set, perp_random_unit(g), perp_random_unit(g));
    perp_set_add_disk(set, perp_random_unit(g));
    *n = set->n;
    return set;
}

/* A direction that the blocks allow: 0 where it has to be. */
static void direction(const perp_problem *p, perp_random *g, double *y)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double *part = y + block->first;

        for (size_t r = 0; r < block->dim; r++) {
            part[r] = 0.0;
        }
        if (block->kind == PERP_SET_FREE) {
            part[0] = perp_random_uniform(g, -1, 1);
        } else if (block->kind == PERP_SET_BOX) {
            part[0] = isinf(block->hi)   ? perp_random_unit(g)
                      : isinf(block->lo) ? -perp_random_unit(g)
                                         : 0.0;
        } else if (block->kind != PERP_SET_FRICTION && block->kind != PERP_SET_DISK) {
            part[0] = perp_random_unit(g);
        }
        if (block->kind == PERP_SET_CONE && p->law == PERP_LAW_ASSOCIATED) {
            part[1] = 0.7 * block->mu * part[0];
            part[2] = 0.7 * block->mu * part[0];
        }
    }
}

/* The largest y.w found at points of K with s|z| below the radius, in long doubles. */
static long double worst_of(const perp_problem *p, const double *y, double radius,
                            perp_random *g)
{
    double *z = test_reals(p->n), *s = test_reals(p->n);
    long double most = -INFINITY;

    OK(perp_row_scales(p, s, NULL));
    for (size_t t = 0; t < 20; t++) {
        long double sum = 0.0L;

        for (size_t k = 0; k < p->set->count; k++) {
            const perp_block *block = &p->set->blocks[k];
            double norm = 0.0, limit = radius / s[block->first];

            for (size_t i = block->first; i < block->first + block->dim; i++) {
                z[i] = perp_random_uniform(g, -2, 2) * limit;
            }
            perp_set_project(p->set, k, z);
            for (size_t i = block->first; i < block->first + block->dim; i++) {
                norm = hypot(norm, z[i]);
            }
            if (norm > limit) {
                if (block->kind == PERP_SET_BOX) {
                    z[block->first] = copysign(limit, z[block->first]);
                    perp_set_project(p->set, k, z);
                    if (fabs(z[block->first]) > limit) {
                        return -INFINITY; /* no point of K is that small */
                    }
                    continue;
                }
                for (size_t i = block->first; i < block->first + block->dim; i++) {
                    z[i] *= limit / norm * (1.0 - 4.0 * DBL_EPSILON);
                }
            }
        }
        perp_set_project(p->set, 2, z); /* the friction row, for its normal */
        for (size_t i = 0; i < p->n; i++) {
            long double w = p->b[i];

            for (size_t j = 0; j < p->n; j++) {
                w += (long double)perp_operator_entry(p->A, i, j) * z[j];
            }
            sum += w * y[i];
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* The judge bounds its roundings, so that its radius is never beyond the exact one; and below the
 * exact one y.w < 0 at every point of K. */
TEST(the_radius_of_the_judge_is_never_beyond_the_exact_one)
{
    perp_random g = {0};
    size_t some = 0, close = 0;

    g.state = 3;
    for (size_t t = 0; t < 600; t++) {
        size_t n = 0, mark = test_mark();
        perp_set *set = set_of(&g, &n);
        double *rows = test_reals(n * n), *y = test_reals(n), exact = 0.0, judged = 0.0;
        exact_proof proof = {0};
        /* Of entries with few bits many sums cancel. */
        double unit = t % 3 == 0 ? 0.25 : t % 3 == 1 ? 0x1p-40 : 1e-9;

        for (size_t e = 0; e < n * n; e++) {
            rows[e] = unit * (double)perp_random_integer(&g, -3, 3) *
                      (t % 2 ? ldexp(1.0, (int)perp_random_integer(&g, -30, 30)) : 1.0);
        }
        perp_operator *A = test_new_from_dense(n, n, rows, n);
        perp_problem *p =
            test_problem(A, set, t % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB, &g);
        direction(p, &g, y);
        judged = perp_certificate_radius(p, y);
        OK(exact_infeasible(p, y, &exact, &proof, NULL));
        CU_ASSERT(judged <= exact);
        if (judged > exact) {
            test_note("case %zu: judged %.17g, exact %.17g", t, judged, exact);
        }
        if (exact > 0.0 && isfinite(exact)) {
            some++;
            close += judged > 0.999 * exact;
            CU_ASSERT(worst_of(p, y, exact, &g) < 0.0L);
        }
        exact_proof_clear(&proof);
        test_release(mark);
    }
    CU_ASSERT(some > 150);
    CU_ASSERT(close > some / 3);
    test_note("%zu with a radius, %zu of them within 0.1 %%", some, close);
}

#endif
