/* SPDX-License-Identifier: Apache-2.0
 * tests/admm/admm.c: ADMM for convex problems against a slow projected gradient, and what a
 * wrapper relies on. */
#include <config.h>

#include "core/solver_list.h"
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
}

TEST(a_start_at_or_near_the_solution_saves_iterations)
{
    perp_problem *p = test_associated("rand_fc_12");

    save_iterations(p, &perp_solver_admm);
}

/* Small shifts are taken into the proximal term, large ones are factored; down and up. */
TEST(resumes_with_another_b_and_a_shifted_diagonal)
{
    const double shifts[] = {0.0, 0.5, -1e-4, -0.3, -1e-3, 2.0};
    perp_problem *p = test_associated("rand_fc_8");

    resume_shifted(p, &perp_solver_admm, shifts, sizeof shifts / sizeof *shifts);
}

TEST(proves_that_squeezed_contacts_have_no_solution)
{
    prove_squeezed("admm");
}
