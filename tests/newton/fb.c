/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/fb.c: semismooth Newton on the Fischer-Burmeister equation. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* Rows of all kinds, symmetric (Cholesky) and not (LU), in every storage. */
TEST(solves_rows_of_all_kinds_in_every_storage)
{
    enum { ROWS = 24 };

    for (int turn = 0; turn < 6; turn++) {
        perp_random g = {(uint64_t)turn};
        perp_operator *A = test_spd(ROWS, 31 + (uint64_t)turn);
        perp_set *set = test_new_set(ROWS);

        for (int i = 0; i < ROWS; i += 4) {
            perp_set_add_free(set);
            perp_set_add_nonneg(set);
            perp_set_add_box(set, -0.1, 0.2);
            perp_set_add_box(set, i % 8 ? -INFINITY : 0.1, i % 8 ? -0.1 : 0.1);
        }
        for (size_t i = 0; turn % 2 && i + 1 < ROWS; i++) { /* a skew part */
            A->x[i + (i + 1) * A->ld] += 0.3;
            A->x[i + 1 + i * A->ld] -= 0.3;
        }
        perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
        test_store(p, turn < 2 ? PERP_STORAGE_DENSE : PERP_STORAGE_CSR, 1);
        perp_result *r = test_solve(p, "fb", "tolerance=1e-12", NULL);
        test_solved(p, r, 1e-12);
        r = test_solve(p, "fb", "tolerance=1e-12", "lambda=1", NULL);
        test_solved(p, r, 1e-12);
    }
}

TEST(agrees_with_lemke)
{
    perp_problem *p = test_golden_problem("harker_pang_easy_8");
    perp_result *r = test_solve(p, "fb", "tolerance=1e-12", NULL);
    perp_result *x = test_solve(p, "lemke", NULL);

    /* positive definite: one solution; 1e-12 times the condition */
    CU_ASSERT(test_distance(p->n, r->z, x->z) <= 1e-9 * (1.0 + test_largest(p->n, x->z)));
}

TEST(restarts_are_the_same_every_time)
{
    perp_problem *p = test_golden_problem("lemke_ray_but_solvable");
    perp_result *r = test_solve(p, "fb", NULL);
    perp_result *x = test_solve(p, "fb", NULL);

    CU_ASSERT(test_ran(r, "start 2"));
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
}

TEST(a_start_near_the_solution_saves_steps)
{
    perp_problem *p = test_golden_problem("csizmadia_8");
    perp_result *cold = test_solve(p, "fb", NULL);
    perp_result *near = test_solve_from(p, cold->z, "fb", NULL);

    CU_ASSERT_EQUAL(near->iterations, 0);
    for (size_t i = 0; i < p->n; i++) {
        cold->z[i] *= 1.0 + 1e-3;
    }
    near = test_solve_from(p, cold->z, "fb", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(2 * near->iterations <= cold->iterations);
}

/* The last steps square the residual, without the min-map to help: a tolerance it does
 * not reach keeps the history going. */
TEST(converges_quickly_at_the_end)
{
    perp_problem *p = test_golden_problem("spd_int_5");
    perp_result *r = test_solve(p, "fb", "history=on", "tolerance=1e-13", NULL);
    size_t last = r->history_count;

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT_FATAL(last >= 3);
    CU_ASSERT(r->history[last - 1].residual <=
              100.0 * r->history[last - 2].residual * r->history[last - 2].residual +
                  1e-13);
}
