/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/mpgp.c: conjugate gradients on the faces of K: single contacts, against a slow projected gradient, and the properties a wrapper relies on. */
#include <config.h>

#include "core/solver_list.h"
#include "helpers.h"

TEST(agrees_with_the_golden_contacts_of_one_block)
{
    test_friction_models("mpgp", "tolerance=1e-12", PERP_LAW_ASSOCIATED);
}

/* Velocities are unique where impulses are not. */
TEST(agrees_with_a_slow_projected_gradient)
{
    const char *const ids[] = {"incline_slip", "table_push_slide", "rand_fc_8"};

    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        perp_problem *p = test_associated(ids[k]);
        perp_result *r = test_solve(p, "mpgp", "tolerance=1e-12", NULL);
        double *z = test_slow_reference(p, 20000);
        double *w = test_reals(p->n);

        test_w(p, z, w);
        /* |A|^(1/2) (f - f*)^(1/2) bounds the distance: 1e-12 in f is 1e-6 in w */
        if (test_distance(p->n, w, r->w) > 1e-6 * test_largest(p->n, p->b)) {
            test_note("%s: %.2e", ids[k], test_distance(p->n, w, r->w));
            CU_FAIL("other velocities than the slow reference");
        }
        CU_ASSERT(helper_objective(p, r->z) <=
                  helper_objective(p, z) + 1e-12 * fabs(helper_objective(p, z)));
    }
}

/* Rows of every kind at once, A random and positive definite. */
static perp_problem *of_all_kinds(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_new_set(24);

    for (size_t k = 0; k < 4; k++) {
        perp_set_add_free(set);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -0.1, 0.2);
        perp_set_add_cone(set, 3, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_cone(set, 2, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_disk(set, 0.3);
    }
    return test_problem(test_spd(set->n, seed), set, PERP_LAW_ASSOCIATED, &g);
}

TEST(solves_problems_of_all_kinds_of_rows)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_problem *p = of_all_kinds(seed);
        perp_result *r = test_solve(p, "mpgp", "tolerance=1e-11", NULL);
        double *z = test_slow_reference(p, 2000); /* condition below 10: converged */

        if (!(perp_residual(p, r->z) <= 1e-11) || test_distance(p->n, z, r->z) > 1e-9) {
            test_note("seed %d: %s", (int)seed, r->reason);
            CU_FAIL("not the solution");
        }
    }
}

TEST(never_increases_the_objective_nor_leaves_the_set)
{
    for (size_t k = 0; test_golden_contacts[k]; k++) {
        perp_problem *p = test_associated(test_golden_contacts[k]);
        double *z = test_reals(p->n);
        stepped t;

        stepped_open(&t, &perp_solver_mpgp, p, NULL);
        double before = helper_objective(p, t.r->z);
        for (size_t j = 0; j < 200 && t.r->outcome == PERP_RUNNING; j++) {
            double size = 0.0;

            stepped_steps(&t, 1);
            double now = helper_objective(p, t.r->z);
            memcpy(z, t.r->z, p->n * sizeof *z);
            for (size_t block = 0; block < p->set->count; block++) {
                perp_set_project(p->set, block, z);
            }
            for (size_t i = 0; i < p->n; i++) {
                size += fabs(p->b[i] * z[i]);
            }
            /* both to the rounding of the sums behind them */
            CU_ASSERT(now <= before + 1e-13 * size);
            CU_ASSERT(test_distance(p->n, z, t.r->z) <= 1e-12 * test_largest(p->n, z));
            before = now;
        }
        stepped_close(&t);
    }
}

TEST(resumes_with_another_b_as_if_set_up_again)
{
    perp_problem *p = test_associated("rand_fc_8");
    stepped first, again;

    stepped_open(&first, &perp_solver_mpgp, p, NULL);
    stepped_steps(&first, 30);
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] *= 1.0 + 0.01 * (double)i;
    }
    stepped_open(&again, &perp_solver_mpgp, p, NULL);
    perp_run_end(&again.run);
    memcpy(again.r->z, first.r->z, p->n * sizeof *first.r->z);
    OK(perp_run_start(&again.run, &perp_solver_mpgp, p, &again.opt, again.ws, again.r,
                      NULL));
    OK(perp_run_resume(&first.run, 0.0, NULL));
    stepped_steps(&first, 40);
    stepped_steps(&again, 40);
    CU_ASSERT_EQUAL(memcmp(first.r->z, again.r->z, p->n * sizeof *first.r->z), 0);
    stepped_close(&first);
    stepped_close(&again);
}

TEST(resumes_with_a_shifted_diagonal)
{
    perp_problem *p = test_associated("rand_fc_8");
    stepped t;

    stepped_open(&t, &perp_solver_mpgp, p, NULL);
    stepped_steps(&t, 30);
    perp_operator_add_diagonal(p->A, 0.5);
    OK(perp_run_resume(&t.run, 0.5, NULL));
    stepped_steps(&t, 500);
    /* no less than the rounding floor of a well-conditioned problem */
    CU_ASSERT(perp_residual(p, t.r->z) <= 1e-12);
    stepped_close(&t);
}

TEST(stops_at_once_when_started_at_the_solution)
{
    perp_problem *p = test_associated("table_push_slide");
    perp_result *r = test_solve(p, "mpgp", "tolerance=1e-12", NULL);
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse("mpgp", &type, &opt, NULL));
    OK(perp_solve(type, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->iterations <= 1);
}

/* W = diag(0, 1, 1), b = (-1, 0, 0): f falls without bound along (1, 0, 0), which proves that
 * no w = W z + b has w_N >= 0. */
TEST(proves_that_a_squeezed_contact_has_no_solution)
{
    const double rows[] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[] = {-1, 0, 0};
    const double mu[] = {0.5};
    perp_problem *p = test_cones(3, 1, rows, b, mu);
    stepped t;

    p->law = PERP_LAW_ASSOCIATED;
    stepped_open(&t, &perp_solver_mpgp, p, NULL);
    stepped_steps(&t, 1000);
    test_infeasible(p, t.r);
    stepped_close(&t);
}

/* The same with a random basis, so that no direction is aligned: W = B B^T of rank 2 in 6
 * rows, b inside the cone's polar but for a part outside W's range. */
TEST(claims_no_solution_only_with_a_proof)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_random g = {seed};
        double B[12], rows[36], b[6];
        const double mu[] = {0.5, 0.5};
        stepped t;

        for (size_t k = 0; k < 12; k++) {
            B[k] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (size_t i = 0; i < 6; i++) {
            b[i] = perp_random_uniform(&g, -1.0, 1.0);
            for (size_t j = 0; j < 6; j++) {
                rows[6 * i + j] = B[i] * B[j] + B[6 + i] * B[6 + j];
            }
        }
        perp_problem *p = test_cones(3, 2, rows, b, mu);
        p->law = PERP_LAW_ASSOCIATED;
        stepped_open(&t, &perp_solver_mpgp, p, NULL);
        stepped_steps(&t, 3000);
        CU_ASSERT(perp_all_finite(t.r->z, 6));
        if (t.r->outcome == PERP_INFEASIBLE) {
            test_infeasible(p, t.r);
            CU_ASSERT(perp_residual(p, t.r->z) > 1e-8);
        } else {
            CU_ASSERT_NOT_EQUAL(t.r->certificate.kind, PERP_CERTIFICATE_INFEASIBLE);
        }
        stepped_close(&t);
    }
}
