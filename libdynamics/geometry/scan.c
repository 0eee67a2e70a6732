/* SPDX-License-Identifier: Apache-2.0
 * geometry/scan.c: words of a text with their lines and columns, counted from 1 in bytes.
 *
 * Words are copied before they are converted, so the text needs no end mark and may hold
 * any byte. Lines end with LF, CR LF or CR. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/scan.h"
#include "math/math.h"

scan scan_begin(const char *text, size_t length, const char *name, perp_error *err)
{
    return (scan){.at = text,
                  .end = text + length,
                  .line_start = text,
                  .name = name,
                  .line = 1,
                  .word_line = 1,
                  .word_column = 1,
                  .err = err};
}

static bool scan_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* How many bytes end a line here: 0, 1 or 2. */
static size_t scan_line_end(const scan *s, const char *at)
{
    if (at < s->end && *at == '\r') {
        return at + 1 < s->end && at[1] == '\n' ? 2 : 1;
    }
    return at < s->end && *at == '\n';
}

static void scan_next_line(scan *s, const char *at)
{
    s->at = s->line_start = at;
    s->line++;
}

static void scan_skip_blanks(scan *s)
{
    while (s->at < s->end) {
        if (scan_is_blank(*s->at)) {
            s->at++;
        } else if (s->join && *s->at == s->join && scan_line_end(s, s->at + 1) > 0) {
            scan_next_line(s, s->at + 1 + scan_line_end(s, s->at + 1));
        } else if (s->comment && *s->at == s->comment) {
            while (s->at < s->end && scan_line_end(s, s->at) == 0) {
                s->at++;
            }
        } else {
            return;
        }
    }
}

static bool scan_ends_word(const scan *s, const char *at)
{
    return scan_is_blank(*at) || scan_line_end(s, at) > 0 ||
           (s->comment && *at == s->comment) ||
           (s->join && *at == s->join && scan_line_end(s, at + 1) > 0);
}

/* Copy what a message may show: no control characters, no broken UTF-8; of what is too
 * long the beginning, and no number ends in dots. */
static void copy_word(scan *s, const char *from, size_t length)
{
    bool whole = length < SCAN_WORD;
    size_t shown = whole ? length : SCAN_WORD - 4;

    for (size_t k = 0; k < shown; k++) {
        unsigned char c = (unsigned char)from[k];

        s->word[k] = c < 0x20 || c > 0x7E ? '?' : from[k];
    }
    memcpy(s->word + shown, "...", whole ? 0 : 3);
    s->word[shown + (whole ? 0 : 3)] = '\0';
}

bool scan_word(scan *s)
{
    const char *from = NULL;

    scan_skip_blanks(s);
    from = s->at;
    s->word_line = s->line;
    s->word_column = (size_t)(from - s->line_start) + 1;
    while (s->at < s->end && !scan_ends_word(s, s->at)) {
        s->at++;
    }
    copy_word(s, from, (size_t)(s->at - from));
    return s->at > from;
}

bool scan_line(scan *s)
{
    while (s->at < s->end && scan_line_end(s, s->at) == 0) {
        s->at++;
    }
    if (s->at == s->end) {
        return false;
    }
    scan_next_line(s, s->at + scan_line_end(s, s->at));
    return s->at < s->end;
}

bool scan_word_anywhere(scan *s)
{
    while (!scan_word(s)) {
        if (!scan_line(s)) {
            return false;
        }
    }
    return true;
}

perp_status scan_refuse(const scan *s, perp_status status, const char *what,
                        const char *expected)
{
    if (!*s->word) {
        return perp_fail(s->err, status, "%s:%zu:%zu: %s is missing, expected %s",
                         s->name, s->word_line, s->word_column, what, expected);
    }
    if (!s->genuine) {
        return perp_fail(s->err, status,
                         "%s:%zu:%zu: %s is not that of a mesh, expected %s", s->name,
                         s->word_line, s->word_column, what, expected);
    }
    return perp_fail(s->err, status, "%s:%zu:%zu: %s is \"%.60s\", expected %s", s->name,
                     s->word_line, s->word_column, what, s->word, expected);
}

perp_status scan_real(const scan *s, const char *what, double *x)
{
    char *stop = NULL;
    bool decimal = strspn(s->word, "0123456789+-.eE") == strlen(s->word);

    *x = strtod(s->word, &stop);
    if (stop == s->word || *stop) {
        return scan_refuse(s, PERP_ERR_FORMAT, what, "a number");
    }
    if (!isfinite(*x)) {
        return scan_refuse(s, PERP_ERR_DATA, what, "a finite number");
    }
    return decimal ? PERP_OK : scan_refuse(s, PERP_ERR_FORMAT, what, "a decimal number");
}

bool soup_point(soup *s, const double x[3])
{
    if (!GROW(s->point, s->point_room, 3 * (s->point_count + 1))) {
        return false;
    }
    vec3_copy(s->point + 3 * s->point_count++, x);
    return true;
}

bool soup_triangle(soup *s, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = NULL;

    if (!GROW(s->corner, s->triangle_room, 3 * (s->triangle_count + 1))) {
        return false;
    }
    t = s->corner + 3 * s->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return true;
}

void soup_close(soup *s)
{
    free(s->point);
    free(s->corner);
    memset(s, 0, sizeof *s);
}
