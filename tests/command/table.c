/* SPDX-License-Identifier: Apache-2.0
 * tests/command/table.c: one list of columns in four formats. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "command/results/table_tex.h"
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
    {.heading = "colour", .key = "red", .text = colour_text},
    {TABLE_STRING_AT("hidden", "hidden", fruit, name), .formats = TABLE_AS_CSV},
    TABLE_COLUMN_END,
};

static const fruit fruits[] = {{"a, \"b\" <&_", 0.25, 3}, {NULL, NAN, 1000}};

/* The two rows in a format, in a static buffer. */
static const char *printed(table_format format)
{
    static char text[4096];
    table t;
    size_t length = 0;
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    table_start(&t, format, f, columns);
    t.indent = 2;
    for (size_t k = 0; k < 2; k++) {
        table_row(&t, &fruits[k]);
    }
    table_end(&t);
    rewind(f);
    length = fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    fclose(f);
    return text;
}

TEST(prints_aligned_text)
{
    CU_ASSERT_STRING_EQUAL(printed(TABLE_AS_TEXT),
                           "  fruit       mass [kg]  seeds  colour\n"
                           "  a, \"b\" <&_        0.2      3  red of a, \"b\" <&_\n"
                           "                      -   1000  red of none\n");
}

TEST(prints_csv_with_quotes_and_empty_fields)
{
    CU_ASSERT_STRING_EQUAL(
        printed(TABLE_AS_CSV),
        "name,mass,half,seeds,hidden\n"
        "\"a, \"\"b\"\" <&_\",0.25,0.125,3,\"a, \"\"b\"\" <&_\"\n,,,1000,\n");
}

/* -- LaTeX --------------------------------------------------------------------------------- */

/* Words of a table in LaTeX; the rest of what is printed is in *text. */
static const char *latex(const table_column *list, const void *rows, size_t size,
                         size_t count, const table_frame *frame)
{
    char *text = NULL;
    size_t length = 0;
    table t;
    FILE *f = open_memstream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    table_start(&t, TABLE_AS_TEX, f, list);
    t.frame = *frame;
    for (size_t k = 0; k < count; k++) {
        table_row(&t, (const char *)rows + k * size);
    }
    table_end(&t);
    fclose(f);
    return test_keep(text, free);
}

static bool has(const char *text, const char *words)
{
    bool found = strstr(text, words) != NULL;

    if (!found) {
        test_note("no \"%s\" in\n%s", words, text);
    }
    return found;
}

static size_t times(const char *text, const char *words)
{
    size_t count = 0;

    while ((text = strstr(text, words))) {
        count++;
        text += strlen(words);
    }
    return count;
}

/* Heading, a name, how often it solved, its time and why it failed. */
typedef struct racer {
    const char *name, *failed;
    size_t solved;
    double seconds;
} racer;

static void solved_of_three(const table_column *column, const void *row, FILE *f)
{
    (void)column;
    fprintf(f, "%zu/3", ((const racer *)row)->solved);
}

static double solved_count(const table_column *column, const void *row)
{
    (void)column;
    return (double)((const racer *)row)->solved;
}

static const table_column racing[] = {
    {TABLE_STRING_AT("name", "name", racer, name)},
    {.heading = "solved",
     .text = solved_of_three,
     .real = solved_count,
     .best = TABLE_MOST},
    {TABLE_REAL_AT("seconds", "time [s]", "%.3g", racer, seconds), .best = TABLE_LEAST},
    {TABLE_STRING_AT("failed", "failed", racer, failed), .note = true},
    TABLE_COLUMN_END,
};

TEST(latex_aligns_numbers_marks_the_best_and_notes_failures)
{
    static const racer racers[] = {{"a_1", "", 3, 0.5},
                                   {"b", "1 crash, 100 %", 2, 2.5e-5},
                                   {"[c]", "1 stalled", 2, NAN},
                                   {"d", "1 stalled", 2, 12.26}};
    const table_frame frame = {.caption = "Racers, 10⁻⁸",
                               .label = "tab:racers",
                               .notes = {"time: in s"},
                               .notes_tex = "$x$"};
    const char *text = latex(racing, racers, sizeof *racers, 4, &frame);

    CU_ASSERT(has(text, "\\begin{table}\n")); /* it fits into a column */
    CU_ASSERT(has(text, "\\caption{Racers, 10$^{-8}$}\\label{tab:racers}\n"));
    /* One style for the column: 2.5e-5 needs a power of ten, so all have one. */
    CU_ASSERT(has(text, "lrS[table-format=1.2e-1]@{}}"));
    CU_ASSERT(has(text, "name & solved & {time {[}s]} \\\\\n"));
    CU_ASSERT(has(text, "\na\\_1 & \\textbf{3/3} & 5.00e-1 \\\\\n"));
    CU_ASSERT(has(text, "\nb\\tnote{a} & 2/3 & \\bfseries 2.50e-5 \\\\\n"));
    CU_ASSERT(has(text, "\n{[}c]\\tnote{b} & 2/3 & {--} \\\\\n"));
    CU_ASSERT(has(text, "\nd\\tnote{b} & 2/3 & 1.23e1 \\\\\n"));
    CU_ASSERT(has(text, "\\item[a] 1 crash, 100 \\%\n\\item[b] 1 stalled\n"));
    CU_ASSERT(has(text, "\\item[] time: in s\n$x$\n\\end{tablenotes}"));
    CU_ASSERT_EQUAL(times(text, "stalled"), 1);
}

TEST(latex_has_no_best_among_equals)
{
    static const racer racers[] = {{"a", "", 3, 1.0}, {"b", "", 3, 1.0}};
    const table_frame frame = {.caption = NULL};
    const char *text = latex(racing, racers, sizeof *racers, 2, &frame);

    CU_ASSERT_PTR_NULL(strstr(text, "\\textbf"));
    CU_ASSERT_PTR_NULL(strstr(text, "\\bfseries"));
    CU_ASSERT(has(text, "S[table-format=1.2]"));
}

TEST(latex_wraps_long_names_and_continues_long_tables)
{
    static racer racers[100];
    const table_frame frame = {
        .caption = "Many", .label = "tab:many", .width = TABLE_TEX_COLUMN};
    const char *text = NULL;

    for (size_t k = 0; k < 100; k++) {
        racers[k] = (racer){"aNameWithoutAnyPlaceToBreakItThatIsAsLongAsTheColumnIsWide",
                            "", 1, (double)k};
    }
    text = latex(racing, racers, sizeof *racers, 100, &frame);
    CU_ASSERT(has(text, ">{\\raggedright\\arraybackslash}p{"));
    CU_ASSERT(has(text, "\\allowbreak{}"));
    CU_ASSERT(times(text, "\\begin{table}") >= 3);
    CU_ASSERT(has(text, "\\caption{Many (continued)}\\label{tab:many:3}"));
    CU_ASSERT_EQUAL(times(text, "1/3 & "), 100);
}

/* Each column needs 40 mm, so that two floats hold them, each with the names. */
TEST(latex_splits_what_is_wider_than_the_page)
{
    static const table_column wide[] = {
        {TABLE_STRING_AT(NULL, "name", racer, name)},
        {TABLE_REAL_AT(NULL, "aHeadingThatIsLong1", "%.3g", racer, seconds)},
        {TABLE_REAL_AT(NULL, "aHeadingThatIsLong2", "%.3g", racer, seconds)},
        {TABLE_REAL_AT(NULL, "aHeadingThatIsLong3", "%.3g", racer, seconds)},
        {TABLE_REAL_AT(NULL, "aHeadingThatIsLong4", "%.3g", racer, seconds)},
        {TABLE_REAL_AT(NULL, "aHeadingThatIsLong5", "%.3g", racer, seconds)},
        {TABLE_REAL_AT(NULL, "aHeadingThatIsLong6", "%.3g", racer, seconds)},
        TABLE_COLUMN_END,
    };
    static const racer one = {"a", "", 1, 1.0};
    const table_frame frame = {.caption = "Wide", .notes = {"explained once"}};
    const char *text = latex(wide, &one, sizeof one, 1, &frame);

    CU_ASSERT_EQUAL(times(text, "\\begin{table*}"), 2);
    CU_ASSERT_EQUAL(times(text, "{\\textwidth}"), 2);
    CU_ASSERT_EQUAL(times(text, "\na & 1.00 & 1.00 & 1.00 \\\\\n"), 2);
    CU_ASSERT_EQUAL(times(text, "explained once"), 1);
}

TEST(latex_has_a_letter_for_every_text)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    table_escape(f, TABLE_AS_TEX, "\\^~_&%#${}<>|\"[*--''``μ≤10⁻¹²é中\n\x01");
    fclose(f);
    CU_ASSERT_STRING_EQUAL(
        text,
        "\\textbackslash{}\\textasciicircum{}\\textasciitilde{}\\_\\&\\%\\#\\$\\{\\}"
        "\\textless{}\\textgreater{}\\textbar{}''{[}{*}-{}-'{}'`{}`$\\mu$$\\leq$"
        "10$^{-12}$é\\textbackslash{}u4e2d\\textbackslash{}n\\textbackslash{}x01");
    free(text);
}

TEST(gives_the_texts_of_its_cells)
{
    size_t width = 0, count = 0;
    char *const *cells = NULL;
    table t;

    table_start(&t, TABLE_AS_TEXT, NULL, columns);
    table_row(&t, &fruits[0]);
    table_row(&t, &fruits[1]);
    cells = table_cells(&t, &width, &count);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cells);
    CU_ASSERT_EQUAL(width, 4);
    CU_ASSERT_EQUAL_FATAL(count, 3);
    CU_ASSERT_STRING_EQUAL(cells[1], ">mass [kg]");
    CU_ASSERT_STRING_EQUAL(cells[4], "a, \"b\" <&_");
    CU_ASSERT_STRING_EQUAL(cells[5], "0.2");
    CU_ASSERT_STRING_EQUAL(cells[9], "-");
    CU_ASSERT_STRING_EQUAL(cells[10], "1000");
    table_drop(&t);
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
