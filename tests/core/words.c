/* SPDX-License-Identifier: Apache-2.0
 * tests/core/words.c: what every solver says when it does not solve: one sentence that
 * begins with its name, tells numbers, and is not cut short.
 *
 * Every registered solver meets limits, problems without a solution, singular blocks,
 * cycles and rows it does not take. Which of them ends it, is its affair; how it says so
 * is checked. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/solvers.h"
#include "instances.h"

/* A sentence fits in a record, and in a terminal of 80 columns in four lines. */
enum { LONGEST = 255 };

/* The name of the solver, or of it in a wrapper or around its inner one, stands in
 * front. */
static bool is_named(const char *text, const char *solver)
{
    size_t colon = strcspn(text, " ");
    size_t length = strlen(solver);
    const char *at = strstr(text, solver);

    return at && at + length <= text + colon;
}

static bool is_sentence(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && length < LONGEST && !strpbrk(text, "\n\t%") &&
           strcmp(text + (length > 3 ? length - 3 : 0), "...") != 0 &&
           !strchr(" ,:;(", text[length - 1]) && !strstr(text, "(null)") &&
           !strstr(text, "nan");
}

static void check_words(const char *solver, const char *text, const char *digits)
{
    bool good = is_named(text, solver) && is_sentence(text) && strpbrk(text, digits);

    if (!good) {
        test_note("%s says: %s", solver, text);
    }
    CU_ASSERT(good);
}

/* Solve with an option, NULL for none; what is said, unless it solved the problem.
 * Returns the outcome. */
static perp_outcome hear(const perp_solver_type *solver, const perp_problem *p,
                         const char *option, const char *value)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};
    perp_status status = perp_solver_parse(solver->name, &type, &opt, NULL);

    OK(status);
    OK(perp_options_set(&opt, "max-iterations", "3000", NULL));
    if (option) {
        OK(perp_options_set(&opt, option, value, NULL));
    }
    perp_result *r = test_new_result(p->n);
    status = perp_solve(type, p, &opt, r, &err);
    perp_outcome outcome = r->outcome;
    if (status != PERP_OK) {
        CU_ASSERT_EQUAL(status, PERP_ERR_UNSUITABLE);
        check_words(solver->name, err.text, "abcdefghijklmnopqrstuvwxyz");
    } else if (outcome == PERP_SOLVED) {
        CU_ASSERT(is_sentence(r->reason));
    } else if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE && solver->chain) {
        CU_ASSERT(
            is_sentence(r->reason)); /* in the name of the solver that has the proof */
    } else {
        check_words(solver->name, r->reason, "0123456789");
    }
    return outcome;
}

static void hear_all(const perp_problem *p, const char *option, const char *value,
                     perp_outcome wanted)
{
    const perp_solver_type *const *all = perp_solvers(NULL);
    size_t heard = 0;

    for (size_t s = 0; all[s]; s++) {
        heard += hear(all[s], p, option, value) == wanted;
    }
    CU_ASSERT(heard > 0); /* or the problem is of no use here */
}

static void hear_golden(const char *id, const char *option, const char *value,
                        perp_outcome wanted)
{
    perp_problem *p = test_golden_problem(id);

    hear_all(p, option, value, wanted);
}

TEST(a_limit_of_iterations)
{
    perp_problem *p = test_dataset("siconos-lcp/lcp_mmc.dat");
    perp_problem *cones = test_dataset("siconos-fc3d/Rover4396.dat");

    hear_all(p, "max-iterations", "1", PERP_ITERATION_LIMIT);
    hear_all(cones, "max-iterations", "1", PERP_ITERATION_LIMIT);
}

TEST(a_limit_of_time)
{
    perp_problem *p = test_dataset("siconos-lcp/lcp_mmc.dat");

    hear_all(p, "time-limit", "1e-12", PERP_TIME_LIMIT); /* less than any clock tells */
}

TEST(problems_without_a_solution)
{
    hear_golden("qp_kkt_infeasible_41", NULL, NULL, PERP_INFEASIBLE);
    hear_golden("feasible_unsolvable", NULL, NULL, PERP_RAY);
    hear_golden("infeasible_zero", NULL, NULL, PERP_INFEASIBLE);
}

TEST(singular_blocks_and_cycles)
{
    hear_golden("lemke_ray_but_solvable", NULL, NULL, PERP_CYCLE);
    hear_golden("lemke_ray_but_solvable", NULL, NULL, PERP_SINGULAR_BLOCK);
}

/* A zero matrix: where b is negative nothing helps. */
TEST(a_matrix_of_zeros)
{
    const double zero[9] = {0};
    const double b[3] = {-1, 1, -2};
    perp_problem *p = test_lcp(3, zero, b);

    hear_all(p, NULL, NULL, PERP_INFEASIBLE);
}

/* A contact whose matrix has no inertia in any direction. */
TEST(a_cone_without_mass)
{
    const double zero[9] = {0};
    const double b[3] = {-1, 0.5, 0};
    const double mu[1] = {0.5};
    perp_problem *p = test_cones(3, 1, zero, b, mu);

    hear_all(p, NULL, NULL, PERP_INFEASIBLE);
}

/* Row 2 has no force but that of its bound, whose square no double holds. */
TEST(a_bound_that_no_solver_can_reach)
{
    const double A[9] = {2, 1, 0, 1, 2, 0, 0, 0, 0};
    const double b[3] = {1, -3, -1};
    perp_problem *p = test_lcp(3, A, b);

    for (size_t k = 0; k < 3; k++) {
        p->set->blocks[k] = (perp_block){.kind = PERP_SET_BOX,
                                         .dim = 1,
                                         .first = k,
                                         .lo = k == 0 ? -1e300 : 0.0,
                                         .hi = 1e300};
    }
    hear_all(p, NULL, NULL, PERP_STALLED);
}

TEST(a_number_that_is_none_is_told_in_words)
{
    perp_result *r = test_new_result(1);

    perp_result_end(r, PERP_STALLED, "at mu = %.1e, step %g", -NAN, (double)NAN);
    CU_ASSERT_STRING_EQUAL(r->reason, "at mu = not a number, step not a number");
    perp_result_end(r, PERP_STALLED, "nantes %g, %s", 1.0, "banana");
    CU_ASSERT_STRING_EQUAL(r->reason, "nantes 1, banana");
}

TEST(rows_that_a_solver_does_not_take)
{
    perp_problem *rolling = test_dataset("siconos-rolling/RFC3D_cube_1.dat");
    perp_problem *cones = test_dataset("siconos-fc3d/Confeti-ex13-4contact-Fc3D-SBM.dat");
    perp_problem *big = test_dataset("siconos-lcp/lcp_mmc.dat");

    hear_all(rolling, "max-iterations", "2", PERP_RUNNING);
    hear_all(cones, "max-iterations", "2", PERP_RUNNING);
    hear_all(big, "max-iterations", "2", PERP_RUNNING);
}

TEST(a_matrix_that_is_not_symmetric)
{
    perp_problem *p = test_golden_problem("skew2_pgs_diverges");

    hear_all(p, NULL, NULL, PERP_ITERATION_LIMIT);
}

/* The names of wrapper and inner solver, and of the inner solver alone, are one name. */
TEST(a_name_is_put_once)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    char text[64] = "mpgp: no step";
    char whole[64] = "ds: no round";
    char subject[64] = "ds:mpgp takes no free rows";

    OK(perp_solver_parse("ds:mpgp", &type, &opt, NULL));
    perp_message_name_solver(text, sizeof text, type, &opt);
    CU_ASSERT_STRING_EQUAL(text, "ds:mpgp: no step");
    perp_message_name_solver(text, sizeof text, type, &opt);
    CU_ASSERT_STRING_EQUAL(text, "ds:mpgp: no step");
    perp_message_name_solver(whole, sizeof whole, type, &opt);
    CU_ASSERT_STRING_EQUAL(whole, "ds:mpgp: no round");
    perp_message_name_solver(subject, sizeof subject, type, &opt);
    CU_ASSERT_STRING_EQUAL(subject, "ds:mpgp takes no free rows");
}

TEST(what_is_too_long_ends_in_dots)
{
    char text[16] = "one two three";
    char letters[8] = "abcd\xc3\xa9";

    perp_message_name_solver(text, sizeof text, perp_solver_find("lemke"), NULL);
    CU_ASSERT_STRING_EQUAL(text, "lemke: one t...");
    perp_message_ellipsis(letters, sizeof letters, 9);
    CU_ASSERT_STRING_EQUAL(letters, "abcd...");
    perp_message_ellipsis(letters, sizeof letters, 7);
    CU_ASSERT_STRING_EQUAL(letters, "abcd...");
    perp_result *r = test_new_result(1);
    perp_result_end(r, PERP_STALLED, "%300d", 1);
    CU_ASSERT_EQUAL(strlen(r->reason), sizeof r->reason - 1);
    CU_ASSERT_STRING_EQUAL(r->reason + sizeof r->reason - 4, "...");
}
