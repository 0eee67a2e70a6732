/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/table.c: a table described by its columns, printed in four formats. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

static void escape_csv(FILE *f, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"" : "", f);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, f);
    }
    fputc('"', f);
}

static void escape_tex(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') {
            fputs("\\textbackslash{}", f);
        } else if (strchr("^~", *text)) {
            fprintf(f, "\\%c{}", *text);
        } else {
            fprintf(f, strchr("_&%#${}", *text) ? "\\%c" : "%c", *text);
        }
    }
}

static void escape_html(FILE *f, const char *text)
{
    static const char marks[] = "&<>\"";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};

    for (; *text; text++) {
        const char *mark = strchr(marks, *text);

        if (mark) {
            fputs(names[mark - marks], f);
        } else {
            fputc(*text, f);
        }
    }
}

void table_escape(FILE *f, table_format format, const char *text)
{
    switch (format) {
    case TABLE_AS_CSV:
        escape_csv(f, text);
        return;
    case TABLE_AS_TEX:
        escape_tex(f, text);
        return;
    case TABLE_AS_HTML:
        escape_html(f, text);
        return;
    case TABLE_AS_TEXT:
        fputs(text, f);
    }
}

static const char *column_name(const table_column *c, table_format format)
{
    bool here = c->formats == 0 || (c->formats & format);

    return !here ? NULL : format == TABLE_AS_CSV ? c->name : c->heading;
}

static bool is_number(const table_column *c)
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
        fputs(format == TABLE_AS_CSV    ? ""
              : format == TABLE_AS_TEX  ? "--"
              : format == TABLE_AS_HTML ? "–"
                                        : "-",
              f);
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

/* The text of a cell on the heap, not escaped; NULL: no memory. */
static char *cell_text(const table *t, const table_column *c, const void *row)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    bool good = f;

    if (!f) {
        return NULL;
    }
    if (c->text) {
        c->text(c, row, f);
    } else if (is_number(c)) {
        print_number(t->format, c, number_of(c, row), f);
    } else {
        print_text(c, row, f);
    }
    good = !ferror(f);
    if (fclose(f) != 0 || !good) {
        free(text);
        text = NULL;
    }
    return text;
}

static void html_cell(const table *t, const table_column *c, const void *row,
                      const char *text)
{
    double x = is_number(c) ? number_of(c, row) : 0.0;

    if (!is_number(c)) {
        fputs("<td>", t->f);
    } else if (isfinite(x)) {
        fprintf(t->f, "<td class=\"n\" data-v=\"%.17g\">", x);
    } else {
        fputs("<td class=\"n\" data-v=\"1e999\">", t->f);
    }
    if (c->markup) {
        fputs(text, t->f);
    } else {
        escape_html(t->f, text);
    }
    fputs("</td>", t->f);
}

static void html_heading(const table *t, const table_column *c)
{
    fputs("<th>", t->f);
    if (c->anchor) {
        fprintf(t->f, "<a href=\"#%s\">", c->anchor);
    }
    escape_html(t->f, c->heading);
    fputs(c->anchor ? "</a></th>" : "</th>", t->f);
}

/* The next column that the format shows, from `c` on; NULL behind the last. */
static const table_column *shown(const table_column *c, table_format format)
{
    while ((c->name || c->heading) && !column_name(c, format)) {
        c++;
    }
    return c->name || c->heading ? c : NULL;
}

/* What stands before the headings. */
static void print_top(const table *t)
{
    if (t->format == TABLE_AS_HTML) {
        fputs("<table><thead><tr>", t->f);
    } else if (t->format == TABLE_AS_TEX) {
        fputs("\\begin{tabular}{", t->f);
        for (const table_column *c = t->columns; (c = shown(c, t->format)); c++) {
            fputc(is_number(c) ? 'r' : 'l', t->f);
        }
        fputs("}\n\\toprule\n", t->f);
    }
}

/* What separates two cells. */
static void print_separator(const table *t)
{
    fputs(t->format == TABLE_AS_TEX ? " & " : t->format == TABLE_AS_CSV ? "," : "", t->f);
}

static void print_heading(table *t, const table_column *c)
{
    const char *name = column_name(c, t->format);

    if (t->format == TABLE_AS_TEXT) {
        output_cell(&t->grid, "%s%s", is_number(c) ? ">" : "", name);
    } else if (t->format == TABLE_AS_HTML) {
        html_heading(t, c);
    } else {
        table_escape(t->f, t->format, name);
    }
}

void table_start(table *t, table_format format, FILE *f, const table_column *columns)
{
    static const char *const end[] = {[TABLE_AS_TEXT] = "",
                                      [TABLE_AS_CSV] = "\n",
                                      [TABLE_AS_TEX] = " \\\\\n\\midrule\n",
                                      [TABLE_AS_HTML] = "</tr></thead><tbody>\n"};
    size_t count = 0;

    *t = (table){.format = format, .f = f, .columns = columns};
    print_top(t);
    for (const table_column *c = columns; (c = shown(c, format)); c++) {
        if (count++ > 0) {
            print_separator(t);
        }
        print_heading(t, c);
    }
    t->grid.columns = count;
    fputs(end[format], f);
}

static void print_cell(table *t, const table_column *c, const void *row)
{
    char *text = cell_text(t, c, row);
    const char *cell = text ? text : "";

    t->failed |= !text;
    if (t->format == TABLE_AS_TEXT) {
        output_cell(&t->grid, "%s", cell);
    } else if (t->format == TABLE_AS_HTML) {
        html_cell(t, c, row, cell);
    } else {
        table_escape(t->f, is_number(c) ? TABLE_AS_TEXT : t->format, cell);
    }
    free(text);
}

void table_row(table *t, const void *row)
{
    static const char *const end[] = {[TABLE_AS_TEXT] = "",
                                      [TABLE_AS_CSV] = "\n",
                                      [TABLE_AS_TEX] = " \\\\\n",
                                      [TABLE_AS_HTML] = "</tr>\n"};
    size_t count = 0;

    fputs(t->format == TABLE_AS_HTML ? "<tr>" : "", t->f);
    for (const table_column *c = t->columns; (c = shown(c, t->format)); c++) {
        if (count++ > 0) {
            print_separator(t);
        }
        print_cell(t, c, row);
    }
    fputs(end[t->format], t->f);
}

perp_status table_end(table *t, perp_error *err)
{
    perp_status status = PERP_OK;

    if (t->format == TABLE_AS_TEXT) {
        t->grid.indent = t->indent;
        status = output_table_end(&t->grid, t->f, err);
    } else if (t->format == TABLE_AS_HTML) {
        fputs("</tbody></table>\n", t->f);
    } else if (t->format == TABLE_AS_TEX) {
        fputs("\\bottomrule\n\\end{tabular}\n", t->f);
        if (t->note) {
            fprintf(t->f, "\\par\\smallskip{\\footnotesize %s\\par}\n", t->note);
        }
    }
    if (status == PERP_OK && t->failed) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for a table");
    }
    return status;
}

void table_drop(table *t)
{
    output_table_drop(&t->grid);
}
