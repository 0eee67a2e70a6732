/* SPDX-License-Identifier: Apache-2.0
 * tests/admm/admm_ncp.c: proximal ADMM on Coulomb's law: rows of all kinds, every way to solve
 * its systems, in factors, warm, resumed, proofs. */
#include <config.h>

#include "core/solver_list.h"
#include "problems.h"

TEST(solves_problems_of_all_kinds_of_rows)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_problem *p = of_all_kinds(seed);
        perp_result *r = test_solve(p, "admm-ncp", "tolerance=1e-11", NULL);
        double *z = test_slow_reference(p, 2000); /* condition below 10: converged */

        test_solved(p, r, 1e-11);
        CU_ASSERT(test_distance(p->n, z, r->z) <= 1e-9); /* both errors, conditioned */
        p->law = PERP_LAW_COULOMB;
        r = test_solve(p, "admm-ncp", "tolerance=1e-11", NULL);
        test_solved(p, r, 1e-11);
    }
}

/* The same iterates by factors and by eigenvectors, dense and sparse, but for
 * rounding. */
TEST(every_way_to_solve_the_systems_gives_the_same)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    perp_result *r = test_solve(p, "admm-ncp", "linear=spectrum", NULL);
    perp_result *s = test_solve(p, "admm-ncp", "linear=factors", NULL);
    perp_problem *q = test_stored(p, PERP_STORAGE_CSR, 1);
    perp_result *t = test_solve(q, "admm-ncp", "linear=factors", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, s->iterations);
    CU_ASSERT_EQUAL(r->iterations, t->iterations);
    CU_ASSERT_EQUAL(r->work.factorizations, 1.0);
    /* rounding of some hundred steps that contract */
    CU_ASSERT(test_distance(p->n, r->z, s->z) <= 1e-10 * test_largest(p->n, r->z));
    CU_ASSERT(test_distance(p->n, r->z, t->z) <= 1e-10 * test_largest(p->n, r->z));
}

TEST(a_global_problem_may_stay_in_factors)
{
    const char *const files[] = {
        "fclib/Box_Stacks-i0122-82-5.hdf5", "fclib/Chute-ndof-768-nc-4-3.hdf5",
        "siconos-gfc3d/gfc2d_granularflowonwall_00069_00350.dat"};

    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        perp_problem *p = test_dataset(files[k]);
        perp_result *r = test_solve(p, "admm-ncp", "linear=factors", NULL);
        perp_result *s = test_solve(p, "admm-ncp", "global=factored", NULL);

        CU_ASSERT(test_ran(s, "kept in factors"));
        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_EQUAL(s->outcome, PERP_SOLVED);
        CU_ASSERT(s->iterations <= 2 * r->iterations); /* the same but for |A| */
    }
}

TEST(a_start_at_or_near_the_solution_saves_iterations)
{
    perp_problem *p = test_golden_problem("rand_fc_12");

    save_iterations(p, &perp_solver_admm_ncp);
}

TEST(resumes_with_another_b_and_a_shifted_diagonal)
{
    const double shifts[] = {0.0, 0.5, -0.3, 2.0};
    perp_problem *p = test_golden_problem("rand_fc_8");

    for (int storage = 0; storage < 2; storage++) { /* factors of CSR, then a spectrum */
        test_store(p, storage ? PERP_STORAGE_DENSE : PERP_STORAGE_CSR, 1);
        resume_shifted(p, &perp_solver_admm_ncp, shifts, sizeof shifts / sizeof *shifts);
    }
}

TEST(proves_that_squeezed_contacts_have_no_solution)
{
    prove_squeezed("admm-ncp");
}

/* W of 9 spheres, each ten times as heavy as the one below, presses its curvature below
 * all tolerances of a proof: it must be solved, not called infeasible. */
/* The rounding of impulses of 1e8 b alone may cost 1e-7. */
TEST(a_mass_ratio_of_ten_to_the_eighth_is_solved)
{
    enum { SPHERES = 9, N = 3 * SPHERES };
    static double rows[N * N];
    double b[N];
    double mu[SPHERES];

    for (size_t i = 0; i < SPHERES; i++) { /* contact i: below sphere i, of mass 10^i */
        for (size_t k = 0; k < 3; k++) {
            /* tangents turn solid spheres too: 1 + 5/2 times as mobile */
            double mobile = k == 0 ? 1.0 : 3.5;
            double turn = k == 0 ? -1.0 : -1.0 + 2.5;
            size_t row = 3 * i + k;

            rows[row * N + row] = mobile * pow(10.0, -(double)i);
            if (i > 0) {
                double below = pow(10.0, -(double)(i - 1));

                rows[row * N + row] += mobile * below;
                rows[row * N + row - 3] = rows[(row - 3) * N + row] = turn * below;
            }
            b[row] = k == 0 && i == 0 ? -0.0981 : 0.0;
        }
        mu[i] = 0.5;
    }
    perp_problem *p = test_cones(3, SPHERES, rows, b, mu);
    perp_result *r = test_solve(p, "admm-ncp", "tolerance=2e-7", NULL);
    test_note("%zu iterations", r->iterations);
    test_solved(p, r, 2e-7);
    CU_ASSERT(r->iterations <= 28000); /* twice the count of another implementation */
}
