/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_rules.c: how a set is run: limits, tolerances, starts, policies, steps. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/scheme.h>

#include "experiments/runner/suite_parts.h"

static perp_status suite_read_limits(suite_limits *limits, const document *d,
                                     perp_error *err)
{
    document seconds = document_member(d, "seconds");
    document megabytes = document_member(d, "megabytes");

    if (!d->value) {
        return PERP_OK;
    }
    if (document_keys(d, "seconds|megabytes", err) != PERP_OK ||
        document_number(&seconds, 1e-3, 1e7, &limits->seconds, err) != PERP_OK) {
        return err->status;
    }
    /* Less than 128 MiB of address space does not hold the program and its libraries. */
    return document_number(&megabytes, 128, 1e9, &limits->megabytes, err);
}

static perp_status suite_read_tolerances(suite_rules *rules, const document *d,
                                         perp_error *err)
{
    if (!d->value) {
        return PERP_OK;
    }
    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    rules->tolerances = json_array_size(d->value);
    if (rules->tolerances < 1 || rules->tolerances > SUITE_TOLERANCES) {
        return document_fail(d, err, "found %zu tolerances, expected 1 to %d",
                             rules->tolerances, SUITE_TOLERANCES);
    }
    for (size_t k = 0; k < rules->tolerances; k++) {
        document item = document_item(d, k);

        if (document_number(&item, 0.0, 1.0, &rules->tolerance[k], err) != PERP_OK) {
            return err->status;
        }
        for (size_t j = 0; j < k; j++) {
            if (rules->tolerance[j] == rules->tolerance[k]) {
                return document_fail(&item, err, "%g is there twice",
                                     rules->tolerance[k]);
            }
        }
    }
    return PERP_OK;
}

/* One of "a|b|c", or a list of up to `most` of them, each once. */
static perp_status suite_read_choices(const document *d, const char *what,
                                      const char *choices, size_t most,
                                      const char **chosen, size_t *count, perp_error *err)
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

        if (document_choice(&item, choices, &chosen[k], err) != PERP_OK) {
            return err->status;
        }
        for (size_t j = 0; j < k; j++) {
            if (strcmp(chosen[j], chosen[k]) == 0) {
                return document_fail(&item, err, "%s is there twice", chosen[k]);
            }
        }
    }
    *count = found;
    return PERP_OK;
}

static perp_status suite_read_policies(suite_rules *rules, const document *d,
                                       perp_error *err)
{
    const char *name[POLICY_KINDS] = {NULL};

    if (d->value && document_array(d, err) != PERP_OK) {
        return err->status;
    }
    if (suite_read_choices(d, "policies", POLICY_NAMES, POLICY_KINDS, name,
                           &rules->policies, err) != PERP_OK) {
        return err->status;
    }
    for (size_t k = 0; k < POLICY_KINDS && name[k]; k++) {
        policy_find(name[k], &rules->policy[k]);
    }
    return PERP_OK;
}

/* "natural", "associated", "box", "pyramid:8": tried on the smallest problem there is. */
static perp_status suite_read_formulation(suite_rules *rules, const document *d,
                                          perp_error *err)
{
    perp_problem *p = NULL;
    perp_reform *t = NULL;
    perp_set *set = NULL;
    perp_operator *A = NULL;
    perp_error inner = {0};

    if (document_text(d, &rules->formulation, err) != PERP_OK || !d->value) {
        return err->status;
    }
    if (perp_operator_new_dense(&A, 0, 0, err) != PERP_OK ||
        perp_set_new(&set, 0, err) != PERP_OK) {
        perp_operator_free(A);
        return err->status;
    }
    if (perp_problem_new_take(&p, A, perp_reals_new(0), set, PERP_LAW_COULOMB, err) !=
        PERP_OK) {
        return err->status;
    }
    perp_reform_named(&t, p, rules->formulation, &inner);
    perp_reform_free(t);
    perp_problem_free(p);
    if (inner.status == PERP_ERR_OPTION) {
        return document_fail(d, err, "%s", inner.text);
    }
    return PERP_OK;
}

/* Options of perp simulate, but for those that have a place of their own. */
static perp_status suite_check_scheme(const document *d, perp_error *err)
{
    static const char *const own[] = {"solver",     "dt",          "time",  "steps",
                                      "integrator", "coordinates", "every", "cold"};
    const char *key = NULL;
    json_t *value = NULL;
    char text[64]; /* far more than any such value has, less than a line holds */

    if (d->value && !json_is_object(d->value)) {
        return document_fail(d, err, "expected an object of options of perp simulate");
    }
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if (json_object_get(d->value, own[k])) {
            return document_fail(d, err, "\"%s\" has a place of its own, or none",
                                 own[k]);
        }
    }
    json_object_foreach((json_t *)(uintptr_t)d->value, key, value)
    {
        document item = document_member(d, key);

        if (document_print(&item, text, sizeof text, err) != PERP_OK) {
            return err->status;
        }
    }
    return PERP_OK;
}

/* "semi-implicit|explicit|…" */
static void integrator_names(char *text, size_t length)
{
    size_t used = 0;

    for (size_t k = 0; perp_integrator_names[k] && used < length; k++) {
        used += (size_t)snprintf(text + used, length - used, "%s%s", k ? "|" : "",
                                 perp_integrator_names[k]);
    }
}

/* Of scenes. A time of the set's own takes the place of steps that stand above it. */
static perp_status suite_read_steps(suite_rules *rules, const document *d,
                                    perp_error *err)
{
    document coordinates = document_member(d, "coordinates");
    document integrators = document_member(d, "integrators");
    document scheme = document_member(d, "scheme");
    document dt = document_member(d, "dt"), time = document_member(d, "time");
    document steps = document_member(d, "steps");
    char names[256];

    integrator_names(names, sizeof names);
    if (time.value && steps.value) {
        return document_fail(&steps, err, "stands beside time, expected one of them");
    }
    rules->steps = time.value ? 0 : rules->steps;
    rules->time = steps.value ? 0.0 : rules->time;
    rules->scheme = scheme.value ? scheme : rules->scheme;
    if (suite_check_scheme(&scheme, err) != PERP_OK ||
        suite_read_choices(&coordinates, "coordinates", "maximal|reduced", 2,
                           rules->coordinates, &rules->coordinate_systems,
                           err) != PERP_OK ||
        suite_read_choices(&integrators, "integrators", names, SUITE_INTEGRATORS,
                           rules->integrator, &rules->integrators, err) != PERP_OK ||
        document_number(&dt, 1e-12, 1e6, &rules->dt, err) != PERP_OK ||
        document_number(&time, 1e-12, 1e9, &rules->time, err) != PERP_OK) {
        return err->status;
    }
    return document_integer(&steps, 1, 1000000000, &rules->steps, err);
}

perp_status suite_read_rules(suite_rules *rules, const document *d, perp_error *err)
{
    document limits = document_member(d, "limits");
    document tolerances = document_member(d, "tolerances");
    document repeats = document_member(d, "repeats");
    document seed = document_member(d, "seed");
    document start = document_member(d, "start");
    document history = document_member(d, "history");
    document formulation = document_member(d, "formulation");
    document law = document_member(d, "law");
    document policies = document_member(d, "policies");
    document noise = document_member(d, "noise");
    long count = (long)rules->repeats;

    if (suite_read_limits(&rules->limits, &limits, err) != PERP_OK ||
        suite_read_tolerances(rules, &tolerances, err) != PERP_OK ||
        document_integer(&repeats, 1, 1000, &count, err) != PERP_OK ||
        document_integer(&seed, 0, 9000000000000000, &rules->seed, err) != PERP_OK ||
        suite_read_choices(&start, "starts", "cold|guess", 2, rules->start,
                           &rules->starts, err) != PERP_OK ||
        document_switch(&history, &rules->history, err) != PERP_OK ||
        suite_read_formulation(rules, &formulation, err) != PERP_OK ||
        document_choice(&law, "coulomb|associated", &rules->law, err) != PERP_OK ||
        suite_read_policies(rules, &policies, err) != PERP_OK ||
        document_number(&noise, 0.0, 1e6, &rules->noise, err) != PERP_OK) {
        return err->status;
    }
    rules->repeats = (size_t)count;
    return suite_read_steps(rules, d, err);
}
