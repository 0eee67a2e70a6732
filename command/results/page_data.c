/* SPDX-License-Identifier: Apache-2.0
 * report/page_data.c: stored runs as the data of report.html. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "command/cli/answer.h"
#include "command/results/contradictions.h"
#include "command/results/definition.h"
#include "command/results/fields.h"
#include "command/results/noise.h"
#include "command/results/page_data.h"
#include "command/results/page_data_parts.h"
#include "command/results/remarks.h"

/* Digits of the numbers of tables/runs.csv. */
enum { PAGE_DIGITS = 9 };

json_t *page_number(double x, int digits)
{
    char text[64];

    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    return answer_real(strtod(text, NULL)); /* null where x is not finite */
}

json_t *page_text_take(char *text)
{
    json_t *value = NULL;

    for (char *c = text; c && *c; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    for (size_t end = text ? strlen(text) : 0; end > 0 && text[end - 1] == ' '; end--) {
        text[end - 1] = '\0';
    }
    value = text ? answer_text(text) : NULL;
    free(text);
    return value;
}

size_t page_place(json_t *names, const char *name)
{
    const json_t *place = json_object_get(names, name);
    size_t count = json_object_size(names);

    if (place) {
        return (size_t)json_integer_value(place);
    }
    return json_object_set_new(names, name, json_integer((json_int_t)count)) == 0
               ? count
               : SIZE_MAX;
}

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
    int failed = o == NULL;

    json_object_foreach((json_t *)(uintptr_t)machine, key, value)
    {
        if (json_is_string(value) || json_is_number(value)) {
            failed += json_object_set(o, key, value) != 0;
        }
    }
    if (failed) {
        json_decref(o);
        return NULL;
    }
    return o;
}

/* The lines of noise_print. */
static json_t *page_noise(const stored_runs *s)
{
    json_t *list = json_array();
    char *text = NULL, *rest = NULL;
    size_t length = 0;
    FILE *f = perp_memory_stream(&text, &length);
    int failed = !list || !f;

    if (f) {
        noise_print(f, "", s);
        failed += fclose(f) != 0;
    }
    for (char *line = failed ? NULL : strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        failed += json_array_append_new(list, json_string(line)) != 0;
    }
    free(text);
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* The sentences of contradiction_print: errors of perp, and answers that are both true. */
static json_t *page_contradictions(const stored_runs *s)
{
    contradictions found = {0};
    json_t *list = contradictions_find(&found, s, NULL) == PERP_OK ? json_array() : NULL;
    int failed = list == NULL;

    for (size_t k = 0; k < found.count && !failed; k++) {
        char *text = contradiction_text(&found.list[k].x);
        int error = found.list[k].kind == CONTRADICTION_ERROR;

        failed += !text ||
                  json_array_append_new(list, json_pack("{s:b, s:o}", "error", error,
                                                        "text", answer_text(text))) != 0;
        free(text);
    }
    contradictions_free(&found);
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *page_folders(const stored_runs *s)
{
    json_t *list = json_array();

    for (size_t k = 0; list && k < s->folder_count; k++) {
        const char *const *dirs = (const char *const *)s->folders;
        char *name = runs_folder_name(dirs, s->folder_count, k);
        int failed = !name || json_array_append_new(list, answer_text(name)) != 0;

        free(name);
        if (failed) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *page_tolerances(const stored_runs *s)
{
    json_t *list = json_array();

    for (size_t k = 0; list && k < s->tolerance_count; k++) {
        if (json_array_append_new(list, json_real(s->tolerances[k])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The title of each set of the suite by its name; of two sets of a name that of the first. */
static json_t *page_set_titles(const json_t *suite)
{
    const json_t *sets = json_object_get(suite, "sets");
    json_t *titles = json_object();
    int failed = titles == NULL;

    for (size_t k = 0; k < json_array_size(sets) && !failed; k++) {
        const json_t *set = json_array_get(sets, k);
        const char *name = member_text(set, "name");

        if (!json_object_get(titles, name)) {
            failed =
                json_object_set_new(titles, name, json_string(member_text(set, "title")));
        }
    }
    if (failed) {
        json_decref(titles);
        return NULL;
    }
    return titles;
}

static json_t *page_sets(const stored_runs *s, const json_t *suite)
{
    json_t *titles = page_set_titles(suite);
    json_t *list = titles ? json_array() : NULL;
    int failed = list == NULL;

    for (size_t k = 0; k < s->sets.count && !failed; k++) {
        const char *name = s->sets.names[k];

        failed =
            json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "title",
                                                  member_text(titles, name)));
    }
    json_decref(titles);
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *page_parameters(const stored_runs *s, const name_list *varied)
{
    json_t *list = json_array();

    for (size_t k = 0; list && k < varied->count; k++) {
        const char *name = varied->names[k];

        if (json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "unit",
                                                  field_unit(s, name))) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* What stands above the figures. */
static int page_head(json_t *o, const stored_runs *s, const json_t *suite)
{
    const stored_run *newest = page_newest(s);
    const json_t *machine = json_object_get(newest->json, "machine");
    const char *name = member_text(newest->json, "suite");
    const char *title = member_text(suite, "title");
    int failed = answer_add(o, "format", json_string("perp-report/1"));

    name = *name ? name : member_text(suite, "name");
    failed += answer_add(o, "title", json_string(*title ? title : name));
    failed += answer_add(o, "suite", json_string(name));
    failed += answer_add(o, "folders", page_folders(s));
    failed += answer_add(o, "date", answer_text(member_text(newest->json, "date")));
    failed += answer_add(o, "version", answer_text(member_text(machine, "version")));
    failed += answer_add(o, "commit", answer_text(member_text(machine, "commit")));
    failed += answer_add(o, "machine", page_machine(machine));
    failed += answer_add(o, "noise", page_noise(s));
    failed += answer_add(o, "contradictions", page_contradictions(s));
    failed += answer_add(o, "plugins", remarks_plugins(s));
    failed += answer_add(o, "warnings", remarks_warnings(s));
    failed +=
        answer_add(o, "against", s->against ? json_string(s->against) : json_null());
    failed += answer_add(o, "tolerances", page_tolerances(s));
    failed += answer_add(o, "sets", page_sets(s, suite));
    failed += answer_add(o, "definition", json_string(RESIDUAL_DEFINITION_HTML));
    failed += answer_add(o, "columns", page_columns());
    return failed;
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

static size_t page_set(const stored_runs *s, const char *set)
{
    return name_list_find(&s->sets, set); /* it is there */
}

/* A list of indices, one per run. */
static int page_add_places(json_t *runs, const char *name, const size_t *places,
                           size_t count)
{
    json_t *list = json_array();
    int failed = list == NULL;

    for (size_t i = 0; i < count && !failed; i++) {
        failed += json_array_append_new(list, json_integer((json_int_t)places[i])) != 0;
    }
    return failed + answer_add(runs, name, list);
}

/* The members that are indices; `at` is scratch. */
static int page_run_places(json_t *runs, const stored_runs *s, json_t *labels,
                           json_t *endings, size_t *at)
{
    int failed = 0;

    for (size_t i = 0; i < s->count; i++) {
        at[i] = page_set(s, s->runs[i].set);
    }
    failed += page_add_places(runs, "set", at, s->count);
    for (size_t i = 0; i < s->count; i++) {
        at[i] = page_place(labels, s->runs[i].label);
    }
    failed += page_add_places(runs, "solver", at, s->count);
    for (size_t i = 0; i < s->count; i++) {
        at[i] = page_tolerance(s, s->runs[i].tolerance);
    }
    failed += page_add_places(runs, "tolerance", at, s->count);
    for (size_t i = 0; i < s->count; i++) {
        at[i] = page_place(endings, s->runs[i].ending);
        failed += at[i] == SIZE_MAX;
    }
    failed += page_add_places(runs, "ending", at, s->count);
    for (size_t i = 0; i < s->count; i++) {
        at[i] = s->runs[i].folder;
    }
    return failed + page_add_places(runs, "folder", at, s->count);
}

/* A list of numbers for each measure. */
static int page_run_measures(json_t *runs, const stored_runs *s, const json_t *measures)
{
    int failed = 0;

    for (size_t k = 0; k < json_array_size(measures); k++) {
        const char *key = member_text(json_array_get(measures, k), "key");
        json_t *list = json_array();

        for (size_t i = 0; i < s->count && list && !failed; i++) {
            double x = page_measure_of(&s->runs[i], key);

            failed += json_array_append_new(list, page_number(x, PAGE_DIGITS)) != 0;
        }
        failed += answer_add(runs, key, list);
    }
    return failed;
}

/* "values": a list for each parameter; null in a run that does not have it. */
static int page_run_values(json_t *runs, const stored_runs *s, const name_list *varied)
{
    json_t *values = json_object();
    int failed = values == NULL;

    for (size_t k = 0; k < varied->count; k++) {
        json_t *list = json_array();

        for (size_t i = 0; i < s->count && list && !failed; i++) {
            const json_t *vary = json_object_get(s->runs[i].json, "vary");

            failed +=
                json_array_append_new(list, answer_copy(vary, varied->names[k])) != 0;
        }
        failed += answer_add(values, varied->names[k], list);
    }
    return failed + answer_add(runs, "values", values);
}

/* The lists of names and "runs", which refers to them. */
static int page_lists(json_t *o, const stored_runs *s, const name_list *varied,
                      size_t *instance)
{
    json_t *labels = json_object(), *endings = json_object(), *runs = json_object();
    json_t *measures = page_measures(s);
    int failed = answer_add(o, "solvers", page_solvers(s, labels));

    failed += page_add_places(runs, "instance", instance, s->count);
    failed += page_run_places(runs, s, labels, endings, instance);
    failed += page_run_measures(runs, s, measures);
    failed += page_run_values(runs, s, varied);
    failed += answer_add(o, "parameters", page_parameters(s, varied));
    failed += answer_add(o, "measures", measures);
    failed += answer_add(o, "endings", page_endings(endings));
    failed += answer_add(o, "runs", runs);
    json_decref(labels);
    json_decref(endings);
    return failed;
}

/* -- the whole ----------------------------------------------------------------------------- */

/* Instances, ranking and tables, which can fail for other reasons than memory. */
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
    if (status == PERP_OK && json_object_set(o, "instances", instances) +
                                     json_object_set(o, "ranking", ranking) +
                                     json_object_set(o, "tables", tables) !=
                                 0) {
        status = perp_fail(err, PERP_ERR_MEMORY, "the page: no memory for its tables");
    }
    json_decref(instances);
    json_decref(ranking);
    json_decref(tables);
    return status;
}

perp_status page_data_make(const stored_runs *s, const against *changes, json_t **report,
                           json_t **details, perp_error *err)
{
    size_t *instance = calloc(s->count + 1, sizeof *instance);
    json_t *suite = page_suite(s), *o = json_object();
    name_list varied = {.count = 0};
    int failed = !instance || !o || !varied_fields(s, &varied);
    perp_status status = PERP_OK;

    *report = *details = NULL;
    if (!failed) {
        failed += page_head(o, s, suite);
        status = page_parts(o, s, instance, err);
    }
    if (!failed && status == PERP_OK) {
        failed += page_lists(o, s, &varied, instance);
        failed += answer_add(o, "changes", page_changes(s, changes));
        *details = page_details(s);
        failed += *details == NULL;
    }
    name_list_clear(&varied);
    free(instance);
    json_decref(suite);
    if (status == PERP_OK && failed) {
        status = perp_fail(err, PERP_ERR_MEMORY, "the page: no memory for its data");
    }
    if (status != PERP_OK) {
        json_decref(o);
        json_decref(*details);
        *details = NULL;
        return status;
    }
    *report = o;
    return PERP_OK;
}
