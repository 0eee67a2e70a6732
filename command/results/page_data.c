/* SPDX-License-Identifier: Apache-2.0
 * report/page_data.c: stored runs as the data of report.html. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/results/contradictions.h"
#include "command/results/definition.h"
#include "command/results/fields.h"
#include "command/results/noise.h"
#include "command/results/page_data.h"
#include "command/results/page_data_parts.h"
#include "command/results/remarks.h"

/* Digits of the numbers of tables/runs.csv. */
enum { PAGE_DIGITS = 9 };

/* -- the head ------------------------------------------------------------------------------ */

/* suite.json of the first folder that has it; NULL: none. */
static json_t *page_suite(const stored_runs *s)
{
    json_t *suite = NULL;

    for (size_t k = 0; k < s->folder_count && !suite; k++) {
        char path[PERP_FILE_PATH_LENGTH];

        snprintf(path, sizeof path, "%s/suite.json", s->folders[k]);
        suite = json_load_file(path, 0, NULL);
    }
    return suite;
}

/* The run that was made last; without dates the last one. */
static const stored_run *page_newest(const stored_runs *s)
{
    const stored_run *newest = &s->runs[s->count - 1];

    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(member_text(s->runs[i].json, "date"),
                   member_text(newest->json, "date")) > 0) {
            newest = &s->runs[i];
        }
    }
    return newest;
}

/* The properties of a machine that are a text or a number. */
static json_t *page_machine(const json_t *machine)
{
    json_t *o = json_object();
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach((json_t *)(uintptr_t)machine, key, value)
    {
        if (json_is_string(value) || json_is_number(value)) {
            json_object_set(o, key, value);
        }
    }
    return o;
}

/* The lines of noise_print. */
static json_t *page_noise(const stored_runs *s)
{
    json_t *list = json_array();
    char *text = NULL, *rest = NULL;
    size_t length = 0;
    FILE *f = take_stream(&text, &length);

    noise_print(f, "", s);
    take_stream_end(f);
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        json_array_append_new(list, json_string(line));
    }
    free(text);
    return list;
}

/* The sentences of contradiction_print: errors of perp, and answers that are both true. */
static json_t *page_contradictions(const stored_runs *s)
{
    contradictions found = {0};
    json_t *list = json_array();

    contradictions_find(&found, s);
    for (size_t k = 0; k < found.count; k++) {
        char *text = contradiction_text(&found.list[k].x);
        int error = found.list[k].kind == CONTRADICTION_ERROR;

        json_array_append_new(
            list, json_pack("{s:b, s:o}", "error", error, "text", answer_text(text)));
        free(text);
    }
    contradictions_free(&found);
    return list;
}

static json_t *page_folders(const stored_runs *s)
{
    json_t *list = json_array();

    for (size_t k = 0; k < s->folder_count; k++) {
        const char *const *dirs = (const char *const *)s->folders;
        char *name = runs_folder_name(dirs, s->folder_count, k);

        json_array_append_new(list, answer_text(name));
        free(name);
    }
    return list;
}

static json_t *page_tolerances(const stored_runs *s)
{
    json_t *list = json_array();

    for (size_t k = 0; k < s->tolerance_count; k++) {
        json_array_append_new(list, json_real(s->tolerances[k]));
    }
    return list;
}

/* The title of each set of the suite by its name; of two sets of a name that of the first. */
static json_t *page_set_titles(const json_t *suite)
{
    const json_t *sets = json_object_get(suite, "sets");
    json_t *titles = json_object();

    for (size_t k = 0; k < json_array_size(sets); k++) {
        const json_t *set = json_array_get(sets, k);
        const char *name = member_text(set, "name");

        if (!json_object_get(titles, name)) {
            json_object_set_new(titles, name, json_string(member_text(set, "title")));
        }
    }
    return titles;
}

static json_t *page_sets(const stored_runs *s, const json_t *suite)
{
    json_t *titles = page_set_titles(suite);
    json_t *list = json_array();

    for (size_t k = 0; k < s->sets.count; k++) {
        const char *name = s->sets.names[k];

        json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "title",
                                              member_text(titles, name)));
    }
    json_decref(titles);
    return list;
}

static json_t *page_parameters(const stored_runs *s, const name_list *varied)
{
    json_t *list = json_array();

    for (size_t k = 0; k < varied->count; k++) {
        const char *name = varied->names[k];

        json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", name, "unit", field_unit(s, name)));
    }
    return list;
}

/* What stands above the figures. */
static void page_head(json_t *o, const stored_runs *s, const json_t *suite)
{
    const stored_run *newest = page_newest(s);
    const json_t *machine = json_object_get(newest->json, "machine");
    const char *name = member_text(newest->json, "suite");
    const char *title = member_text(suite, "title");

    answer_add(o, "format", json_string("perp-report/1"));

    name = *name ? name : member_text(suite, "name");
    answer_add(o, "title", json_string(*title ? title : name));
    answer_add(o, "suite", json_string(name));
    answer_add(o, "folders", page_folders(s));
    answer_add(o, "date", answer_text(member_text(newest->json, "date")));
    answer_add(o, "version", answer_text(member_text(machine, "version")));
    answer_add(o, "commit", answer_text(member_text(machine, "commit")));
    answer_add(o, "machine", page_machine(machine));
    answer_add(o, "noise", page_noise(s));
    answer_add(o, "contradictions", page_contradictions(s));
    answer_add(o, "plugins", remarks_plugins(s));
    answer_add(o, "warnings", remarks_warnings(s));
    answer_add(o, "against", s->against ? json_string(s->against) : json_null());
    answer_add(o, "tolerances", page_tolerances(s));
    answer_add(o, "sets", page_sets(s, suite));
    answer_add(o, "definition", json_string(RESIDUAL_DEFINITION_HTML));
    answer_add(o, "columns", page_columns());
}

/* -- runs ---------------------------------------------------------------------------------- */

/* The place of a tolerance; they are all there. */
static size_t page_tolerance(const stored_runs *s, double tolerance)
{
    size_t k = 0;

    while (k + 1 < s->tolerance_count && s->tolerances[k] != tolerance) {
        k++;
    }
    return k;
}

/* The members that are indices. */
static void page_run_places(json_t *runs, const stored_runs *s, const size_t *instance,
                            json_t *labels, json_t *endings)
{
    static const char *const names[] = {"instance",  "set",    "solver",
                                        "tolerance", "ending", "folder"};
    enum { NAMES = sizeof names / sizeof *names };
    json_t *list[NAMES];

    for (size_t k = 0; k < NAMES; k++) {
        list[k] = json_array();
        answer_add(runs, names[k], list[k]);
    }
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];
        const size_t at[NAMES] = {
            instance[i],
            name_list_find(&s->sets, run->set), /* it is there */
            page_place(labels, run->label),
            page_tolerance(s, run->tolerance),
            page_place(endings, run->ending),
            run->folder,
        };

        for (size_t k = 0; k < NAMES; k++) {
            json_array_append_new(list[k], json_integer((json_int_t)at[k]));
        }
    }
}

/* A list of numbers for each measure. */
static void page_run_measures(json_t *runs, const stored_runs *s, const json_t *measures)
{
    for (size_t k = 0; k < json_array_size(measures); k++) {
        const char *key = member_text(json_array_get(measures, k), "key");
        json_t *list = json_array();

        for (size_t i = 0; i < s->count; i++) {
            json_array_append_new(
                list, page_number(run_field_number(&s->runs[i], key), PAGE_DIGITS));
        }
        answer_add(runs, key, list);
    }
}

/* "values": a list for each parameter; null in a run that does not have it. */
static void page_run_values(json_t *runs, const stored_runs *s, const name_list *varied)
{
    json_t *values = json_object();

    for (size_t k = 0; k < varied->count; k++) {
        json_t *list = json_array();

        for (size_t i = 0; i < s->count; i++) {
            const json_t *vary = json_object_get(s->runs[i].json, "vary");

            json_array_append_new(list, answer_copy(vary, varied->names[k]));
        }
        answer_add(values, varied->names[k], list);
    }
    answer_add(runs, "values", values);
}

/* The lists of names and "runs", which refers to them. */
static void page_lists(json_t *o, const stored_runs *s, const name_list *varied,
                       const size_t *instance)
{
    json_t *labels = json_object(), *endings = json_object(), *runs = json_object();
    json_t *measures = page_measures(s);

    answer_add(o, "solvers", page_solvers(s, labels));
    page_run_places(runs, s, instance, labels, endings);
    page_run_measures(runs, s, measures);
    page_run_values(runs, s, varied);
    answer_add(o, "parameters", page_parameters(s, varied));
    answer_add(o, "measures", measures);
    answer_add(o, "endings", page_endings(endings));
    answer_add(o, "runs", runs);
    json_decref(labels);
    json_decref(endings);
}

/* -- the whole ----------------------------------------------------------------------------- */

/* Instances, ranking and tables. */
static perp_status page_parts(json_t *o, const stored_runs *s, size_t *instance,
                              perp_error *err)
{
    json_t *instances = NULL, *ranking = NULL, *tables = NULL;
    perp_status status = page_instances(s, &instances, instance, err);

    if (status == PERP_OK) {
        status = page_ranking(s, &ranking, err);
    }
    if (status == PERP_OK) {
        status = page_tables(s, &tables, err);
    }
    answer_add(o, "instances", instances);
    answer_add(o, "ranking", ranking);
    answer_add(o, "tables", tables);
    return status;
}

perp_status page_data_make(const stored_runs *s, const against *changes, json_t **report,
                           json_t **details, perp_error *err)
{
    size_t *instance = take(s->count + 1, sizeof *instance);
    json_t *suite = page_suite(s), *o = json_object();
    name_list varied = {.count = 0};
    perp_status status = PERP_OK;

    *report = *details = NULL;
    varied_fields(s, &varied);
    page_head(o, s, suite);
    status = page_parts(o, s, instance, err);
    if (status == PERP_OK) {
        page_lists(o, s, &varied, instance);
        answer_add(o, "changes", page_changes(s, changes));
        *details = page_details(s);
    }
    name_list_clear(&varied);
    free(instance);
    json_decref(suite);
    if (status != PERP_OK) {
        json_decref(o);
        json_decref(*details);
        *details = NULL;
        return status;
    }
    *report = o;
    return PERP_OK;
}
