/* SPDX-License-Identifier: Apache-2.0
 * tests/command/csv.c: cells of CSV written and read back; texts as a terminal shows them. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/cli/csv.h"
#include "command/cli/output.h"
#include "support.h"

static const char *const csv_cells[][2] = {
    {"plain", "plain"},
    {"-2.5e-3", "-2.5e-3"},
    {"+1+1", "\"'+1+1\""},
    {"=1", "\"'=1\""},
    {"@SUM(1)", "\"'@SUM(1)\""},
    {"\tx", "\"'\tx\""},
    {"''=1", "\"'''=1\""},
    {"'a", "'a"},
    {"＝1", "\"'＝1\""},
    {"a,b", "\"a,b\""},
    {"say \"hi\"", "\"say \"\"hi\"\"\""},
    {"two\nlines", "\"two\nlines\""},
    {" edge", "\" edge\""},
    {"-", "\"'-\""},
    {"", ""},
};
enum { CSV_CELLS = sizeof csv_cells / sizeof *csv_cells };

TEST(a_cell_is_no_formula_and_is_read_back)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    csv_row row = {0};
    bool more = false;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    for (size_t k = 0; k < CSV_CELLS; k++) {
        long from = ftell(f);

        csv_text(f, csv_cells[k][0]);
        fflush(f);
        CU_ASSERT_STRING_EQUAL(text + from, csv_cells[k][1]);
        fputs(k + 1 < CSV_CELLS ? "," : "\r\n\r\nlast", f);
    }
    fclose(f);
    f = fmemopen(text, length, "r");
    OK(csv_read(f, &row, &more, "f", NULL));
    CU_ASSERT_EQUAL_FATAL(row.count, CSV_CELLS);
    for (size_t k = 0; k < CSV_CELLS; k++) {
        CU_ASSERT_STRING_EQUAL(csv_plain(row.cell[k]), csv_cells[k][0]);
    }
    OK(csv_read(f, &row, &more, "f", NULL));
    CU_ASSERT(more && row.count == 1 && strcmp(row.cell[0], "last") == 0);
    OK(csv_read(f, &row, &more, "f", NULL));
    CU_ASSERT_FALSE(more);
    fclose(f);
    csv_clear(&row);
    free(text);
}

static void csv_shows(const char *text, const char *shown, const char *utf8)
{
    char *a = perp_text_shown_new(text), *b = perp_text_utf8(text);

    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_STRING_EQUAL(a, shown);
    CU_ASSERT_STRING_EQUAL(b, utf8);
    free(a);
    free(b);
}

TEST(marks_stand_for_what_is_not_shown)
{
    csv_shows("a\n\t\r\x1b[2J", "a\\n\\t\\r\\x1b[2J", "a\n\t\r\x1b[2J");
    csv_shows("\u202e\u2069é\xc2\x9b", "\\u202e\\u2069é\\u009b", "\u202e\u2069é\xc2\x9b");
    csv_shows("\U000e0041", "\\U000e0041", "\U000e0041");
    csv_shows("\xe9|\xc0\xaf|\xed\xa0\x80|\xf5", "\\xe9|\\xc0\\xaf|\\xed\\xa0\\x80|\\xf5",
              "\\xe9|\\xc0\\xaf|\\xed\\xa0\\x80|\\xf5");
    csv_shows("\\xe9 \\xg \\", "\\xe9 \\xg \\", "\\x5cxe9 \\xg \\");
}

TEST(messages_and_lines_hold_no_escape)
{
    perp_error err = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);

    perp_fail(&err, PERP_ERR_READ, "%s: cannot open", "a\nb\x1b[2J");
    CU_ASSERT_STRING_EQUAL(err.text, "a\\nb\\x1b[2J: cannot open");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    output_print(f, OUTPUT_PLAIN, "%-5s|%5s|%.*s|%zu %5.2f %ld%%\n", "\n", "é", 2, "abc",
                 (size_t)7, 1.5, -3L);
    fclose(f);
    CU_ASSERT_STRING_EQUAL(text, "\\n   |    é|ab|7  1.50 -3%\n");
    free(text);
}

TEST(long_names_differ)
{
    char a[300], b[300], short_a[128], short_b[128];

    memset(a, 'x', 299);
    a[299] = '\0';
    strcpy(b, a);
    b[298] = 'y';
    perp_text_shorten(short_a, sizeof short_a, a);
    perp_text_shorten(short_b, sizeof short_b, b);
    CU_ASSERT_EQUAL(strlen(short_a), 127);
    CU_ASSERT_STRING_NOT_EQUAL(short_a, short_b);
}
