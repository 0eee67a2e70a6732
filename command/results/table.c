/* SPDX-License-Identifier: Apache-2.0
 * command/results/table.c: a table described by its columns, printed in three formats. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "table_tex.h"

static const char *column_name(const table_column *c, table_format format)
{
    bool here = c->formats == 0 || (c->formats & format);

    return !here ? NULL : format == TABLE_AS_CSV ? c->name : c->heading;
}

bool table_is_number(const table_column *c)
{
    return c->real || (!c->text && (c->type == TABLE_REAL || c->type == TABLE_COUNT));
}

/* The value of a column that is a number, as a double. */
static double number_of(const table_column *c, const void *row)
{
    const void *member = (const char *)row + c->offset;

    if (c->real) {
        return c->real(c, row);
    }
    return c->type == TABLE_REAL ? *(const double *)member
                                 : (double)*(const size_t *)member;
}

static void print_number(table_format format, const table_column *c, double x, FILE *f)
{
    if (!isfinite(x)) {
        fputs(format == TABLE_AS_CSV ? "" : "-", f);
    } else if (!c->real && c->type == TABLE_COUNT) {
        fprintf(f, "%.0f", x);
    } else if (format == TABLE_AS_CSV) {
        fprintf(f, "%.9g", x);
    } else if (c->format) {
        fprintf(f, c->format, x);
    } else {
        fputs(output_real(OUTPUT_ROOM, x), f);
    }
}

static void print_text(const table_column *c, const void *row, FILE *f)
{
    const void *member = (const char *)row + c->offset;
    const char *text = c->type == TABLE_CHARS ? member : *(const char *const *)member;

    fputs(text ? text : "", f);
}

/* The text of a cell on the heap, not escaped. */
static char *cell_text(const table *t, const table_column *c, const void *row)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = take_stream(&text, &length);

    if (c->text) {
        c->text(c, row, f);
    } else if (table_is_number(c)) {
        print_number(t->format, c, number_of(c, row), f);
    } else {
        print_text(c, row, f);
    }
    take_stream_end(f);
    return text;
}

const table_column *table_shown(const table_column *c, table_format format)
{
    while ((c->name || c->heading) && !column_name(c, format)) {
        c++;
    }
    return c->name || c->heading ? c : NULL;
}

/* Cells that are printed at the end, when all widths are known. */
static bool is_gathered(const table *t)
{
    return t->format == TABLE_AS_TEXT || t->format == TABLE_AS_TEX;
}

static void print_heading(table *t, const table_column *c)
{
    const char *name = column_name(c, t->format);

    if (is_gathered(t)) {
        output_cell(&t->grid, "%s%s", table_is_number(c) ? ">" : "", name);
    } else {
        table_escape(t->f, t->format, name);
    }
}

void table_start(table *t, table_format format, FILE *f, const table_column *columns)
{
    size_t count = 0;

    *t = (table){.format = format, .f = f, .columns = columns};
    for (const table_column *c = columns; (c = table_shown(c, format)); c++) {
        if (count++ > 0 && format == TABLE_AS_CSV) {
            fputc(',', f);
        }
        print_heading(t, c);
    }
    t->grid.columns = count;
    if (format == TABLE_AS_CSV) {
        fputc('\n', f);
    }
}

/* Keep the number of the cell that comes next. */
static void keep_value(table *t, double value)
{
    TAKE_ROOM(t->values, t->value_room, t->grid.count + 1);
    t->values[t->grid.count] = value;
}

static void print_cell(table *t, const table_column *c, const void *row)
{
    char *text = cell_text(t, c, row);

    if (t->format == TABLE_AS_TEX) {
        keep_value(t, table_is_number(c) ? number_of(c, row) : (double)NAN);
    }
    if (is_gathered(t)) {
        output_cell(&t->grid, "%s", text);
    } else {
        table_escape(t->f, table_is_number(c) ? TABLE_AS_TEXT : t->format, text);
    }
    free(text);
}

void table_row(table *t, const void *row)
{
    size_t count = 0;

    for (const table_column *c = t->columns; (c = table_shown(c, t->format)); c++) {
        if (count++ > 0 && t->format == TABLE_AS_CSV) {
            fputc(',', t->f);
        }
        print_cell(t, c, row);
    }
    if (t->format == TABLE_AS_CSV) {
        fputc('\n', t->f);
    }
}

void table_end(table *t)
{
    if (t->format == TABLE_AS_TEXT) {
        t->grid.indent = t->indent;
        output_table_end(&t->grid, t->f);
    } else if (t->format == TABLE_AS_TEX) {
        table_tex(t);
    }
    table_drop(t);
}

char *const *table_cells(const table *t, size_t *columns, size_t *rows)
{
    *columns = t->grid.columns;
    *rows = t->grid.columns ? t->grid.count / t->grid.columns : 0;
    return t->grid.cell;
}

void table_drop(table *t)
{
    output_table_drop(&t->grid);
    free(t->values);
    t->values = NULL;
    t->value_room = 0;
}
