/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/prox_newton.c: full Newton steps inside a proximal point loop. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

/* W = I/2, mu = 1/2, b = (-0.0981, 1, 0): u_N = 0 needs r_N = 0.1962; sliding along t1,
 * so r_T = -mu r_N. */
TEST(solves_a_sliding_block_by_hand)
{
    const double rows[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    perp_problem *p = test_cones(3, 1, rows, (double[]){-0.0981, 1, 0}, (double[]){0.5});
    perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-13", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.1962, 1e-12); /* 1/W = 2 residuals, and |b| = 1 */
    CU_ASSERT_DOUBLE_EQUAL(r->z[1], -0.0981, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(r->z[2], 0.0, 1e-12);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Every contact of the datasets, with the steps another code took from r = 0, which are
 * to be met within a factor 2. */
static const struct {
    const char *path;
    size_t steps;
} known[] = {
    {"fclib/local_problem_test.hdf5", 15},
    {"fclib/Capsules-i125-1213.hdf5", 16},
    {"siconos-fc3d/BoxesStack1-i100000-32.hdf5.dat", 12},
    {"siconos-fc3d/Capsules-i100-1090.dat", 14},
    {"siconos-fc3d/Capsules-i122-1617.dat", 59},
    {"siconos-fc3d/Confeti-ex03-Fc3D-SBM.dat", 9},
    {"siconos-fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat", 3},
    {"siconos-fc3d/FC3D_Example1_SBM.dat", 3},
    {"siconos-fc3d/FrictionContact3D_1c.dat", 3},
    {"siconos-fc3d/KaplasTower-i1061-4.hdf5.dat", 10},
    {"siconos-fc3d/NESpheres_10_1.dat", 5},
    {"siconos-fc3d/OneObject-i100000-316.hdf5.dat", 10},
    {"siconos-fc3d/Rover1040.dat", 11},
    {"siconos-fc3d/Rover11035.dat", 8},
    {"siconos-fc3d/Rover4396.dat", 8},
    {"fclib/Box_Stacks-i0122-82-5.hdf5", 5},
    {"fclib/CubeH8.hdf5", 3},
    {"siconos-gfc3d/GFC3D_Example00_badly_scaled.dat", 3},
    {"siconos-gfc3d/GFC3D_Example1.dat", 4},
    {"siconos-gfc3d/GFC3D_TwoRods1.dat", 2},
    {"contactbench/sliding_cube.npz", 3},
};

TEST(takes_the_known_numbers_of_steps_on_real_instances)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        perp_problem *p = test_dataset(known[i].path);
        perp_result *r = test_solve(p, "prox-newton", NULL);

        if (r->outcome != PERP_SOLVED || r->iterations > 2 * known[i].steps) {
            test_note("%s: %zu steps, expected %zu; %s", known[i].path, r->iterations,
                      known[i].steps, r->reason);
            CU_FAIL("not solved in time");
        }
        CU_ASSERT(r->residual <= asked);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Double precision allows 1e-12 on all of them, under either law. */
TEST(reaches_1e_12_on_real_instances)
{
    for (size_t i = 0; i < 2 * (sizeof known / sizeof *known); i++) {
        const char *path = known[i / 2].path;
        perp_problem *p = test_dataset(path);
        perp_result *r = NULL;

        if (strstr(path, "Kaplas")) { /* a second of factorisations */
            perp_problem_free(p);
            continue;
        }
        p->law = i % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
        r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
        if (r->outcome != PERP_SOLVED) {
            test_note("%s: %s", path, r->reason);
            CU_FAIL("not to 1e-12");
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(solves_contacts_in_the_plane_and_rolling_ones)
{
    const char *const paths[] = {"siconos-fc2d/FrictionContactProblem00237.dat",
                                 "siconos-fc2d/FrictionContactProblem00394.dat",
                                 "siconos-fc2d/fc2d_granularflowonwall_00667_00000.dat",
                                 "siconos-gfc3d/gfc2d_granularflowonwall_00069_00350.dat",
                                 "siconos-rolling/RFC3D_cube_1.dat",
                                 "siconos-rolling/rfc3d_sphere_from_grfc3d.dat",
                                 "siconos-rolling/rockfall_14_25792.dat",
                                 "fclib/Chute-ndof-768-nc-4-3.hdf5"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        perp_problem *p = test_dataset(paths[i]);
        perp_result *r = test_solve(p, "prox-newton", NULL);

        if (r->outcome != PERP_SOLVED || !(r->residual <= asked)) {
            test_note("%s: %s", paths[i], r->reason);
            CU_FAIL("not solved");
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(solves_the_golden_contacts_under_both_laws)
{
    for (size_t i = 0; test_golden_contacts[i]; i++) {
        perp_problem *p = test_golden_problem(test_golden_contacts[i]);
        perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-11", NULL);

        test_solved(p, r, 1e-11);
        perp_result_free(r);
        p->law = PERP_LAW_ASSOCIATED;
        r = test_solve(p, "prox-newton", "tolerance=1e-11", NULL);
        test_solved(p, r, 1e-11);
        CU_ASSERT(r->measures.residual_associated <= 1e-11);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* The associated law by another method altogether. */
TEST(agrees_with_projected_gradients_on_a_cone_program)
{
    perp_problem *p = test_golden_problem("rand_fc_12");
    perp_result *r = NULL, *x = NULL;

    p->law = PERP_LAW_ASSOCIATED;
    r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
    x = test_solve(p, "mpgp", "tolerance=1e-10", NULL);
    CU_ASSERT_EQUAL(x->outcome, PERP_SOLVED);
    CU_ASSERT(test_distance(p->n, r->w, x->w) <= 1e-6); /* 1e-10 times the condition */
    CU_ASSERT(r->measures.objective <= x->measures.objective + 1e-10);
    perp_result_free(r);
    perp_result_free(x);
    perp_problem_free(p);
}

/* A joint, two contacts, a limit, a motor and a disk in one problem, in every storage. */
TEST(solves_contacts_and_other_rows_together)
{
    enum { ROWS = 12 };
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};

    for (size_t k = 0; k < 3; k++) {
        perp_set *set = NULL;
        perp_problem *p = NULL;
        perp_random g = {6};
        perp_result *r = NULL;

        CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 7, NULL), PERP_OK);
        perp_set_add_free(set);
        perp_set_add_cone(set, 3, 0.6);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -0.1, 0.2);
        perp_set_add_cone(set, 2, 0.4);
        perp_set_add_disk(set, 0.05);
        perp_set_add_cone(set, 2, 0.0);
        p = test_problem(test_spd(ROWS, 9), set, PERP_LAW_COULOMB, &g);
        test_store(p, storages[k], 2);
        r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
        test_solved(p, r, 1e-12);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* With eps tiny from the start a regular problem is plain Newton: near the solution each
 * step squares the error. */
TEST(converges_quadratically_near_a_solution)
{
    perp_problem *p = test_golden_problem("incline_slip");
    perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
    double *z = perp_reals_new(p->n);
    perp_result *x = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(z);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = r->z[i] * (i % 2 ? 1.0 + 1e-4 : 1.0 - 1e-4);
    }
    x = test_solve_from(p, z, "prox-newton", "eps=1e-9", "history=on", "tolerance=1e-12",
                        NULL);
    test_solved(p, x, 1e-12);
    CU_ASSERT(x->iterations <= 3); /* 1e-4, 1e-8, 1e-16 */
    for (size_t i = 1; i < x->history_count; i++) {
        double before = x->history[i - 1].residual;

        CU_ASSERT(x->history[i].residual <= 10.0 * before * before + 1e-8 * before);
    }
    perp_result_free(r);
    perp_result_free(x);
    free(z);
    perp_problem_free(p);
}

TEST(a_start_near_the_solution_saves_steps)
{
    perp_problem *p = test_dataset("siconos-fc3d/Capsules-i100-1090.dat");
    perp_result *cold = test_solve(p, "prox-newton", NULL);
    perp_result *near = NULL;
    double *z = perp_reals_new(p->n);

    CU_ASSERT_PTR_NOT_NULL_FATAL(z);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = cold->z[i] * (1.0 + 1e-4 * sin((double)i));
    }
    near = test_solve_from(p, z, "prox-newton", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(2 * near->iterations < cold->iterations);
    perp_result_free(near);
    near = test_solve_from(p, cold->z, "prox-newton", NULL);
    CU_ASSERT_EQUAL(near->iterations, 0);
    perp_result_free(near);
    perp_result_free(cold);
    free(z);
    perp_problem_free(p);
}

TEST(growing_impulses_prove_that_there_is_no_solution)
{
    const char *const ids[] = {"infeasible_zero", "qp_kkt_infeasible_41"};

    for (size_t i = 0; i < 2; i++) {
        perp_problem *p = test_golden_problem(ids[i]);
        perp_result *r = test_solve(p, "prox-newton", NULL);

        test_infeasible(p, r);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* A contact pressed together by motion that no impulse changes: W = 0 on its normal. */
TEST(a_squeezed_contact_has_a_certificate)
{
    const double rows[] = {0, 0, 0, 0, 1, 0, 0, 0, 1};

    for (int law = 0; law < 2; law++) {
        perp_problem *p = test_cones(3, 1, rows, (double[]){-1, 0, 0}, (double[]){0.5});
        perp_result *r = NULL;

        p->law = law ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
        r = test_solve(p, "prox-newton", NULL);
        test_infeasible(p, r);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Six balls on one another, each a hundred times as heavy as the one below: the impulses
 * must grow to 1e10 times the first step, along a direction in which A hardly curves.
 * That is a long way, no proof; contact i carries all the masses from i on. */
TEST(a_heavy_tower_is_not_called_infeasible)
{
    enum { BALLS = 6 };
    double rows[BALLS * BALLS] = {0}, b[BALLS] = {-1}, mass[BALLS], above = 0.0;
    perp_problem *p = NULL;
    perp_result *r = NULL;

    for (int i = 0; i < BALLS; i++) {
        mass[i] = pow(100.0, i);
        rows[i * BALLS + i] = 1.0 / mass[i];
        if (i > 0) {
            rows[i * BALLS + i] += 1.0 / mass[i - 1];
            rows[i * BALLS + i - 1] = rows[(i - 1) * BALLS + i] = -1.0 / mass[i - 1];
        }
    }
    p = test_lcp(BALLS, rows, b);
    r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    for (int i = BALLS; i-- > 0;) {
        above += mass[i];
        CU_ASSERT_DOUBLE_EQUAL(r->z[i] / above, 1.0,
                               1e-4); /* 1e-16 times the condition */
    }
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(says_why_it_stops_without_a_solution)
{
    perp_problem *p = test_golden_problem("feasible_unsolvable");
    perp_result *r = test_solve(p, "prox-newton", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "rounds"));
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
    perp_result_free(r);
    perp_problem_free(p);
}

/* All steps that do not depend on the pattern are counted. */
TEST(counts_its_work)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    perp_result *r = test_solve(p, "prox-newton", NULL);

    CU_ASSERT_EQUAL(r->work.factorizations, (double)r->iterations);
    CU_ASSERT(r->work.flops_factor > 0.0);
    CU_ASSERT(r->work.products >= 12.0 + (double)r->iterations);
    CU_ASSERT(r->work.rounds >= 1.0);
    perp_result_free(r);
    perp_problem_free(p);
}

/* Box friction: as stored, in CSR, and with a skew part
 * added to A. */
TEST(solves_friction_rows_in_every_storage)
{
    const char *const names[] = {"findex_0", "findex_1", "findex_2"};

    for (int k = 0; k < 9; k++) {
        perp_problem *p = test_golden_problem(names[k / 3]);
        perp_result *r = NULL;

        if (k % 3 == 1) {
            perp_operator *csr = NULL;

            CU_ASSERT_EQUAL_FATAL(
                perp_operator_convert(&csr, p->A, PERP_STORAGE_CSR, 1, NULL), PERP_OK);
            perp_operator_free(p->A);
            p->A = csr;
        } else if (k % 3 == 2) {
            for (size_t i = 0; i + 1 < p->n; i += 2) {
                p->A->x[i + (i + 1) * p->A->ld] += 1e-3;
                p->A->x[i + 1 + i * p->A->ld] -= 1e-3;
            }
        }
        r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
        test_solved(p, r, 1e-12);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(no_contacts_is_no_problem)
{
    perp_problem *p = test_cones(3, 0, NULL, NULL, NULL);
    perp_result *r = test_solve(p, "prox-newton", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    perp_result_free(r);
    perp_problem_free(p);
}

TEST_MAIN("prox-newton")
