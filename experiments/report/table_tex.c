/* SPDX-License-Identifier: Apache-2.0
 * report/table_tex.c: a table as LaTeX: rules of booktabs, numbers aligned by siunitx, notes by
 * threeparttable.
 *
 * The widths of cells are estimated from their characters, as LaTeX sets them at the 8 pt of
 * \footnotesize. Long texts are wrapped. Columns beyond the width go to further floats, which
 * repeat the texts that stand first, and so do rows beyond the height of a page. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table_tex.h"

enum { TEX_LINES = 46, TEX_NUMBER = 64 };

/* In points: the space between columns, a digit in bold, the least width of a wrapped text,
 * and how much of a text may stand without a place to break it. */
#define TEX_GAP       5.3
#define TEX_DIGIT     4.4
#define TEX_PARAGRAPH 56.0
#define TEX_UNBROKEN  40.0

typedef struct tex_column {
    const table_column *column;
    size_t place; /* among the cells of a row */
    bool number;  /* aligned by siunitx */
    bool wrapped; /* a text of several lines */
    bool first;   /* one of the texts that each float repeats */
    bool scientific;
    int digits; /* after the first one where scientific, else significant */
    int minus, whole, decimals; /* characters of the longest number */
    int exponent_minus, exponent;
    double width;          /* pt */
    char best[TEX_NUMBER]; /* the number in bold; "": none */
    size_t part;           /* the float */
} tex_column;

typedef struct tex_layout {
    const table *t;
    tex_column *columns;
    size_t count, rows, parts;
    size_t notes;      /* the cell of a row that becomes a note; SIZE_MAX: none */
    const char **note; /* the distinct ones */
    size_t note_count;
    double room; /* pt */
} tex_layout;

static const char *tex_text(const tex_layout *l, size_t row, size_t place)
{
    return l->t->grid.cell[(row + 1) * l->t->grid.columns + place];
}

static double tex_value(const tex_layout *l, size_t row, const tex_column *c)
{
    return l->t->values[(row + 1) * l->t->grid.columns + c->place];
}

/* -- texts --------------------------------------------------------------------------------- */

/* Width of a character; the bytes that continue one have none. */
static double tex_byte_width(char byte)
{
    unsigned char c = (unsigned char)byte;

    return (c & 0xC0) == 0x80           ? 0.0
           : strchr("ijl.,:;'|!", c)    ? 2.5
           : strchr("Iftrs()[]- \n", c) ? 3.4
           : strchr("mwMW@%_=+<>", c)   ? 7.2
           : isupper(c)                 ? 6.4
                                        : 4.5;
}

static double tex_width(const char *text, size_t length)
{
    double width = 0.0;

    for (size_t k = 0; k < length; k++) {
        width += tex_byte_width(text[k]);
    }
    return width;
}

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

static double tex_longest_word(const char *text)
{
    double longest = 0.0;

    while (*text) {
        size_t length = strcspn(text, " ");

        longest = fmax(longest, tex_width(text, length));
        text += length + (text[length] == ' ');
    }
    return longest;
}

/* -- numbers ------------------------------------------------------------------------------- */

/* The number as siunitx reads it: "1.23e-5"; "" of what is not finite. */
static void tex_number(const tex_column *c, double x, char text[TEX_NUMBER])
{
    const char *format = c->column->format;
    char *power = NULL;

    *text = '\0';
    if (!isfinite(x)) {
        return;
    }
    if (c->digits < 0) { /* a format with decimals */
        snprintf(text, TEX_NUMBER, format ? format : "%.0f", x);
    } else if (x == 0.0) {
        snprintf(text, TEX_NUMBER, "0");
    } else if (c->scientific) {
        snprintf(text, TEX_NUMBER, "%.*e", c->digits - 1, x);
        power = strchr(text, 'e') + 1;
        snprintf(power, (size_t)(text + TEX_NUMBER - power), "%d", atoi(power));
    } else {
        int before = (int)floor(log10(fabs(x))) + 1;

        snprintf(text, TEX_NUMBER, "%.*f", c->digits > before ? c->digits - before : 0,
                 x);
    }
}

/* How many significant digits a format asks for; -1: it asks for decimals. */
static int tex_digits(const table_column *c)
{
    const char *format = c->format ? c->format : "%.3g";
    char last = format[strlen(format) - 1];
    int digits = format[1] == '.' ? atoi(format + 2) : 6;

    if (!c->real && c->type == TABLE_COUNT) {
        return -1;
    }
    return last == 'e' ? digits + 1 : last == 'g' ? digits : -1;
}

/* One style for a column: powers of ten where any number needs one. */
static void tex_style(const tex_layout *l, tex_column *c)
{
    const char *format = c->column->format;

    c->digits = tex_digits(c->column);
    c->scientific = format && format[strlen(format) - 1] == 'e';
    for (size_t k = 0; k < l->rows; k++) {
        double x = fabs(tex_value(l, k, c));

        c->scientific |=
            c->digits > 0 && isfinite(x) && x != 0.0 && (x < 1e-3 || x >= 1e5);
    }
}

static int tex_most(int a, size_t b)
{
    return a > (int)b ? a : (int)b;
}

/* Note the lengths of the parts of a number. */
static void tex_measure_number(tex_column *c, const char *text)
{
    const char *power = strchr(text, 'e');
    size_t length = power ? (size_t)(power - text) : strlen(text);
    size_t whole = 0;
    bool minus = *text == '-';

    whole = strcspn(text + minus, ".e");
    c->minus |= minus;
    c->whole = tex_most(c->whole, whole);
    if (length > minus + whole) {
        c->decimals = tex_most(c->decimals, length - minus - whole - 1);
    }
    if (power) {
        c->exponent_minus |= power[1] == '-';
        c->exponent = tex_most(c->exponent, strlen(power + 1 + (power[1] == '-')));
    }
}

static void tex_measure_numbers(const tex_layout *l, tex_column *c)
{
    char text[TEX_NUMBER];

    tex_style(l, c);
    c->whole = 1;
    for (size_t k = 0; k < l->rows; k++) {
        tex_number(c, tex_value(l, k, c), text);
        tex_measure_number(c, text);
    }
    c->width =
        TEX_DIGIT * (c->whole + c->decimals) + 3.0 * (c->decimals > 0) + 7.0 * c->minus;
    if (c->exponent) {
        c->width += 21.0 + 6.0 * c->exponent_minus + 4.0 * c->exponent;
    }
}

/* The best number as it is printed; none where all are equal. */
static void tex_find_best(const tex_layout *l, tex_column *c)
{
    double best = NAN, worst = NAN;

    for (size_t k = 0; k < l->rows && c->column->best != TABLE_NO_BEST; k++) {
        double x = tex_value(l, k, c);

        if (isfinite(x)) {
            best = c->column->best == TABLE_MOST ? fmax(best, x) : fmin(best, x);
            worst = c->column->best == TABLE_MOST ? fmin(worst, x) : fmax(worst, x);
        }
    }
    if (best != worst && isfinite(best)) {
        tex_number(c, best, c->best);
    }
}

/* -- layout -------------------------------------------------------------------------------- */

static void tex_measure(const tex_layout *l, tex_column *c)
{
    if (c->number) {
        tex_measure_numbers(l, c);
    } else {
        tex_style(l, c);
        for (size_t k = 0; k < l->rows; k++) {
            const char *text = tex_text(l, k, c->place);

            c->width = fmax(c->width, tex_width(text, strlen(text)));
        }
    }
    tex_find_best(l, c);
    c->width = fmax(c->width, tex_longest_word(c->column->heading));
}

/* The width of all columns, or of the texts that stand first. */
static double tex_total(const tex_layout *l, bool all)
{
    double total = 0.0;

    for (size_t j = 0; j < l->count; j++) {
        total += all || l->columns[j].first ? l->columns[j].width + TEX_GAP : 0.0;
    }
    return total;
}

/* Wrap the widest text, again and again, until the width of all columns, or of those that stand
 * first, is within the room. */
static void tex_shrink(tex_layout *l, double room, bool all)
{
    while (tex_total(l, all) > room) {
        tex_column *widest = NULL;

        for (size_t j = 0; j < l->count; j++) {
            tex_column *c = &l->columns[j];

            if ((all || c->first) && !table_is_number(c->column) &&
                c->width > TEX_PARAGRAPH && (!widest || c->width > widest->width)) {
                widest = c;
            }
        }
        if (!widest) {
            return;
        }
        widest->width = fmax(TEX_PARAGRAPH, widest->width - 4.0);
        widest->wrapped = true;
    }
}

/* What the texts cannot be narrower than. */
static double tex_least(const tex_layout *l)
{
    double total = 0.0;

    for (size_t j = 0; j < l->count; j++) {
        const tex_column *c = &l->columns[j];

        total += TEX_GAP +
                 (table_is_number(c->column) ? c->width : fmin(c->width, TEX_PARAGRAPH));
    }
    return total;
}

/* Wrap long texts: as far as all columns then fit, else those that stand first to half of the
 * room and others to a third. */
static void tex_wrap(tex_layout *l)
{
    if (tex_least(l) <= l->room) {
        tex_shrink(l, l->room, true);
        return;
    }
    for (size_t j = 0; j < l->count; j++) {
        tex_column *c = &l->columns[j];

        if (!table_is_number(c->column) && c->width > l->room / 3.0) {
            c->wrapped = true;
            c->width = l->room / 3.0;
        }
    }
    tex_shrink(l, 0.5 * l->room, false);
}

/* Give each column its float, of at most this width; the number of floats. */
static size_t tex_fill(tex_layout *l, double room)
{
    double first = tex_total(l, false);
    double used = first;
    size_t part = 0;

    for (size_t j = 0; j < l->count; j++) {
        tex_column *c = &l->columns[j];

        if (c->first) {
            continue;
        }
        if (used + c->width + TEX_GAP > room && used > first) {
            used = first;
            part++;
        }
        used += c->width + TEX_GAP;
        c->part = part;
    }
    return part + 1;
}

/* As few floats as the room allows, about equally wide. */
static void tex_split(tex_layout *l)
{
    double room = l->room;

    l->parts = tex_fill(l, room);
    while (l->parts > 1 && room > 0.4 * l->room && tex_fill(l, room - 4.0) == l->parts) {
        room -= 4.0;
    }
    tex_fill(l, room);
}

/* The distinct notes; false: no memory. */
static bool tex_find_notes(tex_layout *l)
{
    l->note = calloc(l->rows + 1, sizeof *l->note);
    for (size_t k = 0; l->note && l->notes != SIZE_MAX && k < l->rows; k++) {
        const char *text = tex_text(l, k, l->notes);
        size_t seen = 0;

        while (seen < l->note_count && strcmp(l->note[seen], text) != 0) {
            seen++;
        }
        if (*text && seen == l->note_count) {
            l->note[l->note_count++] = text;
        }
    }
    return l->note;
}

static bool tex_lay_out(tex_layout *l)
{
    size_t place = 0;
    bool first = true;

    l->columns = calloc(l->t->grid.columns + 1, sizeof *l->columns);
    for (const table_column *c = l->t->columns;
         l->columns && (c = table_shown(c, TABLE_AS_TEX)); c++, place++) {
        tex_column *column = &l->columns[l->count];

        if (c->note) {
            l->notes = place;
            continue;
        }
        first = first && !table_is_number(c);
        *column = (tex_column){.column = c,
                               .place = place,
                               .number = table_is_number(c) && !c->text,
                               .first = first};
        tex_measure(l, column);
        l->count++;
    }
    if (!l->columns || !tex_find_notes(l)) {
        return false;
    }
    tex_wrap(l);
    tex_split(l);
    return true;
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
    fprintf(f, "\\begin{tabular*}{%gmm}{@{\\extracolsep{\\fill}}",
            l->room * 25.4 / 72.27);
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

/* Does the table fit into one column of a journal? */
static bool tex_is_narrow(tex_layout *l)
{
    l->room = 72.27 / 25.4 * TABLE_TEX_COLUMN;
    return tex_fill(l, l->room) == 1;
}

perp_status table_tex(const table *t, perp_error *err)
{
    double most = t->frame.width > 0.0 ? t->frame.width : TABLE_TEX_WIDE;
    tex_layout l = {.t = t,
                    .rows = t->grid.columns ? t->grid.count / t->grid.columns - 1 : 0,
                    .notes = SIZE_MAX,
                    .room = most * 72.27 / 25.4};
    perp_status status = PERP_OK;

    if (tex_lay_out(&l)) {
        if (l.parts > 1 || !tex_is_narrow(&l)) {
            l.room = most * 72.27 / 25.4;
            tex_split(&l);
        }
        tex_floats(&l);
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for a table");
    }
    free(l.columns);
    free(l.note);
    return status;
}
