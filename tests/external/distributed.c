/* SPDX-License-Identifier: Apache-2.0
 * tests/external/distributed.c: an obstacle problem of 10^6 rows on two processes, `make
 * distributed`: more than a minute, so that make check leaves it out.
 *
 * The active set of Newton's method moves by about one row of the grid per iteration, so that each
 * grid starts at the solution of the next coarser one, interpolated: m -> 2 m + 1. */
#include <config.h>

#include <math.h>

#include "answers.h"
#include "families.h"
#include "here.h"

/* z of node (row, column) of a grid with m x m inner nodes; 1/2 on the boundary. */
static double node(const double *z, size_t m, size_t row, size_t column)
{
    bool inner = row > 0 && column > 0 && row <= m && column <= m;

    return inner ? z[(row - 1) * m + column - 1] : 0.5;
}

/* The values of a grid on the one with 2 m + 1 nodes in a row: the mean of its nearest nodes. */
static double *refine(const double *z, size_t m)
{
    size_t fine = 2 * m + 1;
    double *zz = perp_reals_new(fine * fine);

    CU_ASSERT_PTR_NOT_NULL_FATAL(zz);
    for (size_t row = 1; row <= fine; row++) {
        for (size_t column = 1; column <= fine; column++) {
            size_t up = row / 2, left = column / 2;
            size_t down = (row + 1) / 2, right = (column + 1) / 2;

            zz[(row - 1) * fine + column - 1] =
                (node(z, m, up, left) + node(z, m, up, right) + node(z, m, down, left) +
                 node(z, m, down, right)) /
                4.0;
        }
    }
    return zz;
}

/* The problem with m^2 rows by two processes. */
static perp_result *solve(size_t m, const double *start)
{
    char call[64];
    perp_problem *p = NULL;
    perp_result *r = NULL;

    snprintf(call, sizeof call, "obstacle-2d:m=%zu", m);
    OK(perp_family_make(call, &p, NULL));
    r = test_solve_from(p, start, "petsc:vinewtonrsls", "ranks=2", NULL);
    if (!test_solved(p, r, 1e-8)) {
        test_note("%s: %s", call, r->reason);
    }
    printf("# %zu rows: %zu iterations, residual %.2g, %.3g s\n", p->n, r->iterations,
           r->residual, r->seconds);
    perp_problem_free(p);
    return r;
}

TEST(two_processes_solve_an_obstacle_problem_of_a_million_rows)
{
    size_t m = 125;
    perp_result *r = NULL;

    if (!code_is_here("petsc:vinewtonrsls")) {
        return;
    }
    r = solve(m, NULL);
    while (m * m < 1000000) {
        double *start = refine(r->z, m);

        m = 2 * m + 1;
        r = solve(m, start);
        free(start);
    }
    CU_ASSERT(r->n >= 1000000);
    CU_ASSERT_STRING_EQUAL(r->foreign.claim, "solved");
}
