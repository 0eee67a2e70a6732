/* SPDX-License-Identifier: Apache-2.0
 * tests/command/race.c: the table of auto against the best, and the suites of the race. */
#include <config.h>

#include "command/campaign/suite.h"
#include "command/results/race.h"
#include "report.h"

#define RUN(name, solver, time)                                                          \
    {                                                                                    \
        .set = "s", .instance = name, .label = solver, .seconds = time,                  \
        .residual = 1e-9, .iterations = 3, .solved = true                                \
    }
#define FAIL(name, solver)                                                               \
    {                                                                                    \
        .set = "s", .instance = name, .label = solver, .seconds = 0.5, .residual = 1     \
    }
#define AUTO(name, situation, time)                                                      \
    {                                                                                    \
        .set = "s", .instance = name, .label = "auto", .seconds = time,                  \
        .residual = 1e-9, .iterations = 3, .solved = true,                               \
        .more = ", \"path\": [\"auto: " situation "\", \"a\"]"                           \
    }

/* Two situations. In "wide": auto is 2 times slower than a, 8 times slower than b, and
 * unsolved by all; in "narrow": solved by auto alone, and by b alone, within 10 s. */
static const line by_hand[] = {
    AUTO("1", "wide", 0.002),
    RUN("1", "a", 0.001),
    RUN("1", "b", 0.004),
    AUTO("2", "wide", 0.008),
    RUN("2", "a", 0.016),
    RUN("2", "b", 0.001),
    AUTO("3", "narrow", 0.005),
    FAIL("3", "a"),
    FAIL("3", "b"),
    {.set = "s",
     .instance = "4",
     .label = "auto",
     .residual = 1,
     .more = ", \"path\": [\"auto: narrow\", \"a\"]"},
    FAIL("4", "a"),
    RUN("4", "b", 0.1),
    {.set = "s",
     .instance = "5",
     .label = "auto",
     .residual = 1,
     .more = ", \"path\": [\"auto: wide\", \"a\"]"},
    FAIL("5", "a"),
    FAIL("5", "b"),
    {.set = "other", .instance = "1", .label = "a", .n = 3, .seconds = 1, .solved = 1},
};
enum { RUNS = sizeof by_hand / sizeof *by_hand };

static double mean_of_two(double a, double b)
{
    return sqrt((a + RACE_SHIFT) * (b + RACE_SHIFT)) - RACE_SHIFT;
}

TEST(situations_are_counted_by_hand)
{
    const char *dir = folder_of("race", by_hand, RUNS);
    stored_runs s;
    run_table t;
    race_row row;
    bool made = false;

    OK(runs_read(&s, dir, NULL));
    run_table_make(&t, &s, "s", 1e-8);
    race_row_make(&row, &made, &t, 0, 0);
    CU_ASSERT_TRUE_FATAL(made);
    CU_ASSERT_STRING_EQUAL(row.situation, "wide");
    CU_ASSERT_EQUAL(row.problems, 3);
    CU_ASSERT_EQUAL(row.solvable, 2);
    CU_ASSERT_EQUAL(row.solved, 2);
    CU_ASSERT_DOUBLE_EQUAL(row.mean, mean_of_two(0.002, 0.008), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(row.best_mean, mean_of_two(0.001, 0.001), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(row.ratio, sqrt(0.00201 * 0.00801) / 0.00101, 1e-9);
    /* two instances: the ends are the ratios of the one and of the other */
    CU_ASSERT_DOUBLE_EQUAL(row.ratio_low, 0.00201 / 0.00101, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(row.ratio_high, 0.00801 / 0.00101, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(row.within, 0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(row.worst, 8.0, 1e-12);
    CU_ASSERT_STRING_EQUAL(row.worst_instance, "2");
    CU_ASSERT_STRING_EQUAL(row.worst_best, "b");
    race_row_make(&row, &made, &t, 1, 0);
    CU_ASSERT_FALSE(made); /* the situation of the first */
    race_row_make(&row, &made, &t, 2, 0);
    CU_ASSERT_TRUE_FATAL(made);
    CU_ASSERT_EQUAL(row.solvable, 2);
    CU_ASSERT_EQUAL(row.solved, 1);
    /* alone it is its own best; a failure counts with the 10 s of the limit */
    CU_ASSERT_DOUBLE_EQUAL(row.mean, mean_of_two(0.005, 10.0), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(row.best_mean, mean_of_two(0.005, 0.1), 1e-9);
    CU_ASSERT_EQUAL(row.worst, INFINITY);
    CU_ASSERT_STRING_EQUAL(row.worst_instance, "4");
    run_table_free(&t);
    runs_free(&s);
    folder_remove(dir);
}

TEST(the_report_has_the_table)
{
    const char *dir = folder_of("race", by_hand, RUNS);
    const figure_request svg = {.terminal = "svg"};
    perp_error err = {0};
    perp_status status = report_make(dir, &svg, &err);

    /* Where gnuplot is missing, the tables are there all the same. */
    CU_ASSERT_TRUE(status == PERP_OK || status == PERP_ERR_LIBRARY);
    CU_ASSERT(file_has(dir, "tables/race.csv", "s,1e-08,wide,3,2,2,"));
    CU_ASSERT(
        file_has(dir, "tables/race.csv", ",0.5,,4,b\n")); /* no number: auto failed */
    CU_ASSERT(
        file_has(dir, "summary.txt", "s: auto against the best, residual <= 1e-08"));
    char *text = file_text(dir, "summary.txt");
    CU_ASSERT_PTR_NULL(strstr(text, "other: auto against")); /* auto is not in that set */
    folder_remove(dir);
}

/* The suite of a half, as `make race` makes it, with every solver. */
static suite *read_half(const char *half)
{
    char command[3000];
    char path[1100];
    perp_error err = {0};
    suite *s = NULL;

    snprintf(path, sizeof path, "%s", test_scratch(half));
    snprintf(command, sizeof command,
             "sh '%s/experiments/suites/race.sh' %s 1 '70 90' 2 all '%s' >'%s'",
             test_source(), half, test_source(), path);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    if (suite_read(&s, path, SUITE_FULL, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    remove(path);
    return s;
}

static bool set_races(const suite_set *set, const char *name)
{
    for (size_t k = 0; k < set->solver_count; k++) {
        size_t length = strcspn(set->solvers[k].name, ":");

        if (strncmp(set->solvers[k].name, name, length) == 0 && !name[length]) {
            return true;
        }
    }
    return false;
}

TEST(every_solver_races_and_auto_in_every_set)
{
    suite *s = read_half("learn");
    size_t count = 0;
    const perp_solver_type *const *types = perp_solvers(&count);

    for (size_t k = 0; k < count; k++) {
        const char *name = types[k]->name;
        size_t sets = 0;

        for (size_t i = 0; i < s->set_count; i++) {
            sets += set_races(&s->sets[i], name);
        }
        if (sets == 0 || (strcmp(name, "auto") == 0 && sets < s->set_count)) {
            test_note("%s is in %zu of %zu sets", name, sets, s->set_count);
            CU_FAIL("a solver does not race");
        }
    }
    suite_free(s);
}

/* No drawn problem and no step of a scene is in both halves. */
TEST(the_halves_have_other_seeds)
{
    suite *learn = read_half("learn");
    suite *test = read_half("test");
    size_t drawn = 0;
    size_t captured = 0;

    CU_ASSERT_EQUAL_FATAL(learn->set_count, test->set_count);
    for (size_t i = 0; i < learn->set_count; i++) {
        const suite_set *a = &learn->sets[i];
        const suite_set *b = &test->sets[i];

        CU_ASSERT_EQUAL_FATAL(a->entry_count, b->entry_count);
        for (size_t k = 0; k < a->entry_count; k++) {
            bool scene = strncmp(a->entries[k].file, "scene:", 6) == 0;

            captured += scene;
            if (scene || strstr(a->entries[k].name, "seed=")) {
                drawn++;
                CU_ASSERT_STRING_NOT_EQUAL(a->entries[k].name, b->entries[k].name);
            }
        }
    }
    CU_ASSERT(drawn > 100);
    CU_ASSERT(captured > 50);
    suite_free(learn);
    suite_free(test);
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
