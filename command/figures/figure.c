/* SPDX-License-Identifier: Apache-2.0
 * figures/figure.c: a figure as data: panels, axes, series. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/cli/csv.h"
#include "command/cli/take.h"
#include "figure.h"

static bool book_has(const figure_book *book, const char *name)
{
    for (size_t k = 0; k < book->count; k++) {
        if (strcasecmp(book->figures[k]->name, name) ==
            0) { /* one file on some systems */
            return true;
        }
    }
    return false;
}

/* Letters, digits and . _ - stay, others become _; a taken name gets a number. */
static void book_name(const figure_book *book, const char *name, char out[FIGURE_NAME])
{
    enum { END = 8 };
    char base[FIGURE_NAME - END];
    size_t i = 0;

    for (; name[i] && i + 1 < sizeof base; i++) {
        unsigned char c = (unsigned char)name[i];

        base[i] = (char)(isalnum(c) || strchr("._-", c) ? c : '_');
    }
    base[i] = '\0';
    snprintf(out, FIGURE_NAME, "%s", base);
    for (unsigned k = 2; book_has(book, out) && k < 1000000; k++) {
        snprintf(out, FIGURE_NAME, "%s-%u", base, k);
    }
}

figure *figure_add(figure_book *book, const char *kind, const char *name)
{
    figure *f = take(1, sizeof *f);

    TAKE_ROOM(book->figures, book->room, book->count + 1);
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    book_name(book, name, f->name);
    book->figures[book->count++] = f;
    return f;
}

static void panel_free(figure_panel *p)
{
    for (size_t k = 0; k < p->count; k++) {
        free(p->series[k]->points);
        free(p->series[k]->failures);
        free(p->series[k]);
    }
    free(p->series);
    free(p->notes);
    free(p->x.names);
    free(p->y.names);
    free(p->value.names);
    free(p);
}

static void figure_free(figure *f)
{
    for (size_t k = 0; k < f->count; k++) {
        panel_free(f->panels[k]);
    }
    free(f->panels);
    free(f->caption);
    free(f);
}

void figure_book_free(figure_book *book)
{
    for (size_t k = 0; k < book->count; k++) {
        figure_free(book->figures[k]);
    }
    free(book->figures);
    memset(book, 0, sizeof *book);
}

void figure_drop(figure_book *book)
{
    if (book->count > 0) {
        figure_free(book->figures[--book->count]);
    }
}

void figure_set_title(figure *f, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(f->title, sizeof f->title, format, args);
    va_end(args);
}

void figure_set_caption(figure *f, const char *format, ...)
{
    va_list args;
    int length = 0;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    free(f->caption);
    f->caption = take((size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(f->caption, (size_t)length + 1, format, args);
    va_end(args);
}

void figure_axis_set(figure_axis *a, const char *label, const char *unit,
                     figure_scale scale)
{
    snprintf(a->label, sizeof a->label, "%s", label);
    snprintf(a->unit, sizeof a->unit, "%s", unit);
    a->scale = scale;
}

figure_panel *figure_add_panel(figure *f, const char *title)
{
    figure_panel *p = take(1, sizeof *p);

    TAKE_ROOM(f->panels, f->room, f->count + 1);
    snprintf(p->title, sizeof p->title, "%s", title);
    p->x.low = p->x.high = p->y.low = p->y.high = NAN;
    p->value.low = p->value.high = NAN;
    f->panels[f->count++] = p;
    return p;
}

double figure_category(figure_axis *a, const char *name)
{
    for (size_t k = 0; k < a->name_count; k++) {
        if (strcmp(a->names[k], name) == 0) {
            return (double)k;
        }
    }
    TAKE_ROOM(a->names, a->name_room, a->name_count + 1);
    snprintf(a->names[a->name_count], FIGURE_NAME, "%s", name);
    return (double)a->name_count++;
}

figure_series *figure_add_series(figure_panel *p, figure_form form, const char *name)
{
    figure_series *s = take(1, sizeof *s);

    TAKE_ROOM(p->series, p->room, p->count + 1);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->form = form;
    p->series[p->count++] = s;
    return s;
}

void figure_series_of(figure_series *s, const char *owner, bool warm)
{
    snprintf(s->owner, sizeof s->owner, "%s", owner);
    s->warm = warm;
}

void figure_point_full(figure_series *s, figure_point point)
{
    TAKE_ROOM(s->points, s->room, s->count + 1);
    s->points[s->count++] = point;
}

void figure_point_add(figure_series *s, double x, double y)
{
    figure_point_full(s, (figure_point){x, y, NAN, NAN, NAN, NAN, NAN});
}

void figure_failure_add(figure_series *s, double x)
{
    figure_failures_add(s, x, 1, 1);
}

void figure_failures_add(figure_series *s, double x, size_t failed, size_t of)
{
    TAKE_ROOM(s->failures, s->failure_room, s->failure_count + 1);
    s->failures[s->failure_count++] = (figure_failure){x, failed, of};
}

void figure_note_add(figure_panel *p, double x, double y, const char *format, ...)
{
    figure_note note = {.x = x, .y = y};
    va_list args;

    va_start(args, format);
    vsnprintf(note.text, sizeof note.text, format, args);
    va_end(args);
    TAKE_ROOM(p->notes, p->note_room, p->note_count + 1);
    p->notes[p->note_count++] = note;
}

bool figure_is_empty(const figure *f)
{
    for (size_t p = 0; p < f->count; p++) {
        for (size_t s = 0; s < f->panels[p]->count; s++) {
            const figure_series *series = f->panels[p]->series[s];

            if (series->count + series->failure_count > 0 &&
                series->form != FIGURE_GUIDE) {
                return false;
            }
        }
    }
    return true;
}

/* The digits of an exponent as superscripts. */
static size_t number_exponent(char *text, size_t length, const char *digits)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    size_t used = 0;

    for (; *digits; digits++) {
        const char *c = *digits == '-' ? "⁻" : raised[*digits - '0'];
        size_t wide = strlen(c);

        if (used + wide >= length) {
            break;
        }
        memcpy(text + used, c, wide);
        used += wide;
    }
    text[used] = '\0';
    return used;
}

char *figure_power(char *text, size_t length, int base, int exponent)
{
    char digits[16];

    snprintf(digits, sizeof digits, "%d", exponent);
    snprintf(text, length, "%d", base);
    number_exponent(text + strlen(text), length - strlen(text), digits);
    return text;
}

char *figure_number(char *text, size_t length, double x, int digits)
{
    char raw[64], exponent[16];
    char *mark = NULL;

    snprintf(raw, sizeof raw, "%.*g", digits, x);
    mark = strchr(raw, 'e');
    if (!mark) {
        snprintf(text, length, "%s", raw);
        return text;
    }
    snprintf(exponent, sizeof exponent, "%d", atoi(mark + 1));
    *mark = '\0';
    if (strcmp(raw, "1") == 0) {
        snprintf(text, length, "10");
    } else {
        snprintf(text, length, "%s×10", raw);
    }
    number_exponent(text + strlen(text), length - strlen(text), exponent);
    return text;
}

static const char *const form_names[] = {
    [FIGURE_LINE] = "line",   [FIGURE_CURVE] = "curve", [FIGURE_POINTS] = "points",
    [FIGURE_STEPS] = "steps", [FIGURE_BARS] = "bars",   [FIGURE_BOXES] = "boxes",
    [FIGURE_AREA] = "area",   [FIGURE_CELLS] = "cells", [FIGURE_DOTS] = "dots",
    [FIGURE_GUIDE] = "guide",
};

static void csv_cell(FILE *out, const char *text, char after)
{
    csv_text_quoted(out, text);
    fputc(after, out);
}

/* What is not a number is an empty field. */
static void csv_number(FILE *out, double x, char after)
{
    if (isnan(x)) {
        fputc(after, out);
    } else {
        fprintf(out, "%.17g%c", x, after);
    }
}

/* A position on an axis: the name of a category, else the number. */
static void csv_place(FILE *out, const figure_axis *a, double x)
{
    if (a->scale == FIGURE_CATEGORIES && x >= 0.0 && x < (double)a->name_count) {
        csv_cell(out, a->names[(size_t)x], ',');
    } else {
        csv_number(out, x, ',');
    }
}

static void csv_series(FILE *out, const figure *f, const figure_panel *p,
                       const figure_series *s)
{
    for (size_t k = 0; k < s->count + s->failure_count; k++) {
        size_t failed = 0;
        figure_point at = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

        if (k >= s->count) {
            const figure_failure *failure = &s->failures[k - s->count];

            at.x = failure->x;
            at.value = failure->of > 1 ? (double)failure->of : NAN;
            failed = failure->failed;
        } else {
            at = s->points[k];
        }
        csv_cell(out, f->name, ',');
        csv_cell(out, p->title, ',');
        csv_cell(out, s->name[0] ? s->name : s->owner, ',');
        fprintf(out, "%s,", form_names[s->form]);
        csv_place(out, &p->x, at.x);
        csv_place(out, &p->y, at.y);
        csv_number(out, at.low, ',');
        csv_number(out, at.high, ',');
        csv_number(out, at.least, ',');
        csv_number(out, at.most, ',');
        csv_number(out, at.value, ',');
        fprintf(out, "%zu\n", failed);
    }
}

/* "x: time [s]" */
static void csv_heading(FILE *out, const char *letter, const figure_axis *a)
{
    char text[FIGURE_TEXT + FIGURE_UNIT + 16];

    snprintf(text, sizeof text, "%s: %s%s%s%s", letter, a->label, *a->unit ? " [" : "",
             a->unit, *a->unit ? "]" : "");
    csv_cell(out, text, ',');
}

perp_status figure_write_csv(const figure *f, FILE *out, perp_error *err)
{
    static const figure_axis none;
    const figure_panel *first = f->count > 0 ? f->panels[0] : NULL;

    fputs("figure,panel,series,form,", out);
    csv_heading(out, "x", first ? &first->x : &none);
    csv_heading(out, "y", first ? &first->y : &none);
    fputs("low,high,least,most,value,failed\n", out);
    for (size_t p = 0; p < f->count; p++) {
        for (size_t s = 0; s < f->panels[p]->count; s++) {
            csv_series(out, f, f->panels[p], f->panels[p]->series[s]);
        }
    }
    return ferror(out)
               ? perp_fail(err, PERP_ERR_WRITE, "%s.csv: cannot be written", f->name)
               : PERP_OK;
}
