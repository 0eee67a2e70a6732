/* SPDX-License-Identifier: Apache-2.0
 * tests/command/looks.c: colours, dashes and markers; texts for gnuplot and LaTeX; ticks. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/figures/axis.h"
#include "command/figures/style.h"
#include "command/figures/text.h"
#include "command/results/looks.h"
#include "figures_of.h"

enum { FIRST = 8, ALL = 48, VIEWS = 4 };

/* Linear RGB as seen by normal eyes and without cones for long, middle and short waves: severity
 * 1 of [machado-2009, table 1]. */
static const double views[VIEWS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

/* CIELAB of a colour "#rrggbb" in a view, white D65. */
static void lab_of(const char *colour, int view, double lab[3])
{
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1.0, 1.08883};
    unsigned rgb[3] = {0, 0, 0};
    double linear[3], seen[3], f[3];

    CU_ASSERT_EQUAL(sscanf(colour, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]), 3);
    for (int i = 0; i < 3; i++) {
        double c = rgb[i] / 255.0;

        linear[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        seen[i] = 0.0;
        for (int j = 0; j < 3; j++) {
            seen[i] += views[view][i][j] * linear[j];
        }
        seen[i] = fmin(1.0, fmax(0.0, seen[i]));
    }
    for (int i = 0; i < 3; i++) {
        double t = 0.0;

        for (int j = 0; j < 3; j++) {
            t += to_xyz[i][j] * seen[j] / white[i];
        }
        f[i] = t > 216.0 / 24389.0 ? cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
    }
    lab[0] = 116.0 * f[1] - 16.0;
    lab[1] = 500.0 * (f[0] - f[1]);
    lab[2] = 200.0 * (f[1] - f[2]);
}

static void looks_of_owners(figure_look looks[ALL])
{
    static char names[ALL][16];
    figure_style_table t = {0};

    for (int k = 0; k < ALL; k++) {
        snprintf(names[k], sizeof names[k], "solver-%d", k);
        figure_style_add(&t, names[k]);
    }
    for (int k = 0; k < ALL; k++) {
        looks[k] = figure_style_find(&t, names[k]);
    }
    figure_style_free(&t);
}

/* 2.3 is a difference that one just sees; 15 is easily seen also in thin lines. */
TEST(the_first_eight_colours_differ_for_everybody)
{
    figure_look looks[ALL];

    looks_of_owners(looks);
    for (int view = 0; view < VIEWS; view++) {
        for (int a = 0; a < FIRST; a++) {
            for (int b = 0; b < a; b++) {
                double x[3], y[3], distance = 0.0;

                lab_of(looks[a].colour, view, x);
                lab_of(looks[b].colour, view, y);
                distance =
                    sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
                if (distance < 15.0) {
                    test_note("view %d: %s %s %g", view, looks[a].colour, looks[b].colour,
                              distance);
                }
                CU_ASSERT(distance >= 15.0);
            }
        }
    }
}

/* Yellow, with a lightness of 90, would be lost on white; grey prints show dash and marker. */
TEST(the_first_eight_are_dark_and_differ_without_colour)
{
    figure_look looks[ALL];

    looks_of_owners(looks);
    for (int a = 0; a < FIRST; a++) {
        double lab[3];

        lab_of(looks[a].colour, 0, lab);
        CU_ASSERT(lab[0] <= 75.0);
        CU_ASSERT_NOT_EQUAL(looks[a].marker, 2); /* the mark of failures */
        for (int b = 0; b < a; b++) {
            CU_ASSERT_NOT_EQUAL(looks[a].dash, looks[b].dash);
            CU_ASSERT_NOT_EQUAL(looks[a].marker, looks[b].marker);
        }
    }
}

TEST(forty_eight_looks_differ_in_two_respects)
{
    figure_look looks[ALL];

    looks_of_owners(looks);
    for (int a = 0; a < ALL; a++) {
        for (int b = 0; b < a; b++) {
            int differ = (strcmp(looks[a].colour, looks[b].colour) != 0) +
                         (looks[a].dash != looks[b].dash) +
                         (looks[a].marker != looks[b].marker);

            CU_ASSERT(differ >= 2);
        }
    }
}

TEST(an_owner_keeps_its_look)
{
    figure_style_table t = {0};
    figure_look before, after;

    figure_style_add(&t, "lemke");
    figure_style_add(&t, "pgs");
    before = figure_style_find(&t, "pgs");
    figure_style_add(&t, "nsgs");
    figure_style_add(&t, "pgs");
    after = figure_style_find(&t, "pgs");
    CU_ASSERT_EQUAL(t.count, 3);
    CU_ASSERT_STRING_EQUAL(before.colour, after.colour);
    CU_ASSERT_EQUAL(before.dash, after.dash);
    figure_style_free(&t);
}

/* Set "many" has nine solvers, "few" two of them that would share a colour as the first and the
 * ninth, and "other" three of its own and one of "many". */
TEST(solvers_of_a_set_have_different_colours)
{
    static const char *const sets[][9] = {
        {"a", "b", "c", "d", "e", "f", "g", "h", "i"}, {"a", "i"}, {"b", "x", "y", "z"}};
    static const char *const names[] = {"many", "few", "other"};
    const size_t counts[] = {9, 2, 4};
    line lines[15] = {{.set = NULL}};
    size_t count = 0;
    figure_style_table t = {0};

    for (size_t set = 0; set < 3; set++) {
        for (size_t k = 0; k < counts[set]; k++) {
            lines[count++] = (line){.set = names[set],
                                    .instance = "p",
                                    .label = sets[set][k],
                                    .seconds = 1,
                                    .solved = true};
        }
    }
    looks_of_runs(&t, runs_of(lines, count));
    for (size_t set = 1; set < 3; set++) {
        unsigned taken = 0u;

        for (size_t k = 0; k < counts[set]; k++) {
            unsigned colour = figure_style_colour(&t, sets[set][k]);

            CU_ASSERT(colour != 0u && !(taken & colour));
            taken |= colour;
        }
    }
    CU_ASSERT_EQUAL(t.count, 12);
    figure_style_free(&t);
}

/* What figure_text_write makes of a text. */
static const char *written(const char *text, bool latex, bool tick)
{
    static char out[400];
    FILE *f = tmpfile();
    size_t length = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    figure_text_write(f, text, latex, tick);
    rewind(f);
    length = fread(out, 1, sizeof out - 1, f);
    out[length] = '\0';
    fclose(f);
    return out;
}

TEST(texts_are_written_for_gnuplot)
{
    CU_ASSERT_STRING_EQUAL(written("10⁻⁸ s", false, false), "'10^{−8} s'");
    CU_ASSERT_STRING_EQUAL(written("a_b {c}", false, false), "'a\\_b \\{c\\}'");
    /* an empty group makes every terminal read a backslash alike */
    CU_ASSERT_STRING_EQUAL(written("\\a", false, false), "'{}\\\\a'");
    CU_ASSERT_STRING_EQUAL(written("é", false, false), "'é'");
    CU_ASSERT_STRING_EQUAL(written("\\_", false, false), "'\\\\\\_'");
    CU_ASSERT_STRING_EQUAL(written("it's ''", false, false), "'it’s ’’'");
    CU_ASSERT_STRING_EQUAL(written("5 %", false, true), "'5 %%'");
    CU_ASSERT_STRING_EQUAL(written("5 %", false, false), "'5 %'");
    CU_ASSERT_STRING_EQUAL(written("a\nb\tc\x01", false, false),
                           "'{}a\\\\nb\\\\tc\\\\x01'");
    CU_ASSERT_STRING_EQUAL(written("\xff\xc3", false, false), "'{}\\\\xff\\\\xc3'");
    CU_ASSERT_STRING_EQUAL(written("a\u202e{", false, false), "'a\\\\u202e\\{'");
}

TEST(texts_are_written_for_latex)
{
    CU_ASSERT_STRING_EQUAL(written("10⁻⁸", true, false), "'10${}^{-8}$'");
    CU_ASSERT_STRING_EQUAL(written("μ ≤ 0.3", true, false), "'$\\mu$ $\\leq$ 0.3'");
    CU_ASSERT_STRING_EQUAL(written("a_b 5 % #1 $x$ & {}", true, false),
                           "'a\\_b 5 \\% \\#1 \\$x\\$ \\& \\{\\}'");
    CU_ASSERT_STRING_EQUAL(written("\\input{x}", true, false),
                           "'{\\textbackslash}input\\{x\\}'");
    CU_ASSERT_STRING_EQUAL(written("5 %", true, true), "'5 \\%%'");
    CU_ASSERT_STRING_EQUAL(written("中", true, false), "'{\\textbackslash}u4e2d'");
}

TEST(long_texts_end_in_dots)
{
    char out[64];

    CU_ASSERT_STRING_EQUAL(figure_text_fit(out, sizeof out, "short", 10.0), "short");
    figure_text_fit(out, sizeof out, "a name that goes on and on", 6.0);
    CU_ASSERT_PTR_NOT_NULL(strstr(out, "…"));
    CU_ASSERT(figure_text_width(out) <= 6.0);
    figure_text_fit(out, 8, "ααααααααααα", 100.0);
    CU_ASSERT_STRING_EQUAL(out, "αα…");
}

/* The texts of ticks, joined by blanks. */
static const char *ticks_of(figure_scale scale, double low, double high, double length)
{
    static char out[400];
    figure_axis axis = {.scale = scale, .low = low, .high = high, .label = "x"};
    drawn_axis a;

    axis_init(&a, &axis);
    axis_close(&a);
    axis_ticks(&a, length, true);
    out[0] = '\0';
    for (size_t k = 0; k < a.count; k++) {
        if (a.ticks[k].text[0]) {
            size_t used = strlen(out);

            snprintf(out + used, sizeof out - used, "%s%s", used ? " " : "",
                     a.ticks[k].text);
        }
    }
    axis_free(&a);
    return out;
}

TEST(ticks_are_round_numbers)
{
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LINEAR, 0, 1, 30), "0 0.2 0.4 0.6 0.8 1");
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LINEAR, -1, 1, 30), "−1 −0.5 0 0.5 1");
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LINEAR, 0, 2e-6, 15), "0 1 2");
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LOG10, 1, 1000, 30), "1 10 100 1000");
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LOG10, 1e-8, 1, 12), "10⁻⁶ 10⁻³ 10⁰");
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LOG2, 1, 16, 30), "1 2 4 8 16");
    CU_ASSERT_STRING_EQUAL(ticks_of(FIGURE_LOG2, 1, 65536, 12), "2⁰ 2⁶ 2¹²");
}
