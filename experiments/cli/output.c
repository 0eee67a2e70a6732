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

#include "experiments/cli/output.h"

bool output_has_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return (!no || !*no) && term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

size_t output_width(FILE *out)
{
    struct winsize size;

    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 &&
        size.ws_col >= 20) {
        return size.ws_col;
    }
    return 80;
}

void output_tell(FILE *out, output_tone tone, const char *format, ...)
{
    static const char *const start[] = {"", "\033[1m", "\033[32m", "\033[31m"};
    bool colour = tone != OUTPUT_PLAIN && output_has_colour(out);
    va_list args;

    fputs(colour ? start[tone] : "", out);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputs(colour ? "\033[0m" : "", out);
}

void output_wrap(FILE *out, size_t indent, size_t column, const char *text)
{
    size_t width = output_width(out) < 100 ? output_width(out) : 100;

    while (*text) {
        size_t length = strcspn(text, " \n");

        if (column > indent && column + length > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        fwrite(text, 1, length, out);
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

/* Visible columns of UTF-8: bytes that start a character. */
static size_t table_length(const char *text)
{
    size_t n = 0;

    for (; *text; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return n;
}

/* Take over a cell; NULL stands for one there was no memory for. */
static void table_take(output_table *t, char *text)
{
    if (t->count == t->room) {
        size_t room = 2 * t->room + 64;
        char **cell = realloc(t->cell, room * sizeof *cell);

        if (!cell) {
            t->failed = true;
            free(text);
            return;
        }
        t->cell = cell;
        t->room = room;
    }
    t->failed |= !text;
    t->cell[t->count++] = text;
}

void output_table_start(output_table *t, const char *headers)
{
    memset(t, 0, sizeof *t);
    for (;;) {
        size_t length = strcspn(headers, "|");

        table_take(t, strndup(headers, length));
        t->columns++;
        if (!headers[length]) {
            return;
        }
        headers += length + 1;
    }
}

void output_cell(output_table *t, const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        text = NULL;
    }
    va_end(args);
    table_take(t, text);
}

static void table_line(const output_table *t, size_t row, const size_t *width, FILE *out)
{
    for (size_t j = 0; j < t->columns; j++) {
        const char *head = t->cell[j];
        const char *text = t->cell[row * t->columns + j];
        bool right = head[0] == '>';
        size_t pad = 0;

        text += row == 0 && right;
        pad = width[j] - table_length(text);
        fprintf(out, "%*s", right ? (int)pad : 0, "");
        output_tell(out, row == 0 ? OUTPUT_STRONG : OUTPUT_PLAIN, "%s", text);
        if (j + 1 < t->columns) {
            fprintf(out, "%*s", (right ? 0 : (int)pad) + 2, "");
        }
    }
    fputc('\n', out);
}

void output_table_drop(output_table *t)
{
    for (size_t k = 0; k < t->count; k++) {
        free(t->cell[k]);
    }
    free(t->cell);
    memset(t, 0, sizeof *t);
}

perp_status output_table_end(output_table *t, FILE *out, perp_error *err)
{
    size_t *width = calloc(t->columns + 1, sizeof *width);
    size_t rows = t->columns ? t->count / t->columns : 0;
    perp_status status = PERP_OK;

    if (t->failed || !width) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for a table");
        goto done;
    }
    for (size_t k = 0; k < rows * t->columns; k++) {
        const char *text = t->cell[k];
        size_t length = table_length(text) - (k < t->columns && text[0] == '>');

        width[k % t->columns] =
            length > width[k % t->columns] ? length : width[k % t->columns];
    }
    for (size_t row = 0; row < rows; row++) {
        table_line(t, row, width, out);
    }
done:
    output_table_drop(t);
    free(width);
    return status;
}

perp_status output_json(FILE *out, json_t *json, bool line, perp_error *err)
{
    size_t flags = line ? JSON_COMPACT : JSON_INDENT(2);
    char *text = json ? json_dumps(json, flags | JSON_REAL_PRECISION(17)) : NULL;

    json_decref(json);
    if (!text) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for JSON");
    }
    fputs(text, out);
    fputc('\n', out);
    free(text);
    return output_flush(out, "standard output", err);
}

perp_status output_flush(FILE *out, const char *what, perp_error *err)
{
    if (fflush(out) != 0 || ferror(out)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", what, strerror(errno));
    }
    return PERP_OK;
}

const char *output_real(char room[32], double x)
{
    if (isnan(x)) {
        return "-";
    }
    snprintf(room, 32, x != 0.0 && fabs(x) < 1e-2 ? "%.1e" : "%.3g", x);
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
