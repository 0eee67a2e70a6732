/* SPDX-License-Identifier: Apache-2.0
 * report/run_tables.c: stored runs as tables of instances times solvers. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "runs.h"

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
            t->cell[name_list_find(&t->instances, run->instance) * t->labels.count +
                    name_list_find(&t->labels, run->label)] = run;
        }
    }
    return PERP_OK;
}

void run_table_free(run_table *t)
{
    name_list_clear(&t->instances);
    name_list_clear(&t->labels);
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
