/* SPDX-License-Identifier: Apache-2.0
 * tests/external/codes.c: the codes that were found here, against solvers of perp. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/external.h>

#include "support.h"

/* Is the code of "glpk:milp" here? A test of one that is not passes, and says so. */
static bool is_here(const char *name)
{
    char path[4096];

    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        size_t length = strlen((*code)->name);

        if (strncmp((*code)->name, name, length) == 0 && name[length] == ':') {
            bool found = perp_code_program(*code, path, sizeof path);

            if (!found) {
                test_note("%s is not here", name);
            }
            return found;
        }
    }
    return false;
}

static perp_result *run_code(const char *name, const perp_problem *p)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};
    perp_status status = perp_solver_parse(name, &type, &opt, &err);

    OK(status);
    OK(perp_result_new(&r, p->n, NULL));
    perp_options_set_real(&opt, "time-limit", 60.0, NULL);
    status = perp_solve(type, p, &opt, r, &err);
    if (status != PERP_OK) {
        test_note("%s: %s", name, err.text);
    }
    OK(status);
    return r;
}

static void expect_solved(const char *name, const perp_problem *p)
{
    perp_result *ours = run_code("lemke", p);
    perp_result *theirs = is_here(name) ? run_code(name, p) : ours;

    if (theirs->outcome != PERP_SOLVED) {
        test_note("%s: %s", name, theirs->reason);
    }
    CU_ASSERT_EQUAL(theirs->outcome, PERP_SOLVED);
    CU_ASSERT_EQUAL(ours->outcome, PERP_SOLVED);
    for (size_t i = 0; i < p->n; i++) { /* residual 1e-8, condition below 100 */
        CU_ASSERT_DOUBLE_EQUAL(theirs->z[i], ours->z[i], 1e-5);
    }
    if (theirs != ours) {
        CU_ASSERT_STRING_EQUAL(theirs->foreign.claim, "solved");
        CU_ASSERT(theirs->foreign.seconds > 0.0);
        CU_ASSERT(*theirs->foreign.version != '\0');
        CU_ASSERT_FALSE(theirs->foreign.false_claim);
    }
}

static const double rows[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2};
static const double q[3] = {-1, 0.8, -2};

TEST(glpk_solves_small_problems)
{
    expect_solved("glpk:milp", test_lcp(3, rows, q));
    for (uint64_t seed = 1; seed <= 5; seed++) {
        expect_solved("glpk:milp", test_boxed(8, seed));
    }
}

/* Not symmetric, not monotone: z = (0, 1) alone. */
TEST(glpk_solves_what_is_not_convex)
{
    const double M[4] = {-1, 2, 2, 1}, b[2] = {-1, -1};
    const perp_problem *p = test_lcp(2, M, b);
    const perp_result *r = is_here("glpk:milp") ? run_code("glpk:milp", p) : NULL;

    CU_ASSERT(!r || r->outcome == PERP_SOLVED);
}

/* w = -1 - z < 0 for every z >= 0: a claim, since it comes without a certificate. */
TEST(glpk_claims_that_there_is_no_solution)
{
    const double M[1] = {-1}, b[1] = {-1};
    const perp_result *r =
        is_here("glpk:milp") ? run_code("glpk:milp", test_lcp(1, M, b)) : NULL;

    if (r) {
        CU_ASSERT_EQUAL(r->outcome, PERP_STALLED);
        CU_ASSERT_STRING_EQUAL(r->foreign.claim, "infeasible");
        CU_ASSERT_FALSE(r->foreign.false_claim);
    }
}

TEST(octave_solves_convex_problems)
{
    expect_solved("octave:qp", test_lcp(3, rows, q));
    expect_solved("octave:qp", test_boxed(8, 1));
    expect_solved("octave:lcp", test_lcp(3, rows, q));
}

TEST(octave_refuses_what_is_not_symmetric)
{
    const double M[4] = {2, 1, 0, 2}, b[2] = {-1, -1};
    const perp_solver_type *type = perp_solver_find("octave:qp");
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_result_new(&r, 2, NULL));
    CU_ASSERT_EQUAL(perp_solve(type, test_lcp(2, M, b), NULL, r, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "demands a symmetric A"));
}
