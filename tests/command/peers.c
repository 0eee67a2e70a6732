/* SPDX-License-Identifier: Apache-2.0
 * tests/command/peers.c: the table of perp against other codes, and the suite peers. */
#include <config.h>

#include "command/campaign/suite.h"
#include "command/results/files.h"
#include "command/results/peers.h"
#include "report.h"

#define OWN(name, solver, time)                                                          \
    {                                                                                    \
        .set = "s", .instance = name, .label = solver, .seconds = time,                  \
        .residual = 1e-9, .iterations = 3, .solved = true                                \
    }
#define OWN_FAILS(name, solver)                                                          \
    {                                                                                    \
        .set = "s", .instance = name, .label = solver, .seconds = 0.5, .residual = 1     \
    }
#define OTHER(name, name_of, time)                                                       \
    {                                                                                    \
        .set = "s", .instance = name, .label = name_of, .solver = "siconos:" name_of,    \
        .seconds = time, .residual = 1e-9, .iterations = 3, .solved = true,              \
        .more = ", \"foreign\": {\"claim\": \"solved\", \"false_claim\": false}"         \
    }
#define LIES(name, name_of)                                                              \
    {                                                                                    \
        .set = "s", .instance = name, .label = name_of, .solver = "siconos:" name_of,    \
        .seconds = 0.001, .residual = 1,                                                 \
        .more = ", \"foreign\": {\"claim\": \"solved\", \"false_claim\": true}"          \
    }

/* 1: both, fast takes 2 times perp's least; 2: both, slow takes 1/8 of it;
 * 3: perp alone, fast lies; 4: the code alone. */
static const line by_hand[] = {
    OWN("1", "a", 0.004),
    OWN("1", "b", 0.002),
    OTHER("1", "fast", 0.004),
    OTHER("1", "slow", 0.1),
    OWN("2", "a", 0.008),
    OWN_FAILS("2", "b"),
    LIES("2", "fast"),
    OTHER("2", "slow", 0.001),
    OWN("3", "a", 0.003),
    OWN_FAILS("3", "b"),
    LIES("3", "fast"),
    {.set = "s",
     .instance = "3",
     .label = "slow",
     .solver = "siconos:slow",
     .residual = 1},
    OWN_FAILS("4", "a"),
    OWN_FAILS("4", "b"),
    OTHER("4", "fast", 0.001),
    OTHER("4", "slow", 0.002),
    {.set = "own", .instance = "1", .label = "a", .n = 3, .seconds = 1, .solved = 1},
};
enum { RUNS = sizeof by_hand / sizeof *by_hand };

TEST(codes_are_counted_by_hand)
{
    const char *dir = folder_of("peers", by_hand, RUNS);
    stored_runs s;
    run_table t;
    peers_row row;

    OK(runs_read(&s, dir, NULL));
    run_table_make(&t, &s, "s", 1e-8);
    CU_ASSERT_TRUE_FATAL(peers_row_make(&row, &t, 0));
    CU_ASSERT_STRING_EQUAL(row.code, "perp");
    CU_ASSERT_EQUAL(row.solved, 3);
    CU_ASSERT_STRING_EQUAL(row.best, "a");
    CU_ASSERT_EQUAL(row.best_solved, 3);
    CU_ASSERT_FALSE(peers_row_make(&row, &t, 1));
    CU_ASSERT_TRUE_FATAL(peers_row_make(&row, &t, 2));
    CU_ASSERT_STRING_EQUAL(row.code, "siconos");
    CU_ASSERT_EQUAL(row.problems, 4);
    CU_ASSERT_EQUAL(row.solved, 3);
    CU_ASSERT_EQUAL(row.own_alone, 1);
    CU_ASSERT_EQUAL(row.code_alone, 1);
    CU_ASSERT_EQUAL(row.both, 2);
    CU_ASSERT_EQUAL(row.ahead, 1);
    CU_ASSERT_EQUAL(row.inapplicable, 0);
    CU_ASSERT(row.clear == 2 && row.clear_ahead == 1 && row.p == 1.0);
    CU_ASSERT_DOUBLE_EQUAL(row.ratio, sqrt(2.0 / 8.0), 1e-12);
    CU_ASSERT_STRING_EQUAL(row.best, "slow");
    CU_ASSERT_EQUAL(row.best_solved, 3);
    CU_ASSERT_EQUAL(row.wrong, 2);
    CU_ASSERT_FALSE(peers_row_make(&row, &t, 3));
    run_table_free(&t);
    runs_free(&s);
}

TEST(the_code_is_that_of_the_solver_not_of_the_label)
{
    static const struct {
        const char *label, *solver, *code;
    } cases[] = {
        {"fc3d-nsgs", "siconos:fc3d-nsgs", "siconos"},
        {"siconos:mine", "nsgs+newton", "perp"},
        {"inner", "ds:siconos:soclcp-nsgs", "siconos"},
        {"script", "exec:python3 ode:fista.py", "exec"},
        {"siconosx", "siconosx", "perp"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const line one = {.set = "s",
                          .instance = "i",
                          .label = cases[k].label,
                          .solver = cases[k].solver,
                          .status = "unsuitable",
                          .residual = NAN};
        const char *dir = folder_of("peers-code", &one, 1);
        stored_runs s;
        run_table t;
        peers_row row;

        OK(runs_read(&s, dir, NULL));
        run_table_make(&t, &s, "s", 1e-8);
        CU_ASSERT_TRUE_FATAL(peers_row_make(&row, &t, 0));
        CU_ASSERT_STRING_EQUAL(row.code, cases[k].code);
        CU_ASSERT_EQUAL(row.inapplicable, 1);
        run_table_free(&t);
        runs_free(&s);
        folder_remove(dir);
    }
}

/* Seven problems: perp takes 1 s and the code 2 s on six of them, p = 2/64; the code does not take
 * the seventh. */
TEST(codes_are_called_slower_only_by_a_test)
{
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7"};
    line lines[14];
    stored_runs s;

    for (size_t i = 0; i < 7; i++) {
        lines[2 * i] = (line)OWN(names[i], "a", 1);
        lines[2 * i + 1] = (line)OTHER(names[i], "one", 2);
        lines[2 * i].place = 2.0 * (double)i;
        lines[2 * i + 1].place = 2.0 * (double)i + 1.0;
    }
    lines[13].solved = false;
    lines[13].status = "unsuitable";
    const char *dir = folder_of("peers-test", lines, 14);
    OK(runs_read(&s, dir, NULL));
    OK(report_folder(dir, "tables", NULL));
    OK(section_csv(&peers_section, dir, &s, NULL));
    CU_ASSERT(file_has(dir, "tables/peers.csv",
                       "s,1e-08,siconos,7,1,6,0,0,6,6,2,0.03125,faster,one,6,0\n"));
    runs_free(&s);
    folder_remove(dir);
}

TEST(only_sets_that_other_codes_run_on_have_the_table)
{
    const char *dir = folder_of("peers-sets", by_hand, RUNS);
    stored_runs s;
    run_table t;

    OK(runs_read(&s, dir, NULL));
    run_table_make(&t, &s, "s", 1e-8);
    CU_ASSERT_TRUE(peers_section.applies(&s, &t));
    run_table_free(&t);
    run_table_make(&t, &s, "own", 1e-8);
    CU_ASSERT_FALSE(peers_section.applies(&s, &t));
    run_table_free(&t);
    runs_free(&s);
}

/* The suite names ten families; every solver in it is known, whatever was built. */
TEST(the_suite_is_read)
{
    const char *source = getenv("PERP_SOURCE");
    char path[4096];
    suite *s = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/experiments/suites/peers.json",
             source ? source : ".");
    OK(suite_read(&s, path, SUITE_FULL, &err));
    CU_ASSERT_STRING_EQUAL(err.text, "");
    CU_ASSERT_EQUAL_FATAL(s ? s->set_count : 0, 10);
    for (size_t k = 0; k < s->set_count; k++) {
        CU_ASSERT_EQUAL(s->sets[k].rules.tolerances, 2);
        CU_ASSERT(s->sets[k].entry_count >= 5);
    }
    suite_free(s);
}
