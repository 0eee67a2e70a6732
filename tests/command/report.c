/* SPDX-License-Identifier: Apache-2.0
 * tests/command/report.c: stored runs are read, arranged and counted. */
#include <config.h>

#include "command/results/files.h"
#include "command/results/statistics.h"
#include "report.h"

static const line by_hand[] = BY_HAND;
enum { RUNS = sizeof by_hand / sizeof *by_hand };

/* Write `text` as DIR/runs.jsonl and read it. */
static perp_status read_text(stored_runs *s, const char *text, perp_error *err)
{
    const char *dir = folder_of("read", NULL, 0);
    char path[1100];
    perp_status status = PERP_OK;
    FILE *f = NULL;

    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
    status = runs_read(s, dir, err);
    folder_remove(dir);
    return status;
}

TEST(leaves_out_a_torn_last_line)
{
    stored_runs s;

    OK(read_text(&s,
                 "{\"label\": \"a\", \"key\": \"1\"}\n"
                 "{\"label\": \"b\", \"ke",
                 NULL));
    CU_ASSERT_EQUAL(s.count, 1);
    CU_ASSERT_STRING_EQUAL(s.runs[0].label, "a");
    runs_free(&s);
}

TEST(names_the_place_of_a_bad_line)
{
    static const char *const bad[] = {
        "{\"label\": \"a\"}\n{\"lab\n{\"label\": \"b\"}\n", /* torn in the middle */
        "{\"label\": \"a\"}\n[1, 2]\n",                     /* JSON, but no run */
        "{\"label\": \"a\"}\n{\"set\": \"x\"}\n",           /* no label */
        "{\"label\": \"a\"}\n\n",                           /* nothing at all */
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        stored_runs s;
        perp_error err = {0};

        CU_ASSERT_EQUAL(read_text(&s, bad[i], &err), PERP_ERR_FORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "runs.jsonl:2: found no run"));
        CU_ASSERT_EQUAL(s.count, 0);
    }
}

TEST(says_that_there_is_no_run)
{
    stored_runs s;
    perp_error err = {0};

    CU_ASSERT_EQUAL(read_text(&s, "", &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "contains no run"));
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(runs_read(&s, test_scratch("nowhere"), &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "runs.jsonl: No such file"));
}

TEST(takes_the_later_of_two_runs_with_one_key)
{
    stored_runs s;

    OK(read_text(&s,
                 "{\"label\": \"a\", \"key\": \"1\", \"iterations\": 1}\n"
                 "{\"label\": \"b\", \"key\": \"2\", \"iterations\": 2}\n"
                 "{\"label\": \"a\", \"key\": \"1\", \"iterations\": 3}\n",
                 NULL));
    CU_ASSERT_EQUAL(s.count, 2);
    for (size_t i = 0; i < s.count; i++) {
        CU_ASSERT_EQUAL(s.runs[i].iterations, *s.runs[i].label == 'a' ? 3.0 : 2.0);
    }
    runs_free(&s);
}

TEST(puts_runs_in_the_order_of_the_suite)
{
    stored_runs s;

    OK(read_text(&s,
                 "{\"label\": \"d\"}\n{\"label\": \"c\", \"place\": 2}\n"
                 "{\"label\": \"e\"}\n{\"label\": \"a\", \"place\": 0}\n"
                 "{\"label\": \"b\", \"place\": 1, \"tolerance\": 1e-4}\n",
                 NULL));
    CU_ASSERT_EQUAL_FATAL(s.count, 5);
    /* Without a place: at the end, as stored. */
    for (size_t i = 0; i < s.count; i++) {
        CU_ASSERT_EQUAL(*s.runs[i].label, "abcde"[i]);
    }
    CU_ASSERT_EQUAL(s.tolerance_count, 2);
    CU_ASSERT_EQUAL(s.tolerances[0], 1e-4);
    runs_free(&s);
}

TEST(arranges_runs_as_a_table_with_gaps)
{
    stored_runs s;
    run_table t;
    const char *dir = folder_of("table", by_hand, RUNS - 1);

    OK(runs_read(&s, dir, NULL));
    run_table_make(&t, &s, "hand", 1e-8);
    CU_ASSERT_EQUAL(t.instances.count, 3);
    CU_ASSERT_EQUAL(t.labels.count, 3);
    CU_ASSERT_STRING_EQUAL(t.labels.names[2], "broken");
    CU_ASSERT_EQUAL(run_at(&t, 1, 0)->seconds, 4.0);
    CU_ASSERT_PTR_NULL(run_at(&t, 2, 2));
    CU_ASSERT_STRING_EQUAL(run_ending(run_at(&t, 2, 2)), "not run");
    CU_ASSERT_STRING_EQUAL(run_ending(run_at(&t, 0, 0)), "solved");
    CU_ASSERT_STRING_EQUAL(run_ending(run_at(&t, 2, 0)), "solved its approximation");
    CU_ASSERT_STRING_EQUAL(run_ending(run_at(&t, 1, 2)), "not applicable");
    CU_ASSERT_STRING_EQUAL(run_ending(run_at(&t, 0, 2)), "crash: signal 11");
    run_table_free(&t);
    run_table_make(&t, &s, "hand", 1e-4);
    CU_ASSERT_EQUAL(t.instances.count, 0);
    run_table_free(&t);
    runs_free(&s);
    folder_remove(dir);
}

/* Medians of the solved times: fast 2.5, slow 2; so the shift is 10 x 2 = 20 s. A failure
 * counts with its limit of 10 s, a problem that is not applicable (b of broken) not at all:
 *   fast    ((1 + 20)(4 + 20)(10 + 20))^(1/3) - 20 = 15120^(1/3) - 20
 *   slow    ((2 + 20)(2 + 20)(3 + 20))^(1/3) - 20 = 11132^(1/3) - 20
 *   broken  10
 * The reference is slow; broken, which solves nothing, has no ratio to it. */
TEST(counts_failures_at_their_limit)
{
    const double mean[] = {cbrt(15120.0) - 20.0, cbrt(11132.0) - 20.0, 10.0};
    const double ratio[] = {mean[0] / mean[1], 1.0, NAN};
    const size_t solved[] = {2, 3, 0}, models[] = {3, 3, 0}, fastest[] = {1, 2, 0};
    const size_t taken[] = {3, 3, 2};
    const double iterations[] = {20.0, 7.0};
    solver_statistics *of = NULL;
    stored_runs s;
    run_table t;
    const char *dir = folder_of("statistics", by_hand, RUNS);

    OK(runs_read(&s, dir, NULL));
    run_table_make(&t, &s, "hand", 1e-8);
    of = statistics_new(&t);
    CU_ASSERT_EQUAL(of->shift, 20.0);
    for (size_t k = 0; k < 3; k++) {
        /* exp, log and cbrt err by some ulp of 30, far below 1e-12 */
        CU_ASSERT_DOUBLE_EQUAL(of[k].mean.value, mean[k], 1e-12);
        CU_ASSERT(isnan(ratio[k]) ? isnan(of[k].ratio.value)
                                  : fabs(of[k].ratio.value - ratio[k]) <= 1e-12);
        CU_ASSERT(of[k].mean.low <= mean[k] + 1e-12 &&
                  mean[k] - 1e-12 <= of[k].mean.high);
        CU_ASSERT_EQUAL(of[k].problems, 3);
        CU_ASSERT_EQUAL(of[k].taken, taken[k]);
        CU_ASSERT_EQUAL(of[k].inapplicable, 3 - taken[k]);
        CU_ASSERT_EQUAL(of[k].common, taken[k]);
        CU_ASSERT_EQUAL(of[k].runs, taken[k]);
        CU_ASSERT_EQUAL(of[k].solved, solved[k]);
        CU_ASSERT_EQUAL(of[k].approximated, models[k]);
        CU_ASSERT_EQUAL(of[k].fastest, fastest[k]);
    }
    CU_ASSERT_STRING_EQUAL(of[0].verdict, "unclear"); /* three problems tell nothing */
    CU_ASSERT_STRING_EQUAL(of[1].verdict, "best");
    CU_ASSERT_EQUAL(of[0].median_iterations, iterations[0]);
    CU_ASSERT_EQUAL(of[1].median_iterations, iterations[1]);
    CU_ASSERT(isnan(of[2].median_iterations));
    CU_ASSERT_EQUAL(of[0].worst_residual, 0.5);
    free(of);
    run_table_free(&t);
    runs_free(&s);
    folder_remove(dir);
}

/* A cell that is missing is no gift: it counts with the longest limit of the table. */
TEST(gains_nothing_by_a_run_that_is_missing)
{
    solver_statistics *of = NULL;
    stored_runs s;
    run_table t;
    const char *dir = folder_of("missing", by_hand, RUNS - 1);

    OK(runs_read(&s, dir, NULL));
    run_table_make(&t, &s, "hand", 1e-8);
    of = statistics_new(&t);
    CU_ASSERT_EQUAL(of[2].runs, 1);
    CU_ASSERT_EQUAL(of[2].taken, 2);
    CU_ASSERT_DOUBLE_EQUAL(of[2].mean.value, 10.0, 1e-12); /* rounding of exp and log */
    free(of);
    run_table_free(&t);
    runs_free(&s);
    folder_remove(dir);
}

TEST(fits_a_power_law)
{
    const double x[] = {1, 10, 100, 1000};
    const double same[] = {7, 7, 7, 7};
    double y[4];
    double intercept, slope, error;

    for (size_t i = 0; i < 4; i++) {
        y[i] = 2.0 * pow(x[i], 1.5);
    }
    CU_ASSERT_FATAL(slope_of(x, y, 4, &intercept, &slope, &error));
    CU_ASSERT_DOUBLE_EQUAL(slope, 1.5, 1e-14); /* logs of powers of ten: some ulp */
    CU_ASSERT_DOUBLE_EQUAL(intercept, log10(2.0), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(error, 0.0, 1e-14);
    CU_ASSERT(!slope_of(x, y, 2, &intercept, &slope, &error));
    CU_ASSERT(!slope_of(x, y, 0, &intercept, &slope, &error));
    CU_ASSERT(!slope_of(same, y, 4, &intercept, &slope, &error));
}

TEST(charges_no_less_than_the_clock_can_tell)
{
    stored_run run = {.solved = true, .seconds = 0.0};

    CU_ASSERT_EQUAL(run_cost(&run), 1e-6);
    run.seconds = NAN;
    CU_ASSERT_EQUAL(run_cost(&run), INFINITY);
    run = (stored_run){.solved = false, .seconds = 1.0};
    CU_ASSERT_EQUAL(run_cost(&run), INFINITY);
    CU_ASSERT_EQUAL(run_cost(NULL), INFINITY);
    CU_ASSERT(run_takes(NULL) && !run_takes(&run)); /* `applicable` was left false */
}

/* A claim of another code that the judge does not confirm, by the residual over the tolerance, 1e-8; of a
 * sequence by the counts of its items. */
TEST(ending_names_a_claim_by_how_far_it_misses)
{
#define CLAIMS ", \"foreign\": {\"claim\": \"solved\""
    static const struct {
        double residual;
        bool solved;
        const char *outcome, *more, *ending;
    } cases[] = {
        {1.1e-8, false, "stalled", CLAIMS "}", "missed by its norm"},
        {1e-7, false, "stalled", CLAIMS "}", "missed by its norm"},
        {1.1e-7, false, "stalled", CLAIMS ", \"false_claim\": true}", "false claim"},
        {1e-9, true, "solved", CLAIMS "}", "solved"},
        {1.1e-8, false, "stalled", ", \"foreign\": {\"claim\": \"failed\"}", "stalled"},
        {1.1e-8, false, "stalled", ", \"foreign\": null", "stalled"},
        {1.0, false, "stalled", CLAIMS ", \"false_claims\": 0, \"missed_claims\": 2}",
         "missed by its norm"},
        {1.1e-8, false, "stalled", CLAIMS ", \"false_claims\": 3, \"missed_claims\": 2}",
         "false claim"},
    };
#undef CLAIMS

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const line one = {.set = "s",
                          .instance = "i",
                          .label = "a",
                          .seconds = 1,
                          .residual = cases[k].residual,
                          .solved = cases[k].solved,
                          .outcome = cases[k].outcome,
                          .more = cases[k].more};
        const char *dir = folder_of("claim", &one, 1);
        stored_runs s;

        OK(runs_read(&s, dir, NULL));
        CU_ASSERT_STRING_EQUAL(s.runs[0].ending, cases[k].ending);
        runs_free(&s);
        folder_remove(dir);
    }
}

/* Older records of scenes say "coulomb" whatever their model is, those of LCPs as well. */
TEST(heading_names_the_laws_of_the_set)
{
    static const struct {
        const char *more, *heading;
    } cases[] = {
        {", \"contacts\": 4, \"law\": \"associated\"",
         "s: 1 problem, associated law, residual"},
        {", \"contacts\": 4, \"law\": \"coulomb\"",
         "s: 1 problem, Coulomb's law, residual"},
        {", \"contacts\": 4, \"law\": \"none\"", "s: 1 problem, residual"},
        {", \"contacts\": 0, \"law\": \"coulomb\"", "s: 1 problem, residual"},
        {", \"contacts\": 4, \"law\": \"coulomb\", \"settings\": {\"friction\": "
         "\"coulomb\"}",
         "s: 1 problem, Coulomb's law, residual"},
        {", \"contacts\": 4, \"law\": \"coulomb\", \"settings\": {\"model\": "
         "\"associated\"}",
         "s: 1 problem, associated law, residual"},
        {", \"contacts\": 4, \"law\": \"coulomb\", \"settings\": {\"model\": "
         "\"pyramid:8\"}",
         "s: 1 problem, pyramid friction, residual"},
        {", \"contacts\": 4, \"law\": \"coulomb\", \"settings\": {\"model\": "
         "\"frictionless\"}",
         "s: 1 problem, residual"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const line one = {.set = "s",
                          .instance = "i",
                          .label = "a",
                          .seconds = 1,
                          .solved = true,
                          .more = cases[k].more};
        const char *dir = folder_of("law", &one, 1);

        OK(report_make(dir, NULL, NULL));
        CU_ASSERT(file_has(dir, "summary.txt", cases[k].heading));
        folder_remove(dir);
    }
}

TEST(heading_names_two_laws_of_one_set)
{
    const line two[] = {
        {.set = "s",
         .instance = "i",
         .label = "a",
         .seconds = 1,
         .solved = true,
         .more = ", \"contacts\": 4, \"law\": \"associated\""},
        {.set = "s",
         .instance = "j",
         .label = "a",
         .seconds = 1,
         .solved = true,
         .more = ", \"contacts\": 4, \"law\": \"coulomb\""},
    };
    const char *dir = folder_of("laws", two, 2);

    OK(report_make(dir, NULL, NULL));
    CU_ASSERT(file_has(dir, "summary.txt",
                       "s: 2 problems, Coulomb's law and associated law, residual"));
    folder_remove(dir);
}

TEST(gives_each_table_a_file_name_of_its_own)
{
    static const char *const sets[] = {"a b", "a_b"};
    static char longest[600];
    const char *instances[] = {"x y", "x_y", "x/y", longest};
    char one[FILE_NAME], other[FILE_NAME];
    name_list all = {.names = (const char **)(uintptr_t)sets, .count = 2};
    run_table t = {.set = "a b",
                   .tolerance = 1e-8,
                   .sets = &all,
                   .instances = {.names = instances, .count = 4}};

    memset(longest, 'z', sizeof longest - 1);
    run_table_file(one, "profile", &t, NULL);
    CU_ASSERT_STRING_EQUAL(one, "profile_a_b_1e-08");
    t.set = "a_b";
    run_table_file(other, "profile", &t, NULL);
    CU_ASSERT_STRING_EQUAL(other, "profile_a_b+2_1e-08");
    run_table_file(one, "residual", &t, "x_y");
    run_table_file(other, "residual", &t, "x/y");
    CU_ASSERT_STRING_EQUAL(one, "residual_a_b+2_x_y+2_1e-08");
    CU_ASSERT_STRING_EQUAL(other, "residual_a_b+2_x_y+3_1e-08");
    run_table_file(one, "residual", &t, longest);
    CU_ASSERT(strlen(one) < 240); /* file systems take 255 */
    t.tolerance = 1.5e-8;         /* must not be that of 2e-8 */
    run_table_file(one, "", &t, NULL);
    CU_ASSERT_STRING_EQUAL(one, "a_b+2_1.500000e-08");
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
