/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_plan.c: all runs of a suite, each with a key made of what identifies it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/subject.h"
#include "command/cli/take.h"

uint64_t suite_hash_text(uint64_t hash, const char *text)
{
    return perp_hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t plan_hash_options(uint64_t hash, const perp_options *opt)
{
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            char text[128];

            perp_options_print(opt, o->name, text, sizeof text);
            hash = suite_hash_text(hash, strcmp(o->name, "friction") == 0
                                             ? "formulation" /* as in keys so far */
                                             : o->name);
            hash = suite_hash_text(hash, text);
        }
    }
    return hash;
}

static void plan_key(suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    const suite_entry *entry = run->entry;
    uint64_t hash = PERP_HASH_START;
    const char *approximation = suite_rules_approximation(rules);
    const bool law = rules->friction && strcmp(approximation, "natural") == 0;
    char numbers[96];

    snprintf(numbers, sizeof numbers, "%.17g %ld %zu", run->tolerance, rules->seed,
             entry->read.item);
    hash = suite_hash_text(hash, run->set->name);
    hash = suite_hash_text(hash, entry->name);
    hash = suite_hash_text(hash, entry->path);
    hash = suite_hash_text(hash, run->solver->label);
    hash = plan_hash_options(hash, &run->solver->options);
    hash = suite_hash_text(hash, approximation);
    hash = suite_hash_text(hash, law ? rules->friction : "as stored");
    hash = suite_rules_local(rules) ? suite_hash_text(hash, "local") : hash;
    hash = suite_hash_text(hash, numbers);
    hash = suite_hash_text(hash, run->start);
    hash = entry->type->identify(hash, run);
    snprintf(run->key, sizeof run->key, "%016llx", (unsigned long long)hash);
}

/* A pivoting method that is judged only at its end makes the same pivots for every tolerance.
 * Where its answer misses the tolerance it may refine the answer or start again, and the
 * answer for the tightest tolerance is as good for the others. */
static bool plan_is_exact(const suite_solver *solver)
{
    const perp_solver_type *type = solver->options.solver;

    return type && !type->chain && !solver->options.inner &&
           strcmp(type->family, "pivoting") == 0 && type->check_every == 0 &&
           perp_options_integer(&solver->options, "check-every") == 0;
}

static size_t plan_tightest(const suite_rules *rules)
{
    size_t best = 0;

    for (size_t t = 1; t < rules->tolerances; t++) {
        best = rules->tolerance[t] < rules->tolerance[best] ? t : best;
    }
    return best;
}

/* Runs of one entry: every solver at every tolerance in every variant. */
static suite_run *plan_entry(suite_run *run, const suite_set *set,
                             const suite_entry *entry)
{
    const suite_rules *rules = &set->rules;
    size_t tightest = plan_tightest(rules);

    for (size_t s = 0; s < set->solver_count; s++) {
        bool exact = rules->tolerances > 1 && entry->type->one_answer &&
                     plan_is_exact(&set->solvers[s]);

        for (size_t t = 0; t < rules->tolerances; t++) {
            for (size_t k = 0;
                 (!exact || t == tightest) && k < entry->type->variants(rules); k++) {
                run->set = set;
                run->entry = entry;
                run->solver = &set->solvers[s];
                run->tolerance = rules->tolerance[t];
                run->exact = exact;
                entry->type->vary(run, k);
                plan_key(run++);
            }
        }
    }
    return run;
}

/* Drop a run that was planned before, for which nothing that varies differs, and those that
 * are not picked. Their places are those among all runs. */
static void plan_drop(const suite *s, suite_run *runs, size_t *count)
{
    json_t *keys = json_object();
    size_t left = 0, place = 0;

    for (size_t i = 0; i < *count; i++) {
        if (!json_object_get(keys, runs[i].key)) {
            json_object_set_new(keys, runs[i].key, json_true());
            runs[left] = runs[i];
            runs[left].place = place++;
            left += suite_picks(s, &runs[left]);
        }
    }
    json_decref(keys);
    *count = left;
}

perp_status suite_plan(const suite *s, suite_run **runs, size_t *count, perp_error *err)
{
    suite_run *run = NULL;

    *count = 0;
    for (size_t k = 0; k < s->set_count; k++) {
        const suite_set *set = &s->sets[k];

        for (size_t i = 0; i < set->entry_count; i++) {
            *count += set->solver_count * set->rules.tolerances *
                      set->entries[i].type->variants(&set->rules);
        }
    }
    *runs = NULL;
    if (*count > SUITE_RUNS) {
        return perp_fail(err, PERP_ERR_DATA, "%s: %zu runs, expected at most %d", s->name,
                         *count, SUITE_RUNS);
    }
    run = *runs = take(*count + 1, sizeof **runs);
    for (size_t k = 0; k < s->set_count; k++) {
        for (size_t i = 0; i < s->sets[k].entry_count; i++) {
            run = plan_entry(run, &s->sets[k], &s->sets[k].entries[i]);
        }
    }
    *count = (size_t)(run - *runs);
    plan_drop(s, *runs, count);
    return PERP_OK;
}

static void plan_add_columns(const suite_run *run, const suite_columns *columns,
                             json_t *vary, json_t *units)
{
    for (size_t k = 0; k < columns->count; k++) {
        const suite_column *c = &columns->items[k];

        if (suite_column_concerns(c, run->entry->type->list)) {
            json_object_set(vary, c->name, c->value);
            if (*c->unit) {
                json_object_set_new(units, c->name, json_string(c->unit));
            }
        }
    }
}

void suite_run_vary(const suite_run *run, json_t **vary, json_t **units)
{
    const char *tolerance = run->set->tolerance_name;

    *vary = json_object();
    *units = json_object();
    plan_add_columns(run, &run->entry->columns, *vary, *units);
    plan_add_columns(run, &run->set->columns, *vary, *units);
    plan_add_columns(run, &run->solver->columns, *vary, *units);
    if (tolerance) {
        json_object_set_new(*vary, tolerance, json_real(run->tolerance));
    }
}
