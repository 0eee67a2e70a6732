/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/factored.c: sweeps that keep the velocities of bodies make the same
 * iterates as sweeps over W. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"
#include "pile.h"

static const char *const solvers[] = {"jacobi", "pgs",  "psor", "spgs",
                                      "nncg",   "nsgs", NULL};

/* `sweeps` of both forms, as far apart as rounding allows: |difference|/|z|. */
static double apart(const perp_problem *p, const perp_problem *q, const char *solver,
                    const char *setting, const char *sweeps)
{
    perp_result *r = test_solve(p, solver, sweeps, "tolerance=0", setting, NULL);
    perp_result *x = test_solve(q, solver, sweeps, "tolerance=0", setting, NULL);
    double far = test_distance(p->n, r->z, x->z) / test_largest(p->n, x->z);

    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    return far;
}

/* What is returned is the best point; without a residual of zero that is the last one. */
TEST(twenty_sweeps_agree_with_those_over_w)
{
    static const char *const orders[] = {"order=natural", "order=alternating",
                                         "order=shuffled", NULL};
    perp_problem *p = test_pile(6, 5, true, 3);
    perp_problem *q = test_multiplied(p, PERP_STORAGE_BSR);

    for (size_t i = 0; solvers[i]; i++) {
        for (size_t k = 0; orders[k]; k++) {
            bool ordered = strcmp(solvers[i], "jacobi") != 0;
            double far = apart(p, q, solvers[i], ordered ? orders[k] : "seed=1",
                               "max-iterations=20");

            /* 20 sweeps of sums of at most 12 products each; conjugate directions divide
             * norms of differences of iterates by each other */
            if (!(far <= (strcmp(solvers[i], "nncg") == 0 ? 1e-12 : 1e-14))) {
                test_note("%s %s: %.1e", solvers[i], orders[k], far);
                CU_FAIL("not the iterates of W");
            }
        }
    }
}

/* Scalar rows with friction that follows the normal, and a diagonal of compliance. */
TEST(friction_rows_and_compliance_agree_too)
{
    perp_problem *p = test_pile(5, 4, false, 8), *q = NULL;
    perp_set *set = NULL;
    size_t contacts = p->set->count;

    OK(perp_set_new(&set, 3 * contacts, NULL));
    for (size_t k = 0; k < contacts; k++) {
        perp_set_add_nonneg(set);
        perp_set_add_friction(set, 0.4, 3 * k);
        perp_set_add_friction(set, 0.4, 3 * k);
    }
    test_give_set(p, set);
    perp_operator_add_diagonal(p->A, 0.05);
    q = test_multiplied(p, PERP_STORAGE_CSR);
    for (size_t i = 0; solvers[i]; i++) {
        double far = apart(p, q, solvers[i], "seed=1", "max-iterations=20");

        CU_ASSERT(far <= (strcmp(solvers[i], "nncg") == 0 ? 1e-12 : 1e-14));
    }
}

/* Every other contact is smooth: its impulse cannot slip along a cone that is a line. */
TEST(contacts_without_friction_are_swept_too)
{
    perp_problem *p = test_pile(5, 4, true, 4), *q = NULL;
    perp_set *set = NULL;
    size_t contacts = p->set->count;

    OK(perp_set_new(&set, 3 * contacts, NULL));
    for (size_t k = 0; k < contacts; k++) {
        perp_set_add_cone(set, 3, k % 2 ? 0.5 : 0.0);
    }
    test_give_set(p, set);
    q = test_multiplied(p, PERP_STORAGE_BSR);
    for (size_t i = 0; solvers[i]; i++) {
        double far = apart(p, q, solvers[i], "seed=1", "max-iterations=20");

        CU_ASSERT(far <= (strcmp(solvers[i], "nncg") == 0 ? 1e-12 : 1e-14));
    }
}

TEST(all_solve_in_factors)
{
    perp_problem *p = test_pile(6, 5, true, 3);

    for (size_t i = 0; solvers[i]; i++) {
        perp_result *r = test_solve(p, solvers[i], NULL), *x = NULL;

        if (!test_solved(p, r, 1e-8)) {
            test_note("%s", solvers[i]);
        }
        x = test_solve_from(p, r->z, solvers[i], NULL);
        CU_ASSERT_EQUAL(x->iterations, 0);
    }
}

/* Velocities are formed anew now and then: after thousands of sweeps what they say is
 * what z says. Without that the roundings of 5000 sweeps would stand in them. */
TEST(velocities_do_not_drift)
{
    perp_problem *p = test_pile(6, 5, true, 3);
    perp_result *r =
        test_solve(p, "nsgs", "max-iterations=5000", "tolerance=0", "stall=0", NULL);

    CU_ASSERT(r->residual <= 1e-13);
}

/* A global problem whose mass matrix falls into bodies. */
TEST(a_global_problem_is_swept_in_factors)
{
    perp_problem *p = test_dataset("fclib/Box_Stacks-i0122-82-5.hdf5");
    perp_result *r = test_solve(p, "nsgs", "global=factored", NULL);
    perp_result *x = test_solve(p, "nsgs", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(test_ran(r, "factor"));
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
}
