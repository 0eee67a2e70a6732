/* SPDX-License-Identifier: Apache-2.0
 * tests/core/options.c: options through their tables, errors, names, the workspace. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/solvers.h"
#include "support.h"

static const perp_option toy_options[] = {
    PERP_REAL_OPEN("relaxation", 1.0, 0.0, 2.0, "factor"),
    PERP_CHOICE("form", 1, "tableau|kernel|auto", "form"),
    PERP_INTEGER("rounds", 5, 1, 9, "rounds"),
    PERP_SWITCH("warm", 1, "warm start"),
    PERP_TEXT("word", "blue", "a word"),
    PERP_LIST("colours", 5, "red|green|blue", "some colours"),
    PERP_OPTION_END,
};

static const perp_solver_type toy = {.name = "toy", .options = toy_options};

/* The message of setting name to text, which must fail. */
static const char *failure(const char *name, const char *text)
{
    static perp_error err;
    perp_options opt;

    perp_error_clear(&err);
    perp_options_init(&opt, &toy, NULL, NULL);
    CU_ASSERT_EQUAL(perp_options_set(&opt, name, text, &err), PERP_ERR_OPTION);
    return err.text;
}

TEST(defaults_come_from_the_table)
{
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    CU_ASSERT_EQUAL(perp_options_real(&opt, "relaxation"), 1.0);
    CU_ASSERT_EQUAL(perp_options_choice(&opt, "form"), 1);
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 5);
    CU_ASSERT(perp_options_switch(&opt, "warm"));
    CU_ASSERT_STRING_EQUAL(perp_options_text(&opt, "word"), "blue");
    CU_ASSERT_EQUAL(perp_options_list(&opt, "colours"), 5);
    CU_ASSERT_EQUAL(perp_options_real(&opt, "tolerance"), 1e-8);
    CU_ASSERT(!perp_options_given(&opt, "tolerance"));
}

TEST(every_kind_is_set_and_printed_as_it_was_typed)
{
    const char *pairs[][2] = {
        {"relaxation", "1.5"}, {"form", "auto"},     {"rounds", "7"},
        {"warm", "off"},       {"word", "green"},    {"tolerance", "0.25"},
        {"form", "tableau"},   {"colours", "green"}, {"colours", "red,blue"}};
    perp_options opt;
    char text[64];

    perp_options_init(&opt, &toy, NULL, NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        OK(perp_options_set(&opt, pairs[i][0], pairs[i][1], NULL));
        CU_ASSERT(perp_options_given(&opt, pairs[i][0]));
        perp_options_print(&opt, pairs[i][0], text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, pairs[i][1]);
    }
    OK(perp_options_set_real(&opt, "relaxation", 0.1, NULL));
    CU_ASSERT_EQUAL(perp_options_real(&opt, "relaxation"),
                    0.1); /* 17 digits bring it back */
}

TEST(a_bad_value_is_refused_with_what_was_expected)
{
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("relaxation", "2"), "0 < x < 2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("relaxation", "nan"), "expected a number"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("relaxation", "1x"), "\"1x\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("rounds", "2.5"), "an integer"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("rounds", "10"), "1 <= x <= 9"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("form", "lexi"), "tableau|kernel|auto"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("form", "tab"), "expected one of"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("warm", "maybe"), "on or off"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(failure("word", "0123456789012345678901234567890123456789012345678901"),
               "fewer than 48"));
}

TEST(a_number_is_set_without_a_text)
{
    perp_options opt;
    perp_error err;

    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_options_set_real(&opt, "rounds", 8.0, NULL));
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 8);
    CU_ASSERT(perp_options_given(&opt, "rounds"));
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "rounds", 2.5, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "rounds", 10.0, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "rounds", NAN, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 8);
}

TEST(a_number_is_refused_by_options_without_numbers)
{
    perp_options opt;
    perp_error err;

    perp_options_init(&opt, &toy, NULL, NULL);
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "warm", 1.0, &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "option \"warm\" takes no number, and was set to one");
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "form", 1.0, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "word", 1.0, &err), PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(perp_options_set_real(&opt, "wrod", 1.0, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "nearest is \"word\""));
}

TEST(a_list_takes_names_of_its_choices)
{
    perp_options opt;

    perp_options_init(&opt, &toy, NULL, NULL);
    OK(perp_options_set(&opt, "colours", "blue,green", NULL));
    CU_ASSERT_EQUAL(perp_options_list(&opt, "colours"), 6);
    CU_ASSERT_STRING_EQUAL(failure("colours", "red,gren"),
                           "option \"colours\" has \"gren\", expected some of "
                           "red|green|blue, separated by commas");
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("colours", ""), "has \"\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("colours", "red,"), "has \"\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("colours", "re"), "has \"re\""));
    CU_ASSERT_EQUAL(perp_options_list(&opt, "no such"), 0);
}

/* Parse `text`; the message when it fails, else "". */
static const char *parsed(perp_options *opt, const char *text)
{
    static perp_error err;

    perp_options_init(opt, &toy, NULL, NULL);
    return perp_options_parse(opt, text, &err) == PERP_OK ? "" : err.text;
}

TEST(a_list_of_settings_is_parsed)
{
    perp_options opt;

    CU_ASSERT_STRING_EQUAL(parsed(&opt, ""), "");
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "  "), "");
    CU_ASSERT(!perp_options_given(&opt, "rounds"));
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "rounds=3,form=auto"), "");
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 3);
    CU_ASSERT_EQUAL(perp_options_choice(&opt, "form"), 2);
    CU_ASSERT_STRING_EQUAL(parsed(&opt, " rounds=3  word=x , warm=off,"), "");
    CU_ASSERT_STRING_EQUAL(perp_options_text(&opt, "word"), "x");
    CU_ASSERT(!perp_options_switch(&opt, "warm"));
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "word="), "");
    CU_ASSERT_STRING_EQUAL(perp_options_text(&opt, "word"), "");
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "colours=red,green,rounds=3 warm=off"), "");
    CU_ASSERT_EQUAL(perp_options_list(&opt, "colours"), 3);
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 3);
    CU_ASSERT(!perp_options_switch(&opt, "warm"));
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "colours=blue,"), "");
    CU_ASSERT_EQUAL(perp_options_list(&opt, "colours"), 4);
}

TEST(a_list_with_an_error_says_where_it_is)
{
    perp_options opt;
    char text[200] = "word=";

    CU_ASSERT_STRING_EQUAL(parsed(&opt, "rounds"),
                           "found \"rounds\", expected name=value");
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "rounds=3,=4"),
                           "found \"=4\", expected name=value");
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 3);
    CU_ASSERT_STRING_EQUAL(parsed(&opt, "rounds=3,,warm=on"),
                           "found \"\", expected name=value");
    CU_ASSERT_PTR_NOT_NULL(strstr(parsed(&opt, "ruonds=3"), "nearest is \"rounds\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(parsed(&opt, "rounds=0"), "1 <= x <= 9"));
    memset(text + 5, 'x', 150);
    CU_ASSERT_PTR_NOT_NULL(strstr(parsed(&opt, text), "xxx\", expected name=value"));
    text[0] = '=';
    CU_ASSERT_PTR_NOT_NULL(strstr(parsed(&opt, text), "expected name=value"));
}

TEST(unknown_names_and_null_are_no_assertions)
{
    perp_options opt;
    perp_error err;
    char text[8] = "before";

    perp_options_init(&opt, &toy, NULL, NULL);
    CU_ASSERT(isnan(perp_options_real(&opt, "no-such")));
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "no-such"), 0);
    CU_ASSERT(!perp_options_switch(&opt, "no-such"));
    CU_ASSERT_EQUAL(perp_options_choice(&opt, "no-such"), 0);
    CU_ASSERT_PTR_NULL(perp_options_text(&opt, "no-such"));
    CU_ASSERT(!perp_options_given(&opt, "no-such"));
    CU_ASSERT_PTR_NULL(perp_options_find(&opt, "no-such"));
    perp_options_print(&opt, "no-such", text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    CU_ASSERT(isnan(perp_options_real(NULL, "rounds")));
    CU_ASSERT_PTR_NULL(perp_options_text(&opt, NULL));
    CU_ASSERT_EQUAL(perp_options_set(NULL, "rounds", "1", &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_options_set(&opt, NULL, "1", &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_options_set(&opt, "rounds", NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_options_parse(&opt, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_options_parse(NULL, "rounds=1", &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_solver_parse(NULL, NULL, &opt, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_solver_parse("pgs", NULL, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(perp_solver_find(NULL));
}

TEST(an_error_need_not_be_initialised)
{
    perp_options opt;
    perp_error err;

    memset(&err, 0x5a, sizeof err);
    OK(perp_solver_parse("pgs", NULL, &opt, &err));
    OK(err.status);
    memset(&err, 0x5a, sizeof err);
    CU_ASSERT_EQUAL(perp_options_set(&opt, "tolerance", "x", &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text, "option \"tolerance\" is \"x\", expected a number");
    CU_ASSERT_EQUAL(perp_options_set(&opt, "tolerance", "y", &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "\"y\""));
}

TEST(options_without_a_solver_come_from_tables)
{
    const perp_option *const tables[] = {NULL, toy_options};
    perp_options opt;

    perp_options_init_tables(&opt, tables, 2, NULL);
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "rounds"), 5);
    CU_ASSERT_STRING_EQUAL(perp_options_text(&opt, "word"), "blue");
    CU_ASSERT_PTR_NULL(perp_options_find(&opt, "tolerance"));
    CU_ASSERT_PTR_NULL(opt.solver);
}

/* PERP_OPTION_ROOM options fit in two tables, one more does not. */
TEST(options_that_do_not_fit_are_refused)
{
    perp_option first[PERP_OPTION_ROOM + 1] = {PERP_OPTION_END};
    perp_option second[3] = {PERP_OPTION_END};
    const perp_option *const tables[] = {first, second, NULL, NULL};
    const perp_solver_type large = {.name = "large", .options = first};
    perp_options opt;
    perp_error err;

    for (size_t k = 0; k + 1 < PERP_OPTION_ROOM; k++) {
        first[k] = (perp_option)PERP_SWITCH("first", 1, "of the first table");
    }
    first[PERP_OPTION_ROOM - 1] = (perp_option)PERP_OPTION_END;
    second[0] = (perp_option)PERP_SWITCH("last", 1, "of the second table");
    OK(perp_options_init_tables(&opt, tables, 2, NULL));
    CU_ASSERT(perp_options_switch(&opt, "last"));

    second[1] = (perp_option)PERP_SWITCH("beyond", 1, "one too many");
    second[2] = (perp_option)PERP_OPTION_END;
    CU_ASSERT_EQUAL(perp_options_init_tables(&opt, tables, 2, &err), PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "2 tables with 65 options, expected at most 3 with 64");
    CU_ASSERT_PTR_NULL(perp_options_find(&opt, "first"));
    CU_ASSERT_EQUAL(perp_options_init_tables(&opt, tables, 4, NULL), PERP_ERR_OPTION);

    CU_ASSERT_EQUAL(perp_options_init(&opt, &large, NULL, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NULL(opt.solver);
}

TEST(a_name_with_settings_is_a_solver_with_options)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err;

    OK(perp_solver_parse("nsgs relaxation=0.7", &type, &opt, NULL));
    CU_ASSERT_PTR_EQUAL(type, perp_solver_find("nsgs"));
    CU_ASSERT_PTR_EQUAL(opt.solver, type);
    CU_ASSERT_EQUAL(perp_options_real(&opt, "relaxation"), 0.7);
    OK(perp_solver_parse("ds:spg tolerance=1e-6,seed=3", &type, &opt, NULL));
    CU_ASSERT_EQUAL(perp_options_integer(&opt, "seed"), 3);
    CU_ASSERT_EQUAL(perp_solver_parse("nsgs relaxation", &type, &opt, &err),
                    PERP_ERR_OPTION);
    CU_ASSERT_PTR_NULL(type);
    CU_ASSERT_STRING_EQUAL(err.text, "found \"relaxation\", expected name=value");
    CU_ASSERT_EQUAL(perp_solver_parse("", &type, &opt, &err), PERP_ERR_OPTION);
}

TEST(an_unknown_option_names_the_nearest)
{
    CU_ASSERT_PTR_NOT_NULL(
        strstr(failure("relaxatoin", "1"), "nearest is \"relaxation\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure("tolerence", "1"), "nearest is \"tolerance\""));
}

TEST(an_unknown_solver_names_the_nearest)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_solver_parse("lemkee", &type, &opt, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NULL(type);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "nearest is \"lemke\""));
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_solver_parse("lemke:pgs", &type, &opt, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "is not a wrapper"));
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_solver_parse("prox:lemk", &type, &opt, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "nearest is \"lemke\""));
}

TEST(a_wrapper_carries_the_options_of_what_it_wraps)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    char name[64];

    OK(perp_solver_parse("ds", &type, &opt, NULL));
    perp_solver_print(type, &opt, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "ds:mpgp");
    CU_ASSERT_PTR_NOT_NULL(perp_options_find(&opt, "proportioning"));
    CU_ASSERT_PTR_NOT_NULL(perp_options_find(&opt, "rounds"));
}

/* Every name in every table can be typed, has a help line, and occurs once. */
TEST(the_tables_of_all_solvers_are_sound)
{
    size_t count = 0;
    const perp_solver_type *const *all = perp_solvers(&count);

    CU_ASSERT(count >= 4);
    for (size_t s = 0; s < count; s++) {
        const perp_solver_type *type = NULL;
        perp_options opt;
        char text[64];

        OK(perp_solver_parse(all[s]->name, &type, &opt, NULL));
        CU_ASSERT_PTR_EQUAL(type, all[s]);
        CU_ASSERT(all[s]->summary && all[s]->reference && all[s]->storages.storage_bits);
        CU_ASSERT(all[s]->algorithm && all[s]->additions);
        for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
            const perp_option *o = opt.tables[t];

            for (; o && o->kind != PERP_OPTION_NONE; o++) {
                CU_ASSERT(o->help && *o->help);
                CU_ASSERT_PTR_EQUAL(perp_options_find(&opt, o->name), o);
                perp_options_print(&opt, o->name, text, sizeof text);
                if (perp_options_set(&opt, o->name, text, NULL) != PERP_OK) {
                    test_note("%s: default of %s is not accepted", all[s]->name, o->name);
                    CU_FAIL("a default its own table refuses");
                }
            }
        }
    }
}

TEST(the_first_error_is_kept_and_takes_context)
{
    perp_error err = {0};

    perp_fail(&err, PERP_ERR_DATA, "b[%d] is nan", 3);
    perp_fail(&err, PERP_ERR_MEMORY, "later");
    CU_ASSERT_EQUAL(err.status, PERP_ERR_DATA);
    perp_fail_in(&err, err.status, "arch.json");
    CU_ASSERT_STRING_EQUAL(err.text, "arch.json: b[3] is nan");
    CU_ASSERT_EQUAL(perp_fail(NULL, PERP_ERR_READ, "nobody listens"), PERP_ERR_READ);
    CU_ASSERT_STRING_EQUAL(perp_status_text(PERP_ERR_UNSUITABLE), "unsuitable");
    CU_ASSERT_STRING_EQUAL(perp_status_text((perp_status)99), "unknown status");
}

/* Context that does not fit leaves the text whole rather than cut it in the wrong
 * place. */
TEST(long_errors_stay_inside_their_line)
{
    perp_error err = {0};
    char context[600];

    memset(context, 'x', sizeof context - 1);
    context[sizeof context - 1] = '\0';
    perp_fail(&err, PERP_ERR_DATA, "%s", context);
    CU_ASSERT_EQUAL(strlen(err.text), PERP_ERROR_LENGTH - 1);
    perp_fail_in(&err, err.status, "file");
    CU_ASSERT_EQUAL(strncmp(err.text, "file: xxx", 9), 0);
    perp_fail_in(&err, err.status, context);
    CU_ASSERT_EQUAL(strncmp(err.text, "file: xxx", 9), 0);
}

TEST(a_workspace_keeps_its_limit_and_its_peak)
{
    perp_workspace *ws = test_new_workspace(4096);
    double *x = perp_workspace_reals(ws, 100);

    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    CU_ASSERT_EQUAL((uintptr_t)x % 64, 0);
    CU_ASSERT_EQUAL(x[99], 0.0);
    size_t mark = perp_workspace_mark(ws);
    CU_ASSERT_PTR_NOT_NULL(perp_workspace_sizes(ws, 100));
    CU_ASSERT_PTR_NULL(perp_workspace_reals(ws, 1000));         /* beyond the limit */
    CU_ASSERT_PTR_NULL(perp_workspace_alloc(ws, SIZE_MAX, 16)); /* overflows */
    perp_workspace_release(ws, mark);
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 832); /* 800 rounded up to lines of 64 */
    CU_ASSERT_EQUAL(perp_workspace_peak(ws), 2 * 832);
    for (int i = 0; i < 40; i++) {
        CU_ASSERT_PTR_NOT_NULL(perp_workspace_ints(ws, 0));
    }
    perp_workspace_free(NULL);
}

TEST(distances_between_names_are_counted_by_letters)
{
    CU_ASSERT_EQUAL(perp_edit_distance("lemke", "lemke"), 0);
    CU_ASSERT_EQUAL(perp_edit_distance("", "pgs"), 3);
    CU_ASSERT_EQUAL(perp_edit_distance("kitten", "sitting"), 3);
    CU_ASSERT_EQUAL(perp_edit_distance("time", "tiem"), 1);
    CU_ASSERT_EQUAL(perp_edit_distance("angel", "angle"), 1);
}
