/* SPDX-License-Identifier: Apache-2.0
 * base/number.h: doubles from and to decimal text, with the bits of strtod and the digits of printf. In
 * the "C" locale. */
#ifndef PERP_BASE_NUMBER_H
#define PERP_BASE_NUMBER_H

#include <perp/base.h>

enum { PERP_NUMBER_LENGTH = 32 };

/** The double nearest to the decimal number that the text begins with: digits with an optional
 *  sign, point and exponent. *stop is behind it; it is `from` where there is no such number,
 *  or one of more than 1000 characters. */
double perp_number_read(const char *from, const char *end, const char **stop);

/** Also "inf", "infinity" and "nan" in any case, with an optional sign: the numbers of a text. Nothing
 *  else that strtod reads is one, such as 0x10. A decimal number beyond the doubles is infinite, with
 *  *beyond set; `beyond` may be NULL. */
double perp_number_parse(const char *from, const char *end, const char **stop,
                         bool *beyond);

/** Whether a double has this value; beyond 2^53 not every one does. */
bool perp_number_holds(int64_t k);

/** Whether a double has the value of these 64 bits, an integer with a sign or without; if not, its
 *  digits for a message. */
bool perp_number_holds_word(uint64_t bits, bool has_sign,
                            char digits[PERP_NUMBER_LENGTH]);

/** The shortest of 15, 16 or 17 digits that reads back as x, as "%.*g" writes them; "inf" and
 *  "-inf". Returns its length; a 0 follows. */
size_t perp_number_format(char text[PERP_NUMBER_LENGTH], double x);

/** x >= 0 with two digits, as "%.1e" writes them ("3.2e-17"), but rounded up or down: the decimal
 *  number is never below x, or never above it. Returns `text`. */
const char *perp_number_above(char text[PERP_NUMBER_LENGTH], double x);
const char *perp_number_below(char text[PERP_NUMBER_LENGTH], double x);

#endif
