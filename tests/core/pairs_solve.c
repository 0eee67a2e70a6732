/* SPDX-License-Identifier: Apache-2.0
 * tests/core/pairs_solve.c: problems with rows on two bodies are those of the multiplied matrix. */
#include <config.h>

#include <string.h>

#include "answers.h"
#include "couples.h"

static const unsigned mixed[] = {3, 1, 5, 3, 1, 1, 3, 5, 3, 2, 3, 1, 5, 3, 0};
static const unsigned contacts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};

/* Rows of s, which must outlive it. */
static perp_problem *problem_on(const couples *s, perp_set *set, perp_law law)
{
    perp_random g = {17};
    perp_operator *A = test_new_pairs(&s->pairs);

    return test_problem(A, set, law, &g);
}

static perp_set *cones_of(const couples *s, double mu, double step)
{
    double all[COUPLES_ROWS];

    for (size_t i = 0; i < COUPLES_ROWS; i++) {
        all[i] = mu + step * (double)(i % 5);
    }
    return test_new_cones(3, s->pairs.rows / 3, all);
}

static perp_set *bounds_of(const couples *s)
{
    return test_new_uniform(PERP_SET_NONNEG, s->pairs.rows);
}

/* Solvers work with the pairs, so that the answers may differ. */
TEST(a_problem_in_pairs_has_a_hash_of_its_own)
{
    couples s;

    couples_draw(&s, COUPLES_DRAWN, mixed, 11);
    perp_problem *p = problem_on(&s, bounds_of(&s), PERP_LAW_COULOMB);
    perp_problem *q = test_stored(p, PERP_STORAGE_CSR, 1);
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
    OK(perp_problem_check(p, NULL));
}

/* Whether the type accepts PAIRS and these rows, and gives the answer of the dense matrix. */
static bool tried(const perp_solver_type *type, bool cones)
{
    bool coulomb = (type->laws.law_bits & (1u << PERP_LAW_COULOMB)) != 0;
    bool inner = cones && strcmp(type->name, "prox") == 0; /* else it is dantzig */
    const char *name = inner ? "prox:nsgs" : type->name;
    couples s;

    if (!(type->storages.storage_bits & PERP_STORAGE_PAIRS) ||
        !(type->sets.set_bits & (cones ? PERP_SET_CONE : PERP_SET_NONNEG))) {
        return false;
    }
    couples_draw(&s, COUPLES_ARMS, contacts, 21);
    perp_problem *p = problem_on(&s, cones ? cones_of(&s, 0.1, 0.1) : bounds_of(&s),
                                 coulomb ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED);
    perp_problem *q = test_stored(p, PERP_STORAGE_DENSE, 1);
    perp_result *r = test_solve(p, name, "tolerance=1e-10", NULL);
    perp_result *x = test_solve(q, name, "tolerance=1e-10", NULL);
    if (r->outcome != PERP_SOLVED || x->outcome != PERP_SOLVED ||
        !(test_distance(p->n, r->z, x->z) <= 1e-7 * test_largest(p->n, x->z))) {
        /* residuals of 1e-10 and a least eigenvalue of 0.05 */
        test_note("%s, %s: %s", name, cones ? "contacts" : "bounds", r->reason);
        CU_FAIL("not the answer of the dense matrix");
    }
    return true;
}

TEST(every_solver_answers_as_with_the_dense_matrix)
{
    size_t count = 0, number = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (size_t k = 0; k < count; k++) {
        number += tried(all[k], false);
        number += tried(all[k], true);
    }
    CU_ASSERT(number > 10);
}

/* PAIRS become FACTORED rather than a matrix that is multiplied out. */
TEST(a_solver_of_factored_matrices_gets_sparse_factors)
{
    perp_solver_type narrow = *perp_solver_find("nsgs");
    perp_options opt;
    couples s;

    narrow.storages.storage_bits =
        PERP_STORAGE_DENSE | PERP_STORAGE_BSR | PERP_STORAGE_FACTORED;
    couples_draw(&s, COUPLES_ARMS, contacts, 21);
    perp_problem *p = problem_on(&s, cones_of(&s, 0.0, 0.0), PERP_LAW_COULOMB);
    perp_options_init(&opt, &narrow, NULL, NULL);
    perp_result *r = test_new_result(p->n);
    OK(perp_solve(&narrow, p, &opt, r, NULL));
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(test_ran(r, "pairs matrix stored as factored"));
}
