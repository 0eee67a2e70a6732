/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/spg_inline.c: spectral projected steps on Coulomb's law itself. */
#include <config.h>

#include "core/solver_list.h"
#include "helpers.h"

/* Without a shift it is the method of spg, whose answer is the minimiser. */
TEST(finds_the_minimiser_under_the_associated_law)
{
    perp_problem *p = test_associated("rand_fc_8");
    perp_result *r = test_solve(p, "spg-inline", "tolerance=1e-11", NULL);
    perp_result *s = test_solve(p, "spg", "tolerance=1e-11", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    /* velocities: 1e-11 through a condition number of 1e3 */
    CU_ASSERT(test_distance(p->n, r->w, s->w) <= 1e-8 * test_largest(p->n, p->b));
}

TEST(needs_fewer_steps_from_a_near_start_and_none_from_the_solution)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    perp_result *cold = test_solve(p, "spg-inline", "check-every=1", NULL);
    perp_result *there = test_solve_from(p, cold->z, "spg-inline", NULL);

    CU_ASSERT(there->iterations <= 1);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-6;
    }
    perp_result *near = test_solve_from(p, cold->z, "spg-inline", "check-every=1", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(near->iterations < cold->iterations);
}

/* A wall pushed hard circles; the point returned is the best one, and finite. */
TEST(returns_its_best_point_where_it_circles)
{
    perp_problem *p = test_dataset("siconos-rolling/rfc3d_sphere_from_grfc3d.dat");
    double *zero = test_reals(p->n);
    perp_result *r = test_solve(p, "spg-inline", "max-iterations=2000", NULL);

    CU_ASSERT(perp_all_finite(r->z, p->n));
    CU_ASSERT(perp_residual(p, r->z) < 1e-2 * perp_residual(p, zero));
}

TEST(ends_on_numbers_that_are_not_finite)
{
    perp_problem *p = test_golden_problem("incline_slip");
    stepped t;

    stepped_open(&t, &perp_solver_spg_inline, p, NULL);
    p->b[0] = NAN;
    OK(perp_run_resume(&t.run, 0.0, NULL));
    stepped_steps(&t, 50);
    CU_ASSERT_EQUAL(t.r->outcome, PERP_STALLED);
    stepped_close(&t);
}
