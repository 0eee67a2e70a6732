/* SPDX-License-Identifier: Apache-2.0
 * report/run_tables.c: stored runs as tables of instances times solvers. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/record.h"
#include "command/cli/take.h"
#include "runs.h"

/* Starts at or near the solution are available to no solver: runs with these policies are
 * compared with cold ones in tables of their own (warm.h). */
static bool belongs(const stored_run *run, const char *set, double tolerance)
{
    bool real =
        strcmp(run->policy, "oracle") != 0 && strcmp(run->policy, "perturbed") != 0;

    return real && strcmp(run->set, set) == 0 && run->tolerance == tolerance;
}

/* Of the runs with the numbers run[0 .. count]; NULL: of all. */
static void table_make(run_table *t, const stored_runs *s, const size_t *run,
                       size_t count, const char *set, double tolerance)
{
    memset(t, 0, sizeof *t);
    t->set = set;
    t->tolerance = tolerance;
    t->against = s->against;
    t->sets = &s->sets;
    for (size_t i = 0; i < count; i++) {
        const stored_run *r = &s->runs[run ? run[i] : i];

        if (belongs(r, set, tolerance)) {
            name_list_add(&t->instances, r->instance);
            name_list_add(&t->labels, r->label);
        }
    }
    t->cell = take(t->instances.count * t->labels.count + 1, sizeof *t->cell);
    for (size_t i = 0; i < count; i++) {
        const stored_run *r = &s->runs[run ? run[i] : i];

        if (belongs(r, set, tolerance)) {
            t->cell[name_list_find(&t->instances, r->instance) * t->labels.count +
                    name_list_find(&t->labels, r->label)] = r;
        }
    }
}

bool run_table_has_reference(const run_table *t)
{
    return t->against && name_list_find(&t->labels, t->against) < t->labels.count;
}

void run_table_make(run_table *t, const stored_runs *s, const char *set, double tolerance)
{
    table_make(t, s, NULL, s->count, set, tolerance);
}

perp_status runs_compare_with(stored_runs *s, const char *label, perp_error *err)
{
    perp_nearest nearest;
    name_list labels = {0};

    for (size_t i = 0; i < s->count; i++) {
        name_list_add(&labels, s->runs[i].label);
    }
    s->against = name_list_find(&labels, label) < labels.count ? label : NULL;
    perp_nearest_start(&nearest, label);
    for (size_t k = 0; k < labels.count; k++) {
        perp_nearest_offer(&nearest, labels.names[k]);
    }
    name_list_clear(&labels);
    if (s->against) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_OPTION, "no run has the solver \"%s\", %s", label,
                     perp_nearest_advice(&nearest));
}

const char *run_table_law(const run_table *t, char text[RUN_LAW_TEXT])
{
    size_t used = 0;
    const char *law = NULL;

    *text = '\0';
    for (size_t of = 0; (law = record_law_names[of]) != NULL; of++) {
        bool found = false;

        for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
            found = found || (t->cell[k] && strcmp(t->cell[k]->law, law) == 0);
        }
        if (found) {
            used += (size_t)snprintf(text + used, RUN_LAW_TEXT - used, "%s%s",
                                     used ? " and " : ", ", record_law_words(law));
        }
    }
    return text;
}

const char *run_table_measure(const run_table *t)
{
    bool local = false;

    for (size_t k = 0; k < t->instances.count * t->labels.count; k++) {
        local =
            local || (t->cell[k] && json_object_get(t->cell[k]->json, "measure") != NULL);
    }
    return local ? "componentwise residual" : "residual";
}

void run_table_free(run_table *t)
{
    name_list_clear(&t->instances);
    name_list_clear(&t->labels);
    free(t->cell);
    memset(t, 0, sizeof *t);
}

/* The numbers of the runs, set by set, each in the order of the runs: those of set k are
 * run[end[k - 1] .. end[k]]. */
static void tables_sort(const stored_runs *s, size_t **run, size_t **end)
{
    size_t *at = take(s->sets.count + 2, sizeof *at);

    *run = take(s->count + 1, sizeof **run);
    *end = at;
    for (size_t i = 0; i < s->count; i++) {
        at[name_list_find(&s->sets, s->runs[i].set) + 1]++;
    }
    for (size_t k = 0; k < s->sets.count; k++) {
        at[k + 1] += at[k];
    }
    for (size_t i = 0; i < s->count; i++) {
        (*run)[at[name_list_find(&s->sets, s->runs[i].set)]++] = i;
    }
}

static perp_status tables_visit_set(const stored_runs *s, const size_t *run, size_t count,
                                    const char *set, run_table_visit *visit,
                                    void *context, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < s->tolerance_count && status == PERP_OK; k++) {
        run_table t;

        table_make(&t, s, run, count, set, s->tolerances[k]);
        status = visit(context, s, &t, err);
        run_table_free(&t);
    }
    return status;
}

perp_status runs_visit(const stored_runs *s, const char *set, run_table_visit *visit,
                       void *context, perp_error *err)
{
    size_t *run = NULL, *end = NULL;
    perp_status status = PERP_OK;

    if (set) {
        return name_list_find(&s->sets, set) < s->sets.count
                   ? tables_visit_set(s, NULL, s->count, set, visit, context, err)
                   : PERP_OK;
    }
    tables_sort(s, &run, &end);
    for (size_t k = 0; k < s->sets.count && status == PERP_OK; k++) {
        const size_t first = k > 0 ? end[k - 1] : 0;

        status = tables_visit_set(s, run + first, end[k] - first, s->sets.names[k], visit,
                                  context, err);
    }
    free(run);
    free(end);
    return status;
}
