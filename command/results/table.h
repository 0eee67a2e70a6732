/* SPDX-License-Identifier: Apache-2.0
 * command/results/table.h: a table described by its columns, printed in three formats.
 *
 * A column is data: its names, where its value is found in a row, and how numbers are printed.
 * One list of columns gives aligned text, CSV and LaTeX (table_tex.h), and the texts of its cells. */
#ifndef PERP_REPORT_TABLE_H
#define PERP_REPORT_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include <perp/base.h>

#include "command/cli/output.h"

typedef enum table_format {
    TABLE_AS_TEXT = 1,
    TABLE_AS_CSV = 2,
    TABLE_AS_TEX = 4,
} table_format;

/** Type of the member at the offset of a column. */
typedef enum table_type {
    TABLE_STRING, /**< const char *; NULL is an empty text */
    TABLE_CHARS,  /**< char[] */
    TABLE_REAL,   /**< double; what is not finite is a dash, in CSV an empty field */
    TABLE_COUNT,  /**< size_t */
} table_type;

/** Which number of a column LaTeX prints in bold. */
typedef enum table_best {
    TABLE_NO_BEST,
    TABLE_LEAST,
    TABLE_MOST,
} table_best;

typedef struct table_column table_column;

/** A column. Its value is that of `text`, of `real`, or the member at `offset`. With both
 *  functions `text` is printed, and `real` is the number that it stands for. */
struct table_column {
    const char *name;    /**< in CSV, or key of a member; NULL: not in CSV */
    const char *heading; /**< in the other formats, with the unit; NULL: not there */
    const char *format;  /**< of a real in the other formats: "%.3g"; NULL: output_real */
    unsigned formats;    /**< table_format bits: only in these; 0: where it has a name */
    table_type type;
    size_t offset;
    /** Print the text of a row; the table quotes and escapes it. */
    void (*text)(const table_column *column, const void *row, FILE *f);
    double (*real)(const table_column *column, const void *row);
    const char
        *key; /**< for `text` and `real` that serve several columns: what to read */
    const char
        *help; /**< what it means, without its name: one sentence; NULL: see elsewhere */
    table_best best; /**< in LaTeX: set in bold */
    bool
        note; /**< in LaTeX: a note below the table, with a mark at the row's first text */
};

/** Members of a column that shows a member of struct `row`: its name in CSV, its heading,
 *  the format of a real; further members may follow. */
#define TABLE_STRING_AT(csv, head, row, member)                                          \
    .name = csv, .heading = head, .type = TABLE_STRING, .offset = offsetof(row, member)
#define TABLE_CHARS_AT(csv, head, row, member)                                           \
    .name = csv, .heading = head, .type = TABLE_CHARS, .offset = offsetof(row, member)
#define TABLE_COUNT_AT(csv, head, row, member)                                           \
    .name = csv, .heading = head, .type = TABLE_COUNT, .offset = offsetof(row, member)
#define TABLE_REAL_AT(csv, head, print, row, member)                                     \
    .name = csv, .heading = head, .format = print, .type = TABLE_REAL,                   \
    .offset = offsetof(row, member)

/** Ends a list of columns. */
#define TABLE_COLUMN_END                                                                 \
    {                                                                                    \
        .name = NULL, .heading = NULL                                                    \
    }

/** What stands around a table of LaTeX; plain texts, NULL: none. */
typedef struct table_frame {
    const char *caption;
    const char *label;     /**< "tab:lcp_1e-08" */
    const char *notes[3];  /**< below the table; ended by NULL unless full */
    const char *notes_tex; /**< likewise, in LaTeX */
    double width;          /**< mm that it may take; 0: TABLE_TEX_WIDE */
} table_frame;

/** A table while it is printed. */
typedef struct table {
    table_format format;
    FILE *f;
    const table_column *columns;
    size_t indent;     /**< of text, blanks; set after table_start */
    table_frame frame; /**< of LaTeX; set after table_start */
    output_table grid; /**< text and LaTeX: the cells so far */
    double *values;    /**< LaTeX: the numbers of these cells */
    size_t value_room;
} table;

/** Print the headings. `f` and `columns` must outlive the table; `f` may be NULL for text that is read
 *  by table_cells. */
void table_start(table *t, table_format format, FILE *f, const table_column *columns);
/** Print a row (text and LaTeX: it is printed by table_end, when all widths are known). */
void table_row(table *t, const void *row);
/** Print what is left and release the table. */
void table_end(table *t);
/** The cells of a table as text, the headings first, row by row, instead of table_end; they are
 *  valid until table_drop. */
char *const *table_cells(const table *t, size_t *columns, size_t *rows);
/** Release a table that is not printed to its end. No-op on a zeroed one and after the
 *  end. */
void table_drop(table *t);

/** The first column from `c` on that the format shows; NULL behind the last. */
const table_column *table_shown(const table_column *c, table_format format);
/** Is the value of the column a number, be it printed as a text? */
bool table_is_number(const table_column *c);

/** Print a text as a cell of `format` holds it: quoted for CSV, escaped for LaTeX.
 *  What LaTeX has no letter for becomes a mark, \u65e5 (base/text.h). */
void table_escape(FILE *f, table_format format, const char *text);

#endif
