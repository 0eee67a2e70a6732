/* SPDX-License-Identifier: Apache-2.0
 * cli/csv.h: cells of CSV (RFC 4180) that hold names: every table of perp is written by these. */
#ifndef PERP_CLI_CSV_H
#define PERP_CLI_CSV_H

#include <stdio.h>

#include <perp/base.h>

/** Write a text as a cell, in quotes where it needs some; newlines stay. A text that a spreadsheet
 *  would take for a formula is led by an apostrophe, as OWASP recommends: one that begins with
 *  = + - @, a tab, a return, a newline, or the wide forms of the four signs, and is no number.
 *  So is one that begins with apostrophes before one of these, so that taking one away gives the
 *  text again. A byte that is not UTF-8 becomes \xff. */
void csv_text(FILE *out, const char *text);
/** The same, always in quotes. */
void csv_text_quoted(FILE *out, const char *text);

/** Take the apostrophe of a formula away: the text as it was. */
const char *csv_plain(const char *cell);

/** A row that was read; its cells are without quotes, with their apostrophes. */
typedef struct csv_row {
    char **cell;
    size_t count, room;
    char *text; /* of all cells */
    size_t length, text_room;
} csv_row;

/** Read the next row, over several lines where a cell in quotes has some; blank lines are skipped.
 *  *more: false at the end of the file. The row is used again, from zeros; PERP_ERR_READ. */
perp_status csv_read(FILE *in, csv_row *row, bool *more, const char *path,
                     perp_error *err);
void csv_clear(csv_row *row);

#endif
