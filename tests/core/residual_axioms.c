/* SPDX-License-Identifier: Apache-2.0
 * tests/core/residual_axioms.c: the laws that the residual shall satisfy, on all kinds of hard problems:
 * it is 0 at solutions, and neither slack rows nor scales nor units nor large points change what it says. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "families.h"
#include "instances.h"
#include "judge/judge.h"
#include "support.h"
#include "torture.h"

enum { SEEDS = 12, ROWS_MOST = 128 };

/* A law for a problem at a point z with w = A z + b. */
typedef void law_at(const perp_problem *p, const double *z, const double *w,
                    perp_random *g);

/* At the solution, and at a point beside it. */
static void at_two_points(const perp_problem *p, law_at *law, uint64_t seed)
{
    perp_random g = {seed};
    double z[ROWS_MOST], w[ROWS_MOST];

    law(p, p->solution->z, p->solution->w, &g);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = p->solution->z[i] * (1.0 + perp_random_uniform(&g, -1e-4, 1e-4));
    }
    perp_operator_apply(p->A, z, w);
    for (size_t i = 0; i < p->n; i++) {
        w[i] += p->b[i];
    }
    law(p, z, w, &g);
}

/* Each kind of problem with a solution, for some seeds. */
static void on_each_kind(law_at *law)
{
    for (size_t k = 0; perp_torture_kinds[k].name; k++) {
        for (unsigned seed = 1; seed <= SEEDS; seed++) {
            char call[96];
            perp_problem *p = NULL;

            snprintf(call, sizeof call, "torture:kind=%s,seed=%u",
                     perp_torture_kinds[k].name, seed);
            test_note("%s", call);
            OK(perp_family_make(call, &p, NULL));
            CU_ASSERT_FATAL(p->n <= ROWS_MOST);
            if (perp_torture_truth_of(&perp_torture_kinds[k], p) == TORTURE_EXACT) {
                at_two_points(p, law, seed);
            }
            perp_problem_free(p);
        }
    }
}

/* Whether every block has a diagonal. The scales of others may depend on b. */
static bool has_diagonals(const perp_problem *p)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double sum = 0.0, most = 0.0;

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            sum += perp_operator_entry(p->A, i, i);
            most = fmax(most, perp_operator_row_max(p->A, i));
        }
        if (!(sum > 1e-13 * most)) {
            return false;
        }
    }
    return true;
}

/* Whether a block has no entry at all, so that no unit but 1 is known. */
static bool has_empty_blocks(const perp_problem *p)
{
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double most = 0.0;

        for (size_t i = block->first; i < block->first + block->dim; i++) {
            most = fmax(most, perp_operator_row_max(p->A, i));
        }
        if (most == 0.0) {
            return true;
        }
    }
    return false;
}

static bool is_of_usual_size(const perp_problem *p)
{
    double most = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        most = fmax(most, fmax(perp_operator_row_max(p->A, i), fabs(p->b[i])));
    }
    return most > 1e-30 && most < 1e30;
}

static bool solves(const perp_problem *p, const double *z)
{
    return p->solution->z == z;
}

static void is_zero_at_solutions_alone(const perp_problem *p, const double *z,
                                       const double *w, perp_random *g)
{
    (void)w, (void)g;
    if (solves(p, z)) {
        CU_ASSERT_EQUAL(perp_residual(p, z), 0.0);
    }
}

TEST(the_residual_is_zero_at_solutions)
{
    on_each_kind(is_zero_at_solutions_alone);
}

/* b of rows at their bound with w > 0 grows by up to 2^60. */
static void ignores_slack_rows(const perp_problem *p, const double *z, const double *w,
                               perp_random *g)
{
    double before = perp_residual(p, z);

    if (!has_diagonals(p)) {
        return; /* the two sides of a part without a diagonal are balanced by all b */
    }
    perp_problem *q = test_copy(p);
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        size_t i = block->first;

        if (block->kind == PERP_SET_NONNEG && z[i] == 0.0 && w[i] > 0.0 &&
            q->b[i] > 0.0) {
            q->b[i] = ldexp(q->b[i], (int)perp_random_integer(g, 1, 60));
        }
    }
    CU_ASSERT_EQUAL(perp_residual(q, z), before);
}

TEST(rows_that_stay_slack_do_not_count)
{
    on_each_kind(ignores_slack_rows);
}

/* D A D, D b and D^-1 z with powers of two, one per block. */
static void ignores_scales(const perp_problem *p, const double *z, const double *w,
                           perp_random *g)
{
    double before = perp_residual(p, z), after = 0.0;
    double D[ROWS_MOST], x[ROWS_MOST];
    int e = 0;

    (void)w;
    if (!is_of_usual_size(p) || has_empty_blocks(p)) {
        return; /* products with D leave the range of doubles, or s = 1 */
    }
    perp_problem *q = test_copy(p);
    for (size_t k = 0; k < p->set->count; k++) {
        perp_block *block = &q->set->blocks[k];

        if (block->kind != PERP_SET_FRICTION) {
            e = (int)perp_random_integer(g, -20, 20);
        }
        block->lo = ldexp(block->lo, -e);
        block->hi = ldexp(block->hi, -e);
        block->radius = ldexp(block->radius, -e);
        for (size_t i = block->first; i < block->first + block->dim; i++) {
            D[i] = ldexp(1.0, e);
            x[i] = ldexp(z[i], -e);
            q->b[i] = ldexp(q->b[i], e);
        }
    }
    perp_operator_scale(q->A, D, D);
    after = perp_residual(q, x);
    /* w may be rounded by a thousandth of the residual, or of 1e-8, before it is summed exactly */
    if (fabs(after - before) > 2e-3 * fmax(before, 1e-8)) {
        test_note("%.3e became %.3e", before, after);
    }
    CU_ASSERT_DOUBLE_EQUAL(after, before, 2e-3 * fmax(before, 1e-8));
}

TEST(scales_of_blocks_do_not_count)
{
    on_each_kind(ignores_scales);
}

/* The conditions of the program min c.x, C x >= d, x >= 0, with quantities and prices in units of
 * their own: z and w of the rows of x by p and q, of the others by r and s, p q = r s. */
TEST(prices_and_quantities_have_units_of_their_own)
{
    const double C[2][2] = {{1, 2}, {3, 1}}, c[2] = {4, 3}, d[2] = {5, 6};
    const double points[3][4] = {{1.4, 1.8, 1, 1}, {1.4, 1.8, 0.5, 1}, {0, 4, 0, 2}};
    const double units[3][3] = {{1, 1, 1}, {1e-3, 1e6, 10}, {1e5, 1e-2, 1e-4}};

    for (size_t k = 0; k < 3; k++) {
        double before = 0.0;

        for (size_t u = 0; u < 3; u++) {
            double p = units[u][0], q = units[u][1], r = units[u][2], s = p * q / r;
            double rows[16] = {0}, b[4], z[4];

            for (size_t i = 0; i < 2; i++) {
                for (size_t j = 0; j < 2; j++) {
                    rows[4 * (2 + i) + j] = C[i][j] * s / p;
                    rows[4 * j + 2 + i] = -C[i][j] * q / r;
                }
                b[i] = c[i] * q;
                b[2 + i] = -d[i] * s;
                z[i] = points[k][i] * p;
                z[2 + i] = points[k][2 + i] * r;
            }
            perp_problem *lcp = test_lcp(4, rows, b);
            before = u == 0 ? perp_residual(lcp, z) : before;
            CU_ASSERT_DOUBLE_EQUAL(perp_residual(lcp, z), before, 1e-10 * before);
        }
        CU_ASSERT(before > 1e-3 || k == 0);
        CU_ASSERT(before < 1e-15 || k > 0); /* the solution, and points that are none */
    }
}

/* One source, one sink, the supply short by a part of the demand: y = (0, 1, 1) shows that there
 * is no solution, and that none has a residual below its margin, however large it is. */
TEST(no_point_of_an_infeasible_problem_has_a_residual_below_its_distance)
{
    const double rows[9] = {0, 1, -1, -1, 0, 0, 1, 0, 0}, y[3] = {0, 1, 1};
    perp_random g = {5};

    for (int digits = 3; digits <= 9; digits++) {
        const double b[3] = {1, 8.0 - pow(10.0, -digits), -8};
        perp_problem *p = test_lcp(3, rows, b);
        double radius = 0.0, margin = 0.0, least = INFINITY;

        perp_certificate_measure(p, y, &radius, &margin);
        CU_ASSERT(radius > 1e18);
        CU_ASSERT(margin > 0.01 * pow(10.0, -digits));
        for (int k = 0; k < 400; k++) {
            double far = pow(10.0, perp_random_uniform(&g, 0, 25));
            double z[3] = {8, far, far + perp_random_uniform(&g, 0, 2)};

            z[0] -= perp_random_uniform(&g, 0, 2.0 * pow(10.0, -digits));
            least = fmin(least, perp_residual(p, z));
        }
        CU_ASSERT(least >= margin);
        CU_ASSERT(least <= 100.0 * pow(10.0, -digits)); /* the points were near */
    }
}

/* Inputs that were accepted when all of b was the unit, rows without a diagonal had the scale of
 * their largest entry and rounding was allowed up to 1e-3 of b. */
TEST(points_that_fooled_the_published_residual_are_refused)
{
    const double slack[4] = {1, 0, 0, 1}, slack_q[2] = {-1, 1e9}, none[2] = {0, 0};
    const double units[4] = {0, -1, 1, 0}, units_q[2] = {1e-6, -1e3}, half[2] = {1e3, 0};
    const double empty[4] = {0}, empty_q[2] = {-1e-4, 1}, far[2] = {1e12, 0};
    const double right[2] = {1, 0}, both[2] = {1e3, 1e-6};
    perp_problem *p = test_lcp(2, slack, slack_q), *q = test_lcp(2, units, units_q);
    perp_problem *r = test_lcp(2, empty, empty_q);

    CU_ASSERT_DOUBLE_EQUAL(perp_residual(p, none), 1.0, 1e-15);
    CU_ASSERT_EQUAL(perp_residual(p, right), 0.0);
    CU_ASSERT_DOUBLE_EQUAL(perp_residual(q, half), 1.0, 1e-12);
    CU_ASSERT(perp_residual(q, both) <= 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(perp_residual(r, far), 1.0, 1e-15);
}

/* Where the whole of b is slack, 0 is the answer from any start, and another point is none. */
TEST(where_nothing_acts_the_answer_is_zero)
{
    const double rows[4] = {2, 1, 1, 2}, q[2] = {3, 0};
    const double start[2] = {1e-3, 0.5};
    perp_problem *p = test_lcp(2, rows, q);

    CU_ASSERT_EQUAL(perp_residual(p, (double[2]){0, 0}), 0.0);
    CU_ASSERT(perp_residual(p, start) > 0.1);
    perp_result *r = test_new_result(2);
    memcpy(r->z, start, sizeof start);
    OK(perp_solve(perp_solver_find("pgs"), p, NULL, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->z[0], 0.0);
    CU_ASSERT_EQUAL(r->z[1], 0.0);
    CU_ASSERT_EQUAL(r->residual, 0.0);
}

/* A = [K -K; -K K+1] at z = (x, x + e): the products of size K x cancel to K e, which doubles lose.
 * Each storage that keeps the entries says the same. */
TEST(products_that_cancel_are_summed_exactly)
{
    const double K = 0x1p50, x = 3.0, e = 0x1p-51;
    const double rows[4] = {K, -K, -K, K + 1.0}, b[2] = {0.5, -3.5};
    const double z[2] = {x, x + e}; /* w = (0, x + e - 3) */
    perp_problem *p = test_lcp(2, rows, b);
    perp_operator *dense = p->A;

    CU_ASSERT(perp_residual(p, z) <= 1e-15);
    for (int storage = PERP_STORAGE_CSR; storage <= PERP_STORAGE_BSR; storage *= 2) {
        perp_operator *A = test_convert(dense, (perp_storage)storage, 2);

        p->A = A;
        CU_ASSERT(perp_residual(p, z) <= 1e-15);
    }
    p->A = dense;
}

/* A large row that acts hides the others; the componentwise residual shows them. */
TEST(the_local_residual_sees_behind_a_large_active_row)
{
    const double rows[4] = {1, 0, -1e10, 1}, q[2] = {-1, 1e9}, z[2] = {0.5, 4e9};
    perp_problem *p = test_lcp(2, rows, q);
    perp_measures m;
    perp_judge *judge = test_new_judge(p);

    perp_judge_measure(judge, z, 1e-8, &m);
    CU_ASSERT_DOUBLE_EQUAL(m.residual, 5e-10, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(m.residual_local, 1.0 / 3.0, 1e-12); /* 1/2 of 1 + 1/2 */
    CU_ASSERT_DOUBLE_EQUAL(m.residual_literature, 5e-10, 1e-12);
}

/* Impulses and velocities in units 2^k times as small, a disk's radius with them, but for the
 * rounding of a norm. */
TEST(the_natural_map_has_the_units_of_its_point)
{
    const perp_set_kind kinds[] = {PERP_SET_CONE, PERP_SET_DISK};
    perp_random g = {47};

    for (int k = 0; k < 4000; k++) {
        perp_block block = {.kind = kinds[k % 2],
                            .dim = k % 2   ? 2
                                   : k % 4 ? 2
                                           : 3,
                            .radius = 2.0};
        double z[3], w[3], expected = 0.0;

        block.mu = pow(10.0, perp_random_uniform(&g, -1.0, 6.0));
        z[0] = perp_random_uniform(&g, 0.5, 2.0);
        z[1] = (k % 2 ? 2.0 : block.mu * z[0]) *
               (1.0 + perp_random_uniform(&g, -4.0, 4.0) * DBL_EPSILON);
        z[2] = z[1] * perp_random_uniform(&g, 0.0, 1e-8);
        for (int i = 0; i < 3; i++) {
            w[i] = 1e-10 * perp_random_uniform(&g, -1.0, 1.0);
        }
        if (k % 2) {
            z[0] = z[2];
        }
        expected = perp_natural_map(&block, PERP_LAW_ASSOCIATED, 1.0, z, w);
        for (int power = -900; power <= 900; power += 300) {
            double unit = ldexp(1.0, power), z_unit[3], w_unit[3];
            perp_block in_units = block;

            in_units.radius = unit * block.radius;
            for (int i = 0; i < 3; i++) {
                z_unit[i] = unit * z[i];
                w_unit[i] = unit * w[i];
            }
            CU_ASSERT_DOUBLE_EQUAL(
                perp_natural_map(&in_units, PERP_LAW_ASSOCIATED, 1.0, z_unit, w_unit) /
                    unit,
                expected, 1e-15 * expected);
        }
    }
}
