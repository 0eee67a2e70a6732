/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/nsgs_newton.c: sweeps and Newton by turns. */
#include <config.h>

#include <string.h>

#include "answers.h"
#include "core/solver_list.h"
#include "core/solvers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

TEST(agrees_with_the_friction_models_of_another_code)
{
    test_friction_models("nsgs+newton", "tolerance=4e-13", PERP_LAW_COULOMB);
}

TEST(without_sweeps_it_is_prox_newton)
{
    perp_problem *p = test_golden_problem("rand_fc_12");
    perp_result *r = test_solve(p, "nsgs+newton", "sweeps=0", NULL);
    perp_result *x = test_solve(p, "prox-newton", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
}

/* A contact without mass of its own, which nsgs refuses: its normal is coupled to the
 * next one's. W = [0 1; 1 1] on the normals is not semidefinite, so Newton need not solve
 * it, but both halves are tried and the end has a reason. */
TEST(a_row_that_sweeps_refuse_is_left_to_newton)
{
    double rows[36] = {0}, b[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};

    rows[7] = rows[14] = rows[21] = rows[28] = rows[35] = 1.0;
    rows[3] = rows[18] = 1.0;
    perp_problem *p = test_cones(3, 2, rows, b, mu);
    perp_result *r = test_solve(p, "nsgs+newton", NULL);
    CU_ASSERT(test_ran(r, "nsgs+newton: no sweeps"));
    CU_ASSERT(r->outcome != PERP_RUNNING && *r->reason);
    CU_ASSERT(r->outcome != PERP_SOLVED || perp_residual(p, r->z) <= asked);
}

/* A P-matrix, not semidefinite, on which both halves go in circles: the rounds go on
 * until they bring nothing more. */
TEST(more_sweeps_follow_where_newton_fails)
{
    perp_problem *p =
        test_golden_problem("kostreva_3"); /* P, not semidefinite: it circles */
    perp_result *r = test_solve(p, "nsgs+newton", NULL);

    CU_ASSERT(r->work.rounds > 3.0);
    CU_ASSERT(r->iterations > 50); /* 10 + 40 sweeps and more */
    CU_ASSERT(r->outcome == PERP_SOLVED || strstr(r->reason, "rounds"));
}

TEST(a_start_near_the_solution_saves_work)
{
    perp_problem *p = test_golden_problem("arch12_thin");
    perp_result *cold = test_solve(p, "nsgs+newton", "tolerance=1e-10", NULL);
    perp_result *near =
        test_solve_from(p, cold->z, "nsgs+newton", "tolerance=1e-9", NULL);

    CU_ASSERT_EQUAL(cold->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(near->iterations, 0);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-6;
    }
    near = test_solve_from(p, cold->z, "nsgs+newton", "tolerance=1e-10", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(near->work.factorizations < cold->work.factorizations);
}

TEST(its_name_is_read_and_written_as_one)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    char name[64];

    OK(perp_solver_parse("nsgs+newton", &type, &opt, NULL));
    CU_ASSERT_PTR_EQUAL(type, &perp_solver_nsgs_newton);
    perp_solver_print(type, &opt, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "nsgs+newton");
}
