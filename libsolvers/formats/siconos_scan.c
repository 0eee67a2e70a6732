/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_scan.c: words and numbers of a text file, with their lines.
 *
 * Words are cut at white space and copied before they are converted, so the text needs no
 * end mark and may hold any byte. Runs in the "C" locale. Linear in the text. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>

#include "formats.h"
#include "siconos_scan.h"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(siconos_scan *s)
{
    while (s->at < s->end && is_blank(*s->at)) {
        s->line += *s->at == '\n';
        s->at++;
    }
}

/* Copy what a message may show: no control characters, no broken UTF-8. */
static void copy_visible(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        to[i] = from[i];
        if ((unsigned char)from[i] < 0x20 || (unsigned char)from[i] > 0x7E) {
            to[i] = '?';
        }
    }
    to[length] = '\0';
}

bool perp_siconos_take(siconos_scan *s)
{
    siconos_scan before = *s;
    const char *start = NULL;
    size_t length = 0;

    skip_blanks(s);
    before.token_line = s->token_line = s->line;
    start = s->at;
    while (s->at < s->end && !is_blank(*s->at)) {
        s->at++;
    }
    length = (size_t)(s->at - start);
    if (length == 0) {
        *s = before; /* blanks at the end lead no further */
        s->token[0] = '\0';
        return false;
    }
    if (length < SICONOS_TOKEN) {
        copy_visible(s->token, start, length);
    } else {
        copy_visible(s->token, start, SICONOS_TOKEN - 4);
        memcpy(s->token + SICONOS_TOKEN - 4, "...", 4); /* no number ends so */
    }
    return true;
}

siconos_fault perp_siconos_take_real(siconos_scan *s, double *x)
{
    char *rest = NULL;

    if (!perp_siconos_take(s)) {
        return SICONOS_END;
    }
    *x = strtod(s->token, &rest);
    if (rest == s->token || *rest) {
        return SICONOS_NO_NUMBER;
    }
    if (isnan(*x)) {
        return SICONOS_NAN;
    }
    return isinf(*x) ? SICONOS_INFINITE : SICONOS_GOOD;
}

siconos_fault perp_siconos_take_integer(siconos_scan *s, long *k)
{
    char *rest = NULL;

    if (!perp_siconos_take(s)) {
        return SICONOS_END;
    }
    errno = 0;
    *k = strtol(s->token, &rest, 10);
    if (rest == s->token || *rest || errno || *k > INT32_MAX || *k < INT32_MIN) {
        return SICONOS_NO_INTEGER;
    }
    return SICONOS_GOOD;
}

perp_status perp_siconos_refuse(const siconos_scan *s, siconos_fault fault,
                                const char *format, ...)
{
    static const char *const expected[] = {
        [SICONOS_GOOD] = "something else", [SICONOS_END] = "",
        [SICONOS_NO_NUMBER] = "a number",  [SICONOS_NO_INTEGER] = "an integer",
        [SICONOS_NAN] = "a finite number", [SICONOS_INFINITE] = "a finite number",
    };
    char what[160];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (fault == SICONOS_END) {
        return perp_fail(s->err, PERP_ERR_READ, "%s:%zu: the file ends before %s",
                         s->path, s->token_line, what);
    }
    return perp_fail(s->err,
                     fault == SICONOS_NAN || fault == SICONOS_INFINITE ? PERP_ERR_DATA
                                                                       : PERP_ERR_FORMAT,
                     "%s:%zu: %s is \"%s\", expected %s", s->path, s->token_line, what,
                     s->token, expected[fault]);
}

perp_status perp_siconos_fail(const siconos_scan *s, perp_status status,
                              const char *format, ...)
{
    char what[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return perp_fail(s->err, status, "%s:%zu: %s", s->path, s->token_line, what);
}

perp_status perp_siconos_size(siconos_scan *s, const char *what, size_t min, size_t max,
                              size_t *k)
{
    long value = 0;
    siconos_fault fault = perp_siconos_take_integer(s, &value);

    if (fault != SICONOS_GOOD) {
        return perp_siconos_refuse(s, fault, "%s", what);
    }
    if (value < 0 || (size_t)value < min || (size_t)value > max) {
        if (min == max) {
            return perp_siconos_fail(s, PERP_ERR_FORMAT, "%s is %ld, expected %zu", what,
                                     value, min);
        }
        if (min > max) {
            return perp_siconos_fail(s, PERP_ERR_FORMAT,
                                     "%s is %ld after the last one, %zu", what, value,
                                     max);
        }
        return perp_siconos_fail(s, PERP_ERR_FORMAT, "%s is %ld, expected %zu to %zu",
                                 what, value, min, max);
    }
    *k = (size_t)value;
    return PERP_OK;
}

perp_status perp_siconos_reals(siconos_scan *s, const char *name, size_t n, double **x)
{
    siconos_fault fault = SICONOS_GOOD;

    *x = NULL;
    if (n > perp_siconos_room(s)) {
        return perp_siconos_fail(s, PERP_ERR_READ,
                                 "%s has %zu numbers, the rest of the file at most %zu",
                                 name, n, perp_siconos_room(s));
    }
    *x = perp_reals_new(n);
    if (!*x) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for %zu reals", s->path,
                         n);
    }
    for (size_t i = 0; i < n; i++) {
        fault = perp_siconos_take_real(s, *x + i);
        if (fault != SICONOS_GOOD) {
            free(*x);
            *x = NULL;
            return perp_siconos_refuse(s, fault, "%s[%zu]", name, i);
        }
    }
    return PERP_OK;
}

perp_status perp_siconos_word(siconos_scan *s, const char *word)
{
    if (!perp_siconos_take(s)) {
        return perp_siconos_refuse(s, SICONOS_END, "\"%s\"", word);
    }
    if (strcmp(s->token, word) != 0) {
        return perp_siconos_fail(s, PERP_ERR_FORMAT, "found \"%s\", expected \"%s\"",
                                 s->token, word);
    }
    return PERP_OK;
}

bool perp_siconos_text_line(siconos_scan *s, char *line, size_t length)
{
    const char *start = NULL;
    size_t n = 0;

    skip_blanks(s);
    s->token_line = s->line;
    start = s->at;
    while (s->at < s->end && *s->at != '\n') {
        s->at++;
    }
    n = (size_t)(s->at - start);
    copy_visible(line, start, n < length ? n : length - 1);
    return n > 0;
}

size_t perp_siconos_room(const siconos_scan *s)
{
    size_t room = (size_t)(s->end - s->at) / 2 + 1; /* a digit and a blank each */

    return room < INT32_MAX ? room : INT32_MAX;
}

size_t perp_siconos_numbers_ahead(const siconos_scan *s, size_t most, bool *only)
{
    siconos_scan ahead = *s;
    siconos_fault fault = SICONOS_GOOD;
    double x = 0.0;
    size_t count = 0;

    *only = false;
    while (count < most) {
        fault = perp_siconos_take_real(&ahead, &x);
        if (fault == SICONOS_END || fault == SICONOS_NO_NUMBER) {
            *only = fault == SICONOS_END;
            return count;
        }
        count++;
    }
    skip_blanks(&ahead);
    *only = ahead.at == ahead.end;
    return count;
}
