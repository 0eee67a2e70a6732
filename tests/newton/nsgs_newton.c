/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/nsgs_newton.c: sweeps and Newton by turns. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

/* Every contact of the datasets, with the Newton steps another code took after at most
 * ten sweeps; 0 where the sweeps sufficed. To be met within a factor 2, small counts but
 * for 4. */
TEST(takes_the_known_numbers_of_steps_on_real_instances)
{
    const struct {
        const char *path;
        double steps;
    } known[] = {
        {"fclib/local_problem_test.hdf5", 10},
        {"fclib/Capsules-i125-1213.hdf5", 14},
        {"siconos-fc3d/BoxesStack1-i100000-32.hdf5.dat", 7},
        {"siconos-fc3d/Capsules-i100-1090.dat", 8},
        {"siconos-fc3d/Capsules-i122-1617.dat", 20},
        {"siconos-fc3d/Confeti-ex03-Fc3D-SBM.dat", 4},
        {"siconos-fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat", 0},
        {"siconos-fc3d/FC3D_Example1_SBM.dat", 0},
        {"siconos-fc3d/FrictionContact3D_1c.dat", 0},
        {"siconos-fc3d/KaplasTower-i1061-4.hdf5.dat", 14},
        {"siconos-fc3d/NESpheres_10_1.dat", 2},
        {"siconos-fc3d/OneObject-i100000-316.hdf5.dat", 4},
        {"siconos-fc3d/Rover1040.dat", 2},
        {"siconos-fc3d/Rover11035.dat", 0},
        {"siconos-fc3d/Rover4396.dat", 0},
        {"fclib/Box_Stacks-i0122-82-5.hdf5", 2},
        {"fclib/CubeH8.hdf5", 0},
        {"siconos-gfc3d/GFC3D_Example00_badly_scaled.dat", 0},
        {"siconos-gfc3d/GFC3D_Example1.dat", 0},
        {"siconos-gfc3d/GFC3D_TwoRods1.dat", 0},
        {"contactbench/sliding_cube.npz", 1},
        {"siconos-fc2d/FrictionContactProblem00237.dat", 9},
        {"siconos-fc2d/FrictionContactProblem00394.dat", 0},
        {"siconos-fc2d/fc2d_granularflowonwall_00667_00000.dat", 2},
        {"siconos-gfc3d/gfc2d_granularflowonwall_00069_00350.dat", 2},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        perp_problem *p = test_dataset(known[i].path);
        perp_result *r = test_solve(p, "nsgs+newton", NULL);

        if (r->outcome != PERP_SOLVED ||
            r->work.factorizations > fmax(2.0 * known[i].steps, known[i].steps + 4.0)) {
            test_note("%s: %g steps, expected %g; %s", known[i].path,
                      r->work.factorizations, known[i].steps, r->reason);
            CU_FAIL("not solved in time");
        }
        CU_ASSERT((known[i].steps == 0.0) == (r->work.factorizations == 0.0));
        CU_ASSERT(r->residual <= asked);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(solves_the_golden_contacts_to_4e_13)
{
    for (size_t i = 0; test_golden_contacts[i]; i++) {
        perp_problem *p = test_golden_problem(test_golden_contacts[i]);
        perp_result *r = test_solve(p, "nsgs+newton", "tolerance=4e-13", NULL);

        if (!test_solved(p, r, 4e-13)) {
            test_note("%s", test_golden_contacts[i]);
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

static void check_friction_model(size_t index, const json_t *in, const json_t *out)
{
    test_friction_model_solved(index, in, out, "nsgs+newton", "tolerance=4e-13");
}

TEST(agrees_with_the_friction_models_of_another_code)
{
    CU_ASSERT_EQUAL(test_each_friction_model(check_friction_model), 12);
}

TEST(sweeps_that_suffice_need_no_newton)
{
    perp_problem *p = test_dataset("siconos-fc3d/Rover11035.dat");
    perp_result *r = test_solve(p, "nsgs+newton", NULL);

    test_solved(p, r, asked);
    CU_ASSERT_EQUAL(r->iterations, 1);
    CU_ASSERT_EQUAL(r->work.factorizations, 0.0);
    CU_ASSERT(test_ran(r, "nsgs+newton: 1 sweep and 0 steps in 1 round"));
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(without_sweeps_it_is_prox_newton)
{
    perp_problem *p = test_golden_problem("rand_fc_12");
    perp_result *r = test_solve(p, "nsgs+newton", "sweeps=0", NULL);
    perp_result *x = test_solve(p, "prox-newton", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
}

/* nsgs knows no rolling moments: Newton works alone, and is told so by what ran. */
TEST(newton_works_alone_where_nsgs_cannot)
{
    perp_problem *p = test_dataset("siconos-rolling/rockfall_14_25792.dat");
    perp_result *r = test_solve(p, "nsgs+newton", NULL);

    test_solved(p, r, asked);
    if (!(perp_solver_nsgs.sets.set_bits & PERP_SET_ROLLING)) {
        CU_ASSERT(test_ran(r, "nsgs+newton: 0 sweeps"));
    }
    perp_result_free(r);
    perp_problem_free(p);
}

/* A contact without mass of its own, which nsgs refuses: its normal is coupled to the
 * next one's. W = [0 1; 1 1] on the normals is not semidefinite, so Newton need not solve
 * it, but both halves are tried and the end has a reason. */
TEST(a_row_that_sweeps_refuse_is_left_to_newton)
{
    double rows[36] = {0}, b[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
    perp_problem *p = NULL;
    perp_result *r = NULL;

    rows[7] = rows[14] = rows[21] = rows[28] = rows[35] = 1.0;
    rows[3] = rows[18] = 1.0;
    p = test_cones(3, 2, rows, b, mu);
    r = test_solve(p, "nsgs+newton", NULL);
    CU_ASSERT(test_ran(r, "nsgs+newton: no sweeps"));
    CU_ASSERT(r->outcome != PERP_RUNNING && *r->reason);
    CU_ASSERT(r->outcome != PERP_SOLVED || perp_residual(p, r->z) <= asked);
    perp_result_free(r);
    perp_problem_free(p);
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
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(a_start_near_the_solution_saves_work)
{
    perp_problem *p = test_golden_problem("arch12_thin");
    perp_result *cold = test_solve(p, "nsgs+newton", "tolerance=1e-10", NULL);
    perp_result *near =
        test_solve_from(p, cold->z, "nsgs+newton", "tolerance=1e-9", NULL);

    CU_ASSERT_EQUAL(cold->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(near->iterations, 0);
    perp_result_free(near);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-6;
    }
    near = test_solve_from(p, cold->z, "nsgs+newton", "tolerance=1e-10", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(near->work.factorizations < cold->work.factorizations);
    perp_result_free(near);
    perp_result_free(cold);
    perp_problem_free(p);
}

TEST(its_name_is_read_and_written_as_one)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    char name[64];

    CU_ASSERT_EQUAL_FATAL(perp_solver_parse("nsgs+newton", &type, &opt, NULL), PERP_OK);
    CU_ASSERT_PTR_EQUAL(type, &perp_solver_nsgs_newton);
    perp_solver_print(type, &opt, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "nsgs+newton");
}

TEST(a_proof_of_newton_is_passed_on)
{
    perp_problem *p = test_golden_problem("qp_kkt_infeasible_41");
    perp_result *r = test_solve(p, "nsgs+newton", NULL);

    test_infeasible(p, r);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST_MAIN("nsgs+newton")
