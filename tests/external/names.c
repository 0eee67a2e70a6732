/* SPDX-License-Identifier: Apache-2.0
 * tests/external/names.c: names of other codes, of commands, and codes that are not here. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/external.h>

#include "support.h"

/* The command that a name stands for, and the name printed again. */
static void expect_command(const char *name, const char *command, const char *printed)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_error err = {0};
    char text[PERP_SOLVER_NAME_LENGTH];

    OK(perp_solver_parse(name, &type, &opt, &err));
    CU_ASSERT_STRING_EQUAL(opt.command, command);
    perp_solver_print(type, &opt, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, printed);
    OK(perp_solver_parse(text, &type, &opt, &err));
    CU_ASSERT_STRING_EQUAL(opt.command, command);
}

static void expect_refusal(const char *name, const char *words)
{
    perp_options opt;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_solver_parse(name, NULL, &opt, &err), PERP_ERR_OPTION);
    if (!strstr(err.text, words)) {
        test_note("%s: %s", name, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, words));
}

TEST(a_command_is_read_as_it_is_printed)
{
    expect_command("exec:./mine", "./mine", "exec:./mine");
    expect_command("exec:\"python3 mine.py\"", "python3 mine.py",
                   "exec:\"python3 mine.py\"");
    expect_command("\"exec:python3 mine.py\"", "python3 mine.py",
                   "exec:\"python3 mine.py\"");
    expect_command("exec:\"echo \\\"a\\\\b\\\"\"", "echo \"a\\b\"",
                   "exec:\"echo \\\"a\\\\b\\\"\"");
    expect_command("exec:a\\b", "a\\b", "exec:a\\b");
    expect_command("exec:a:b", "a:b", "exec:a:b");
    expect_command("prox:exec:\"a b\"", "a b", "prox:exec:\"a b\"");
    expect_command("pgs", "", "pgs");
}

TEST(settings_follow_a_command)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    OK(perp_solver_parse("exec:\"a b\" tolerance=1e-3,keep=on", &type, &opt, NULL));
    CU_ASSERT_STRING_EQUAL(opt.command, "a b");
    CU_ASSERT_EQUAL(perp_options_real(&opt, "tolerance"), 1e-3);
    CU_ASSERT(perp_options_switch(&opt, "keep"));
}

TEST(a_bad_name_is_refused)
{
    char longest[PERP_COMMAND_LENGTH + 32] = "exec:";

    memset(longest + 5, 'x', PERP_COMMAND_LENGTH);
    expect_refusal(longest, "have fewer than 256 characters");
    expect_refusal("exec:\"a b", "a double quote is missing");
    expect_refusal("glpk:mlp",
                   "unknown solver \"glpk:mlp\", the nearest is \"glpk:milp\"");
    expect_refusal("prox:glpk:mlp", "unknown inner solver \"glpk:mlp\"");
    expect_refusal("glpk", "unknown solver \"glpk\"");
    expect_refusal("pgs:exec:a", "is not a wrapper");
}

TEST(an_exec_without_a_command_is_refused)
{
    const double A[1] = {1}, b[1] = {-1};
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_result_new(&r, 1, NULL));
    OK(perp_solver_parse("exec:", &type, &opt, &err));
    CU_ASSERT_EQUAL(perp_solve(type, test_lcp(1, A, b), &opt, r, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected exec:COMMAND"));
    CU_ASSERT_EQUAL(perp_solve(type, test_lcp(1, A, b), NULL, r, &err), PERP_ERR_OPTION);
}

TEST(options_of_another_solver_are_refused)
{
    const double A[1] = {1}, b[1] = {-1};
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};

    OK(perp_result_new(&r, 1, NULL));
    OK(perp_solver_parse("pgs", NULL, &opt, NULL));
    CU_ASSERT_EQUAL(
        perp_solve(perp_solver_find("exec"), test_lcp(1, A, b), &opt, r, &err),
        PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "those of another solver"));
}

TEST(every_code_is_described)
{
    size_t count = 0, listed = 0;
    const perp_code *const *codes = perp_codes(&count);

    for (; codes[listed]; listed++) {
        const perp_code *code = codes[listed];

        CU_ASSERT(*code->name && *code->title && code->types[0].name);
        CU_ASSERT_EQUAL(code->program == NULL, code->package == NULL);
        for (const perp_solver_type *type = code->types; type->name; type++) {
            size_t length = strlen(code->name);

            CU_ASSERT_PTR_EQUAL(perp_solver_find(type->name), type);
            CU_ASSERT_EQUAL(strncmp(type->name, code->name, length), 0);
            CU_ASSERT(!code->program || type->name[length] == ':');
            CU_ASSERT_STRING_EQUAL(type->family, "external");
            CU_ASSERT(type->summary && *type->summary);
            CU_ASSERT(type->algorithm && *type->algorithm);
            CU_ASSERT(type->options && type->setup && type->iterate && type->close);
            CU_ASSERT_STRING_EQUAL(type->options[0].name, "keep");
        }
    }
    CU_ASSERT_EQUAL(listed, count);
}

/* None is among the solvers of perp itself, which every test of all solvers runs. */
TEST(other_codes_are_not_solvers_of_perp)
{
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        CU_ASSERT_STRING_NOT_EQUAL((*s)->family, "external");
    }
}

TEST(a_code_that_is_not_here_says_what_to_install)
{
    const double A[1] = {1}, b[1] = {-1};
    const char *before = getenv("PERP_CODES");
    char kept[4096] = "";
    perp_result *r = NULL;
    perp_error err = {0};
    size_t count = 0;
    const perp_code *const *codes = NULL;

    snprintf(kept, sizeof kept, "%s", before ? before : "");
    setenv("PERP_CODES", "/no/such/folder", 1);
    OK(perp_result_new(&r, 1, NULL));
    for (codes = perp_codes(&count); *codes; codes++) {
        char path[4096], version[64];

        if ((*codes)->program) {
            CU_ASSERT_FALSE(perp_code_program(*codes, path, sizeof path));
            CU_ASSERT_EQUAL(perp_code_version(*codes, version, sizeof version, &err),
                            PERP_ERR_UNSUITABLE);
            CU_ASSERT_EQUAL(perp_solve((*codes)->types, test_lcp(1, A, b), NULL, r, &err),
                            PERP_ERR_UNSUITABLE);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, (*codes)->package));
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "was not built"));
        }
    }
    setenv("PERP_CODES", kept, 1);
}
