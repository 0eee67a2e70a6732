/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/ac.c: damped Newton on the equation of Alart and Curnier. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

/* W = I/2, mu = 1/2, b = (-0.0981, 1, 0): sliding with r_N = 0.1962, r_T = -mu r_N. With
 * the modes known the system is linear in the plane of b: two steps. */
TEST(solves_a_sliding_block_by_hand)
{
    const char *const radius[] = {"radius=alart-curnier", "radius=jean-moreau"};
    const double rows[] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};

    for (int i = 0; i < 2; i++) {
        perp_problem *p =
            test_cones(3, 1, rows, (double[]){-0.0981, 1, 0}, (double[]){0.5});
        perp_result *r = test_solve(p, "ac", "tolerance=1e-13", radius[i], NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT_DOUBLE_EQUAL(r->z[0], 0.1962, 1e-12); /* 2 residuals, and |b| = 1 */
        CU_ASSERT_DOUBLE_EQUAL(r->z[1], -0.0981, 1e-12);
        CU_ASSERT(r->iterations <= 4);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Steps of another code on such scenes: 2 to 12. */
TEST(solves_the_golden_contacts)
{
    for (size_t i = 0; test_golden_contacts[i]; i++) {
        perp_problem *p = test_golden_problem(test_golden_contacts[i]);
        perp_result *r = test_solve(p, "ac", NULL);

        if (!test_solved(p, r, asked) || r->iterations > 24) {
            test_note("%s: %zu steps", test_golden_contacts[i], r->iterations);
            CU_FAIL("not solved in time");
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(solves_the_associated_law)
{
    const char *const ids[] = {"incline_slip", "rand_fc_8", "rand_fc_12",
                               "table_push_slide"};

    for (size_t i = 0; i < 4; i++) {
        perp_problem *p = test_golden_problem(ids[i]);
        perp_result *r = NULL;

        p->law = PERP_LAW_ASSOCIATED;
        r = test_solve(p, "ac", NULL);
        test_solved(p, r, asked);
        perp_result_free(r);
        perp_problem_free(p);
    }
}

TEST(takes_an_unsymmetric_matrix_as_it_is)
{
    const char *const paths[] = {
        "siconos-fc3d/Rover1040.dat", "siconos-fc3d/Rover11035.dat",
        "siconos-fc3d/Rover4396.dat", "siconos-fc3d/OneObject-i100000-316.hdf5.dat",
        "siconos-fc2d/FrictionContactProblem00237.dat"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        perp_problem *p = test_dataset(paths[i]);
        perp_result *r = test_solve(p, "ac", "tolerance=1e-11", NULL);

        if (!test_solved(p, r, 1e-11)) {
            test_note("%s", paths[i]);
        }
        perp_result_free(r);
        perp_problem_free(p);
    }
}

/* Once the modes are right the error is squared by each step. */
TEST(converges_quadratically_near_a_solution)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    perp_result *r = test_solve(p, "ac", "tolerance=1e-13", NULL);
    double *z = perp_reals_new(p->n);
    perp_result *x = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(z);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = r->z[i] * (1.0 + 1e-5 * cos((double)i));
    }
    x = test_solve_from(p, z, "ac", "tolerance=1e-13", "history=on", NULL);
    CU_ASSERT_EQUAL(x->outcome, PERP_SOLVED);
    CU_ASSERT(x->iterations <= 2); /* 1e-5, 1e-10, 1e-20 */
    perp_result_free(x);
    x = test_solve_from(p, r->z, "ac", "tolerance=1e-12", NULL);
    CU_ASSERT_EQUAL(x->iterations, 0);
    perp_result_free(x);
    perp_result_free(r);
    free(z);
    perp_problem_free(p);
}

/* Two legs on the same spot, W = [1 1; 1 1] on the normals, no friction: both stick, the
 * derivative is singular and damped steps share the load. */
TEST(damped_steps_pass_a_singular_derivative)
{
    const double M[] = {1, 1, 1, 1};
    const double q[] = {-1, -1};
    perp_problem *p = test_lcp(2, M, q);
    perp_result *r = test_solve(p, "ac", NULL);

    test_solved(p, r, asked);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0] + r->z[1], 1.0, 1e-7);
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_NONE);
    perp_result_free(r);
    perp_problem_free(p);
}

/* A = 0: no step moves w, and the zero row is the block. */
TEST(a_singular_block_of_the_matrix_has_a_certificate)
{
    perp_problem *p = test_golden_problem("infeasible_zero"); /* M = 0 */
    perp_result *r = test_solve(p, "ac", NULL);
    char why[200] = "none";

    CU_ASSERT_EQUAL(r->outcome, PERP_SINGULAR_BLOCK);
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_SINGULAR);
    if (!perp_certificate_check(&r->certificate, p, why, sizeof why)) {
        test_note("%s", why);
        CU_FAIL("the certificate proves nothing");
    }
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(says_why_it_gives_up_on_singular_structures)
{
    perp_problem *p = test_dataset("fclib/local_problem_test.hdf5");
    perp_result *r = test_solve(p, "ac", NULL);

    CU_ASSERT(r->outcome == PERP_SOLVED || r->outcome == PERP_SINGULAR_BLOCK ||
              r->outcome == PERP_STALLED);
    CU_ASSERT(r->outcome == PERP_SOLVED || strstr(r->reason, "decreases |f|"));
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
    perp_result_free(r);
    perp_problem_free(p);
}

TEST(steps_alike_in_every_storage)
{
    const perp_storage storages[] = {PERP_STORAGE_CSR, PERP_STORAGE_BSR};
    perp_problem *p = test_golden_problem("rand_fc_12");
    perp_result *r = test_solve(p, "ac", "tolerance=1e-12", NULL);

    for (int i = 0; i < 2; i++) {
        perp_problem *other = test_stored(p, storages[i], 3);
        perp_result *x = test_solve(other, "ac", "tolerance=1e-12", NULL);

        CU_ASSERT_EQUAL(x->iterations, r->iterations);
        /* both to 1e-12, times the condition */
        CU_ASSERT(test_distance(p->n, x->w, r->w) <= 1e-9);
        perp_problem_free(other);
        perp_result_free(x);
    }
    perp_result_free(r);
    perp_problem_free(p);
}

TEST_MAIN("ac")
