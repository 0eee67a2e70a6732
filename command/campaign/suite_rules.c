/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_rules.c: the rules by which a set is run, from one table: limits, tolerances,
 * starts, warm-start policies, steps of scenes. */
#include <config.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/scene.h>
#include <perp/reform.h>

#include "base/base.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_values.h"
#include "command/cli/take.h"

#define IN(member) offsetof(suite_rules, member)

static const document_row limit_rows[] = {
    {PERP_REAL_CLOSED("seconds", 60.0, 1e-3, 1e7,
                      "time of one solve, or of all steps of a scene"),
     offsetof(suite_limits, seconds), NULL},
    /* Less than 128 MiB of address space does not hold the program and its libraries. */
    {PERP_REAL_CLOSED("megabytes", 4096.0, 128.0, 1e9, "address space of a process"),
     offsetof(suite_limits, megabytes), NULL},
    {PERP_OPTION_END, 0, NULL},
};

static perp_status rule_limits(const document_row *row, const document *d, void *out,
                               perp_error *err)
{
    char names[64];
    perp_status status = PERP_OK;

    if (!d->value) {
        return PERP_OK;
    }
    document_row_names(limit_rows, names, sizeof names);
    status = document_keys(d, names, err);
    return status == PERP_OK
               ? document_read(d, limit_rows, (char *)out + row->offset, err)
               : status;
}

static perp_status rule_tolerances(const document_row *row, const document *d, void *out,
                                   perp_error *err)
{
    suite_rules *rules = out;
    perp_status status = PERP_OK;

    if (!d->value) {
        return PERP_OK;
    }
    TRY(document_array(d, err));
    rules->tolerances = json_array_size(d->value);
    if (rules->tolerances < 1 || rules->tolerances > SUITE_TOLERANCES) {
        return document_fail(d, err, "found %zu tolerance%s, expected 1 to %d",
                             rules->tolerances, perp_plural(rules->tolerances),
                             SUITE_TOLERANCES);
    }
    for (size_t k = 0; k < rules->tolerances && status == PERP_OK; k++) {
        document item = document_item(d, k);

        status = document_number(&item, row->option.low, row->option.high,
                                 &rules->tolerance[k], err);
        for (size_t j = 0; status == PERP_OK && j < k; j++) {
            if (rules->tolerance[j] == rules->tolerance[k]) {
                status =
                    document_fail(&item, err, "%g is listed twice", rules->tolerance[k]);
            }
        }
    }
    return status;
}

/* One of "a|b|c", or a list of up to `most` of them, each once. */
static perp_status rule_choices(const document *d, const char *what, const char *choices,
                                size_t most, const char **chosen, size_t *count,
                                perp_error *err)
{
    size_t found = json_is_array(d->value) ? json_array_size(d->value) : 1;

    if (!d->value) {
        return PERP_OK;
    }
    if (found < 1 || found > most) {
        return document_fail(d, err, "found %zu %s, expected 1 to %zu of %s", found, what,
                             most, choices);
    }
    for (size_t k = 0; k < found; k++) {
        document item = json_is_array(d->value) ? document_item(d, k) : *d;
        perp_status status = document_choice(&item, choices, &chosen[k], err);

        if (status != PERP_OK) {
            return status;
        }
        for (size_t j = 0; j < k; j++) {
            if (strcmp(chosen[j], chosen[k]) == 0) {
                return document_fail(&item, err, "%s is listed twice", chosen[k]);
            }
        }
    }
    *count = found;
    return PERP_OK;
}

static perp_status rule_starts(const document_row *row, const document *d, void *out,
                               perp_error *err)
{
    suite_rules *rules = out;

    return rule_choices(d, "starts", row->option.choices, 2, rules->start, &rules->starts,
                        err);
}

static perp_status rule_policies(const document_row *row, const document *d, void *out,
                                 perp_error *err)
{
    suite_rules *rules = out;
    const char *name[POLICY_KINDS] = {NULL};
    perp_status status = d->value ? document_array(d, err) : PERP_OK;

    if (status == PERP_OK) {
        status = rule_choices(d, "policies", row->option.choices, POLICY_KINDS, name,
                              &rules->policies, err);
    }
    for (size_t k = 0; status == PERP_OK && k < POLICY_KINDS && name[k]; k++) {
        policy_find(name[k], &rules->policy[k]);
    }
    return status;
}

/* "coulomb", "associated", "box", "pyramid:8": tried on the empty problem. */
static perp_status rule_friction(const document_row *row, const document *d, void *out,
                                 perp_error *err)
{
    suite_rules *rules = out;
    perp_problem *p = NULL;
    perp_reform *t = NULL;
    perp_set *set = NULL;
    perp_operator *A = NULL;
    perp_error inner = {0};
    perp_status status = document_text(d, &rules->friction, err);

    (void)row;
    if (status != PERP_OK || !d->value) {
        return status;
    }
    TRY(perp_operator_new_dense(&A, 0, 0, err));
    status = perp_set_new(&set, 0, err);
    if (status != PERP_OK) {
        perp_operator_free(A);
        return status;
    }
    status = perp_problem_new_take(&p, A, take_reals(0), set, PERP_LAW_COULOMB, err);
    if (status != PERP_OK) {
        return status;
    }
    perp_reform_named(&t, p, rules->friction, &inner);
    perp_reform_free(t);
    perp_problem_free(p);
    return inner.status == PERP_ERR_OPTION ? document_fail(d, err, "%s", inner.text)
                                           : PERP_OK;
}

static perp_status rule_coordinates(const document_row *row, const document *d, void *out,
                                    perp_error *err)
{
    suite_rules *rules = out;

    return rule_choices(d, "coordinates", row->option.choices, SUITE_COORDINATES,
                        rules->coordinates, &rules->coordinate_systems, err);
}

static perp_status rule_integrators(const document_row *row, const document *d, void *out,
                                    perp_error *err)
{
    suite_rules *rules = out;
    char names[256];
    size_t used = 0;

    (void)row;
    for (size_t k = 0; perp_integrator_names[k] && used < sizeof names; k++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? "|" : "",
                                 perp_integrator_names[k]);
    }
    return rule_choices(d, "integrators", names, SUITE_INTEGRATORS, rules->integrator,
                        &rules->integrators, err);
}

/* Options of perp simulate, except those that are rules or do not concern the steps. */
static perp_status rule_scheme(const document_row *row, const document *d, void *out,
                               perp_error *err)
{
    static const char *const own[] = {"solver",     "dt",          "time",  "steps",
                                      "integrator", "coordinates", "every", "cold"};
    suite_rules *rules = out;
    const char *key = NULL;
    json_t *value = NULL;
    char text[64]; /* longer than any such value, shorter than a value of a line */
    perp_status status = PERP_OK;

    (void)row;
    if (d->value && !json_is_object(d->value)) {
        return document_fail(d, err, "expected an object of options of perp simulate");
    }
    rules->scheme = d->value ? *d : rules->scheme;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if (json_object_get(d->value, own[k])) {
            return document_fail(d, err, "\"%s\" is a rule of its own, or none", own[k]);
        }
    }
    json_object_foreach((json_t *)(uintptr_t)d->value, key, value)
    {
        document item = document_member(d, key);

        if (status == PERP_OK) {
            status = document_print(&item, text, sizeof text, err);
        }
    }
    return status;
}

/* A number of seconds, or a quantity: "10 ms". */
static perp_status rule_seconds(const document_row *row, const document *d, void *out,
                                perp_error *err)
{
    double *seconds = (double *)(void *)((char *)out + row->offset);
    suite_column column = {.name = ""};
    document typed = *d;
    perp_status status = PERP_OK;

    if (!json_is_string(d->value)) {
        return document_number(d, row->option.low, row->option.high, seconds, err);
    }
    status = suite_value_read(d, &column, err);
    typed.value = column.value;
    if (status == PERP_OK) {
        status =
            json_is_number(column.value) &&
                    (!column.unit[0] || strcmp(column.unit, "s") == 0)
                ? document_number(&typed, row->option.low, row->option.high, seconds, err)
                : document_fail(d, err,
                                "found \"%s\", expected a number of seconds, or a "
                                "quantity such as \"10 ms\"",
                                column.text);
    }
    json_decref(column.value);
    return status;
}

static const document_row rule_rows[] = {
    {{.name = "limits", .kind = PERP_OPTION_TEXT, .help = "limits of a run"},
     IN(limits),
     rule_limits},
    {PERP_REAL_CLOSED("tolerances", 1e-8, 0.0, 1.0, "tolerances of the residual"), 0,
     rule_tolerances},
    {PERP_INTEGER("repeats", 1, 1, 1000, "solves of each run; the least time counts"),
     IN(repeats), NULL},
    {PERP_INTEGER("seed", 1, 0, 9000000000000000, "seed of solvers and of noise"),
     IN(seed), NULL},
    {PERP_CHOICE("start", 0, "cold|guess", "starting points of instances"), 0,
     rule_starts},
    {PERP_SWITCH("history", 1, "record the residual during the run"), IN(history), NULL},
    {PERP_TEXT("friction", NULL, "law of friction of the problem that is asked"),
     IN(friction), rule_friction},
    {PERP_CHOICE("measure", 0, "residual|local",
                 "measure that decides: the residual, or the componentwise one"),
     IN(measure), NULL},
    {PERP_CHOICE("policies", 0, POLICY_NAMES, "warm-start policies of sequences"), 0,
     rule_policies},
    {PERP_REAL_CLOSED("noise", 0.01, 0.0, 1e6, "noise of the policy perturbed"),
     IN(noise), NULL},
    {PERP_CHOICE("coordinates", 0, "maximal|reduced", "coordinates of scenes"), 0,
     rule_coordinates},
    {PERP_TEXT("integrators", NULL, "integrators of scenes"), 0, rule_integrators},
    {PERP_TEXT("scheme", NULL, "further options of perp simulate"), 0, rule_scheme},
    {PERP_REAL_CLOSED("dt", 0.0, 1e-12, 1e6, "length of a step [s]"), IN(dt),
     rule_seconds},
    {PERP_REAL_CLOSED("time", 0.0, 1e-12, 1e9, "length of a run [s]"), IN(time),
     rule_seconds},
    {PERP_INTEGER("steps", 0, 1, 1000000000, "length of a run in steps"), IN(steps),
     NULL},
    {PERP_OPTION_END, 0, NULL},
};

void suite_rule_names(char *text, size_t length)
{
    document_row_names(rule_rows, text, length);
}

void suite_rules_default(suite_rules *rules)
{
    *rules = (suite_rules){.tolerance = {1e-8},
                           .tolerances = 1,
                           .start = {"cold"},
                           .starts = 1,
                           .policy = {POLICY_COLD, POLICY_WARM},
                           .policies = 2};
    document_defaults(rule_rows, rules);
    document_defaults(limit_rows, &rules->limits);
}

const char *suite_rules_approximation(const suite_rules *rules)
{
    const char *friction = rules->friction;

    return !friction || strcmp(friction, "coulomb") == 0 ||
                   strcmp(friction, "associated") == 0
               ? "natural"
               : friction;
}

bool suite_rules_local(const suite_rules *rules)
{
    return rules->measure && strcmp(rules->measure, "local") == 0;
}

perp_status suite_read_rules(suite_rules *rules, const document *d, perp_error *err)
{
    document time = document_member(d, "time"), steps = document_member(d, "steps");

    if (time.value && steps.value) {
        return document_fail(&steps, err, "found next to time, expected one of them");
    }
    /* A time of the set replaces the steps of the suite, and the other way round. */
    rules->steps = time.value ? 0 : rules->steps;
    rules->time = steps.value ? 0.0 : rules->time;
    return document_read(d, rule_rows, rules, err);
}
