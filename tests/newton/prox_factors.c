/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/prox_factors.c: prox-newton and nsgs+newton give with W in factors the answers
 * that they give with W stored. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "answers.h"
#include "core/solvers.h"
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

/* J = Q Lambda^1/2 of W = Q Lambda Q^T, M = I. */
static void store_as_factors(perp_problem *p)
{
    size_t n = p->n;
    double *Q = perp_reals_new(n * n), *lambda = perp_reals_new(n);
    perp_operator *J = NULL, *one = NULL, *A = NULL;

    CU_ASSERT_FATAL(Q != NULL && lambda != NULL);
    for (size_t i = 0; i < n * n; i++) {
        Q[i] = perp_operator_entry(p->A, i % n, i / n);
    }
    CU_ASSERT_EQUAL_FATAL(
        LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', (int)n, Q, (int)n, lambda), 0);
    for (size_t i = 0; i < n * n; i++) {
        Q[i] *= sqrt(fmax(lambda[i / n], 0.0));
    }
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_from_dense(&J, n, n, Q, n, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_dense(&one, n, n, NULL), PERP_OK);
    for (size_t i = 0; i < n; i++) {
        one->x[i + i * one->ld] = 1.0;
    }
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_factored(&A, J, one, NULL, NULL), PERP_OK);
    perp_operator_free(p->A);
    p->A = A;
    perp_operator_free(J);
    perp_operator_free(one);
    free(Q);
    free(lambda);
}

static void solves_the_golden_contacts_under_both_laws(void)
{
    for (size_t i = 0; test_golden_contacts[i]; i++) {
        perp_problem *p = test_golden_problem(test_golden_contacts[i]);

        store_as_factors(p);
        for (size_t k = 0; k < 4; k++) {
            p->law = k < 2 ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED;
            perp_result_free(solve_in_factors(p, names[k % 2]));
        }
        perp_problem_free(p);
    }
}

/* C of a block: 0.1 for all rows, or from 0.01 to 100 for normals and others apart. */
static void draw_compliance(couples *s, const unsigned *dims, uint64_t kind)
{
    size_t row = 0;

    for (size_t k = 0; dims[k] > 0; k++) {
        for (unsigned i = 0; i < dims[k]; i++, row++) {
            size_t part = dims[k] == 2 && k > 5 ? 0 : (i + 1) / 2;

            s->C[row] =
                kind == 0 ? 0.1 : pow(10.0, (double)((k + kind * part) % 5) - 2.0);
        }
    }
}

/* All kinds of rows on the same drawn bodies, with compliances of 0.01 to 100 times W: with the
 * small friction the answer is unique, and that of the stored W. */
static void all_kinds_of_rows_are_solved_as_with_the_stored_matrix(void)
{
    const unsigned dims[] = {3, 3, 5, 2, 2, 1, 1, 1, 3, 3, 5, 2, 1, 1, 1, 3, 1, 0};

    for (uint64_t seed = 0; seed < 24; seed++) {
        static couples s;
        perp_operator *A = NULL;
        perp_set *set = NULL;
        perp_problem *p = NULL, *q = NULL;
        perp_random g = {seed};
        perp_result *x = NULL;
        perp_law law = seed % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;

        couples_draw(&s, seed % 4 < 2 ? COUPLES_ARMS : COUPLES_DRAWN, dims, seed);
        draw_compliance(&s, dims, seed % 3);
        CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 17, NULL), PERP_OK);
        for (size_t k = 0; dims[k] > 0; k++) {
            if (dims[k] == 3 || (dims[k] == 2 && k < 5)) {
                perp_set_add_cone(set, dims[k], 0.2);
            } else if (dims[k] == 5) {
                perp_set_add_rolling(set, 0.2, 0.1);
            } else if (dims[k] == 2) {
                perp_set_add_disk(set, 0.3);
            } else if (k % 3 == 0) {
                perp_set_add_free(set);
            } else if (k % 3 == 1) {
                perp_set_add_nonneg(set);
            } else {
                perp_set_add_box(set, -0.2, 0.4);
            }
        }
        CU_ASSERT_EQUAL_FATAL(perp_operator_new_pairs(&A, &s.pairs, NULL), PERP_OK);
        p = test_problem(A, set, law, &g);
        q = test_stored(p, PERP_STORAGE_DENSE, 1);
        x = test_solve(q, "prox-newton", "tolerance=1e-12", NULL);
        test_solved(q, x, 1e-12);
        for (size_t k = 0; k < 2; k++) {
            perp_result *r = solve_in_factors(p, names[k]);

            CU_ASSERT(test_distance(p->n, r->z, x->z) <=
                      1e-6 * test_largest(p->n, x->z)); /* 1e-10 times the condition */
            perp_result_free(r);
        }
        perp_result_free(x);
        perp_problem_free(p);
        perp_problem_free(q);
    }
}

/* The same rows, normals first: row i of q is row order[i] of p. */
static perp_problem *normals_first(const perp_problem *p, size_t *order)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    perp_problem *q = NULL;
    double *b = perp_reals_new(p->n);

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_dense(&A, p->n, p->n, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, p->n, NULL), PERP_OK);
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
    CU_ASSERT_EQUAL_FATAL(perp_problem_new_take(&q, A, b, set, p->law, NULL), PERP_OK);
    return q;
}

static void friction_rows_stand_next_to_their_normals_or_elsewhere(void)
{
    const char *const ids[] = {"findex_0", "findex_1", "findex_2"};

    for (size_t k = 0; k < 3; k++) {
        perp_problem *p = test_golden_problem(ids[k]);
        size_t order[64] = {0};
        perp_problem *q = NULL;
        perp_result *x = test_solve(p, "prox-newton", "tolerance=1e-12", NULL);

        CU_ASSERT_FATAL(p->n <= 64);
        q = normals_first(p, order);
        store_as_factors(p);
        store_as_factors(q);
        for (size_t which = 0; which < 2; which++) {
            perp_result *r = solve_in_factors(p, names[which]);
            perp_result *y = solve_in_factors(q, names[which]);

            for (size_t i = 0; i < p->n; i++) {
                CU_ASSERT_DOUBLE_EQUAL(r->w[order[i]], x->w[order[i]], 1e-6);
                CU_ASSERT_DOUBLE_EQUAL(y->w[i], x->w[order[i]], 1e-6);
            }
            perp_result_free(r);
            perp_result_free(y);
        }
        perp_result_free(x);
        perp_problem_free(p);
        perp_problem_free(q);
    }
}

/* A = A I of any matrix: J = A, G = I with its zeros. */
static void store_as_unsymmetric_factors(perp_problem *p)
{
    perp_operator *part[2] = {NULL, NULL}, *A = NULL;

    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL_FATAL(
            perp_operator_new_sparse(&part[k], p->n, p->n, 1, p->n * p->n, NULL),
            PERP_OK);
        for (size_t i = 0; i < p->n * p->n; i++) {
            size_t row = i / p->n, col = i % p->n;

            part[k]->ptr[row + 1] = (row + 1) * p->n;
            part[k]->col[i] = (int32_t)col;
            part[k]->x[i] = k == 0       ? perp_operator_entry(p->A, row, col)
                            : row == col ? 1.0
                                         : 0.0;
        }
    }
    CU_ASSERT_EQUAL_FATAL(perp_operator_new_factors(&A, part[0], part[1], NULL, NULL),
                          PERP_OK);
    perp_operator_free(p->A);
    p->A = A;
    perp_operator_free(part[0]);
    perp_operator_free(part[1]);
}

static void unsymmetric_matrices_are_solved_or_end_at_the_best_point(void)
{
    perp_problem *p = test_golden_problem("feasible_unsolvable");
    perp_result *r = NULL;

    store_as_unsymmetric_factors(p);
    r = test_solve(p, "prox-newton", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
    CU_ASSERT(r->residual < 1.0);
    perp_result_free(r);
    perp_problem_free(p);
    p = test_golden_problem("rand_fc_8");
    for (size_t i = 0; i + 1 < p->n; i += 2) {
        p->A->x[i + (i + 1) * p->A->ld] += 1e-3;
        p->A->x[i + 1 + i * p->A->ld] -= 1e-3;
    }
    store_as_unsymmetric_factors(p);
    perp_result_free(solve_in_factors(p, "prox-newton"));
    perp_result_free(solve_in_factors(p, "nsgs+newton"));
    perp_problem_free(p);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(solves_the_golden_contacts_under_both_laws),
        TEST(all_kinds_of_rows_are_solved_as_with_the_stored_matrix),
        TEST(friction_rows_stand_next_to_their_normals_or_elsewhere),
        TEST(unsymmetric_matrices_are_solved_or_end_at_the_best_point),
        TEST_END,
    };

    return test_run(argc, argv, "prox-newton in factors", cases);
}
