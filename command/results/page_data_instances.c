/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_instances.c: the instances of the page, with what instances.jsonl knows. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/results/page_data_parts.h"

enum { INSTANCES_DIGITS = 5 };

/* Add the descriptions of a folder to {hash: description}; a folder may have none. The last line
 * may be torn: a comparison is writing it. */
static perp_status instances_read(json_t *known, const char *folder, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_json_lines in;
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/instances.jsonl", folder);
    if (access(path, F_OK) != 0) {
        return PERP_OK;
    }
    TRY(perp_json_lines_open(&in, path, "", err));
    while (status == PERP_OK && perp_json_lines_next(&in)) {
        const char *hash = member_text(in.json, "hash");

        if (*hash) {
            json_object_set(known, hash, in.json);
        } else if (in.whole) {
            status = perp_fail(
                err, PERP_ERR_FORMAT,
                "%s:%zu: found no description of an instance, expected one per line",
                path, in.number);
        }
    }
    return perp_json_lines_close(&in, status, err);
}

/* Why nothing is known of the matrix of this subject. */
static const char *instances_note(const stored_run *run)
{
    if (strcmp(member_text(run->json, "kind"), "scene") == 0) {
        return "a scene: its problems change from step to step";
    }
    if (*run->policy) {
        return "a sequence of problems";
    }
    return "not computed: these results have no description of the instance";
}

/* "spectrum" with few digits, or null. */
static json_t *instances_spectrum(const json_t *described)
{
    const json_t *all = json_object_get(described, "spectrum");
    json_t *list = json_is_array(all) ? json_array() : json_null();

    for (size_t k = 0; k < json_array_size(all); k++) {
        double x = json_number_value(json_array_get(all, k));

        json_array_append_new(list, page_number(x, INSTANCES_DIGITS));
    }
    return list;
}

static json_t *instances_entry(const stored_run *run, const json_t *known)
{
    const json_t *record = run->json;
    const json_t *described = json_object_get(known, member_text(record, "hash"));
    const json_t *vary = json_object_get(record, "vary");
    const char *note = described ? member_text(described, "note") : instances_note(run);
    json_t *o = json_object();

    answer_add(o, "name", json_string(run->instance));
    answer_add(o, "problem", json_string(run->problem));
    answer_add(o, "kind", answer_text(member_text(record, "kind")));
    answer_add(o, "law", answer_text(run->law));
    answer_add(o, "n", answer_copy(record, "n"));
    answer_add(o, "contacts", answer_copy(record, "contacts"));
    answer_add(o, "nonzeros", answer_copy(record, "nonzeros"));
    answer_add(o, "file", answer_text(member_text(record, "file")));
    answer_add(o, "hash", answer_text(member_text(record, "hash")));
    answer_add(o, "values",
               json_is_object(vary) ? json_copy((json_t *)(uintptr_t)vary)
                                    : json_object());
    answer_add(o, "rank", answer_copy(described, "rank"));
    answer_add(o, "condition",
               page_number(member_number(described, "condition", (double)NAN),
                           INSTANCES_DIGITS));
    answer_add(o, "spectrum", instances_spectrum(described));
    answer_add(o, "pattern", answer_copy(described, "pattern"));
    answer_add(o, "note", json_string(note));
    return o;
}

/* Keep of the values of an instance those that this run has, too. A scene that crashed does not know
 * whether it has contacts: the law is that of any run. */
static void instances_narrow(json_t *entry, const stored_run *run)
{
    const json_t *vary = json_object_get(run->json, "vary");
    json_t *values = json_object_get(entry, "values");
    const char *name = NULL;
    json_t *value = NULL;
    void *next = NULL;

    if (*run->law) {
        json_object_set_new(entry, "law", answer_text(run->law));
    }
    json_object_foreach_safe(values, next, name, value)
    {
        if (!json_equal(value, json_object_get(vary, name))) {
            json_object_del(values, name);
        }
    }
}

/* What tells instances apart: a set may reformulate the problem of another one, or change its
 * law. */
static char *instances_key(const stored_run *run)
{
    const char *hash = member_text(run->json, "hash");

    return take_format("%s\n%s\n%.17g\n%s", run->instance, *hash ? hash : run->set,
                       run->n, member_text(run->json, "law"));
}

/* The list, and the place of the instance of each run. */
static void instances_list(const stored_runs *s, const json_t *known, json_t *list,
                           size_t *of)
{
    json_t *places = json_object();

    for (size_t i = 0; i < s->count; i++) {
        char *key = instances_key(&s->runs[i]);

        of[i] = page_place(places, key);
        free(key);
        if (of[i] == json_array_size(list)) {
            json_array_append_new(list, instances_entry(&s->runs[i], known));
        } else {
            instances_narrow(json_array_get(list, of[i]), &s->runs[i]);
        }
    }
    json_decref(places);
}

perp_status page_instances(const stored_runs *s, json_t **instances, size_t *of,
                           perp_error *err)
{
    json_t *known = json_object();
    perp_status status = PERP_OK;

    *instances = json_array();
    for (size_t k = 0; status == PERP_OK && k < s->folder_count; k++) {
        status = instances_read(known, s->folders[k], err);
    }
    if (status == PERP_OK) {
        instances_list(s, known, *instances, of);
    }
    json_decref(known);
    return status;
}
