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

void output_print(FILE *out, output_tone tone, const char *format, ...)
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

/* Visible columns of the first `bytes` of a UTF-8 text: bytes that start a character. */
static size_t visible_width(const char *text, size_t bytes)
{
    size_t n = 0;

    for (size_t k = 0; k < bytes; k++) {
        n += ((unsigned char)text[k] & 0xC0) != 0x80;
    }
    return n;
}

/* Append a cell, which the table owns; NULL stands for one there was no memory for. */
static void table_append(output_table *t, char *text)
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

        table_append(t, strndup(headers, length));
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
    table_append(t, text);
}

/* A column while the table is printed. */
typedef struct table_layout {
    bool right;
    size_t width, longest_word;
    const char *rest; /* of the cell of this row, not printed yet */
} table_layout;

/* The text of a cell, without the mark of a header that is aligned right. */
static const char *table_text(const output_table *t, size_t row, size_t j)
{
    const char *text = t->cell[row * t->columns + j];

    return row == 0 && text[0] == '>' ? text + 1 : text;
}

static void table_measure(const output_table *t, table_layout *columns)
{
    for (size_t k = 0; k < t->count; k++) {
        table_layout *c = &columns[k % t->columns];
        const char *text = table_text(t, k / t->columns, k % t->columns);
        size_t width = visible_width(text, strlen(text));

        c->right = t->cell[k % t->columns][0] == '>';
        c->width = width > c->width ? width : c->width;
        for (size_t length = 0; *text; text += length + (text[length] == ' ')) {
            length = strcspn(text, " ");
            width = visible_width(text, length);
            c->longest_word = width > c->longest_word ? width : c->longest_word;
        }
    }
}

/* Narrow columns of text, the widest first, until a row fits into `room`. */
static void table_narrow(const output_table *t, table_layout *columns, size_t room)
{
    size_t total = t->indent + 2 * (t->columns - 1);

    for (size_t j = 0; j < t->columns; j++) {
        total += columns[j].width;
    }
    while (total > room) {
        table_layout *widest = NULL;

        for (size_t j = 0; j < t->columns; j++) {
            table_layout *c = &columns[j];

            if (!c->right && c->width > c->longest_word &&
                (!widest || c->width > widest->width)) {
                widest = c;
            }
        }
        if (!widest) {
            return;
        }
        widest->width--;
        total--;
    }
}

/* Bytes of the longest start of `text` that fits into a column and ends with a word. */
static size_t table_break(const char *text, size_t width)
{
    size_t best = strcspn(text, " ");

    for (size_t end = best; text[end];) {
        end += 1 + strcspn(text + end + 1, " ");
        if (visible_width(text, end) > width) {
            break;
        }
        best = end;
    }
    return best;
}

/* A row; on as many lines as its narrowed columns need. */
static void table_line(const output_table *t, size_t row, table_layout *columns,
                       FILE *out)
{
    bool more = true;

    for (size_t j = 0; j < t->columns; j++) {
        columns[j].rest = table_text(t, row, j);
    }
    while (more) {
        more = false;
        fprintf(out, "%*s", (int)t->indent, "");
        for (size_t j = 0; j < t->columns; j++) {
            table_layout *c = &columns[j];
            size_t length = table_break(c->rest, c->width);
            size_t width = visible_width(c->rest, length);
            size_t pad = c->width > width ? c->width - width : 0;

            fprintf(out, "%*s", c->right ? (int)pad : 0, "");
            output_print(out, row == 0 ? OUTPUT_STRONG : OUTPUT_PLAIN, "%.*s",
                         (int)length, c->rest);
            if (j + 1 < t->columns) {
                fprintf(out, "%*s", (c->right ? 0 : (int)pad) + 2, "");
            }
            c->rest += length + (c->rest[length] == ' ');
            more = more || *c->rest;
        }
        fputc('\n', out);
    }
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
    table_layout *columns = calloc(t->columns + 1, sizeof *columns);
    perp_status status = PERP_OK;

    if (t->failed || !columns) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for a table");
    } else {
        table_measure(t, columns);
        if (isatty(fileno(out))) {
            table_narrow(t, columns, output_width(out));
        }
        for (size_t row = 0; row * t->columns < t->count; row++) {
            table_line(t, row, columns, out);
        }
    }
    output_table_drop(t);
    free(columns);
    return status;
}

void output_fact(FILE *out, const char *name, const char *format, ...)
{
    va_list args;

    fprintf(out, "%-11s ", name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
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
