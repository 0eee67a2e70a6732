/* SPDX-License-Identifier: Apache-2.0
 * tests/outer/frozen.c: the loops that freeze friction bounds, tresca, panagiotopoulos
 * and staggered: against ds, with rows that are no contacts, warm, with failing
 * memory and what they end with. */
#include <config.h>

#include <stdlib.h>

#include "answers.h"
#include "instances.h"
#include "scarce.h"

static const char *const loops[] = {"tresca", "panagiotopoulos", "staggered", NULL};

/* Contacts of 2 and 3 rows between a joint, a limit with box friction, a motor and a
 * disk. */
static perp_problem *with_other_rows(uint64_t seed)
{
    perp_random g = {seed};
    perp_set *set = test_new_set(9);

    perp_set_add_free(set);
    perp_set_add_cone(set, 3, 0.7);
    perp_set_add_nonneg(set);
    perp_set_add_friction(set, 0.4, set->n - 1);
    perp_set_add_box(set, -0.1, 0.2);
    perp_set_add_cone(set, 2, 0.2);
    perp_set_add_disk(set, 0.3);
    return test_problem(test_spd(set->n, seed), set, PERP_LAW_COULOMB, &g);
}

TEST(pass_rows_that_are_no_contacts_through)
{
    for (size_t k = 0; loops[k]; k++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            perp_problem *p = with_other_rows(seed);
            perp_result *r = test_solve(p, loops[k], "tolerance=1e-10", NULL);

            if (!test_solved(p, r, 1e-10)) {
                test_note("%s, seed %d", loops[k], (int)seed);
            }
        }
    }
}

TEST(need_fewer_rounds_from_a_near_start_and_none_from_the_solution)
{
    perp_problem *p = test_golden_problem("rand_fc_8");

    for (size_t k = 0; loops[k]; k++) {
        perp_result *cold = test_solve(p, loops[k], NULL);
        perp_result *there = test_solve_from(p, cold->z, loops[k], NULL);

        CU_ASSERT_EQUAL(there->iterations, 0);
        for (size_t i = 0; i < p->n; i++) {
            cold->z[i] *= 1.0 + 1e-5;
        }
        perp_result *near = test_solve_from(p, cold->z, loops[k], NULL);
        CU_ASSERT_EQUAL(near->outcome, PERP_SOLVED);
        CU_ASSERT(near->work.rounds < cold->work.rounds);
    }
}

TEST(stop_after_the_rounds_they_were_given_with_their_best_point)
{
    perp_problem *p = test_golden_problem("rand_fc_12");
    double *zero = test_reals(p->n);

    for (size_t k = 0; loops[k]; k++) {
        perp_result *r = test_solve(p, loops[k], "rounds=3", NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
        CU_ASSERT_EQUAL(r->work.rounds, 3.0);
        CU_ASSERT(r->residual < perp_residual(p, zero));
        CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
    }
}

typedef struct call {
    const char *loop;
    const perp_problem *p;
} call;

static perp_status solve_once(void *context, perp_error *err)
{
    const call *c = context;
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_status status = perp_solver_parse(c->loop, &type, &opt, err);

    if (status == PERP_OK) {
        status = perp_result_new(&r, c->p->n, err);
    }
    if (status == PERP_OK) {
        status = perp_solve(type, c->p, &opt, r, err);
    }
    return status;
}

TEST(survive_every_failing_allocation)
{
    perp_problem *dense = test_golden_problem("incline_slip");
    perp_problem *sparse = test_stored(dense, PERP_STORAGE_CSR, 1);

    for (size_t k = 0; loops[k]; k++) {
        call c = {loops[k], dense};

        scarce_everywhere(solve_once, &c, loops[k]);
        c.p = sparse;
        scarce_everywhere(solve_once, &c, loops[k]);
    }
}
