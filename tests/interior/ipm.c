/* SPDX-License-Identifier: Apache-2.0
 * tests/interior/ipm.c: the interior point method on bounds: on the classical instances,
 * against another method, in every storage, warm. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

static void check_golden(const char *path, const json_t *root)
{
    const char *id = json_string_value(json_object_get(root, "id"));
    perp_problem *p = test_read(path, NULL, NULL);
    perp_result *r = test_solve(p, "ipm", "tolerance=1e-12", NULL);

    if (r->outcome == PERP_INFEASIBLE) {
        test_infeasible(p, r);
    } else if (id && strcmp(id, "feasible_unsolvable") == 0) {
        CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
        CU_ASSERT(strlen(r->reason) > 0);
    } else if (!test_solved(p, r, 1e-12) || r->iterations > 15) {
        test_note("%s: %zu steps", path, r->iterations);
        CU_FAIL("more steps than the hardest of them needs");
    }
}

TEST(solves_golden_problems_to_machine_precision_or_proves_why_not)
{
    CU_ASSERT(test_each_golden("lcp", check_golden) >= 20);
    CU_ASSERT(test_each_golden("blcp", check_golden) >= 4);
}

/* Rank n/2, and every third row has z = w = 0 at the solution z = (1, 0, 0, 1, ...):
 * neither the set nor A_FF tells which rows are free. */
TEST(crosses_over_from_degenerate_rows)
{
    enum { N = 60, RANK = 30 };
    perp_random g = {17};
    double *B = test_reals((size_t)N * RANK);
    double z[N];
    perp_operator *A = test_new_dense(N, N);
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, N);

    for (size_t i = 0; i < (size_t)N * RANK; i++) {
        B[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (size_t i = 0; i < N; i++) {
        z[i] = i % 3 == 0 ? 1.0 : 0.0;
        for (size_t j = 0; j < N; j++) {
            for (size_t k = 0; k < RANK; k++) {
                A->x[i + j * A->ld] += B[i * RANK + k] * B[j * RANK + k];
            }
        }
    }
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    perp_operator_apply(A, z, p->b);
    for (size_t i = 0; i < N; i++) {
        p->b[i] = (i % 3 == 1 ? 1.0 : 0.0) - p->b[i];
    }
    perp_result *r = test_solve(p, "ipm", "tolerance=1e-12", NULL);
    test_solved(p, r, 1e-12);
    CU_ASSERT(r->iterations <= 30);
    CU_ASSERT(test_ran(r, "crossover"));
}

/* The solution of a positive definite problem is unique: two methods must meet there. */
TEST(agrees_with_gauss_seidel)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_random g = {seed};
        perp_operator *A = test_spd(40, seed);
        perp_set *set = test_new_set(40);

        for (size_t i = 0; i < 40; i += 2) {
            perp_set_add_nonneg(set);
            perp_set_add_box(set, -0.1, 0.2);
        }
        perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
        perp_result *r = test_solve(p, "ipm", NULL);
        perp_result *other = test_solve(p, "pgs", "tolerance=1e-13", NULL);
        test_solved(p, r, 1e-14); /* of rounding: far below what was asked */
        /* eigenvalues above 1: distance <= (1 + L) residuals of Gauss-Seidel, L < 10 */
        CU_ASSERT(test_distance(40, r->z, other->z) <= 1e-11);
    }
}

/* The same numbers however they are stored, and in other units. */
TEST(takes_every_storage_and_unit)
{
    perp_problem *p = test_golden_problem("journal_bearing_32");
    perp_result *dense = test_solve(p, "ipm", "tolerance=1e-12", NULL);
    static const perp_storage storages[] = {PERP_STORAGE_CSR, PERP_STORAGE_BSR};

    for (size_t k = 0; k < 2; k++) {
        perp_problem *q = test_stored(p, storages[k], 2);
        perp_result *r = test_solve(q, "ipm", "tolerance=1e-12", NULL);

        test_solved(q, r, 1e-12);
        CU_ASSERT_EQUAL(r->iterations, dense->iterations);
        for (size_t i = 0; i < q->n; i++) {
            q->b[i] *= 0x1p-60; /* exact: only units change */
        }
        r = test_solve(q, "ipm", "tolerance=1e-12", NULL);
        CU_ASSERT_EQUAL(r->iterations, dense->iterations);
        test_solved(q, r, 1e-12);
    }
}

/* A start whose set is right, or nearly, saves the path. */
TEST(starts_warm)
{
    perp_problem *p = test_golden_problem("obstacle1d_31");
    perp_result *cold = test_solve(p, "ipm", NULL);
    double *z = test_reals(p->n);

    memcpy(z, cold->z, p->n * sizeof *z);
    perp_result *warm = test_solve_from(p, z, "ipm", NULL);
    CU_ASSERT_EQUAL(warm->iterations, 0);
    for (size_t i = 0; i < p->n; i++) {
        z[i] *= 1.0 + 1e-3 * (double)(i % 3);
    }
    warm = test_solve_from(p, z, "ipm", NULL);
    test_solved(p, warm, 1e-8);
    CU_ASSERT_EQUAL(warm->iterations, 1);
    CU_ASSERT(cold->iterations > 3);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = 1e3 * (double)(i % 7); /* nowhere near: still solved */
    }
    warm = test_solve_from(p, z, "ipm", NULL);
    test_solved(p, warm, 1e-8);
}
