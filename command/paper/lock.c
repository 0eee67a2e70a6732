/* SPDX-License-Identifier: Apache-2.0
 * paper/lock.c: lock.json: from which problems, machines, versions and seeds results came. */
#include <config.h>

#include <stdlib.h>

#include "base/json.h"
#include "command/paper/paper.h"
#include "command/results/files.h"

/* Add a text to a list of distinct ones. */
static int lock_add_distinct(json_t *list, const json_t *value)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        if (json_equal(json_array_get(list, k), value)) {
            return 0;
        }
    }
    return value ? json_array_append_new(list, json_deep_copy(value)) : 0;
}

/* What distinguishes one machine and build from another, without what changes from run to run. */
static json_t *lock_machine(const json_t *machine)
{
    static const char *const members[] = {"version", "commit", "compiler", "flags",
                                          "cpu",     "blas",   "threads"};
    json_t *o = json_object();

    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        json_t *value = json_object_get(machine, members[k]);

        if (value) {
            json_object_set(o, members[k], value);
        }
    }
    return o;
}

/* {"suite", "runs", "solved", "seeds", "limits", "instances": {name: hash}, …} */
static json_t *lock_study(const paper_study *s, json_t *machines)
{
    json_t *instances = json_object(), *seeds = json_array(), *limits = json_array();
    size_t solved = 0;
    int failed = 0;

    for (size_t i = 0; i < s->runs.count; i++) {
        const stored_run *run = &s->runs.runs[i];
        json_t *machine = lock_machine(json_object_get(run->json, "machine"));
        json_t *hash = json_object_get(run->json, "hash");

        solved += run->solved;
        failed += lock_add_distinct(machines, machine);
        failed += lock_add_distinct(seeds, json_object_get(run->json, "seed"));
        failed += lock_add_distinct(limits, json_object_get(run->json, "limits"));
        if (hash) {
            json_object_set(instances, run->instance, hash);
        }
        json_decref(machine);
    }
    if (failed) {
        json_decref(instances);
        json_decref(seeds);
        json_decref(limits);
        return NULL;
    }
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "suite", s->suite, "runs",
                     (json_int_t)s->runs.count, "solved", (json_int_t)solved, "seeds",
                     seeds, "limits", limits, "instances", instances);
}

perp_status paper_lock_write(const paper *p, const char *folder, perp_error *err)
{
    json_t *machines = json_array(), *studies = json_object();
    char *text = NULL;
    perp_file_out o;
    perp_status status = PERP_OK;
    json_t *lock = NULL;
    bool whole = true;

    for (size_t k = 0; k < p->study_count && whole; k++) {
        json_t *study = lock_study(&p->studies[k], machines);

        whole = study && json_object_set_new(studies, p->studies[k].name, study) == 0;
    }
    lock = json_pack("{s:s, s:o, s:f, s:f, s:o}", "schema", "perp-lock/1", "machines",
                     machines, "times_factor", p->times, "curves_tolerance", p->curves,
                     "studies", studies);
    text = lock && whole ? json_dumps(lock, JSON_INDENT(1)) : NULL;
    json_decref(lock);
    status = report_open(&o, err, "%s/lock.json", folder);
    if (status == PERP_OK) {
        fprintf(o.f, "%s\n", text);
        status = perp_file_commit(&o, err);
    }
    free(text);
    return status;
}
