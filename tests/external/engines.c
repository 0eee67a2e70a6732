/* SPDX-License-Identifier: Apache-2.0
 * tests/external/engines.c: the LCP solvers of ODE, Bullet and DART, where they are here:
 * bounds, friction rows, padding, starts, units, refusals. */
#include <config.h>

#include <math.h>

#include "answers.h"
#include "here.h"
#include "instances.h"

static const char *const dantzigs[] = {"ode:dantzig", "bullet:dantzig", "dart:dantzig",
                                       NULL};
static const char *const sweepers[] = {"bullet:pgs", "dart:pgs", NULL};
static const char *const lemkes[] = {"bullet:lemke", "dart:lemke", NULL};

typedef void visitor(const char *solver);

static void each(const char *const *names, visitor *visit)
{
    for (; *names; names++) {
        if (code_is_here(*names)) {
            visit(*names);
        }
    }
}

static void all(visitor *visit)
{
    each(dantzigs, visit);
    each(sweepers, visit);
    each(lemkes, visit);
}

static void expect(const char *solver, const perp_problem *p, const double *z)
{
    const perp_result *r = test_solve(p, solver, NULL);

    if (!test_solved(p, r, 1e-8)) {
        test_note("%s: %s", solver, r->reason);
    }
    if (r->foreign.ran) { /* else the plan has left no row */
        CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
        CU_ASSERT_FALSE(r->foreign.false_claim);
        CU_ASSERT(r->foreign.seconds > 0.0);
    }
    for (size_t i = 0; i < p->n; i++) { /* residual 1e-8, condition below 100 */
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], z[i], 1e-5 * fmax(1.0, fabs(z[i])));
    }
}

/* Rows 1 and 3 are active: z = (1/4, 0, 1); row 2: w = 2 + 1/4 + 1 > 0. */
static void solves_by_hand(const char *solver)
{
    const double rows[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2};
    const double q[3] = {-1, 2, -2};
    const double z[3] = {0.25, 0, 1};

    expect(solver, test_lcp(3, rows, q), z);
}

TEST(each_solver_solves_a_problem_worked_by_hand)
{
    all(solves_by_hand);
}

/* Rows of A are padded to four numbers in ODE and DART. Boxes that do not contain 0 are
 * shifted. */
static void solves_boxes(const char *solver)
{
    for (size_t n = 1; n <= 13; n++) {
        const perp_problem *p = test_boxed(n, n);

        expect(solver, p, test_solve(p, "dantzig", NULL)->z);
    }
}

TEST(each_solver_solves_boxes_of_any_size)
{
    all(solves_boxes);
}

static void solves_free_rows(const char *solver)
{
    const double rows[4] = {2, 1, 1, 2}, q[2] = {-3, -3}, z[2] = {1, 1};
    perp_problem *p = test_lcp(2, rows, q);

    test_give_set(p, test_set("free,free"));
    expect(solver, p, z);
}

TEST(free_rows_alone_are_a_linear_system)
{
    each(dantzigs, solves_free_rows);
    each(sweepers, solves_free_rows);
}

/* A = I: z_normal = 1, one row slides at mu = 1/2 times it, one sticks. The friction rows stand
 * before and behind their normal row. */
static void solves_friction(const char *solver)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double behind[3] = {-1, -2, 0.25}, z_behind[3] = {1, 0.5, -0.25};
    const double before[3] = {0.25, -1, 2}, z_before[3] = {-0.25, 1, -0.5};
    perp_problem *p = test_lcp(3, rows, behind);
    perp_problem *other = test_lcp(3, rows, before);

    test_give_set(p, test_set("nonneg,row:0.5:0,row:0.5:0"));
    test_give_set(other, test_set("row:0.5:1,nonneg,row:0.5:1"));
    expect(solver, p, z_behind);
    expect(solver, other, z_before);
}

TEST(friction_rows_follow_their_normal_row)
{
    all(solves_friction);
}

/* A = [2 1; 1 2], b = (-2, -4), mu = 1/2: z = (0.8, 0.4). The normal alone is 1, so that a
 * bound that is kept is 1/2. */
static perp_problem *coupled(void)
{
    const double rows[4] = {2, 1, 1, 2}, q[2] = {-2, -4};
    perp_problem *p = test_lcp(2, rows, q);

    test_give_set(p, test_set("nonneg,row:0.5:0"));
    return p;
}

static void claims_falsely(const char *solver)
{
    const perp_result *r = test_solve(coupled(), solver, NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
    CU_ASSERT(r->foreign.false_claim);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.75, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r->z[1], 0.5, 1e-12);
}

TEST(a_friction_bound_that_is_kept_is_a_false_claim)
{
    each(dantzigs, claims_falsely);
}

static void solves_coupled(const char *solver)
{
    const double z[2] = {0.8, 0.4};

    expect(solver, coupled(), z);
}

TEST(sweeps_and_lemke_solve_the_coupled_friction)
{
    each(sweepers, solves_coupled);
    each(lemkes, solves_coupled);
}

static void uses_its_start(const char *solver)
{
    const perp_problem *p = test_boxed(40, 3);
    const double *z = test_solve(p, "dantzig", NULL)->z;
    const perp_result *cold = test_solve(p, solver, "tolerance=1e-10", NULL);
    const perp_result *warm = test_solve_from(p, z, solver, "tolerance=1e-10", NULL);

    CU_ASSERT_EQUAL(cold->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(warm->outcome, PERP_SOLVED);
    CU_ASSERT(warm->iterations < cold->iterations);
}

TEST(sweeps_begin_at_the_start)
{
    each(sweepers, uses_its_start);
}

static void reaches_its_limit(const char *solver)
{
    const perp_problem *p = test_boxed(40, 3);
    const perp_result *r =
        test_solve(p, solver, "tolerance=1e-12", "max-iterations=2", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "iteration limit");
    CU_ASSERT_EQUAL(r->iterations, 2);
}

TEST(sweeps_end_at_the_limit_of_iterations)
{
    each(sweepers, reaches_its_limit);
}

/* Impulses of 1e9 from an A of 1e-12: beyond the limits that Bullet and DART have. */
static void solves_in_small_units(const char *solver)
{
    const double rows[4] = {2e-12, 1e-12, 1e-12, 2e-12};
    const double q[2] = {-1e-3, 1e-3}, z[2] = {0.5e9, 0};

    expect(solver, test_lcp(2, rows, q), z);
}

TEST(units_do_not_matter)
{
    all(solves_in_small_units);
}

static void expect_refused(const char *solver, const perp_problem *p, const char *words)
{
    const perp_solver_type *type = perp_solver_find(solver);
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_result_new(&r, p->n, NULL));
    CU_ASSERT_EQUAL(perp_solve(type, p, NULL, r, &err), PERP_ERR_UNSUITABLE);
    if (!strstr(err.text, words)) {
        test_note("%s: %s", solver, err.text);
        CU_FAIL("other words");
    }
}

static void refuses_an_unsymmetric_matrix(const char *solver)
{
    const double rows[4] = {2, 1, 0, 2}, q[2] = {-1, -1};

    expect_refused(solver, test_lcp(2, rows, q), "demands a symmetric A");
}

TEST(what_reads_one_triangle_refuses_an_unsymmetric_matrix)
{
    each(dantzigs, refuses_an_unsymmetric_matrix);
}

static void solves_an_unsymmetric_problem(const char *solver)
{
    const double rows[4] = {2, 1, 0, 2}, q[2] = {-2, -1}, z[2] = {0.75, 0.5};

    expect(solver, test_lcp(2, rows, q), z);
}

TEST(the_others_solve_it)
{
    each(sweepers, solves_an_unsymmetric_problem);
    each(lemkes, solves_an_unsymmetric_problem);
}

static void refuses_cones(const char *solver)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 1, 0}, mu[1] = {0.5};

    expect_refused(solver, test_cones(3, 1, rows, b, mu), "takes no cone rows");
}

TEST(cones_are_refused_in_one_line)
{
    all(refuses_cones);
}

/* A normal row 1 <= z: the engine would bound friction by mu (z - 1). */
static void refuses_a_shifted_normal(const char *solver)
{
    perp_problem *p = coupled();

    test_give_set(p, test_set("1..inf,row:0.5:0"));
    expect_refused(solver, p, "lower bound that is not 0");
}

TEST(a_normal_row_with_another_bound_is_refused)
{
    each(dantzigs, refuses_a_shifted_normal);
    each(sweepers, refuses_a_shifted_normal);
}
