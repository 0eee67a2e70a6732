/* SPDX-License-Identifier: Apache-2.0
 * tests/admm/admm.c: ADMM for convex problems against a slow projected gradient, and what a
 * wrapper relies on. */
#include <config.h>

#include "problems.h"

TEST(solves_problems_of_all_kinds_of_rows)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_problem *p = of_all_kinds(seed);
        perp_result *r = test_solve(p, "admm", "tolerance=1e-11", NULL);
        double *z = test_slow_reference(p, 2000); /* condition below 10: converged */

        test_solved(p, r, 1e-11);
        if (test_distance(p->n, z, r->z) > 1e-9) { /* both errors, times a condition */
            test_note("seed %d: apart by %.1e", (int)seed, test_distance(p->n, z, r->z));
            CU_FAIL("not the solution of the slow reference");
        }
        free(z);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* The same iterates, since only the way to solve the systems differs. */
TEST(a_global_problem_may_stay_in_factors)
{
    perp_problem *p = test_dataset("fclib/Box_Stacks-i0122-82-5.hdf5");
    perp_result *r = test_solve(p, "ds:admm", "global=condensed", NULL);
    perp_result *s = test_solve(p, "ds:admm", "global=factored", NULL);

    CU_ASSERT(test_ran(r, "condensed"));
    CU_ASSERT(test_ran(s, "kept in factors"));
    CU_ASSERT(!test_ran(s, "stored as"));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(s->outcome, PERP_SOLVED);
    /* rounding shifts a judgement by one at most */
    CU_ASSERT(r->iterations <= s->iterations + 5 && s->iterations <= r->iterations + 5);
    perp_result_free(r);
    perp_result_free(s);
    perp_problem_free(p);
}

TEST(a_start_at_or_near_the_solution_saves_iterations)
{
    perp_problem *p = test_associated("rand_fc_12");
    perp_result *cold = test_solve(p, "admm", "tolerance=1e-12", NULL);
    perp_result *same = test_solve_from(p, cold->z, "admm", "tolerance=1e-11", NULL);
    perp_result *near = NULL;
    stepped t;

    CU_ASSERT_EQUAL(same->iterations, 0);
    /* stepped by hand it stays there */
    stepped_open(&t, &perp_solver_admm, p, cold->z);
    stepped_steps(&t, 20);
    CU_ASSERT(test_distance(p->n, t.r->z, cold->z) <= 1e-9 * test_largest(p->n, cold->z));
    stepped_close(&t);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-6 * (double)(i % 3);
    }
    near = test_solve_from(p, cold->z, "admm", "tolerance=1e-8", NULL);
    perp_result_free(same);
    same = test_solve(p, "admm", "tolerance=1e-8", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(near->iterations < same->iterations);
    perp_result_free(cold);
    perp_result_free(same);
    perp_result_free(near);
    perp_problem_free(p);
}

/* Small shifts are taken into the proximal term, large ones are factored; down and up. */
TEST(resumes_with_another_b_and_a_shifted_diagonal)
{
    const double shifts[] = {0.0, 0.5, -1e-4, -0.3, -1e-3, 2.0};
    perp_problem *p = test_associated("rand_fc_8");
    stepped t;

    stepped_open(&t, &perp_solver_admm, p, NULL);
    stepped_steps(&t, 30);
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        for (size_t i = 0; i < p->n; i++) {
            p->b[i] *= 1.0 + 0.01 * (double)(i + k);
        }
        perp_operator_add_diagonal(p->A, shifts[k]);
        CU_ASSERT_EQUAL(perp_run_resume(&t.run, shifts[k], NULL), PERP_OK);
        stepped_steps(&t, 2000);
        if (!(perp_residual(p, t.r->z) <= 1e-11)) { /* slow steps end far below it */
            test_note("shift %g: RES = %.1e", shifts[k], perp_residual(p, t.r->z));
            CU_FAIL("another problem was solved");
        }
    }
    stepped_close(&t);
    perp_problem_free(p);
}

TEST(proves_that_squeezed_contacts_have_no_solution)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_problem *p = squeezed(seed, PERP_LAW_ASSOCIATED);
        perp_result *r = test_solve(p, "admm", NULL);

        test_infeasible(p, r);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST_MAIN("admm")
