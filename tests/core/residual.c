/* SPDX-License-Identifier: Apache-2.0
 * tests/core/residual.c: the judge, its companions, certificates. */
#include <config.h>

#include <math.h>

#include "instances.h"
#include "support.h"

/* A = [4 0; 0 1], b = (-2, 3), z = (1, 1): w = (2, 4), s = (2, 1).
 * e_1 = 2 |1 - max(1 - 2/4, 0)| = 1, e_2 = |1 - max(1 - 4, 0)| = 1. At 0 e = (1, 0), and row 2
 * is slack there: beta = max(1, min(3, 1)) = 1. */
TEST(the_residual_of_an_lcp_worked_by_hand)
{
    const double rows[4] = {4, 0, 0, 1};
    const double q[2] = {-2, 3};
    const double z[2] = {1, 1};
    const double solution[2] = {0.5, 0};
    perp_problem *p = test_lcp(2, rows, q);

    CU_ASSERT_DOUBLE_EQUAL(perp_residual(p, z), 1.0, 1e-14); /* few roundings */
    CU_ASSERT_EQUAL(perp_residual(p, solution), 0.0);
}

/* One cone, W = I, b = (-1, 2, 0), mu = 1/2. r = (1, -1/2, 0): u = (0, 3/2, 0). Coulomb:
 * uhat = (3/4, 3/2, 0); r - uhat = (1/4, -2, 0) projects to n = (1/4 + 1)/(5/4) = 1:
 * zero. */
TEST(coulomb_and_associated_laws_judge_a_slide_apart)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[3] = {-1, 2, 0};
    const double slide[3] = {1, -0.5, 0};
    double mu = 0.5;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);
    perp_measures m;
    perp_judge *judge = test_new_judge(p);

    CU_ASSERT_EQUAL(perp_judge_residual(judge, slide), 0.0);
    perp_judge_measure(judge, slide, 1e-8, &m);
    CU_ASSERT_EQUAL(m.residual, 0.0);
    CU_ASSERT_EQUAL(m.residual_coulomb, 0.0);
    CU_ASSERT(m.residual_associated > 0.1); /* the relaxation would lift */
    CU_ASSERT_EQUAL(m.contacts_slide, 1);
    CU_ASSERT_EQUAL(m.penetration.max, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(m.direction.max, 0.0,
                           1e-7); /* acos near 1 loses half the digits */
    CU_ASSERT_DOUBLE_EQUAL(m.dissipation.max, 0.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m.norm_b, sqrt(5.0), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m.error_literature, 0.0, 1e-15);
    p->law = PERP_LAW_ASSOCIATED;
    CU_ASSERT(perp_judge_residual(judge, slide) > 0.1);
}

/* With mu = 0 the tangent part of the cone test is 0 <= 0 for any normal. */
TEST(a_frictionless_contact_that_pulls_is_no_solution)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[3] = {1, 0, 0};
    const double pull[3] = {-1, 0, 0};
    double mu = 0.0;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);

    CU_ASSERT_DOUBLE_EQUAL(perp_residual(p, pull), 1.0, 1e-14); /* 10 eps are allowed */
    p->law = PERP_LAW_ASSOCIATED;
    CU_ASSERT_DOUBLE_EQUAL(perp_residual(p, pull), 1.0, 1e-14);
    CU_ASSERT_FALSE(perp_certificate_infeasible(p, pull)); /* nor is it in K */
}

/* A = 0, mu = 1/2, z = h (2, 1, 2^-27): |z_T| - mu z_N = h (sqrt(1 + 2^-54) - 1) = 2^-55 h, and z is
 * by 1/sqrt(1 + mu^2) of it outside K. With b = (1, 0, 0) beta = 1; with b = 0 only points of K
 * are solutions. The rounded |z_T| is h. */
TEST(a_point_just_outside_its_cone_is_outside_at_any_size)
{
    const double sizes[] = {0x1p1000, 1.0, 0x1p-1000};
    const double none[9] = {0}, b[3] = {1, 0, 0};
    double mu = 0.5;

    for (size_t k = 0; k < 3; k++) {
        double z[3] = {2 * sizes[k], sizes[k], 0x1p-27 * sizes[k]};
        double inside[3] = {2 * sizes[k], sizes[k], 0};
        perp_problem *p = test_cones(3, 1, none, none, &mu);

        CU_ASSERT_EQUAL(perp_residual(p, z), INFINITY);
        CU_ASSERT_EQUAL(perp_residual(p, inside), 0.0);
    }
    {
        double z[3] = {0x1p1001, 0x1p1000, 0x1p973};
        double e = perp_residual(test_cones(3, 1, none, b, &mu), z);

        CU_ASSERT_DOUBLE_EQUAL(e / (0x1p945 / sqrt(1.25)), 1.0,
                               1e-14); /* few roundings */
    }
}

/* A = 0 and b = -1: no solution, and at |z| = 1e16 the map shows rounding only. */
TEST(a_point_with_no_digits_left_is_not_called_solved)
{
    const double rows[9] = {0};
    const double b[3] = {-1, -1, 0};
    const double far[3] = {1e16, 5e15, 0};
    double mu = 0.5;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);

    CU_ASSERT(perp_residual(p, far) > 1e-8);
}

/* A = 0 again, and a second contact sets beta_b = 1e6 sqrt(2): the first is wrong by 1e4,
 * a hundredth of that, and z - w/d = z in its last digit. */
TEST(a_step_lost_in_a_large_impulse_still_counts)
{
    const double rows[36] = {0};
    const double b[6] = {-1e4, -1e4, 0, -1e6, -1e6, 0};
    const double far[6] = {3e19, 1.5e19, 0, 1, 0, 0};
    const double mu[2] = {0.5, 1e12};
    perp_problem *p = test_cones(3, 2, rows, b, mu);

    CU_ASSERT(perp_residual(p, far) > 1e-3);
}

TEST(contact_errors_are_in_physical_units)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[3] = {-3, 0, 0};
    const double z[3] = {-1, 0.3, 0.4}; /* adhesion 1, |t| = 1/2, u = (-4, .3, .4) */
    double mu = 0.5;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);
    perp_measures m;
    perp_judge *judge = test_new_judge(p);

    perp_judge_measure(judge, z, 1e-8, &m);
    CU_ASSERT_EQUAL(m.penetration.max, 4.0);
    CU_ASSERT_EQUAL(m.adhesion.p50, 1.0);
    CU_ASSERT_EQUAL(m.signorini.max, 4.0);
    CU_ASSERT_DOUBLE_EQUAL(m.cone.max, 1.0, 1e-15); /* 1/2 + mu */
    CU_ASSERT_DOUBLE_EQUAL(m.penetration_rel.max, 4.0 / 3.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m.dissipation.max, fabs(-0.25 + 0.25), 1e-15);
}

/* M -> D M D, q -> D q, z -> D^-1 z leaves RES as it is, to rounding. */
TEST(the_residual_is_invariant_under_diagonal_scaling)
{
    enum { N = 12 };
    perp_random g = {11};
    perp_operator *A = test_spd(N, 5);
    double b[N], z[N], d[N];
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, N);

    for (int i = 0; i < N; i++) {
        b[i] = perp_random_uniform(&g, -1, 1);
        z[i] = perp_random_uniform(&g, 0, 1);
        d[i] = pow(10.0, perp_random_uniform(&g, -3, 3));
    }
    perp_problem p = {.n = N, .A = A, .b = b, .set = set};
    double before = perp_residual(&p, z);

    perp_operator_scale(A, d, d);
    for (int i = 0; i < N; i++) {
        b[i] *= d[i];
        z[i] /= d[i];
    }
    CU_ASSERT_DOUBLE_EQUAL(perp_residual(&p, z), before,
                           1e-12 * before); /* n roundings */
}

/* 1e-300 z = 1e300 has no solution within doubles, 1e300 z = 1e-30 neither; of the tiny
 * slide the squares underflow, and z = 0 is as wrong as it is for b = (-1, 2, 0). */
TEST(data_beyond_doubles_are_not_judged_as_solved)
{
    const double tiny = 1e-300;
    const double huge = 1e300;
    const double b_huge = -1e300;
    const double b_tiny = -1e-30;
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double slide[3] = {-1e-200, 2e-200, 0};
    const double nothing[3] = {0};
    double mu = 0.5;
    perp_problem *overflows = test_lcp(1, &tiny, &b_huge);
    perp_problem *underflows = test_lcp(1, &huge, &b_tiny);
    perp_problem *contact = test_cones(3, 1, rows, slide, &mu);

    CU_ASSERT_EQUAL(perp_residual(overflows, nothing), INFINITY);
    CU_ASSERT_EQUAL(perp_residual(underflows, nothing), INFINITY);
    CU_ASSERT(perp_residual(contact, nothing) > 0.1);
}

/* A point far outside of the cone, seen in units of 1 and of 1e-170, whose squares are
 * 0. */
TEST(projections_of_rolling_cones_keep_their_digits)
{
    double point[5] = {-1, 3, 4, 0, 2};
    double small[5];

    for (int i = 0; i < 5; i++) {
        small[i] = 1e-170 * point[i];
    }
    perp_project_rolling(0.5, 0.3, point);
    perp_project_rolling(0.5, 0.3, small);
    CU_ASSERT(point[0] > 0.0);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_DOUBLE_EQUAL(small[i] / 1e-170, point[i], 1e-14); /* a few roundings */
    }
}

TEST(nothing_finite_about_nan)
{
    const double rows[4] = {4, 0, 0, 1};
    const double q[2] = {-2, 3};
    const double bad[2] = {NAN, 0};
    const double huge[2] = {INFINITY, 0};
    perp_problem *p = test_lcp(2, rows, q);

    CU_ASSERT_EQUAL(perp_residual(p, bad), INFINITY);
    CU_ASSERT_EQUAL(perp_residual(p, huge), INFINITY);
}

/* M = 0, q = (-1, 1) has no solution. At z_1 = 1e15 the allowance 10 eps |z| = 2.2 would
 * excuse w_1 = -1; at 1e20 the difference z_1 - w_1 would swallow it. */
TEST(a_point_far_away_is_not_excused_by_rounding)
{
    const double rows[4] = {0, 0, 0, 0};
    const double q[2] = {-1, 1};
    const double zero[9] = {0};
    const double b[3] = {-1, 0, 0};
    double mu = 0.5;
    perp_problem *p = test_lcp(2, rows, q);
    perp_problem *c = test_cones(3, 1, zero, b, &mu);

    for (double far = 1e15; far < 1e25; far *= 1e5) {
        const double z[3] = {far, 0, 0};

        CU_ASSERT(perp_residual(p, z) > 0.9);
        CU_ASSERT(perp_residual(c, z) > 0.9);
    }
}

TEST(zero_rows_have_the_scale_one)
{
    const double rows[4] = {0, 0, 0, 0};
    const double q[2] = {-1, 1};
    const double z[2] = {0, 0};
    perp_problem *p = test_lcp(2, rows, q);

    /* |0 - max(0 + 1, 0)| / 1, less the 10 eps that RES allows for rounding. */
    CU_ASSERT_DOUBLE_EQUAL(perp_residual(p, z), 1.0, 1e-14);
}

TEST(a_problem_without_rows_has_no_residual)
{
    perp_problem *p = test_lcp(0, NULL, NULL);
    double none = 0.0;

    CU_ASSERT_EQUAL(perp_residual(p, &none), 0.0);
}

/* lo = -1 and hi = 2 active, a free row off by 1/2: companions tell them apart. */
TEST(companions_of_bounds_and_bilateral_rows)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 4};
    const double q[3] = {3, -4, 1};
    const double z[3] = {-1, 2.5, 0}; /* w = (2, -1.5, 1) */
    perp_problem *p = test_lcp(3, rows, q);
    perp_measures m;

    p->set->blocks[0] = (perp_block){.kind = PERP_SET_BOX, .dim = 1, .lo = -1, .hi = 2};
    p->set->blocks[1] =
        (perp_block){.kind = PERP_SET_BOX, .dim = 1, .first = 1, .lo = -1, .hi = 2};
    p->set->blocks[2] = (perp_block){
        .kind = PERP_SET_FREE, .dim = 1, .first = 2, .lo = -INFINITY, .hi = INFINITY};
    perp_judge *judge = test_new_judge(p);
    perp_judge_measure(judge, z, 1e-8, &m);
    CU_ASSERT_EQUAL(m.feas_z, 0.5);    /* 2.5 above 2 */
    CU_ASSERT_EQUAL(m.bilateral, 0.5); /* |w|/s = 1/2 */
    CU_ASSERT_EQUAL(m.feas_w, 0.5);    /* the free row again, both its bounds infinite */
    CU_ASSERT_EQUAL(m.gap, 0.5 * 1.5); /* (hi - z) w- = -0.75 in size */
}

TEST(certificates_are_checked_by_their_three_conditions)
{
    const double zero[4] = {0, 0, 0, 0};
    const double q[2] = {-1, 1};
    const double good[2] = {1, 0};
    const double wrong_sign[2] = {-1, 0};
    const double no_descent[2] = {0, 1};
    const double identity[4] = {1, 0, 0, 1};
    perp_problem *p = test_lcp(2, zero, q);
    perp_problem *solvable = test_lcp(2, identity, q);

    CU_ASSERT(perp_certificate_infeasible(p, good));
    CU_ASSERT(!perp_certificate_infeasible(p, wrong_sign));
    CU_ASSERT(!perp_certificate_infeasible(p, no_descent));
    CU_ASSERT(!perp_certificate_infeasible(solvable, good)); /* A^T y > 0 */
}

/* Bounds: z_1 <= 1 gives w_1 >= z_1 - 3... row 0: w = -3 + z_1, needs w >= 0, z_1 <=
 * 1. */
TEST(certificates_see_finite_bounds)
{
    const double rows[4] = {0, 1, 0, 1};
    const double q[2] = {-3, 0};
    const double y[2] = {1, 0};
    perp_problem *p = test_lcp(2, rows, q);

    p->set->blocks[1] =
        (perp_block){.kind = PERP_SET_BOX, .dim = 1, .first = 1, .lo = 0, .hi = 1};
    CU_ASSERT(perp_certificate_infeasible(p, y)); /* max over K of z_1 - 3 = -2 */
    p->set->blocks[1].hi = 4;
    CU_ASSERT(!perp_certificate_infeasible(p, y));
}

/* A wall that closes on a contact without mobility: W = 0, b_N < 0. */
TEST(certificates_of_cones_need_normal_directions_under_coulomb)
{
    const double rows[9] = {0};
    const double b[3] = {-1, -3, 0};
    const double normal[3] = {1, 0, 0};
    const double oblique[3] = {1, 0.5, 0};
    double mu = 0.5;
    perp_problem *p = test_cones(3, 1, rows, b, &mu);

    CU_ASSERT(perp_certificate_infeasible(p, normal));
    CU_ASSERT(!perp_certificate_infeasible(p, oblique));
    p->law = PERP_LAW_ASSOCIATED;
    CU_ASSERT(perp_certificate_infeasible(p, normal));
    CU_ASSERT(perp_certificate_infeasible(p, oblique)); /* in K */
}

/* Row 0 sees the first tangent of a disk: w_0 = z_1 - 3 >= 0 needs z_1 >= 3. */
TEST(certificates_see_the_radius_of_a_disk)
{
    const double rows[9] = {0, 1, 0};
    const double b[3] = {-3, 0, 0};
    const double y[3] = {1, 0, 0};
    const double tangent[3] = {1, 0.5, 0};
    perp_problem *p = test_lcp(3, rows, b);
    perp_set *set = test_set("nonneg,disk:2.0");

    perp_set_free(p->set);
    p->set = set;
    CU_ASSERT(perp_certificate_infeasible(p, y)); /* at most 2 - 3 */
    CU_ASSERT(!perp_certificate_infeasible(p, tangent));
    set->blocks[1].radius = 4.0;
    CU_ASSERT(!perp_certificate_infeasible(p, y));
}

/* One rolling contact that cannot give: w_N = -1 + a z_3, where a couples a moment in. */
TEST(certificates_of_rolling_cones_bound_the_moments)
{
    double rows[25] = {0};
    const double b[5] = {-1, 0, 0, 0, 0};
    const double normal[5] = {1, 0, 0, 0, 0};
    const double oblique[5] = {1, 0, 0, 0.1, 0};
    perp_problem *p = test_lcp(5, rows, b);
    perp_set *set = test_new_set(5);

    perp_set_add_rolling(set, 0.5, 0.2);
    perp_set_free(p->set);
    p->set = set;
    CU_ASSERT(perp_certificate_infeasible(p, normal));
    CU_ASSERT(!perp_certificate_infeasible(p, oblique));
    /* A z_N + 10 z_3 with |z_3| <= 0.2 z_N: -1 z_N + 2 z_N grows, -3 z_N + 2 z_N does
     * not. */
    p->A->x[3 * p->A->ld] = 10.0;
    p->A->x[0] = -1.0;
    CU_ASSERT(!perp_certificate_infeasible(p, normal));
    p->A->x[0] = -3.0;
    CU_ASSERT(perp_certificate_infeasible(p, normal));
}

/* At z = 0 the map of a NONNEG row is max(-b_k, 0): 1, 3 and 0. */
TEST(the_block_with_the_largest_residual_is_found)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[3] = {-1, -3, 5};
    const double zero[3] = {0, 0, 0};
    const double solution[3] = {1, 3, 0};
    perp_problem *p = test_lcp(3, rows, b);
    size_t block = 99;

    CU_ASSERT_EQUAL(perp_residual_worst(p, zero, &block), perp_residual(p, zero));
    CU_ASSERT_EQUAL(block, 1);
    CU_ASSERT_EQUAL(perp_residual_worst(p, solution, &block), 0.0);
    CU_ASSERT(block < 3);
    p = test_lcp(0, rows, b);
    perp_residual_worst(p, zero, &block);
    CU_ASSERT_EQUAL(block, 0); /* there is none */
}

/* A = diag(1, 4, 1), b = (-1, -3, 5): s = (1, 2, 1). At z = 0 the maps are 1 and 3/4, so that
 * e = (1, 2 * 3/4, 0), and beta = 3/2, since the last row is slack; w = b. */
TEST(each_block_has_its_residual_and_scale)
{
    const double rows[9] = {1, 0, 0, 0, 4, 0, 0, 0, 1};
    const double b[3] = {-1, -3, 5};
    const double zero[3] = {0, 0, 0};
    perp_problem *p = test_lcp(3, rows, b);
    double e[3], s[3], known[3], beta = 0.0;

    OK(perp_residual_blocks(p, zero, NULL, e, s, &beta, NULL));
    CU_ASSERT(e[0] == 1.0 / 1.5 && e[1] == 1.0 && e[2] == 0.0);
    CU_ASSERT_EQUAL(beta, 1.5);
    CU_ASSERT(s[0] == 1.0 && s[1] == 2.0 && s[2] == 1.0);
    OK(perp_residual_blocks(p, zero, b, known, NULL, NULL, NULL));
    CU_ASSERT(memcmp(e, known, sizeof e) == 0);
}
