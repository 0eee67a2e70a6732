/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/contacts.c: steps in one pass over contacts with arms are those of products
 * with A; their solution is that of an interior point method. */
#include <config.h>

#include "core/solver_list.h"
#include "couples.h"
#include "gradient/contacts.h"
#include "helpers.h"

static const unsigned dims[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};

/* Contacts that close, of all kinds of friction, one of them without. Borrows from s. */
static perp_problem *contacts_problem(couples *s, couples_kind kind, uint64_t seed)
{
    perp_random g = {seed};

    couples_draw(s, kind, dims, seed);
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_set(COUPLES_ROWS);
    for (size_t k = 0; dims[k] > 0; k++) {
        perp_set_add_cone(set, 3, k == 6 ? 0.0 : 0.2 + 0.1 * (double)(k % 5));
    }
    perp_problem *p = test_problem(A, set, PERP_LAW_ASSOCIATED, &g);
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] -= 0.6;
    }
    return p;
}

/* Contacts at a point have arms, rows of any numbers do not. */
TEST(find_the_arms_of_contacts)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        couples s;
        couples_kind kind = (couples_kind)(seed % 3);
        perp_problem *p = contacts_problem(&s, kind, seed);
        perp_contacts c;
        perp_workspace *ws = test_new_workspace(0);

        CU_ASSERT_FATAL(perp_contacts_init(&c, p, ws));
        CU_ASSERT_EQUAL(c.record != NULL, kind != COUPLES_DRAWN);
    }
}

/* Both differ by rounding, which restarts at other steps would increase: 40 steps end before. */
static void check_iterates(const char *solver, perp_law law)
{
    static const char *const steps[] = {"max-iterations=1", "max-iterations=10",
                                        "max-iterations=40"};
    static const char *const scales[] = {"scale=off", "scale=on"};

    for (uint64_t seed = 1; seed <= 12; seed++) {
        couples s;
        perp_problem *p = contacts_problem(&s, (couples_kind)(seed % 3), seed);

        p->law = law;
        perp_problem *q = test_stored(p, PERP_STORAGE_DENSE, 1);
        for (size_t k = 0; k < 6; k++) {
            perp_result *r =
                test_solve(p, solver, steps[k % 3], scales[k / 3], "tolerance=0", NULL);
            perp_result *x =
                test_solve(q, solver, steps[k % 3], scales[k / 3], "tolerance=0", NULL);
            double far = test_distance(p->n, r->z, x->z);

            if (!(far <= 1e-11 * test_largest(p->n, x->z))) {
                test_note("%s, seed %d, %s: %.1e", solver, (int)seed, steps[k % 3], far);
                CU_FAIL("not the iterates of products");
            }
        }
    }
}

TEST(make_the_iterates_of_products)
{
    check_iterates("apgd", PERP_LAW_ASSOCIATED);
    check_iterates("apgd-inline", PERP_LAW_ASSOCIATED);
    check_iterates("apgd-inline", PERP_LAW_COULOMB);
}

/* Under the associated law there is no shift. */
TEST(make_the_steps_of_apgd_without_a_shift)
{
    couples s;
    perp_problem *p = contacts_problem(&s, COUPLES_ARMS, 7);
    perp_result *r = test_solve(p, "apgd", "max-iterations=100", "tolerance=0", NULL);
    perp_result *x =
        test_solve(p, "apgd-inline", "max-iterations=100", "tolerance=0", NULL);

    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
}

/* Velocities are unique where impulses are not. */
TEST(agree_with_an_interior_point_method)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        couples s;
        perp_problem *p = contacts_problem(&s, (couples_kind)(seed % 3), seed);
        perp_result *r = test_solve(p, "apgd", "tolerance=1e-10", NULL);
        perp_result *x = test_solve(p, "ipm-socp", "tolerance=1e-10", NULL);

        CU_ASSERT_EQUAL(r->outcome, x->outcome);
        if (x->outcome == PERP_SOLVED) {
            /* |w - w*|^2 <= |A| times the gap of f, residuals times the size of z */
            CU_ASSERT(test_solved(p, r, 1e-10));
            CU_ASSERT(test_distance(p->n, r->w, x->w) <= 1e-4 * test_largest(p->n, p->b));
        }
    }
}

/* b, the diagonal and the friction change: as a loop around the solver does it. */
TEST(resume_with_another_b_diagonal_and_friction)
{
    couples s;
    perp_problem *p = contacts_problem(&s, COUPLES_ARMS, 4);
    stepped t;

    stepped_open(&t, &perp_solver_apgd, p, NULL);
    stepped_steps(&t, 20);
    for (size_t k = 0; k < p->set->count; k++) {
        p->set->blocks[k].mu *= 1.5;
    }
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] *= 1.0 + 0.05 * (double)i;
    }
    perp_operator_add_diagonal(p->A, 0.5);
    OK(perp_run_resume(&t.run, 0.5, NULL));
    stepped_steps(&t, 2000);
    /* no less than the rounding floor of a well-conditioned problem */
    CU_ASSERT(perp_residual(p, t.r->z) <= 1e-12);
    stepped_close(&t);
}

TEST(take_no_step_from_the_solution)
{
    couples s;
    perp_problem *p = contacts_problem(&s, COUPLES_ROUND, 5);
    perp_result *r = test_solve(p, "apgd", "tolerance=1e-10", NULL);
    perp_result *again = test_solve_from(p, r->z, "apgd", "tolerance=1e-10", NULL);

    CU_ASSERT_EQUAL(again->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(again->iterations, 0);
}

TEST(say_when_memory_is_short)
{
    couples s;
    perp_problem *p = contacts_problem(&s, COUPLES_ARMS, 6);
    perp_options opt;

    perp_options_init(&opt, &perp_solver_apgd, NULL, NULL);
    CU_ASSERT(test_memory_needed(p, &perp_solver_apgd, &opt, "apgd") > 1);
}
