/* SPDX-License-Identifier: Apache-2.0
 * tests/command/terminal.c: drawings in characters, and the numbers that are drawn. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/plot.h"
#include "command/cli/sparkline.h"
#include "command/verbs/convergence.h"
#include "command/verbs/facts.h"
#include "command/verbs/run_lines.h"
#include "support.h"

/* What was printed into a temporary file, which is closed. */
static const char *printed(FILE *f)
{
    static char text[8192];

    rewind(f);
    size_t length = fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    fclose(f);
    return text;
}

/* From (0, 0) to (3, 3): in ASCII 4 columns of two dots each. */
TEST(draws_a_line_in_ascii)
{
    plot_canvas c;
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    plot_open(&c, 4, 2, false);
    plot_line(&c, 0, 0, 3, 3);
    plot_dot(&c, 4, 0); /* outside */
    plot_print(&c, 0, true, f);
    fputc('\n', f);
    plot_print(&c, 1, true, f);
    plot_close(&c);
    CU_ASSERT_STRING_EQUAL(printed(f), "'.  \n  '.");
}

/* A diagonal of four dots lies in two characters: dots 1 and 5 (U+2811), 3 and 8 (U+2884). */
TEST(draws_a_line_in_braille)
{
    plot_canvas c;
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    plot_open(&c, 2, 1, true);
    plot_line(&c, 0, 0, 3, 3);
    plot_print(&c, 0, false, f);
    plot_close(&c);
    CU_ASSERT_STRING_EQUAL(printed(f), "\xe2\xa0\x91\xe2\xa2\x84");
}

/* 1 to 1e-4 in 8 rows of 2 dots: the ends are in the first and in the last row; two decades
 * between numbers are not needed, since 4 numbers fit. */
TEST(draws_a_curve_between_numbers)
{
    static const double x[] = {0, 10, 20}, y[] = {1.0, 1e-2, 1e-4};
    plot_curve curve = {.x = x,
                        .y = y,
                        .count = 3,
                        .x_name = "steps",
                        .y_name = "error",
                        .level = 1e-2,
                        .level_name = "goal",
                        .width = 48,
                        .height = 8};
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    plot_curve_print(f, &curve);
    const char *text = printed(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "error\n 1e+00 +'"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(text, "1e-02 +"));
    CU_ASSERT_EQUAL(strncmp(strstr(text, "1e-02 +") + 8, "goal", 4), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 1e-04 +"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "10"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "steps\n"));
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");

        CU_ASSERT(length <= 48);
        line += length + (line[length] == '\n');
    }
}

TEST(draws_zero_and_infinity_at_the_edges)
{
    static const double x[] = {0, 1, 2}, y[] = {INFINITY, 1e-3, 0.0};
    plot_curve curve = {.x = x,
                        .y = y,
                        .count = 3,
                        .x_name = "",
                        .y_name = "",
                        .level = NAN,
                        .width = 40,
                        .height = 4};
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    plot_curve_print(f, &curve);
    const char *text = printed(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1e-02 +'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1e-03 +"));
    curve.y = x + 0;
    curve.count = 1; /* 0 alone: nothing to draw */
    f = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    plot_curve_print(f, &curve);
    CU_ASSERT_STRING_EQUAL(printed(f), "");
}

TEST(prints_bars)
{
    static const double x[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const double holes[] = {1.0, NAN, 1.0, INFINITY};
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    sparkline_print(f, x, 8, 80, false);
    sparkline_print(f, x, 8, 4, true); /* 1, 3, 5, 7: levels 1, 3, 5, 7 of 8 */
    sparkline_print(f, holes, 4, 80, false);
    sparkline_print(f, holes + 1, 1, 80, false); /* nothing finite */
    CU_ASSERT_STRING_EQUAL(printed(f), "_.-=+*%#"
                                       "\xe2\x96\x82\xe2\x96\x84\xe2\x96\x86\xe2\x96\x88"
                                       "_ _ ");
}

/* Two solvers: the first ends at iteration 10, recorded twice; the second begins there. */
TEST(finds_where_a_chain_changes_its_solver)
{
    static const perp_history_sample samples[] = {
        {0, 0.0, 0.0, 1.0},    {10, 1.0, 10.0, 0.1},  {10, 1.1, 10.0, 0.1},
        {10, 2.0, 10.0, 0.1},  {15, 2.5, 12.0, 0.01}, {15, 2.5, 12.0, 0.01},
        {15, 3.0, 12.0, 0.02}, {20, 4.0, 20.0, 1e-9}};
    convergence c;

    convergence_of(&c, samples, 8);
    CU_ASSERT_EQUAL(c.count, 6);
    CU_ASSERT_EQUAL_FATAL(c.part_count, 3);
    CU_ASSERT_EQUAL(c.part[0], 0);
    CU_ASSERT_EQUAL(c.part[1], 2);
    CU_ASSERT_EQUAL(c.part[2], 4);
    CU_ASSERT_EQUAL(c.sample[4].residual, 0.02);
    convergence_clear(&c);
}

TEST(reads_the_solvers_of_a_chain_from_its_path)
{
    const perp_solution_path path = {
        .count = 4,
        .step = {"auto: cones of the associated law", "spg",
                 "iteration limit with max-iterations=100: spg: residual 1.0e-02",
                 "solved: ds:spg: residual 1.0e-09 after 3 iterations"}};
    char name[32] = "";

    CU_ASSERT(convergence_name(&path, 0, name, sizeof name));
    CU_ASSERT_STRING_EQUAL(name, "spg");
    CU_ASSERT(convergence_name(&path, 1, name, sizeof name));
    CU_ASSERT_STRING_EQUAL(name, "ds:spg");
    CU_ASSERT(!convergence_name(&path, 2, name, sizeof name));
}

/* Minors of [1 -2; 0 1] are 1, 1, 1; of [1 2; 2 1] they are 1, 1, -3; of the third 1, 1, 0.
 * Each is written by columns. */
TEST(decides_p_by_minors)
{
    static const double yes[] = {1, 0, -2, 1}, no[] = {1, 2, 2, 1}, zero[] = {1, 1, 1, 1};

    CU_ASSERT_EQUAL(facts_least_pivot(yes, 2, 0.0), 1.0);
    CU_ASSERT_EQUAL(facts_least_pivot(no, 2, 0.0), -3.0);
    CU_ASSERT_EQUAL(facts_least_pivot(zero, 2, 0.0), 0.0);
}

/* The facts of a file, gathered; cleared by the caller. */
static void gather(facts *f, instance **in, const char *call, size_t limit)
{
    const instance_request request = {.path = call};

    OK(instance_open(in, &request, NULL));
    OK(facts_gather(f, *in, limit, NULL));
}

static void release(facts *f, instance *in)
{
    facts_clear(f);
    instance_free(in);
}

/* Murty's matrix: 1 on the diagonal, 2 below it. */
TEST(gathers_the_facts_of_a_triangular_matrix)
{
    facts f;
    instance *in = NULL;

    gather(&f, &in, "generate:murty-lower:n=8", 1000);
    CU_ASSERT_EQUAL(f.nonzeros, 36);
    CU_ASSERT_EQUAL(f.bandwidth, 7);
    CU_ASSERT(f.lower && !f.upper);
    CU_ASSERT_EQUAL(f.entries[0], 1.0);
    CU_ASSERT_EQUAL(f.entries[1], 2.0);
    CU_ASSERT_EQUAL(f.rank, 8);
    CU_ASSERT_EQUAL(f.p, FACTS_P_TRIANGULAR);
    /* A + A^T is 2 in each entry: rank 1 and semidefinite. */
    CU_ASSERT_EQUAL(f.definite, FACTS_SEMIDEFINITE);
    CU_ASSERT_EQUAL(f.dots, 8);
    CU_ASSERT_EQUAL(f.dot[1], 0);
    CU_ASSERT_EQUAL(f.dot[8], 1);
    release(&f, in);
}

TEST(certifies_a_definite_matrix_and_its_rank)
{
    facts f;
    instance *in = NULL;

    gather(&f, &in, "generate:spd:n=30,condition=1e4", 1000);
    CU_ASSERT_EQUAL(f.definite, FACTS_DEFINITE);
    CU_ASSERT_EQUAL(f.p, FACTS_P_DEFINITE);
    CU_ASSERT_EQUAL(f.rank, 30);
    release(&f, in);
    gather(&f, &in, "generate:integer-psd:n=16,rank=6", 1000);
    CU_ASSERT_EQUAL(f.definite, FACTS_SEMIDEFINITE);
    CU_ASSERT_EQUAL(f.rank, 6);
    release(&f, in);
}

TEST(computes_no_spectrum_beyond_the_limit)
{
    facts f;
    instance *in = NULL;

    gather(&f, &in, "generate:spd:n=30", 29);
    CU_ASSERT(!f.ranked);
    CU_ASSERT_EQUAL(f.definite, FACTS_NOT_KNOWN);
    CU_ASSERT_EQUAL(f.nonzeros, 900);
    release(&f, in);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    CU_ASSERT_EQUAL(fclose(f), 0);
}

TEST(reads_columns_by_name)
{
    static const char *const names[] = {"energy", "penetration"};
    const char *path = test_scratch("columns");
    run_column c[2];
    perp_error err = {0};

    write_text(path,
               "step,energy of a,penetration [m],energy [J]\n1,9,0.5,2\n2,9,0.25,-3\n");
    OK(run_columns_read(path, names, 2, c, &err));
    CU_ASSERT_EQUAL_FATAL(c[0].count, 2);
    CU_ASSERT_EQUAL(c[0].x[1], -3.0);
    CU_ASSERT_EQUAL(c[1].x[0], 0.5);
    free(c[0].x);
    free(c[1].x);
    write_text(path, "step,penetration [m],energy [J]\n1,0,2 J\n");
    CU_ASSERT_EQUAL(run_columns_read(path, names, 2, c, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":2: field 3 is \"2 J\", expected a number"));
    free(c[0].x);
    free(c[1].x);
    memset(&err, 0, sizeof err);
    write_text(path, "step,energy [J]\n");
    CU_ASSERT_EQUAL(run_columns_read(path, names, 2, c, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":1: no column \"penetration\""));
    free(c[0].x);
    free(c[1].x);
    remove(path);
}
