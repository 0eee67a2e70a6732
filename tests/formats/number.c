/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/number.c: doubles to text and back, compared with strtod and printf: the same
 * bits, the same digits. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include <perp/random.h>

#include "base/number.h"
#include "support.h"

enum { DRAWN = 1000000 };

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Any bits that make a finite number. */
static double draw_double(perp_random *g)
{
    for (;;) {
        uint64_t bits = perp_random_next(g);
        double x = 0.0;

        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) {
            return x;
        }
    }
}

static void expect_read(const char *text)
{
    char *rest = NULL;
    const double expected = strtod(text, &rest);
    const char *stop = NULL;
    const double x = perp_number_read(text, text + strlen(text), &stop);

    if (stop != rest || !same_bits(x, expected)) {
        test_note("\"%s\" is read as %a up to %td, expected %a up to %td", text, x,
                  stop - text, expected, rest - text);
        CU_FAIL("read otherwise");
    }
}

/* The shortest of 15, 16 and 17 digits by printf, and it reads back. */
static void expect_format(double x)
{
    char text[PERP_NUMBER_LENGTH];
    char expected[64];
    const size_t length = perp_number_format(text, x);

    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, x);
        if (strtod(expected, NULL) == x) {
            break;
        }
    }
    if (strcmp(text, expected) != 0 || length != strlen(text)) {
        test_note("%a is written \"%s\", %zu characters, expected \"%s\"", x, text,
                  length, expected);
        CU_FAIL("written otherwise");
    }
    if (isfinite(x)) {
        expect_read(text);
    }
}

TEST(any_double_is_written_as_by_printf_and_read_as_by_strtod)
{
    perp_random g = {1};

    for (int k = 0; k < DRAWN; k++) {
        expect_format(draw_double(&g));
    }
}

/* Few digits, as people write them, and quotients, as programs make them. */
TEST(numbers_of_everyday_size_are_written_as_by_printf)
{
    perp_random g = {2};

    for (int k = 0; k < DRAWN / 4; k++) {
        const double x = perp_random_uniform(&g, -1000.0, 1000.0);

        expect_format(x);
        expect_format(rint(x * 1000.0) / 1000.0);
        expect_format(rint(x));
    }
}

/* One to forty digits with a point anywhere: more than a double holds, more than 19. */
TEST(any_decimal_number_is_read_as_by_strtod)
{
    perp_random g = {3};

    for (int k = 0; k < DRAWN; k++) {
        char text[80];
        int at = 0;
        const int digits = 1 + (int)(perp_random_next(&g) % (k % 4 ? 20 : 40));
        const int point = (int)(perp_random_next(&g) % 40);
        const int exponent =
            (int)(perp_random_next(&g) % (k % 8 ? 60 : 700)) - (k % 8 ? 30 : 350);

        if (perp_random_next(&g) & 1) {
            text[at++] = '-';
        }
        for (int d = 0; d < digits; d++) {
            if (d == point) {
                text[at++] = '.';
            }
            text[at++] = (char)('0' + perp_random_next(&g) % 10);
        }
        text[at] = '\0';
        if (k % 3) {
            sprintf(text + at, "e%d", exponent);
        }
        expect_read(text);
    }
}

/* Half way between two doubles, and the digit beyond that decides. */
TEST(ties_are_decided_as_by_strtod)
{
    perp_random g = {4};

    for (int k = 0; k < 20000; k++) {
        char text[1200];
        const double x = ldexp((double)(perp_random_next(&g) >> 11), k % 120 - 100);
        const double next = nextafter(x, INFINITY);
        const long double tie = ((long double)x + (long double)next) / 2;
        const int length = snprintf(text, sizeof text - 8, "%.400Lf", tie);

        expect_read(text);
        snprintf(text + length, 4, "1");
        expect_read(text);
    }
}

TEST(edges_are_written_and_read_as_by_the_c_library)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "0.0e5",
        "1",
        "-1",
        "+1.5",
        ".5",
        "5.",
        "1e",
        "1e+",
        "1e-5x",
        "1.2.3",
        "007",
        "1e400",
        "-1e400",
        "1e-400",
        "4.9e-324",
        "2.4e-324",
        "2.5e-324",
        "1e308",
        "1e309",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "9007199254740993",
        "9007199254740992.9",
        "18446744073709551615",
        "18446744073709551616",
        "1e22",
        "1e23",
        "123456789012345678e-340",
        "0.000000000000000000000000001",
        "1e99999999999",
        "1e-99999999999",
        "-",
        "",
        ".",
        "e5",
        "+-1",
        "12 13",
        "8.5e-322",
        "72057594037927945",
        "1000000000000000000000000000000000000",
    };

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        expect_read(texts[k]);
    }
    for (int e = -1074; e < 1024; e++) {
        expect_format(ldexp(1.0, e));
        expect_format(nextafter(ldexp(1.0, e), 0.0));
        expect_format(nextafter(ldexp(1.0, e), INFINITY));
    }
    for (int e = -323; e < 309; e++) {
        char text[16];

        snprintf(text, sizeof text, "1e%d", e);
        expect_read(text);
        expect_format(strtod(text, NULL));
        expect_format(-9.0 * strtod(text, NULL));
    }
    expect_format(0.0);
    expect_format(-0.0);
    expect_format(INFINITY);
    expect_format(-INFINITY);
    expect_format(DBL_MAX);
    expect_format(999999999999999.0);
    expect_format(1000000000000000.0);
    expect_format(9999999999999998.0);
    expect_format(0.1 + 0.2);
    expect_format(1.0 + 0x1p-17);
}

TEST(a_number_of_a_thousand_characters_is_read_and_a_longer_one_is_none)
{
    char text[1200];
    const char *stop = NULL;

    memset(text, '3', sizeof text);
    text[1] = '.';
    CU_ASSERT_EQUAL(perp_number_read(text, text + 1000, &stop), 10.0 / 3.0);
    CU_ASSERT_PTR_EQUAL(stop, text + 1000);
    (void)perp_number_read(text, text + 1001, &stop);
    CU_ASSERT_PTR_EQUAL(stop, text);
}
