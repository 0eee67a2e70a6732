/* SPDX-License-Identifier: Apache-2.0
 * formats/scan.c: words and numbers of a text, with their line numbers.
 *
 * Words end at white space and are copied before they are converted, so that the text needs
 * no final 0 and may hold any byte. Runs in the "C" locale. Linear in the text. */
#include <config.h>

#include <errno.h>
#include <stdio.h>

#include "base/number.h"
#include "formats.h"
#include "scan.h"

perp_scan perp_scan_start(const perp_source *from, perp_error *err)
{
    const char *text = from->bytes ? from->bytes : "";

    return (perp_scan){.path = from->name,
                       .at = text,
                       .end = text + from->size,
                       .line = 1,
                       .word_line = 1,
                       .err = err};
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_separator(const perp_scan *s, char c)
{
    return is_blank(c) || (s->separator && c == s->separator);
}

static void skip_blanks(perp_scan *s)
{
    while (s->at < s->end) {
        if (s->comments && *s->at && strchr(s->comments, *s->at)) {
            while (s->at < s->end && *s->at != '\n') {
                s->at++;
            }
        } else if (is_separator(s, *s->at)) {
            s->line += *s->at == '\n';
            s->at++;
        } else {
            break;
        }
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

bool perp_scan_next(perp_scan *s)
{
    perp_scan before = *s;
    const char *start = NULL;
    size_t length = 0;

    skip_blanks(s);
    before.word_line = s->word_line = s->line;
    start = s->at;
    while (s->at < s->end && !is_separator(s, *s->at)) {
        s->at++;
    }
    length = (size_t)(s->at - start);
    if (length == 0) {
        *s = before; /* blanks at the end are not consumed */
        s->word[0] = '\0';
        return false;
    }
    if (length < PERP_SCAN_WORD) {
        copy_visible(s->word, start, length);
    } else {
        copy_visible(s->word, start, PERP_SCAN_WORD - 4);
        memcpy(s->word + PERP_SCAN_WORD - 4, "...", 4); /* no number ends so */
    }
    return true;
}

bool perp_scan_at_end(const perp_scan *s)
{
    perp_scan ahead = *s;

    skip_blanks(&ahead);
    return ahead.at == ahead.end;
}

perp_scan_fault perp_scan_real(perp_scan *s, double *x)
{
    const char *stop = NULL;
    bool beyond = false;

    if (!perp_scan_next(s)) {
        return PERP_SCAN_END;
    }
    *x = perp_number_parse(s->word, s->word + strlen(s->word), &stop, &beyond);
    if (stop == s->word || *stop) {
        return PERP_SCAN_NO_NUMBER;
    }
    if (isnan(*x)) {
        return PERP_SCAN_NAN;
    }
    if (beyond) {
        return PERP_SCAN_BEYOND;
    }
    return isinf(*x) ? PERP_SCAN_INFINITE : PERP_SCAN_GOOD;
}

perp_scan_fault perp_scan_integer(perp_scan *s, int64_t *k)
{
    char *rest = NULL;

    if (!perp_scan_next(s)) {
        return PERP_SCAN_END;
    }
    errno = 0;
    *k = strtoll(s->word, &rest, 10);
    return rest == s->word || *rest || errno ? PERP_SCAN_NO_INTEGER : PERP_SCAN_GOOD;
}

static perp_status refuse(const perp_scan *s, perp_scan_fault fault, const char *what)
{
    static const char *const expected[] = {
        [PERP_SCAN_GOOD] = "something else",    [PERP_SCAN_END] = "",
        [PERP_SCAN_NO_NUMBER] = "a number",     [PERP_SCAN_NO_INTEGER] = "an integer",
        [PERP_SCAN_NAN] = "a finite number",    [PERP_SCAN_INFINITE] = "a finite number",
        [PERP_SCAN_BEYOND] = "a finite number",
    };
    bool data = fault == PERP_SCAN_NAN || fault == PERP_SCAN_INFINITE ||
                fault == PERP_SCAN_BEYOND;

    if (fault == PERP_SCAN_END) {
        return perp_fail(s->err, PERP_ERR_READ, "%s:%zu: the file ends before %s",
                         s->path, s->word_line, what);
    }
    return perp_fail(s->err, data ? PERP_ERR_DATA : PERP_ERR_FORMAT,
                     "%s:%zu: %s is \"%s\", expected %s", s->path, s->word_line, what,
                     s->word, expected[fault]);
}

perp_status perp_scan_refuse(const perp_scan *s, perp_scan_fault fault,
                             const char *format, ...)
{
    char what[160];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return refuse(s, fault, what);
}

perp_status perp_scan_fail(const perp_scan *s, perp_status status, const char *format,
                           ...)
{
    char what[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return perp_fail(s->err, status, "%s:%zu: %s", s->path, s->word_line, what);
}

perp_status perp_scan_value(perp_scan *s, double *x, const char *format, ...)
{
    perp_scan_fault fault = perp_scan_real(s, x);
    char what[160];
    va_list args;

    if (fault == PERP_SCAN_GOOD) {
        return PERP_OK;
    }
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return refuse(s, fault, what);
}

perp_status perp_scan_size(perp_scan *s, const char *what, size_t min, size_t max,
                           size_t *k)
{
    int64_t value = 0;
    perp_scan_fault fault = perp_scan_integer(s, &value);

    if (fault != PERP_SCAN_GOOD) {
        return perp_scan_refuse(s, fault, "%s", what);
    }
    if (value < 0 || (uint64_t)value < min || (uint64_t)value > max) {
        if (min == max) {
            return perp_scan_fail(s, PERP_ERR_FORMAT, "%s is %lld, expected %zu", what,
                                  (long long)value, min);
        }
        if (min > max) {
            return perp_scan_fail(s, PERP_ERR_FORMAT,
                                  "%s is %lld after the last one, %zu", what,
                                  (long long)value, max);
        }
        return perp_scan_fail(s, PERP_ERR_FORMAT, "%s is %lld, expected %zu to %zu", what,
                              (long long)value, min, max);
    }
    *k = (size_t)value;
    return PERP_OK;
}

perp_status perp_scan_reals(perp_scan *s, const char *name, size_t n, double **x)
{
    perp_status status = PERP_OK;

    *x = NULL;
    if (n > perp_scan_room(s)) {
        return perp_scan_fail(s, PERP_ERR_READ,
                              "%s has %zu numbers, the rest of the file at most %zu",
                              name, n, perp_scan_room(s));
    }
    *x = perp_reals_new(n);
    if (!*x) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for %zu reals", s->path,
                         n);
    }
    for (size_t i = 0; status == PERP_OK && i < n; i++) {
        status = perp_scan_value(s, *x + i, "%s[%zu]", name, i);
    }
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    return status;
}

perp_status perp_scan_all(perp_scan *s, double **x, size_t *n)
{
    size_t room = perp_scan_room(s);
    perp_scan_fault fault = PERP_SCAN_GOOD;

    *n = 0;
    *x = perp_reals_new(room);
    if (!*x) {
        return perp_fail(s->err, PERP_ERR_MEMORY, "%s: no memory for %zu numbers",
                         s->path, room);
    }
    for (;;) {
        double value = 0.0;

        fault = perp_scan_real(s, &value);
        if (fault == PERP_SCAN_END || fault == PERP_SCAN_NO_NUMBER ||
            fault == PERP_SCAN_BEYOND || *n == room) {
            break;
        }
        (*x)[(*n)++] = value;
    }
    if (fault != PERP_SCAN_END) {
        free(*x);
        *x = NULL;
        return perp_scan_fail(s, PERP_ERR_FORMAT, "found \"%s\", expected a number",
                              s->word);
    }
    return PERP_OK;
}

perp_status perp_scan_expect(perp_scan *s, const char *word)
{
    if (!perp_scan_next(s)) {
        return perp_scan_refuse(s, PERP_SCAN_END, "\"%s\"", word);
    }
    if (strcmp(s->word, word) != 0) {
        return perp_scan_fail(s, PERP_ERR_FORMAT, "found \"%s\", expected \"%s\"",
                              s->word, word);
    }
    return PERP_OK;
}

bool perp_scan_line(perp_scan *s, perp_scan *line)
{
    const char *stop = NULL;

    skip_blanks(s);
    s->word_line = s->line;
    *line = *s;
    line->comments = NULL;
    if (s->at == s->end) { /* the last line of the text, which may end in a newline */
        line->word_line -= s->line > 1 && s->end[-1] == '\n';
        return false;
    }
    stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
    line->end = stop ? stop : s->end;
    s->at = line->end; /* the next call counts the end of this line */
    return true;
}

void perp_scan_text(const perp_scan *line, char *text, size_t length)
{
    perp_scan ahead = *line;
    size_t n = 0;

    skip_blanks(&ahead);
    while (ahead.end > ahead.at && is_blank(ahead.end[-1])) {
        ahead.end--;
    }
    n = (size_t)(ahead.end - ahead.at);
    copy_visible(text, ahead.at, n < length ? n : length - 1);
}

size_t perp_scan_room(const perp_scan *s)
{
    size_t room = (size_t)(s->end - s->at) / 2 + 1; /* a digit and a blank each */

    return room < INT32_MAX ? room : INT32_MAX;
}

size_t perp_scan_numbers_ahead(const perp_scan *s, size_t most, bool *only)
{
    perp_scan ahead = *s;
    double x = 0.0;

    *only = false;
    for (size_t count = 0; count < most; count++) {
        perp_scan_fault fault = perp_scan_real(&ahead, &x);

        if (fault == PERP_SCAN_END || fault == PERP_SCAN_NO_NUMBER) {
            *only = fault == PERP_SCAN_END;
            return count;
        }
    }
    *only = perp_scan_at_end(&ahead);
    return most;
}
