/* SPDX-License-Identifier: Apache-2.0
 * tests/command/cli.c: words after a verb, tables, nearest names, stored answers. */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/base.h"
#include "command/campaign/instance.h"
#include "command/campaign/solution.h"
#include "command/cli/args.h"
#include "command/cli/help.h"
#include "command/cli/output.h"
#include "support.h"

static const cli_option options[] = {
    {"output", 'o', "FILE", "where"},
    {"json", 'J', NULL, "as JSON"},
    {"answer", 0, NULL, NULL},
    CLI_OPTION_END,
};

static int nothing(const cli_args *args, perp_error *err)
{
    (void)args;
    (void)err;
    return 0;
}

static const cli_verb closed = {.name = "try",
                                .summary = "tries",
                                .usage = "WORD",
                                .options = options,
                                .least = 1,
                                .most = 2,
                                .run = nothing};
static const cli_verb open_to_settings = {.name = "try",
                                          .summary = "tries",
                                          .usage = "WORD",
                                          .options = options,
                                          .least = 0,
                                          .most = 2,
                                          .settings = true,
                                          .run = nothing};

/* Words of one string, between blanks; the string must outlive args. */
static perp_status read_words(cli_args *args, const cli_verb *verb, char *line,
                              perp_error *err)
{
    static char *words[16];
    int count = 0;
    char *save = NULL;

    for (char *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        words[count++] = w;
    }
    memset(err, 0, sizeof *err);
    return cli_args_read(args, verb, count, words, err);
}

TEST(reads_options_in_every_spelling)
{
    char line[] = "a --output=x b --json";
    char again[] = "-o y a -J";
    char joined[] = "-oz -- -a";
    cli_args args;
    perp_error err;

    OK(read_words(&args, &closed, line, &err));
    CU_ASSERT_STRING_EQUAL(cli_args_value(&args, "output"), "x");
    CU_ASSERT(cli_args_given(&args, "json"));
    CU_ASSERT(!cli_args_given(&args, "answer"));
    CU_ASSERT_EQUAL_FATAL(args.word_count, 2);
    CU_ASSERT_STRING_EQUAL(args.word[1], "b");
    OK(read_words(&args, &closed, again, &err));
    CU_ASSERT_STRING_EQUAL(cli_args_value(&args, "output"), "y");
    CU_ASSERT(cli_args_given(&args, "json"));
    OK(read_words(&args, &closed, joined, &err));
    CU_ASSERT_STRING_EQUAL(cli_args_value(&args, "output"), "z");
    CU_ASSERT_STRING_EQUAL(args.word[0], "-a");
}

TEST(refuses_with_the_nearest_option)
{
    char unknown[] = "a --outptu x";
    char missing[] = "a --output";
    char surplus[] = "a b c";
    char none[] = "--json";
    char valued[] = "a --json=1";
    cli_args args;
    perp_error err;

    CU_ASSERT_EQUAL(read_words(&args, &closed, unknown, &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "perp try: unknown option --outptu, the nearest is --output");
    CU_ASSERT_EQUAL(read_words(&args, &closed, missing, &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text, "perp try: option --output expects FILE");
    CU_ASSERT_EQUAL(read_words(&args, &closed, surplus, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(read_words(&args, &closed, none, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(read_words(&args, &closed, valued, &err), PERP_ERR_OPTION);
}

TEST(keeps_the_options_of_a_solver_apart)
{
    char line[] = "a --relaxation 1.3 --polish --shift -2 --json";
    cli_args args;
    perp_error err;

    OK(read_words(&args, &open_to_settings, line, &err));
    CU_ASSERT_EQUAL_FATAL(args.setting_count, 3);
    CU_ASSERT_STRING_EQUAL(args.setting[0].name, "relaxation");
    CU_ASSERT_STRING_EQUAL(args.setting[0].value, "1.3");
    CU_ASSERT_STRING_EQUAL(args.setting[1].value, "on"); /* another option follows */
    CU_ASSERT_STRING_EQUAL(args.setting[2].value, "-2"); /* a number, not an option */
    CU_ASSERT(cli_args_given(&args, "json"));
}

TEST(reads_numbers_in_their_range)
{
    char line[] = "a -o 3";
    char bad[] = "a -o 3x";
    cli_args args;
    perp_error err;
    double x = 0.0;

    OK(read_words(&args, &closed, line, &err));
    OK(cli_args_number(&args, "output", 1, 1, 9, &x, &err));
    CU_ASSERT_EQUAL(x, 3.0);
    OK(cli_args_number(&args, "answer", 7, 1, 9, &x, &err));
    CU_ASSERT_EQUAL(x, 7.0);
    CU_ASSERT_EQUAL(cli_args_number(&args, "output", 1, 4, 9, &x, &err), PERP_ERR_OPTION);
    OK(read_words(&args, &closed, bad, &err));
    CU_ASSERT_EQUAL(cli_args_number(&args, "output", 1, 1, 9, &x, &err), PERP_ERR_OPTION);
}

TEST(finds_the_nearest_name)
{
    perp_nearest best;

    perp_nearest_start(&best, "lemkee");
    perp_nearest_offer(&best, "dantzig");
    perp_nearest_offer(&best, "lemke");
    perp_nearest_offer(&best, "pgs");
    CU_ASSERT_STRING_EQUAL(best.name, "lemke");
    CU_ASSERT_EQUAL(best.distance, 1);
}

/* What was printed into a temporary file, in a static buffer. */
static const char *printed(FILE *f)
{
    static char text[4096];

    rewind(f);
    size_t length = fread(text, 1, sizeof text - 1, f);
    text[length] = '\0';
    fclose(f);
    return text;
}

TEST(aligns_a_table)
{
    FILE *f = tmpfile();
    output_table t;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    output_table_start(&t, "name|>n|last");
    output_cell(&t, "a");
    output_cell(&t, "%d", 100);
    output_cell(&t, "x");
    output_cell(&t, "\xc3\xa9t\xc3\xa9 long"); /* two letters of two bytes */
    output_cell(&t, "%d", 5);
    output_cell(&t, "yy");
    output_table_end(&t, f);
    CU_ASSERT_STRING_EQUAL(printed(f), "name        n  last\n"
                                       "a         100  x\n"
                                       "\xc3\xa9t\xc3\xa9 long    5  yy\n");
}

/* A terminal of 30 columns; in one line the row needs 4 + 2 + 1 + 2 + 26 = 35. A terminal
 * ends its lines with CR LF. */
TEST(wraps_a_table_on_a_terminal)
{
    static const char expected[] = "name  n  summary\r\n"
                                   "pgs   7  projected and\r\n"
                                   "         Gauss-Seidel\r\n";
    const struct winsize size = {.ws_row = 24, .ws_col = 30};
    char text[512] = "";
    size_t length = 0;
    ssize_t more = 1;
    output_table t;
    int master = posix_openpt(O_RDWR | O_NOCTTY);

    CU_ASSERT_FATAL(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *f = fopen(ptsname(master), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL_FATAL(ioctl(master, TIOCSWINSZ, &size), 0);
    setenv("NO_COLOR", "1", 1);
    output_table_start(&t, "name|>n|summary");
    output_cell(&t, "pgs");
    output_cell(&t, "7");
    output_cell(&t, "projected and Gauss-Seidel");
    output_table_end(&t, f);
    fflush(f);
    while (length < sizeof expected - 1 && more > 0) { /* one read may end early */
        more = read(master, text + length, sizeof text - 1 - length);
        length += more > 0 ? (size_t)more : 0;
    }
    CU_ASSERT_STRING_EQUAL(text, expected);
    unsetenv("NO_COLOR");
    fclose(f);
    close(master);
}

TEST(prints_no_colour_into_a_file)
{
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(!output_has_colour(f));
    output_print(f, OUTPUT_BAD, "%s", "bad");
    CU_ASSERT_STRING_EQUAL(printed(f), "bad");
}

TEST(says_that_a_disk_is_full)
{
    FILE *f = fopen("/dev/full", "w");
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(output_json(f, json_pack("{s:i}", "a", 1), false, &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_STRING_EQUAL(err.text, "standard output: No space left on device");
    fclose(f);
}

TEST(prints_small_numbers_short)
{
    CU_ASSERT_STRING_EQUAL(output_real(OUTPUT_ROOM, 1.3e-9), "1.3e-09");
    CU_ASSERT_STRING_EQUAL(output_real(OUTPUT_ROOM, 0.0), "0");
    CU_ASSERT_STRING_EQUAL(output_real(OUTPUT_ROOM, 12345.0), "12345");
    CU_ASSERT_STRING_EQUAL(output_real(OUTPUT_ROOM, 12345.6), "1.23e+04");
    CU_ASSERT_STRING_EQUAL(output_real(OUTPUT_ROOM, NAN), "-");
    CU_ASSERT_STRING_EQUAL(output_seconds(OUTPUT_ROOM, 0.0123), "12.3 ms");
    CU_ASSERT_STRING_EQUAL(output_seconds(OUTPUT_ROOM, NAN), "-");
}

TEST(hides_what_is_not_for_people)
{
    FILE *f = tmpfile();

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    help_verb(f, &closed, true, NULL, NULL);
    const char *text = printed(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "-o, --output FILE"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "usage: perp try WORD"));
    CU_ASSERT_PTR_NULL(strstr(text, "--answer"));
}

TEST(names_an_instance_after_its_file)
{
    char name[INSTANCE_NAME];

    instance_name("a/b/KaplasTower-i1061-4.hdf5.dat", 0, name);
    CU_ASSERT_STRING_EQUAL(name, "KaplasTower-i1061-4");
    instance_name("batch.json", 3, name);
    CU_ASSERT_STRING_EQUAL(name, "batch#3");
    instance_name("generate:spd:n=100,seed=3", 0, name);
    CU_ASSERT_STRING_EQUAL(name, "spd:n=100,seed=3");
    instance_name("v1.5", 0, name); /* a dot that is no extension */
    CU_ASSERT_STRING_EQUAL(name, "v1.5");
}

/* Write text to a scratch file and read it as a solution. */
static solution *stored(const char *text, perp_error *err)
{
    const char *path = test_scratch("solution");
    FILE *f = fopen(path, "w");
    solution *s = NULL;

    memset(err, 0, sizeof *err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
    solution_read(&s, path, err);
    remove(path);
    return s;
}

TEST(reads_a_solution_in_every_form)
{
    static const char *const forms[] = {
        "[1, 2.5, -3]",
        "{\"z\": [1, 2.5, -3], \"other\": null}",
        "{\"r\": [1, 2.5, -3]}",
        "1 2.5 -3\n",
        "# a comment\n1,\n2.5,\n-3",
        "%%MatrixMarket matrix array real general\n% by hand\n3 1\n1\n2.5\n-3\n",
        "%%MatrixMarket matrix coordinate real general\n3 1 3\n3 1 -3\n1 1 1\n2 1 2.5\n",
    };

    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        perp_error err;
        solution *s = stored(forms[k], &err);

        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_EQUAL_FATAL(s->n, 3);
        CU_ASSERT_EQUAL(s->z[0], 1.0);
        CU_ASSERT_EQUAL(s->z[1], 2.5);
        CU_ASSERT_EQUAL(s->z[2], -3.0);
        solution_free(s);
    }
}

TEST(refuses_a_solution_with_its_place)
{
    perp_error err;

    CU_ASSERT_PTR_NULL(stored("1 2\n3 x", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":2: found \"x\", expected a number"));
    CU_ASSERT_PTR_NULL(stored("{\"z\": [1, \"a\"]}", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "z[1] is not a number"));
    CU_ASSERT_PTR_NULL(stored("{\"x\": [1]}", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no \"z\""));
    CU_ASSERT_PTR_NULL(stored("{\"z\": [1, 1], \"z\": [1, 0]}", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ":1:17: duplicate object key"));
    CU_ASSERT_PTR_NULL(stored("[1, 2", &err));
    CU_ASSERT_EQUAL(err.status, PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NULL(
        stored("%%MatrixMarket matrix array real general\n3 1\n1\n2\n", &err));
    CU_ASSERT_EQUAL(err.status, PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NULL(
        stored("%%MatrixMarket matrix coordinate real general\n3 1 1\n4 1 1\n", &err));
    CU_ASSERT_EQUAL(err.status, PERP_ERR_DATA);
}

TEST(reads_the_solution_of_an_empty_problem)
{
    perp_error err;
    solution *s = stored("[]", &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(s->n, 0);
    solution_free(s);
}
