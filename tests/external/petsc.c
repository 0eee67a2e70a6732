/* SPDX-License-Identifier: Apache-2.0
 * tests/external/petsc.c: the solvers of PETSc, alone and with MUMPS, where they are here: one
 * process and several. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "answers.h"
#include "families.h"
#include "here.h"
#include "instances.h"

static const char *const solvers[] = {
    "petsc:vinewtonrsls", "petsc:vinewtonssls", "petsc:tao-ssils", "petsc:tao-asils",
    "mumps:vinewtonrsls", "mumps:vinewtonssls", "mumps:tao-ssils", "mumps:tao-asils",
};

typedef void visitor(const char *solver);

static void each(visitor *visit)
{
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        if (code_is_here(solvers[k])) {
            visit(solvers[k]);
        }
    }
}

static perp_result *expect(const char *solver, const perp_problem *p, const char *option,
                           const double *z)
{
    perp_result *r = test_solve(p, solver, option, NULL);
    bool own = option && strncmp(option, "tolerance=", 10) == 0;

    if (!test_solved(p, r, own ? strtod(option + 10, NULL) : 1e-8)) {
        test_note("%s %s: %s", solver, option ? option : "", r->reason);
    }
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
    for (size_t i = 0; z && i < p->n; i++) { /* residual 1e-8, condition below 100 */
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], z[i], 1e-5);
    }
    return r;
}

/* FREE, one-sided, fixed and two-sided rows. */
static void solves_boxes(const char *solver)
{
    const perp_problem *p = test_boxed(21, 5);

    expect(solver, p, NULL, test_solve(p, "dantzig", NULL)->z);
}

TEST(each_solver_solves_boxes)
{
    each(solves_boxes);
}

static void solves_an_unsymmetric_problem(const char *solver)
{
    const double rows[4] = {2, 1, 0, 2}, q[2] = {-2, -1}, z[2] = {0.75, 0.5};

    expect(solver, test_lcp(2, rows, q), NULL, z);
}

TEST(each_solver_solves_an_unsymmetric_problem)
{
    each(solves_an_unsymmetric_problem);
}

static perp_problem *obstacle(const char *call)
{
    perp_problem *p = NULL;

    OK(perp_family_make(call, &p, NULL));
    return test_keep(p, test_free_problem);
}

/* The obstacle problem is monotone with an M-matrix: one solution. */
TEST(one_and_two_processes_find_the_same_solution)
{
    static const char *const names[] = {"petsc:vinewtonrsls", "petsc:tao-asils",
                                        "mumps:vinewtonssls"};
    bool started = system("mpiexec --version >/dev/null 2>&1") == 0;
    perp_problem *p = obstacle("obstacle-2d:m=11");

    if (!started) {
        test_note("mpiexec is not here");
    }
    for (size_t k = 0; started && k < 3 && code_is_here(names[k]); k++) {
        const perp_result *one = expect(names[k], p, "ranks=1", NULL);
        const perp_result *two = expect(names[k], p, "ranks=2", one->z);

        CU_ASSERT(two->iterations > 0);
    }
}

TEST(more_processes_than_rows_do_no_harm)
{
    const double rows[4] = {2, 1, 1, 2}, q[2] = {-1, 1}, z[2] = {0.5, 0};

    if (code_is_here("mumps:vinewtonrsls") &&
        system("mpiexec --version >/dev/null 2>&1") == 0) {
        expect("mumps:vinewtonrsls", test_lcp(2, rows, q), "ranks=3", z);
    }
}

TEST(each_way_to_solve_linear_systems_works)
{
    static const char *const ways[] = {"linear=auto", "linear=lu", "linear=amg",
                                       "linear=ilu"};
    perp_problem *p = obstacle("obstacle-2d:m=19");

    for (size_t k = 0; k < 4 && code_is_here("petsc:vinewtonrsls"); k++) {
        expect("petsc:vinewtonrsls", p, ways[k], NULL);
        expect("petsc:vinewtonssls", p, ways[k], NULL);
    }
}

static void uses_its_start(const char *solver)
{
    perp_problem *p = obstacle("obstacle-2d:m=19");
    const perp_result *cold = expect(solver, p, NULL, NULL);
    const perp_result *warm = test_solve_from(p, cold->z, solver, NULL);

    CU_ASSERT_EQUAL(warm->outcome, PERP_SOLVED);
    CU_ASSERT(warm->iterations <= 2);
    CU_ASSERT(warm->iterations < cold->iterations);
}

TEST(each_solver_begins_at_the_start)
{
    each(uses_its_start);
}

static void reaches_its_limit(const char *solver)
{
    perp_problem *p = obstacle("obstacle-2d:m=19");
    const perp_result *r = test_solve(p, solver, "max-iterations=2", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_ITERATION_LIMIT);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "iteration limit");
}

TEST(each_solver_ends_at_the_limit_of_iterations)
{
    each(reaches_its_limit);
}

/* The tolerance is that of perp's residual, whatever the units of the rows. */
static void tolerance_is_that_of_the_residual(const char *solver)
{
    perp_problem *p = obstacle("obstacle-2d:m=19");
    double s[19 * 19];

    for (size_t i = 0; i < p->n; i++) {
        s[i] = pow(10.0, (double)(i % 7));
        p->b[i] *= s[i];
    }
    perp_operator_scale(p->A, s, s);
    p->sealed = false;
    expect(solver, p, "tolerance=1e-6", NULL);
    expect(solver, p, "tolerance=1e-10", NULL);
}

TEST(the_tolerance_is_that_of_the_residual)
{
    each(tolerance_is_that_of_the_residual);
}

static void refuses_cones(const char *solver)
{
    const double rows[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 1, 0}, mu[1] = {0.5};
    const perp_problem *p = test_cones(3, 1, rows, b, mu);
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_result_new(&r, 3, NULL));
    CU_ASSERT_EQUAL(perp_solve(perp_solver_find(solver), p, NULL, r, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "takes no cone rows"));
}

TEST(cones_are_refused_in_one_line)
{
    each(refuses_cones);
}
