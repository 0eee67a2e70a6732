/* SPDX-License-Identifier: Apache-2.0
 * tests/command/page_data.c: stored runs as the data of report.html. */
#include <config.h>

#include "command/results/page_data_parts.h"
#include "report.h"

static const line by_hand[] = BY_HAND;
enum { RUNS = sizeof by_hand / sizeof *by_hand };

/* data["a"]["3"]["b"] of "a.3.b". */
static const json_t *at(const json_t *data, const char *path)
{
    char part[64];

    while (*path && data) {
        size_t length = strcspn(path, ".");

        snprintf(part, sizeof part, "%.*s", (int)length, path);
        data = json_is_array(data) ? json_array_get(data, strtoul(part, NULL, 10))
                                   : json_object_get(data, part);
        path += length + (path[length] == '.');
    }
    return data;
}

static double number_at(const json_t *data, const char *path)
{
    const json_t *value = at(data, path);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text_at(const json_t *data, const char *path)
{
    const char *text = json_string_value(at(data, path));

    return text ? text : "(no text)";
}

static void text_write(const char *dir, const char *name, const char *text)
{
    char path[1200];
    FILE *f = NULL;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
}

/* The lists of "runs" have one entry per run, and the indices lead to the names. */
TEST(lists_runs_by_index)
{
    const char *dir = folder_of("lists", by_hand, RUNS);
    json_t *report = NULL, *details = NULL;
    json_t *runs = NULL, *list = NULL;
    const char *key = NULL;

    page_of(dir, &report, &details);
    runs = json_object_get(report, "runs");
    json_object_foreach(runs, key, list)
    {
        CU_ASSERT(strcmp(key, "values") == 0 || json_array_size(list) == RUNS);
    }
    CU_ASSERT_EQUAL(json_array_size(details), RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        char path[64];

        snprintf(path, sizeof path, "runs.solver.%zu", i);
        snprintf(path, sizeof path, "solvers.%.0f.label", number_at(report, path));
        CU_ASSERT_STRING_EQUAL(text_at(report, path), by_hand[i].label);
        snprintf(path, sizeof path, "runs.instance.%zu", i);
        snprintf(path, sizeof path, "instances.%.0f.name", number_at(report, path));
        CU_ASSERT_STRING_EQUAL(text_at(report, path), by_hand[i].instance);
    }
    CU_ASSERT_EQUAL(number_at(report, "runs.tolerance.4"), 0.0);
    CU_ASSERT_EQUAL(number_at(report, "tolerances.0"), 1e-8);
    CU_ASSERT_EQUAL(number_at(report, "runs.seconds.3"), 4.0);
    CU_ASSERT(json_is_null(at(report, "runs.seconds.2")));
    CU_ASSERT_STRING_EQUAL(text_at(report, "measures.0.key"), "residual");
    CU_ASSERT_EQUAL(number_at(details, "0.history.1.3"), 1e-4);
    json_decref(report);
    json_decref(details);
    folder_remove(dir);
}

/* What older results do not have is null, and the note says why. */
TEST(takes_results_without_dates_and_descriptions)
{
    const char *dir = folder_of("older", by_hand, RUNS);
    json_t *report = NULL, *details = NULL;

    page_of(dir, &report, &details);
    CU_ASSERT(json_is_null(at(report, "date")));
    CU_ASSERT(json_is_null(at(report, "changes")));
    CU_ASSERT(json_is_null(at(report, "instances.0.spectrum")));
    CU_ASSERT(json_is_null(at(report, "instances.0.pattern")));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_at(report, "instances.0.note"), "no description"));
    CU_ASSERT(json_is_null(at(details, "0.command")));
    CU_ASSERT(json_is_null(at(details, "0.contacts")));
    json_decref(report);
    json_decref(details);
    folder_remove(dir);
}

#define DESCRIBED(hash)                                                                  \
    ", \"hash\": \"" hash                                                                \
    "\", \"date\": \"2001-02-03T04:05:06Z\", \"command\": \"perp solve x\", "            \
    "\"blocks\": {\"quantiles\": [0, 0, 1, 2, 3.123456789], \"worst\": [{\"block\": 4, " \
    "\"row\": "                                                                          \
    "12, \"name\": null, \"residual\": 3.123456789}, {\"block\": 1, \"row\": 3, "        \
    "\"name\": "                                                                         \
    "\"contact box/floor\", \"residual\": 2}]}, \"machine\": {\"version\": \"9\", "      \
    "\"cpu\": \"one\"}"

TEST(joins_what_is_known_of_an_instance)
{
    static const line two[] = {
        {.set = "s", .instance = "a", .label = "p", .n = 3, .more = DESCRIBED("0a")},
        {.set = "t",
         .instance = "a",
         .label = "p",
         .n = 6,
         .more = DESCRIBED("0b"),
         .place = 1},
    };
    const char *dir = folder_of("described", two, 2);
    json_t *report = NULL, *details = NULL;

    text_write(
        dir, "instances.jsonl",
        "{\"hash\": \"0b\", \"rank\": 2, \"condition\": 4.0, \"spectrum\": [8, 2, 0], "
        "\"pattern\": {\"size\": 1, \"cells\": [3]}, \"note\": \"\"}\n{\"hash\": \"0");
    text_write(dir, "suite.json",
               "{\"name\": \"n\", \"title\": \"the title\", \"sets\": [{\"name\": \"t\", "
               "\"title\": \"of t\"}]}");
    page_of(dir, &report, &details);
    CU_ASSERT_EQUAL(json_array_size(at(report, "instances")), 2);
    CU_ASSERT(json_is_null(at(report, "instances.0.rank")));
    CU_ASSERT_EQUAL(number_at(report, "instances.1.rank"), 2.0);
    CU_ASSERT_EQUAL(number_at(report, "instances.1.spectrum.1"), 2.0);
    CU_ASSERT_EQUAL(number_at(report, "instances.1.pattern.cells.0"), 3.0);
    CU_ASSERT_STRING_EQUAL(text_at(report, "instances.1.note"), "");
    CU_ASSERT_STRING_EQUAL(text_at(report, "title"), "the title");
    CU_ASSERT_STRING_EQUAL(text_at(report, "sets.1.title"), "of t");
    CU_ASSERT_STRING_EQUAL(text_at(report, "date"), "2001-02-03T04:05:06Z");
    CU_ASSERT_STRING_EQUAL(text_at(report, "machine.cpu"), "one");
    CU_ASSERT_STRING_EQUAL(text_at(details, "0.command"), "perp solve x");
    CU_ASSERT_STRING_EQUAL(text_at(details, "0.contacts.worst.0.name"),
                           "block 4, row 12");
    CU_ASSERT_STRING_EQUAL(text_at(details, "0.contacts.worst.1.name"),
                           "contact box/floor");
    CU_ASSERT_EQUAL(number_at(details, "0.contacts.quantiles.4"), 3.1235);
    json_decref(report);
    json_decref(details);
    folder_remove(dir);
}

TEST(refuses_a_broken_list_of_instances)
{
    const char *dir = folder_of("broken", by_hand, RUNS);
    json_t *report = NULL, *details = NULL;
    stored_runs s;
    perp_error err = {0};

    text_write(dir, "instances.jsonl", "{\"hash\": \"0a\"}\nnonsense\n");
    OK(runs_read(&s, dir, &err));
    CU_ASSERT_EQUAL(page_data_make(&s, NULL, &report, &details, &err), PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "instances.jsonl:2: found no description"));
    CU_ASSERT_PTR_NULL(report);
    CU_ASSERT_PTR_NULL(details);
    runs_free(&s);
    folder_remove(dir);
}

/* By hand: fast solves a and b of three in 1 s and 4 s; broken takes two of three. */
TEST(ranks_as_the_summary_does)
{
    const char *dir = folder_of("ranks", by_hand, RUNS);
    json_t *report = NULL, *details = NULL;

    page_of(dir, &report, &details);
    CU_ASSERT_STRING_EQUAL(text_at(report, "ranking.0.set"), "hand");
    CU_ASSERT_STRING_EQUAL(text_at(report, "ranking.0.rows.0.solver"), "fast");
    CU_ASSERT_EQUAL(number_at(report, "ranking.0.rows.0.solved"), 2.0);
    CU_ASSERT_EQUAL(number_at(report, "ranking.0.rows.0.approximate"), 3.0);
    CU_ASSERT_EQUAL(number_at(report, "ranking.0.rows.1.solved"), 3.0);
    CU_ASSERT_STRING_EQUAL(text_at(report, "ranking.0.rows.1.verdict"), "best");
    CU_ASSERT_EQUAL(number_at(report, "ranking.0.rows.1.ratio"), 1.0);
    CU_ASSERT_EQUAL(number_at(report, "ranking.0.rows.2.taken"), 2.0);
    CU_ASSERT_EQUAL(number_at(report, "ranking.0.rows.2.refused"), 1.0);
    CU_ASSERT(json_is_null(at(report, "ranking.0.rows.1.p")));
    json_decref(report);
    json_decref(details);
    folder_remove(dir);
}

/* Each member of a row of the ranking that is no name has its column explained. */
TEST(explains_every_column_of_the_ranking)
{
    const char *dir = folder_of("explains", by_hand, RUNS);
    json_t *report = NULL, *details = NULL, *value = NULL, *column = NULL;
    const char *member = NULL;
    size_t k = 0;

    page_of(dir, &report, &details);
    json_object_foreach((json_t *)(uintptr_t)at(report, "ranking.0.rows.0"), member,
                        value)
    {
        bool found = false;

        json_array_foreach((json_t *)(uintptr_t)at(report, "columns"), k, column)
        {
            found = found || (strcmp(text_at(column, "table"), "ranking") == 0 &&
                              strcmp(text_at(column, "name"), member) == 0 &&
                              strlen(text_at(column, "text")) > 10);
        }
        if (!found) {
            test_note("the member %s is not explained", member);
        }
        CU_ASSERT(found);
    }
    json_decref(report);
    json_decref(details);
    folder_remove(dir);
}

/* Every outcome of a solver has a sentence of its own. */
TEST(explains_every_ending)
{
    json_t *names = json_object(), *list = NULL;

#define NAME_OUTCOME(name, text) page_place(names, text);
    PERP_OUTCOME_LIST(NAME_OUTCOME)
#undef NAME_OUTCOME
    list = page_endings(names);
    CU_ASSERT_EQUAL_FATAL(json_array_size(list), json_object_size(names));
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *ending = json_array_get(list, k);

        CU_ASSERT_PTR_NULL(strstr(text_at(ending, "help"), "ended by itself"));
        CU_ASSERT_STRING_EQUAL(text_at(ending, "class"), k == 1 ? "solved" : "failed");
    }
    json_decref(list);
    json_object_clear(names);
    page_place(names, "not applicable");
    list = page_endings(names);
    CU_ASSERT_STRING_EQUAL(text_at(list, "0.class"), "refused");
    CU_ASSERT_PTR_NOT_NULL(strstr(text_at(list, "0.help"), "not a failure"));
    json_decref(list);
    json_decref(names);
}

/* A history of 1000 samples is thinned; its ends stay. */
TEST(thins_a_long_history)
{
    char *more = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&more, &length);
    line one = {.set = "s", .instance = "i", .label = "p", .n = 1, .seconds = 1};
    json_t *report = NULL, *details = NULL;
    const char *dir = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(", \"history\": [", f);
    for (size_t k = 0; k < 1000; k++) {
        fprintf(f, "%s[%zu, 0.123456789, 1, 0.5]", k ? ", " : "", k);
    }
    fputs("]", f);
    fclose(f);
    one.more = more;
    dir = folder_of("long", &one, 1);
    page_of(dir, &report, &details);
    CU_ASSERT_EQUAL(json_array_size(at(details, "0.history")), 60);
    CU_ASSERT_EQUAL(number_at(details, "0.history.0.0"), 0.0);
    CU_ASSERT_EQUAL(number_at(details, "0.history.59.0"), 999.0);
    CU_ASSERT_EQUAL(number_at(details, "0.history.59.1"), 0.12346);
    json_decref(report);
    json_decref(details);
    free(more);
    folder_remove(dir);
}
