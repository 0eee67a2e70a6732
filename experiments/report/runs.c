/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/runs.c: read stored runs and arrange them as tables. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

const json_t *run_foreign(const stored_run *run)
{
    const json_t *foreign = run ? json_object_get(run->json, "foreign") : NULL;

    return json_is_object(foreign) ? foreign : NULL;
}

const char *run_ending(const stored_run *run)
{
    if (!run) {
        return "not run";
    }
    if (run->solved) {
        return "solved";
    }
    if (strcmp(run->status, "unsuitable") == 0) {
        return "not applicable";
    }
    if (strcmp(run->status, "ok") != 0) {
        return run->status;
    }
    if (strcmp(run->outcome, "solved") == 0) {
        return "solved its approximation";
    }
    return *run->outcome ? run->outcome : "no outcome";
}

static stored_run run_from(json_t *json)
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
static bool runs_add(const reading *in, json_t *json, size_t line)
{
    stored_runs *s = in->into;
    const char *key = member_text(json, "key");
    const json_t *place = json_object_get(in->place_of_key, key);
    stored_run *runs = NULL;

    if (*key && place) {
        stored_run *earlier = &s->runs[json_integer_value(place)];

        json_decref(earlier->json);
        *earlier = run_from(json);
        earlier->line = line;
        return true;
    }
    runs = realloc(s->runs, (s->count + 1) * sizeof *runs);
    if (!runs) {
        return false;
    }
    s->runs = runs;
    if (json_object_set_new(in->place_of_key, key, json_integer((json_int_t)s->count))) {
        return false;
    }
    s->runs[s->count] = run_from(json);
    s->runs[s->count++].line = line;
    return true;
}

bool name_list_add(name_list *list, const char *name)
{
    const char **names = NULL;

    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->names[i], name) == 0) {
            return true;
        }
    }
    names = realloc(list->names, (list->count + 1) * sizeof *names);
    if (!names) {
        return false;
    }
    list->names = names;
    list->names[list->count++] = name;
    return true;
}

static bool tolerance_add(stored_runs *s, double tolerance)
{
    size_t place = 0;
    double *all = NULL;

    while (place < s->tolerance_count && s->tolerances[place] > tolerance) {
        place++;
    }
    if (place < s->tolerance_count && s->tolerances[place] == tolerance) {
        return true;
    }
    all = realloc(s->tolerances, (s->tolerance_count + 1) * sizeof *all);
    if (!all) {
        return false;
    }
    s->tolerances = all;
    memmove(all + place + 1, all + place, (s->tolerance_count - place) * sizeof *all);
    all[place] = tolerance;
    s->tolerance_count++;
    return true;
}

static perp_status read_line(const reading *in, const char *line, size_t length,
                             bool last, size_t number, perp_error *err)
{
    json_error_t at;
    json_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &at);

    if (!json_is_object(json) || !*member_text(json, "label")) {
        json_decref(json);
        return last ? PERP_OK /* torn: --resume makes the run again */
                    : perp_fail(err, PERP_ERR_FORMAT,
                                "%s:%zu: found no run, expected one JSON object",
                                in->path, number);
    }
    if (!runs_add(in, json, number)) {
        json_decref(json);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu runs",
                         in->into->count + 1);
    }
    return PERP_OK;
}

static perp_status read_lines(const reading *in, FILE *f, perp_error *err)
{
    perp_status status = PERP_OK;
    char *line = NULL;
    size_t room = 0;
    size_t number = 0;
    ssize_t length = 0;

    while (status == PERP_OK && (length = getline(&line, &room, f)) > 0) {
        status =
            read_line(in, line, (size_t)length, line[length - 1] != '\n', ++number, err);
    }
    if (status == PERP_OK && ferror(f)) {
        status = perp_fail(err, PERP_ERR_READ, "%s: %s", in->path, strerror(errno));
    }
    free(line);
    return status;
}

/* The order of the suite, whichever run finished first; runs without a place as stored.
 * */
static int by_place(const void *a, const void *b)
{
    const stored_run *x = a;
    const stored_run *y = b;

    int places = (x->place > y->place) - (x->place < y->place);

    return places ? places : (x->line > y->line) - (x->line < y->line);
}

perp_status runs_read(stored_runs *s, const char *dir, perp_error *err)
{
    char path[1024];
    perp_status status = PERP_OK;
    reading in = {.into = s, .path = path};
    FILE *f = NULL;

    memset(s, 0, sizeof *s);
    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    f = fopen(path, "r");
    if (!f) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s, expected the runs of perp compare",
                         path, strerror(errno));
    }
    in.place_of_key = json_object();
    status = in.place_of_key ? read_lines(&in, f, err)
                             : perp_fail(err, PERP_ERR_MEMORY, "no memory for runs");
    json_decref(in.place_of_key);
    fclose(f);
    if (s->count) {
        qsort(s->runs, s->count, sizeof *s->runs, by_place);
    }
    for (size_t i = 0; status == PERP_OK && i < s->count; i++) {
        if (!name_list_add(&s->sets, s->runs[i].set) ||
            !tolerance_add(s, s->runs[i].tolerance)) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for the names of runs");
        }
    }
    if (status == PERP_OK && s->count == 0) {
        status = perp_fail(err, PERP_ERR_READ, "%s: contains no run", path);
    }
    if (status != PERP_OK) {
        runs_free(s);
    }
    return status;
}

void runs_free(stored_runs *s)
{
    for (size_t i = 0; i < s->count; i++) {
        json_decref(s->runs[i].json);
    }
    free(s->runs);
    free(s->sets.names);
    free(s->tolerances);
    memset(s, 0, sizeof *s);
}

static size_t place_of(const name_list *list, const char *name)
{
    size_t i = 0;

    while (strcmp(list->names[i], name) != 0) {
        i++;
    }
    return i;
}

/* Starts at or near the solution are available to no solver: runs with these policies are
 * compared with cold ones in tables of their own (warm.h). */
static bool belongs(const stored_run *run, const char *set, double tolerance)
{
    bool real =
        strcmp(run->policy, "oracle") != 0 && strcmp(run->policy, "perturbed") != 0;

    return real && strcmp(run->set, set) == 0 && run->tolerance == tolerance;
}

perp_status run_table_make(run_table *t, const stored_runs *s, const char *set,
                           double tolerance, perp_error *err)
{
    bool good = true;

    memset(t, 0, sizeof *t);
    t->set = set;
    t->tolerance = tolerance;
    t->sets = &s->sets;
    for (size_t i = 0; good && i < s->count; i++) {
        if (belongs(&s->runs[i], set, tolerance)) {
            good = name_list_add(&t->instances, s->runs[i].instance) &&
                   name_list_add(&t->labels, s->runs[i].label);
        }
    }
    if (good) {
        t->cell = calloc(t->instances.count * t->labels.count + 1, sizeof *t->cell);
    }
    if (!good || !t->cell) {
        run_table_free(t);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the table of set %s", set);
    }
    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if (belongs(run, set, tolerance)) {
            t->cell[place_of(&t->instances, run->instance) * t->labels.count +
                    place_of(&t->labels, run->label)] = run;
        }
    }
    return PERP_OK;
}

void run_table_free(run_table *t)
{
    free(t->instances.names);
    free(t->labels.names);
    free(t->cell);
    memset(t, 0, sizeof *t);
}

perp_status runs_visit(const stored_runs *s, const char *set, run_table_visit *visit,
                       void *context, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->sets.count * s->tolerance_count && status == PERP_OK; i++) {
        const char *name = s->sets.names[i / s->tolerance_count];
        run_table t;

        if (set && strcmp(set, name) != 0) {
            continue;
        }
        status = run_table_make(&t, s, name, s->tolerances[i % s->tolerance_count], err);
        if (status == PERP_OK) {
            status = visit(context, s, &t, err);
        }
        run_table_free(&t);
    }
    return status;
}
