/* SPDX-License-Identifier: Apache-2.0
 * tests/command/condition.c: the language that says which steps are captured. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/random.h>

#include "command/simulate/condition.h"
#include "support.h"

static const char *const names[] = {"step",          "t",     "failed", "residual",
                                    "residual-mean", "drift", NULL};
static const double values[] = {150.0, 2.5, 0.0, 1e-5, 7.0, NAN};

static double value_of(const char *text)
{
    condition c;
    perp_error err = {0};

    if (condition_parse(&c, text, names, &err) != PERP_OK) {
        test_note("%s: %s", text, err.text);
        CU_FAIL("a condition is refused");
        return NAN;
    }
    return condition_value(&c, values);
}

static bool holds(const char *text)
{
    condition c;

    OK(condition_parse(&c, text, names, NULL));
    return condition_holds(&c, values);
}

static void refused(const char *text, const char *message)
{
    condition c;
    perp_error err = {0};

    CU_ASSERT_EQUAL(condition_parse(&c, text, names, &err), PERP_ERR_OPTION);
    if (!strstr(err.text, message)) {
        test_note("%s: %s", text, err.text);
        CU_FAIL("another message");
    }
}

TEST(a_number_of_steps_counts_from_one)
{
    CU_ASSERT(holds("50"));
    CU_ASSERT_FALSE(holds("40"));
    refused("-1", "column 1: found -1, expected a whole number of steps from 1");
    refused(" -0.5", "found -0.5, expected a whole number of steps from 1");
    refused("0", "found 0, expected a whole number of steps from 1");
}

TEST(the_conditions_of_the_manual_hold_when_they_should)
{
    CU_ASSERT(holds("step%50==0"));
    CU_ASSERT_FALSE(holds("step%40==0"));
    CU_ASSERT(holds("residual>1e-6"));
    CU_ASSERT_FALSE(holds("failed"));
    CU_ASSERT(holds("t>=2 && !(residual<1e-6)"));
}

TEST(precedence_and_order_are_those_of_c)
{
    CU_ASSERT_EQUAL(value_of("2+3*4"), 14.0);
    CU_ASSERT_EQUAL(value_of("(2+3)*4"), 20.0);
    CU_ASSERT_EQUAL(value_of("20-5-3"), 12.0);
    CU_ASSERT_EQUAL(value_of("64/4/2"), 8.0);
    CU_ASSERT_EQUAL(value_of("- 2 * -3"), 6.0);
    CU_ASSERT_EQUAL(value_of("1 || 0 && 0"), 1.0);
    CU_ASSERT_EQUAL(value_of("1 + 1 == 2 && 3 > 2"), 1.0);
    CU_ASSERT_EQUAL(value_of("1 < 2 == 1"), 1.0);
    CU_ASSERT_EQUAL(value_of("!0 + 1"), 2.0);
    CU_ASSERT_EQUAL(value_of("17 % 5 * 2"), 4.0);
    CU_ASSERT_EQUAL(value_of("1.5e1 != 15"), 0.0);
    CU_ASSERT_EQUAL(value_of("!!step"), 1.0);
}

TEST(a_whole_number_means_every_so_many_steps)
{
    CU_ASSERT(holds("50"));
    CU_ASSERT(holds(" 1 "));
    CU_ASSERT_FALSE(holds("40"));
    refused("0", "expected a whole number of steps");
    refused("1.5", "expected a whole number of steps");
}

TEST(the_longest_known_name_is_read)
{
    CU_ASSERT_EQUAL(value_of("residual-mean"), 7.0);
    CU_ASSERT_EQUAL(value_of("residual - 1"), 1e-5 - 1.0);
    CU_ASSERT_EQUAL(value_of("step-t"), 147.5);
}

TEST(what_is_not_a_number_is_not_true)
{
    CU_ASSERT_FALSE(holds("drift"));
    CU_ASSERT_FALSE(holds("drift > 0"));
    CU_ASSERT_FALSE(holds("step/0 < 1"));
    CU_ASSERT_FALSE(holds("step%0"));
    CU_ASSERT(holds("!drift"));
}

TEST(a_message_names_the_column)
{
    refused("", "column 1: the end, expected a number, a name or '('");
    refused("t > residul",
            "column 5: unknown name \"residul\", the nearest is \"residual\"");
    refused("t >", "column 4: the end");
    refused("t = 2", "column 3: found '=', expected an operator or the end");
    refused("(t > 2", "column 7: the end, expected an operator or ')'");
    refused("t > 2)", "column 6: found ')'");
    refused("1.2.3 < t", "column 1: found '1', expected a number");
    refused("3e < t", "column 1: found '3', expected a number");
    refused("0x10", "expected a number");
    refused("inf < t", "unknown name \"inf\"");
    refused("step ** 2", "column 7: found '*'");
    refused("system(\"rm\")", "unknown function \"system\"");
    refused("random(0, 1)", "unknown function \"random\"");
}

TEST(what_is_too_deep_is_refused)
{
    char text[1024];

    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    refused(text, "nested deeper than");
    memset(text, '!', sizeof text - 1);
    refused(text, "nested deeper than");
    text[0] = '\0';
    for (int k = 0; k < 200; k++) {
        strcat(text, k ? "+1" : "1");
    }
    CU_ASSERT_EQUAL(value_of(text), 200.0); /* long is not deep */
}

/* Whatever the letters: a value or a message, never a crash; what is taken can be
 * evaluated. The letters are those of the language,
 * so that many texts get past the first few. */
TEST(random_texts_are_taken_or_refused)
{
    static const char *const parts[] = {
        "step", "t", "failed", "residual", "-",  "+",  "*",  "/",  "%",
        "(",    ")", "!",      "&&",       "||", "<",  "<=", "==", "1",
        "0.5",  " ", "e9",     "\xff",     "&",  "\"", "."};
    perp_random g = {20};
    size_t taken = 0;

    for (int trial = 0; trial < 20000; trial++) {
        char text[128] = "";
        condition c;
        perp_error err = {0};
        size_t length = 1 + (size_t)(perp_random_next(&g) % 9);

        for (size_t k = 0; k < length; k++) {
            strcat(text, parts[perp_random_next(&g) % (sizeof parts / sizeof *parts)]);
        }
        if (condition_parse(&c, text, names, &err) == PERP_OK) {
            taken++;
            condition_holds(&c, values);
        } else {
            CU_ASSERT(strncmp(err.text, "column ", 7) == 0);
        }
    }
    CU_ASSERT(taken > 200); /* of 20000; the seed is fixed */
}
