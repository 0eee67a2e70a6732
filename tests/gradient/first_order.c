/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/first_order.c: what all solvers that follow the gradient promise: spg,
 * apgd, kprgp and mpgp against a slow projected gradient, warm, resumed. */
#include <config.h>

#include "core/solver_list.h"
#include "helpers.h"

static const perp_solver_type *const solvers[] = {
    &perp_solver_spg, &perp_solver_apgd, &perp_solver_kprgp, &perp_solver_mpgp, NULL,
};

/* Velocities are unique where impulses are not. */
TEST(agree_with_a_slow_projected_gradient)
{
    const char *const ids[] = {"incline_slip", "table_push_slide", "rand_fc_8"};

    for (size_t j = 0; j < sizeof ids / sizeof *ids; j++) {
        perp_problem *p = test_associated(ids[j]);
        double *z = test_slow_reference(p, 20000);
        double *w = test_reals(p->n);

        test_w(p, z, w);
        for (size_t k = 0; solvers[k]; k++) {
            perp_result *r = test_solve(p, solvers[k]->name, "tolerance=1e-12", NULL);

            /* |A|^(1/2) (f - f*)^(1/2) bounds the distance: 1e-12 in f is 1e-6 in w */
            CU_ASSERT(test_distance(p->n, w, r->w) <= 1e-6 * test_largest(p->n, p->b));
        }
    }
}

/* Rows of every kind that the solver takes, A random and positive definite. */
static perp_problem *of_all_kinds(const perp_solver_type *type, uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_new_set(28);

    for (size_t k = 0; k < 4; k++) {
        perp_set_add_free(set);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -0.1, 0.2);
        perp_set_add_cone(set, 3, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_cone(set, 2, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_disk(set, 0.3);
        if (type->sets.set_bits & PERP_SET_ROLLING) {
            perp_set_add_rolling(set, perp_random_uniform(&g, 0.0, 1.0), 0.2);
        }
    }
    return test_problem(test_spd(set->n, seed), set, PERP_LAW_ASSOCIATED, &g);
}

TEST(solve_problems_of_all_kinds_of_rows)
{
    for (size_t k = 0; solvers[k]; k++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            perp_problem *p = of_all_kinds(solvers[k], seed);
            perp_result *r = test_solve(p, solvers[k]->name, "tolerance=1e-11", NULL);
            double *z = test_slow_reference(p, 2000); /* condition below 10: converged */

            if (!test_solved(p, r, 1e-11) || test_distance(p->n, z, r->z) > 1e-9) {
                test_note("%s, seed %d: %s", solvers[k]->name, (int)seed, r->reason);
                CU_FAIL("not the solution");
            }
        }
    }
}

/* J of 9 rows on 12 velocities, M^-1 = diag(1, 2, ...)/10: the product J M^-1 J^T formed
 * and not formed. */
TEST(take_a_matrix_that_is_kept_in_factors)
{
    enum { rows = 9, nv = 12 };
    const double mu[] = {0.3, 0.5, 0.7};
    perp_random g = {5};
    double J[rows * nv], A[rows * rows], b[rows];
    double M[nv * nv] = {0};

    for (size_t i = 0; i < rows * nv; i++) {
        J[i] = perp_random_uniform(&g, -1.0, 1.0); /* column-major */
    }
    for (size_t i = 0; i < nv; i++) {
        M[i + nv * i] = 0.1 * (double)(i + 1);
    }
    for (size_t i = 0; i < rows; i++) {
        b[i] = perp_random_uniform(&g, -1.0, 1.0);
        for (size_t j = 0; j < rows; j++) {
            A[rows * i + j] = 0.0;
            for (size_t k = 0; k < nv; k++) {
                A[rows * i + j] += J[i + rows * k] * M[k + nv * k] * J[j + rows * k];
            }
        }
    }
    perp_operator *dense_J = test_new_from_dense(rows, nv, J, rows);
    perp_operator *inverse = test_new_from_dense(nv, nv, M, nv);
    perp_operator *factored = test_new_factored(dense_J, inverse, NULL);
    perp_problem *p = test_cones(3, 3, A, b, mu);
    p->law = PERP_LAW_ASSOCIATED;
    perp_problem *q = test_copy(p);
    perp_operator_free(q->A);
    q->A = factored;
    for (size_t k = 0; solvers[k]; k++) {
        perp_result *r = test_solve(p, solvers[k]->name, "tolerance=1e-12", NULL);
        perp_result *s =
            test_solve(q, solvers[k]->name, "tolerance=1e-12", "scale=off", NULL);

        CU_ASSERT_EQUAL(s->outcome, PERP_SOLVED);
        CU_ASSERT(test_distance(rows, r->z, s->z) <= 1e-9); /* condition below 1e2 */
    }
}

/* A disk grows, b and the diagonal change: as a loop around the solver does it. */
TEST(resume_with_another_b_diagonal_and_radius)
{
    for (size_t k = 0; solvers[k]; k++) {
        perp_problem *p = of_all_kinds(solvers[k], 3);
        stepped t;

        stepped_open(&t, solvers[k], p, NULL);
        stepped_steps(&t, 20);
        for (size_t j = 0; j < p->set->count; j++) {
            p->set->blocks[j].radius *= 1.5;
        }
        for (size_t i = 0; i < p->n; i++) {
            p->b[i] *= 1.0 + 0.05 * (double)i;
        }
        perp_operator_add_diagonal(p->A, 0.5);
        OK(perp_run_resume(&t.run, 0.5, NULL));
        stepped_steps(&t, 500);
        /* no less than the rounding floor of a well-conditioned problem */
        CU_ASSERT(perp_residual(p, t.r->z) <= 1e-12);
        stepped_close(&t);
    }
}

TEST(need_fewer_steps_from_a_near_start_and_none_from_the_solution)
{
    perp_problem *p = test_associated("table_push_slide");

    for (size_t k = 0; solvers[k]; k++) {
        perp_result *cold =
            test_solve(p, solvers[k]->name, "tolerance=1e-10", "check-every=1", NULL);
        perp_result *there =
            test_solve_from(p, cold->z, solvers[k]->name, "tolerance=1e-10", NULL);

        CU_ASSERT(there->iterations <= 1);
        for (size_t i = 0; i < p->n; i++) {
            cold->z[i] *= 1.0 + 1e-6 * (double)(i % 3);
        }
        perp_result *near = test_solve_from(p, cold->z, solvers[k]->name,
                                            "tolerance=1e-10", "check-every=1", NULL);
        CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
        if (near->iterations >= cold->iterations) {
            test_note("%s: %zu steps from afar, %zu from near", solvers[k]->name,
                      cold->iterations, near->iterations);
            CU_FAIL("a near start saves nothing");
        }
    }
}

TEST(end_on_numbers_that_are_not_finite)
{
    for (size_t k = 0; solvers[k]; k++) {
        perp_problem *p = test_associated("incline_slip");
        stepped t;

        stepped_open(&t, solvers[k], p, NULL);
        stepped_steps(&t, 1);
        p->b[0] = NAN;
        OK(perp_run_resume(&t.run, 0.0, NULL));
        stepped_steps(&t, 200);
        CU_ASSERT_EQUAL(t.r->outcome, PERP_STALLED);
        CU_ASSERT(*t.r->reason != '\0');
        stepped_close(&t);
    }
}
