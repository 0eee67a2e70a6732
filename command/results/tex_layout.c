/* SPDX-License-Identifier: Apache-2.0
 * report/tex_layout.c: where the cells of a table stand in LaTeX.
 *
 * The widths of cells are estimated from their characters, as LaTeX sets them at the 8 pt of
 * \footnotesize. Long texts are wrapped, and columns beyond the width go to further floats. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "tex_layout.h"

/* In points: the space between columns, a digit in bold, the least width of a wrapped text. */
#define TEX_GAP       5.3
#define TEX_DIGIT     4.4
#define TEX_PARAGRAPH 56.0

const char *tex_text(const tex_layout *l, size_t row, size_t place)
{
    return l->t->grid.cell[(row + 1) * l->t->grid.columns + place];
}

double tex_value(const tex_layout *l, size_t row, const tex_column *c)
{
    return l->t->values[(row + 1) * l->t->grid.columns + c->place];
}

/* Width of a character; the bytes that continue one have none. */
double tex_byte_width(char byte)
{
    unsigned char c = (unsigned char)byte;

    return (c & 0xC0) == 0x80           ? 0.0
           : strchr("ijl.,:;'|!", c)    ? 2.5
           : strchr("Iftrs()[]- \n", c) ? 3.4
           : strchr("mwMW@%_=+<>", c)   ? 7.2
           : isupper(c)                 ? 6.4
                                        : 4.5;
}

double tex_width(const char *text, size_t length)
{
    double width = 0.0;

    for (size_t k = 0; k < length; k++) {
        width += tex_byte_width(text[k]);
    }
    return width;
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

void tex_number(const tex_column *c, double x, char text[TEX_NUMBER])
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

/* The distinct notes. */
static void tex_find_notes(tex_layout *l)
{
    l->note = take(l->rows + 1, sizeof *l->note);
    for (size_t k = 0; l->notes != SIZE_MAX && k < l->rows; k++) {
        const char *text = tex_text(l, k, l->notes);
        size_t seen = 0;

        while (seen < l->note_count && strcmp(l->note[seen], text) != 0) {
            seen++;
        }
        if (*text && seen == l->note_count) {
            l->note[l->note_count++] = text;
        }
    }
}

/* Measure, wrap and split within l->room. */
static void tex_arrange(tex_layout *l)
{
    size_t place = 0;
    bool first = true;

    l->columns = take(l->t->grid.columns + 1, sizeof *l->columns);
    for (const table_column *c = l->t->columns; (c = table_shown(c, TABLE_AS_TEX));
         c++, place++) {
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
    tex_find_notes(l);
    tex_wrap(l);
    tex_split(l);
}

/* Does the table fit into one column of a journal? */
static bool tex_is_narrow(tex_layout *l)
{
    l->room = 72.27 / 25.4 * TABLE_TEX_COLUMN;
    return tex_fill(l, l->room) == 1;
}

void tex_lay_out(tex_layout *l, double room)
{
    l->room = room;
    tex_arrange(l);
    if (l->parts > 1 || !tex_is_narrow(l)) {
        l->room = room;
        tex_split(l);
    }
}
