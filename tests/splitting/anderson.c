/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/anderson.c: sweeps accelerated by the differences of the last ones. */
#include <config.h>

#include <stdlib.h>

#include "answers.h"
#include "pile.h"

/* tridiag(-1, 2, -1) on free rows: the sweep is linear, and n differences span the space. Plain
 * sweeps reduce the error by cos^2(pi/(n + 1)) each: 0.883 for n = 8. */
TEST(linear_problems_end_after_as_many_steps_as_rows)
{
    enum { N = 8 };
    perp_random g = {5};
    perp_operator *A = test_new_dense(N, N);

    for (size_t i = 0; i < N; i++) {
        A->x[i + i * A->ld] = 2.0;
        if (i > 0) {
            A->x[i + (i - 1) * A->ld] = A->x[i - 1 + i * A->ld] = -1.0;
        }
    }
    perp_set *set = test_new_uniform(PERP_SET_FREE, N);
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    perp_result *r = test_solve(p, "anderson", "depth=8", "check-every=1", NULL);
    perp_result *x = test_solve(p, "pgs", "check-every=1", NULL);
    CU_ASSERT(test_solved(p, r, 1e-8));
    CU_ASSERT(r->iterations <= N + 3);
    CU_ASSERT(x->iterations > 100);
}

/* The velocities of the answer under the associated law are unique. */
TEST(heaps_need_a_third_of_the_sweeps)
{
    for (int associated = 0; associated < 2; associated++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            perp_problem *p = test_pile(8, 8, true, seed);
            double *w = test_reals(p->n), *y = test_reals(p->n);

            p->law = associated ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
            perp_result *r = test_solve(p, "anderson", NULL);
            perp_result *x = test_solve(p, "nsgs", NULL);
            CU_ASSERT(test_solved(p, r, 1e-8));
            CU_ASSERT(test_solved(p, x, 1e-8));
            CU_ASSERT(3 * r->iterations <= x->iterations);
            test_note("%zu instead of %zu", r->iterations, x->iterations);
            test_w(p, r->z, w);
            test_w(p, x->z, y);
            CU_ASSERT(!associated || test_distance(p->n, w, y) <= 1e-5);
        }
    }
}

/* Impulses of this heap are far from unique, and their status changes for long: the path names the
 * plain sweeps, more of them each time. */
TEST(plain_sweeps_follow_where_nothing_is_gained)
{
    perp_problem *p = test_pile(12, 12, true, 1);

    p->law = PERP_LAW_ASSOCIATED;
    perp_result *r =
        test_solve(p, "anderson", "relaxation=1.9", "max-iterations=3000", NULL);
    CU_ASSERT(test_ran(r, "anderson: 50 plain sweeps"));
    CU_ASSERT(test_ran(r, "anderson: 100 plain sweeps"));
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
}
