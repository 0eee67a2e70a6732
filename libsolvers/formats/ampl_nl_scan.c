/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl_nl_scan.c: letters and numbers of a .nl file, of text or binary. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ampl_nl_scan.h"
#include "base/base.h"
#include "base/number.h"

perp_status perp_nl_fail(const perp_nl_scan *s, const char *format, ...)
{
    char what[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return s->binary
               ? perp_fail(s->err, PERP_ERR_FORMAT, "%s: byte %zu: %s", s->path,
                           (size_t)(s->at - s->begin), what)
               : perp_fail(s->err, PERP_ERR_FORMAT, "%s:%zu: %s", s->path, s->line, what);
}

void perp_nl_pass(perp_nl_scan *s)
{
    while (!s->binary && s->at < s->end &&
           (isspace((unsigned char)*s->at) || *s->at == '#')) {
        if (*s->at == '#') {
            while (s->at < s->end && *s->at != '\n') {
                s->at++;
            }
        } else {
            s->line += *s->at++ == '\n';
        }
    }
}

perp_status perp_nl_letter(perp_nl_scan *s, char *c)
{
    perp_nl_pass(s);
    if (s->at == s->end) {
        return perp_nl_fail(s, "the file ends, expected more");
    }
    *c = *s->at++;
    return PERP_OK;
}

bool perp_nl_bytes(perp_nl_scan *s, void *to, size_t count)
{
    if ((size_t)(s->end - s->at) < count) {
        return false;
    }
    memcpy(to, s->at, count);
    s->at += count;
    return true;
}

perp_status perp_nl_real(perp_nl_scan *s, double *x)
{
    const char *stop = NULL;

    *x = 0.0;
    perp_nl_pass(s);
    if (s->binary) {
        return perp_nl_bytes(s, x, sizeof *x)
                   ? PERP_OK
                   : perp_nl_fail(s, "the file ends, expected a number");
    }
    *x = perp_number_parse(s->at, s->end, &stop, NULL);
    if (stop == s->at) {
        return perp_nl_fail(s, "%s, expected a number",
                            s->at < s->end ? "found something else" : "the file ends");
    }
    s->at = stop;
    return PERP_OK;
}

perp_status perp_nl_integer(perp_nl_scan *s, const char *what, size_t most, size_t *k)
{
    int32_t word = 0;
    double x = 0.0;
    perp_status status = PERP_OK;

    *k = 0;
    if (!s->binary) {
        status = perp_nl_real(s, &x);
    } else if (perp_nl_bytes(s, &word, sizeof word)) {
        x = word;
    } else {
        return perp_nl_fail(s, "the file ends, expected %s", what);
    }
    if (status == PERP_OK && !(x >= 0.0 && x <= (double)most && x == floor(x))) {
        return perp_nl_fail(s, "%s is %g, expected an integer 0 .. %zu", what, x, most);
    }
    *k = status == PERP_OK ? (size_t)x : 0;
    return status;
}

perp_status perp_nl_finite(perp_nl_scan *s, const char *what, double *x)
{
    perp_status status = perp_nl_real(s, x);

    return status == PERP_OK && !isfinite(*x)
               ? perp_nl_fail(s, "%s is %g, expected a finite number", what, *x)
               : status;
}

void perp_nl_line(perp_nl_scan *s, double *x, size_t most)
{
    size_t count = 0;
    const char *stop = NULL;

    while (s->at < s->end && *s->at != '\n' && *s->at != '#') {
        if (isspace((unsigned char)*s->at)) {
            s->at++;
            continue;
        }
        if (count == most) {
            break;
        }
        x[count] = perp_number_parse(s->at, s->end, &stop, NULL);
        if (stop == s->at) {
            break;
        }
        s->at = stop;
        count++;
    }
    while (s->at < s->end && *s->at++ != '\n') {
    }
    s->line++;
}
