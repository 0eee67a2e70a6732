/* SPDX-License-Identifier: Apache-2.0
 * cli/output.c: text for a person or a pipe: colour, aligned tables, JSON. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "command/cli/output.h"
#include "command/cli/output_format.h"

bool output_has_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return (!no || !*no) && term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

bool output_is_terminal(FILE *out)
{
    return isatty(fileno(out));
}

bool output_has_unicode(FILE *out)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *term = getenv("TERM");
    const char *locale = NULL;

    /* The console of Linux has no braille; a dumb terminal promises no more than ASCII. */
    if (output_is_terminal(out) &&
        (!term || strcmp(term, "dumb") == 0 || strcmp(term, "linux") == 0)) {
        return false;
    }
    for (size_t k = 0; k < 3 && (!locale || !*locale); k++) {
        locale = getenv(names[k]);
    }
    return locale && (strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8"));
}

size_t output_width(FILE *out)
{
    enum { LEAST = 20, MOST = 10000 };
    const char *columns = getenv("COLUMNS");
    long typed = columns ? strtol(columns, NULL, 10) : 0;
    struct winsize size;

    if (!output_is_terminal(out)) {
        return 80;
    }
    if (typed >= LEAST && typed <= MOST) {
        return (size_t)typed;
    }
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST) {
        return size.ws_col;
    }
    return 80;
}

void output_print(FILE *out, output_tone tone, const char *format, ...)
{
    static const char *const start[] = {"", "\033[1m", "\033[32m", "\033[31m"};
    bool colour = tone != OUTPUT_PLAIN && output_has_colour(out);
    va_list args;
    char *text = NULL;

    va_start(args, format);
    text = output_format(format, args);
    va_end(args);
    fprintf(out, "%s%s%s", colour ? start[tone] : "", text, colour ? "\033[0m" : "");
    free(text);
}

/* The first `bytes` of a text; only its newlines stay what they are. */
static void output_shown(FILE *out, const char *text, size_t bytes)
{
    const char *end = text + bytes;
    char mark[PERP_TEXT_MARK];

    while (text < end) {
        size_t shown = perp_text_shown(text), left = (size_t)(end - text);

        shown = shown < left ? shown : left;
        fwrite(text, 1, shown, out);
        text += shown;
        if (text < end && *text == '\n') {
            fputc(*text++, out);
        } else if (text < end) {
            text += perp_text_mark(text, mark);
            fputs(mark, out);
        }
    }
}

/* Bytes up to the next place where a line may end: a blank, or, in a word that is too long
 * for a line, behind a bar. */
static size_t output_piece(const char *text, size_t room)
{
    size_t length = strcspn(text, " \n");
    size_t bar = strcspn(text, "|");

    return length > room && bar < length ? bar + 1 : length;
}

void output_wrap(FILE *out, size_t indent, size_t column, const char *text)
{
    size_t width = output_width(out) < 100 ? output_width(out) : 100;
    size_t room = width > indent ? width - indent : 1;

    while (*text) {
        size_t length = output_piece(text, room);

        if (column > indent && column + length > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        output_shown(out, text, length);
        column += length;
        text += length;
        if (*text == ' ') {
            text++;
            if (column + 1 + strcspn(text, " \n") <= width) {
                fputc(' ', out);
                column++;
            } else {
                column = width; /* the next word begins a line */
            }
        } else if (*text == '\n') {
            text++;
            fprintf(out, "\n%*s", *text ? (int)indent : 0, "");
            column = indent;
        }
    }
    fputc('\n', out);
}

void output_text(FILE *out, size_t indent, size_t column, const char *text)
{
    if (output_is_terminal(out)) {
        output_wrap(out, indent, column, text);
    } else {
        output_shown(out, text, strlen(text));
        fputc('\n', out);
    }
}

size_t output_columns(const char *text, size_t bytes)
{
    size_t n = 0;

    for (size_t k = 0; k < bytes; k++) {
        n += ((unsigned char)text[k] & 0xC0) != 0x80;
    }
    return n;
}

void output_fact(FILE *out, const char *name, const char *format, ...)
{
    enum { INDENT = 12 };
    size_t column = strlen(name) < INDENT ? INDENT : strlen(name) + 1;
    va_list args;
    char *text = NULL;

    va_start(args, format);
    text = output_format(format, args);
    va_end(args);
    output_print(out, OUTPUT_PLAIN, "%-*s ", INDENT - 1, name);
    output_text(out, INDENT, column, text);
    free(text);
}

/* A string of JSON may name any character by its number: those that would change a terminal,
 * without which the document reads the same. Newlines stand between members alone. */
static void output_json_text(FILE *out, const char *text)
{
    while (*text) {
        size_t shown = perp_text_shown(text);
        uint32_t code = 0;

        fwrite(text, 1, shown, out);
        text += shown;
        if (*text) {
            size_t bytes = perp_text_character(text, &code);

            if (code == '\n') {
                fputc('\n', out);
            } else if (code > 0xFFFF) {
                fprintf(out, "\\u%04lx\\u%04lx",
                        0xD800 + ((unsigned long)(code - 0x10000) >> 10),
                        0xDC00 + ((unsigned long)code & 0x3FF));
            } else {
                fprintf(out, "\\u%04lx", (unsigned long)code);
            }
            text += bytes ? bytes : 1;
        }
    }
}

perp_status output_json(FILE *out, json_t *json, bool line, perp_error *err)
{
    size_t flags = line ? JSON_COMPACT : JSON_INDENT(2);
    char *text = json_dumps(json, flags | JSON_REAL_PRECISION(17));

    json_decref(json);
    output_json_text(out, text);
    fputc('\n', out);
    free(text);
    return output_flush(out, "standard output", err);
}

void output_markup(FILE *f, const char *text)
{
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '&':
            fputs("&amp;", f);
            break;
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        case '\t':
            fputs("&#9;", f);
            break;
        case '\n':
            fputs("&#10;", f);
            break;
        case '\r':
            fputs("&#13;", f);
            break;
        default:
            fputc((unsigned char)*c < 0x20 ? '?' : *c, f);
            break;
        }
    }
}

perp_status output_flush(FILE *out, const char *what, perp_error *err)
{
    /* An earlier write failed, and its reason is lost: one more byte asks for it again. */
    if (ferror(out) && write(fileno(out), "\n", 1) == 1) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: a part of it could not be written",
                         what);
    }
    if (ferror(out) || fflush(out) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", what, strerror(errno));
    }
    return PERP_OK;
}

const char *output_real(char room[32], double x)
{
    if (isnan(x)) {
        return "-";
    }
    snprintf(room, 32,
             x == floor(x) && fabs(x) < 1e9 ? "%.0f"
             : x != 0.0 && fabs(x) < 1e-2   ? "%.1e"
                                            : "%.3g",
             x);
    return room;
}

const char *output_seconds(char room[32], double s)
{
    if (!(s >= 0.0)) {
        return "-";
    }
    if (s < 1e-3) {
        snprintf(room, 32, "%.3g us", s * 1e6);
    } else if (s < 1.0) {
        snprintf(room, 32, "%.3g ms", s * 1e3);
    } else {
        snprintf(room, 32, "%.3g s", s);
    }
    return room;
}

const char *output_work(char room[256], const perp_work *work)
{
    const struct {
        double count;
        const char *unit;
    } counts[] = {
        {work->products, "product"}, {work->factorizations, "factorisation"},
        {work->pivots, "pivot"},     {work->projections, "projection"},
        {work->rounds, "round"},
    };
    size_t length = 0;

    room[0] = '\0';
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        if (counts[k].count != 0.0) {
            length += (size_t)snprintf(room + length, 256 - length, "%s%g %s%s",
                                       length ? ", " : "", counts[k].count,
                                       counts[k].unit, counts[k].count == 1.0 ? "" : "s");
        }
    }
    return room;
}
