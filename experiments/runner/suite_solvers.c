/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_solvers.c: the solvers of a set; lists of values become one solver each. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "experiments/runner/suite_parts.h"

enum { SUITE_SWEEP = 64 };

/* An object being read, its options swept like an odometer: digit[k] picks the value of the
 * k-th option. */
typedef struct solver_sweep {
    document d, options;
    const char *name, *label, *formulation;
    size_t digit[SUITE_SWEEP], values[SUITE_SWEEP];
    size_t count;
} solver_sweep;

static perp_status solver_append(char *label, const document *d, perp_error *err,
                                 const char *a, const char *b, const char *c)
{
    size_t length = strlen(label);
    int wrote = snprintf(label + length, SUITE_LABEL - length, "%s%s%s", a, b, c);

    if (wrote < 0 || (size_t)wrote >= SUITE_LABEL - length) {
        return document_fail(d, err, "a label has fewer than %d characters", SUITE_LABEL);
    }
    return PERP_OK;
}

static perp_status solver_set(suite_solver *s, const document *d, const char *key,
                              const char *text, perp_error *err)
{
    perp_error inner = {0};

    if (strcmp(key, "tolerance") == 0 || strcmp(key, "time-limit") == 0 ||
        strcmp(key, "seed") == 0 || strcmp(key, "history") == 0) {
        return document_fail(d, err, "\"%s\" is set for all solvers of the set alike",
                             key);
    }
    if (perp_options_set(&s->options, key, text, &inner) != PERP_OK) {
        return document_fail(d, err, "%s", inner.text);
    }
    return PERP_OK;
}

/* One solver of the sweep, at its present digits. */
static perp_status solver_add(suite_set *set, const solver_sweep *sweep, perp_error *err)
{
    const perp_solver_type *type = NULL;
    suite_solver *s = NULL;
    perp_error inner = {0};
    const char *key = NULL;
    json_t *value = NULL;
    size_t k = 0;

    if (set->solver_count == SUITE_SOLVERS) {
        return document_fail(&sweep->d, err, "more than %d solvers in a set",
                             SUITE_SOLVERS);
    }
    s = suite_grow((void **)&set->solvers, &set->solver_count, &set->solver_room,
                   sizeof *s);
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", sweep->d.file);
    }
    if (perp_solver_parse(sweep->name, &type, &s->options, &inner) != PERP_OK) {
        return document_fail(&sweep->d, err, "%s", inner.text);
    }
    snprintf(s->name, sizeof s->name, "%s", sweep->name);
    if (solver_append(s->label, &sweep->d, err, sweep->label ? sweep->label : sweep->name,
                      "", "") != PERP_OK) {
        return err->status;
    }
    if (sweep->formulation) {
        document d = document_member(&sweep->d, "formulation");

        if (solver_set(s, &d, "formulation", sweep->formulation, err) != PERP_OK ||
            (!sweep->label && solver_append(s->label, &sweep->d, err, " ",
                                            sweep->formulation, "") != PERP_OK)) {
            return err->status;
        }
    }
    json_object_foreach((json_t *)(uintptr_t)sweep->options.value, key, value)
    {
        document d = document_member(&sweep->options, key);
        document item = json_is_array(value) ? document_item(&d, sweep->digit[k]) : d;
        char text[64];

        if (document_print(&item, text, sizeof text, err) != PERP_OK ||
            solver_set(s, &item, key, text, err) != PERP_OK) {
            return err->status;
        }
        if (sweep->values[k] > 1 &&
            (solver_append(s->label, &d, err, " ", key, "=") != PERP_OK ||
             solver_append(s->label, &d, err, text, "", "") != PERP_OK)) {
            return err->status;
        }
        k++;
    }
    if (perp_options_given(&s->options, "formulation") && set->rules.formulation &&
        strcmp(set->rules.formulation, "natural") != 0) {
        return document_fail(&sweep->d, err,
                             "a formulation of the solver, where the set has one, too: "
                             "expected one of them");
    }
    for (size_t j = 0; j + 1 < set->solver_count; j++) {
        if (strcmp(set->solvers[j].label, s->label) == 0) {
            return document_fail(&sweep->d, err,
                                 "the label \"%s\" is there twice, give one of them "
                                 "another",
                                 s->label);
        }
    }
    return PERP_OK;
}

/* The next combination; false after the last. */
static bool solver_turn(solver_sweep *sweep)
{
    for (size_t k = sweep->count; k-- > 0;) {
        if (++sweep->digit[k] < sweep->values[k]) {
            return true;
        }
        sweep->digit[k] = 0;
    }
    return false;
}

static perp_status solver_read_object(solver_sweep *sweep, perp_error *err)
{
    document name = document_member(&sweep->d, "solver");
    document label = document_member(&sweep->d, "label");
    document formulation = document_member(&sweep->d, "formulation");
    const char *key = NULL;
    json_t *value = NULL;

    sweep->options = document_member(&sweep->d, "options");
    if (document_keys(&sweep->d, "solver|label|formulation|options", err) != PERP_OK ||
        document_text(&name, &sweep->name, err) != PERP_OK ||
        document_text(&label, &sweep->label, err) != PERP_OK ||
        document_text(&formulation, &sweep->formulation, err) != PERP_OK) {
        return err->status;
    }
    if (!sweep->name) {
        return document_fail(&name, err, "expected the name of a solver");
    }
    if (sweep->options.value && !json_is_object(sweep->options.value)) {
        return document_fail(&sweep->options, err, "expected an object of options");
    }
    json_object_foreach((json_t *)(uintptr_t)sweep->options.value, key, value)
    {
        size_t count = json_is_array(value) ? json_array_size(value) : 1;
        document d = document_member(&sweep->options, key);

        if (count == 0 || sweep->count == SUITE_SWEEP) {
            return document_fail(&d, err, count ? "too many options" : "an empty list");
        }
        sweep->values[sweep->count++] = count;
    }
    return PERP_OK;
}

perp_status suite_read_solvers(suite_set *set, const document *d, perp_error *err)
{
    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    for (size_t k = 0; k < json_array_size(d->value); k++) {
        solver_sweep sweep = {.d = document_item(d, k)};

        if (json_is_string(sweep.d.value)) {
            sweep.name = json_string_value(sweep.d.value);
        } else if (solver_read_object(&sweep, err) != PERP_OK) {
            return err->status;
        }
        do {
            if (solver_add(set, &sweep, err) != PERP_OK) {
                return err->status;
            }
        } while (solver_turn(&sweep));
    }
    if (set->solver_count == 0) {
        return document_fail(d, err, "found no solver");
    }
    return PERP_OK;
}
