/* SPDX-License-Identifier: Apache-2.0
 * report/table_tex.c: a table as LaTeX: rules of booktabs, numbers aligned by siunitx, notes by
 * threeparttable. Rows beyond the height of a page go to further floats. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tex_layout.h"

enum { TEX_LINES = 46 };

/* How much of a text, in points, may stand without a place to break it. */
#define TEX_UNBROKEN 40.0

/* -- texts --------------------------------------------------------------------------------- */

/* A long word, which can be broken after its marks and every few letters. */
static void tex_long_word(FILE *f, const char *text, size_t length)
{
    double unbroken = 0.0;
    char character[8];

    for (size_t k = 0; k < length;) {
        size_t bytes = 1;

        while (bytes < 4 && ((unsigned char)text[k + bytes] & 0xC0) == 0x80) {
            bytes++;
        }
        snprintf(character, sizeof character, "%.*s", (int)bytes, text + k);
        table_escape(f, TABLE_AS_TEX, character);
        unbroken += tex_byte_width(text[k]);
        k += bytes;
        if (k < length && (unbroken > TEX_UNBROKEN || strchr("-_.:,/=+", *character))) {
            fputs("\\allowbreak{}", f);
            unbroken = 0.0;
        }
    }
}

/* A text whose long words can be broken. */
static void tex_print(FILE *f, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " \n");
        char word[256];

        if (tex_width(text, length) > TEX_UNBROKEN || length >= sizeof word) {
            tex_long_word(f, text, length);
        } else {
            snprintf(word, sizeof word, "%.*s", (int)length, text);
            table_escape(f, TABLE_AS_TEX, word);
        }
        text += length;
        if (*text) {
            fputc(*text++, f);
        }
    }
}

/* A heading on lines of at most the width of its column, which holds its longest word. */
static void tex_heading(FILE *f, const tex_column *c)
{
    const char *text = c->column->heading;
    bool several = tex_width(text, strlen(text)) > c->width;
    double used = 0.0;

    fputs(c->number ? "{" : "", f);
    if (several) {
        fprintf(f, "\\shortstack[%c]{\\strut ",
                c->number                    ? 'c'
                : table_is_number(c->column) ? 'r'
                                             : 'l');
    }
    while (*text) {
        size_t length = strcspn(text, " ");
        double width = tex_width(text, length);
        char word[128];

        if (used > 0.0) {
            bool fits = !several || used + 3.4 + width <= c->width;

            fputs(fits ? " " : "\\\\", f);
            used = fits ? used + 3.4 : 0.0;
        }
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        table_escape(f, TABLE_AS_TEX, word);
        used += width;
        text += length + (text[length] == ' ');
    }
    fputs(several ? "}" : "", f);
    fputs(c->number ? "}" : "", f);
}

/* -- floats -------------------------------------------------------------------------------- */

/* "a" … "z", "aa" … */
static void tex_mark(FILE *f, size_t k)
{
    if (k >= 26) {
        tex_mark(f, k / 26 - 1);
    }
    fputc('a' + (int)(k % 26), f);
}

static void tex_preamble(FILE *f, const tex_layout *l, size_t part)
{
    for (size_t j = 0; j < l->count; j++) {
        const tex_column *c = &l->columns[j];

        if (!c->first && c->part != part) {
            continue;
        }
        if (c->wrapped) {
            fprintf(f, ">{\\raggedright\\arraybackslash}p{%.0fpt}", c->width);
        } else if (!c->number) {
            fputc(table_is_number(c->column) ? 'r' : 'l', f);
        } else {
            fprintf(f, "S[table-format=%s%d.%d", c->minus ? "-" : "", c->whole,
                    c->decimals);
            if (c->exponent) {
                fprintf(f, "e%s%d", c->exponent_minus ? "-" : "", c->exponent);
            }
            fputc(']', f);
        }
    }
}

static void tex_cell(FILE *f, const tex_layout *l, size_t row, const tex_column *c)
{
    char number[TEX_NUMBER];
    bool best = false;

    tex_number(c, tex_value(l, row, c), number);
    best = *c->best && strcmp(number, c->best) == 0;
    if (c->number) {
        fprintf(f, "%s%s", best ? "\\bfseries " : "", *number ? number : "{--}");
    } else {
        fputs(best ? "\\textbf{" : "", f);
        if (c->wrapped) {
            tex_print(f, tex_text(l, row, c->place));
        } else {
            table_escape(f, TABLE_AS_TEX, tex_text(l, row, c->place));
        }
        fputs(best ? "}" : "", f);
    }
}

/* Print the mark of the note of a row. */
static void tex_row_mark(FILE *f, const tex_layout *l, size_t row)
{
    const char *text = l->notes == SIZE_MAX ? "" : tex_text(l, row, l->notes);

    for (size_t k = 0; *text && k < l->note_count; k++) {
        if (strcmp(l->note[k], text) == 0) {
            fputs("\\tnote{", f);
            tex_mark(f, k);
            fputs("}", f);
        }
    }
}

static void tex_row(FILE *f, const tex_layout *l, size_t part, size_t row)
{
    size_t count = 0;

    for (size_t j = 0; j < l->count; j++) {
        const tex_column *c = &l->columns[j];

        if (c->first || c->part == part) {
            fputs(count++ ? " & " : "", f);
            tex_cell(f, l, row, c);
            if (j == 0 && part == 0) {
                tex_row_mark(f, l, row);
            }
        }
    }
    fputs(" \\\\\n", f);
}

/* The notes of the rows of a float, and what explains the columns. */
static void tex_notes(FILE *f, const tex_layout *l, size_t part, size_t from, size_t to,
                      bool explain)
{
    const table_frame *frame = &l->t->frame;
    size_t explained = sizeof frame->notes / sizeof *frame->notes;

    fputs("\\begin{tablenotes}[flushleft]\\footnotesize\n", f);
    for (size_t k = 0; k < l->note_count && part == 0; k++) {
        bool here = false;

        for (size_t row = from; row < to; row++) {
            here = here || strcmp(tex_text(l, row, l->notes), l->note[k]) == 0;
        }
        if (here) {
            fputs("\\item[", f);
            tex_mark(f, k);
            fputs("] ", f);
            tex_print(f, l->note[k]);
            fputs("\n", f);
        }
    }
    fputs("\\item[]", f); /* the environment needs an item */
    for (size_t k = 0; explain && k < explained && frame->notes[k]; k++) {
        fputs(" ", f);
        tex_print(f, frame->notes[k]);
        fputs("\n", f);
    }
    fprintf(f, "%s\n\\end{tablenotes}\n",
            explain && frame->notes_tex ? frame->notes_tex : "");
}

static void tex_caption(FILE *f, const table_frame *frame, size_t number)
{
    if (frame->caption) {
        fputs("\\caption{", f);
        tex_print(f, frame->caption);
        fputs(number > 1 ? " (continued)}" : "}", f);
    }
    if (frame->label) {
        fprintf(f, "\\label{%s", frame->label);
        if (number > 1) {
            fprintf(f, ":%zu", number);
        }
        fputs("}", f);
    }
    fputs(frame->caption || frame->label ? "\n" : "", f);
}

/* The columns of a part, rows from..to-1. */
static void tex_float(const tex_layout *l, size_t part, size_t from, size_t to,
                      size_t number)
{
    FILE *f = l->t->f;
    bool wide = l->room > 72.27 / 25.4 * TABLE_TEX_COLUMN + 1.0;
    size_t count = 0;

    fprintf(
        f,
        "\\begin{table%s}\n\\centering\\footnotesize\\setlength{\\tabcolsep}{2.5pt}%%\n",
        wide ? "*" : "");
    fputs("\\sisetup{detect-weight=true}%\n\\begin{threeparttable}\n", f);
    tex_caption(f, &l->t->frame, number);
    fprintf(f, "\\begin{tabular*}{\\%swidth}{@{\\extracolsep{\\fill}}",
            wide ? "text" : "column");
    tex_preamble(f, l, part);
    fputs("@{}}\n\\toprule\n", f);
    for (size_t j = 0; j < l->count; j++) {
        if (l->columns[j].first || l->columns[j].part == part) {
            fputs(count++ ? " & " : "", f);
            tex_heading(f, &l->columns[j]);
        }
    }
    fputs(" \\\\\n\\midrule\n", f);
    for (size_t row = from; row < to; row++) {
        tex_row(f, l, part, row);
    }
    fputs("\\bottomrule\n\\end{tabular*}\n", f);
    tex_notes(f, l, part, from, to, number == 1);
    fprintf(f, "\\end{threeparttable}\n\\end{table%s}\n", wide ? "*" : "");
}

/* Lines that a row takes. */
static size_t tex_lines(const tex_layout *l, size_t row)
{
    double most = 1.0;

    for (size_t j = 0; j < l->count; j++) {
        const tex_column *c = &l->columns[j];

        if (c->wrapped) {
            const char *text = tex_text(l, row, c->place);

            most = fmax(most, ceil(1.2 * tex_width(text, strlen(text)) / c->width));
        }
    }
    return (size_t)most;
}

static void tex_floats(const tex_layout *l)
{
    size_t number = 0, from = 0;

    do {
        size_t to = from, lines = 0;

        while (to < l->rows && (to == from || lines + tex_lines(l, to) <= TEX_LINES)) {
            lines += tex_lines(l, to++);
        }
        for (size_t part = 0; part < l->parts; part++) {
            tex_float(l, part, from, to, ++number);
        }
        from = to;
    } while (from < l->rows);
}

void table_tex(const table *t)
{
    double most = t->frame.width > 0.0 ? t->frame.width : TABLE_TEX_WIDE;
    tex_layout l = {.t = t,
                    .rows = t->grid.columns ? t->grid.count / t->grid.columns - 1 : 0,
                    .notes = SIZE_MAX};

    tex_lay_out(&l, most * 72.27 / 25.4);
    tex_floats(&l);
    free(l.columns);
    free(l.note);
}
