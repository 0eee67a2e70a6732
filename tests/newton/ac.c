/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/ac.c: damped Newton on the equation of Alart and Curnier. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

/* The default tolerance. */
static const double asked = 1e-8;

/* Once the modes are right the error is squared by each step. */
TEST(converges_quadratically_near_a_solution)
{
    perp_problem *p = test_golden_problem("rand_fc_8");
    perp_result *r = test_solve(p, "ac", "tolerance=1e-13", NULL);
    double *z = test_reals(p->n);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    for (size_t i = 0; i < p->n; i++) {
        z[i] = r->z[i] * (1.0 + 1e-5 * cos((double)i));
    }
    perp_result *x = test_solve_from(p, z, "ac", "tolerance=1e-13", "history=on", NULL);
    CU_ASSERT_EQUAL(x->outcome, PERP_SOLVED);
    CU_ASSERT(x->iterations <= 2); /* 1e-5, 1e-10, 1e-20 */
    x = test_solve_from(p, r->z, "ac", "tolerance=1e-12", NULL);
    CU_ASSERT_EQUAL(x->iterations, 0);
}

/* Two legs on the same spot, W = [1 1; 1 1] on the normals, no friction: both stick, the
 * derivative is singular and damped steps share the load. */
TEST(damped_steps_pass_a_singular_derivative)
{
    const double M[] = {1, 1, 1, 1};
    const double q[] = {-1, -1};
    perp_problem *p = test_lcp(2, M, q);
    perp_result *r = test_solve(p, "ac", NULL);

    test_solved(p, r, asked);
    CU_ASSERT_DOUBLE_EQUAL(r->z[0] + r->z[1], 1.0, 1e-7);
    CU_ASSERT_EQUAL(r->certificate.kind, PERP_CERTIFICATE_NONE);
}

TEST(says_why_it_gives_up_on_singular_structures)
{
    perp_problem *p = test_dataset("fclib/local_problem_test.hdf5");
    perp_result *r = test_solve(p, "ac", NULL);

    CU_ASSERT(r->outcome == PERP_SOLVED || r->outcome == PERP_SINGULAR_BLOCK ||
              r->outcome == PERP_STALLED);
    CU_ASSERT(r->outcome == PERP_SOLVED || strstr(r->reason, "decreases |f|"));
    CU_ASSERT_EQUAL(r->residual, perp_residual(p, r->z));
}
