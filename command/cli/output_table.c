/* SPDX-License-Identifier: Apache-2.0
 * cli/output_table.c: an aligned table, for a person or a pipe.
 *
 * On a terminal the columns of text are narrowed, the widest first, until a row fits. Where
 * the words are too long for that, each row becomes a list of its cells, one below the
 * other. */
#include <config.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/output.h"
#include "command/cli/output_format.h"
#include "command/cli/take.h"

/* Append a cell, which the table owns. */
static void table_append(output_table *t, char *text)
{
    TAKE_ROOM(t->cell, t->room, t->count + 1);
    t->cell[t->count++] = text;
}

void output_table_start(output_table *t, const char *headers)
{
    memset(t, 0, sizeof *t);
    for (;;) {
        size_t length = strcspn(headers, "|");

        table_append(t, take_part(headers, length));
        t->columns++;
        if (!headers[length]) {
            return;
        }
        headers += length + 1;
    }
}

void output_cell(output_table *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    table_append(t, output_format(format, args));
    va_end(args);
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

/* Bytes of the part of a word that is not broken: paths may be broken behind a slash, lists
 * of values behind a bar. */
static size_t table_piece(const char *text)
{
    size_t length = strcspn(text, " /|");

    return text[length] == '/' || text[length] == '|' ? length + 1 : length;
}

static void table_measure(const output_table *t, table_layout *columns)
{
    for (size_t k = 0; k < t->count; k++) {
        table_layout *c = &columns[k % t->columns];
        const char *text = table_text(t, k / t->columns, k % t->columns);
        size_t width = output_columns(text, strlen(text));

        c->right = t->cell[k % t->columns][0] == '>';
        c->width = width > c->width ? width : c->width;
        for (size_t length = 0; *text; text += length + (text[length] == ' ')) {
            length = table_piece(text);
            width = output_columns(text, length);
            c->longest_word = width > c->longest_word ? width : c->longest_word;
        }
    }
}

/* Narrow columns of text, the widest first, until a row fits into `room`; false where it
 * cannot. */
static bool table_narrow(const output_table *t, table_layout *columns, size_t room)
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
            return false;
        }
        widest->width--;
        total--;
    }
    return true;
}

/* Bytes of the first `width` columns of a text. */
static size_t table_cut(const char *text, size_t width)
{
    size_t end = 0;

    while (text[end] && output_columns(text, end + 1) <= width) {
        end++;
    }
    return end;
}

/* Bytes of the longest start of `text` that fits into a column: it ends with a word, with a
 * piece of one, or, where a piece is too long, anywhere. */
static size_t table_break(const char *text, size_t width)
{
    size_t best = 0, end = 0;

    while (text[end]) {
        end += table_piece(text + end);
        if (output_columns(text, end) > width) {
            break;
        }
        best = end;
        end += text[end] == ' ';
    }
    return best > 0 || !*text ? best : table_cut(text, width);
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
            size_t width = output_columns(c->rest, length);
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

/* A cell below the others of its row: its heading, and its text in lines that fit. */
static void table_item(const output_table *t, size_t row, size_t j, size_t heading,
                       FILE *out)
{
    const char *text = table_text(t, row, j);
    size_t indent = t->indent + 2 + heading + 2;
    size_t width = output_width(out);
    size_t room = width > indent + 8 ? width - indent : 8;

    if (!*text) {
        return;
    }
    fprintf(out, "%*s%-*s  ", (int)t->indent + 2, "", (int)heading, table_text(t, 0, j));
    for (size_t length = 0; *text; text += length + (text[length] == ' ')) {
        fprintf(out, "%*s", length ? (int)indent : 0, "");
        length = table_break(text, room);
        fprintf(out, "%.*s\n", (int)length, text);
    }
}

/* A row as a list: its first cell as a heading, the others below it. */
static void table_stack(const output_table *t, size_t row, FILE *out)
{
    size_t heading = 0;

    for (size_t j = 1; j < t->columns; j++) {
        const char *text = table_text(t, 0, j);
        size_t width = output_columns(text, strlen(text));

        heading = width > heading ? width : heading;
    }
    fprintf(out, "%*s", (int)t->indent, "");
    output_print(out, OUTPUT_STRONG, "%s", table_text(t, row, 0));
    fputc('\n', out);
    for (size_t j = 1; j < t->columns; j++) {
        table_item(t, row, j, heading, out);
    }
}

/* Print the rows, which fill the table. */
static void table_print(const output_table *t, table_layout *columns, FILE *out)
{
    bool stacked = false;

    table_measure(t, columns);
    if (output_is_terminal(out)) {
        stacked = !table_narrow(t, columns, output_width(out));
    }
    for (size_t row = stacked ? 1 : 0; row * t->columns < t->count; row++) {
        if (stacked) {
            table_stack(t, row, out);
        } else {
            table_line(t, row, columns, out);
        }
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

void output_table_end(output_table *t, FILE *out)
{
    table_layout *columns = take(t->columns + 1, sizeof *columns);

    table_print(t, columns, out);
    output_table_drop(t);
    free(columns);
}
