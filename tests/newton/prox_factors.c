/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/prox_factors.c: prox-newton and nsgs+newton give with W in factors the answers
 * that they give with W stored. */
#include <config.h>

#include "answers.h"
#include "couples.h"
#include "instances.h"

static const char *const names[] = {"prox-newton", "nsgs+newton"};

static perp_result *solve_in_factors(const perp_problem *p, const char *name)
{
    perp_result *r = test_solve(p, name, "tolerance=1e-10", NULL);

    test_solved(p, r, 1e-10);
    CU_ASSERT(!test_ran(r, "stored as"));
    return r;
}

/* All kinds of rows on the same drawn bodies, with compliances of 0.01 to 100 times W: with the
 * small friction the answer is unique, and that of the stored W. */
TEST(all_kinds_of_rows_are_solved_as_with_the_stored_matrix)
{
    for (uint64_t seed = 0; seed < 24; seed++) {
        static couples s;
        perp_problem *p = couples_of_all_kinds(&s, seed), *q = NULL;

        q = test_stored(p, PERP_STORAGE_DENSE, 1);
        perp_result *x = test_solve(q, "prox-newton", "tolerance=1e-12", NULL);
        test_solved(q, x, 1e-12);
        for (size_t k = 0; k < 2; k++) {
            perp_result *r = solve_in_factors(p, names[k]);

            CU_ASSERT(test_distance(p->n, r->z, x->z) <=
                      1e-6 * test_largest(p->n, x->z)); /* 1e-10 times the condition */
        }
    }
}

/* The same rows, normals first: row i of q is row order[i] of p. */
static perp_problem *normals_first(const perp_problem *p, size_t *order)
{
    double *b = test_reals(p->n);

    perp_operator *A = test_new_dense(p->n, p->n);
    perp_set *set = test_new_set(p->n);
    for (size_t i = 0; i < p->n; i++) {
        size_t contacts = p->n / 3;
        size_t tangent = (i - contacts) % 2 + 1;
        size_t contact = i < contacts ? i : (i - contacts) / 2;

        order[i] = 3 * contact + (i < contacts ? 0 : tangent);
        b[i] = p->b[order[i]];
        if (i < contacts) {
            perp_set_add_nonneg(set);
        } else {
            perp_set_add_friction(set, p->set->blocks[order[i]].mu, contact);
        }
    }
    for (size_t i = 0; i < p->n * p->n; i++) {
        A->x[i % p->n + i / p->n * A->ld] =
            perp_operator_entry(p->A, order[i % p->n], order[i / p->n]);
    }
    return test_new_problem(A, b, set, p->law);
}

TEST(friction_rows_stand_next_to_their_normals_or_elsewhere)
{
    const char *const ids[] = {"findex_0", "findex_1", "findex_2"};

    for (size_t k = 0; k < 3; k++) {
        perp_problem *p = test_golden_problem(ids[k]);
        size_t order[64] = {0};
        perp_result *x = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);

        CU_ASSERT_FATAL(p->n <= 64);
        perp_problem *q = normals_first(p, order);
        test_store_as_factors(p);
        test_store_as_factors(q);
        for (size_t which = 0; which < 2; which++) {
            perp_result *r = solve_in_factors(p, names[which]);
            perp_result *y = solve_in_factors(q, names[which]);

            for (size_t i = 0; i < p->n; i++) {
                CU_ASSERT_DOUBLE_EQUAL(r->w[order[i]], x->w[order[i]], 1e-6);
                CU_ASSERT_DOUBLE_EQUAL(y->w[i], x->w[order[i]], 1e-6);
            }
        }
    }
}

TEST(unsymmetric_matrices_are_solved_or_end_at_the_best_point)
{
    perp_problem *p = test_golden_problem("feasible_unsolvable");

    test_store_as_unsymmetric_factors(p);
    perp_result *r = test_solve(p, "prox-newton", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
    CU_ASSERT(r->residual <= 1.0); /* that of 0 */
    p = test_golden_problem("rand_fc_8");
    for (size_t i = 0; i + 1 < p->n; i += 2) {
        p->A->x[i + (i + 1) * p->A->ld] += 1e-3;
        p->A->x[i + 1 + i * p->A->ld] -= 1e-3;
    }
    test_store_as_unsymmetric_factors(p);
    solve_in_factors(p, "prox-newton");
    solve_in_factors(p, "nsgs+newton");
}
