/* SPDX-License-Identifier: Apache-2.0
 * tests/core/warm.c: what a start is worth: every solver that claims to start warm ends
 * at once at a solution, takes fewer iterations from near one than from zero, and asks
 * for the same residual wherever it begins. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "command/generate/families.h"

static const char *const lcps[] = {"spd:n=40,seed=1", "spd:n=60,seed=2", "obstacle:n=20",
                                   "journal-bearing:n=24", NULL};
/* A sliding table, two clouds, a wall at rest, a pile around a built solution. */
static const char *const contacts[] = {"table:force-x=90,force-y=40",
                                       "random-cloud:contacts=8,bodies=5,seed=3",
                                       "random-cloud:contacts=40,bodies=30,seed=5",
                                       "wall",
                                       "contacts:contacts=20,seed=2,density=2",
                                       NULL};

/* Iterations of all instances that a solver takes and solves from zero. */
typedef struct tally {
    size_t cold, near, instances;
} tally;

static perp_problem *make(const char *call, perp_law law)
{
    perp_problem *p = NULL;

    OK(perp_family_make(call, &p, NULL));
    p->law = law;
    return test_keep(p, test_free_problem);
}

/* Solve from z; NULL where the solver does not take the problem. Those that are judged on
 * the way are judged at each iteration, so that counts compare. */
static perp_result *solve(const perp_solver_type *type, const perp_problem *p,
                          const double *z, double tolerance)
{
    const perp_solver_type *parsed = NULL;
    perp_options opt;
    perp_error err = {0};

    OK(perp_solver_parse(type->name, &parsed, &opt, NULL));
    OK(perp_options_set_real(&opt, "tolerance", tolerance, NULL));
    if (parsed->check_every > 0) {
        perp_options_set(&opt, "check-every", "1", NULL);
    }
    perp_result *r = test_new_result(p->n);
    memcpy(r->z, z, p->n * sizeof *z);
    perp_status status = perp_solve(parsed, p, &opt, r, &err);
    CU_ASSERT(status == PERP_OK || status == PERP_ERR_UNSUITABLE);
    if (status != PERP_OK) {
        return NULL;
    }
    return r;
}

/* x := z + random noise of `size` max |z|. */
static double *disturbed(size_t n, const double *z, double size)
{
    perp_random g = {7};
    double most = test_largest(n, z);
    double *x = test_reals(n);

    for (size_t i = 0; i < n; i++) {
        x[i] = z[i] + size * most * perp_random_uniform(&g, -1.0, 1.0);
    }
    return x;
}

/* Solved, at the residual asked for, which is that of the point as anyone computes it. */
static void check_answer(const perp_problem *p, const perp_solver_type *type,
                         const char *call, const char *start, const perp_result *r,
                         double tolerance)
{
    if (r->outcome != PERP_SOLVED) {
        test_note("%s on %s from %s: %s", type->name, call, start, r->reason);
    }
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    CU_ASSERT(r->residual <= tolerance);
    /* the same sums in the same order; scaling is by powers of two */
    CU_ASSERT_DOUBLE_EQUAL(r->residual, perp_residual(p, r->z), 1e-3 * tolerance);
}

static void check_instance(const perp_solver_type *type, const char *call, perp_law law,
                           tally *t)
{
    perp_problem *p = make(call, law);
    double *zero = test_reals(p->n);
    double *x = NULL;
    perp_result *cold = solve(type, p, zero, 1e-8);
    perp_result *again = NULL;
    perp_result *near = NULL;

    if (cold && cold->outcome == PERP_SOLVED) {
        check_answer(p, type, call, "zero", cold, 1e-8);
        again = solve(type, p, cold->z, 1e-8);
        CU_ASSERT(again->iterations <= 1);
        check_answer(p, type, call, "the solution", again, 1e-8);
        x = disturbed(p->n, cold->z, 1e-4);
        near = solve(type, p, x, 1e-8);
        check_answer(p, type, call, "near the solution", near, 1e-8);
        t->cold += cold->iterations;
        t->near += near->iterations;
        t->instances++;
    }
}

static void check_solver(const perp_solver_type *type, const char *const *calls,
                         perp_law law, size_t *solvers)
{
    tally t = {0};

    if (!(type->flags.flag_bits & PERP_FLAG_USES_START)) {
        return;
    }
    for (size_t k = 0; calls[k]; k++) {
        check_instance(type, calls[k], law, &t);
    }
    if (t.instances > 0 && t.near >= t.cold) {
        test_note("%s: %zu iterations from near, %zu from zero", type->name, t.near,
                  t.cold);
        CU_FAIL("a start near the solution saves nothing");
    }
    *solvers += t.instances >= 3;
}

/* How many solvers solved most of the instances must not fall unseen. */
static void check_solvers(const char *const *calls, perp_law law, size_t least)
{
    size_t count = 0;
    size_t solvers = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (size_t k = 0; k < count; k++) {
        check_solver(all[k], calls, law, &solvers);
    }
    CU_ASSERT(solvers >= least);
}

TEST(a_start_near_the_solution_of_an_lcp_saves_iterations)
{
    check_solvers(lcps, PERP_LAW_COULOMB, 32);
}

TEST(a_start_near_the_impulses_of_contacts_saves_iterations)
{
    check_solvers(contacts, PERP_LAW_COULOMB, 22);
}

TEST(a_start_near_associated_contacts_saves_iterations)
{
    check_solvers(contacts, PERP_LAW_ASSOCIATED, 19);
}

/* From near, the residual is 1e-4 or so at once and nothing is left to do for 1e-2; from
 * far, ten times the answer in any direction, it is the same 1e-8 that ends the work. */
static void check_tolerance(const perp_solver_type *type, const char *call)
{
    perp_problem *p = make(call, PERP_LAW_COULOMB);
    double *zero = test_reals(p->n);
    double *x = NULL;
    perp_result *cold = solve(type, p, zero, 1e-8);
    perp_result *near = NULL;
    perp_result *far = NULL;

    if (cold && cold->outcome == PERP_SOLVED) {
        x = disturbed(p->n, cold->z, 1e-4);
        CU_ASSERT(perp_residual(p, x) <= 1e-2);
        near = solve(type, p, x, 1e-2);
        check_answer(p, type, call, "near", near, 1e-2);
        CU_ASSERT_EQUAL(near->iterations, 0);
        x = disturbed(p->n, cold->z, 10.0);
        CU_ASSERT(perp_residual(p, x) > 1.0);
        far = solve(type, p, x, 1e-8);
        check_answer(p, type, call, "afar", far, 1e-8);
    }
}

TEST(the_tolerance_is_the_same_from_every_start)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    for (size_t k = 0; k < count; k++) {
        check_tolerance(all[k], lcps[0]);
        check_tolerance(all[k], contacts[0]);
        check_tolerance(all[k], contacts[1]);
    }
}
