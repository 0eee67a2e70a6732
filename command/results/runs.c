/* SPDX-License-Identifier: Apache-2.0
 * command/results/runs.c: read stored runs and arrange them as tables. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/json.h"
#include "command/campaign/record.h"
#include "command/cli/take.h"
#include "runs.h"

const char *member_text(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    return text ? text : "";
}

double member_number(const json_t *json, const char *key, double missing)
{
    const json_t *value = json_object_get(json, key);

    return json_is_number(value) ? json_number_value(value) : missing;
}

/* Of a sequence: the label without the policy at its end, which belongs to the record. */
static const char *run_without_policy(json_t *json, const char *label, const char *policy)
{
    size_t length = strlen(label), end = strlen(policy) + 1;

    if (strcmp(policy, "cold") == 0) {
        return label;
    }
    if (length <= end || label[length - end] != ' ' ||
        strcmp(label + length - end + 1, policy) != 0) {
        return member_text(json, "solver_label");
    }
    json_object_set_new(json, "label_cold", json_stringn(label, length - end));
    return member_text(json, "label_cold");
}

stored_run run_from(json_t *json)
{
    stored_run run = {.json = json};

    run.set = member_text(json, "set");
    run.instance = member_text(json, "instance");
    run.label = member_text(json, "label");
    run.status = member_text(json, "status");
    run.outcome = member_text(json, "outcome");
    run.reason = member_text(json, "reason");
    if (!*run.reason) {
        run.reason = member_text(json, "message"); /* unsuitable, or it crashed */
    }
    run.formulation = member_text(json, "formulation");
    run.law = record_law(json);
    run.n = member_number(json, "n", 0.0);
    run.contacts = member_number(json, "contacts", 0.0);
    run.nonzeros = member_number(json, "nonzeros", 0.0);
    run.tolerance = member_number(json, "tolerance", 0.0);
    run.residual = member_number(json, "residual", INFINITY);
    run.residual_given = member_number(json, "residual_given", run.residual);
    run.seconds = member_number(json, "seconds", NAN);
    run.iterations = member_number(json, "iterations", NAN);
    run.products = member_number(json_object_get(json, "work"), "products", NAN);
    run.limit = member_number(json_object_get(json, "limits"), "seconds", NAN);
    run.place = member_number(json, "place", INFINITY);
    run.problem = member_text(json, "problem");
    run.problem = *run.problem ? run.problem : run.instance;
    run.applicable = strcmp(run.status, "unsuitable") != 0;
    run.solved = json_is_true(json_object_get(json, "solved"));
    run.ending = run_ending(&run);
    run.policy = member_text(json, "policy");
    run.solver_label = member_text(json, "solver_label");
    if (*run.policy) {
        run.solver_label = run_without_policy(json, run.label, run.policy);
        double count = member_number(json, "count", 0.0);

        run.steps = count >= 0.0 && count < 1e9 ? (size_t)count : 0;
    }
    return run;
}

/* The state of reading: where the run of each key stands. */
typedef struct reading {
    stored_runs *into;
    json_t *place_of_key;
    const char *path;
} reading;

/* Add a run; it replaces an earlier one with the same key. */
static void runs_add(const reading *in, json_t *json, size_t line)
{
    stored_runs *s = in->into;
    const char *key = member_text(json, "key");
    const json_t *place = json_object_get(in->place_of_key, key);

    if (*key && place) {
        stored_run *earlier = &s->runs[json_integer_value(place)];

        json_decref(earlier->json);
        *earlier = run_from(json);
        earlier->line = line;
        return;
    }
    TAKE_ROOM(s->runs, s->room, s->count + 1);
    json_object_set_new(in->place_of_key, key, json_integer((json_int_t)s->count));
    s->runs[s->count] = run_from(json);
    s->runs[s->count++].line = line;
}

static uint64_t name_hash(const char *name)
{
    return perp_hash_bytes(PERP_HASH_START, name, strlen(name));
}

void name_list_add(name_list *list, const char *name)
{
    if (name_list_find(list, name) == list->count) {
        TAKE_ROOM(list->names, list->room, list->count + 1);
        take_made(perp_index_add(&list->index, name_hash(name), list->count) ? list
                                                                             : NULL);
        list->names[list->count++] = name;
    }
}

size_t name_list_find(const name_list *list, const char *name)
{
    size_t probe = 0, k = 0;

    while (perp_index_next(&list->index, name_hash(name), &probe, &k)) {
        if (strcmp(list->names[k], name) == 0) {
            return k;
        }
    }
    return list->count;
}

void name_list_clear(name_list *list)
{
    free(list->names);
    perp_index_clear(&list->index);
    *list = (name_list){.count = 0};
}

static void tolerance_add(stored_runs *s, double tolerance)
{
    size_t place = 0;
    double *all = NULL;

    while (place < s->tolerance_count && s->tolerances[place] > tolerance) {
        place++;
    }
    if (place < s->tolerance_count && s->tolerances[place] == tolerance) {
        return;
    }
    all = TAKE_ROOM(s->tolerances, s->tolerance_room, s->tolerance_count + 1);
    memmove(all + place + 1, all + place, (s->tolerance_count - place) * sizeof *all);
    all[place] = tolerance;
    s->tolerance_count++;
}

static perp_status read_lines(const reading *into, perp_error *err)
{
    perp_json_lines in;
    perp_status status = PERP_OK;

    TRY(perp_json_lines_open(&in, into->path, ", expected the runs of perp compare",
                             err));
    while (status == PERP_OK && perp_json_lines_next(&in)) {
        if (*member_text(in.json, "label")) {
            runs_add(into, json_incref(in.json), in.number);
        } else if (in.whole) { /* torn: --resume makes the run again */
            status = perp_fail(err, PERP_ERR_FORMAT,
                               "%s:%zu: found no run, expected one JSON object",
                               into->path, in.number);
        }
    }
    return perp_json_lines_close(&in, status, err);
}

/* The order of the suite, whichever run finished first; runs without a place as stored.
 * */
static int by_place(const void *a, const void *b)
{
    const stored_run *x = a;
    const stored_run *y = b;

    int places = (x->place > y->place) - (x->place < y->place);
    int folders = (x->folder > y->folder) - (x->folder < y->folder);

    return places    ? places
           : folders ? folders
                     : (x->line > y->line) - (x->line < y->line);
}

/* Add the runs of a folder, as stored. */
static perp_status read_folder(stored_runs *s, const char *dir, perp_error *err)
{
    char path[1024];
    perp_status status = PERP_OK;
    size_t before = s->count;
    reading in = {.into = s, .path = path};

    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    in.place_of_key = json_object();
    status = read_lines(&in, err);
    json_decref(in.place_of_key);
    if (status == PERP_OK) {
        runs_add_tolerances(s, before);
    }
    if (status == PERP_OK && s->count == before) {
        status = perp_fail(err, PERP_ERR_READ, "%s: contains no run", path);
    }
    return status;
}

/* List the sets and the tolerances. */
static void runs_index(stored_runs *s)
{
    name_list_clear(&s->sets);
    s->tolerance_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        name_list_add(&s->sets, s->runs[i].set);
        tolerance_add(s, s->runs[i].tolerance);
    }
}

bool runs_are_in(const char *dir)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/runs.jsonl", dir);

    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

/* The last part of a path, on the heap. */
static char *last_part(const char *dir)
{
    char *real = realpath(dir, NULL);
    const char *path = real ? real : dir;
    const char *slash = strrchr(path, '/');
    char *name = take_text(slash && slash[1] ? slash + 1 : path);

    free(real);
    return name;
}

char *runs_folder_name(const char *const *dirs, size_t count, size_t which)
{
    char *name = last_part(dirs[which]);

    for (size_t k = 0; k < count; k++) {
        char *other = k == which ? NULL : last_part(dirs[k]);

        if (other && strcmp(other, name) == 0) {
            free(other);
            free(name);
            return take_text(dirs[which]);
        }
        free(other);
    }
    return name;
}

/* Append " (NAME)" to a text of the record. */
static void suffix(json_t *json, const char *key, const char *name)
{
    if (*member_text(json, key)) {
        json_object_set_new(json, key,
                            json_sprintf("%s (%s)", member_text(json, key), name));
    }
}

/* In which folder a set has a label; count of folders: in several. */
static void note_labels(const stored_runs *s, size_t count, json_t *folder_of)
{
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];
        json_t *labels = json_object_get(folder_of, run->set);
        const json_t *folder = NULL;

        if (!labels) {
            labels = json_object();
            json_object_set_new(folder_of, run->set, labels);
        }
        folder = json_object_get(labels, run->label);
        if (!folder || (size_t)json_integer_value(folder) != run->folder) {
            size_t where = folder ? count : run->folder;

            json_object_set_new(labels, run->label, json_integer((json_int_t)where));
        }
    }
}

/* Tell apart the labels that occur in more than one folder. */
static void distinguish(stored_runs *s, const char *const *dirs, size_t count)
{
    json_t *folder_of = json_object();

    note_labels(s, count, folder_of);
    for (size_t i = 0; i < s->count; i++) {
        stored_run *run = &s->runs[i];
        const stored_run before = *run;
        const json_t *labels = json_object_get(folder_of, run->set);
        char *name = NULL;

        if ((size_t)json_integer_value(json_object_get(labels, run->label)) != count) {
            continue;
        }
        name = runs_folder_name(dirs, count, run->folder);
        suffix(run->json, "label", name);
        suffix(run->json, "solver_label", name);
        free(name);
        *run = run_from(run->json);
        run->line = before.line;
        run->folder = before.folder;
    }
    json_decref(folder_of);
}

/* Keep the paths of the folders. */
static void runs_keep_folders(stored_runs *s, const char *const *dirs, size_t count)
{
    s->folders = take(count + 1, sizeof *s->folders);
    while (s->folder_count < count) {
        s->folders[s->folder_count] = take_text(dirs[s->folder_count]);
        s->folder_count++;
    }
}

perp_status runs_read_folders(stored_runs *s, const char *const *dirs, size_t count,
                              perp_error *err)
{
    perp_status status = PERP_OK;

    memset(s, 0, sizeof *s);
    runs_keep_folders(s, dirs, count);
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        size_t first = s->count;

        status = read_folder(s, dirs[k], err);
        for (size_t i = first; i < s->count; i++) {
            s->runs[i].folder = k;
        }
    }
    if (status == PERP_OK && count > 1) {
        distinguish(s, dirs, count);
    }
    if (status == PERP_OK) {
        qsort(s->runs, s->count, sizeof *s->runs, by_place);
        runs_index(s);
    }
    if (status != PERP_OK) {
        runs_free(s);
    }
    return status;
}

perp_status runs_read(stored_runs *s, const char *dir, perp_error *err)
{
    return runs_read_folders(s, &dir, 1, err);
}

perp_status runs_keep_set(stored_runs *s, const char *set, perp_error *err)
{
    size_t kept = 0;
    char names[400] = "";

    for (size_t i = 0; i < s->sets.count; i++) {
        size_t end = strlen(names);

        kept += strcmp(s->sets.names[i], set) == 0;
        snprintf(names + end, sizeof names - end, "%s%s", i ? ", " : "",
                 s->sets.names[i]);
    }
    if (kept == 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "no run has the set \"%s\", expected one of: %s", set, names);
    }
    kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->runs[i].set, set) == 0) {
            s->runs[kept++] = s->runs[i];
        } else {
            json_decref(s->runs[i].json);
        }
    }
    s->count = kept;
    runs_index(s);
    return PERP_OK;
}

void runs_free(stored_runs *s)
{
    for (size_t i = 0; i < s->count; i++) {
        json_decref(s->runs[i].json);
    }
    for (size_t k = 0; k < s->folder_count; k++) {
        free(s->folders[k]);
    }
    free(s->folders);
    free(s->runs);
    name_list_clear(&s->sets);
    free(s->tolerances);
    memset(s, 0, sizeof *s);
}
