/* SPDX-License-Identifier: Apache-2.0
 * tests/command/contradiction.c: the rule that says whether a point that solves a problem and a
 * certificate that it has no solution can both be true, and its words. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/verbs/verify_answer.h"
#include "tests/support/support.h"

/* The measures of z, and the bounds of y, of p. */
static contradiction pair_of(const perp_problem *p, const double *z, const double *y)
{
    contradiction x = {.instance = "one", .solved = "A", .certified = "B"};
    perp_measures m;
    perp_judge *judge = test_new_judge(p);

    perp_judge_measure(judge, z, 1e-8, &m);
    x.residual = m.residual;
    x.size = m.beta_z;
    x.rounding = contradiction_rounding_of(p, z, &m);
    perp_certificate_measure(p, y, &x.radius, &x.margin);
    return x;
}

/* w_0 = -1e-12 for every z, beside a row that needs z_1 = 1. weight = s_0 = 1, reach = 0:
 * m = 1e-12. */
TEST(a_point_within_the_tolerance_contradicts_nothing)
{
    perp_problem *p = test_lcp(2, (double[]){0, 0, 0, 1}, (double[]){-1e-12, -1});
    const double y[2] = {1, 0}, z[2] = {0, 1};
    contradiction x = pair_of(p, z, y);

    CU_ASSERT(isinf(x.radius));
    CU_ASSERT_DOUBLE_EQUAL(x.margin, 1e-12, 1e-26);
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_WITHIN);
    /* A judge that claimed 1e-14 here would be in error. */
    x.residual = 1e-14;
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_ERROR);
}

/* A = 0, b = -1: every z has the residual 1, so that 1e-8 would be an error. */
TEST(a_residual_below_the_margin_is_an_error)
{
    perp_problem *p = test_lcp(1, (double[]){0}, (double[]){-1});
    contradiction x = pair_of(p, (double[]){0}, (double[]){1});

    CU_ASSERT_DOUBLE_EQUAL(x.residual, 1.0, 11 * DBL_EPSILON); /* less an allowance */
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_WITHIN);
    x.residual = 1e-8;
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_ERROR);
    x.rounding = 2.0; /* what is lost in rounding is no error */
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_WITHIN);
}

/* A = 1e-3, b = -1: y denies what is below R = 1e3 s, and z = 1e3 solves. */
TEST(a_point_beyond_the_radius_contradicts_nothing)
{
    perp_problem *p = test_lcp(1, (double[]){1e-3}, (double[]){-1});
    contradiction x = {.residual = 0.0, .size = 32.0, .radius = 31.0, .margin = 0.5};

    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_BEYOND);
    x = pair_of(p, (double[]){1e3}, (double[]){1});
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_BEYOND);
}

/* A contact with b = (-3, 4, 0)/s of norm 5, s = 1: the judge divides by 5, and so has the margin to.
 * A = 0 but for the tangents, so that w_N = -3. trace/3 = 1: A_TT = 1.5. */
TEST(the_margin_of_a_contact_is_in_the_terms_of_the_residual)
{
    const double W[9] = {0, 0, 0, 0, 1.5, 0, 0, 0, 1.5}, b[3] = {-3, 4, 0}, mu = 0.0;
    perp_problem *p = test_cones(3, 1, W, b, &mu);
    contradiction x = pair_of(p, (double[3]){0}, (double[]){1, 0, 0});

    CU_ASSERT_DOUBLE_EQUAL(x.margin, 0.6, 1e-14);
    CU_ASSERT(x.residual >= x.margin * (1.0 - 1e-15));
    CU_ASSERT_EQUAL(contradiction_decide(&x), CONTRADICTION_WITHIN);
}

/* Rows of 1 and 1e12 that cancel: A z rounds by far more than n eps s|z|. */
TEST(the_rounding_counts_the_entries_of_a)
{
    const double rows[4] = {1, 1e12, 0, 1};
    perp_problem *p = test_lcp(2, rows, (double[]){-1, -1});
    perp_measures m = {.beta_b = 1.0, .beta_z = 1.0};
    double from_size = contradiction_rounding(2, 1.0, 1.0);

    CU_ASSERT_DOUBLE_EQUAL(from_size, 12.0 * DBL_EPSILON, 1e-20);
    CU_ASSERT(contradiction_rounding_of(p, (double[]){1, 1}, &m) > 1e12 * DBL_EPSILON);
    CU_ASSERT(contradiction_rounding_of(p, (double[]){1, 0}, &m) < 2.0 * from_size);
}

static void says(const contradiction *x, const char *expected)
{
    char *text = contradiction_text(x);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_STRING_EQUAL(text, expected);
    if (strcmp(text, expected) != 0) {
        test_note("%s", text);
    }
    free(text);
}

TEST(each_kind_has_its_words)
{
    contradiction x = {.instance = "o\nne",
                       .solved = "A",
                       .certified = "B",
                       .residual = 1e-12,
                       .size = 3,
                       .radius = 1e13,
                       .margin = 0.5};

    says(&x, "o?ne: \"A\" solved it (residual 1e-12, s|z| <= 3), \"B\" certified that no "
             "solution exists with s|z| <= 1.0e+13");
    CU_ASSERT_STRING_EQUAL(contradiction_name(contradiction_decide(&x)), "error of perp");
    x.size = 2e13;
    says(&x,
         "o?ne: \"A\" solved it (residual 1e-12, s|z| <= 2e+13), \"B\" certified that "
         "no solution exists with s|z| <= 1.0e+13; the solution lies beyond: no "
         "contradiction");
    CU_ASSERT_STRING_EQUAL(contradiction_name(contradiction_decide(&x)),
                           "beyond the radius");
    x.size = 3;
    x.radius = INFINITY;
    x.margin = 1e-13;
    says(&x, "o?ne: \"A\" solved it (residual 1e-12, s|z| <= 3), \"B\" certified that no "
             "solution exists; a residual below 1.0e-13 is excluded, this one is not: no "
             "contradiction");
    CU_ASSERT_STRING_EQUAL(contradiction_name(contradiction_decide(&x)),
                           "within the tolerance");
    CU_ASSERT_PTR_NULL(contradiction_name((contradiction_kind)9));
}

/* 9.96e12 and 9.96e-14 with two digits to nearest would be beyond what is excluded. */
TEST(radius_and_margin_are_rounded_down)
{
    contradiction x = {.instance = "one",
                       .solved = "A",
                       .certified = "B",
                       .residual = 1e-12,
                       .size = 3,
                       .radius = 9.96e12,
                       .margin = 9.96e-14};

    says(&x,
         "one: \"A\" solved it (residual 1e-12, s|z| <= 3), \"B\" certified that no "
         "solution exists with s|z| <= 9.9e+12; a residual below 9.9e-14 is excluded, "
         "this one is not: no contradiction");
}

TEST(an_error_comes_before_a_larger_radius)
{
    contradiction error = {.size = 1, .radius = 10, .margin = 0.5};
    contradiction far = {.size = 1, .radius = 100}, near = {.size = 1, .radius = 50};

    CU_ASSERT(contradiction_worse(&error, &far));
    CU_ASSERT_FALSE(contradiction_worse(&far, &error));
    CU_ASSERT(contradiction_worse(&far, &near));
    CU_ASSERT_FALSE(contradiction_worse(&near, &near));
}

/* No answer of perp is known that does this: the exit status is asked of a pair made up. */
TEST(verify_ends_with_status_2_at_an_error)
{
    const verify_answer answer = {.judged = true, .solved = true};
    contradiction x = {.instance = "one",
                       .solved = "z.json",
                       .certified = "y.json",
                       .size = 3,
                       .radius = 1e13,
                       .margin = 0.5};
    perp_error err = {0};

    CU_ASSERT_EQUAL(verify_answers_status(&answer, 1, &x, &err), CLI_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "perp: error of perp: one: \"z.json\" solved it (residual 0, "
                  "s|z| <= 3), \"y.json\" certified that no solution exists with "
                  "s|z| <= 1.0e+13");
    x.size = 1e14;
    CU_ASSERT_EQUAL(verify_answers_status(&answer, 1, &x, NULL), CLI_DONE);
    CU_ASSERT_EQUAL(verify_answers_status(&answer, 1, NULL, NULL), CLI_DONE);
    CU_ASSERT_EQUAL(
        verify_answers_status(&(verify_answer){.judged = true}, 1, NULL, NULL),
        CLI_NOT_SOLVED);
}
