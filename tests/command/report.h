/* SPDX-License-Identifier: Apache-2.0
 * tests/command/report.h: small runs.jsonl files, for the tests of tables and
 * figures. */
#ifndef PERP_TEST_REPORT_H
#define PERP_TEST_REPORT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/results/page_data.h"
#include "command/results/report.h"
#include "support.h"

/** What a test says of a run; 0 and NULL are left to line_put. */
typedef struct line {
    const char *set, *instance, *label;
    const char *solver;  /* the label */
    const char *status;  /* "ok" */
    const char *outcome; /* "solved", or "iteration limit" when it did not */
    double n;
    double seconds;    /* 0: null */
    double residual;   /* NAN: null */
    double model;      /* 0: the residual */
    double iterations; /* 0: null */
    double place;
    double tolerance; /* 0: 1e-8 */
    bool solved;
    const char *more; /* further members: ", \"history\": […]" */
} line;

/** A text as JSON. */
static inline void text_put(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '\n') {
            fputs("\\n", f);
        } else {
            fprintf(f, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
        }
    }
    fputc('"', f);
}

static inline void number_put(FILE *f, const char *key, double x, bool is_null)
{
    fprintf(f, is_null ? ", \"%s\": null" : ", \"%s\": %.17g", key, x);
}

static inline void line_put(FILE *f, const line *l)
{
    const char *texts[][2] = {
        {"set", l->set},
        {"instance", l->instance},
        {"label", l->label},
        {"solver", l->solver ? l->solver : l->label},
        {"status", l->status ? l->status : "ok"},
        {"outcome", l->outcome ? l->outcome : (l->solved ? "solved" : "iteration limit")},
    };
    char key[1024];

    snprintf(key, sizeof key, "%s|%s|%s|%g", l->set, l->instance, l->label, l->tolerance);
    fputs("{\"key\": ", f);
    text_put(f, key);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fprintf(f, ", \"%s\": ", texts[i][0]);
        text_put(f, texts[i][1]);
    }
    number_put(f, "tolerance", l->tolerance > 0.0 ? l->tolerance : 1e-8, false);
    number_put(f, "n", l->n, l->n == 0.0);
    number_put(f, "seconds", l->seconds, l->seconds == 0.0);
    number_put(f, "residual_given", l->residual, isnan(l->residual));
    number_put(f, "residual", l->model > 0.0 ? l->model : l->residual,
               isnan(l->residual) && l->model == 0.0);
    number_put(f, "iterations", l->iterations, l->iterations == 0.0);
    number_put(f, "place", l->place, false);
    fprintf(f, ", \"solved\": %s, \"formulation\": \"natural\", ",
            l->solved ? "true" : "false");
    fprintf(f, "\"limits\": {\"seconds\": 10}%s}\n", l->more ? l->more : "");
}

/** A folder of its own with these runs; its name is test_scratch's. */
static inline const char *folder_of(const char *name, const line *lines, size_t count)
{
    const char *dir = test_scratch(name);
    char path[1100];
    FILE *f = NULL;

    mkdir(dir, 0777);
    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    for (size_t i = 0; i < count; i++) {
        line_put(f, &lines[i]);
    }
    fclose(f);
    return dir;
}

static inline void folder_remove(const char *dir)
{
    char command[1200];

    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    CU_ASSERT_EQUAL(system(command), 0);
}

/** The text of dir/name, or "" without it. */
static inline char *file_text(const char *dir, const char *name)
{
    char path[1400];
    char *text = NULL;
    size_t length = 0;
    FILE *f = NULL;
    FILE *into = open_memstream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(into);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "r");
    for (int c = 0; f && (c = fgetc(f)) != EOF;) {
        fputc(c, into);
    }
    if (f) {
        fclose(f);
    }
    fclose(into);
    return test_keep(text, free);
}

static inline bool file_has(const char *dir, const char *name, const char *words)
{
    char *text = file_text(dir, name);
    bool has = strstr(text, words) != NULL;

    if (!has) {
        test_note("%s does not hold: %s", name, words);
    }
    return has;
}

/** The two blocks of the page of a folder; the caller releases them. */
static inline void page_of(const char *dir, json_t **report, json_t **details)
{
    stored_runs s;
    perp_error err = {0};

    OK(runs_read(&s, dir, &err));
    OK(page_data_make(&s, NULL, report, details, &err));
    runs_free(&s);
}

/** Does the text of either block, as JSON without blanks, hold the words? */
static inline bool page_has(const char *dir, const char *words)
{
    json_t *block[2] = {NULL, NULL};
    bool has = false;

    page_of(dir, &block[0], &block[1]);
    for (size_t k = 0; k < 2; k++) {
        char *text = json_dumps(block[k], JSON_COMPACT | JSON_REAL_PRECISION(9));

        has = has || (text && strstr(text, words));
        free(text);
        json_decref(block[k]);
    }
    if (!has) {
        test_note("the page of %s does not hold: %s", dir, words);
    }
    return has;
}

/* Times of three solvers on three problems, by hand: the best is 1, 2, 3 seconds.
 *
 *           a (n = 10)   b (n = 100)   c (n = 1000)
 *   fast    1 s, 10 it   4 s, 30 it    5 s, its model only
 *   slow    2 s, 5 it    2 s, 7 it     3 s, 9 it
 *   broken  crash        unsuitable    crash */
#define BY_HAND                                                                          \
    {                                                                                    \
        {.set = "hand",                                                                  \
         .instance = "a",                                                                \
         .label = "fast",                                                                \
         .n = 10,                                                                        \
         .seconds = 1,                                                                   \
         .residual = 0,                                                                  \
         .iterations = 10,                                                               \
         .place = 0,                                                                     \
         .solved = true,                                                                 \
         .more = ", \"history\": [[0, 1e-6, 0, 1], [5, 0.5, 5, 1e-4], [10, 1, 10, 0]]"}, \
            {.set = "hand",                                                              \
             .instance = "a",                                                            \
             .label = "slow",                                                            \
             .n = 10,                                                                    \
             .seconds = 2,                                                               \
             .residual = 1e-9,                                                           \
             .iterations = 5,                                                            \
             .place = 1,                                                                 \
             .solved = true},                                                            \
            {.set = "hand",                                                              \
             .instance = "a",                                                            \
             .label = "broken",                                                          \
             .n = 10,                                                                    \
             .status = "crash: signal 11",                                               \
             .residual = NAN,                                                            \
             .place = 2},                                                                \
            {.set = "hand",                                                              \
             .instance = "b",                                                            \
             .label = "fast",                                                            \
             .n = 100,                                                                   \
             .seconds = 4,                                                               \
             .residual = 1e-9,                                                           \
             .iterations = 30,                                                           \
             .place = 3,                                                                 \
             .solved = true},                                                            \
            {.set = "hand",                                                              \
             .instance = "b",                                                            \
             .label = "slow",                                                            \
             .n = 100,                                                                   \
             .seconds = 2,                                                               \
             .residual = 1e-9,                                                           \
             .iterations = 7,                                                            \
             .place = 4,                                                                 \
             .solved = true},                                                            \
            {.set = "hand",                                                              \
             .instance = "b",                                                            \
             .label = "broken",                                                          \
             .n = 100,                                                                   \
             .status = "unsuitable",                                                     \
             .residual = NAN,                                                            \
             .place = 5},                                                                \
            {.set = "hand",                                                              \
             .instance = "c",                                                            \
             .label = "fast",                                                            \
             .n = 1000,                                                                  \
             .seconds = 5,                                                               \
             .outcome = "solved",                                                        \
             .residual = 0.5,                                                            \
             .model = 1e-12,                                                             \
             .iterations = 3,                                                            \
             .place = 6},                                                                \
            {.set = "hand",                                                              \
             .instance = "c",                                                            \
             .label = "slow",                                                            \
             .n = 1000,                                                                  \
             .seconds = 3,                                                               \
             .residual = 1e-9,                                                           \
             .iterations = 9,                                                            \
             .place = 7,                                                                 \
             .solved = true},                                                            \
            {.set = "hand",                                                              \
             .instance = "c",                                                            \
             .label = "broken",                                                          \
             .n = 1000,                                                                  \
             .status = "crash: signal 11",                                               \
             .residual = NAN,                                                            \
             .place = 8},                                                                \
    }

#endif
