/* SPDX-License-Identifier: Apache-2.0
 * runner/suite.c: a suite read and checked, with its sets. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "experiments/cli/data.h"
#include "experiments/runner/subject.h"
#include "experiments/runner/suite_parts.h"

enum { SUITE_KEYS = 512 };

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
    return document_keys(d, known, err);
}

static perp_status suite_read_name(const suite *s, size_t k, const document *d,
                                   perp_error *err)
{
    suite_set *set = &s->sets[k];
    document name = document_member(d, "name");
    perp_status status = document_text(&name, &set->name, err);

    if (status != PERP_OK) {
        return status;
    }
    if (!set->name || !set->name[0] || strpbrk(set->name, "/ \t\n")) {
        return document_fail(&name, err, "expected a name without blanks and slashes");
    }
    for (size_t j = 0; j < k; j++) {
        if (strcmp(s->sets[j].name, set->name) == 0) {
            return document_fail(&name, err, "\"%s\" is the name of sets[%zu] as well",
                                 set->name, j);
        }
    }
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
static perp_status suite_read_subjects(suite_set *set, const char *folder,
                                       const document *d, perp_error *err)
{
    size_t lists = 0;
    perp_status status = PERP_OK;

    for (size_t k = 0; subjects[k]; k++) {
        lists += json_object_get(d->value, subjects[k]->list) != NULL;
    }
    for (size_t k = 0; subjects[k] && status == PERP_OK; k++) {
        const suite_reader r = {
            .set = set, .type = subjects[k], .what = subjects[k]->name, .folder = folder};
        document list = document_member(d, subjects[k]->list);

        if (list.value || (lists == 0 && k == 0)) {
            status = suite_read_list(&r, &list, err);
        }
    }
    return status;
}

static perp_status suite_read_set(suite *s, size_t k, const suite_rules *usual,
                                  const document *d, perp_error *err)
{
    suite_set *set = &s->sets[k];
    document solvers = document_member(d, "solvers");
    perp_status status = suite_check_keys(d, "name|title|solvers", true, err);

    set->rules = *usual;
    if (status == PERP_OK) {
        status = suite_read_name(s, k, d, err);
    }
    if (status == PERP_OK) {
        status = suite_read_rules(&set->rules, d, err);
    }
    if (status == PERP_OK) {
        status = suite_read_subjects(set, s->folder, d, err);
    }
    return status == PERP_OK ? suite_read_solvers(set, &solvers, err) : status;
}

static perp_status suite_read_sets(suite *s, const suite_rules *usual,
                                   const document *sets, perp_error *err)
{
    perp_status status = document_array(sets, err);

    if (status != PERP_OK) {
        return status;
    }
    s->set_count = json_array_size(sets->value);
    s->sets = calloc(s->set_count + 1, sizeof *s->sets);
    if (!s->sets) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", sets->file);
    }
    for (size_t k = 0; k < s->set_count && status == PERP_OK; k++) {
        document item = document_item(sets, k);

        status = suite_read_set(s, k, usual, &item, err);
    }
    return status;
}

static perp_status suite_read_root(suite *s, const document *d, perp_error *err)
{
    document name = document_member(d, "name");
    document title = document_member(d, "title");
    document description = document_member(d, "description");
    document sets = document_member(d, "sets");
    suite_rules usual;
    perp_status status = suite_check_keys(d, "name|title|description|sets", false, err);

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
        status = suite_read_rules(&usual, d, err);
    }
    if (status == PERP_OK && (!s->name || !s->name[0])) {
        status = document_fail(&name, err, "expected the name of the suite");
    }
    return status == PERP_OK ? suite_read_sets(s, &usual, &sets, err) : status;
}

static perp_status suite_load(suite *s, const char *path, perp_error *err)
{
    document root = {path, NULL, ""};
    json_error_t where;
    size_t length = 0;
    perp_status status = perp_file_slurp(path, &s->text, &length, err);

    if (status != PERP_OK) {
        return status;
    }
    s->json = json_loadb(s->text, length, JSON_REJECT_DUPLICATES, &where);
    if (!s->json) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s", path, where.line,
                         where.column, where.text);
    }
    root.value = s->json;
    return suite_read_root(s, &root, err);
}

perp_status suite_read(suite **out, const char *path, perp_error *err)
{
    suite *s = calloc(1, sizeof *s);
    perp_status status = PERP_OK;

    *out = NULL;
    if (!s || !(s->folder = strndup(path, data_folder_length(path)))) {
        free(s);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", path);
    }
    status = suite_load(s, path, err);
    if (status != PERP_OK) {
        suite_free(s);
        return status;
    }
    *out = s;
    return PERP_OK;
}

void suite_free(suite *s)
{
    if (!s) {
        return;
    }
    for (size_t k = 0; s->sets && k < s->set_count; k++) {
        for (size_t i = 0; i < s->sets[k].entry_count; i++) {
            free(s->sets[k].entries[i].path);
            free(s->sets[k].entries[i].file);
        }
        free(s->sets[k].entries);
        free(s->sets[k].solvers);
    }
    free(s->sets);
    json_decref(s->json);
    free(s->text);
    free(s->folder);
    free(s);
}
