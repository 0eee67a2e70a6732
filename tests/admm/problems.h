/* SPDX-License-Identifier: Apache-2.0
 * tests/admm/problems.h: rows of every kind, and contacts that no impulse can stop. */
#ifndef PERP_TEST_ADMM_PROBLEMS_H
#define PERP_TEST_ADMM_PROBLEMS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answers.h"
#include "instances.h"
#include "stepped.h"

/* Rows of every kind at once under the associated law, A random and positive definite. */
static inline perp_problem *of_all_kinds(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = NULL;

    OK(perp_set_new(&set, 32, NULL));
    for (size_t k = 0; k < 4; k++) {
        perp_set_add_free(set);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -0.1, 0.2);
        perp_set_add_box(set, -INFINITY, 0.1);
        perp_set_add_cone(set, 3, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_cone(set, 2, perp_random_uniform(&g, 0.0, 1.0));
        perp_set_add_rolling(set, perp_random_uniform(&g, 0.1, 1.0), 0.2);
        perp_set_add_disk(set, 0.3);
    }
    return test_problem(test_spd(set->n, seed), set, PERP_LAW_ASSOCIATED, &g);
}

/* Two contacts, W = B B^T of rank 2 that no equal push on both normals moves, and b that
 * draws both down: the push grows without bound. */
static inline perp_problem *squeezed(uint64_t seed, perp_law law)
{
    perp_random g = {seed};
    const double mu[] = {0.5, 0.5};
    double B[12];
    double rows[36];
    double b[6];
    perp_problem *p = NULL;

    for (size_t i = 0; i < 12; i++) {
        B[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    B[3] = -B[0]; /* the normals move oppositely */
    B[9] = -B[6];
    for (size_t i = 0; i < 6; i++) {
        b[i] = i % 3 == 0 ? -1.0 : 0.0;
        for (size_t j = 0; j < 6; j++) {
            rows[6 * i + j] = B[i] * B[j] + B[6 + i] * B[6 + j];
        }
    }
    p = test_cones(3, 2, rows, b, mu);
    p->law = law;
    return p;
}

static inline void prove_squeezed(const char *solver)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_problem *p = squeezed(seed, PERP_LAW_ASSOCIATED);
        perp_result *r = test_solve(p, solver, NULL);

        test_infeasible(p, r);
    }
}

/* No iteration from the solution, fewer from near it; stepped by hand it stays there. */
static inline void save_iterations(const perp_problem *p, const perp_solver_type *type)
{
    perp_result *cold = test_solve(p, type->name, "tolerance=1e-12", NULL);
    perp_result *same = test_solve_from(p, cold->z, type->name, "tolerance=1e-11", NULL);
    perp_result *usual = test_solve(p, type->name, "tolerance=1e-8", NULL);
    perp_result *near = NULL;
    stepped t;

    CU_ASSERT_EQUAL(same->iterations, 0);
    stepped_open(&t, type, p, cold->z);
    stepped_steps(&t, 20);
    CU_ASSERT(test_distance(p->n, t.r->z, cold->z) <= 1e-9 * test_largest(p->n, cold->z));
    stepped_close(&t);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-6 * (double)(i % 3);
    }
    near = test_solve_from(p, cold->z, type->name, "tolerance=1e-8", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(near->iterations < usual->iterations);
}

/* Another b and a diagonal shifted down and up; changes p. */
static inline void resume_shifted(perp_problem *p, const perp_solver_type *type,
                                  const double *shifts, size_t count)
{
    stepped t;

    stepped_open(&t, type, p, NULL);
    stepped_steps(&t, 30);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < p->n; i++) {
            p->b[i] *= 1.0 + 0.01 * (double)(i + k);
        }
        perp_operator_add_diagonal(p->A, shifts[k]);
        OK(perp_run_resume(&t.run, shifts[k], NULL));
        stepped_steps(&t, 2000);
        if (!(perp_residual(p, t.r->z) <= 1e-11)) { /* slow steps end far below it */
            test_note("shift %g: residual %.1e", shifts[k], perp_residual(p, t.r->z));
            CU_FAIL("another problem was solved");
        }
    }
    stepped_close(&t);
}

#endif
