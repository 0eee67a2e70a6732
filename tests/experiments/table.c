/* SPDX-License-Identifier: Apache-2.0
 * tests/experiments/table.c: one list of columns in four formats. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/table.h"
#include "support.h"

typedef struct fruit {
    const char *name;
    double mass;
    size_t seeds;
} fruit;

static void colour_text(const table_column *column, const void *row, FILE *f)
{
    const char *name = ((const fruit *)row)->name;

    fprintf(f, "%s of %s", column->key, name ? name : "none");
}

static double half_mass(const table_column *column, const void *row)
{
    (void)column;
    return ((const fruit *)row)->mass / 2.0;
}

static const table_column columns[] = {
    {TABLE_STRING_AT("name", "fruit", fruit, name)},
    {TABLE_REAL_AT("mass", "mass [kg]", "%.1f", fruit, mass)},
    {.name = "half", .real = half_mass},
    {TABLE_COUNT_AT("seeds", "seeds", fruit, seeds)},
    {.heading = "colour", .key = "red", .text = colour_text, .anchor = "colours"},
    {TABLE_STRING_AT("hidden", "hidden", fruit, name), .formats = TABLE_AS_CSV},
    TABLE_COLUMN_END,
};

static const fruit fruits[] = {{"a, \"b\" <&_", 0.25, 3}, {NULL, NAN, 1000}};

/* The two rows in a format, in a static buffer. */
static const char *printed(table_format format, const char *note)
{
    static char text[4096];
    table t;
    size_t length = 0;
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    table_start(&t, format, f, columns);
    t.indent = 2;
    t.note = note;
    for (size_t k = 0; k < 2; k++) {
        table_row(&t, &fruits[k]);
    }
    CU_ASSERT_EQUAL(table_end(&t, NULL), PERP_OK);
    rewind(f);
    length = fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    fclose(f);
    return text;
}

TEST(prints_aligned_text)
{
    CU_ASSERT_STRING_EQUAL(printed(TABLE_AS_TEXT, NULL),
                           "  fruit       mass [kg]  seeds  colour\n"
                           "  a, \"b\" <&_        0.2      3  red of a, \"b\" <&_\n"
                           "                      -   1000  red of none\n");
}

TEST(prints_csv_with_quotes_and_empty_fields)
{
    CU_ASSERT_STRING_EQUAL(
        printed(TABLE_AS_CSV, NULL),
        "name,mass,half,seeds,hidden\n"
        "\"a, \"\"b\"\" <&_\",0.25,0.125,3,\"a, \"\"b\"\" <&_\"\n,,,1000,\n");
}

TEST(prints_latex_with_a_note)
{
    CU_ASSERT_STRING_EQUAL(
        printed(TABLE_AS_TEX, "Masses in $kg$."),
        "\\begin{tabular}{lrrl}\n\\toprule\nfruit & mass [kg] & seeds & colour \\\\\n"
        "\\midrule\na, \"b\" <\\&\\_ & 0.2 & 3 & red of a, \"b\" <\\&\\_ \\\\\n"
        " & -- & 1000 & red of none \\\\\n\\bottomrule\n"
        "\\end{tabular}\n\\par\\smallskip{\\footnotesize Masses in $kg$.\\par}\n");
}

TEST(prints_html_that_can_be_sorted)
{
    CU_ASSERT_STRING_EQUAL(
        printed(TABLE_AS_HTML, NULL),
        "<table><thead><tr><th>fruit</th><th>mass [kg]</th><th>seeds</th>"
        "<th><a href=\"#colours\">colour</a></th></tr></thead><tbody>\n"
        "<tr><td>a, &quot;b&quot; &lt;&amp;_</td><td class=\"n\" data-v=\"0.25\">0.2</td>"
        "<td class=\"n\" data-v=\"3\">3</td><td>red of a, &quot;b&quot; &lt;&amp;_</td>"
        "</tr>\n<tr><td></td><td class=\"n\" data-v=\"1e999\">–</td>"
        "<td class=\"n\" data-v=\"1000\">1000</td><td>red of none</td></tr>\n"
        "</tbody></table>\n");
}

TEST(releases_a_table_that_is_not_ended)
{
    table t;

    table_start(&t, TABLE_AS_TEXT, stdout, columns);
    table_row(&t, &fruits[0]);
    table_drop(&t);
    table_drop(&t);
    CU_ASSERT_PTR_NULL(t.grid.cell);
}

TEST_MAIN("table")
