/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_plan.c: all runs of a suite, each with a key made of what identifies it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "experiments/runner/subject.h"

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
            hash = suite_hash_text(suite_hash_text(hash, o->name), text);
        }
    }
    return hash;
}

static void plan_key(suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    const suite_entry *entry = run->entry;
    uint64_t hash = PERP_HASH_START;
    char numbers[96];

    snprintf(numbers, sizeof numbers, "%.17g %ld %zu", run->tolerance, rules->seed,
             entry->read.item);
    hash = suite_hash_text(hash, run->set->name);
    hash = suite_hash_text(hash, entry->name);
    hash = suite_hash_text(hash, entry->path);
    hash = suite_hash_text(hash, run->solver->label);
    hash = plan_hash_options(hash, &run->solver->options);
    hash = suite_hash_text(hash, rules->formulation ? rules->formulation : "natural");
    hash = suite_hash_text(hash, rules->law ? rules->law : "as stored");
    hash = suite_hash_text(hash, numbers);
    hash = suite_hash_text(hash, run->start);
    hash = entry->type->identify(hash, run);
    snprintf(run->key, sizeof run->key, "%016llx", (unsigned long long)hash);
}

/* Runs of one entry: every solver at every tolerance in every variant. */
static suite_run *plan_entry(suite_run *run, const suite_set *set,
                             const suite_entry *entry)
{
    for (size_t s = 0; s < set->solver_count; s++) {
        for (size_t t = 0; t < set->rules.tolerances; t++) {
            for (size_t k = 0; k < entry->type->variants(&set->rules); k++) {
                run->set = set;
                run->entry = entry;
                run->solver = &set->solvers[s];
                run->tolerance = set->rules.tolerance[t];
                entry->type->vary(run, k);
                plan_key(run++);
            }
        }
    }
    return run;
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
    run = *runs = calloc(*count + 1, sizeof **runs);
    if (!run) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu runs", *count);
    }
    for (size_t k = 0; k < s->set_count; k++) {
        for (size_t i = 0; i < s->sets[k].entry_count; i++) {
            run = plan_entry(run, &s->sets[k], &s->sets[k].entries[i]);
        }
    }
    for (size_t i = 0; i < *count; i++) {
        (*runs)[i].place = i;
    }
    return PERP_OK;
}
