/* SPDX-License-Identifier: Apache-2.0
 * runner/suite.c: a suite read and checked, with its sets. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/data.h"
#include "command/cli/take.h"

enum { SUITE_KEYS = 512 };

perp_status suite_keys(const document *d, const char *known, perp_error *err)
{
    static const char *const old[] = {"law", "formulation"};
    perp_error inner = {0};

    for (size_t k = 0; k < sizeof old / sizeof *old; k++) {
        if (json_object_get(d->value, old[k])) {
            return document_fail(d, err, "\"%s\" is now \"friction\"", old[k]);
        }
    }
    return document_keys(d, known, &inner) == PERP_OK
               ? PERP_OK
               : perp_fail(err, inner.status, "%s; see perp info --schema suite",
                           inner.text);
}

/* Fail unless the keys of d are `own` ones, lists of subjects where `lists` says so, or
 * rules. */
static perp_status suite_check_keys(const document *d, const char *own, bool lists,
                                    perp_error *err)
{
    char known[SUITE_KEYS];
    size_t used = (size_t)snprintf(known, sizeof known, "%s|", own);

    for (size_t k = 0; lists && subjects[k] && used < sizeof known; k++) {
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s|", subjects[k]->list);
    }
    suite_rule_names(known + used, sizeof known - used);
    return suite_keys(d, known, err);
}

/* "mu-x-ratio" for "mu x ratio". */
static perp_status suite_fail_name(const document *d, const char *name, perp_error *err)
{
    char better[COLUMN_NAME];

    snprintf(better, sizeof better, "%s", name ? name : "");
    for (char *at = better; *at; at++) {
        *at = strchr("/ \t\n", *at) ? '-' : *at;
    }
    return document_fail(d, err, "expected a name without blanks and slashes%s%s%s",
                         *better ? ", such as \"" : "", better, *better ? "\"" : "");
}

/* The name of set k, which no set before it has; `names` holds their numbers. */
static perp_status suite_read_name(const document *sets, size_t k, json_t *names,
                                   const char **text, perp_error *err)
{
    document d = document_item(sets, k);
    document name = document_member(&d, "name");
    const json_t *other = NULL;

    TRY(document_text(&name, text, err));
    if (!*text || !**text || strpbrk(*text, "/ \t\n")) {
        return suite_fail_name(&name, *text, err);
    }
    other = json_object_get(names, *text);
    if (other) {
        return document_fail(&name, err, "\"%s\" is the name of sets[%zu] as well", *text,
                             (size_t)json_integer_value(other));
    }
    json_object_set_new(names, *text, json_integer((json_int_t)k));
    return PERP_OK;
}

/* The subjects of one type that a set lists. */
static perp_status suite_read_list(const suite_reader *r, const document *list,
                                   perp_error *err)
{
    size_t before = r->set->entry_count;
    perp_status status = document_array(list, err);

    for (size_t k = 0; status == PERP_OK && k < json_array_size(list->value); k++) {
        document item = document_item(list, k);

        status = r->type->read(r, &item, err);
    }
    return status == PERP_OK && r->set->entry_count == before
               ? document_fail(list, err, "found no %s", r->type->name)
               : status;
}

/* The subjects of a set; without any, the list of the first type is missed. */
static perp_status suite_read_subjects(suite_set *set, suite_vary *vary,
                                       const char *folder, const document *d,
                                       perp_error *err)
{
    size_t lists = 0;
    perp_status status = PERP_OK;

    for (size_t k = 0; subjects[k]; k++) {
        lists += json_object_get(d->value, subjects[k]->list) != NULL;
    }
    for (size_t k = 0; subjects[k] && status == PERP_OK; k++) {
        const suite_reader r = {.set = set,
                                .type = subjects[k],
                                .what = subjects[k]->name,
                                .folder = folder,
                                .vary = vary};
        document list = document_member(d, subjects[k]->list);

        if (list.value || (lists == 0 && k == 0)) {
            status = suite_read_list(&r, &list, err);
        }
    }
    return status;
}

/* The set at the present combination of what varies. */
static perp_status suite_read_point(suite *s, const char *name, const suite_rules *usual,
                                    suite_vary *vary, const document *d, perp_error *err)
{
    document solvers = document_member(d, "solvers");
    suite_set *set = NULL;
    perp_status status = PERP_OK;

    if (s->set_count == SUITE_SETS) {
        return document_fail(d, err, "more than %d combinations of what varies",
                             SUITE_SETS);
    }
    set = suite_grow((void **)&s->sets, &s->set_count, &s->set_room, sizeof *set);
    set->name = name;
    set->rules = *usual;
    status = suite_read_rules(&set->rules, d, err);
    if (status == PERP_OK) {
        status = suite_vary_rules(vary, set, s->kept, err);
    }
    if (status == PERP_OK) {
        status = suite_read_subjects(set, vary, s->folder, d, err);
    }
    return status == PERP_OK ? suite_read_solvers(set, vary, &solvers, err) : status;
}

/* A set at all combinations of what varies. */
static perp_status suite_read_points(suite *s, const char *name, const suite_rules *usual,
                                     suite_vary *vary, const document *d, perp_error *err)
{
    perp_status status = PERP_OK;

    do {
        status = suite_read_point(s, name, usual, vary, d, err);
    } while (status == PERP_OK && suite_odometer_next(&vary->odometer));
    return status;
}

/* A set by its own "vary", or by that of the suite. */
static perp_status suite_read_set(suite *s, size_t k, json_t *names,
                                  const suite_rules *usual, suite_vary *all,
                                  const document *sets, perp_error *err)
{
    const document d = document_item(sets, k);
    document own = document_member(&d, "vary");
    const char *name = NULL;
    suite_vary vary;
    perp_status status = PERP_OK;

    TRY(suite_check_keys(&d, "name|title|solvers|vary|figures", true, err));
    TRY(suite_read_name(sets, k, names, &name, err));
    if (!own.value) {
        status = suite_read_points(s, name, usual, all, &d, err);
        suite_vary_concern(all, &d);
        return status;
    }
    status = suite_vary_read(&vary, &own, err);
    if (status == PERP_OK) {
        status = suite_read_points(s, name, usual, &vary, &d, err);
    }
    if (status == PERP_OK) {
        suite_vary_concern(&vary, &d);
        status = suite_vary_check(&vary, &d, err);
    }
    suite_vary_clear(&vary);
    return status;
}

static perp_status suite_read_sets(suite *s, const suite_rules *usual,
                                   const document *root, perp_error *err)
{
    document sets = document_member(root, "sets"), vary = document_member(root, "vary");
    json_t *names = json_object();
    suite_vary all;
    perp_status status = suite_vary_read(&all, &vary, err);

    if (status == PERP_OK) {
        status = document_array(&sets, err);
    }
    for (size_t k = 0; k < json_array_size(sets.value) && status == PERP_OK; k++) {
        status = suite_read_set(s, k, names, usual, &all, &sets, err);
    }
    json_decref(names);
    if (status == PERP_OK) { /* of the suite: a name that no set has */
        document last = document_item(&sets, json_array_size(sets.value) - 1);

        status = suite_vary_check(&all, &last, err);
    }
    suite_vary_clear(&all);
    return status;
}

static perp_status suite_read_root(suite *s, const document *d, perp_error *err)
{
    document name = document_member(d, "name");
    document title = document_member(d, "title");
    document description = document_member(d, "description");
    suite_rules usual;
    perp_status status = suite_check_keys(
        d, "name|title|description|plugin|sets|vary|figures", false, err);

    suite_rules_default(&usual);
    if (status == PERP_OK) {
        status = document_text(&name, &s->name, err);
    }
    if (status == PERP_OK) {
        status = document_text(&title, &s->title, err);
    }
    if (status == PERP_OK) {
        status = document_text(&description, &s->description, err);
    }
    if (status == PERP_OK) {
        status = suite_read_plugins(s, d, err);
    }
    if (status == PERP_OK) {
        status = suite_read_rules(&usual, d, err);
    }
    if (status == PERP_OK && (!s->name || !s->name[0])) {
        status = document_fail(&name, err, "expected the name of the suite");
    }
    return status == PERP_OK ? suite_read_sets(s, &usual, d, err) : status;
}

/* The document as a file of its own. */
static char *suite_dump(const json_t *json)
{
    char *text = json_dumps(json, JSON_INDENT(4));
    char *line = take_format("%s\n", text);

    free(text);
    return line;
}

/* The text beside the results is that of the merged document. */
static perp_status suite_merge(suite *s, suite_size size, const char *path,
                               perp_error *err)
{
    TRY(suite_merge_quick(s->json, size, path, err));
    if (size == SUITE_QUICK) {
        free(s->text);
        s->text = suite_dump(s->json);
    }
    return PERP_OK;
}

static perp_status suite_load(suite *s, const char *path, suite_size size,
                              perp_error *err)
{
    document root = {path, NULL, "", false};
    json_error_t where;
    size_t length = 0;
    perp_status status = PERP_OK;

    TRY(perp_file_slurp(path, &s->text, &length, err));
    s->json = json_loadb(s->text, length, JSON_REJECT_DUPLICATES, &where);
    if (!s->json) {
        perp_json_hush(&where, s->text, length);
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s", path, where.line,
                         where.column, where.text);
    }
    root.value = s->json;
    status = suite_merge(s, size, path, err);
    return status == PERP_OK ? suite_read_root(s, &root, err) : status;
}

perp_status suite_read(suite **out, const char *path, suite_size size, perp_error *err)
{
    suite *s = take(1, sizeof *s);
    perp_status status = PERP_OK;

    *out = NULL;
    s->folder = take_part(path, data_folder_length(path));
    s->kept = json_array();
    s->size = size;
    status = suite_load(s, path, size, err);
    if (status != PERP_OK) {
        suite_free(s);
        return status;
    }
    *out = s;
    return PERP_OK;
}

static void set_clear(suite_set *set)
{
    for (size_t i = 0; i < set->entry_count; i++) {
        free(set->entries[i].path);
        free(set->entries[i].file);
        suite_columns_clear(&set->entries[i].columns);
    }
    for (size_t i = 0; i < set->solver_count; i++) {
        suite_columns_clear(&set->solvers[i].columns);
    }
    suite_columns_clear(&set->columns);
    perp_index_clear(&set->by_name);
    perp_index_clear(&set->by_problem);
    perp_index_clear(&set->by_file);
    free(set->entries);
    free(set->solvers);
}

void suite_free(suite *s)
{
    if (!s) {
        return;
    }
    for (size_t k = 0; s->sets && k < s->set_count; k++) {
        set_clear(&s->sets[k]);
    }
    free(s->sets);
    json_decref(s->only);
    json_decref(s->kept);
    json_decref(s->json);
    free(s->text);
    free(s->folder);
    free(s);
}
