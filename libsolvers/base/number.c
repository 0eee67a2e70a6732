/* SPDX-License-Identifier: Apache-2.0
 * base/number.c: doubles from decimal text by strtod, and to the shortest decimal text by products of
 * 128 bits.
 *
 * The text needs m 10^k with m below 2^64. 10^k is a table's 10^(28 j), cut to 128 bits, times an exact
 * 10^i with i < 28; the product of m with it, cut to 128 bits, is low by less than NUMBER_MARGIN units of
 * its last bit. A rounding that the margin does not decide, one in 2^60, is left to printf, as are
 * denormal numbers. */
#include <config.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

__extension__ typedef unsigned __int128 wide;

enum { NUMBER_MARGIN = 16, NUMBER_TEXT = 1000, NUMBER_FIRST = -13, NUMBER_STEP = 28 };

/* 10^(28 j) for j = -13 .. 12, the leading 128 bits. */
static const uint64_t number_coarse[][2] = {
    {0xe1afa13afbd14d6d, 0x82189c09a3a1ec21}, {0xe3e27a444d8d98b7, 0xfd1b1b2308169b25},
    {0xe61acf033d1a45df, 0x6fb92487298e33bd}, {0xe858ad248f5c22c9, 0xd1b3400f8f9cff68},
    {0xea9c227723ee8bcb, 0x465e15a979c1cadc}, {0xece53cec4a314ebd, 0xa4f8bf5635246428},
    {0xef340a98172aace4, 0x86fb897116c87c34}, {0xf18899b1bc3f8ca1, 0xdc44e6c3cb279ac1},
    {0xf3e2f893dec3f126, 0x5a89dba3c3efccfa}, {0xf64335bcf065d37d, 0x4d4617b5ff4a16d5},
    {0xf8a95fcf88747d94, 0x75a44c6397ce912a}, {0xfb158592be068d2e, 0xeed6e2f0f0d56712},
    {0xfd87b5f28300ca0d, 0x8bca9d6e188853fc}, {0x8000000000000000, 0x0000000000000000},
    {0x813f3978f8940984, 0x4000000000000000}, {0x82818f1281ed449f, 0xbff8f10e7a8921a4},
    {0x83c7088e1aab65db, 0x792667c6da79e0fa}, {0x850fadc09923329e, 0x03e2cf6bc604ddb0},
    {0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2}, {0x87aa9aff79042286, 0x90fb44d2f05d0842},
    {0x88fcf317f22241e2, 0x441fece3bdf81f03}, {0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f},
    {0x8bab8eefb6409c1a, 0x1ad089b6c2f7548e}, {0x8d07e33455637eb2, 0xdb0b487b6423e1e8},
    {0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648}, {0x8fcac257558ee4e6, 0x213a4f0aa5e8a7b1},
};

/* 10^i, exact but for a power of two. */
static const uint64_t number_fine[NUMBER_STEP] = {
    0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
    0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
    0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
    0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
    0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
    0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
    0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a,
};

/* m x p, the leading 128 of 192 bits. */
static wide number_times(uint64_t m, wide p)
{
    return (wide)m * (uint64_t)(p >> 64) + ((wide)m * (uint64_t)p >> 64);
}

/* The leading 128 bits of 10^k, -364 <= k < 364. */
static wide number_power(int k)
{
    const int j = (k - NUMBER_FIRST * NUMBER_STEP) / NUMBER_STEP;
    const int i = k - (j + NUMBER_FIRST) * NUMBER_STEP;
    const wide coarse = (wide)number_coarse[j][0] << 64 | number_coarse[j][1];
    wide p = number_times(number_fine[i], coarse);

    return p >> 127 ? p : p << 1;
}

/* floor(log2(10^k)), for |k| < 1000 */
static int number_log2(int k)
{
    return k * 217706 >> 16;
}

static uint64_t number_bits(double x)
{
    uint64_t bits = 0;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static const char *number_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9') {
        at++;
    }
    return at;
}

/* Behind the decimal number at the start, or `from`. */
static const char *number_end(const char *from, const char *end)
{
    const char *start = from + (from < end && (*from == '-' || *from == '+'));
    const char *at = number_digits(start, end);
    size_t digits = (size_t)(at - start);

    if (at < end && *at == '.') {
        start = at + 1;
        at = number_digits(start, end);
        digits += (size_t)(at - start);
    }
    if (digits > 0 && at < end && (*at == 'e' || *at == 'E')) {
        start = at + 1;
        start += start < end && (*start == '-' || *start == '+');
        at = number_digits(start, end) > start ? number_digits(start, end) : at;
    }
    return digits > 0 && at - from <= NUMBER_TEXT ? at : from;
}

double perp_number_read(const char *from, const char *end, const char **stop)
{
    char text[NUMBER_TEXT + 1]; /* a 0 need not follow the number */

    *stop = number_end(from, end);
    if (*stop == from) {
        return 0.0;
    }
    memcpy(text, from, (size_t)(*stop - from));
    text[*stop - from] = '\0';
    return strtod(text, NULL);
}

double perp_number_parse(const char *from, const char *end, const char **stop,
                         bool *beyond)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan", NAN}};
    const bool minus = from < end && *from == '-';
    const char *at = from + (from < end && (minus || *from == '+'));
    const double x = perp_number_read(from, end, stop);

    if (beyond) {
        *beyond = isinf(x);
    }
    for (size_t k = 0; *stop == from && k < sizeof words / sizeof *words; k++) {
        const size_t length = strlen(words[k].word);

        if ((size_t)(end - at) >= length && strncasecmp(at, words[k].word, length) == 0) {
            *stop = at + length;
            return minus ? -words[k].value : words[k].value;
        }
    }
    return x;
}

bool perp_number_holds(int64_t k)
{
    const double x = (double)k;

    return x < 0x1p63 && (int64_t)x == k;
}

bool perp_number_holds_word(uint64_t bits, bool has_sign, char digits[PERP_NUMBER_LENGTH])
{
    const double x = (double)bits;
    const bool holds =
        has_sign ? perp_number_holds((int64_t)bits) : x < 0x1p64 && (uint64_t)x == bits;

    if (!holds && has_sign) {
        snprintf(digits, PERP_NUMBER_LENGTH, "%" PRId64, (int64_t)bits);
    } else if (!holds) {
        snprintf(digits, PERP_NUMBER_LENGTH, "%" PRIu64, bits);
    }
    return holds;
}

/* x by printf, with the digits that are needed. */
static size_t format_slowly(char text[PERP_NUMBER_LENGTH], double x)
{
    int length = 0;

    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        length = snprintf(text, PERP_NUMBER_LENGTH, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    return (size_t)length;
}

/* x > 0 times 10^k, with 17 digits before the point. */
typedef struct scaled {
    wide y;     /* fixed point */
    int point;  /* bits behind the point */
    wide above; /* so far up another number begins, in units of y */
    wide below;
    int first; /* power of ten of the first digit */
} scaled;

static scaled scale(double x)
{
    const uint64_t bits = number_bits(x);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int e = (int)(bits >> 52 & 0x7ff) - 1075;
    const uint64_t m = fraction | UINT64_C(1) << 52;
    scaled s = {.first = (e + 52) * 315653 >> 20}; /* of the power of two: or one more */

    for (;; s.first++) {
        const int k = 16 - s.first;
        const wide p = number_power(k);

        s.y = number_times(m << 11, p);
        s.point = -(e - 11 + number_log2(k) - 127 + 64);
        s.above = p >> 54;
        s.below = fraction == 0 ? s.above >> 1 : s.above;
        if ((uint64_t)(s.y >> s.point) < UINT64_C(100000000000000000)) {
            return s;
        }
    }
}

/* Round to a multiple of `unit`, in units of it. 1: reads back as x; 0: does not; -1: not
 * certain. */
static int scaled_round(const scaled *s, uint64_t unit, uint64_t *digits)
{
    const wide margin = NUMBER_MARGIN;
    const wide all = (wide)unit << s->point;
    const uint64_t whole = (uint64_t)(s->y >> s->point);
    const wide rest =
        s->y - ((wide)(whole - whole % unit) << s->point); /* above the multiple below */
    const bool up = rest > all >> 1;
    const wide distance = up ? all - rest : rest;
    const wide room = up ? s->above : s->below;

    if (distance + margin > all >> 1) {
        return -1; /* a tie, perhaps */
    }
    *digits = whole / unit + up;
    return distance + margin < room ? 1 : distance > room + margin ? 0 : -1;
}

/* The digits of a number above 0; returns how many there are. */
static int digits_print(char *text, uint64_t digits)
{
    char reversed[24];
    int count = 0;

    for (; digits > 0; digits /= 10) {
        reversed[count++] = (char)('0' + digits % 10);
    }
    for (int k = 0; k < count; k++) {
        text[k] = reversed[count - 1 - k];
    }
    return count;
}

/* digits 10^exponent, as "%.*g" of that precision writes it. */
static size_t format_digits(char *text, uint64_t digits, int exponent, int precision)
{
    char figures[24];
    int count = digits_print(figures, digits);
    const int first = exponent + count - 1;
    char *at = text;

    while (count > 1 && figures[count - 1] == '0') {
        count--;
    }
    if (first < -4 || first >= precision) {
        *at++ = figures[0];
        if (count > 1) {
            *at++ = '.';
            memcpy(at, figures + 1, (size_t)count - 1);
            at += count - 1;
        }
        return (size_t)(at - text) + (size_t)sprintf(at, "e%+03d", first);
    }
    if (first < 0) {
        memcpy(at, "0.0000", 6);
        at += 1 - first; /* 0. and zeros */
    }
    for (int k = 0; k < count || k <= first; k++) {
        if (k == first + 1 && first >= 0) {
            *at++ = '.';
        }
        *at++ = k < count ? figures[k] : '0';
    }
    *at = '\0';
    return (size_t)(at - text);
}

size_t perp_number_format(char text[PERP_NUMBER_LENGTH], double x)
{
    const double magnitude = fabs(x);
    char *at = text;
    scaled s;

    if (!isfinite(x) || magnitude < DBL_MIN) {
        return x == 0.0 && !signbit(x) ? (size_t)sprintf(text, "0")
                                       : format_slowly(text, x);
    }
    if (signbit(x)) {
        *at++ = '-';
    }
    if (magnitude < 1e15 && magnitude == floor(magnitude)) {
        return (size_t)(at - text) + format_digits(at, (uint64_t)magnitude, 0, DBL_DIG);
    }
    s = scale(magnitude);
    for (int precision = DBL_DIG; precision <= DBL_DECIMAL_DIG; precision++) {
        static const uint64_t units[] = {100, 10, 1};
        const int k = precision - DBL_DIG;
        uint64_t digits = 0;
        const int reads_back = scaled_round(&s, units[k], &digits);

        if (reads_back < 0) {
            break;
        }
        if (reads_back || precision == DBL_DECIMAL_DIG) {
            return (size_t)(at - text) +
                   format_digits(at, digits, s.first + 1 - precision, precision);
        }
    }
    return format_slowly(text, x);
}

/* Two digits of all those that x has, or the number with two digits after it. */
static const char *format_two(char text[PERP_NUMBER_LENGTH], double x, bool above)
{
    enum { ALL = 767 }; /* no double has more digits */
    char all[ALL + 16];
    int tenths = 0, exponent = 0;

    snprintf(all, sizeof all, "%.*e", ALL, x);
    if (!isfinite(x)) {
        return strcpy(text, isinf(x) ? "inf" : "nan");
    }
    exponent = atoi(all + ALL + 3); /* behind "d.", the digits and "e" */
    tenths = 10 * (all[0] - '0') + (all[2] - '0');
    if (above && strspn(all + 3, "0") < ALL - 1) {
        tenths++;
    }
    if (tenths == 100) {
        tenths = 10;
        exponent++;
    }
    sprintf(text, "%d.%de%+03d", tenths / 10, tenths % 10, exponent);
    return text;
}

const char *perp_number_above(char text[PERP_NUMBER_LENGTH], double x)
{
    return format_two(text, x, true);
}

const char *perp_number_below(char text[PERP_NUMBER_LENGTH], double x)
{
    return format_two(text, x, false);
}
