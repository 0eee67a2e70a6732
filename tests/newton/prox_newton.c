/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/prox_newton.c: full Newton steps inside a proximal point loop. */
#include <config.h>

#include <math.h>

#include "answers.h"
#include "instances.h"

/* The associated law by another method altogether. */
TEST(agrees_with_projected_gradients_on_a_cone_program)
{
    perp_problem *p = test_golden_problem("rand_fc_12");

    p->law = PERP_LAW_ASSOCIATED;
    perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
    perp_result *x = test_solve(p, "mpgp", "tolerance=1e-10", NULL);
    CU_ASSERT_EQUAL(x->outcome, PERP_SOLVED);
    CU_ASSERT(test_distance(p->n, r->w, x->w) <= 1e-6); /* 1e-10 times the condition */
    CU_ASSERT(r->measures.objective <= x->measures.objective + 1e-10);
}

/* A joint, two contacts, a limit, a motor and a disk in one problem, in every storage. */
TEST(solves_contacts_and_other_rows_together)
{
    enum { ROWS = 12 };
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};

    for (size_t k = 0; k < 3; k++) {
        perp_random g = {6};
        perp_set *set =
            test_set("free,cone3:0.6,nonneg,-0.1..0.2,cone2:0.4,disk:0.05,cone2:0.0");
        perp_problem *p = test_problem(test_spd(ROWS, 9), set, PERP_LAW_COULOMB, &g);

        test_store(p, storages[k], 2);
        perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
        test_solved(p, r, 1e-12);
    }
}

/* With eps tiny from the start a regular problem is plain Newton: near the solution each
 * step squares the error. */
TEST(converges_quadratically_near_a_solution)
{
    perp_problem *p = test_golden_problem("incline_slip");
    perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
    double *z = test_reals(p->n);

    for (size_t i = 0; i < p->n; i++) {
        z[i] = r->z[i] * (i % 2 ? 1.0 + 1e-4 : 1.0 - 1e-4);
    }
    perp_result *x = test_solve_from(p, z, "prox-newton", "eps=1e-9", "history=on",
                                     "tolerance=1e-12", NULL);
    test_solved(p, x, 1e-12);
    CU_ASSERT(x->iterations <= 3); /* 1e-4, 1e-8, 1e-16 */
    for (size_t i = 1; i < x->history_count; i++) {
        double before = x->history[i - 1].residual;

        CU_ASSERT(x->history[i].residual <= 10.0 * before * before + 1e-8 * before);
    }
}

TEST(a_start_near_the_solution_saves_steps)
{
    perp_problem *p = test_dataset("siconos-fc3d/Capsules-i100-1090.dat");
    perp_result *cold = test_solve(p, "prox-newton", NULL);
    double *z = test_reals(p->n);

    for (size_t i = 0; i < p->n; i++) {
        z[i] = cold->z[i] * (1.0 + 1e-4 * sin((double)i));
    }
    perp_result *near = test_solve_from(p, z, "prox-newton", NULL);
    CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
    CU_ASSERT(2 * near->iterations < cold->iterations);
    near = test_solve_from(p, cold->z, "prox-newton", NULL);
    CU_ASSERT_EQUAL(near->iterations, 0);
}

/* Six balls on one another, each a hundred times as heavy as the one below: the impulses
 * must grow to 1e10 times the first step, along a direction in which A hardly curves.
 * That is a long way, no proof; contact i carries all the masses from i on. */
TEST(a_heavy_tower_is_not_called_infeasible)
{
    enum { BALLS = 6 };
    double rows[BALLS * BALLS] = {0}, b[BALLS] = {-1}, mass[BALLS], above = 0.0;

    for (int i = 0; i < BALLS; i++) {
        mass[i] = pow(100.0, i);
        rows[i * BALLS + i] = 1.0 / mass[i];
        if (i > 0) {
            rows[i * BALLS + i] += 1.0 / mass[i - 1];
            rows[i * BALLS + i - 1] = rows[(i - 1) * BALLS + i] = -1.0 / mass[i - 1];
        }
    }
    perp_problem *p = test_lcp(BALLS, rows, b);
    /* the rounding of impulses of 1e10 b allows no residual near 1e-12 */
    perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->reason, "the rounding of z alone may cost"));
    for (int i = BALLS; i-- > 0;) {
        above += mass[i];
        CU_ASSERT_DOUBLE_EQUAL(r->z[i] / above, 1.0,
                               1e-4); /* 1e-16 times the condition */
    }
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
}

/* Box friction: as stored, in CSR, and with a skew part
 * added to A. */
TEST(solves_friction_rows_in_every_storage)
{
    const char *const names[] = {"findex_0", "findex_1", "findex_2"};

    for (int k = 0; k < 9; k++) {
        perp_problem *p = test_golden_problem(names[k / 3]);

        if (k % 3 == 1) {
            perp_operator *csr = test_convert(p->A, PERP_STORAGE_CSR, 1);

            perp_operator_free(p->A);
            p->A = csr;
        } else if (k % 3 == 2) {
            for (size_t i = 0; i + 1 < p->n; i += 2) {
                p->A->x[i + (i + 1) * p->A->ld] += 1e-3;
                p->A->x[i + 1 + i * p->A->ld] -= 1e-3;
            }
        }
        perp_result *r = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);
        test_solved(p, r, 1e-12);
    }
}
