/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/memory.c: Newton's methods when memory runs out. */
#include <config.h>

#include "answers.h"
#include "core/solver_list.h"
#include "core/solvers.h"
#include "couples.h"
#include "instances.h"
#include "scarce.h"

typedef struct attempt {
    const perp_solver_type *type;
    const perp_problem *p;
    perp_result *r;
} attempt;

static perp_status solve_once(void *context, perp_error *err)
{
    attempt *a = context;

    for (size_t i = 0; i < a->p->n; i++) {
        a->r->z[i] = 0.0;
    }
    return perp_solve(a->type, a->p, NULL, a->r, err);
}

static void solve_everywhere(const perp_solver_type *type, const char *id,
                             perp_storage storage)
{
    perp_problem *p = test_golden_problem(id);
    attempt a = {.type = type, .p = p};

    test_store(p, storage, 1);
    OK(perp_result_new(&a.r, p->n, NULL));
    scarce_everywhere(solve_once, &a, type->name);
    CU_ASSERT_EQUAL(a.r->outcome, PERP_SOLVED); /* the last time there was enough */
}

TEST(every_failing_allocation_is_an_error)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR};

    for (int i = 0; i < 2; i++) {
        solve_everywhere(&perp_solver_prox_newton, "incline_slip", storages[i]);
        solve_everywhere(&perp_solver_prox_newton, "findex_0", storages[i]);
        solve_everywhere(&perp_solver_ac, "incline_slip", storages[i]);
        solve_everywhere(&perp_solver_nsgs_newton, "incline_slip", storages[i]);
        solve_everywhere(&perp_solver_fb, "obstacle1d_31", storages[i]);
    }
}

/* Contacts of two bodies, with friction or without, W in factors. */
static perp_problem *contacts_of_bodies(couples *s, bool friction)
{
    const unsigned cones[] = {3, 3, 3, 3, 3, 3, 0}, normals[] = {1, 1, 1, 1, 1, 1, 0};
    perp_operator *A = NULL;
    perp_set *set = NULL;
    perp_random g = {4};

    couples_draw(s, friction ? COUPLES_ARMS : COUPLES_DRAWN, friction ? cones : normals,
                 3);
    OK(perp_operator_new_pairs(&A, &s->pairs, NULL));
    OK(perp_set_new(&set, 6, NULL));
    for (size_t k = 0; k < 6; k++) {
        if (friction) {
            perp_set_add_cone(set, 3, 0.3);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

TEST(every_failing_allocation_is_an_error_in_factors_too)
{
    const perp_solver_type *types[] = {&perp_solver_prox_newton, &perp_solver_nsgs_newton,
                                       &perp_solver_ac, &perp_solver_fb,
                                       &perp_solver_minmap};

    for (int i = 0; i < 5; i++) {
        static couples s;
        perp_problem *p = contacts_of_bodies(&s, i < 3);
        attempt a = {.type = types[i], .p = p};
        perp_options opt;

        OK(perp_result_new(&a.r, p->n, NULL));
        scarce_everywhere(solve_once, &a, types[i]->name);
        CU_ASSERT_EQUAL(a.r->outcome, PERP_SOLVED);
        perp_options_init(&opt, types[i], NULL, NULL);
        CU_ASSERT(test_memory_needed(p, types[i], &opt, "no memory") > 0);
    }
}

/* The certificate of an infeasible problem is itself an allocation. */
TEST(no_memory_for_a_proof_is_no_crash)
{
    const perp_solver_type *types[] = {&perp_solver_fb, &perp_solver_prox_newton};

    for (int i = 0; i < 2; i++) {
        perp_problem *p = test_golden_problem("infeasible_zero");
        attempt a = {.type = types[i], .p = p};

        OK(perp_result_new(&a.r, p->n, NULL));
        scarce_everywhere(solve_once, &a, types[i]->name);
        test_infeasible(p, a.r);
    }
}
