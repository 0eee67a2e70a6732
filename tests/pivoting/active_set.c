/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/active_set.c: the four methods that exchange active sets, on the same
 * problems: against another method, in every storage, warm, without memory. */
#include <config.h>

#include "answers.h"
#include "instances.h"
#include "scarce.h"

static const char *const methods[] = {"murty", "bard", "bpp", "minmap"};
enum { method_count = sizeof methods / sizeof *methods };

/* The point of the last set comes from a fresh factorisation: RES is rounding, some 10
 * eps per unit of growth. */
static const double exact = 1e-12;

/* Free, fixed, one- and two-sided rows; the solution is unique, and dantzig finds it
 * too. */
TEST(boxes_and_free_rows_agree_with_another_method)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        size_t n = 1 + (size_t)(seed * 7 % 60);
        perp_problem *p = test_boxed(n, seed);
        perp_result *other = test_solve(p, "dantzig", NULL);

        test_note("seed %d, %zu rows", (int)seed, n);
        for (int m = 0; m < method_count; m++) {
            perp_result *r = test_solve(p, methods[m], NULL);

            /* they stop at RES <= 1e-8 at the latest, mostly at rounding; condition <
             * 3 */
            test_solved(p, r, 1e-8);
            CU_ASSERT(test_distance(n, r->z, other->z) <= 1e-7);
        }
    }
}

/* B B^T/n + I plus a skew part is a P-matrix, since x.A x > 0 still. */
static perp_problem *skewed(size_t n, uint64_t seed)
{
    perp_random g = {seed};
    perp_operator *A = test_spd(n, seed);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = perp_random_uniform(&g, -0.5, 0.5);

            A->x[i + j * A->ld] += a;
            A->x[j + i * A->ld] -= a;
        }
    }
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

TEST(unsymmetric_matrices_are_factored_by_lu)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_problem *p = skewed(5 + (size_t)seed, seed);

        for (int m = 0; m < method_count; m++) {
            perp_result *r = test_solve(p, methods[m], NULL);

            test_solved(p, r, 1e-8);
            CU_ASSERT(test_ran(r, "not symmetric"));
            CU_ASSERT(test_ran(r, "by LU"));
        }
    }
}

/* Sparse matrices are factored otherwise, but the sets are the same. */
TEST(storage_changes_no_step)
{
    for (int k = 0; k < 2; k++) {
        perp_problem *p = k ? skewed(24, 5) : test_boxed(24, 5);
        perp_problem *csr = test_stored(p, PERP_STORAGE_CSR, 1);
        perp_problem *bsr = test_stored(p, PERP_STORAGE_BSR, 2);

        for (int m = 0; m < method_count; m++) {
            perp_result *r = test_solve(p, methods[m], NULL);
            perp_result *s = test_solve(csr, methods[m], NULL);
            perp_result *t = test_solve(bsr, methods[m], NULL);

            test_solved(p, r, exact);
            CU_ASSERT_EQUAL(r->iterations, s->iterations);
            CU_ASSERT_EQUAL(r->iterations, t->iterations);
            CU_ASSERT_EQUAL(r->work.pivots, s->work.pivots);
            /* condition below 10 */
            CU_ASSERT(test_distance(24, r->z, s->z) <= 1e-13);
            CU_ASSERT(test_distance(24, r->z, t->z) <= 1e-13);
        }
    }
}

/* Near the solution the states are guessed right: one step, no exchange. */
TEST(a_start_near_the_solution_needs_one_step)
{
    perp_problem *p = test_boxed(40, 3);

    for (int m = 0; m < method_count; m++) {
        perp_result *cold = test_solve(p, methods[m], NULL);
        double z[40];

        test_solved(p, cold, exact);
        CU_ASSERT(cold->iterations > 1); /* else there is nothing to save */
        for (size_t i = 0; i < p->n; i++) {
            const perp_block *block = &p->set->blocks[i];
            bool inside = block->lo < cold->z[i] && cold->z[i] < block->hi;

            z[i] = cold->z[i] + (inside ? 1e-7 : 0.0);
        }
        CU_ASSERT(perp_residual(p, z) > 1e-8); /* not a solution yet */
        perp_result *warm = test_solve_from(p, z, methods[m], NULL);
        test_solved(p, warm, exact);
        CU_ASSERT_EQUAL(warm->iterations, 1);
        CU_ASSERT_EQUAL(warm->work.pivots, 0);
        warm = test_solve_from(p, cold->z, methods[m], NULL);
        CU_ASSERT_EQUAL(warm->iterations, 0);
    }
}

/* A third of the pairs degenerate: z = w = 0 but for rounding, so that both states are
 * right. Without judgements on the way, each method must see itself that it is done. */
TEST(degenerate_rows_stay_where_they_are)
{
    enum { n = 90 };

    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_random g = {seed};
        double z[n];
        double w[n];
        perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);
        perp_problem *p = test_problem(test_spd(n, seed), set, PERP_LAW_COULOMB, &g);

        for (size_t i = 0; i < n; i++) {
            z[i] = i % 3 == 0 ? perp_random_uniform(&g, 0.1, 1.0) : 0.0;
            w[i] = i % 3 == 1 ? perp_random_uniform(&g, 0.1, 1.0) : 0.0;
        }
        for (size_t i = 0; i < n; i++) {
            p->b[i] = w[i] - perp_operator_row_dot(p->A, i, z);
        }
        for (int m = 0; m < method_count; m++) {
            perp_result *r = test_solve(p, methods[m], "check-every=1000000", NULL);

            test_solved(p, r, exact);
            CU_ASSERT(test_distance(n, r->z, z) <= 1e-13); /* condition < 5 */
            /* rows sent back and forth by rounding cost steps, never the answer */
            CU_ASSERT(r->iterations <= (m < 2 ? 2 * n : 8));
        }
    }
}

typedef struct attempt {
    const perp_problem *p;
    const char *name;
} attempt;

static perp_status solve_once(void *context, perp_error *err)
{
    const attempt *a = context;
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_status status = perp_solver_parse(a->name, &type, &opt, err);

    status = status == PERP_OK ? perp_options_set(&opt, "scale", "off", err) : status;
    status = status == PERP_OK ? perp_result_new(&r, a->p->n, err) : status;
    return status == PERP_OK ? perp_solve(type, a->p, &opt, r, err) : status;
}

/* On the way to a solution, to a proof of a singular block, of a cycle. */
TEST(failing_memory_is_survived)
{
    static const char *const names[] = {"boxed_int_0", "feasible_unsolvable",
                                        "lemke_ray_but_solvable"};

    for (size_t k = 0; k < 3; k++) {
        perp_problem *p = test_golden_problem(names[k]);

        for (int m = 0; m < method_count; m++) {
            attempt a = {p, methods[m]};

            scarce_everywhere(solve_once, &a, methods[m]);
        }
    }
}
