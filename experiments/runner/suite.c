/* SPDX-License-Identifier: Apache-2.0
 * runner/suite.c: a suite read and checked; its sets. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/data.h"
#include "experiments/runner/suite_parts.h"
#include "base/file.h"

void *suite_grow(void **items, size_t *count, size_t *room, size_t size)
{
    char *base = *items;

    if (*count == *room) {
        size_t more = 2 * *room + 8;

        base = realloc(*items, more * size);
        if (!base) {
            return NULL;
        }
        *items = base;
        *room = more;
    }
    base += (*count)++ * size;
    memset(base, 0, size);
    return base;
}

static perp_status suite_read_set(suite *s, size_t k, const suite_rules *usual,
                                  const document *d, perp_error *err)
{
    suite_set *set = &s->sets[k];
    document name = document_member(d, "name");
    document instances = document_member(d, "instances");
    document sequences = document_member(d, "sequences");
    document scenes = document_member(d, "scenes");
    document solvers = document_member(d, "solvers");

    set->rules = *usual;
    if (document_keys(d, "name|title|instances|sequences|scenes|solvers|" SUITE_RULES,
                      err) != PERP_OK ||
        document_text(&name, &set->name, err) != PERP_OK) {
        return err->status;
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
    if (suite_read_rules(&set->rules, d, err) != PERP_OK) {
        return err->status;
    }
    if ((instances.value || (!sequences.value && !scenes.value)) &&
        suite_read_instances(set, s->folder, &instances, err) != PERP_OK) {
        return err->status;
    }
    if (sequences.value &&
        suite_read_sequences(set, s->folder, &sequences, err) != PERP_OK) {
        return err->status;
    }
    if (scenes.value && suite_read_scenes(set, s->folder, &scenes, err) != PERP_OK) {
        return err->status;
    }
    return suite_read_solvers(set, &solvers, err);
}

static perp_status suite_read_root(suite *s, const document *d, perp_error *err)
{
    document name = document_member(d, "name");
    document title = document_member(d, "title");
    document sets = document_member(d, "sets");
    suite_rules usual = {.limits = {60.0, 4096.0},
                         .tolerance = {1e-8},
                         .tolerances = 1,
                         .start = {"cold"},
                         .starts = 1,
                         .repeats = 1,
                         .seed = 1,
                         .history = true,
                         .arm = {ARM_COLD, ARM_WARM},
                         .arms = 2,
                         .noise = 0.01};

    if (document_keys(d, "name|title|sets|" SUITE_RULES, err) != PERP_OK ||
        document_text(&name, &s->name, err) != PERP_OK ||
        document_text(&title, &s->title, err) != PERP_OK ||
        suite_read_rules(&usual, d, err) != PERP_OK ||
        document_array(&sets, err) != PERP_OK) {
        return err->status;
    }
    if (!s->name || !s->name[0]) {
        return document_fail(&name, err, "expected the name of the suite");
    }
    s->set_count = json_array_size(sets.value);
    s->sets = calloc(s->set_count + 1, sizeof *s->sets);
    if (!s->sets) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    for (size_t k = 0; k < s->set_count; k++) {
        document item = document_item(&sets, k);

        if (suite_read_set(s, k, &usual, &item, err) != PERP_OK) {
            return err->status;
        }
    }
    return PERP_OK;
}

perp_status suite_read(suite **out, const char *path, perp_error *err)
{
    suite *s = calloc(1, sizeof *s);
    document root = {path, NULL, ""};
    json_error_t where;
    size_t length = 0;

    *out = NULL;
    if (!s || !(s->folder = strndup(path, data_folder_length(path)))) {
        free(s);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", path);
    }
    if (perp_file_slurp(path, &s->text, &length, err) != PERP_OK) {
        suite_free(s);
        return err->status;
    }
    s->json = json_loadb(s->text, length, JSON_REJECT_DUPLICATES, &where);
    if (!s->json) {
        suite_free(s);
        return perp_fail(err, PERP_ERR_FORMAT, "%s:%d:%d: %s", path, where.line,
                         where.column, where.text);
    }
    root.value = s->json;
    if (suite_read_root(s, &root, err) != PERP_OK) {
        suite_free(s);
        return err->status;
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
        for (size_t i = 0; i < s->sets[k].instance_count; i++) {
            free(s->sets[k].instances[i].path);
            free(s->sets[k].instances[i].file);
        }
        free(s->sets[k].instances);
        free(s->sets[k].solvers);
    }
    free(s->sets);
    json_decref(s->json);
    free(s->text);
    free(s->folder);
    free(s);
}
