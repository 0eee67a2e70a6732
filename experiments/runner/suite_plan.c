/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_plan.c: all runs of a suite, each with a key of what identifies it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "experiments/runner/suite.h"

/* The hash of strings, each with its end, so that "ab","c" and "a","bc" differ. */
static uint64_t plan_mix(uint64_t hash, const char *text)
{
    return perp_hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t plan_mix_options(uint64_t hash, const perp_options *opt)
{
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++) {
            char text[128];

            perp_options_print(opt, o->name, text, sizeof text);
            hash = plan_mix(plan_mix(hash, o->name), text);
        }
    }
    return hash;
}

static uint64_t plan_mix_scene(uint64_t hash, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    char numbers[96];
    char *scheme = json_dumps(rules->scheme.value, JSON_COMPACT | JSON_SORT_KEYS);

    snprintf(numbers, sizeof numbers, "scene %.17g %.17g %ld", rules->dt, rules->time,
             rules->steps);
    hash = plan_mix(hash, numbers);
    hash = plan_mix(hash, run->coordinates);
    hash = plan_mix(hash, run->integrator ? run->integrator : "as in the scene");
    hash = plan_mix(hash, scheme ? scheme : "");
    free(scheme);
    return hash;
}

static void plan_key(suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    uint64_t hash = PERP_HASH_START;
    char numbers[96];

    snprintf(numbers, sizeof numbers, "%.17g %ld %zu", run->tolerance, rules->seed,
             run->instance->read.item);
    hash = plan_mix(hash, run->set->name);
    hash = plan_mix(hash, run->instance->name);
    hash = plan_mix(hash, run->instance->path);
    hash = plan_mix(hash, run->solver->label);
    hash = plan_mix_options(hash, &run->solver->options);
    hash = plan_mix(hash, rules->formulation ? rules->formulation : "natural");
    hash = plan_mix(hash, rules->law ? rules->law : "as stored");
    hash = plan_mix(hash, numbers);
    hash = plan_mix(hash, run->start);
    if (run->instance->sequence) {
        snprintf(numbers, sizeof numbers, "sequence %.17g", rules->noise);
        hash = plan_mix(hash, numbers);
    }
    if (run->instance->scene) {
        hash = plan_mix_scene(hash, run);
    }
    snprintf(run->key, sizeof run->key, "%016llx", (unsigned long long)hash);
}

/* What is not given is one: the scene's own. */
static size_t plan_integrators(const suite_rules *rules)
{
    return rules->integrators ? rules->integrators : 1;
}

static size_t plan_coordinates(const suite_rules *rules)
{
    return rules->coordinate_systems ? rules->coordinate_systems : 1;
}

/* Starts of an instance, arms of a sequence, coordinates and integrators of a scene. */
static size_t plan_ways(const suite_set *set, const suite_instance *in)
{
    const suite_rules *rules = &set->rules;

    return in->scene      ? plan_coordinates(rules) * plan_integrators(rules)
           : in->sequence ? rules->arms
                          : rules->starts;
}

/* The k-th of these. */
static void plan_way(suite_run *run, size_t k)
{
    const suite_rules *rules = &run->set->rules;

    run->arm = run->instance->sequence ? rules->arm[k] : ARM_COLD;
    if (run->instance->scene) {
        run->coordinates = rules->coordinate_systems
                               ? rules->coordinates[k / plan_integrators(rules)]
                               : run->instance->coordinates;
        run->integrator =
            rules->integrators ? rules->integrator[k % plan_integrators(rules)] : NULL;
        run->start = "warm"; /* every step from the one before */
    } else {
        run->start = run->instance->sequence ? arm_name(run->arm) : rules->start[k];
    }
}

/* Runs of one instance: every solver at every tolerance in every way. */
static suite_run *plan_instance(suite_run *run, const suite_set *set,
                                const suite_instance *in)
{
    for (size_t s = 0; s < set->solver_count; s++) {
        for (size_t t = 0; t < set->rules.tolerances; t++) {
            for (size_t k = 0; k < plan_ways(set, in); k++) {
                run->set = set;
                run->instance = in;
                run->solver = &set->solvers[s];
                run->tolerance = set->rules.tolerance[t];
                plan_way(run, k);
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

        for (size_t i = 0; i < set->instance_count; i++) {
            *count += set->solver_count * set->rules.tolerances *
                      plan_ways(set, &set->instances[i]);
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
        for (size_t i = 0; i < s->sets[k].instance_count; i++) {
            run = plan_instance(run, &s->sets[k], &s->sets[k].instances[i]);
        }
    }
    for (size_t i = 0; i < *count; i++) {
        (*runs)[i].place = i;
    }
    return PERP_OK;
}
