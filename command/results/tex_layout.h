/* SPDX-License-Identifier: Apache-2.0
 * report/tex_layout.h: where the cells of a table stand in LaTeX: widths, styles of numbers, what
 * is wrapped and which float holds which column. Private to the two files of table_tex.h. */
#ifndef PERP_REPORT_TEX_LAYOUT_H
#define PERP_REPORT_TEX_LAYOUT_H

#include "table_tex.h"

enum { TEX_NUMBER = 64 };

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

/** The text of a cell, and its number. */
const char *tex_text(const tex_layout *l, size_t row, size_t place);
double tex_value(const tex_layout *l, size_t row, const tex_column *c);

/** Estimated widths in points, of a byte (0 where it continues a character) and of a text. */
double tex_byte_width(char byte);
double tex_width(const char *text, size_t length);

/** The number as siunitx reads it: "1.23e-5"; "" of what is not finite. */
void tex_number(const tex_column *c, double x, char text[TEX_NUMBER]);

/** Lay out the table within `room` points, of one column of a journal where it fits. The
 *  caller frees columns and note. */
void tex_lay_out(tex_layout *l, double room);

#endif
