/* SPDX-License-Identifier: Apache-2.0
 * cli/output.h: text for a person or a pipe: colour, aligned tables, JSON. */
#ifndef PERP_CLI_OUTPUT_H
#define PERP_CLI_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

#include <perp/perp.h>

typedef enum output_tone {
    OUTPUT_PLAIN,
    OUTPUT_STRONG, /* headings, names */
    OUTPUT_GOOD,   /* solved */
    OUTPUT_BAD,    /* failures */
} output_tone;

/** A terminal that shows colour: not a pipe, not TERM=dumb, NO_COLOR unset or empty. */
bool output_has_colour(FILE *out);
bool output_is_terminal(FILE *out);
/** Whether to draw in braille and blocks: the locale of the environment has UTF-8 (LC_ALL,
 *  LC_CTYPE, LANG), and the stream is no terminal called dumb or linux. */
bool output_has_unicode(FILE *out);
/** Columns of the terminal: COLUMNS where it is set, else as the terminal says; 80 when
 *  there is none. */
size_t output_width(FILE *out);
/** Columns that the first `bytes` of a UTF-8 text take: bytes that start a character. */
size_t output_columns(const char *text, size_t bytes);
/** Print in a tone where the stream shows colour. A text of the arguments is shown in one line: a
 *  newline, an escape or a mark of direction in a name is printed as "\n", "\x1b", "\u202e"
 *  (base/text.h). The same is true of output_cell and output_fact; output_wrap and output_text
 *  keep newlines. Print whatever has a name in it by these. */
void output_print(FILE *out, output_tone tone, const char *format, ...) PERP_PRINTF(3, 4);

/** Print text, broken between words, each further line after `indent` blanks. */
void output_wrap(FILE *out, size_t indent, size_t column, const char *text);

/** The same on a terminal; elsewhere on one line. */
void output_text(FILE *out, size_t indent, size_t column, const char *text);

/** An aligned table: a header and rows, filled cell by cell. Cells are copied. */
typedef struct output_table {
    size_t columns;
    size_t indent; /* blanks before every line; 0 unless set */
    char **cell;   /* count of them, the header first */
    size_t count, room;
} output_table;

/** Start with the headers, "name|kind|>rows": one that starts with '>' is aligned right. */
void output_table_start(output_table *t, const char *headers);
/** The next cell, from left to right, row by row. */
void output_cell(output_table *t, const char *format, ...) PERP_PRINTF(2, 3);
/** Print and release the table. On a terminal, columns of text are wrapped so that a row
 *  fits its width; where this is not possible, a row is a list of its cells. Elsewhere a row
 *  is one line. */
void output_table_end(output_table *t, FILE *out);
/** Release the table without printing it. No-op on a zeroed one and after the end. */
void output_table_drop(output_table *t);

/** A line "name        value" of a list of facts; on a terminal, broken between words. */
void output_fact(FILE *out, const char *name, const char *format, ...) PERP_PRINTF(3, 4);

/** Print JSON and a newline, on one line with `line`. Characters that would change a terminal are
 *  written by number: "\u202e". The reference is released. */
perp_status output_json(FILE *out, json_t *json, bool line, perp_error *err);
/** Print a text with the characters of XML and HTML escaped, between tags or in an attribute; a
 *  control character that XML does not have becomes '?'. */
void output_markup(FILE *f, const char *text);
/** Flush and check that everything was written. */
perp_status output_flush(FILE *out, const char *what, perp_error *err);

/** Room for one of the printers below, for as long as the block that names it. */
#define OUTPUT_ROOM                                                                      \
    (char[32])                                                                           \
    {                                                                                    \
        0                                                                                \
    }
/** "1.2e-09", "-" for NaN, "inf". */
const char *output_real(char room[32], double x);
/** "1.23 s", "4.56 ms". */
const char *output_seconds(char room[32], double s);
/** "20 products, 1 factorisation, 2 rounds": what is not 0. */
const char *output_work(char room[256], const perp_work *work);

#endif
