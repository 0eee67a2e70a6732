/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_solvers.c: the solvers of a set; lists of values become one solver each. */
#include <config.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/args.h"
#include "command/cli/plugin.h"

/* An object being read; the k-th digit picks the value of its k-th option. */
typedef struct solver_sweep {
    document d, options;
    const char *name, *label, *friction;
    suite_odometer odometer;
    suite_vary *vary;
} solver_sweep;

/* Append a text of three parts to a label. */
static perp_status solver_append(char *label, const document *d, const char *a,
                                 const char *b, const char *c, perp_error *err)
{
    size_t length = strlen(label);
    int wrote = snprintf(label + length, SUITE_LABEL - length, "%s%s%s", a, b, c);

    if (wrote < 0 || (size_t)wrote >= SUITE_LABEL - length) {
        return document_fail(d, err, "a label has fewer than %d characters", SUITE_LABEL);
    }
    return PERP_OK;
}

static perp_status solver_unknown_option(const suite_solver *s, const document *d,
                                         const char *key, perp_error *err)
{
    perp_nearest best;

    perp_nearest_start(&best, key);
    cli_offer_options(&best, &s->options);
    return document_fail(d, err, "unknown option \"%s\" of %s, %s", key, s->name,
                         perp_nearest_advice(&best));
}

static perp_status solver_set(suite_solver *s, const document *d, const char *key,
                              const char *text, perp_error *err)
{
    static const char *const rules[] = {"tolerance", "time-limit", "seed", "history"};
    perp_error inner = {0};

    if (!perp_options_find(&s->options, key)) {
        return solver_unknown_option(s, d, key, err);
    }
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (strcmp(key, rules[k]) == 0) {
            return document_fail(d, err, "\"%s\" is a rule for all solvers of the set",
                                 key);
        }
    }
    return perp_options_set(&s->options, key, text, &inner) == PERP_OK
               ? PERP_OK
               : document_fail(d, err, "%s", inner.text);
}

/* The name, the label as far as it is known, and the law of friction. */
static perp_status solver_start(suite_solver *s, const solver_sweep *sweep,
                                perp_error *err)
{
    const perp_solver_type *type = NULL;
    document d = document_member(&sweep->d, "friction");
    perp_error inner = {0};
    perp_status status = PERP_OK;

    if (plugin_parse(sweep->name, &type, &s->options, &inner) != PERP_OK) {
        return document_fail(&sweep->d, err, "%s", inner.text);
    }
    snprintf(s->name, sizeof s->name, "%s", sweep->name);
    status = solver_append(s->label, &sweep->d, sweep->label ? sweep->label : sweep->name,
                           "", "", err);
    if (status == PERP_OK && sweep->friction) {
        status = solver_set(s, &d, "friction", sweep->friction, err);
        if (status == PERP_OK && !sweep->label) {
            status = solver_append(s->label, &sweep->d, " ", sweep->friction, "", err);
        }
    }
    snprintf(s->plain, sizeof s->plain, "%s", s->label);
    return status;
}

/* An option at a value that varies: the label names it. */
static perp_status solver_set_varied(suite_solver *s, const document *d, const char *key,
                                     perp_error *err)
{
    suite_column column = {.named = false};
    char text[COLUMN_TEXT];
    perp_status status = suite_value_read(d, &column, err);

    if (snprintf(column.name, sizeof column.name, "solver.%s", key) >= COLUMN_NAME) {
        column.name[COLUMN_NAME - 1] = '\0';
    }
    if (status == PERP_OK) {
        const document typed = {d->file, column.value, "", true};

        status = document_print(&typed, text, sizeof text, err); /* in SI units */
    }
    if (status == PERP_OK) {
        status = solver_set(s, d, key, text, err);
    }
    if (status == PERP_OK) {
        status = solver_append(s->label, d, " ", key, "=", err);
    }
    if (status == PERP_OK) {
        status = solver_append(s->label, d, column.text, "", "", err);
    }
    if (status == PERP_OK) {
        suite_columns_add(&s->columns, &column);
    }
    json_decref(column.value);
    return status;
}

/* The k-th option at its present digit. */
static perp_status solver_set_swept(suite_solver *s, const solver_sweep *sweep, size_t k,
                                    const char *key, perp_error *err)
{
    document d = document_member(&sweep->options, key);
    document item =
        json_is_array(d.value) ? document_item(&d, sweep->odometer.digit[k]) : d;
    char text[64];
    perp_status status = PERP_OK;

    if (sweep->odometer.values[k] > 1) {
        return solver_set_varied(s, &item, key, err);
    }
    status = document_print(&item, text, sizeof text, err);
    return status == PERP_OK ? solver_set(s, &item, key, text, err) : status;
}

/* The options that vary with the set. */
static perp_status solver_vary(suite_solver *s, const solver_sweep *sweep,
                               perp_error *err)
{
    const char *key = NULL;
    document value;
    size_t k = 0;
    perp_status status = PERP_OK;

    while (status == PERP_OK &&
           (key = suite_vary_option(sweep->vary, &s->options, &k, &value)) != NULL) {
        status = perp_options_given(&s->options, key)
                     ? document_fail(&sweep->d, err,
                                     "\"%s\" is given here and in %s, expected one place",
                                     key, value.place)
                     : solver_set_varied(s, &value, key, err);
    }
    return status;
}

/* One solver of the sweep, at its present digits. */
static perp_status solver_add(suite_set *set, const solver_sweep *sweep, perp_error *err)
{
    suite_solver *s = NULL;
    const char *key = NULL;
    json_t *value = NULL;
    size_t k = 0;
    perp_status status = PERP_OK;

    if (set->solver_count == SUITE_SOLVERS) {
        return document_fail(&sweep->d, err, "more than %d solvers in a set",
                             SUITE_SOLVERS);
    }
    s = suite_grow((void **)&set->solvers, &set->solver_count, &set->solver_room,
                   sizeof *s);
    status = solver_start(s, sweep, err);
    json_object_foreach((json_t *)(uintptr_t)sweep->options.value, key, value)
    {
        if (status == PERP_OK) {
            status = solver_set_swept(s, sweep, k++, key, err);
        }
    }
    if (status == PERP_OK) {
        status = solver_vary(s, sweep, err);
    }
    if (status == PERP_OK && perp_options_given(&s->options, "friction") &&
        set->rules.friction && strcmp(set->rules.friction, "natural") != 0) {
        status =
            document_fail(&sweep->d, err,
                          "a law of friction of the solver, where the set has one, too: "
                          "expected one of them");
    }
    for (size_t j = 0; status == PERP_OK && j + 1 < set->solver_count; j++) {
        if (strcmp(set->solvers[j].label, s->label) == 0) {
            status = document_fail(&sweep->d, err,
                                   "the label \"%s\" occurs twice, expected different "
                                   "labels",
                                   s->label);
        }
    }
    return status;
}

#define IN(member) offsetof(solver_sweep, member)
static const document_row solver_rows[] = {
    {PERP_TEXT("solver", NULL, "name of a solver"), IN(name), NULL},
    {PERP_TEXT("label", NULL, "its name in tables and figures"), IN(label), NULL},
    {PERP_TEXT("friction", NULL, "law of friction that it solves with"), IN(friction),
     NULL},
    {PERP_OPTION_END, 0, NULL},
};
#undef IN

static perp_status solver_read_object(solver_sweep *sweep, perp_error *err)
{
    document name = document_member(&sweep->d, "solver");
    suite_odometer *odometer = &sweep->odometer;
    const char *key = NULL;
    json_t *value = NULL;
    perp_status status = suite_keys(&sweep->d, "solver|label|friction|options", err);

    sweep->options = document_member(&sweep->d, "options");
    if (status == PERP_OK) {
        status = document_read(&sweep->d, solver_rows, sweep, err);
    }
    if (status != PERP_OK) {
        return status;
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

        if (count == 0 || odometer->count == SUITE_DIGITS) {
            return document_fail(&d, err, count ? "too many options" : "an empty list");
        }
        odometer->values[odometer->count++] = count;
    }
    return PERP_OK;
}

perp_status suite_read_solvers(suite_set *set, suite_vary *vary, const document *d,
                               perp_error *err)
{
    perp_status status = document_array(d, err);

    for (size_t k = 0; status == PERP_OK && k < json_array_size(d->value); k++) {
        solver_sweep sweep = {.d = document_item(d, k), .vary = vary};

        if (json_is_string(sweep.d.value)) {
            sweep.name = json_string_value(sweep.d.value);
        } else {
            status = solver_read_object(&sweep, err);
        }
        if (status == PERP_OK) {
            do {
                status = solver_add(set, &sweep, err);
            } while (status == PERP_OK && suite_odometer_next(&sweep.odometer));
        }
    }
    return status == PERP_OK && set->solver_count == 0
               ? document_fail(d, err, "found no solver")
               : status;
}
