/* SPDX-License-Identifier: Apache-2.0
 * cli/csv.c: cells of CSV that hold names, and rows read back.
 *
 * Quotes do not stop a spreadsheet: "=1+1" in quotes is a formula, too. An apostrophe in front is
 * the one mark that spreadsheets read as "this is a text" [OWASP, CSV injection]; csv_plain takes
 * it away again. Numbers keep their sign, so that -2 is -2 for every reader. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/cli/csv.h"
#include "command/cli/take.h"

/* Is the text a number of a table: a sign, digits, a point, an exponent? */
static bool csv_is_number(const char *text)
{
    char *end = NULL;

    if (text[strspn(text, "0123456789+-.eE")] != '\0' || !strpbrk(text, "0123456789")) {
        return false;
    }
    strtod(text, &end);
    return *end == '\0';
}

/* Does the text begin as a formula does, behind the apostrophes in front? */
static bool csv_is_formula(const char *text)
{
    static const char *const wide[] = {"＝", "＋", "－", "＠"};
    const char *at = text + strspn(text, "'");

    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
        if (strncmp(at, wide[k], strlen(wide[k])) == 0) {
            return true;
        }
    }
    return *at && strchr("=+-@\t\r\n", *at) && !(at == text && csv_is_number(text));
}

static void csv_write(FILE *out, const char *text, bool quoted)
{
    bool formula = csv_is_formula(text);
    size_t length = strlen(text);

    quoted = quoted || formula || strpbrk(text, ",;\"\n\r\t") || text[0] == ' ' ||
             (length > 0 && text[length - 1] == ' ');
    fputs(quoted ? "\"" : "", out);
    fputs(formula ? "'" : "", out);
    while (*text) {
        size_t bytes = perp_text_character(text, NULL);

        if (bytes == 0) {
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*text++);
            continue;
        }
        fputs(*text == '"' ? "\"" : "", out);
        fwrite(text, 1, bytes, out);
        text += bytes;
    }
    fputs(quoted ? "\"" : "", out);
}

void csv_text(FILE *out, const char *text)
{
    csv_write(out, text, false);
}

void csv_text_quoted(FILE *out, const char *text)
{
    csv_write(out, text, true);
}

const char *csv_plain(const char *cell)
{
    return cell[0] == '\'' && csv_is_formula(cell) ? cell + 1 : cell;
}

/* -- rows ---------------------------------------------------------------------------------- */

static void row_byte(csv_row *row, char byte)
{
    TAKE_ROOM(row->text, row->text_room, row->length + 1);
    row->text[row->length++] = byte;
}

/* End a cell; places of cells are known when the row has ended. */
static void row_cell(csv_row *row)
{
    row->count++;
    row_byte(row, '\0');
}

/* Point to the cells. */
static void row_cells(csv_row *row)
{
    char *at = row->text;

    TAKE_ROOM(row->cell, row->room, row->count);
    for (size_t k = 0; k < row->count; k++) {
        row->cell[k] = at;
        at += strlen(at) + 1;
    }
}

/* The bytes of a row; *last: what ended it, '\n' or EOF. */
static void row_bytes(FILE *in, csv_row *row, int *last)
{
    bool quoted = false;
    int c = 0;

    while ((c = getc(in)) != EOF && (quoted || c != '\n')) {
        if (c == '"') {
            int next = quoted ? getc(in) : EOF;

            if (quoted && next == '"') {
                row_byte(row, '"');
                continue;
            }
            if (quoted && next != EOF) {
                ungetc(next, in);
            }
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            row_cell(row);
        } else if (c != '\0' && (c != '\r' || quoted)) {
            row_byte(row, (char)c);
        }
    }
    *last = c;
}

perp_status csv_read(FILE *in, csv_row *row, bool *more, const char *path,
                     perp_error *err)
{
    int last = '\n';

    do {
        row->count = row->length = 0;
        row_bytes(in, row, &last);
    } while (last == '\n' && row->count == 0 && row->length == 0);
    *more = row->count > 0 || row->length > 0;
    if (*more) {
        row_cell(row);
        row_cells(row);
    }
    if (ferror(in)) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
    }
    return PERP_OK;
}

void csv_clear(csv_row *row)
{
    free(row->cell);
    free(row->text);
    *row = (csv_row){NULL, 0, 0, NULL, 0, 0};
}
